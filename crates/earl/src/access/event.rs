//! One event as an analysis wants to see it: where it is in the trace, what kind of event it is,
//! and the region it belongs to, by its definition instead of a number.

use pgas_trace::model::{Attributes, Operation, Site, SyncMode, TaskReason, ThreadId};

/// An event's place in the trace: its thread, and its number among the events of that thread, from
/// 0.
///
/// The order of identifiers is by thread first; it is not that of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId {
    /// The thread that the event happened on.
    pub thread: ThreadId,
    /// Number among the events of that thread, from 0.
    pub number: u64,
}

impl EventId {
    /// The event with that number on `thread`.
    pub fn new(thread: ThreadId, number: u64) -> Self {
        EventId { thread, number }
    }

    /// The event before it on the same thread; `None` for the first one.
    pub fn previous(self) -> Option<Self> {
        let number = self.number.checked_sub(1)?;
        Some(EventId { number, ..self })
    }

    /// The event after it on the same thread, if there is one.
    pub fn next(self) -> Self {
        EventId {
            number: self.number + 1,
            ..self
        }
    }
}

/// Type of an event. The names are those of the PGAS event model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventType {
    /// A region was entered; the attributes are those of the call (partner, bytes, barrier value,
    /// ...).
    Enter {
        /// Partner, bytes, barrier value or lock of the call.
        attributes: Attributes,
    },
    /// A region was left.
    Exit,
    /// CExit: a collective operation was left.
    CollectiveExit {
        /// The thread with affinity to the one source or destination, if the operation has one.
        root: Option<ThreadId>,
        /// Bytes sent by this thread.
        sent: u64,
        /// Bytes received by this thread.
        received: u64,
        /// How the operation synchronises threads when they enter it.
        sync_in: SyncMode,
        /// How the operation synchronises threads before they leave it.
        sync_out: SyncMode,
    },
    /// The Exit of a reception of a message: what was received.
    MessageExit {
        /// The thread that sent it.
        partner: ThreadId,
        /// Bytes of the message.
        bytes: u64,
        /// The group (communicator) that it was sent in.
        group: u64,
    },
    /// The Exit of a stretch of a task: the processor leaves it.
    TaskExit {
        /// What the task does: waits, lets others run, ends.
        reason: TaskReason,
    },
    /// The Exit of a stall of the measurement: recording had been off, and this thread's trace lacks
    /// the given numbers of operations of all threads together.
    RecordingResumed {
        /// Barrier phases without events.
        barriers: u64,
        /// Collective operations without events.
        collectives: u64,
    },
    /// Alock: a lock was taken. This is the Exit of `upc_lock` or of a `upc_lock_attempt` that
    /// succeeded.
    LockAcquired {
        /// The lock, by the number that it has on all threads.
        lock: u64,
    },
    /// The Exit of a `upc_lock_attempt` that found the lock taken.
    LockRefused {
        /// The lock, by the number that it has on all threads.
        lock: u64,
    },
    /// Rlock: a lock was given back. This is the Enter of `upc_unlock`, since the next owner may
    /// already run when the Exit is recorded.
    LockReleased {
        /// The lock, by the number that it has on all threads.
        lock: u64,
    },
}

impl EventType {
    /// Whether a region begins with it; else one ends.
    pub fn is_enter(self) -> bool {
        matches!(
            self,
            EventType::Enter { .. } | EventType::LockReleased { .. }
        )
    }

    /// The lock that changes hands, or could not.
    pub fn lock(self) -> Option<u64> {
        match self {
            EventType::LockAcquired { lock }
            | EventType::LockRefused { lock }
            | EventType::LockReleased { lock } => Some(lock),
            EventType::Enter {
                attributes: Attributes::Lock { lock },
            } => Some(lock),
            _ => None,
        }
    }
}

/// One event and its region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TypedEvent<'t> {
    /// Thread and number of the event.
    pub id: EventId,
    /// Ticks of the experiment's clock; where threads ran on several nodes, of the reference.
    pub time: u64,
    /// The region that is entered or left.
    pub region: &'t Site,
    /// Number of regions that are open around this one.
    pub depth: usize,
    /// Kind of the event, with the attributes of its call.
    pub event_type: EventType,
    /// The event was not recorded: blocks are missing at this place, and regions that were left or
    /// entered meanwhile are closed and opened here, so that regions always nest.
    pub inferred: bool,
    /// An Exit that did not really happen: the thread was ended in the midst of the region, which
    /// is closed here so that regions nest. It did not get the lock, or come out of the
    /// operation.
    pub interrupted: bool,
}

impl TypedEvent<'_> {
    /// Kind of the region that is entered or left.
    pub fn operation(&self) -> Operation {
        self.region.operation
    }
}
