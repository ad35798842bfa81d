//! Fine-grained access: runs of small accesses, and what block transfers in their place would save
//! at most.

use pgas_earl::PathId;
use pgas_machine::{Distance, Role};
use pgas_result::accesses::{BlockTransfer, CostSource, FineGrained, ThreadRuns};
use pgas_trace::model::Operation;
use pgas_trace::models::of_site;

use super::Basis;
use crate::conclude::machine::distance;
use crate::threads::one_sided::blocks::{BlockCost, BlockSums};
use crate::threads::one_sided::direction;
use crate::threads::one_sided::profile::PathAccesses;
use crate::threads::one_sided::runs::Runs;
use crate::threads::one_sided::traffic::Direction;

/// Bytes per second that block transfers are taken to reach where the run made none to learn from:
/// about what one core copies in memory. Networks are slower, but what is saved is a bound from
/// above.
const BANDWIDTH: f64 = 1e10;

/// Call paths with runs whose time is worth a word.
pub(super) fn search(basis: &Basis) -> Vec<FineGrained> {
    let blocks = [Direction::Get, Direction::Put].map(|direction| blocks(basis, direction));
    let paths = basis.paths().into_iter();
    let found = paths.filter_map(|(path, operation)| {
        let blocks = &blocks[usize::from(direction(operation) == Direction::Put)];
        at_path(basis, path, operation, blocks)
    });
    found.collect()
}

/// The run's own block transfers, of all threads together.
fn blocks(basis: &Basis, direction: Direction) -> BlockSums {
    let mut sums = BlockSums::default();
    for thread in &basis.found.threads {
        sums.add(&thread.accesses.blocks[direction as usize]);
    }
    sums
}

/// Cost of a block transfer, in ticks, and the source of that figure, the best there is. `fastest`
/// is the duration of the fastest access in question, in ticks, and `bytes` the mean size of the
/// block.
fn block_cost(
    basis: &Basis,
    path: PathId,
    blocks: &BlockSums,
    fastest: u64,
    bytes: f64,
) -> (BlockCost, CostSource) {
    if let Some(cost) = on_machine(basis, path, bytes) {
        return (cost, CostSource::Machine);
    }
    if let Some(fit) = blocks.fit() {
        return (fit, CostSource::Fitted);
    }
    let latency = fastest as f64;
    match blocks.per_byte() {
        Some(per_byte) => (BlockCost { latency, per_byte }, CostSource::Rate),
        None => {
            let per_byte = 1.0 / BANDWIDTH / basis.times.per_tick;
            (BlockCost { latency, per_byte }, CostSource::Assumed)
        }
    }
}

/// Cost of a block transfer of about `bytes` to where most of the accesses at a path go, if the machine was
/// measured.
fn on_machine(basis: &Basis, path: PathId, bytes: f64) -> Option<BlockCost> {
    let site = basis.found.matcher.paths().site(path)?;
    let model = of_site(site, basis.runtime)?;
    let role = match direction(site.operation) {
        Direction::Get => Role::BlockRead,
        Direction::Put => Role::BlockWrite,
        Direction::Within | Direction::Either => return None,
    };
    let (mut near, mut far) = (0u64, 0u64);
    for (thread, at) in basis.at(path) {
        for (&(owner, _), totals) in &at.owners {
            match distance(basis.nodes, thread, owner) {
                Distance::Own => {}
                Distance::Near => near += totals.accesses,
                Distance::Far => far += totals.accesses,
            }
        }
    }
    let most = if far > near {
        Distance::Far
    } else {
        Distance::Near
    };
    let transfer = basis
        .machine?
        .transfer_near(model.id(), role, most, bytes)?;
    let ticks = |seconds: f64| seconds / basis.times.per_tick;
    Some(BlockCost {
        latency: ticks(transfer.latency),
        per_byte: ticks(transfer.per_byte),
    })
}

fn at_path(
    basis: &Basis,
    path: PathId,
    operation: Operation,
    blocks: &BlockSums,
) -> Option<FineGrained> {
    if operation == Operation::Memcpy {
        return None;
    }
    let mut runs = Runs::default();
    basis.at(path).for_each(|(_, at)| runs.add(&at.runs));
    let all = runs.all();
    let site = basis.found.matcher.paths().site(path)?;
    let is_assumed = 2 * runs.assumed.runs > all.runs;
    // Without addresses, samples say whether what follows each other in time does so in memory.
    let sampled = basis.sampled.use_at(site).is_block().filter(|_| is_assumed);
    if all.runs == 0 || sampled == Some(false) {
        return None;
    }
    let fastest = basis.at(path).filter_map(|(_, at)| at.fastest).min();
    let bytes = all.block_bytes as f64 / all.runs as f64;
    let (cost, source) = block_cost(basis, path, blocks, fastest.unwrap_or(0), bytes);
    let of_threads = basis.at(path).filter(|(_, at)| at.runs.all().runs > 0);
    let threads: Vec<ThreadRuns> = of_threads
        .map(|(thread, at)| {
            let runs = at.runs.all();
            let scale = throttled(at, thread);
            // They take as long as was estimated, which is less than those in the trace if these
            // waited for the recorder.
            let throttled_ticks = throttled_ticks(at, thread, runs.ticks);
            let measured = runs.accesses as f64 * basis.clock(thread);
            let spent = (runs.ticks as f64 - measured).max(0.0) + throttled_ticks;
            let saved = (spent - scale * cost.of(runs.runs, runs.block_bytes)).max(0.0);
            let many = |count: u64| (count as f64 * scale).round() as u64;
            ThreadRuns {
                thread,
                runs: many(runs.runs),
                accesses: many(runs.accesses),
                bytes: many(runs.bytes),
                seconds: basis.seconds(runs.ticks as f64 + throttled_ticks),
                saves_seconds: basis.seconds(saved),
            }
        })
        .collect();
    let spent: f64 = threads.iter().map(|runs| runs.seconds).sum();
    if !basis.is_notable(spent / basis.times.per_tick) {
        return None;
    }
    let mostly_strided = 2 * runs.strided.runs > all.runs;
    Some(FineGrained {
        call_path: basis.place(path),
        threads,
        longest: all.longest,
        assumed: is_assumed && sampled.is_none(),
        stride: runs.stride.filter(|_| mostly_strided),
        block: BlockTransfer {
            latency_seconds: basis.seconds(cost.latency),
            bytes_per_second: (cost.per_byte > 0.0).then(|| 1.0 / basis.seconds(cost.per_byte)),
            source,
        },
    })
}

/// Accesses that were throttled are taken to be like those of which there are events: the ratio of
/// all to these.
fn throttled(at: &PathAccesses, thread: u32) -> f64 {
    let (all, recorded) = (at.remote(thread).accesses, at.recorded.accesses);
    match recorded {
        0 => 1.0,
        _ => (all as f64 / recorded as f64).max(1.0),
    }
}

/// Estimated ticks of throttled accesses that are like those of which there are events, which take
/// `ticks`.
fn throttled_ticks(at: &PathAccesses, thread: u32, ticks: u64) -> f64 {
    let (all, recorded) = (at.remote(thread).ticks, at.recorded.ticks);
    match recorded {
        0 => 0.0,
        _ => all.saturating_sub(recorded) as f64 * (ticks as f64 / recorded as f64).min(1.0),
    }
}
