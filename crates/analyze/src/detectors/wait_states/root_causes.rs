//! Root causes of waiting: which threads' doing at which call paths its ticks are due to.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

/// Ticks of waiting that something is the root cause of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Blame {
    /// Of threads that waited for the one that did it.
    pub short_term: u64,
    /// Of threads that waited for others, which came late since they had waited for that one.
    pub long_term: u64,
}

impl Blame {
    /// Ticks of both.
    pub fn total(self) -> u64 {
        self.short_term + self.long_term
    }

    /// Adds another one's ticks.
    pub fn add(&mut self, other: Blame) {
        self.short_term += other.short_term;
        self.long_term += other.long_term;
    }
}

/// By what a thread did at a call path: the ticks of waiting that it accounts for.
pub type RootCauses = FxHashMap<(PathId, ThreadId), Blame>;
