//! The critical path of a run and the root causes of its waiting. The metrics `critical_path` and
//! `delay` have all of it by call path and thread; here is what is largest, and what leads to what.

use serde::{Deserialize, Serialize};

/// A call path on the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CriticalCallPath {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Its time on the critical path, without that of what it calls.
    pub seconds: f64,
    /// The part of it that a perfect balance would save.
    pub imbalance_seconds: f64,
}

/// The critical path of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CriticalPath {
    /// Its length.
    pub seconds: f64,
    /// How often it goes from one thread to another.
    pub changes: u64,
    /// Seconds of it on each thread.
    pub by_thread: Vec<f64>,
    /// The call paths with most of it, largest first.
    pub call_paths: Vec<CriticalCallPath>,
}

/// Waiting at one place that a root cause accounts for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// Metric id of the wait state.
    pub metric: String,
    /// Index of the call path in the cube where threads waited.
    pub call_path: usize,
    /// Waiting there that the root cause accounts for, in seconds, summed over threads.
    pub seconds: f64,
}

/// Delay by one thread at one call path that other threads waited for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RootCause {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// The thread that the others waited for.
    pub thread: u32,
    /// Waiting for this thread, summed over threads.
    pub short_term_seconds: f64,
    /// Waiting for other threads, which had waited for this one.
    pub long_term_seconds: f64,
    /// Where that was, most first; not all places.
    pub effects: Vec<Effect>,
}

/// Critical path and root causes of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Causes {
    /// The activities that determined the run time, followed from thread to thread.
    pub critical_path: CriticalPath,
    /// The largest ones, largest first.
    pub root_causes: Vec<RootCause>,
}
