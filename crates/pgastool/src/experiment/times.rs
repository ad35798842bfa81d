//! Between seconds, as people give and read them, and ticks of the trace.

use pgas_report::quantity;
use pgas_trace::Clock;

use crate::terminal::unicode_locale;

/// Seconds are shown and taken to this part.
const NANOSECOND: f64 = 1e-9;

/// The times of one trace.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    clock: Clock,
    /// Ticks of the first and the last event.
    range: (u64, u64),
}

impl Times {
    pub fn new(clock: Clock, range: (u64, u64)) -> Self {
        Times { clock, range }
    }

    /// Ticks of the last event.
    pub fn end(&self) -> u64 {
        self.range.1
    }

    /// Seconds of the first and the last event, for a message.
    pub fn range(&self) -> (String, String) {
        (self.show(self.range.0), self.show(self.range.1))
    }

    pub fn seconds(&self, ticks: u64) -> f64 {
        self.clock.seconds(ticks)
    }

    /// Length of `ticks` for people.
    pub fn length(&self, ticks: u64) -> String {
        quantity::seconds(self.duration(ticks), !unicode_locale())
    }

    /// Length of `ticks` in seconds.
    pub fn duration(&self, ticks: u64) -> f64 {
        self.clock.duration(ticks)
    }

    /// Seconds with nine digits after the point.
    pub fn show(&self, ticks: u64) -> String {
        format!("{:.9}", self.seconds(ticks))
    }

    /// Columns of the longest time that [`Times::show`] makes.
    pub fn width(&self) -> usize {
        let (first, last) = self.range();
        first.len().max(last.len())
    }

    /// The first tick that is shown as that time or a later one.
    pub fn first_at(&self, seconds: f64) -> u64 {
        self.ticks(seconds - NANOSECOND / 2.0)
    }

    /// The last tick that is shown as that time or an earlier one.
    pub fn last_at(&self, seconds: f64) -> u64 {
        self.ticks(seconds + NANOSECOND / 2.0).saturating_sub(1)
    }

    /// The first tick at or after that time.
    fn ticks(&self, seconds: f64) -> u64 {
        let distance = (seconds / self.clock.seconds_per_tick()).ceil();
        // Conversion to integers saturates.
        if distance < 0.0 {
            self.clock.origin().saturating_sub(-distance as u64)
        } else {
            self.clock.origin().saturating_add(distance as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_trace::{CalibrationPair, ClockKind};

    #[test]
    fn a_time_that_was_shown_finds_its_event_again() {
        let pair = |ticks, nanoseconds| CalibrationPair { ticks, nanoseconds };
        let pairs = [pair(1_000, 0), pair(2_999_996_000, 1_000_000_000)];
        let clock = Clock::calibrate(ClockKind::TimeStampCounter, 1_000, pairs);
        let times = Times::new(clock, (1_000, 2_999_996_000));
        for ticks in (1_000..2_000_000_000).step_by(98_765_431) {
            let shown: f64 = times.show(ticks).parse().unwrap();
            let (first, last) = (times.first_at(shown), times.last_at(shown));
            assert!(
                (first..=last).contains(&ticks),
                "{ticks}: {first} to {last}"
            );
            // A nanosecond has about three ticks.
            assert!(last - first < 4);
        }
        assert_eq!(times.first_at(-1e30), 0);
        assert_eq!(times.first_at(1e30), u64::MAX);
    }
}
