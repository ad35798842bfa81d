//! Runs on several nodes, whose threads read each other's data.

use pgas_result::AnalysisResult;
use pgas_result::locality::{ByDistance, Locality, NodePair, Reach};

use super::advice::neighbours;

/// [`neighbours`] with as many threads on each node. Of the accesses of threads to their own data
/// half were counted.
pub fn neighbours_on(nodes: usize, threads: u32) -> AnalysisResult {
    let mut result = neighbours(threads);
    place(&mut result, nodes);
    result
}

/// Adds nodes, and the sums by distance.
fn place(result: &mut AnalysisResult, nodes: usize) {
    let threads = result.summary.threads;
    let node_of = |thread: u32| thread as usize * nodes / threads as usize;
    result.cube.nodes = (1..=nodes).map(|n| format!("compute-{n}")).collect();
    for (thread, entry) in (0..).zip(&mut result.cube.threads) {
        entry.node = node_of(thread);
    }
    let communication = result.summary.communication.as_mut().expect("a matrix");
    let mut by_thread = vec![ByDistance::default(); threads as usize];
    let mut node_pairs: Vec<NodePair> = Vec::new();
    for pair in &communication.pairs {
        let operations = pair.flow.operations;
        let is_own = pair.thread == pair.owner;
        let reach = Reach {
            operations,
            timed_operations: if is_own { operations / 2 } else { operations },
            bytes: pair.flow.get_bytes,
            seconds: Some(pair.flow.seconds),
        };
        let (node, owner_node) = (node_of(pair.thread), node_of(pair.owner));
        let of_thread = &mut by_thread[pair.thread as usize];
        match (is_own, node == owner_node) {
            (true, _) => of_thread.own.get_or_insert_default(),
            (_, true) => &mut of_thread.same_node,
            _ => &mut of_thread.other_node,
        }
        .add(&reach);
        let known = node_pairs
            .iter_mut()
            .find(|known| (known.node, known.owner_node) == (node, owner_node));
        match known {
            Some(known) => known.reach.add(&reach),
            None => node_pairs.push(NodePair {
                node,
                owner_node,
                reach,
            }),
        }
    }
    node_pairs.sort_by_key(|pair| (pair.node, pair.owner_node));
    let mut all = ByDistance::default();
    by_thread.iter().for_each(|thread| all.add(thread));
    communication.locality = Some(Locality {
        all,
        by_thread,
        own_recorded: true,
        complete: true,
        node_pairs,
    });
}

/// One on two nodes where nothing is known of own data, and nothing was timed.
pub fn little_known() -> AnalysisResult {
    let mut result = neighbours(4);
    let communication = result.summary.communication.as_mut().expect("a matrix");
    communication.pairs.retain(|pair| pair.thread != pair.owner);
    place(&mut result, 2);
    let communication = result.summary.communication.as_mut().expect("a matrix");
    communication.unknown = Some(communication.pairs[0].flow);
    let locality = communication.locality.as_mut().expect("several nodes");
    locality.own_recorded = false;
    let forget = |reach: &mut Reach| {
        reach.timed_operations = 0;
        reach.seconds = None;
    };
    for distances in locality.by_thread.iter_mut().chain([&mut locality.all]) {
        forget(&mut distances.same_node);
        forget(&mut distances.other_node);
    }
    locality
        .node_pairs
        .iter_mut()
        .for_each(|pair| forget(&mut pair.reach));
    result
}
