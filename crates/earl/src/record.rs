//! What one thread contributes to compound events: its part of a barrier, of a collective
//! operation, of the hand-over of a lock. All times are ticks of the experiment's clock.

use pgas_trace::model::{Operation, SyncMode, ThreadId};
use serde::{Deserialize, Serialize};

use crate::calltree::PathId;

/// A part of a thread's time, from `begin` to `end` in ticks; `begin <= end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub begin: u64,
    pub end: u64,
}

impl Span {
    pub fn new(begin: u64, end: u64) -> Self {
        Span { begin, end }
    }

    /// Ticks.
    pub fn length(self) -> u64 {
        self.end.saturating_sub(self.begin)
    }
}

/// The first half of a split-phase barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitNotify {
    pub path: PathId,
    pub span: Span,
}

/// One thread's part of one barrier phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarrierRecord {
    /// Call path of the operation that waits: the plain barrier, or the `upc_wait`.
    pub path: PathId,
    /// From its Enter to its Exit.
    pub span: Span,
    /// Where and when a split phase was notified; `None` for a plain barrier.
    pub notify: Option<SplitNotify>,
    /// The barrier's value, if it has one.
    pub value: Option<i32>,
    /// Regions inside of the operation (e.g. stalls of the measurement), in order of time, without
    /// overlap.
    pub nested: Vec<Span>,
    /// When the thread was ready to run but had no core, in order of time; not among `nested`.
    /// While it waits for others anyhow, that costs nothing.
    pub no_core: Vec<Span>,
}

impl BarrierRecord {
    /// When the thread told the others that it is there: Enter of a plain barrier or of the notify.
    pub fn arrival(&self) -> u64 {
        self.notify.map_or(self.span.begin, |n| n.span.begin)
    }
}

/// One thread's part of a collective operation or a collective allocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectiveRecord {
    pub operation: Operation,
    pub path: PathId,
    /// From its Enter to its Exit.
    pub span: Span,
    pub root: Option<ThreadId>,
    /// Bytes sent by this thread.
    pub sent: u64,
    /// Bytes received by this thread.
    pub received: u64,
    pub sync_in: SyncMode,
    pub sync_out: SyncMode,
    /// Regions inside of the operation, in order of time, without overlap.
    pub nested: Vec<Span>,
    /// As in [`BarrierRecord`].
    pub no_core: Vec<Span>,
    /// Whether the runtime reported a barrier inside of the operation, which then is where threads
    /// waited.
    pub contains_barrier: bool,
}

/// A lock was taken (Alock): at the Exit of `upc_lock` or of a successful `upc_lock_attempt`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockAcquisition {
    /// How many locks the thread had taken before.
    pub number: u64,
    pub lock: u64,
    pub path: PathId,
    /// From the Enter of the operation to its Exit, which is the time of the acquisition.
    pub span: Span,
    /// An attempt does not wait.
    pub attempt: bool,
    pub nested: Vec<Span>,
    /// As in [`BarrierRecord`].
    pub no_core: Vec<Span>,
}

/// A lock was given back (Rlock): at the Enter of `upc_unlock`, because the next owner may already
/// run when the Exit is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockRelease {
    /// How many locks the thread had given back before.
    pub number: u64,
    pub lock: u64,
    pub path: PathId,
    pub time: u64,
    /// Ticks since the same thread's acquisition, if that is in the trace.
    pub held: Option<u64>,
}
