//! Messages of the ring.

use std::net::SocketAddr;

use pgas_monitor::NodePart;
use serde::{Deserialize, Serialize};

use crate::selection::{Cell, Selection};

/// A node of the ring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Name of the host.
    pub node: String,
    /// Its agent.
    pub address: SocketAddr,
}

/// An agent is there.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Registration {
    pub(crate) member: Member,
    /// The address by which it reaches the manager.
    pub(crate) manager: SocketAddr,
}

/// A request on its way, with what was added to it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Round {
    /// Grows by one with each request.
    pub(crate) number: u64,
    /// Nanoseconds since 1970 at which the manager sent it.
    pub(crate) sent: u64,
    pub(crate) what: Selection,
    /// The agents that it goes to, in this order.
    pub(crate) route: Vec<Member>,
    /// How many of them it has been sent to, or could not be.
    pub(crate) done: usize,
    /// Where it returns to.
    pub(crate) manager: SocketAddr,
    pub(crate) parts: Vec<NodePart>,
    pub(crate) cells: Vec<Cell>,
    /// Members of the route that did not take it.
    pub(crate) skipped: Vec<usize>,
    /// Failures of nodes to look at their pages.
    pub(crate) problems: Vec<String>,
}

/// Metrics that the threads of each node are to keep.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NewMetrics {
    pub(crate) number: u64,
    pub(crate) definitions: String,
    pub(crate) functions: String,
}

/// The run has ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) number: u64,
}

pub(crate) const REGISTER: &str = "/register";
pub(crate) const ROUND: &str = "/round";
pub(crate) const METRICS: &str = "/metrics";
pub(crate) const END: &str = "/end";
