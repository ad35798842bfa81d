//! Root causes: for each wait state at each call path, which threads' doing at which call paths its ticks are
//! due to. Its size depends on threads and call paths, not on the number of waits.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::history::Root;

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

/// Root causes by the pattern and the call path of the waiting.
#[derive(Debug, Default)]
pub(super) struct Blames {
    places: FxHashMap<(usize, PathId), RootCauses>,
}

impl Blames {
    /// Notes root causes of a wait: those of the first kind in [`Blame`], and those that were passed on.
    pub fn add(&mut self, place: (usize, PathId), direct: &[Root], passed_on: &[Root]) {
        let causes = self.places.entry(place).or_default();
        for root in direct {
            causes
                .entry((root.path, root.thread))
                .or_default()
                .short_term += root.ticks;
        }
        for root in passed_on {
            causes
                .entry((root.path, root.thread))
                .or_default()
                .long_term += root.ticks;
        }
    }

    pub fn into_places(self) -> impl Iterator<Item = ((usize, PathId), RootCauses)> {
        self.places.into_iter()
    }
}
