//! From ticks of the experiment's clock to seconds.
//!
//! The recorder reads the processor's time stamp counter, whose rate nobody tells it. So streams
//! carry pairs of (ticks, CLOCK_MONOTONIC) read at the same moment: one at the start of each thread
//! and one for each block that was written. The pairs that lie furthest apart give the rate; a pair
//! is exact to some tens of nanoseconds, so a run of one second has its rate to about 1e-7.

pub use pgas_trace_format::clock::{CalibrationPair, ClockKind};

/// Rates that no time stamp counter has are a sign of a pair that was not read at one moment, in
/// ticks a nanosecond.
const PLAUSIBLE_RATES: std::ops::RangeInclusive<f64> = 0.001..=100.0;
/// Below this distance, in nanoseconds, two pairs say nothing about the rate.
const SHORTEST_SPAN: u64 = 1_000;

/// Converts ticks of one experiment to seconds since its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    kind: ClockKind,
    origin: u64,
    seconds_per_tick: f64,
    calibrated: bool,
}

impl Clock {
    /// A clock that starts at tick `origin`, with its rate taken from `pairs` of any threads in any
    /// order.
    pub fn calibrate(
        kind: ClockKind,
        origin: u64,
        pairs: impl IntoIterator<Item = CalibrationPair>,
    ) -> Self {
        let rate = match kind {
            ClockKind::Nanoseconds => Some(1.0),
            ClockKind::TimeStampCounter => ticks_per_nanosecond(pairs).map(|(rate, _)| rate),
        };
        Clock {
            kind,
            origin,
            seconds_per_tick: 1e-9 / rate.unwrap_or(1.0),
            calibrated: rate.is_some(),
        }
    }

    /// Clock and unit of the ticks.
    pub fn kind(&self) -> ClockKind {
        self.kind
    }

    /// The tick at which the first thread of the experiment started.
    pub fn origin(&self) -> u64 {
        self.origin
    }

    /// Seconds since the experiment's start at time `ticks`; negative before it.
    pub fn seconds(&self, ticks: u64) -> f64 {
        if ticks >= self.origin {
            self.duration(ticks - self.origin)
        } else {
            -self.duration(self.origin - ticks)
        }
    }

    /// Length of `ticks` in seconds.
    pub fn duration(&self, ticks: u64) -> f64 {
        ticks as f64 * self.seconds_per_tick
    }

    /// Length of one tick in seconds.
    pub fn seconds_per_tick(&self) -> f64 {
        self.seconds_per_tick
    }

    /// Whether the rate is known. It is not if the run ended before two pairs were written; a tick
    /// is then taken to be a nanosecond.
    pub fn is_calibrated(&self) -> bool {
        self.calibrated
    }
}

/// The rate of a clock, and the nanoseconds over which it was seen.
pub(crate) fn ticks_per_nanosecond(
    pairs: impl IntoIterator<Item = CalibrationPair>,
) -> Option<(f64, u64)> {
    let mut pairs = pairs.into_iter();
    let first = pairs.next()?;
    let (mut low, mut high) = (first, first);
    for pair in pairs {
        if pair.nanoseconds < low.nanoseconds {
            low = pair;
        }
        if pair.nanoseconds > high.nanoseconds {
            high = pair;
        }
    }
    let nanoseconds = high.nanoseconds - low.nanoseconds;
    let ticks = high.ticks.checked_sub(low.ticks)?;
    let rate = ticks as f64 / nanoseconds as f64;
    (nanoseconds >= SHORTEST_SPAN && PLAUSIBLE_RATES.contains(&rate)).then_some((rate, nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(ticks: u64, nanoseconds: u64) -> CalibrationPair {
        CalibrationPair { ticks, nanoseconds }
    }

    #[test]
    fn rate_comes_from_the_pairs_furthest_apart() {
        let pairs = [
            pair(30_000_500, 10_000_000),
            pair(3_000, 1_000),
            pair(6_000_000_003_000, 2_000_000_001_000),
        ];
        let clock = Clock::calibrate(ClockKind::TimeStampCounter, 3_000, pairs);
        assert!(clock.is_calibrated());
        assert!((clock.seconds(3_000_003_000) - 1.0).abs() < 1e-12);
        assert!((clock.seconds(0) + 1e-6).abs() < 1e-12);
    }

    #[test]
    fn without_usable_pairs_it_says_so() {
        for pairs in [
            vec![],
            vec![pair(5, 5)],
            vec![pair(5, 5), pair(10, 6)],
            vec![pair(0, 0), pair(1, 1_000_000)],
            vec![pair(10, 0), pair(5, 1_000_000)],
        ] {
            let clock = Clock::calibrate(ClockKind::TimeStampCounter, 0, pairs);
            assert!(!clock.is_calibrated());
            assert_eq!(clock.seconds_per_tick(), 1e-9);
        }
    }
}
