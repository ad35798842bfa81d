//! Samples of where a thread computes: program counter, callers, and the innermost recorded region.

use serde::{Deserialize, Serialize};

use super::site::SiteId;
use crate::tags::table;

table! {
    /// Clock of the time between two samples.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum SampleClock: u8 {
        /// CPU time of the thread, by a timer that interrupts it in user mode only.
        UserTime = 0,
        /// CPU time of the thread in user mode and in the kernel, which the kernel checks at each
        /// of its ticks.
        TickTime = 1,
        /// Wall-clock time, also while the thread waits.
        WallTime = 2,
    }
}

/// Samples of one thread over a span of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackSamples {
    /// Ticks: no sample is earlier.
    pub first_time: u64,
    /// Ticks: no sample is later.
    pub last_time: u64,
    /// Nanoseconds between two samples, by [`StackSamples::clock`]. A sample of weight 1 stands for
    /// that time.
    pub period_nanoseconds: u64,
    /// Clock of the period.
    pub clock: SampleClock,
    /// Periods of which nothing is known: their samples found no room.
    pub lost: u64,
    /// Periods that ended while the recorder was at work. There are no samples of them.
    pub within_recorder: u64,
    /// Files that were found mapped since the block before. They hold for the samples of this
    /// block and of later ones; a later module replaces the earlier ones that it overlaps.
    pub modules: Vec<Module>,
    /// The call paths that [`StackSample::path`] refers to. Callers come before those whom they
    /// call.
    pub paths: Vec<PathEntry>,
    /// In the order of time.
    pub samples: Vec<StackSample>,
}

/// A file with code that is mapped into the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// First address of its segments in the process.
    pub start: u64,
    /// End of its segments, exclusive.
    pub end: u64,
    /// Difference between an address in the process and that in the file (modulo 2^64).
    pub bias: u64,
    /// The build id of its note in hexadecimal digits; empty if it has none.
    pub build_id: String,
    /// Its path; a name that is no path for what is not mapped from a file.
    pub path: String,
}

/// A call path: the region that was entered last and the path that it was entered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PathEntry {
    /// Index of the caller's entry, which is an earlier one; `None` for the outermost region.
    pub parent: Option<u32>,
    /// The innermost region of the path.
    pub site: SiteId,
}

/// Activity of a thread at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackSample {
    /// Ticks.
    pub time: u64,
    /// Periods that the sample stands for, at least 1.
    pub weight: u64,
    /// Index of the innermost open region's entry; `None` if it is unknown or none was open.
    pub path: Option<u32>,
    /// Addresses in the process, innermost first: the program counter, then the return addresses
    /// of its callers as far as the stack could be unwound.
    pub frames: Vec<u64>,
}
