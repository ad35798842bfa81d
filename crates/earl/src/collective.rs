//! The collective queue. Every thread executes the collective operations of a program in the same order, so the
//! k-th of one thread belongs to the k-th of every other. That they really are the same operation with the same
//! arguments is checked, and a difference is reported, never guessed away: numbers behind it mean nothing.

use pgas_trace::model::{Operation, SyncMode, ThreadId};

use crate::barrier::latest;
use crate::calltree::PathId;
use crate::operation::name;
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

/// What one thread called as its k-th collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    pub thread: ThreadId,
    pub operation: Operation,
    pub root: Option<ThreadId>,
    pub path: PathId,
    /// Ticks of its Enter.
    pub time: u64,
}

/// Two threads that called different things as the same collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "thread {} called {}{} as collective operation {number}, but thread {} called {}{}",
    .first.thread, name(.first.operation), Arguments(.first.root, .first_modes),
    .second.thread, name(.second.operation), Arguments(.second.root, .second_modes)
)]
pub struct Disagreement {
    /// Number in the collective queue, from 0.
    pub number: u64,
    pub first: Member,
    pub second: Member,
    pub first_modes: (SyncMode, SyncMode),
    pub second_modes: (SyncMode, SyncMode),
}

struct Arguments<'a>(Option<ThreadId>, &'a (SyncMode, SyncMode));

impl std::fmt::Display for Arguments<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (sync_in, sync_out) = *self.1;
        write!(f, " (IN_{}, OUT_{}", sync_in.name(), sync_out.name())?;
        match self.0 {
            Some(root) => write!(f, ", root {root})"),
            None => write!(f, ")"),
        }
    }
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

    /// By thread: operations that others did not reach, or that came after a disagreement.
    pub fn unmatched(&self) -> impl Iterator<Item = Unmatched> + '_ {
        self.0.unmatched()
    }
}

fn disagreement(number: u64, members: &[CollectiveRecord]) -> Option<Disagreement> {
    let key = |m: &CollectiveRecord| (m.operation, m.root, m.sync_in, m.sync_out);
    let first = members.first()?;
    let thread = members.iter().position(|m| key(m) != key(first))?;
    let second = &members[thread];
    let member = |thread: usize, record: &CollectiveRecord| Member {
        thread: thread as ThreadId,
        operation: record.operation,
        root: record.root,
        path: record.path,
        time: record.span.begin,
    };
    Some(Disagreement {
        number,
        first: member(0, first),
        second: member(thread, second),
        first_modes: (first.sync_in, first.sync_out),
        second_modes: (second.sync_in, second.sync_out),
    })
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
            contains_barrier: false,
            activity: Box::default(),
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
        assert_eq!(
            error.to_string(),
            "thread 0 called upc_all_reduce (IN_MYSYNC, OUT_ALLSYNC, root 0) as collective operation 0, but \
             thread 1 called upc_all_gather (IN_MYSYNC, OUT_ALLSYNC, root 0)"
        );
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
        assert_eq!((error.first.thread, error.second.thread), (0, 2));
    }
}
