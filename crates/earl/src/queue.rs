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

/// What a thread has at a number.
#[derive(Debug)]
enum Slot<R> {
    Record(R),
    /// So many numbers of which the thread has no records.
    Skipped(u64),
}

#[derive(Debug)]
struct Lane<R> {
    waiting: VecDeque<Slot<R>>,
    /// Instances that the thread left so far, skipped ones included.
    reached: u64,
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
    /// Instances that some threads have no record of, and others have.
    partial: Unmatched,
    /// No further instance can be complete.
    exhausted: bool,
}

impl<R: Numbered> Queue<R> {
    pub fn new(threads: usize) -> Self {
        let lane = || Lane {
            waiting: VecDeque::new(),
            reached: 0,
            ended: false,
            unmatched: Unmatched::default(),
        };
        Queue {
            lanes: (0..threads).map(|_| lane()).collect(),
            empty: threads,
            number: 0,
            partial: Unmatched::default(),
            exhausted: threads == 0,
        }
    }

    /// Adds the next record of a thread.
    pub fn push(&mut self, thread: ThreadId, record: R) {
        let lane = &mut self.lanes[thread as usize];
        lane.reached += 1;
        if self.exhausted {
            lane.unmatched.note(record.path());
            return;
        }
        self.empty -= usize::from(lane.waiting.is_empty());
        lane.waiting.push_back(Slot::Record(record));
    }

    /// States that the thread took part in the next `count` instances, without a record of any.
    pub fn skip(&mut self, thread: ThreadId, count: u64) {
        let lane = &mut self.lanes[thread as usize];
        lane.reached = lane.reached.saturating_add(count);
        if self.exhausted || count == 0 {
            return;
        }
        self.empty -= usize::from(lane.waiting.is_empty());
        lane.waiting.push_back(Slot::Skipped(count));
    }

    /// States that the thread adds no more.
    pub fn end(&mut self, thread: ThreadId) {
        let lane = &mut self.lanes[thread as usize];
        lane.ended = true;
        if lane.waiting.is_empty() {
            self.exhaust();
        }
    }

    /// Moves the members of the next instance that every thread has a record of to `members`, in the order of threads,
    /// and returns its number; `None` if there is none. Instances before it that some thread has skipped are left out.
    pub fn pop(&mut self, members: &mut Vec<R>) -> Option<u64> {
        loop {
            if self.empty > 0 || self.exhausted {
                return None;
            }
            match self.skipped() {
                0 => return self.pop_complete(members),
                count => self.leave_out(count),
            }
        }
    }

    /// How many instances from the next one on are alike in that some thread has no record of them; 0 if all have one.
    fn skipped(&self) -> u64 {
        let mut is_partial = false;
        let mut alike = u64::MAX;
        for lane in &self.lanes {
            match lane.waiting.front() {
                Some(Slot::Skipped(count)) => {
                    is_partial = true;
                    alike = alike.min(*count);
                }
                Some(Slot::Record(_)) | None => alike = 1,
            }
        }
        if is_partial {
            alike
        } else {
            0
        }
    }

    /// Passes by the next `count` instances, as [`Queue::skipped`] gives it.
    fn leave_out(&mut self, count: u64) {
        let mut last = false;
        let mut first = None;
        for lane in &mut self.lanes {
            match lane.waiting.front_mut() {
                Some(Slot::Skipped(left)) if *left > count => *left -= count,
                _ => {
                    if let Some(Slot::Record(record)) = lane.waiting.pop_front() {
                        first.get_or_insert(record.path());
                    }
                }
            }
            let empty = lane.waiting.is_empty();
            self.empty += usize::from(empty);
            last |= empty && lane.ended;
        }
        if let Some(path) = first {
            self.partial.note(path);
        }
        self.number = self.number.saturating_add(count);
        if last {
            self.exhaust();
        }
    }

    fn pop_complete(&mut self, members: &mut Vec<R>) -> Option<u64> {
        members.clear();
        members.reserve(self.lanes.len());
        let mut last = false;
        for lane in &mut self.lanes {
            if let Some(Slot::Record(record)) = lane.waiting.pop_front() {
                members.push(record);
            }
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
            for slot in lane.waiting.drain(..) {
                if let Slot::Record(record) = slot {
                    lane.unmatched.note(record.path());
                }
            }
        }
    }

    /// Whether no further instance can be complete.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Instances that some threads have skipped and others have records of, and the path of the first.
    pub fn partial(&self) -> Unmatched {
        self.partial
    }

    /// Number of instances that every thread has left so far, those that were skipped included.
    pub fn completed(&self) -> u64 {
        self.number
    }

    /// By thread: records without a counterpart. Complete once every thread has ended.
    pub fn unmatched(&self) -> impl Iterator<Item = Unmatched> + '_ {
        self.lanes.iter().map(|lane| lane.unmatched)
    }

    /// By thread: instances that it left so far, which is the number of the one that it comes to next.
    pub fn reached(&self) -> impl Iterator<Item = u64> + '_ {
        self.lanes.iter().map(|lane| lane.reached)
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
    fn what_a_thread_has_skipped_is_left_out_for_all() {
        let mut queue = Queue::new(3);
        let mut members = Vec::new();
        for thread in 0..3 {
            queue.push(thread, 10 + thread);
        }
        assert_eq!(queue.pop(&mut members), Some(0));
        // Of 1 to 5, thread 0 has none, thread 1 the last two, thread 2 the last.
        queue.skip(0, 5);
        queue.skip(1, 1);
        queue.skip(1, 2);
        queue.push(1, 21);
        queue.push(1, 22);
        queue.skip(2, 4);
        queue.push(2, 23);
        assert_eq!(queue.pop(&mut members), None);
        for thread in 0..3 {
            queue.push(thread, 30 + thread);
        }
        assert_eq!(
            (queue.pop(&mut members), &members[..]),
            (Some(6), &[30, 31, 32][..])
        );
        let partial = queue.partial();
        assert_eq!((partial.count, partial.first), (2, Some(PathId(21))));
        assert_eq!((queue.completed(), queue.waiting()), (7, 0));
        // As many as there may be are passed by at once.
        for thread in 0..3 {
            queue.skip(thread, u64::MAX);
            queue.end(thread);
        }
        assert_eq!(queue.pop(&mut members), None);
        let unmatched: Vec<_> = queue.unmatched().map(|u| u.count).collect();
        assert_eq!((unmatched, queue.waiting()), (vec![0, 0, 0], 0));
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
