//! Measured points of a machine; nothing here is derived from them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the file's layout.
pub const FORMAT: u32 = 1;

/// Measured costs of one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Version of the layout: [`FORMAT`].
    pub format: u32,
    /// Local date and time of the measurement, RFC 3339.
    pub measured: String,
    /// Version of pgastool that measured.
    pub tool_version: String,
    /// The node that thread 0 ran on.
    pub host: Host,
    /// Probability with which the true mean of a point is in its interval.
    pub confidence: f64,
    /// One for each operation with its arguments.
    pub operations: Vec<Measured>,
}

/// A node of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// As the node calls itself.
    pub name: String,
    /// Cores that threads could use.
    pub cores: u32,
}

/// Use of an operation, by which an analysis finds it without knowing the model's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads a few bytes.
    Read,
    /// Writes a few bytes.
    Write,
    /// Reads a block.
    BlockRead,
    /// Writes a block.
    BlockWrite,
    /// Changes a word in one step.
    Atomic,
    /// Takes and releases a lock that nobody else wants.
    Lock,
    /// All threads wait for each other.
    Barrier,
    /// All threads exchange data.
    Collective,
    /// Takes memory.
    Allocation,
}

/// Where the data or the partner is, seen from the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distance {
    /// The thread's own part of shared memory.
    Own,
    /// Another thread of the same node.
    Near,
    /// A thread of another node.
    Far,
}

/// One operation with one set of arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Programming model, as in results: "upc", "openshmem", "mpi".
    pub model: String,
    /// Version of the library or compiler, as it names itself.
    pub implementation: String,
    /// Use of the operation.
    pub role: Role,
    /// Name of the operation, as in reports: "upc_barrier".
    pub operation: String,
    /// Arguments other than the size ("in": "all").
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, String>,
    /// Where the data is, if that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Distance>,
    /// In ascending order of threads, nodes and bytes.
    pub points: Vec<Point>,
}

/// Mean time of an operation that all threads begin at the same moment, until the last one has
/// ended it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Number of threads.
    pub threads: u32,
    /// Number of nodes that they ran on.
    pub nodes: u32,
    /// Whether each thread had a core of its own.
    pub have_cores: bool,
    /// Bytes, if the operation has a size: of one transfer, or of each thread's block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Mean, in seconds.
    pub seconds: f64,
    /// Interval of the mean, in seconds.
    pub interval: (f64, f64),
}
