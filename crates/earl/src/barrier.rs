//! Barrier phases: the k-th phase of one thread belongs to the k-th of every other, whether a thread passed it as a
//! plain barrier or split into a notify and a wait.

use pgas_trace::model::ThreadId;

use crate::calltree::PathId;
use crate::queue::{Queue, Unmatched};
use crate::record::BarrierRecord;

/// One barrier phase that every thread has left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BarrierInstance {
    /// Number of the phase, from 0.
    pub number: u64,
    /// Index is the thread.
    pub members: Vec<BarrierRecord>,
}

impl BarrierInstance {
    /// The thread that arrived last (of several the one with the smallest number), and when in ticks.
    pub fn last_arrival(&self) -> (ThreadId, u64) {
        latest(self.members.iter().map(BarrierRecord::arrival))
    }

    /// When the first thread left, in ticks.
    pub fn first_exit(&self) -> u64 {
        self.members.iter().map(|m| m.span.end).min().unwrap_or(0)
    }

    /// Whether threads gave the phase different values, which UPC forbids.
    pub fn is_contradictory(&self) -> bool {
        let mut values = self.members.iter().filter_map(|m| m.value);
        let first = values.next();
        values.any(|value| Some(value) != first)
    }

    /// The threads that gave the phase a value, by value and call path, in the order of their first threads.
    pub fn by_value(&self) -> Vec<ValueGroup> {
        let mut groups: Vec<ValueGroup> = Vec::new();
        for (thread, member) in self.members.iter().enumerate() {
            let Some(value) = member.value else { continue };
            let path = member.notify.map_or(member.path, |notify| notify.path);
            let time = member.arrival();
            let alike = |group: &&mut ValueGroup| (group.value, group.path) == (value, path);
            match groups.iter_mut().find(alike) {
                Some(group) => {
                    group.threads.push(thread as ThreadId);
                    group.time = group.time.min(time);
                }
                None => groups.push(ValueGroup {
                    threads: vec![thread as ThreadId],
                    value,
                    path,
                    time,
                }),
            }
        }
        groups
    }
}

/// Threads that gave a barrier the same value at the same place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueGroup {
    /// Ascending.
    pub threads: Vec<ThreadId>,
    pub value: i32,
    /// Call path of the barrier or the notify.
    pub path: PathId,
    /// Ticks of the first arrival.
    pub time: u64,
}

/// The largest of the threads' times, and the first thread that has it.
pub(crate) fn latest(times: impl Iterator<Item = u64>) -> (ThreadId, u64) {
    times
        .enumerate()
        .map(|(thread, time)| (thread as ThreadId, time))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .unwrap_or((0, 0))
}

/// Matches the barrier phases of all threads by number.
#[derive(Debug)]
pub struct BarrierQueue(Queue<BarrierRecord>);

impl BarrierQueue {
    pub fn new(threads: usize) -> Self {
        BarrierQueue(Queue::new(threads))
    }

    /// Adds the next phase of a thread.
    pub fn push(&mut self, thread: ThreadId, record: BarrierRecord) {
        self.0.push(thread, record);
    }

    /// States that the thread took part in the next `count` ones, without a record of any.
    pub fn skip(&mut self, thread: ThreadId, count: u64) {
        self.0.skip(thread, count);
    }

    /// Those that some threads have skipped and others have records of.
    pub fn partial(&self) -> Unmatched {
        self.0.partial()
    }

    /// States that the thread has no more phases.
    pub fn end(&mut self, thread: ThreadId) {
        self.0.end(thread);
    }

    /// Moves the next phase that all threads have left to `instance`; false if there is none.
    pub fn pop(&mut self, instance: &mut BarrierInstance) -> bool {
        let number = self.0.pop(&mut instance.members);
        instance.number = number.unwrap_or(instance.number);
        number.is_some()
    }

    /// Number of phases that every thread has left so far.
    pub fn completed(&self) -> u64 {
        self.0.completed()
    }

    /// Whether no further phase can be complete.
    pub fn is_exhausted(&self) -> bool {
        self.0.is_exhausted()
    }

    /// By thread: phases that it left so far, which is the number of the one that it comes to next.
    pub fn reached(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.reached()
    }

    /// By thread: phases that others did not reach.
    pub fn unmatched(&self) -> impl Iterator<Item = Unmatched> + '_ {
        self.0.unmatched()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Span, SplitNotify};

    fn plain(begin: u64, end: u64) -> BarrierRecord {
        BarrierRecord {
            path: PathId(1),
            span: Span::new(begin, end),
            notify: None,
            value: None,
            nested: Vec::new(),
            no_core: Vec::new(),
        }
    }

    #[test]
    fn phases_match_by_number() {
        let mut queue = BarrierQueue::new(2);
        let mut instance = BarrierInstance::default();
        queue.push(1, plain(1, 9));
        queue.push(1, plain(11, 19));
        assert!(!queue.pop(&mut instance));
        queue.push(0, plain(8, 9));
        assert!(queue.pop(&mut instance));
        assert_eq!((instance.number, instance.last_arrival()), (0, (0, 8)));
        assert!(!queue.pop(&mut instance));
        assert_eq!(queue.completed(), 1);
        queue.end(0);
        let left: Vec<_> = queue.unmatched().map(|u| u.count).collect();
        assert_eq!(left, [0, 1]);
    }

    #[test]
    fn a_plain_barrier_meets_a_split_phase() {
        let split = BarrierRecord {
            notify: Some(SplitNotify {
                path: PathId(2),
                span: Span::new(3, 4),
            }),
            ..plain(20, 21)
        };
        let instance = BarrierInstance {
            number: 0,
            members: vec![plain(5, 21), split],
        };
        // The wait is entered last, but what counts is the notify.
        assert_eq!(instance.last_arrival(), (0, 5));
        assert_eq!(instance.first_exit(), 21);
    }

    #[test]
    fn values_must_agree_where_they_are_given() {
        let with = |value| BarrierRecord {
            value,
            ..plain(0, 1)
        };
        let instance = |values: &[Option<i32>]| {
            let members = values.iter().map(|&v| with(v)).collect();
            BarrierInstance { number: 0, members }
        };
        assert!(!instance(&[Some(1), None, Some(1)]).is_contradictory());
        let different = instance(&[None, Some(1), Some(2), Some(1)]);
        assert!(different.is_contradictory());
        let groups = different.by_value();
        let groups: Vec<_> = groups.iter().map(|g| (g.value, &g.threads[..])).collect();
        assert_eq!(groups, [(1, &[1, 3][..]), (2, &[2][..])]);
    }

    #[test]
    fn of_equally_late_threads_the_first_is_named() {
        assert_eq!(latest([3, 7, 7].into_iter()), (1, 7));
    }
}
