//! Between ticks of a trace and seconds since the start of the run as the analysis counts them:
//! from the first event of all threads.

use pgas_earl::access::{AccessError, EventTrace};
use pgas_trace::Experiment;

/// The times of one experiment.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    start: u64,
    per_tick: f64,
}

impl Times {
    /// Times of an experiment; those of its reference clock, where it ran on several nodes.
    ///
    /// # Errors
    /// If the first events of a thread cannot be read.
    pub fn of(experiment: &Experiment, trace: &EventTrace) -> Result<Self, AccessError> {
        let clocks = experiment.clocks();
        let mut start = None;
        for stream in experiment.streams() {
            // Recording begins with the recorder, which may start long before the first event.
            let events = trace.thread_events(stream.thread(), 0)?.next_time()?;
            // A thread without a trace has sums of its whole run, which begin with it.
            let sums = || {
                let (begin, _) = stream.profile_range()?;
                Some(clocks.to_reference(stream.thread(), begin))
            };
            start = [start, events.or_else(sums)].into_iter().flatten().min();
        }
        Ok(Times {
            start: start.unwrap_or(0),
            per_tick: experiment.clock().seconds_per_tick(),
        })
    }

    /// Seconds since the start of the run.
    pub fn seconds(&self, ticks: u64) -> f64 {
        match ticks.checked_sub(self.start) {
            Some(since) => since as f64 * self.per_tick,
            None => -((self.start - ticks) as f64 * self.per_tick),
        }
    }

    /// The tick nearest to a time in seconds since the start of the run.
    pub fn at(&self, seconds: f64) -> u64 {
        self.start.saturating_add(self.length(seconds))
    }

    /// A number of seconds in ticks, to the nearest one.
    pub fn length(&self, seconds: f64) -> u64 {
        // Conversion to integers saturates.
        (seconds / self.per_tick).round() as u64
    }
}
