//! Starts and ends of a stage's launches on all threads.

use crate::ticks;

/// A launch of one thread, in global ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Span {
    pub(super) fn seconds(self) -> f64 {
        ticks::between(self.start, self.end)
    }
}

/// One launch on all threads.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// When it was to start.
    pub(super) scheduled: u64,
    /// By thread.
    pub(super) spans: Vec<Span>,
    /// Ticks by which the last thread started later than clocks and the wait for its start explain.
    pub(super) late: u64,
    pub(super) started_late: bool,
    pub(super) ended_late: bool,
}

impl Row {
    pub(super) fn is_correct(&self) -> bool {
        !self.started_late && !self.ended_late
    }

    /// Maximum over threads.
    pub(super) fn time(&self) -> f64 {
        self.spans
            .iter()
            .map(|span| span.seconds())
            .fold(0.0, f64::max)
    }

    /// From the first start to the last.
    pub(super) fn spread(&self) -> f64 {
        let starts = || self.spans.iter().map(|span| span.start);
        let (first, last) = (starts().min(), starts().max());
        first
            .zip(last)
            .map_or(0.0, |(first, last)| ticks::between(first, last))
    }

    /// When the first thread started.
    pub(super) fn start(&self) -> u64 {
        let starts = self.spans.iter().map(|span| span.start);
        starts.min().unwrap_or(self.scheduled)
    }

    /// When the last thread ended.
    pub(super) fn end(&self) -> u64 {
        self.spans
            .iter()
            .map(|span| span.end)
            .max()
            .unwrap_or(self.scheduled)
    }
}
