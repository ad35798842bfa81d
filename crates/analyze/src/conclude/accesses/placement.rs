//! Threads on the wrong node: what they exchange with other threads goes mostly to one other node,
//! and swapping them with a thread there would keep it within a node.
//!
//! Swapping two threads leaves the number of threads of each node as it is, and what it brings
//! follows from the matrix: what either exchanges with the other's node, less what it exchanges
//! with its own, and less twice what the two exchange with each other, which goes between nodes
//! before and after. So an exchange of all with all, or neighbours of which only those at the ends
//! of nodes are apart, are left as they are.

use std::collections::{BTreeMap, HashMap};

use pgas_earl::PathId;
use pgas_result::accesses::{MisplacedThread, Placement};
use pgas_trace::model::ThreadId;

use super::Basis;
use crate::threads::one_sided::traffic::Totals;

/// Share of what a thread exchanges with others that must be with one other node.
const MOSTLY: f64 = 0.6;
/// Share of what a thread exchanges with other nodes that a swap must bring on one node, on
/// balance.
const LEAST_GAIN: f64 = 0.5;
/// Share of the time of all threads that must be in such transfers.
const LEAST_SHARE: f64 = 0.01;
/// Pairs of threads up to which it is looked for.
const MOST_PAIRS: usize = 1 << 21;

/// Bytes and operations that are exchanged. A placement must be better for both: bytes count for
/// large transfers, operations for small ones.
#[derive(Debug, Clone, Copy, Default)]
struct Amount {
    bytes: f64,
    operations: f64,
}

impl Amount {
    fn of(totals: &Totals) -> Self {
        Amount {
            bytes: totals.bytes as f64,
            operations: totals.accesses as f64,
        }
    }

    fn add(&mut self, other: Amount) {
        self.bytes += other.bytes;
        self.operations += other.operations;
    }

    fn less(self, other: Amount, times: f64) -> Self {
        Amount {
            bytes: self.bytes - times * other.bytes,
            operations: self.operations - times * other.operations,
        }
    }

    /// Whether it is no less than a share of another amount.
    fn reaches(self, share: f64, of: Amount) -> bool {
        self.bytes >= share * of.bytes && self.operations >= share * of.operations
    }
}

/// Data that threads exchange, whichever of the two accesses the other's data.
struct Exchanges {
    pairs: HashMap<(ThreadId, ThreadId), Amount>,
    /// By thread: with the threads of each node, the thread itself left out.
    by_node: Vec<BTreeMap<usize, Amount>>,
}

impl Exchanges {
    /// `None` if there are too many pairs.
    fn of(basis: &Basis) -> Option<Self> {
        let threads = &basis.found.threads;
        let mut exchanges = Exchanges {
            pairs: HashMap::new(),
            by_node: vec![BTreeMap::new(); threads.len()],
        };
        for (thread, profile) in (0..).zip(threads) {
            let at_paths = profile.accesses.paths.values().flat_map(|at| &at.owners);
            for (&(owner, _), totals) in at_paths.chain(&profile.accesses.elsewhere) {
                exchanges.note(basis, thread, owner, Amount::of(totals));
            }
            if exchanges.pairs.len() > MOST_PAIRS {
                return None;
            }
        }
        Some(exchanges)
    }

    fn note(&mut self, basis: &Basis, thread: ThreadId, owner: ThreadId, amount: Amount) {
        let nodes = (basis.nodes.of(thread), basis.nodes.of(owner));
        let (Some(node), Some(owner_node), true) = (nodes.0, nodes.1, thread != owner) else {
            return;
        };
        let pair = (thread.min(owner), thread.max(owner));
        self.pairs.entry(pair).or_default().add(amount);
        let of_thread = &mut self.by_node[thread as usize];
        of_thread.entry(owner_node).or_default().add(amount);
        let of_owner = &mut self.by_node[owner as usize];
        of_owner.entry(node).or_default().add(amount);
    }

    fn between(&self, a: ThreadId, b: ThreadId) -> Amount {
        let pair = (a.min(b), a.max(b));
        self.pairs.get(&pair).copied().unwrap_or_default()
    }

    fn with_node(&self, thread: ThreadId, node: usize) -> Amount {
        let of_thread = &self.by_node[thread as usize];
        of_thread.get(&node).copied().unwrap_or_default()
    }

    fn with_all(&self, thread: ThreadId) -> Amount {
        let mut sum = Amount::default();
        let nodes = self.by_node[thread as usize].values();
        nodes.for_each(|amount| sum.add(*amount));
        sum
    }

    /// Bytes that no longer go between nodes, on balance, if two threads of these nodes are
    /// swapped.
    fn gain(&self, (thread, node): (ThreadId, usize), (other, there): (ThreadId, usize)) -> Amount {
        let mut gain = self.with_node(thread, there);
        gain.add(self.with_node(other, node));
        let lost = [self.with_node(thread, node), self.with_node(other, there)];
        let gain = lost
            .into_iter()
            .fold(gain, |gain, lost| gain.less(lost, 1.0));
        gain.less(self.between(thread, other), 2.0)
    }
}

/// A thread that another node would be better for.
struct Candidate {
    thread: ThreadId,
    node: usize,
    partner_node: usize,
    swap_with: ThreadId,
    with_partner: Amount,
    with_all: Amount,
}

/// Call paths at which such threads spend time on the way to the other node, that with most time
/// first.
pub(super) fn search(basis: &Basis) -> Vec<Placement> {
    if !basis.nodes.are_several() {
        return Vec::new();
    }
    let Some(exchanges) = Exchanges::of(basis) else {
        return Vec::new();
    };
    let threads = 0..basis.found.threads.len() as ThreadId;
    let candidates: Vec<Candidate> = threads
        .filter_map(|thread| candidate(basis, &exchanges, thread))
        .collect();
    let mut by_path: BTreeMap<PathId, (u64, Vec<MisplacedThread>)> = BTreeMap::new();
    for candidate in &candidates {
        for (path, ticks) in ticks_by_path(basis, candidate) {
            let at = by_path.entry(path).or_default();
            at.0 = at.0.saturating_add(ticks);
            at.1.push(MisplacedThread {
                thread: candidate.thread,
                node: candidate.node,
                partner_node: candidate.partner_node,
                swap_with: candidate.swap_with,
                percent: 100.0 * candidate.with_partner.bytes / candidate.with_all.bytes,
                bytes: candidate.with_partner.bytes as u64,
                seconds: basis.seconds(ticks as f64),
            });
        }
    }
    let all: u64 = by_path.values().map(|(ticks, _)| ticks).sum();
    if (all as f64) < LEAST_SHARE * basis.total as f64 {
        return Vec::new();
    }
    let notable = by_path
        .into_iter()
        .filter(|(_, (ticks, _))| basis.is_notable(*ticks as f64));
    let mut notable: Vec<_> = notable.collect();
    notable.sort_by_key(|(path, (ticks, _))| (std::cmp::Reverse(*ticks), basis.place(*path)));
    let placement = |(path, (_, threads))| Placement {
        call_path: basis.place(path),
        threads,
    };
    notable.into_iter().map(placement).collect()
}

fn candidate(basis: &Basis, exchanges: &Exchanges, thread: ThreadId) -> Option<Candidate> {
    let node = basis.nodes.of(thread)?;
    let others = exchanges.by_node[thread as usize].iter();
    let others = others.filter(|(other, _)| **other != node);
    let (&partner_node, &with_partner) = others
        .clone()
        .max_by(|a, b| a.1.bytes.total_cmp(&b.1.bytes).then(b.0.cmp(a.0)))?;
    let with_all = exchanges.with_all(thread);
    if with_partner.bytes <= 0.0 || !with_partner.reaches(MOSTLY, with_all) {
        return None;
    }
    let far = with_all.less(exchanges.with_node(thread, node), 1.0);
    let gains = basis.nodes.threads(partner_node).map(|other| {
        let gain = exchanges.gain((thread, node), (other, partner_node));
        (other, gain)
    });
    let (swap_with, _) = gains
        .filter(|(_, gain)| gain.reaches(LEAST_GAIN, far))
        .max_by(|a, b| a.1.bytes.total_cmp(&b.1.bytes).then(b.0.cmp(&a.0)))?;
    Some(Candidate {
        thread,
        node,
        partner_node,
        swap_with,
        with_partner,
        with_all,
    })
}

/// Ticks of a thread in operations on data of the other node, as far as call paths distinguish
/// owners.
fn ticks_by_path(basis: &Basis, candidate: &Candidate) -> BTreeMap<PathId, u64> {
    let profile = &basis.found.threads[candidate.thread as usize];
    let mut by_path = BTreeMap::new();
    for (&path, at) in &profile.accesses.paths {
        let there = at.owners.iter();
        let there =
            there.filter(|((owner, _), _)| basis.nodes.of(*owner) == Some(candidate.partner_node));
        let ticks: u64 = there.map(|(_, totals)| totals.ticks).sum();
        if ticks > 0 {
            by_path.insert(path, ticks);
        }
    }
    by_path
}
