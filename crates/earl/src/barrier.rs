//! Barrier phases: the k-th phase of one thread belongs to the k-th of every other, whether a
//! thread passed it as a plain barrier or split into a notify and a wait.

use pgas_trace::model::ThreadId;

use crate::calltree::PathId;
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
    /// The thread that arrived last (of several the one with the smallest number), and when in
    /// ticks.
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

    /// The threads that gave the phase a value, by value and call path, in the order of their first
    /// threads.
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
    /// The value that these threads gave.
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
