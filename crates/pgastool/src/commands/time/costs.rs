//! Which operations say what a machine costs, and their costs by what drivers reported.

use super::measuring::Run;
use pgas_machine::{Distance, Measured, Point, Role};
use pgas_timing::record::{Record, Start, Timing};
use std::collections::{BTreeMap, BTreeSet};

/// Whose data an operation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One partner's, whose distance matters.
    OfPartner,
    /// That of all threads, or nobody's.
    Anywhere,
}

/// Use of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// For the analysis.
    pub role: Role,
    /// Whose data it is about.
    pub place: Place,
}

/// Operations by name, with the model as results name it.
#[rustfmt::skip]
const OPERATIONS: [(&str, Role, Place); 43] = {
    use Place::{Anywhere, OfPartner};
    use Role::{Allocation, Atomic, Barrier, BlockRead, BlockWrite, Collective, Lock, Read, Write};
    [
        ("shared_read", Read, OfPartner),
        ("shared_write", Write, OfPartner),
        ("upc_memget", BlockRead, OfPartner),
        ("upc_memput", BlockWrite, OfPartner),
        ("upc_atomic_relaxed", Atomic, OfPartner),
        ("upc_lock", Lock, OfPartner),
        ("upc_lock_unlock", Lock, OfPartner),
        ("upc_barrier", Barrier, Anywhere),
        ("upc_all_broadcast", Collective, Anywhere),
        ("upc_all_scatter", Collective, Anywhere),
        ("upc_all_gather", Collective, Anywhere),
        ("upc_all_gather_all", Collective, Anywhere),
        ("upc_all_exchange", Collective, Anywhere),
        ("upc_all_permute", Collective, Anywhere),
        ("upc_all_alloc", Allocation, Anywhere),
        ("upc_alloc", Allocation, Anywhere),
        ("upc_global_alloc", Allocation, Anywhere),
        ("MPI_Get", BlockRead, OfPartner),
        ("MPI_Put", BlockWrite, OfPartner),
        ("MPI_Fetch_and_op", Atomic, OfPartner),
        ("MPI_Barrier", Barrier, Anywhere),
        ("MPI_Bcast", Collective, Anywhere),
        ("MPI_Gather", Collective, Anywhere),
        ("MPI_Scatter", Collective, Anywhere),
        ("MPI_Allgather", Collective, Anywhere),
        ("MPI_Alltoall", Collective, Anywhere),
        ("MPI_Reduce", Collective, Anywhere),
        ("MPI_Allreduce", Collective, Anywhere),
        ("MPI_Win_fence", Barrier, Anywhere),
        ("MPI_Win_allocate", Allocation, Anywhere),
        ("shmem_long_g", Read, OfPartner),
        ("shmem_long_p", Write, OfPartner),
        ("shmem_getmem", BlockRead, OfPartner),
        ("shmem_putmem", BlockWrite, OfPartner),
        ("shmem_atomic_fetch_add", Atomic, OfPartner),
        ("shmem_set_clear_lock", Lock, Anywhere),
        ("shmem_barrier_all", Barrier, Anywhere),
        ("shmem_sync_all", Barrier, Anywhere),
        ("shmem_broadcast64", Collective, Anywhere),
        ("shmem_fcollect64", Collective, Anywhere),
        ("shmem_alltoall64", Collective, Anywhere),
        ("shmem_sum_to_all", Collective, Anywhere),
        ("shmem_malloc", Allocation, Anywhere),
    ]
};

/// Use of the operation of a name; `None` if analyses do not need it.
pub fn kind(name: &str) -> Option<Kind> {
    let mut operations = OPERATIONS.iter();
    let (_, role, place) = operations.find(|(known, ..)| *known == name)?;
    Some(Kind {
        role: *role,
        place: *place,
    })
}

/// Name of the model, as results have it.
fn model(name: &str) -> &'static str {
    match name {
        name if name.starts_with("MPI_") => "mpi",
        name if name.starts_with("shmem_") => "openshmem",
        _ => "upc",
    }
}

/// Costs of all operations that were timed, in the order of their names and arguments.
pub fn of_runs(runs: &[Run]) -> Vec<Measured> {
    let mut found: BTreeMap<(String, BTreeMap<String, String>), Measured> = BTreeMap::new();
    for run in runs {
        let mut start = None;
        for record in &run.records {
            match record {
                Record::Start(begun) => start = Some(begun),
                Record::Timing(timing) => add(&mut found, timing, start),
                _ => {}
            }
        }
    }
    let mut all: Vec<Measured> = found.into_values().collect();
    for measured in &mut all {
        let order = |point: &Point| (point.threads, point.nodes, point.bytes);
        measured.points.sort_by_key(order);
    }
    all
}

fn add(
    found: &mut BTreeMap<(String, BTreeMap<String, String>), Measured>,
    timing: &Timing,
    start: Option<&Start>,
) {
    let case = &timing.what;
    let (Some(kind), Some(start)) = (kind(&case.operation), start) else {
        return;
    };
    let figures = timing.summary;
    let (low, high) = figures.interval;
    // Of too few launches there is no interval, and nothing can be concluded from them.
    if ![figures.mean, low, high]
        .iter()
        .all(|time| time.is_finite())
    {
        return;
    }
    let mut arguments = case.arguments.clone();
    let distance = match arguments.remove("partner").as_deref() {
        Some("own") => Some(Distance::Own),
        Some("near") => Some(Distance::Near),
        Some("far") => Some(Distance::Far),
        _ => None,
    };
    let key = (case.operation.clone(), case.arguments.clone());
    let measured = found.entry(key).or_insert_with(|| Measured {
        model: model(&case.operation).to_owned(),
        implementation: start.implementation.clone(),
        role: kind.role,
        operation: case.operation.clone(),
        arguments,
        distance,
        points: Vec::new(),
    });
    let nodes: BTreeSet<usize> = start.nodes.iter().copied().collect();
    measured.points.push(Point {
        threads: timing.threads as u32,
        nodes: nodes.len() as u32,
        have_cores: start.have_cores,
        bytes: case.bytes,
        seconds: figures.mean,
        interval: figures.interval,
    });
}
