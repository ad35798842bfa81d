//! Instances of collective operations. That the threads' records at one number really are of the
//! same operation with the same arguments is checked, and a difference is reported, never guessed
//! away: numbers after it mean nothing.

use pgas_trace::model::{Operation, SyncMode, ThreadId};

use crate::barrier::latest;
use crate::calltree::PathId;
use crate::record::CollectiveRecord;

/// One instance of a collective operation or allocation that every thread has left.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectiveInstance {
    /// Number among collective operations, from 0.
    pub number: u64,
    /// The operation that all threads executed.
    pub operation: Operation,
    /// Thread with affinity to the single source or destination, if the operation has one.
    pub root: Option<ThreadId>,
    /// How the operation synchronises threads when they enter it.
    pub sync_in: SyncMode,
    /// How the operation synchronises threads before they leave it.
    pub sync_out: SyncMode,
    /// Index is the thread.
    pub members: Vec<CollectiveRecord>,
}

impl CollectiveInstance {
    /// Of members that agree about the operation; there is at least one.
    pub(crate) fn new(number: u64, members: Vec<CollectiveRecord>) -> Self {
        let first = &members[0];
        CollectiveInstance {
            number,
            operation: first.operation,
            root: first.root,
            sync_in: first.sync_in,
            sync_out: first.sync_out,
            members,
        }
    }

    /// The thread that entered last (of several the one with the smallest number), and when in
    /// ticks.
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
    /// The operation that these threads called.
    pub operation: Operation,
    /// The root that they named, if the operation has one.
    pub root: Option<ThreadId>,
    /// The synchronisation that they asked for on entry.
    pub sync_in: SyncMode,
    /// The synchronisation that they asked for on exit.
    pub sync_out: SyncMode,
    /// Call path of the operation on these threads.
    pub path: PathId,
    /// Ticks of the first Enter.
    pub time: u64,
}

/// Threads that called different things as the same collective operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Number among collective operations, from 0.
    pub number: u64,
    /// At least two; those of fewer threads first, then in the order of their first threads.
    pub callers: Vec<Callers>,
}

/// How the threads disagree about the operation at a number; `None` if they do not.
pub(crate) fn disagreement(number: u64, members: &[CollectiveRecord]) -> Option<Disagreement> {
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
