//! One-sided operations by the distance between a thread and the data: its own, that of another
//! thread of its node, that of a thread of another node; and by pairs of nodes.

use serde::{Deserialize, Serialize};

/// Largest number of nodes for which all pairs are kept.
pub const MOST_NODES_IN_FULL: usize = 64;

/// Sums over one-sided operations with data at one distance.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reach {
    /// Operations, recorded or counted. A copy from one thread's data to another's counts for both.
    pub operations: u64,
    /// Of these, operations of which the time is known; the others were counted.
    pub timed_operations: u64,
    /// Bytes moved in either direction.
    pub bytes: u64,
    /// Time of the timed operations, as in [`super::communication::Flow`]; absent if none was
    /// timed, though there are operations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Reach {
    /// Adds other operations.
    pub fn add(&mut self, other: &Reach) {
        let sums = [
            (&mut self.operations, other.operations),
            (&mut self.timed_operations, other.timed_operations),
            (&mut self.bytes, other.bytes),
        ];
        for (sum, value) in sums {
            *sum = sum.saturating_add(value);
        }
        if let Some(seconds) = other.seconds {
            *self.seconds.get_or_insert(0.0) += seconds;
        }
    }
}

/// The three distances.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ByDistance {
    /// Data with affinity to the thread itself; absent if nothing is known of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<Reach>,
    /// Data of other threads on the thread's node.
    pub same_node: Reach,
    /// Data of threads on other nodes.
    pub other_node: Reach,
}

impl ByDistance {
    /// All of them.
    pub fn all(&self) -> Reach {
        let mut sum = self.own.unwrap_or_default();
        sum.add(&self.same_node);
        sum.add(&self.other_node);
        sum
    }

    /// Adds another thread's.
    pub fn add(&mut self, other: &ByDistance) {
        if let Some(own) = &other.own {
            self.own.get_or_insert_default().add(own);
        }
        self.same_node.add(&other.same_node);
        self.other_node.add(&other.other_node);
    }
}

/// Operations of the threads of one node on the data of one node's threads, which may be the same
/// node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NodePair {
    /// Index of the accessing threads' node among the nodes of the cube.
    pub node: usize,
    /// Index of the node whose threads the data has affinity to.
    pub owner_node: usize,
    /// Operations of the threads of `node` on data of threads of `owner_node`.
    #[serde(flatten)]
    pub reach: Reach,
}

/// See the module. Operations of which the owner is not known are in none of the figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Locality {
    /// Of all threads.
    pub all: ByDistance,
    /// The same by thread.
    pub by_thread: Vec<ByDistance>,
    /// Whether accesses of threads to their own data were recorded or counted like others. If not,
    /// some may be missing.
    pub own_recorded: bool,
    /// Whether `node_pairs` are all pairs that have something; otherwise they are those with most
    /// bytes.
    pub complete: bool,
    /// In the order of nodes, then nodes of owners.
    pub node_pairs: Vec<NodePair>,
}
