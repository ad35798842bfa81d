//! The collective queue. Every thread executes the collective operations of a program in the same order, so the
//! k-th of one thread belongs to the k-th of every other. That they really are the same operation with the same
//! arguments is checked, and a difference is reported, never guessed away: numbers behind it mean nothing.

use pgas_trace::model::{Operation, SyncMode, ThreadId};

use crate::barrier::latest;
use crate::calltree::PathId;
use crate::queue::{Queue, Unmatched};
use crate::record::CollectiveRecord;

/// One instance of a collective operation or allocation that every thread has left.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectiveInstance {
    /// Number in the collective queue, from 0.
    pub number: u64,
    pub operation: Operation,
    pub root: Option<ThreadId>,
    pub sync_in: SyncMode,
    pub sync_out: SyncMode,
    /// Index is the thread.
    pub members: Vec<CollectiveRecord>,
}

impl CollectiveInstance {
    /// The thread that entered last (of several the one with the smallest number), and when in ticks.
    pub fn last_enter(&self) -> (ThreadId, u64) {
        latest(self.members.iter().map(|m| m.span.begin))
    }

    /// When the first thread left, in ticks.
    pub fn first_exit(&self) -> u64 {
        self.members.iter().map(|m| m.span.end).min().unwrap_or(0)
    }
}

/// Threads that called the same as their k-th collective operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callers {
    /// Ascending.
    pub threads: Vec<ThreadId>,
    pub operation: Operation,
    pub root: Option<ThreadId>,
    pub sync_in: SyncMode,
    pub sync_out: SyncMode,
    pub path: PathId,
    /// Ticks of the first Enter.
    pub time: u64,
}

/// Threads that called different things as the same collective operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Number in the collective queue, from 0.
    pub number: u64,
    /// At least two; those of fewer threads first, then in the order of their first threads.
    pub callers: Vec<Callers>,
}

/// Matches the collective operations of all threads by number. After a disagreement nothing is matched any more.
#[derive(Debug)]
pub struct CollectiveQueue(Queue<CollectiveRecord>);

impl CollectiveQueue {
    pub fn new(threads: usize) -> Self {
        CollectiveQueue(Queue::new(threads))
    }

    /// Adds the next collective operation of a thread.
    pub fn push(&mut self, thread: ThreadId, record: CollectiveRecord) {
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

    /// States that the thread has no more collective operations.
    pub fn end(&mut self, thread: ThreadId) {
        self.0.end(thread);
    }

    /// The next instance that all threads have left. A disagreement is returned once, then there are no more.
    pub fn pop(&mut self) -> Option<Result<CollectiveInstance, Disagreement>> {
        let mut members = Vec::new();
        let number = self.0.pop(&mut members)?;
        if let Some(disagreement) = disagreement(number, &members) {
            self.0.exhaust();
            return Some(Err(disagreement));
        }
        let first = members.first()?;
        Some(Ok(CollectiveInstance {
            number,
            operation: first.operation,
            root: first.root,
            sync_in: first.sync_in,
            sync_out: first.sync_out,
            members,
        }))
    }

    /// Number of instances that every thread has left so far, one about which they disagree included.
    pub fn completed(&self) -> u64 {
        self.0.completed()
    }

    /// Whether no further operation can be complete.
    pub fn is_exhausted(&self) -> bool {
        self.0.is_exhausted()
    }

    /// By thread: operations that it left so far, which is the number of the one that it comes to next.
    pub fn reached(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.reached()
    }

    /// By thread: operations that others did not reach, or that came after a disagreement.
    pub fn unmatched(&self) -> impl Iterator<Item = Unmatched> + '_ {
        self.0.unmatched()
    }
}

fn disagreement(number: u64, members: &[CollectiveRecord]) -> Option<Disagreement> {
    let called = |m: &CollectiveRecord| (m.operation, m.root, m.sync_in, m.sync_out);
    let first = called(members.first()?);
    if members.iter().all(|member| called(member) == first) {
        return None;
    }
    let mut callers: Vec<Callers> = Vec::new();
    for (thread, member) in members.iter().enumerate() {
        let alike = |c: &&mut Callers| {
            (c.operation, c.root, c.sync_in, c.sync_out) == called(member) && c.path == member.path
        };
        match callers.iter_mut().find(alike) {
            Some(group) => {
                group.threads.push(thread as ThreadId);
                group.time = group.time.min(member.span.begin);
            }
            None => callers.push(Callers {
                threads: vec![thread as ThreadId],
                operation: member.operation,
                root: member.root,
                sync_in: member.sync_in,
                sync_out: member.sync_out,
                path: member.path,
                time: member.span.begin,
            }),
        }
    }
    callers.sort_by_key(|group| group.threads.len());
    Some(Disagreement { number, callers })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Span;

    fn record(operation: Operation, root: Option<ThreadId>, begin: u64) -> CollectiveRecord {
        CollectiveRecord {
            operation,
            path: PathId(1),
            span: Span::new(begin, begin + 10),
            root,
            sent: 0,
            received: 0,
            sync_in: SyncMode::Mine,
            sync_out: SyncMode::All,
            nested: Vec::new(),
            no_core: Vec::new(),
            contains_barrier: false,
        }
    }

    #[test]
    fn instances_match_by_number_whatever_the_order_of_arrival() {
        let mut queue = CollectiveQueue::new(2);
        queue.push(0, record(Operation::AllAlloc, None, 5));
        queue.push(0, record(Operation::Broadcast, Some(1), 30));
        assert_eq!(queue.pop(), None);
        queue.push(1, record(Operation::AllAlloc, None, 7));
        queue.push(1, record(Operation::Broadcast, Some(1), 20));
        let first = queue.pop().unwrap().unwrap();
        assert_eq!(first.operation, Operation::AllAlloc);
        assert_eq!((first.last_enter(), first.first_exit()), ((1, 7), 15));
        let second = queue.pop().unwrap().unwrap();
        assert_eq!((second.number, second.root), (1, Some(1)));
        assert_eq!(second.last_enter(), (0, 30));
        assert_eq!(queue.pop(), None);
        assert_eq!(queue.completed(), 2);
    }

    #[test]
    fn another_operation_ends_the_matching() {
        let mut queue = CollectiveQueue::new(2);
        for begin in [0, 20] {
            queue.push(0, record(Operation::Reduce, Some(0), begin));
        }
        queue.push(1, record(Operation::Gather, Some(0), 1));
        queue.push(1, record(Operation::Reduce, Some(0), 20));
        let error = queue.pop().unwrap().unwrap_err();
        let called: Vec<_> = error.callers.iter().map(|c| c.operation).collect();
        assert_eq!(called, [Operation::Reduce, Operation::Gather]);
        assert_eq!(queue.pop(), None);
        queue.push(0, record(Operation::Reduce, Some(0), 40));
        queue.push(1, record(Operation::Reduce, Some(0), 40));
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn another_root_is_a_disagreement_too() {
        let mut queue = CollectiveQueue::new(3);
        for (thread, root) in [(0, 2), (1, 2), (2, 1)] {
            queue.push(thread, record(Operation::Broadcast, Some(root), 0));
        }
        let error = queue.pop().unwrap().unwrap_err();
        let callers = error.callers.iter().map(|c| (&c.threads[..], c.root));
        assert_eq!(
            callers.collect::<Vec<_>>(),
            [(&[2][..], Some(1)), (&[0, 1][..], Some(2))]
        );
    }
}
