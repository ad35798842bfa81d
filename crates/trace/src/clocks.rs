//! The clocks of an experiment: one for each node, and how their ticks compare.
//!
//! Threads of a node read the same clock. Between nodes, threads have compared theirs
//! ([`ClockComparison`]), each with some other; from comparison to comparison every clock leads
//! back to the reference, that of thread 0, and the uncertainties on the way add up. Where a node
//! was not compared, the time of day stands in: good enough to put the node's events beside the
//! others', not to say which of two came first, so its uncertainty is unknown.

use std::collections::{BTreeMap, HashMap};

use crate::clock::{CalibrationPair, ClockKind, ticks_per_nanosecond};
use crate::model::{ClockComparison, ThreadId};
use pgas_clocks::{Anchor, Correction, Meeting, RATE_UNCERTAINTY, Rate};

/// Nanoseconds by which the two readings of a calibration pair may be apart.
const PAIR_ERROR: f64 = 200.0;

/// How clocks of different nodes were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// All threads ran on one node.
    OneClock,
    /// Each node's with the reference.
    Linear,
    /// Each node's with that of the node before it.
    Ring,
    /// Each node's with that of some other.
    Tree,
    /// At least one of them with no other.
    Incomplete,
}

impl Method {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Method::OneClock => "one clock",
            Method::Linear => "linear",
            Method::Ring => "ring",
            Method::Tree => "tree",
            Method::Incomplete => "incomplete",
        }
    }
}

/// Facts about a thread's clock, from its stream.
#[derive(Debug, Clone)]
pub(crate) struct ThreadFacts<'a> {
    pub(crate) thread: ThreadId,
    /// Equal for threads that read the same clock.
    pub(crate) node: &'a str,
    /// Name of the node for people.
    pub(crate) host: &'a str,
    pub(crate) kind: ClockKind,
    pub(crate) pairs: Vec<CalibrationPair>,
    /// Nanoseconds since 1970 at the first of the pairs.
    pub(crate) start_unix: u64,
    pub(crate) comparisons: &'a [ClockComparison],
}

/// The clock of one node.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeClock {
    host: String,
    compared: bool,
    correction: Option<Correction>,
    comparisons: Vec<ClockComparison>,
}

impl NodeClock {
    fn new(host: &str) -> Self {
        NodeClock {
            host: host.to_owned(),
            compared: false,
            correction: None,
            comparisons: Vec::new(),
        }
    }

    /// Name of the node; empty if unknown.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether its relation to the reference was measured; that of the reference counts as
    /// measured.
    pub fn is_compared(&self) -> bool {
        self.compared
    }

    /// How its ticks become the reference's; `None` if they are.
    pub fn correction(&self) -> Option<&Correction> {
        self.correction.as_ref()
    }

    /// The comparisons, by any thread of the node or with one of it, that the correction comes
    /// from.
    pub fn comparisons(&self) -> &[ClockComparison] {
        &self.comparisons
    }

    /// Ticks of the reference by which a corrected time near `time` may be wrong; infinite if that
    /// is not known.
    pub fn uncertainty(&self, time: u64) -> f64 {
        match (&self.correction, self.compared) {
            (None, true) => 0.0,
            (Some(correction), true) => correction.uncertainty_at(time),
            (_, false) => f64::INFINITY,
        }
    }
}

/// The clocks of all nodes of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Clocks {
    /// The reference is the first.
    nodes: Vec<NodeClock>,
    /// Of threads that left a stream, or are the reference of a comparison; empty if there is only
    /// one clock.
    node_of: HashMap<ThreadId, usize>,
    method: Method,
}

impl Clocks {
    /// One clock for all threads.
    pub fn one() -> Self {
        let reference = NodeClock {
            compared: true,
            ..NodeClock::new("")
        };
        Clocks {
            nodes: vec![reference],
            node_of: HashMap::new(),
            method: Method::OneClock,
        }
    }

    /// The clocks of threads; `facts` are in their order.
    pub(crate) fn new(facts: &[ThreadFacts]) -> Self {
        let graph = Graph::new(facts);
        if graph.nodes.len() < 2 {
            return Clocks::one();
        }
        let mut nodes: Vec<NodeClock> =
            graph.nodes.iter().map(|n| NodeClock::new(n.host)).collect();
        let mut parents = vec![None; nodes.len()];
        nodes[0].compared = true;
        // Breadth first, so that as few others as possible lie between a clock and the reference.
        let mut reached = vec![0];
        let mut next = 0;
        while let Some(&parent) = reached.get(next) {
            next += 1;
            for (&node, edges) in &graph.nodes[parent].neighbours {
                if nodes[node].compared {
                    continue;
                }
                let via = nodes[parent].correction.as_ref();
                let anchors = edges.iter().map(|edge| graph.anchor(edge, node, via));
                nodes[node].correction = Correction::new(anchors.collect(), graph.nodes[node].rate);
                nodes[node].comparisons = edges.iter().map(|edge| edge.comparison).collect();
                nodes[node].compared = true;
                parents[node] = Some(parent);
                reached.push(node);
            }
        }
        for (number, node) in nodes.iter_mut().enumerate() {
            if !node.compared {
                node.correction = graph.by_time_of_day(number);
            }
        }
        Clocks {
            method: method(&nodes, &parents),
            node_of: graph.node_of,
            nodes,
        }
    }

    /// The clocks: first the reference, then the others in the order of the first threads on their
    /// nodes.
    pub fn nodes(&self) -> &[NodeClock] {
        &self.nodes
    }

    /// Index in [`Clocks::nodes`] of the clock that a thread reads; the reference's for threads of
    /// which nothing is known.
    pub fn node_of(&self, thread: ThreadId) -> usize {
        self.node_of.get(&thread).copied().unwrap_or(0)
    }

    /// Whether all threads read the same clock: times are then comparable as they are.
    pub fn are_one(&self) -> bool {
        self.nodes.len() == 1
    }

    /// How they were compared.
    pub fn method(&self) -> Method {
        self.method
    }

    /// How a thread's ticks become the reference's; `None` if they are.
    pub fn correction(&self, thread: ThreadId) -> Option<&Correction> {
        self.nodes[self.node_of(thread)].correction()
    }

    /// A thread's time in ticks of the reference.
    pub fn to_reference(&self, thread: ThreadId, ticks: u64) -> u64 {
        let correction = self.correction(thread);
        correction.map_or(ticks, |correction| correction.to_reference(ticks))
    }

    /// Ticks of the reference by which a corrected time of the thread near `time` may be wrong
    /// against the reference; infinite if that is not known.
    pub fn uncertainty(&self, thread: ThreadId, time: u64) -> f64 {
        self.nodes[self.node_of(thread)].uncertainty(time)
    }

    /// Ticks of the reference by which the distance of two corrected times near `time`, one of each
    /// thread, may be wrong; infinite if that is not known.
    pub fn uncertainty_between(&self, a: ThreadId, b: ThreadId, time: u64) -> f64 {
        if self.are_one() {
            return 0.0;
        }
        let (a, b) = (self.node_of(a), self.node_of(b));
        if a == b {
            return 0.0;
        }
        let of = |node: usize| self.nodes[node].uncertainty(time);
        let both = (of(a), of(b));
        match self.method {
            // Both share the errors of the ring from the reference to the nearer one.
            Method::Ring => (both.0 - both.1).abs(),
            _ => both.0 + both.1,
        }
    }
}

fn method(nodes: &[NodeClock], parents: &[Option<usize>]) -> Method {
    if nodes.iter().any(|node| !node.compared) {
        return Method::Incomplete;
    }
    let mut children = vec![0; nodes.len()];
    for &parent in parents.iter().flatten() {
        children[parent] += 1;
    }
    if children[0] == nodes.len() - 1 {
        Method::Linear
    } else if children.iter().all(|&children| children <= 1) {
        Method::Ring
    } else {
        Method::Tree
    }
}

/// Facts about the clock of one node.
struct NodeFacts<'a> {
    host: &'a str,
    kind: ClockKind,
    pairs: Vec<CalibrationPair>,
    /// Some moment in ticks and in nanoseconds since 1970; `None` if no thread of the node left a
    /// stream.
    wall: Option<(u64, u64)>,
    /// Against the reference, from the nodes' CLOCK_MONOTONIC.
    rate: Rate,
    /// By node: the comparisons with it, whichever of the two made them.
    neighbours: BTreeMap<usize, Vec<Edge>>,
}

/// A comparison, and the node of the thread that made it.
#[derive(Clone, Copy)]
struct Edge {
    made_by: usize,
    comparison: ClockComparison,
}

/// Nodes and the comparisons between them. The node of the first thread is the first.
struct Graph<'a> {
    nodes: Vec<NodeFacts<'a>>,
    node_of: HashMap<ThreadId, usize>,
}

impl<'a> Graph<'a> {
    fn new(facts: &[ThreadFacts<'a>]) -> Self {
        let mut graph = Graph {
            nodes: Vec::new(),
            node_of: HashMap::new(),
        };
        let mut by_key: HashMap<&str, usize> = HashMap::new();
        for fact in facts {
            let number = *by_key.entry(fact.node).or_insert(graph.nodes.len());
            if number == graph.nodes.len() {
                let start = fact.pairs.first().map(|pair| pair.ticks);
                let wall = start.map(|ticks| (ticks, fact.start_unix));
                graph.add(fact.host, fact.kind, wall);
            }
            graph.node_of.insert(fact.thread, number);
            graph.nodes[number].pairs.extend(&fact.pairs);
        }
        if graph.nodes.len() > 1 {
            graph.connect(facts);
            graph.compare_rates();
        }
        graph
    }

    fn add(&mut self, host: &'a str, kind: ClockKind, wall: Option<(u64, u64)>) -> usize {
        self.nodes.push(NodeFacts {
            host,
            kind,
            pairs: Vec::new(),
            wall,
            rate: Rate {
                ratio: 1.0,
                uncertainty: f64::INFINITY,
            },
            neighbours: BTreeMap::new(),
        });
        self.nodes.len() - 1
    }

    fn connect(&mut self, facts: &[ThreadFacts<'a>]) {
        for fact in facts {
            let own = self.node_of[&fact.thread];
            for &comparison in fact.comparisons {
                let known = self.node_of.get(&comparison.reference).copied();
                // A thread without a stream has a node of its own, by which others may still be
                // connected.
                let other = known.unwrap_or_else(|| {
                    let added = self.add("", fact.kind, None);
                    self.node_of.insert(comparison.reference, added);
                    added
                });
                if own == other {
                    continue;
                }
                for (from, to) in [(own, other), (other, own)] {
                    let edges = self.nodes[from].neighbours.entry(to).or_default();
                    edges.push(Edge {
                        made_by: own,
                        comparison,
                    });
                }
            }
        }
    }

    fn compare_rates(&mut self) {
        let Some((reference, reference_error)) = self.nodes[0].ticks_per_nanosecond() else {
            return;
        };
        for (number, node) in self.nodes.iter_mut().enumerate() {
            if let Some((own, error)) = node.ticks_per_nanosecond() {
                node.rate = Rate {
                    ratio: reference / own,
                    uncertainty: match number {
                        0 => 0.0,
                        _ => RATE_UNCERTAINTY + reference_error + error,
                    },
                };
            }
        }
    }

    /// The comparison of `node` with one whose ticks become the reference's by `via`.
    fn anchor(&self, edge: &Edge, node: usize, via: Option<&Correction>) -> Anchor {
        let comparison = &edge.comparison;
        let made = Meeting {
            own: comparison.ticks,
            other: comparison.reference_ticks,
            round_trip: comparison.round_trip,
        };
        let ratio = self.nodes[edge.made_by].rate.ratio;
        match edge.made_by == node {
            true => made.anchor(ratio, via),
            false => made.reversed().anchor(ratio, via),
        }
    }

    fn by_time_of_day(&self, node: usize) -> Option<Correction> {
        let (own, own_unix) = self.nodes[node].wall?;
        let (reference, reference_unix) = self.nodes[0].wall?;
        let (rate, _) = self.nodes[0].ticks_per_nanosecond().unwrap_or((1.0, 0.0));
        let later = (i128::from(own_unix) - i128::from(reference_unix)) as f64;
        let anchor = Anchor {
            own,
            // Saturates at both ends.
            reference: (reference as f64 + later * rate) as u64,
            uncertainty: f64::INFINITY,
        };
        Correction::new(vec![anchor], self.nodes[node].rate)
    }
}

impl NodeFacts<'_> {
    /// Rate against the node's CLOCK_MONOTONIC, and its relative error.
    fn ticks_per_nanosecond(&self) -> Option<(f64, f64)> {
        match self.kind {
            ClockKind::Nanoseconds => Some((1.0, 0.0)),
            ClockKind::TimeStampCounter => ticks_per_nanosecond(self.pairs.iter().copied())
                .map(|(rate, span)| (rate, 2.0 * PAIR_ERROR / span as f64)),
        }
    }
}
