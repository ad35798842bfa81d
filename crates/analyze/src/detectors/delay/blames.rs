//! Root causes: for each wait state at each call path, which threads' doing at which call paths its
//! ticks are due to. Its size depends on threads and call paths, not on the number of waits.

use pgas_earl::PathId;
use rustc_hash::FxHashMap;

use super::history::Root;
use crate::detectors::wait_states::root_causes::RootCauses;

/// Root causes by the pattern and the call path of the waiting.
#[derive(Debug, Default)]
pub(super) struct Blames {
    places: FxHashMap<(usize, PathId), RootCauses>,
}

impl Blames {
    /// Notes root causes of a wait: those of the first kind in [`Blame`], and those that were
    /// passed on.
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
