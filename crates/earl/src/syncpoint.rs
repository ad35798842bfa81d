//! Synchronisation points: the moments of a thread at which it may have to wait for others, or
//! others may have waited for it. Between two of them a thread depends on nobody, so that what it
//! did there is all that must be known to say why it came late.

use serde::{Deserialize, Serialize};

use crate::calltree::PathId;

/// Kind of synchronisation that is matched by number: the k-th on one thread belongs to the k-th on
/// every other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Matched {
    /// Barrier phases, plain or split.
    Barrier,
    /// Collective operations and collective allocations; also the end of the program.
    Collective,
}

/// One moment of a thread. Numbers count on this thread, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncPoint {
    /// Ticks.
    pub time: u64,
    /// Kind of the synchronisation point.
    pub kind: SyncPointKind,
}

/// Kinds of synchronisation points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncPointKind {
    /// The thread is there: Enter of a barrier, of a notify, or of a collective operation. Whether
    /// it leaves again is not known yet.
    Arrive(Matched),
    /// Enter of an operation that may hold the thread and in which it does not arrive: `upc_wait`,
    /// `upc_lock`.
    Begin,
    /// Exit of a barrier, of a wait, or of a collective operation; the next record of this kind is
    /// about it.
    Leave(Matched),
    /// Exit of the operation that took a lock: [`crate::LockAcquisition::number`].
    Acquired {
        /// Number of the acquisition among those of this thread.
        number: u64,
        /// The lock, by the number that it has on all threads.
        lock: u64,
        /// Ticks; Enter of the operation.
        begin: u64,
    },
    /// Enter of a `upc_unlock`: [`crate::LockRelease::number`].
    Released {
        /// Number of the release among those of this thread.
        number: u64,
        /// The lock, by the number that it has on all threads.
        lock: u64,
        /// Call path of the `upc_unlock`.
        path: PathId,
    },
    /// Enter of a write that another thread may wait for, or of a post:
    /// [`crate::Post::number`].
    Posted {
        /// Number of the post among those of this thread.
        number: u64,
    },
    /// Exit of a wait for posts: [`crate::PostWait::number`].
    Awaited {
        /// Number of the wait among those of this thread.
        number: u64,
    },
    /// The last event of the stream.
    End,
}
