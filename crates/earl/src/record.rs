//! Contributions of one thread to compound events: its part of a barrier, of a collective
//! operation, of the hand-over of a lock. All times are ticks of the experiment's clock.

use pgas_trace::model::{GroupFlow, Operation, SyncMode, ThreadId};
use serde::{Deserialize, Serialize};

use crate::calltree::PathId;

/// A part of a thread's time, from `begin` to `end` in ticks; `begin <= end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First tick of the span.
    pub begin: u64,
    /// End of the span in ticks (exclusive).
    pub end: u64,
}

impl Span {
    /// The span from `begin` to `end`, in ticks.
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
    /// Call path of the `upc_notify`.
    pub path: PathId,
    /// From the Enter of the `upc_notify` to its Exit.
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
    /// The operation or allocation that the thread called.
    pub operation: Operation,
    /// Call path of the operation.
    pub path: PathId,
    /// From its Enter to its Exit.
    pub span: Span,
    /// Thread with affinity to the single source or destination, if the operation has one.
    pub root: Option<ThreadId>,
    /// Bytes sent by this thread.
    pub sent: u64,
    /// Bytes received by this thread.
    pub received: u64,
    /// How the operation synchronises threads when they enter it.
    pub sync_in: SyncMode,
    /// How the operation synchronises threads before they leave it.
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
    /// The lock, by the number that it has on all threads.
    pub lock: u64,
    /// Call path of the `upc_lock` or `upc_lock_attempt`.
    pub path: PathId,
    /// From the Enter of the operation to its Exit, which is the time of the acquisition.
    pub span: Span,
    /// An attempt does not wait.
    pub attempt: bool,
    /// As in [`BarrierRecord`].
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
    /// The lock, by the number that it has on all threads.
    pub lock: u64,
    /// Call path of the `upc_unlock`.
    pub path: PathId,
    /// Ticks of the Enter of the `upc_unlock`.
    pub time: u64,
    /// Ticks since the same thread's acquisition, if that is in the trace.
    pub held: Option<u64>,
}

/// A thread has waited until transfers of its own were done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// The kind of call: the end of non-blocking transfers, or a fence.
    pub operation: Operation,
    /// Call path of the operation.
    pub path: PathId,
    /// From its Enter to its Exit.
    pub span: Span,
    /// As in [`BarrierRecord`].
    pub nested: Vec<Span>,
    /// As in [`BarrierRecord`].
    pub no_core: Vec<Span>,
}

/// Words of shared memory: where a write may end a wait for a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// The thread that they have affinity to.
    pub owner: ThreadId,
    /// Address of the first byte in the shared memory of that thread.
    pub address: u64,
    /// How many bytes there are.
    pub bytes: u64,
}

impl Words {
    /// Whether the two have a byte in common.
    pub fn overlap(&self, other: &Words) -> bool {
        self.owner == other.owner
            && self.address < other.address.saturating_add(other.bytes)
            && other.address < self.address.saturating_add(self.bytes)
    }
}

/// A write to shared memory for which another thread may wait, or an explicit post.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// How many posts the thread had made before.
    pub number: u64,
    /// The object that is written or announced.
    pub what: Posted,
    /// Call path of the operation.
    pub path: PathId,
    /// Ticks of its Enter: the thread that waits may go on before the Exit is recorded.
    pub time: u64,
}

/// A collective operation of a group of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupOperation {
    /// Identity of the group, equal on all members.
    pub group: u64,
    /// How many operations of the group each member had called before; `None` if recording was off
    /// for a while, so that some may be missing.
    pub number: Option<u64>,
    /// Number of threads in the group.
    pub members: u32,
    /// Waiting thread and awaited thread.
    pub flow: GroupFlow,
}

impl GroupOperation {
    /// Whether other members wait for the arrival of one that is the root, or not.
    pub fn is_awaited(&self, is_root: bool) -> bool {
        match self.flow {
            GroupFlow::Unknown => false,
            GroupFlow::All => true,
            GroupFlow::FromRoot => is_root,
            GroupFlow::ToRoot => !is_root,
        }
    }

    /// Whether a member that is the root, or not, waits for others.
    pub fn waits(&self, is_root: bool) -> bool {
        match self.flow {
            GroupFlow::Unknown => false,
            GroupFlow::All => true,
            GroupFlow::FromRoot => !is_root,
            GroupFlow::ToRoot => is_root,
        }
    }
}

/// The object of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Posted {
    /// A write to these words.
    Words(Words),
    /// This many announcements of an object: a semaphore, an event, a pair of threads.
    Object {
        /// Identity of the object, equal on all threads.
        object: u64,
        /// Number of announcements.
        units: u64,
    },
    /// The arrival at a collective operation of a group.
    Group(GroupOperation),
    /// An operation that may make a task able to run: on a channel, or its creation.
    Task,
}

/// A thread begins to wait for a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagWaitBegin {
    /// The words that it reads until they have changed.
    pub words: Words,
    /// Ticks of the Enter.
    pub time: u64,
}

/// A thread has waited for posts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostWait {
    /// How many of these waits the thread had ended before.
    pub number: u64,
    /// The kind of wait.
    pub operation: Operation,
    /// The awaited objects: words, an object, the objects of several threads, or the members of a
    /// group.
    pub what: Vec<Posted>,
    /// Call path of the operation.
    pub path: PathId,
    /// From its Enter to its Exit.
    pub span: Span,
    /// As in [`BarrierRecord`].
    pub nested: Vec<Span>,
    /// As in [`BarrierRecord`].
    pub no_core: Vec<Span>,
}
