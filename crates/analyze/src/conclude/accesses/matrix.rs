//! The communication matrix: what each thread moves from and to the data of each other one, from
//! events and sums alike.

use std::collections::BTreeMap;

use pgas_result::communication::{Communication, Flow, MOST_THREADS_IN_FULL, Pair};
use pgas_trace::model::ThreadId;

use super::locality::Sums;
use crate::model::clock::Times;
use crate::model::nodes::Nodes;
use crate::pipeline::search::Found;
use crate::threads::one_sided::profile::ThreadAccesses;
use crate::threads::one_sided::traffic::{Direction, Totals};

/// Pairs that are kept of a run with too many threads for all of them.
const MOST_PAIRS: usize = 1000;

/// The matrix; `None` if there were no one-sided operations. Without `nodes` it is not known on
/// which node each thread ran. `own_recorded`: so were accesses to own data.
pub(crate) fn communication(
    found: &Found,
    times: &Times,
    nodes: Option<&Nodes>,
    own_recorded: bool,
) -> Option<Communication> {
    let threads = found.threads.len();
    let mut by_thread = vec![Flow::default(); threads];
    let mut by_owner = vec![Flow::default(); threads];
    let mut unknown = Flow::default();
    let mut pairs: Vec<Pair> = Vec::new();
    let in_full = threads <= MOST_THREADS_IN_FULL;
    let mut complete = true;
    let mut locality = nodes.map(|nodes| Sums::new(nodes, threads));
    for (thread, profile) in found.threads.iter().enumerate() {
        for (owner, flow) in row(&profile.accesses, times) {
            add(&mut by_thread[thread], &flow);
            match by_owner.get_mut(owner as usize) {
                Some(sum) => add(sum, &flow),
                None => {
                    add(&mut unknown, &flow);
                    continue;
                }
            }
            if let Some(sums) = &mut locality {
                let untimed = profile.accesses.untimed.get(&owner).copied();
                sums.add(thread as ThreadId, owner, &flow, untimed.unwrap_or(0));
            }
            pairs.push(Pair {
                thread: thread as u32,
                owner,
                flow,
            });
        }
        let nobody = &profile.accesses.unknown;
        let flow = Flow {
            seconds: times.length(nobody.ticks as f64),
            operations: nobody.accesses,
            ..Flow::default()
        };
        add(&mut by_thread[thread], &flow);
        add(&mut unknown, &flow);
        // As many rows as are in memory at a time anyway: the cut is made where it would become
        // more.
        if !in_full && pairs.len() > 4 * MOST_PAIRS {
            complete = false;
            keep_largest(&mut pairs);
        }
    }
    if by_thread.iter().all(|flow| flow.operations == 0) {
        return None;
    }
    if !in_full && pairs.len() > MOST_PAIRS {
        complete = false;
        keep_largest(&mut pairs);
    }
    pairs.sort_by_key(|pair| (pair.thread, pair.owner));
    Some(Communication {
        complete,
        pairs,
        by_thread,
        by_owner,
        unknown: (unknown.operations > 0).then_some(unknown),
        locality: locality.map(|sums| sums.result(own_recorded)),
    })
}

/// Leaves the pairs with most time, and of equal ones those with most bytes.
fn keep_largest(pairs: &mut Vec<Pair>) {
    pairs.sort_by(|a, b| {
        let by_time = b.flow.seconds.total_cmp(&a.flow.seconds);
        let by_bytes = b.flow.bytes().total_cmp(&a.flow.bytes());
        let by_number = (a.thread, a.owner).cmp(&(b.thread, b.owner));
        by_time.then(by_bytes).then(by_number)
    });
    pairs.truncate(MOST_PAIRS);
}

/// Traffic of one thread, by owner of the data.
fn row(accesses: &ThreadAccesses, times: &Times) -> BTreeMap<ThreadId, Flow> {
    let mut row: BTreeMap<ThreadId, BTreeMap<Direction, Totals>> = BTreeMap::new();
    let at_paths = accesses.paths.values().flat_map(|at| &at.owners);
    for (&(owner, direction), totals) in at_paths.chain(&accesses.elsewhere) {
        let owner = row.entry(owner).or_default();
        owner.entry(direction).or_default().add(totals);
    }
    let flow = |sums: BTreeMap<Direction, Totals>| {
        let mut flow = Flow::default();
        for (direction, totals) in sums {
            flow.operations = flow.operations.saturating_add(totals.accesses);
            flow.seconds += times.length(totals.ticks as f64);
            let (gets, puts) = match direction {
                Direction::Get => (true, false),
                Direction::Put => (false, true),
                Direction::Within => (true, true),
                Direction::Either => {
                    flow.either_bytes = flow.either_bytes.saturating_add(totals.bytes);
                    (false, false)
                }
            };
            if gets {
                flow.gets = flow.gets.saturating_add(totals.accesses);
                flow.get_bytes = flow.get_bytes.saturating_add(totals.bytes);
            }
            if puts {
                flow.puts = flow.puts.saturating_add(totals.accesses);
                flow.put_bytes = flow.put_bytes.saturating_add(totals.bytes);
            }
        }
        flow
    };
    row.into_iter()
        .map(|(owner, sums)| (owner, flow(sums)))
        .collect()
}

fn add(sum: &mut Flow, flow: &Flow) {
    sum.operations = sum.operations.saturating_add(flow.operations);
    sum.gets = sum.gets.saturating_add(flow.gets);
    sum.get_bytes = sum.get_bytes.saturating_add(flow.get_bytes);
    sum.puts = sum.puts.saturating_add(flow.puts);
    sum.put_bytes = sum.put_bytes.saturating_add(flow.put_bytes);
    sum.either_bytes = sum.either_bytes.saturating_add(flow.either_bytes);
    sum.seconds += flow.seconds;
}
