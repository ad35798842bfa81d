//! Comparison of clocks on different nodes, and its consequence for the waiting between them.

use serde::{Deserialize, Serialize};

/// The clock of one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NodeClock {
    /// Name of the node.
    pub host: String,
    /// Threads on it.
    pub threads: u32,
    /// By how much its times may be wrong against those of the first node at any time of the run,
    /// in seconds; absent if its clock was not compared with others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncertainty_seconds: Option<f64>,
    /// By how much it runs faster than the first node's, in parts per million, if it was compared
    /// more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_ppm: Option<f64>,
    /// Messages that were exchanged in the comparisons.
    pub exchanges: u64,
}

/// Effects that by the clocks came before their causes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClockViolations {
    /// Exits of barriers before the last thread's arrival.
    pub barriers: u64,
    /// Exits of collective operations in which all wait for all, before the last thread's entry.
    pub collectives: u64,
    /// Locks that were taken before they were given back.
    pub locks: u64,
    /// How many of these are by more than the uncertainty that is stated.
    pub unexplained: u64,
    /// The largest, in seconds.
    pub largest_seconds: f64,
}

impl ClockViolations {
    /// Of all kinds.
    pub fn count(&self) -> u64 {
        let some = self.barriers.saturating_add(self.collectives);
        some.saturating_add(self.locks)
    }
}

/// Clocks of a run on several nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClockSummary {
    /// How they were compared: "linear", "ring", "tree", or "incomplete" if some were not.
    pub method: String,
    /// The first one is the reference.
    pub nodes: Vec<NodeClock>,
    /// Time in wait states, summed over threads, in seconds.
    pub waiting_seconds: f64,
    /// How much of it is waiting that each time was shorter than the uncertainty of the two clocks
    /// concerned.
    pub below_uncertainty_seconds: f64,
    /// Events that would have run backwards on their thread, and were held at the time of the
    /// event before.
    pub held_events: u64,
    /// Contradictions between the compared clocks and the order of events.
    pub violations: ClockViolations,
}

impl ClockSummary {
    /// By how much times of two nodes may be wrong against the first one's, in seconds; `None` if
    /// that is not known.
    pub fn uncertainty_seconds(&self) -> Option<f64> {
        let each = self.nodes.iter().map(|node| node.uncertainty_seconds);
        each.reduce(|a, b| Some(a?.max(b?)))?
    }

    /// Share of the waiting that is below the uncertainty, 0 to 1.
    pub fn share_below_uncertainty(&self) -> f64 {
        if self.waiting_seconds > 0.0 {
            self.below_uncertainty_seconds / self.waiting_seconds
        } else {
            0.0
        }
    }
}
