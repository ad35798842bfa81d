//! Data on the wrong side: owners whose data one other thread uses more than everybody else
//! together, at a call path and in the whole run. Only small accesses count: who moves blocks means
//! to communicate.

use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::accesses::{Misplaced, WrongSide};
use pgas_trace::model::{Operation, ThreadId};

use super::Basis;
use crate::conclude::accesses::distribution::whole_pieces;
use crate::threads::one_sided::blocks::SMALL;
use crate::threads::one_sided::traffic::Totals;

/// Share of all bytes that a thread must move to be the one that uses the data.
const MOSTLY: f64 = 0.6;
/// Share of a path's accesses that may go to owners that were not distinguished.
const MOST_SCATTERED: f64 = 0.1;
/// Owners from which on it is taken for a system, even if it is not known what they do with their
/// data themselves.
const SEVERAL: usize = 2;
/// Share of all bytes, at a call path and in the whole run, that must become local for a shift to
/// help.
const NEARLY_ALL: f64 = 0.9;
const MOST: f64 = 0.8;
/// Share of misplaced bytes that a common shift must explain.
const SYSTEMATIC: f64 = 0.9;

/// By owner, then by thread that accesses its data.
type Use = BTreeMap<ThreadId, BTreeMap<ThreadId, Totals>>;

pub(super) fn search(basis: &Basis) -> Vec<WrongSide> {
    let paths = basis.paths_with_layouts();
    let mut in_all = Use::new();
    for &(path, _) in &paths {
        for (owner, users) in at_path(basis, path) {
            let sums = in_all.entry(owner).or_default();
            for (thread, totals) in users {
                sums.entry(thread).or_default().add(&totals);
            }
        }
    }
    let moved_in_all = moved_by_user(&in_all);
    let mains: BTreeMap<ThreadId, ThreadId> = in_all
        .iter()
        .filter_map(|(&owner, users)| Some((owner, main_user(users)?.0)))
        .collect();
    // Block operations on own data are always recorded.
    let own_recorded = paths.iter().any(|&(path, operation)| {
        matches!(operation, Operation::Get | Operation::Put)
            && basis.at(path).any(|(_, at)| at.recorded_own.accesses > 0)
    });
    let small = paths.into_iter().filter(|&(path, operation)| {
        operation != Operation::Memcpy && is_small(basis, path) && !is_scattered(basis, path)
    });
    let threads = basis.found.threads.len() as u32;
    let found = small.filter_map(|(path, _)| {
        let uses = at_path(basis, path);
        let moved = moved_by_user(&uses);
        let data = misplaced(basis, uses, &mains);
        let ticks: f64 = data.iter().map(|d| d.seconds / basis.times.per_tick).sum();
        // Of two threads, each one's only other is the other one. And that nobody but the next
        // thread uses a thread's data, the thread itself apart, is so at every boundary:
        // unless it is the whole piece that is used.
        let shift = shift(&data, threads);
        let known = match shift {
            Some(shift) => {
                let helps = |users: &BTreeMap<_, _>, share| shifted(users, shift, threads) >= share;
                let is_known = own_recorded || threads > 2 && whole_pieces(basis, path);
                is_known && helps(&moved, NEARLY_ALL) && helps(&moved_in_all, MOST)
            }
            None => {
                let one_user = data.windows(2).all(|pair| pair[0].thread == pair[1].thread);
                let several = data.len() >= SEVERAL && threads > 2;
                own_recorded || several && (one_user || whole_pieces(basis, path))
            }
        };
        (known && basis.is_notable(ticks)).then(|| WrongSide {
            call_path: basis.place(path),
            shift,
            data,
            own_recorded,
        })
    });
    found.collect()
}

/// Bytes by owner and thread that accesses them.
fn moved_by_user(uses: &Use) -> BTreeMap<(ThreadId, ThreadId), f64> {
    let pairs = uses.iter().flat_map(|(&owner, users)| {
        let users = users.iter();
        users.map(move |(&thread, totals)| ((owner, thread), totals.bytes as f64))
    });
    pairs.collect()
}

/// Share of the bytes that are moved by the thread that is so far from their owner.
fn shifted(moved: &BTreeMap<(ThreadId, ThreadId), f64>, shift: u32, threads: u32) -> f64 {
    let all: f64 = moved.values().sum();
    let far = moved
        .iter()
        .filter(|((owner, thread), _)| (owner + threads - thread) % threads == shift);
    far.map(|(_, bytes)| bytes).sum::<f64>() / all.max(1.0)
}

fn at_path(basis: &Basis, path: PathId) -> Use {
    let threads = basis.found.threads.len();
    let mut uses = Use::new();
    for (thread, at) in basis.at(path) {
        for (&(owner, _), totals) in &at.owners {
            if (owner as usize) < threads {
                let users = uses.entry(owner).or_default();
                users.entry(thread).or_default().add(totals);
            }
        }
    }
    uses
}

/// The thread that moves most of the bytes, and its share, if that is enough.
fn main_user(users: &BTreeMap<ThreadId, Totals>) -> Option<(ThreadId, f64)> {
    let all: f64 = users.values().map(|totals| totals.bytes as f64).sum();
    let (&thread, most) = users.iter().max_by_key(|(_, totals)| totals.bytes)?;
    let share = most.bytes as f64 / all;
    (share >= MOSTLY).then_some((thread, share))
}

/// Owners whose data another thread uses, here as in the whole run.
fn misplaced(basis: &Basis, uses: Use, mains: &BTreeMap<ThreadId, ThreadId>) -> Vec<Misplaced> {
    let mut data = Vec::new();
    for (owner, users) in uses {
        let Some((thread, share)) = main_user(&users) else {
            continue;
        };
        if thread == owner || mains.get(&owner) != Some(&thread) {
            continue;
        }
        let totals = users[&thread];
        data.push(Misplaced {
            owner,
            thread,
            percent: 100.0 * share,
            accesses: totals.accesses,
            bytes: totals.bytes,
            seconds: basis.seconds(totals.ticks as f64),
        });
    }
    data
}

/// The distance from user to owner that nearly all have in common; several threads must have it.
fn shift(data: &[Misplaced], threads: u32) -> Option<u32> {
    let distance = |d: &Misplaced| (d.owner + threads - d.thread) % threads;
    let mut bytes: BTreeMap<u32, (f64, usize)> = BTreeMap::new();
    for d in data {
        let (sum, pairs) = bytes.entry(distance(d)).or_default();
        *sum += d.bytes as f64;
        *pairs += 1;
    }
    let all: f64 = bytes.values().map(|(sum, _)| sum).sum();
    let (&shift, &(sum, pairs)) = bytes.iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    (pairs >= 2 && sum >= SYSTEMATIC * all).then_some(shift)
}

fn is_small(basis: &Basis, path: PathId) -> bool {
    let mut all = Totals::default();
    for (thread, at) in basis.at(path) {
        all.add(&at.remote(thread));
    }
    all.accesses > 0 && all.bytes < SMALL.saturating_mul(all.accesses)
}

fn is_scattered(basis: &Basis, path: PathId) -> bool {
    let (mut all, mut scattered) = (Totals::default(), Totals::default());
    for (thread, at) in basis.at(path) {
        all.add(&at.remote(thread));
        at.scattered.iter().for_each(|totals| scattered.add(totals));
    }
    scattered.accesses as f64 > MOST_SCATTERED * all.accesses as f64
}
