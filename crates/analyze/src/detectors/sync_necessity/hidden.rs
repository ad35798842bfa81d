//! Where data must have been touched in a way that the trace does not show (through pointers to
//! private, mostly): what others read again although nobody is seen to have written it anew, and
//! what others wrote although nobody is seen to read it. Of owners of such data, nothing can be
//! said about who depends on whom.
//!
//! Takes memory for 65,536 ranges of each of the two kinds at most; beyond that, owners are taken
//! to hide something.

use std::collections::BTreeMap;

use pgas_trace::model::ThreadId;
use rustc_hash::FxHashSet;

use crate::threads::epochs::ranges::{Range, Touched};

const MOST: usize = 1 << 16;

/// A set of places that changes in small parts.
#[derive(Debug, Default)]
struct Places(BTreeMap<(ThreadId, u64), u64>);

impl Places {
    /// The parts of the set that overlap a range.
    fn overlapping(&self, range: Range) -> impl Iterator<Item = Range> + '_ {
        let owner = range.owner;
        let before = self.0.range(..(owner, range.begin)).next_back();
        let inside = self.0.range((owner, range.begin)..(owner, range.end));
        let all = before.into_iter().chain(inside);
        all.map(|(&(owner, begin), &end)| Range { owner, begin, end })
            .filter(move |part| part.owner == owner && part.end > range.begin)
    }

    fn covers(&self, range: Range) -> bool {
        let mut reached = range.begin;
        for part in self.overlapping(range) {
            if part.begin > reached {
                return false;
            }
            reached = reached.max(part.end);
        }
        reached >= range.end
    }

    fn overlaps(&self, range: Range) -> bool {
        self.overlapping(range).next().is_some()
    }

    fn remove(&mut self, range: Range) {
        let parts: Vec<Range> = self.overlapping(range).collect();
        for part in parts {
            self.0.remove(&(part.owner, part.begin));
            if part.begin < range.begin {
                self.0.insert((part.owner, part.begin), range.begin);
            }
            if part.end > range.end {
                self.0.insert((part.owner, range.end), part.end);
            }
        }
    }

    /// False if there is no room.
    fn insert(&mut self, range: Range) -> bool {
        self.remove(range);
        let mut range = range;
        let before = self.0.range(..(range.owner, range.begin)).next_back();
        if let Some((&(owner, begin), &end)) = before {
            if owner == range.owner && end == range.begin {
                range.begin = begin;
            }
        }
        if let Some(end) = self.0.remove(&(range.owner, range.end)) {
            range.end = end;
        }
        if self.0.len() >= MOST {
            return false;
        }
        self.0.insert((range.owner, range.begin), range.end);
        true
    }
}

/// Follows the run from one synchronisation to the next.
#[derive(Debug, Default)]
pub struct Hidden {
    /// Written, and not read by another thread than the owner since.
    fresh: Places,
    /// Written by another thread than the owner, and not read since.
    unread: Places,
    owners: FxHashSet<ThreadId>,
}

impl Hidden {
    /// Takes what the threads did between two synchronisations; index is the thread.
    pub fn take(&mut self, threads: &[Touched]) {
        let all = || {
            let numbered = threads.iter().enumerate();
            numbered.map(|(thread, touched)| (thread as ThreadId, touched))
        };
        for (thread, touched) in all() {
            for &range in touched.reads.as_slice() {
                if range.owner != thread && !self.fresh.covers(range) {
                    self.owners.insert(range.owner);
                }
            }
            for &range in touched.writes.as_slice() {
                if range.owner != thread && self.unread.overlaps(range) {
                    self.owners.insert(range.owner);
                }
            }
        }
        for (thread, touched) in all() {
            for &range in touched.reads.as_slice() {
                if range.owner != thread {
                    self.fresh.remove(range);
                }
                if touched.reads.is_exact() {
                    self.unread.remove(range);
                }
            }
        }
        for (thread, touched) in all() {
            for &range in touched.writes.as_slice() {
                if touched.writes.is_exact() {
                    // Without room, it will be taken to be hidden.
                    self.fresh.insert(range);
                }
                if range.owner != thread && !self.unread.insert(range) {
                    self.owners.insert(range.owner);
                }
            }
        }
    }

    /// Whether data of an owner was touched in a way that cannot be seen, at the end of the run.
    pub fn has(&self, owner: ThreadId) -> bool {
        let unread = || self.unread.0.range((owner, 0)..=(owner, u64::MAX));
        self.owners.contains(&owner) || unread().next().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_a_set_of_bytes(steps in prop::collection::vec((0u8..3, 0u32..2, 0u64..40, 1u64..9), 1..60)) {
            let mut places = Places::default();
            let mut truth = std::collections::BTreeSet::new();
            for (step, owner, begin, bytes) in steps {
                let range = Range::new(owner, begin, bytes);
                let own = || (range.begin..range.end).map(|byte| (owner, byte));
                match step {
                    0 => {
                        prop_assert!(places.insert(range));
                        truth.extend(own());
                    }
                    1 => {
                        places.remove(range);
                        own().for_each(|byte| {
                            truth.remove(&byte);
                        });
                    }
                    _ => {
                        prop_assert_eq!(places.covers(range), own().all(|byte| truth.contains(&byte)));
                        prop_assert_eq!(places.overlaps(range), own().any(|byte| truth.contains(&byte)));
                    }
                }
                let bytes: u64 = places.0.iter().map(|(&(_, begin), &end)| end - begin).sum();
                prop_assert_eq!(bytes, truth.len() as u64);
            }
        }
    }
}
