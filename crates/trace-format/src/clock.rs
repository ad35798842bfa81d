//! The clocks that events have their times from, and both of them at one moment.

use crate::tags::table;

table! {
    /// Clock and unit of an experiment's ticks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ClockKind: u8 {
        /// Nanoseconds of CLOCK_MONOTONIC.
        Nanoseconds = 0,
        /// The processor's invariant time stamp counter, equal on all cores of a node.
        TimeStampCounter = 1,
    }
}

/// The same moment on two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CalibrationPair {
    /// Ticks of the experiment's clock.
    pub ticks: u64,
    /// Nanoseconds of CLOCK_MONOTONIC.
    pub nanoseconds: u64,
}

/// Nanoseconds of CLOCK_MONOTONIC now; `None` if the system has no such clock.
pub fn monotonic() -> Option<u64> {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid for writing.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    let nanoseconds = (time.tv_sec as u64).checked_mul(1_000_000_000)?;
    (result == 0).then(|| nanoseconds.saturating_add(time.tv_nsec as u64))
}

/// This machine's time stamp counter and CLOCK_MONOTONIC now: of a few attempts the one that took
/// least.
pub fn counter_pair() -> Option<CalibrationPair> {
    let attempt = || {
        let before = counter()?;
        let nanoseconds = monotonic()?;
        let took = counter()?.saturating_sub(before);
        let ticks = before + took / 2;
        Some((took, CalibrationPair { ticks, nanoseconds }))
    };
    let attempts = (0..4).filter_map(|_| attempt());
    attempts.min_by_key(|(took, _)| *took).map(|(_, pair)| pair)
}

#[cfg(target_arch = "x86_64")]
fn counter() -> Option<u64> {
    // SAFETY: every x86-64 processor has the instruction.
    Some(unsafe { core::arch::x86_64::_rdtsc() })
}

#[cfg(not(target_arch = "x86_64"))]
fn counter() -> Option<u64> {
    None
}
