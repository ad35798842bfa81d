//! Conditions of the recording that decide what the figures mean: calls left out of the trace, how
//! far wait states were searched for, and the cost of recording itself.

use serde::{Deserialize, Serialize};

/// Of which part of the run wait states are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitStates {
    /// Of all that was recorded.
    #[default]
    All,
    /// Up to where the trace ends; there are sums of the rest.
    UntilTraceEnds,
    /// Of none: there is no trace, only sums.
    None,
}

/// A function or operation that was called so often, and for so short a time, that its calls were
/// only counted from some time on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Throttled {
    /// The operation or function, e.g. "add".
    pub region: String,
    /// Source file: of the call for an operation, of the definition for a function. Empty if
    /// unknown.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// Calls that are not in the trace, of all threads and call paths.
    pub calls: u64,
    /// How many of them were timed.
    pub timed_calls: u64,
    /// Estimated time of all of them, without throttled calls inside, in seconds, summed over
    /// threads.
    pub seconds: f64,
    /// Share of the total time of all threads, in percent.
    pub percent: f64,
    /// From when on calls are missing on the first thread on which they are, in seconds since the
    /// start of the run. Of operations of the runtime only; summaries of earlier versions lack
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_seconds: Option<f64>,
}

/// Accesses to shared data, or calls of a function, that the program counted where they happen:
/// their number is known, and their time is in their caller's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The operation, e.g. "upc_get", or the function.
    pub region: String,
    /// It is a function, whose file and line these are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_function: bool,
    /// Source file of the access. Empty if unknown.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// Accesses or calls of all threads and call paths.
    pub calls: u64,
}

/// From this share of the CPU time on, in percent, times are called inflated.
pub const INFLATED: f64 = 20.0;

/// A plain build of the program, compiled without instrumentation, that was run to compare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// As the user named it.
    pub program: String,
    /// Number of runs of the plain build.
    pub runs: u32,
    /// CPU time of a run: the median, in seconds.
    pub cpu_seconds: f64,
    /// Runs differ by more than recording costs, so the cost is estimated; the estimate agrees
    /// with them.
    #[serde(default)]
    pub differ_too_much: bool,
}

/// Cost of recording in the exclusive time of a call path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PathCost {
    /// Index in the cube.
    pub call_path: usize,
    /// Of all threads together.
    pub seconds: f64,
}

/// Cost of instrumentation and recording in the program's CPU time: measured against a plain build,
/// or estimated from the numbers of calls and the cost of a call of each kind, which the recorder
/// measured when the run began. Stalls for full buffers are not in it: they are measured, and a
/// metric of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordingCost {
    /// Events of all threads.
    pub events: u64,
    /// Calls that were timed and summed without being in the trace, in a run without trace or
    /// behind its end.
    pub summed_calls: u64,
    /// Calls that were throttled.
    pub throttled_calls: u64,
    /// Accesses that the program counted where they happen.
    #[serde(default)]
    pub counted_accesses: u64,
    /// Calls that were reported and not recorded: filtered, or while the program had switched
    /// recording off.
    #[serde(default)]
    pub left_out_calls: u64,
    /// Accesses to own data that were looked at and not reported.
    #[serde(default)]
    pub own_accesses: u64,
    /// Of all threads together.
    pub seconds: f64,
    /// Of these, the recorder's own work when the run began and ended, and in its helper thread:
    /// no filter changes it.
    #[serde(default)]
    pub fixed_seconds: f64,
    /// Share of the CPU time, in percent; where that is not known, of the total time of all
    /// threads.
    pub percent: f64,
    /// Between which shares the true one should be, in percent; absent where it was measured once,
    /// or the recorder measured less than whole calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// CPU time of all threads, in seconds; absent if the recorder did not measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The plain build that was run to compare; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// By call path, in their order; those with none are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_paths: Vec<PathCost>,
}

impl RecordingCost {
    /// The plain build that the figures were measured against; `None` if they are estimates.
    pub fn measured_against(&self) -> Option<&Baseline> {
        let baseline = self.baseline.as_ref();
        baseline.filter(|baseline| !baseline.differ_too_much)
    }

    /// Whether times are inflated so much that they must not be taken at their word.
    pub fn is_inflating(&self) -> bool {
        self.percent > INFLATED
    }
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recording {
    /// Part of the run in which wait states are known.
    pub wait_states: WaitStates,
    /// Where the first thread's trace ends, in seconds since the start of the run, if sums go on
    /// behind it.
    pub trace_ends_seconds: Option<f64>,
    /// Those with most calls first.
    pub throttled: Vec<Throttled>,
    /// Those with most accesses first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<Counted>,
    /// `None` if the recorder did not measure what it costs.
    pub cost: Option<RecordingCost>,
    /// Ids of the metrics that are counters, such as "cycles".
    pub counters: Vec<String>,
}
