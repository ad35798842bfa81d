//! Operations of the run beside what they need on the machine, as `pgastool time --machine` has
//! measured it.

use serde::{Deserialize, Serialize};

/// The measurement of the machine that an analysis used, and what it says about barriers and
/// collective operations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MachineUse {
    /// Local date and time at which the machine was measured, RFC 3339.
    pub measured: String,
    /// Node on which it was measured.
    pub host: String,
    /// Whether the run had threads on that node.
    pub is_of_run: bool,
    /// Barriers and collective operations that wait for all threads, by call path.
    pub operations: Vec<OperationLength>,
}

/// How long an operation takes once all threads have come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationLength {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Instances that all threads took part in; of a lock, those in which nobody held it.
    pub calls: u64,
    /// From the moment when the last thread has come until the last one has left, in seconds; of a
    /// lock, the length of the call. Half of the instances take no longer. Without the time of recording.
    pub median_seconds: f64,
    /// Expected time with as many threads on as many nodes; absent if that was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_seconds: Option<f64>,
    /// It takes surely longer than it should, by half or more.
    pub is_slow: bool,
    /// The calls are of one thread each: of a lock that nobody held.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_one_thread: bool,
}
