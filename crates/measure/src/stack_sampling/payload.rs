//! Makes a block of the trace out of a thread's samples.

use pgas_trace_format::model::{PathEntry, SiteId, StackSample, StackSamples};

use super::{Samples, StackSampler};
use crate::call_tree::CallTree;
use crate::node_id::{NodeId, ROOT, UNPLACED};

/// The block of all samples until `now` (ticks).
pub(crate) fn block(
    samples: &mut Samples,
    tree: &mut CallTree,
    sampler: &StackSampler,
    within_recorder: u64,
    now: u64,
) -> StackSamples {
    let slots = samples.slots.all();
    let nodes = with_callers(slots.iter().map(|slot| slot.node), tree);
    let index = |node: NodeId| nodes.binary_search(&node).ok().map(|index| index as u32);
    let paths = nodes.iter().map(|&node| {
        let (parent, site) = tree.path_step(node);
        PathEntry {
            parent: index(parent),
            site: SiteId(site),
        }
    });
    let paths = paths.collect();
    let taken = slots.iter().map(|slot| StackSample {
        time: slot.time,
        weight: slot.weight,
        path: index(slot.node),
        frames: slot.frames[..slot.count as usize].to_vec(),
    });
    let taken: Vec<StackSample> = taken.collect();
    let addresses = taken.iter().flat_map(|sample| &sample.frames).copied();
    let modules = samples.modules.newly_used(addresses);
    StackSamples {
        first_time: samples.since,
        last_time: now,
        period_nanoseconds: sampler.period_nanoseconds(),
        clock: sampler.clock(),
        lost: samples.lost,
        within_recorder,
        modules,
        paths,
        samples: taken,
    }
}

/// These nodes and all that lead to them, each once, callers before those whom they call: a node is
/// younger than its caller's.
fn with_callers(nodes: impl Iterator<Item = NodeId>, tree: &mut CallTree) -> Vec<NodeId> {
    let is_node = |&node: &NodeId| node != ROOT && node != UNPLACED;
    let mut all: Vec<NodeId> = nodes.filter(is_node).collect();
    all.sort_unstable();
    all.dedup();
    let mut known: std::collections::BTreeSet<NodeId> = all.iter().copied().collect();
    for &node in &all {
        let mut caller = tree.path_step(node).0;
        while is_node(&caller) && known.insert(caller) {
            caller = tree.path_step(caller).0;
        }
    }
    known.into_iter().collect()
}
