//! One-sided operations by distance and by pairs of nodes: sums over all pairs of threads, also
//! those that the matrix by thread leaves out.

use std::collections::BTreeMap;

use pgas_result::communication::Flow;
use pgas_result::locality::{ByDistance, Locality, MOST_NODES_IN_FULL, NodePair, Reach};
use pgas_trace::model::ThreadId;

use crate::model::nodes::{Distance, Nodes};

/// Pairs that are kept of a run with too many nodes for all of them.
const MOST_PAIRS: usize = 1000;

/// The sums as they grow.
pub(super) struct Sums<'a> {
    nodes: &'a Nodes,
    by_thread: Vec<ByDistance>,
    pairs: BTreeMap<(usize, usize), Reach>,
}

impl<'a> Sums<'a> {
    pub fn new(nodes: &'a Nodes, threads: usize) -> Self {
        Sums {
            nodes,
            by_thread: vec![ByDistance::default(); threads],
            pairs: BTreeMap::new(),
        }
    }

    /// Adds operations of a thread on an owner's data, of which `untimed` have no known time.
    pub fn add(&mut self, thread: ThreadId, owner: ThreadId, flow: &Flow, untimed: u64) {
        let (Some(distance), Some(node), Some(owner_node)) = (
            self.nodes.distance(thread, owner),
            self.nodes.of(thread),
            self.nodes.of(owner),
        ) else {
            return;
        };
        let reach = reach(flow, untimed);
        let of_thread = &mut self.by_thread[thread as usize];
        match distance {
            Distance::Own => of_thread.own.get_or_insert_default(),
            Distance::SameNode => &mut of_thread.same_node,
            Distance::OtherNode => &mut of_thread.other_node,
        }
        .add(&reach);
        self.pairs
            .entry((node, owner_node))
            .or_default()
            .add(&reach);
    }

    /// `own_recorded`: that a thread did nothing with its own data is known.
    pub fn result(mut self, own_recorded: bool) -> Locality {
        if own_recorded {
            for of_thread in &mut self.by_thread {
                of_thread.own.get_or_insert_default();
            }
        }
        let mut all = ByDistance::default();
        self.by_thread.iter().for_each(|thread| all.add(thread));
        let pairs = self.pairs.into_iter();
        let mut node_pairs: Vec<NodePair> = pairs
            .map(|((node, owner_node), reach)| NodePair {
                node,
                owner_node,
                reach,
            })
            .collect();
        let in_full = self.nodes.names().len() <= MOST_NODES_IN_FULL;
        let complete = in_full || node_pairs.len() <= MOST_PAIRS;
        if !complete {
            keep_largest(&mut node_pairs);
        }
        Locality {
            all,
            by_thread: self.by_thread,
            own_recorded,
            complete,
            node_pairs,
        }
    }
}

fn reach(flow: &Flow, untimed: u64) -> Reach {
    let bytes = [flow.get_bytes, flow.put_bytes, flow.either_bytes];
    let timed = flow.operations.saturating_sub(untimed);
    Reach {
        operations: flow.operations,
        timed_operations: timed,
        bytes: bytes.into_iter().fold(0, u64::saturating_add),
        seconds: (timed > 0).then_some(flow.seconds),
    }
}

/// Leaves the pairs with most bytes.
fn keep_largest(pairs: &mut Vec<NodePair>) {
    pairs.sort_by_key(|pair| {
        (
            std::cmp::Reverse(pair.reach.bytes),
            pair.node,
            pair.owner_node,
        )
    });
    pairs.truncate(MOST_PAIRS);
    pairs.sort_by_key(|pair| (pair.node, pair.owner_node));
}
