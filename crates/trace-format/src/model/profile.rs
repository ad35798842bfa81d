//! Sums of calls by call path, for what the events do not show.

use serde::{Deserialize, Serialize};

use super::site::SiteId;
use super::thread::ThreadId;
use crate::tags::table;

table! {
    /// How the sums of a [`Profile`] relate to the trace of the same time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum ProfileScope: u8 {
        /// Calls that the trace leaves out (they were throttled). In the trace, their time seems to
        /// be the caller's.
        Within = 0,
        /// Nothing of this time is in the trace: the sums are all there is.
        Beyond = 1,
        /// Calls and times are those of the trace; the sums are of counters alone.
        Counters = 2,
    }
}

/// Sums of the calls of one thread over a span of time, by call path. Profiles of the same scope
/// add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Relation of the sums to the trace of the same time.
    pub scope: ProfileScope,
    /// Ticks: the span that the sums are of.
    pub first_time: u64,
    /// End of that span, in ticks.
    pub last_time: u64,
    /// Calls of which nothing else is known, because the recorder's call tree was full; their time
    /// is the caller's.
    pub unplaced_calls: u64,
    /// Names of the counters.
    pub counters: Vec<String>,
    /// Callers come before those whom they call.
    pub entries: Vec<CallSums>,
}

/// Sums of the calls on one call path (and, for transfers, with one partner).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSums {
    /// Index of the caller's entry, which is an earlier one; `None` for what nothing recorded has
    /// called.
    pub parent: Option<u32>,
    /// The innermost region of the call path.
    pub site: SiteId,
    /// Of a transfer: the thread that the shared side has affinity to; of a copy, the one that is
    /// not the caller, if there is one.
    pub partner: Option<ThreadId>,
    /// Calls that began in this span. An entry without calls is the way to others, or began
    /// earlier.
    pub calls: u64,
    /// Of these, those whose time is in `ticks`. All calls together took about ticks * calls /
    /// timed calls.
    pub timed_calls: u64,
    /// Inclusive time, from Enter to Exit, in ticks.
    pub ticks: u64,
    /// Bytes that transfers moved, or allocations asked for.
    pub bytes: u64,
    /// Inclusive sum of each counter of the profile.
    pub counters: Vec<u64>,
}
