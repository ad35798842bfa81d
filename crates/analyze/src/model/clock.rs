//! Ticks of the search as seconds of the run.

/// The experiment's clock, seen from the first event of all threads.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// Seconds of one tick.
    pub per_tick: f64,
    /// Ticks of the first event.
    pub start: u64,
}

impl Times {
    /// Seconds since the start of the run.
    pub fn at(&self, ticks: u64) -> f64 {
        self.length(ticks.saturating_sub(self.start) as f64)
    }

    /// Seconds of a duration in ticks.
    pub fn length(&self, ticks: f64) -> f64 {
        ticks * self.per_tick
    }
}
