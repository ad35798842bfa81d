//! Which metric the time of a call path belongs to, by the kind of its operation. Every path
//! belongs to exactly one class, so that the classes add up to the total time.

use pgas_trace::model::{Operation, ThreadId};
use serde::{Deserialize, Serialize};

/// A leaf of the time metrics before wait states are distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// The program's own code, with `upc_forall`, `malloc` and the like.
    Computation,
    /// In the PGAS runtime, but in none of its other classes.
    Pgas,
    /// One-sided transfers of shared data, blocking or not.
    OneSided,
    /// Collective operations on data.
    Collective,
    /// Barriers, plain or split, and the end of the program that all threads reach together.
    Barrier,
    /// Taking, trying and releasing locks.
    Lock,
    /// Waiting for a flag, an event or some of the threads, and posting.
    PointToPoint,
    /// Messages that another thread receives by a call of its own; waiting for them is included.
    Message,
    /// `upc_fence`.
    Fence,
    /// Allocating and freeing shared memory and locks.
    Allocation,
    /// Collective input and output (`upc_all_fread`, `upc_all_fwrite`).
    Io,
    /// The thread could have run, and had no core.
    NoCore,
    /// The program stood still because a full buffer had to be written.
    Measurement,
}

impl Class {
    /// Every class.
    pub(crate) const ALL: [Class; 13] = [
        Class::Computation,
        Class::OneSided,
        Class::Collective,
        Class::Barrier,
        Class::Lock,
        Class::PointToPoint,
        Class::Message,
        Class::Fence,
        Class::Allocation,
        Class::Io,
        Class::Pgas,
        Class::NoCore,
        Class::Measurement,
    ];

    /// Its place in [`Class::ALL`].
    pub(crate) fn number(self) -> usize {
        Class::ALL.iter().position(|&c| c == self).unwrap_or(0)
    }

    /// Classes of operations that may be throttled. Functions are, too, but their time stays
    /// computation.
    pub(crate) const THROTTLED: [Class; 6] = [
        Class::OneSided,
        Class::Message,
        Class::Fence,
        Class::Allocation,
        Class::Io,
        Class::Pgas,
    ];

    /// `None` is the program's own call path.
    pub fn of(operation: Option<Operation>) -> Class {
        use Operation::*;
        let Some(operation) = operation else {
            return Class::Computation;
        };
        match operation {
            // A upc_forall surrounds the program's own loop; malloc is not the PGAS runtime's.
            Function | UserRegion | Forall | Malloc | Realloc | MallocFree | Task => {
                Class::Computation
            }
            MeasurementStall => Class::Measurement,
            NoCore => Class::NoCore,
            // All threads end together: the runtime holds a barrier there.
            Notify | Wait | Barrier | CollectiveExit => Class::Barrier,
            Fence => Class::Fence,
            Lock | LockAttempt | Unlock => Class::Lock,
            FlagWait | SignalWait | EventWait | Post | PartnerSync => Class::PointToPoint,
            GlobalAlloc | AllAlloc | Alloc | Free | AllFree | GlobalLockAlloc | AllLockAlloc
            | LockFree | AllLockFree => Class::Allocation,
            Memcpy | Memget | Memput | Memset | Get | Put | NonBlockingGet | NonBlockingPut
            | NonBlockingSync | RemoteGet | RemotePut | Atomic => Class::OneSided,
            Broadcast | Scatter | Gather | GatherAll | Exchange | Permute | Reduce
            | PrefixReduce | GroupCollective => Class::Collective,
            // A processor without tasks waits for a message.
            Send | Receive | ChannelSend | ChannelReceive | Select | Idle => Class::Message,
            NoncollectiveExit | LibraryCall | TaskCreate | ChannelCreate | ChannelClose
            | InputDelete => Class::Pgas,
            InputOutput => Class::Io,
        }
    }

    /// Id of the metric that the class is.
    pub fn metric(self) -> &'static str {
        match self {
            Class::Computation => "computation",
            Class::Pgas => "pgas",
            Class::OneSided => "one_sided",
            Class::Collective => "collective",
            Class::Barrier => "barrier",
            Class::Lock => "lock",
            Class::PointToPoint => "point_to_point",
            Class::Message => "message",
            Class::Fence => "fence",
            Class::Allocation => "allocation",
            Class::Io => "io",
            Class::NoCore => "no_core",
            Class::Measurement => "measurement",
        }
    }
}

/// Bytes that one-sided operations moved at a call path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bytes {
    /// Written to shared memory with affinity to the thread itself.
    pub put_local: u64,
    /// Written to shared memory with affinity to other threads.
    pub put_remote: u64,
    /// Read from shared memory with affinity to the thread itself.
    pub get_local: u64,
    /// Read from shared memory with affinity to other threads.
    pub get_remote: u64,
    /// With affinity to this thread or another one, which is not known.
    pub put_somewhere: u64,
    /// The same, read.
    pub get_somewhere: u64,
}

impl Bytes {
    /// Counts a read of shared memory with affinity to `partner` by thread `me`.
    pub fn get(&mut self, me: ThreadId, partner: ThreadId, bytes: u64) {
        let counter = match me == partner {
            true => &mut self.get_local,
            false => &mut self.get_remote,
        };
        *counter = counter.saturating_add(bytes);
    }

    /// Counts a write to shared memory with affinity to `partner` by thread `me`.
    pub fn put(&mut self, me: ThreadId, partner: ThreadId, bytes: u64) {
        let counter = match me == partner {
            true => &mut self.put_local,
            false => &mut self.put_remote,
        };
        *counter = counter.saturating_add(bytes);
    }

    /// Adds the bytes of another call path or thread; a sum that overflows stays at `u64::MAX`.
    pub fn add(&mut self, other: &Bytes) {
        self.put_local = self.put_local.saturating_add(other.put_local);
        self.put_remote = self.put_remote.saturating_add(other.put_remote);
        self.get_local = self.get_local.saturating_add(other.get_local);
        self.get_remote = self.get_remote.saturating_add(other.get_remote);
        self.put_somewhere = self.put_somewhere.saturating_add(other.put_somewhere);
        self.get_somewhere = self.get_somewhere.saturating_add(other.get_somewhere);
    }

    /// Bytes that calls of `operation` by thread `me` moved, when only their sum and the partner
    /// are known: the thread that the shared side has affinity to; of a copy, the one of the
    /// two that is not `me`, if there is one.
    pub fn of_operation(
        operation: Operation,
        me: ThreadId,
        partner: Option<ThreadId>,
        bytes: u64,
    ) -> Self {
        use Operation::*;
        let mut moved = Bytes::default();
        match (operation, partner) {
            (Get | RemoteGet | Memget | NonBlockingGet, Some(partner)) => {
                moved.get(me, partner, bytes)
            }
            (Get | RemoteGet | Memget | NonBlockingGet, None) => moved.get_somewhere = bytes,
            (Put | RemotePut | Memput | Memset | NonBlockingPut, Some(partner)) => {
                moved.put(me, partner, bytes)
            }
            (Put | RemotePut | Memput | Memset | NonBlockingPut, None) => {
                moved.put_somewhere = bytes
            }
            // The side on which the other thread is cannot be determined.
            (Memcpy, Some(partner)) if partner != me => {
                moved.get_somewhere = bytes;
                moved.put_somewhere = bytes;
            }
            (Memcpy, _) => {
                moved.get_local = bytes;
                moved.put_local = bytes;
            }
            _ => {}
        }
        moved
    }

    /// All bytes moved, in either direction.
    pub fn all(&self) -> f64 {
        let put = self.put_local as f64 + self.put_remote as f64 + self.put_somewhere as f64;
        put + self.get_local as f64 + self.get_remote as f64 + self.get_somewhere as f64
    }

    /// Whether nothing was moved.
    pub fn is_zero(&self) -> bool {
        *self == Bytes::default()
    }
}
