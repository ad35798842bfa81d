//! Matches by number: the k-th record of one thread belongs to the k-th of every other.
//!
//! Records wait until every thread has added its own. Once a thread can add no more, what the others add
//! behind its last record will never be complete and is only counted, so that a stream that ends early does not
//! make the others' records pile up.

use std::collections::VecDeque;

use pgas_trace::model::ThreadId;

use crate::calltree::PathId;
use crate::record::{BarrierRecord, CollectiveRecord};

/// A record that is matched by its number on its thread.
pub trait Numbered {
    fn path(&self) -> PathId;
}

impl Numbered for BarrierRecord {
    fn path(&self) -> PathId {
        self.path
    }
}

impl Numbered for CollectiveRecord {
    fn path(&self) -> PathId {
        self.path
    }
}

/// Records of one thread that other threads have no counterpart for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unmatched {
    pub count: u64,
    /// Call path of the first of them.
    pub first: Option<PathId>,
}

impl Unmatched {
    fn note(&mut self, path: PathId) {
        self.count += 1;
        self.first.get_or_insert(path);
    }
}

#[derive(Debug)]
struct Lane<R> {
    waiting: VecDeque<R>,
    ended: bool,
    unmatched: Unmatched,
}

/// Records of all threads, by number.
#[derive(Debug)]
pub struct Queue<R> {
    lanes: Vec<Lane<R>>,
    /// Number of lanes in which nothing waits.
    empty: usize,
    number: u64,
    /// No further instance can be complete.
    exhausted: bool,
}

impl<R: Numbered> Queue<R> {
    pub fn new(threads: usize) -> Self {
        let lane = || Lane {
            waiting: VecDeque::new(),
            ended: false,
            unmatched: Unmatched::default(),
        };
        Queue {
            lanes: (0..threads).map(|_| lane()).collect(),
            empty: threads,
            number: 0,
            exhausted: threads == 0,
        }
    }

    /// Adds the next record of a thread.
    pub fn push(&mut self, thread: ThreadId, record: R) {
        let lane = &mut self.lanes[thread as usize];
        if self.exhausted {
            lane.unmatched.note(record.path());
            return;
        }
        self.empty -= usize::from(lane.waiting.is_empty());
        lane.waiting.push_back(record);
    }

    /// States that the thread adds no more.
    pub fn end(&mut self, thread: ThreadId) {
        let lane = &mut self.lanes[thread as usize];
        lane.ended = true;
        if lane.waiting.is_empty() {
            self.exhaust();
        }
    }

    /// Moves the members of the next instance that every thread has left to `members`, in the order of threads, and
    /// returns its number; `None` if there is none.
    pub fn pop(&mut self, members: &mut Vec<R>) -> Option<u64> {
        if self.empty > 0 || self.exhausted {
            return None;
        }
        members.clear();
        let mut last = false;
        for lane in &mut self.lanes {
            members.extend(lane.waiting.pop_front());
            let empty = lane.waiting.is_empty();
            self.empty += usize::from(empty);
            last |= empty && lane.ended;
        }
        let number = self.number;
        self.number += 1;
        if last {
            self.exhaust();
        }
        Some(number)
    }

    /// Matches nothing any more; what waits is counted as unmatched.
    pub fn exhaust(&mut self) {
        self.exhausted = true;
        for lane in &mut self.lanes {
            for record in lane.waiting.drain(..) {
                lane.unmatched.note(record.path());
            }
        }
    }

    /// Number of instances that every thread has left so far.
    pub fn completed(&self) -> u64 {
        self.number
    }

    /// By thread: records without a counterpart. Complete once every thread has ended.
    pub fn unmatched(&self) -> impl Iterator<Item = Unmatched> + '_ {
        self.lanes.iter().map(|lane| lane.unmatched)
    }

    /// Records that are kept until they are matched.
    pub fn waiting(&self) -> usize {
        self.lanes.iter().map(|lane| lane.waiting.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Numbered for u32 {
        fn path(&self) -> PathId {
            PathId(*self)
        }
    }

    #[test]
    fn instances_are_complete_when_every_thread_has_come() {
        let mut queue = Queue::new(2);
        let mut members = Vec::new();
        queue.push(1, 10u32);
        queue.push(1, 11);
        assert_eq!(queue.pop(&mut members), None);
        queue.push(0, 20);
        assert_eq!(
            (queue.pop(&mut members), &members[..]),
            (Some(0), &[20, 10][..])
        );
        assert_eq!(queue.pop(&mut members), None);
        assert_eq!((queue.completed(), queue.waiting()), (1, 1));
    }

    #[test]
    fn nothing_piles_up_behind_a_thread_that_has_ended() {
        let mut queue = Queue::new(3);
        let mut members = Vec::new();
        for thread in 0..3 {
            queue.push(thread, 1u32);
        }
        queue.push(0, 2);
        queue.end(1);
        assert_eq!(queue.pop(&mut members), Some(0));
        for record in 3..1000 {
            queue.push(0, record);
            queue.push(2, record);
        }
        queue.end(0);
        queue.end(2);
        assert_eq!((queue.waiting(), queue.pop(&mut members)), (0, None));
        let unmatched: Vec<_> = queue.unmatched().map(|u| (u.count, u.first)).collect();
        assert_eq!(
            unmatched,
            [(998, Some(PathId(2))), (0, None), (997, Some(PathId(3)))]
        );
    }

    #[test]
    fn a_thread_that_never_came_ends_it_at_once() {
        let mut queue = Queue::new(2);
        queue.push(0, 5u32);
        queue.end(1);
        assert_eq!(queue.waiting(), 0);
        assert_eq!(
            queue.unmatched().map(|u| u.count).collect::<Vec<_>>(),
            [1, 0]
        );
    }
}
