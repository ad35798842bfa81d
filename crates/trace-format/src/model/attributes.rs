//! Attributes of events: partner and bytes of a transfer, value of a barrier, lock, synchronisation
//! modes.

use serde::{Deserialize, Serialize};

use super::address::Address;
use super::thread::ThreadId;
use crate::tags::table;

table! {
    /// Synchronisation mode of one side (entry or exit) of a collective operation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum SyncMode: u8 {
        /// UPC_IN_NOSYNC, UPC_OUT_NOSYNC
        None = 0 => "NOSYNC",
        /// UPC_IN_MYSYNC, UPC_OUT_MYSYNC
        Mine = 1 => "MYSYNC",
        /// UPC_IN_ALLSYNC, UPC_OUT_ALLSYNC
        All = 2 => "ALLSYNC",
    }

    /// Rest of the constant's name in a program, after `UPC_IN_` or `UPC_OUT_`.
    pub fn name;
}

table! {
    /// Dependences among the members of a group in a collective operation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum GroupFlow: u8 {
        /// Unknown, or none.
        Unknown = 0 => "unknown",
        /// Each for all: a barrier, or data of all for all.
        All = 1 => "all to all",
        /// Each for the root: its data for all.
        FromRoot = 2 => "root to all",
        /// The root for all: data of all for the root.
        ToRoot = 3 => "all to root",
    }

    /// For people.
    pub fn name;
}

table! {
    /// Reason for which a processor leaves a task.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum TaskReason: u8 {
        /// It has run for long, and others are to run.
        Yielded = 0 => "yields",
        /// It waits for a message.
        Receives = 1 => "waits to receive",
        /// It waits until the channel has a place for its message.
        Sends = 2 => "waits to send",
        /// It waits for a message from one of several channels.
        Selects = 3 => "waits in select",
        /// It has come to its end.
        Ended = 4 => "ends",
    }

    /// For people: what the task does.
    pub fn name;
}

/// Attributes of an event beyond its time and region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Attributes {
    /// Nothing.
    #[default]
    None,
    /// Enter of Notify, Wait, Barrier: the barrier's value, if it has one.
    Barrier {
        /// Value of the statement; `None` without one.
        value: Option<i32>,
    },
    /// Enter of Get, Put, Memget, Memput, Memset and their non-blocking forms, of Atomic, FlagWait
    /// and SignalWait: the thread that the shared side has affinity to, the number of bytes, and
    /// where they lie, if that was recorded.
    Transfer {
        /// The thread that the shared side has affinity to.
        partner: ThreadId,
        /// Bytes that are moved.
        bytes: u64,
        /// Address of the shared side; `None` if it was not recorded.
        address: Option<Address>,
    },
    /// Enter of Memcpy, both sides of which are shared.
    Copy {
        /// The thread that the source has affinity to.
        source: ThreadId,
        /// The thread that the destination has affinity to.
        destination: ThreadId,
        /// Bytes that are copied.
        bytes: u64,
        /// Address of the source; `None` if it was not recorded.
        source_address: Option<Address>,
        /// Address of the destination; `None` if it was not recorded.
        destination_address: Option<Address>,
    },
    /// Enter of an allocation: the bytes asked for, over all threads.
    Allocation {
        /// Bytes asked for, over all threads.
        bytes: u64,
    },
    /// Enter of Lock, LockAttempt, Unlock, LockFree: which lock. Equal on all threads for the same
    /// lock.
    Lock {
        /// Identity of the lock, equal on all threads.
        lock: u64,
    },
    /// Enter of EventWait and Post: what is waited for or announced, and how often.
    Object {
        /// Identity of the semaphore, event or pair of threads, equal on all threads.
        object: u64,
        /// How many announcements this wait uses up, or this post makes.
        units: u64,
    },
    /// Enter of GroupCollective: whose operation it is.
    Group {
        /// Identity of the group, equal on all its members, and of no other group.
        group: u64,
        /// Number of its members. Each of them calls its operations in the same order.
        members: u32,
        /// Waiting thread and awaited thread.
        flow: GroupFlow,
        /// The thread that is the root; `None` for operations without one.
        root: Option<ThreadId>,
    },
    /// Enter of Send and Receive, or their Exit where that knows better: the message.
    Message {
        /// The other thread.
        partner: ThreadId,
        /// Bytes of the message.
        bytes: u64,
        /// The group (communicator) that it was sent in.
        group: u64,
    },
    /// Exit of LockAttempt: whether the lock was taken.
    LockAttempt {
        /// Whether the lock was taken.
        acquired: bool,
    },
    /// Exit of a collective operation, of all threads or of a group. `root` has affinity to the source (broadcast, scatter) or to
    /// the destination (gather, reduce); no root for the others. Bytes are those sent and
    /// received by this thread.
    Collective {
        /// The thread with the source or the destination; `None` for operations without a root.
        root: Option<ThreadId>,
        /// Bytes that this thread sent.
        sent: u64,
        /// Bytes that this thread received.
        received: u64,
        /// Synchronisation mode on entry.
        sync_in: SyncMode,
        /// Synchronisation mode on exit.
        sync_out: SyncMode,
    },
    /// Enter of CollectiveExit and NoncollectiveExit.
    Exit {
        /// Exit status of the program.
        status: i32,
    },
    /// Exit of MeasurementStall: how many barriers and collective operations of this thread are not
    /// in the trace between the ones before and after, because the program had switched
    /// recording off. Both have numbers that go on. None of either: accesses to shared
    /// data, locks or allocations are missing.
    Skipped {
        /// Barriers of this thread that are missing.
        barriers: u64,
        /// Collective operations of this thread that are missing.
        collectives: u64,
    },
    /// Enter of Task: which one. Numbers of tasks and of channels are unique in a run: the number
    /// in its process, and the process times 2^32.
    Task {
        /// Number of the task.
        task: u64,
    },
    /// Exit of Task.
    TaskLeft {
        /// Why the processor leaves it.
        reason: TaskReason,
    },
    /// Enter of TaskCreate: the new task.
    TaskCreate {
        /// Its number.
        task: u64,
        /// The processor that will run it, all its life.
        processor: ThreadId,
    },
    /// Enter of ChannelCreate.
    ChannelCreate {
        /// Number of the channel.
        channel: u64,
        /// Messages that it holds before senders wait; `None` if they never do.
        capacity: Option<u64>,
    },
    /// Enter of ChannelSend and ChannelReceive: the message that was sent or received.
    ChannelMessage {
        /// Number of the channel.
        channel: u64,
        /// Number of the message in the channel, from 0, in the order in which the channel took
        /// them, which is that in which they are received.
        message: u64,
        /// Bytes of the message.
        bytes: u64,
        /// Messages in the channel after the operation.
        queued: u64,
    },
    /// Enter of ChannelSend and ChannelReceive: the task begins to wait. Enter of Select: the
    /// channel that was chosen. Enter of ChannelClose and InputDelete: whose end it is.
    Channel {
        /// Number of the channel.
        channel: u64,
    },
    /// Enter of Select: the task begins to wait.
    SelectWait {
        /// Channels that it waits for.
        inputs: u32,
    },
}

impl Attributes {
    /// A transfer of which the address is not known.
    pub const fn transfer(partner: ThreadId, bytes: u64) -> Self {
        Attributes::Transfer {
            partner,
            bytes,
            address: None,
        }
    }

    /// A transfer from or to `address` of the shared memory of `partner`; 0 if it is not known.
    pub const fn transfer_at(partner: ThreadId, bytes: u64, address: u64) -> Self {
        Attributes::Transfer {
            partner,
            bytes,
            address: Address::new(address),
        }
    }

    /// Whether there is the address of at least one side.
    pub const fn has_addresses(&self) -> bool {
        match self {
            Attributes::Transfer { address, .. } => address.is_some(),
            Attributes::Copy {
                source_address,
                destination_address,
                ..
            } => source_address.is_some() || destination_address.is_some(),
            _ => false,
        }
    }

    /// A copy of which the addresses are not known.
    pub const fn copy(source: ThreadId, destination: ThreadId, bytes: u64) -> Self {
        Self::copy_at((source, 0), (destination, 0), bytes)
    }

    /// A copy between two places, each a thread and an address of its shared memory; 0 if that is
    /// not known.
    pub const fn copy_at(
        (source, source_address): (ThreadId, u64),
        (destination, destination_address): (ThreadId, u64),
        bytes: u64,
    ) -> Self {
        Attributes::Copy {
            source,
            destination,
            bytes,
            source_address: Address::new(source_address),
            destination_address: Address::new(destination_address),
        }
    }
}
