//! What the time in an operation counts as while the program runs: which part of it was waiting is
//! not known yet, so that all time in operations that wait for other threads counts as waiting.

use pgas_trace::model::Operation;
use serde::{Deserialize, Serialize};

use crate::known::{self, Name};

/// Kinds of time beside computing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Class {
    /// Waiting for other threads, of this kind.
    #[serde(deserialize_with = "known::name")]
    Waiting(Name),
    /// Moving data and what belongs to it, of this kind.
    #[serde(deserialize_with = "known::name")]
    Communicating(Name),
}

impl Class {
    /// The class of an operation; `None` if the program computes in it.
    pub fn of(operation: Operation) -> Option<Class> {
        use Class::{Communicating, Waiting};
        use Operation::*;
        Some(match operation {
            Function | UserRegion | Forall | Malloc | Realloc | MallocFree | MeasurementStall
            | NoCore | Task => return None,
            Notify | Wait | Barrier | CollectiveExit => Waiting("barrier"),
            Lock | LockAttempt => Waiting("lock"),
            FlagWait | SignalWait | EventWait | PartnerSync => Waiting("point_to_point"),
            Broadcast | Scatter | Gather | GatherAll | Exchange | Permute | Reduce
            | PrefixReduce | GroupCollective => Waiting("collective"),
            Receive => Waiting("message"),
            Idle => Waiting("idle"),
            // Threads keep together there.
            AllAlloc | AllFree | AllLockAlloc | AllLockFree => Waiting("allocation"),
            Unlock | Post => Communicating("release"),
            Send | ChannelSend | ChannelReceive | Select => Communicating("message"),
            Fence | NonBlockingSync => Communicating("fence"),
            GlobalAlloc | Alloc | Free | GlobalLockAlloc | LockFree => Communicating("allocation"),
            Memcpy | Memget | Memput | Memset | Get | Put | NonBlockingGet | NonBlockingPut
            | RemoteGet | RemotePut | Atomic => Communicating("one_sided"),
            InputOutput => Communicating("io"),
            NoncollectiveExit | LibraryCall | TaskCreate | ChannelCreate | ChannelClose
            | InputDelete => Communicating("library"),
        })
    }

    /// `waiting` or `communicating`.
    pub fn activity(self) -> &'static str {
        match self {
            Class::Waiting(_) => "waiting",
            Class::Communicating(_) => "communicating",
        }
    }

    /// Name of the kind.
    pub fn kind(self) -> &'static str {
        match self {
            Class::Waiting(kind) | Class::Communicating(kind) => kind,
        }
    }
}
