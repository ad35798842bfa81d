//! What the analysis concludes beyond the three trees: efficiency, findings, remarks.
//!
//! It is kept as `summary.json` beside the cube file of the same experiment, since CUBE has no place for it.

use serde::{Deserialize, Serialize};

use crate::clocks::ClockSummary;
use crate::recording::Recording;

/// POP efficiency factors, each 0 to 1. Useful time is computation time; see <https://pop-coe.eu>.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// mean(useful) / max(useful)
    pub load_balance: f64,
    /// max(useful) / runtime
    pub communication_efficiency: f64,
    /// mean(useful) / runtime, the product of the two
    pub parallel_efficiency: f64,
}

/// The instance of a wait state that cost most at one call path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstInstance {
    /// Seconds since the start of the run.
    pub at_seconds: f64,
    /// Waiting time summed over threads, in seconds.
    pub seconds: f64,
    /// The thread that the others waited for.
    pub last_thread: u32,
}

/// Instances of one wait-state metric at one call path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InstanceStatistics {
    /// Metric id, e.g. "wait_at_barrier".
    pub metric: String,
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Instances in which somebody waited.
    pub instances: u64,
    pub worst: Option<WorstInstance>,
    /// How often each thread was the one waited for; index is the thread.
    pub last_counts: Vec<u64>,
}

/// One thing that costs time, where, why, and what to do about it. Findings are sorted, most expensive first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Metric id, e.g. "wait_at_barrier".
    pub metric: String,
    /// Lost time, summed over threads, in seconds.
    pub seconds: f64,
    /// Share of the total time of all threads, in percent.
    pub percent: f64,
    /// The operation or function, e.g. "upc_barrier".
    pub region: String,
    /// The user function that it is called from, e.g. "rank"; empty if none.
    pub function: String,
    pub file: String,
    pub line: u32,
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// The thread that most often came last, or that has most to do.
    pub culprit_thread: Option<u32>,
    /// One or two sentences: who came last and what it did instead.
    pub cause: String,
    /// One sentence: what to try.
    pub advice: String,
    pub worst: Option<WorstInstance>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Version of this file's layout; 1.
    pub schema: u32,
    pub program: String,
    pub arguments: Vec<String>,
    /// Threads of the program.
    pub threads: u32,
    /// From the first event to the last of all threads, in seconds.
    pub wall_seconds: f64,
    pub efficiency: Efficiency,
    pub findings: Vec<Finding>,
    pub instances: Vec<InstanceStatistics>,
    /// What a reader must know about this measurement: a truncated trace, lost blocks, a killed program.
    pub remarks: Vec<String>,
    /// How the run was recorded. Summaries of earlier versions lack it, and what they are of was recorded in full.
    #[serde(default)]
    pub recording: Recording,
    /// How times of different nodes compare; absent for a run on one node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockSummary>,
}
