//! Where a thread depends on one other: a lock that came from its owner before, a post that ended a
//! wait.

use std::collections::VecDeque;

use pgas_trace::model::ThreadId;

use super::Wait;

/// A thread goes on after what another one did.
#[derive(Debug)]
pub(super) struct Handover {
    /// Number of the thread's acquisition, or of its wait for a post.
    pub number: u64,
    /// The other thread, and the number of its release or post.
    pub previous: (ThreadId, u64),
    pub wait: Option<Wait>,
}

/// Of steps that are to come, in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct Handovers(VecDeque<Handover>);

impl Handovers {
    /// Adds one.
    pub fn add(&mut self, handover: Handover) {
        let behind = |known: &Handover| known.number < handover.number;
        match self.0.back() {
            Some(last) if !behind(last) => {
                let place = self.0.partition_point(behind);
                self.0.insert(place, handover);
            }
            _ => self.0.push_back(handover),
        }
    }

    /// The one of that number, if there is one.
    #[inline]
    pub fn get(&self, number: u64) -> Option<&Handover> {
        let first = self.0.front()?;
        if first.number >= number {
            return Some(first).filter(|first| first.number == number);
        }
        // Some became known only when their steps had been replayed.
        let place = |known: &Handover| known.number.cmp(&number);
        let found = self.0.binary_search_by(place).ok()?;
        self.0.get(found)
    }

    /// The same, when the step has been replayed: all up to it are forgotten.
    pub fn take(&mut self, number: u64) -> Option<Handover> {
        loop {
            let first = self.0.front()?;
            if first.number > number {
                return None;
            }
            let first = self.0.pop_front()?;
            if first.number == number {
                return Some(first);
            }
        }
    }
}
