//! How a run was recorded, as far as it decides what the figures mean: what was left out of the trace, how far wait
//! states were searched for, and what the recording itself cost.

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

/// A function or operation that was called so often, and for so short a time, that its calls were only counted from
/// some time on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Throttled {
    /// The operation or function, e.g. "add".
    pub region: String,
    pub file: String,
    pub line: u32,
    /// Calls that are not in the trace, of all threads and call paths.
    pub calls: u64,
    /// How many of them were timed.
    pub timed_calls: u64,
    /// Estimated time of all of them, without throttled calls inside, in seconds, summed over threads.
    pub seconds: f64,
    /// Share of the total time of all threads, in percent.
    pub percent: f64,
}

/// What recording took of the program's time, estimated from what the recorder measured when the run began. Stalls for
/// full buffers are not in it: they are measured, and a metric of their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordingCost {
    /// Events of all threads.
    pub events: u64,
    /// Calls that were timed and summed without being in the trace, in a run without trace or behind its end.
    pub summed_calls: u64,
    /// Calls that were throttled.
    pub throttled_calls: u64,
    /// Of all threads together.
    pub seconds: f64,
    /// Share of the total time of all threads, in percent.
    pub percent: f64,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recording {
    pub wait_states: WaitStates,
    /// Where the first thread's trace ends, in seconds since the start of the run, if sums go on behind it.
    pub trace_ends_seconds: Option<f64>,
    /// Those with most calls first.
    pub throttled: Vec<Throttled>,
    /// `None` if the recorder did not measure what it costs.
    pub cost: Option<RecordingCost>,
    /// Ids of the metrics that are counters, such as "cycles".
    pub counters: Vec<String>,
}
