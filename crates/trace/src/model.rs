//! The event model: what a trace says, independent of how it is stored.
//!
//! A trace is one stream of events per thread. Events are `Enter` and `Exit` of regions; a region is a user
//! function, an operation of the PGAS runtime, or a user-defined block. Everything that only operations have
//! (bytes, partner, lock, synchronisation mode) is an [`Attributes`] of their Enter or Exit. The model follows
//! N. Andreev and K. Afanasiev, "A set of inefficiency patterns for the PGAS programming model on the example
//! of UPC", Computational Technologies 16(3), 2011.

use serde::{Deserialize, Serialize};

pub use crate::address::Address;

/// Number of a thread of the measured program, from 0.
pub type ThreadId = u32;

/// What kind of region an Enter begins. The numbers are part of the file format and of the recorder's C
/// interface (`crates/measure/include/pgas_measure.h`): never reuse one, only append.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Operation {
    /// A function of the program.
    Function = 0,
    /// A region that the program named itself.
    UserRegion = 1,
    /// The program stood still because a full buffer had to be written.
    MeasurementStall = 2,
    /// The thread was ready to run and had no core.
    NoCore = 3,

    Malloc = 8,
    Realloc = 9,
    MallocFree = 10,

    Notify = 16,
    Wait = 17,
    /// A barrier that the runtime reports as one operation.
    Barrier = 18,
    Fence = 19,
    Forall = 20,

    GlobalAlloc = 24,
    AllAlloc = 25,
    Alloc = 26,
    Free = 27,
    AllFree = 28,
    GlobalLockAlloc = 29,
    AllLockAlloc = 30,
    LockFree = 31,
    AllLockFree = 32,

    Lock = 36,
    LockAttempt = 37,
    Unlock = 38,

    Memcpy = 44,
    Memget = 45,
    Memput = 46,
    Memset = 47,
    Get = 48,
    Put = 49,
    NonBlockingGet = 50,
    NonBlockingPut = 51,
    NonBlockingSync = 52,

    Broadcast = 60,
    Scatter = 61,
    Gather = 62,
    GatherAll = 63,
    Exchange = 64,
    Permute = 65,
    Reduce = 66,
    PrefixReduce = 67,

    /// The end of the program that all threads reach together (the final barrier lies inside).
    CollectiveExit = 72,
    /// One thread ends the program for all of them.
    NoncollectiveExit = 73,

    InputOutput = 76,
}

/// Index of a [`Site`] in the site table of one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// Where in the source a region is entered: the recorder's dictionary entry for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    pub operation: Operation,
    /// Source file: of the call for an operation, of the definition for a function. Empty if unknown.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// Name of a function or user region; empty for runtime operations.
    pub name: String,
}

/// Synchronisation mode of one side (entry or exit) of a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SyncMode {
    /// UPC_IN_NOSYNC, UPC_OUT_NOSYNC
    None,
    /// UPC_IN_MYSYNC, UPC_OUT_MYSYNC
    Mine,
    /// UPC_IN_ALLSYNC, UPC_OUT_ALLSYNC
    All,
}

impl SyncMode {
    /// What follows `UPC_IN_` and `UPC_OUT_` in a program.
    pub fn name(self) -> &'static str {
        match self {
            SyncMode::None => "NOSYNC",
            SyncMode::Mine => "MYSYNC",
            SyncMode::All => "ALLSYNC",
        }
    }
}

/// What an event says beyond its time and region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Attributes {
    #[default]
    None,
    /// Enter of Notify, Wait, Barrier: the barrier's value, if it has one.
    Barrier { value: Option<i32> },
    /// Enter of Get, Put, Memget, Memput, Memset and their non-blocking forms: the thread that the shared side has
    /// affinity to, the number of bytes, and where they lie, if that was recorded.
    Transfer {
        partner: ThreadId,
        bytes: u64,
        address: Option<Address>,
    },
    /// Enter of Memcpy, both sides of which are shared.
    Copy {
        source: ThreadId,
        destination: ThreadId,
        bytes: u64,
        source_address: Option<Address>,
        destination_address: Option<Address>,
    },
    /// Enter of an allocation: the bytes asked for, over all threads.
    Allocation { bytes: u64 },
    /// Enter of Lock, LockAttempt, Unlock, LockFree: which lock. Equal on all threads for the same lock.
    Lock { lock: u64 },
    /// Exit of LockAttempt: whether the lock was taken.
    LockAttempt { acquired: bool },
    /// Exit of a collective operation. `root` has affinity to the source (broadcast, scatter) or to the destination
    /// (gather, reduce); no root for the others. Bytes are those sent and received by this thread.
    Collective {
        root: Option<ThreadId>,
        sent: u64,
        received: u64,
        sync_in: SyncMode,
        sync_out: SyncMode,
    },
    /// Enter of CollectiveExit and NoncollectiveExit.
    Exit { status: i32 },
    /// Exit of MeasurementStall: how many barriers and collective operations of this thread are not in the trace between
    /// the ones before and after, because the program had switched recording off. Both have numbers that go on. None of either: accesses to shared
    /// data, locks or allocations are missing.
    Skipped { barriers: u64, collectives: u64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    Enter {
        site: SiteId,
        attributes: Attributes,
    },
    /// Ends the innermost open region, which was entered at `site`.
    Exit {
        site: SiteId,
        attributes: Attributes,
    },
}

/// One event of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Ticks of the experiment's clock; on one thread never decreasing.
    pub time: u64,
    pub kind: EventKind,
}

/// How the sums of a [`Profile`] relate to the trace of the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProfileScope {
    /// Calls that the trace leaves out (they were throttled). In the trace, their time seems to be the caller's.
    Within,
    /// Nothing of this time is in the trace: the sums are all there is.
    Beyond,
    /// Calls and times are those of the trace; the sums are of counters alone.
    Counters,
}

impl ProfileScope {
    /// The number that stands for this scope in files.
    pub fn number(self) -> u8 {
        match self {
            ProfileScope::Within => 0,
            ProfileScope::Beyond => 1,
            ProfileScope::Counters => 2,
        }
    }

    /// The scope with that number; `None` if there is none.
    pub fn from_number(number: u64) -> Option<Self> {
        match number {
            0 => Some(ProfileScope::Within),
            1 => Some(ProfileScope::Beyond),
            2 => Some(ProfileScope::Counters),
            _ => None,
        }
    }
}

/// Sums of the calls of one thread over a span of time, by call path. Profiles of the same scope add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub scope: ProfileScope,
    /// Ticks: the span that the sums are of.
    pub first_time: u64,
    pub last_time: u64,
    /// Calls of which nothing else is known, because the recorder's call tree was full; their time is the caller's.
    pub unplaced_calls: u64,
    /// Names of the counters.
    pub counters: Vec<String>,
    /// Callers come before those whom they call.
    pub entries: Vec<CallSums>,
}

/// Sums of the calls on one call path (and, for transfers, with one partner).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSums {
    /// Index of the caller's entry, which is an earlier one; `None` for what nothing recorded has called.
    pub parent: Option<u32>,
    pub site: SiteId,
    /// Of a transfer: the thread that the shared side has affinity to; of a copy, the one that is not the caller, if
    /// there is one.
    pub partner: Option<ThreadId>,
    /// Calls that began in this span. An entry without calls is the way to others, or began earlier.
    pub calls: u64,
    /// Of these, those whose time is in `ticks`. All calls together took about ticks * calls / timed calls.
    pub timed_calls: u64,
    /// Time from Enter to Exit, in ticks, with what was called inside.
    pub ticks: u64,
    /// Bytes that transfers moved, or allocations asked for.
    pub bytes: u64,
    /// What each counter of the profile counted, with what was called inside.
    pub counters: Vec<u64>,
}

/// How the clock of a thread stood against that of another one at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockComparison {
    /// The other thread.
    pub reference: ThreadId,
    /// Ticks of this thread's clock.
    pub ticks: u64,
    /// Ticks of the other one's, at the same moment to within half a round trip.
    pub reference_ticks: u64,
    /// The time, in ticks of this thread's clock, that the fastest exchange of messages took.
    pub round_trip: u64,
    /// How many exchanges were made to find the fastest one.
    pub exchanges: u64,
}
