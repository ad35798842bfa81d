//! Layout that does not fit the loop: a loop gives each thread a piece of the array while the
//! elements are dealt out in turn, or deals them out in turn while each thread owns a piece. Every
//! element has one user then, and another block size would give it to that one. Only for single
//! accesses whose addresses were recorded, by three threads or more.

use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::accesses::{LayoutMismatch, LayoutUse, ThreadShare};
use pgas_trace::model::{Operation, ThreadId};

use super::Basis;
use crate::threads::one_sided::profile::PathAccesses;
use crate::threads::one_sided::runs::Runs;
use crate::threads::one_sided::traffic::Totals;

/// How many times the accesses to one owner may be those to another one where they are even.
const EVEN: u64 = 2;

pub(super) fn search(basis: &Basis) -> Vec<LayoutMismatch> {
    let mut found = Vec::new();
    for (path, operation) in basis.paths_with_layouts() {
        let single = matches!(
            operation,
            Operation::Get | Operation::Put | Operation::NonBlockingGet | Operation::NonBlockingPut
        );
        if basis.found.threads.len() < 3 || !single {
            continue;
        }
        let Some(used) = use_of(basis, path) else {
            continue;
        };
        let threads: Vec<ThreadShare> = basis
            .at(path)
            .map(|(thread, at)| {
                let remote = at.remote(thread);
                ThreadShare {
                    thread,
                    accesses: remote.accesses,
                    seconds: basis.seconds(remote.ticks as f64),
                }
            })
            .collect();
        let spent: f64 = threads.iter().map(|thread| thread.seconds).sum();
        if basis.is_notable(spent / basis.times.per_tick) {
            found.push(LayoutMismatch {
                call_path: basis.place(path),
                used,
                threads,
            });
        }
    }
    found
}

/// How the elements are used, if that is not how they are laid out.
fn use_of(basis: &Basis, path: PathId) -> Option<LayoutUse> {
    let threads = basis.found.threads.len() as u64;
    let (mut runs, mut remote, mut switches, mut users) =
        (Runs::default(), Totals::default(), 0, 0);
    for (thread, at) in basis.at(path) {
        if !is_even(at, thread, threads) {
            return None;
        }
        runs.add(&at.runs);
        remote.add(&at.recorded);
        switches += at.switches;
        users += 1;
    }
    if users < 2 || remote.accesses == 0 {
        return None;
    }
    let all = runs.all();
    let strided = 2 * runs.strided.accesses > remote.accesses && 2 * runs.strided.runs > all.runs;
    let size = remote.bytes / remote.accesses;
    if strided && runs.stride == Some(threads * size) {
        return Some(LayoutUse::InTurn);
    }
    let changing = 2 * switches > remote.accesses;
    (changing && are_apart(basis, path)).then_some(LayoutUse::InPieces)
}

/// Whether a thread accesses all others' data about equally often.
fn is_even(at: &PathAccesses, thread: ThreadId, threads: u64) -> bool {
    let others = at.owners.iter().filter(|((owner, _), _)| *owner != thread);
    let counts: Vec<u64> = others.map(|(_, totals)| totals.accesses).collect();
    let (least, most) = (counts.iter().min(), counts.iter().max());
    let scattered = at.scattered.iter().any(|totals| totals.accesses > 0);
    match (least, most) {
        (Some(&least), Some(&most)) => {
            !scattered && counts.len() as u64 == threads - 1 && most <= EVEN * least
        }
        _ => false,
    }
}

/// Whether each owner's data is used by every thread at places of its own.
fn are_apart(basis: &Basis, path: PathId) -> bool {
    let mut pieces: BTreeMap<ThreadId, Vec<(u64, u64)>> = BTreeMap::new();
    for (_, at) in basis.at(path) {
        for &(owner, _) in at.owners.keys() {
            let Some(&piece) = at.extents.get(&owner) else {
                return false;
            };
            pieces.entry(owner).or_default().push(piece);
        }
    }
    pieces.values_mut().all(|pieces| {
        pieces.sort_unstable();
        pieces.windows(2).all(|pair| pair[0].1 <= pair[1].0)
    })
}
