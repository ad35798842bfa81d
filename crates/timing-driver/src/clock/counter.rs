//! The processor's time stamp counter, in seconds.

use super::system::raw;

/// Length of the calibration. The rate is known to the error of two readings over this.
const CALIBRATION: f64 = 0.05;
/// Readings of which the one that took least counts.
const READINGS: usize = 20;

/// The counter with its rate.
pub struct Counter {
    seconds_per_tick: f64,
    /// Ticks at second 0.
    epoch: u64,
}

impl Counter {
    /// Calibrates the counter against `CLOCK_MONOTONIC_RAW`, if there is one.
    pub fn calibrate() -> Option<Self> {
        ticks()?;
        let origin = raw().seconds;
        let (first, begin) = pair(origin)?;
        while raw().since(origin) < begin + CALIBRATION {
            std::hint::spin_loop();
        }
        let (last, end) = pair(origin)?;
        let ticks = last.checked_sub(first).filter(|ticks| *ticks > 0)?;
        Some(Counter {
            seconds_per_tick: (end - begin) / ticks as f64,
            epoch: first,
        })
    }

    pub fn now(&self) -> f64 {
        // Another core's counter may be a little behind the epoch.
        let since = ticks().unwrap_or_default().wrapping_sub(self.epoch) as i64;
        since as f64 * self.seconds_per_tick
    }

    /// For the other threads of the node.
    pub fn words(self) -> [u64; 2] {
        [self.seconds_per_tick.to_bits(), self.epoch]
    }

    pub fn from_words([rate, epoch]: [u64; 2]) -> Self {
        Counter {
            seconds_per_tick: f64::from_bits(rate),
            epoch,
        }
    }
}

/// The counter and the clock at one moment: the clock's reading between two of the counter that
/// stand closest together.
fn pair(origin: i64) -> Option<(u64, f64)> {
    let readings = (0..READINGS).filter_map(|_| {
        let (before, time, after) = (ticks()?, raw().since(origin), ticks()?);
        let took = after.wrapping_sub(before);
        Some((took, before + took / 2, time))
    });
    let closest = readings.min_by_key(|(took, ..)| *took);
    closest.map(|(_, ticks, time)| (ticks, time))
}

/// The counter after everything before is done; nothing that follows begins earlier.
#[cfg(target_arch = "x86_64")]
fn ticks() -> Option<u64> {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every processor of this architecture has these instructions.
    unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        Some(ticks)
    }
}

/// The counter after everything before is done; nothing that follows begins earlier.
#[cfg(target_arch = "aarch64")]
fn ticks() -> Option<u64> {
    let ticks: u64;
    // SAFETY: Linux lets programs read this register, and nothing else is touched.
    unsafe { std::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks) };
    Some(ticks)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn ticks() -> Option<u64> {
    None
}
