//! The wait state that the waiting at a place is: the pattern of the analysis that applies to most of
//! the threads that were seen waiting there.

use std::collections::BTreeMap;

use pgas_monitor::{Now, Picture, Place, WaitStates};

/// Waiting threads, over all looks, from which on the most frequent pattern is named.
const ENOUGH: u64 = 20;

/// Counts waiting threads by the pattern that applies to them.
#[derive(Debug, Default)]
pub(crate) struct PatternVotes {
    votes: BTreeMap<Option<&'static str>, u64>,
}

impl PatternVotes {
    /// Adds what the threads at a place do at the end of a period.
    pub(crate) fn add(&mut self, picture: &Picture, kind: &str, place: &Place) {
        let Some(least) = picture.now.iter().map(|now| now.arrivals).min() else {
            return;
        };
        if picture.seen < picture.threads {
            return;
        }
        let is_here = |now: &&Now| {
            let is_of_kind = now.activity == "waiting" && now.kind == Some(kind);
            is_of_kind && now.place.as_ref() == Some(place)
        };
        for now in picture.now.iter().filter(is_here) {
            let states = states_at(now, place).unwrap_or_default();
            let pattern = states.of_thread(now.thread, now.arrivals <= least);
            *self.votes.entry(pattern).or_default() += 1;
        }
    }

    /// The most frequent pattern, if threads were seen often enough and one applies.
    pub(crate) fn named(&self) -> Option<&'static str> {
        let all: u64 = self.votes.values().sum();
        let (pattern, _) = self.votes.iter().max_by_key(|(_, votes)| **votes)?;
        pattern.filter(|_| all >= ENOUGH)
    }
}

fn states_at(now: &Now, place: &Place) -> Option<WaitStates> {
    let mut here = now.operations.iter().filter(|one| one.place == *place);
    here.find_map(|one| one.wait_states)
}
