//! To which segment the waiting for a lock or a post belongs. Hand-overs of locks and posts become
//! known later than the synchronisations around them; the times at which each thread left these tell between which two
//! the thread waited.
//!
//! Kept are the times that lie within what is read at a time, and what was lost since the last
//! finished segment.

use std::collections::VecDeque;

use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::segment::{Lost, merge};

/// Segments of which waiting may be kept before they are finished; in a sound trace they lie in one
/// stretch.
const SEGMENTS_AHEAD: usize = 1 << 20;

/// When one thread left synchronisations of all threads.
#[derive(Debug, Default, Clone)]
struct Lane {
    exits: VecDeque<u64>,
    /// How many it left before these.
    passed: u64,
}

#[derive(Debug)]
pub(crate) struct LockTimes {
    lanes: Vec<Lane>,
    lost: FxHashMap<u64, Vec<Lost>>,
    /// Threads did not record all of their synchronisations: nothing can be placed.
    incomplete: bool,
}

impl LockTimes {
    pub fn new(threads: usize) -> Self {
        LockTimes {
            lanes: vec![Lane::default(); threads],
            lost: FxHashMap::default(),
            incomplete: false,
        }
    }

    /// A thread left a synchronisation of all threads at `end` (ticks).
    pub fn left(&mut self, thread: usize, end: u64) {
        self.lanes[thread].exits.push_back(end);
    }

    /// Some thread has passed synchronisations without a record.
    pub fn skipped(&mut self) {
        self.incomplete = true;
        self.lost.clear();
    }

    /// Whether every wait can be placed.
    pub fn is_complete(&self) -> bool {
        !self.incomplete
    }

    /// Takes the time that a thread lost from `begin` (ticks) on.
    pub fn lost(&mut self, thread: ThreadId, begin: u64, lost: Lost) {
        if self.incomplete {
            return;
        }
        let lane = &self.lanes[thread as usize];
        let before = lane.exits.partition_point(|&end| end <= begin);
        let segment = lane.passed + before as u64;
        if self.lost.len() < SEGMENTS_AHEAD || self.lost.contains_key(&segment) {
            merge(self.lost.entry(segment).or_default(), lost);
        }
    }

    /// No lock that was taken before `time` (ticks) comes any more.
    pub fn settle(&mut self, time: u64) {
        for lane in &mut self.lanes {
            let old = lane.exits.partition_point(|&end| end < time);
            lane.exits.drain(..old);
            lane.passed += old as u64;
        }
    }

    /// Time lost to locks in a segment, which is given by its number in the program.
    pub fn take(&mut self, segment: u64) -> Vec<Lost> {
        self.lost.remove(&segment).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_earl::PathId;

    #[test]
    fn a_wait_belongs_to_the_segment_that_its_own_thread_is_in() {
        let lost = |ticks| Lost {
            pattern: 0,
            path: PathId(3),
            ticks,
        };
        let mut times = LockTimes::new(2);
        times.left(0, 100);
        times.left(1, 140);
        times.lost(0, 120, lost(5));
        times.lost(1, 120, lost(7));
        times.lost(1, 20, lost(9));
        times.settle(130);
        times.left(0, 200);
        times.left(0, 300);
        times.lost(0, 130, lost(11));
        times.lost(0, 250, lost(13));
        let ticks = |lost: Vec<Lost>| lost.iter().map(|l| l.ticks).collect::<Vec<_>>();
        assert_eq!(ticks(times.take(0)), [16]);
        assert_eq!(ticks(times.take(1)), [16]);
        assert_eq!(ticks(times.take(2)), [13]);
        assert!(times.take(2).is_empty());
    }
}
