//! The books of the search: how much time each thread lost to each pattern at each call path, and for each pattern
//! and call path how often, when it was worst, and who and what was the cause. Its size depends on threads and
//! call paths, not on the number of instances.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use pgas_trace::Clocks;
use rustc_hash::FxHashMap;

use crate::claims::{Charge, Claims};
use crate::patterns::PATTERNS;

/// The instance that cost most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worst {
    /// Ticks; when the first thread began to wait.
    pub begin: u64,
    /// Ticks, summed over threads.
    pub ticks: u64,
    /// The thread that was waited for.
    pub culprit: Option<ThreadId>,
}

/// What one pattern cost at one call path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// By thread: ticks lost.
    pub ticks: Vec<u64>,
    /// Instances in which somebody lost time.
    pub instances: u64,
    pub worst: Option<Worst>,
    /// By thread: how often it was the one waited for.
    pub culprits: Vec<u64>,
    /// By thread: ticks that others lost to it.
    pub caused: Vec<u64>,
    /// What those waited for did instead, by call path: ticks of waiting that it accounts for.
    pub causes: FxHashMap<PathId, u64>,
    /// Ticks of waiting that each time was shorter than the uncertainty of the two clocks concerned.
    pub below_uncertainty: u64,
    /// The largest of these uncertainties, in ticks; the largest number if one is not known.
    pub uncertainty: u64,
}

impl Entry {
    fn new(threads: usize) -> Self {
        Entry {
            ticks: vec![0; threads],
            instances: 0,
            worst: None,
            culprits: vec![0; threads],
            caused: vec![0; threads],
            causes: FxHashMap::default(),
            below_uncertainty: 0,
            uncertainty: 0,
        }
    }

    /// Ticks lost by all threads.
    pub fn total(&self) -> u64 {
        self.ticks.iter().sum()
    }
}

/// What a thread did that made the others wait: call paths and their weights.
pub type Cause = [(PathId, u64)];

/// All entries. The first index is the pattern's place in [`PATTERNS`].
#[derive(Debug)]
pub struct Ledger {
    threads: usize,
    clocks: Clocks,
    entries: Vec<FxHashMap<PathId, Entry>>,
    /// Paths of one instance and what was lost there: of several threads mostly one.
    sums: Vec<(PathId, u64, u64)>,
}

impl Ledger {
    pub fn new(threads: usize, clocks: Clocks) -> Self {
        Ledger {
            threads,
            clocks,
            entries: PATTERNS.iter().map(|_| FxHashMap::default()).collect(),
            sums: Vec::new(),
        }
    }

    /// Books what a pattern has claimed in one instance.
    pub fn book(&mut self, pattern: usize, claims: &Claims, cause: &Cause) {
        let threads = self.threads;
        self.sums.clear();
        for charge in claims.charges() {
            let entry = self.entries[pattern]
                .entry(charge.path)
                .or_insert_with(|| Entry::new(threads));
            entry.ticks[charge.thread as usize] += charge.ticks;
            let uncertainty = uncertainty(&self.clocks, charge);
            if charge.ticks < uncertainty {
                entry.below_uncertainty += charge.ticks;
                entry.uncertainty = entry.uncertainty.max(uncertainty);
            }
            match self.sums.iter_mut().find(|(path, ..)| *path == charge.path) {
                Some((_, ticks, begin)) => {
                    *ticks += charge.ticks;
                    *begin = charge.begin.min(*begin);
                }
                None => self.sums.push((charge.path, charge.ticks, charge.begin)),
            }
        }
        for &(path, ticks, begin) in &self.sums {
            let Some(entry) = self.entries[pattern].get_mut(&path) else {
                continue;
            };
            entry.instances += 1;
            let culprit = claims.culprit();
            if entry.worst.is_none_or(|worst| ticks > worst.ticks) {
                entry.worst = Some(Worst {
                    begin,
                    ticks,
                    culprit,
                });
            }
            if let Some(culprit) = culprit {
                entry.culprits[culprit as usize] += 1;
                entry.caused[culprit as usize] += ticks;
            }
            share(ticks, cause, &mut entry.causes);
        }
    }

    /// Entries of a pattern, by its place in [`PATTERNS`], in no particular order.
    pub fn entries(&self, pattern: usize) -> impl Iterator<Item = (PathId, &Entry)> {
        self.entries[pattern]
            .iter()
            .map(|(&path, entry)| (path, entry))
    }

    pub fn entry(&self, pattern: usize, path: PathId) -> Option<&Entry> {
        self.entries[pattern].get(&path)
    }
}

/// Ticks by which the length of a wait may be wrong because it was measured by two clocks.
fn uncertainty(clocks: &Clocks, charge: &Charge) -> u64 {
    match charge.against {
        Some(other) if !clocks.are_one() => {
            let time = charge.begin.saturating_add(charge.ticks);
            let between = clocks.uncertainty_between(charge.thread, other, time);
            // Saturates.
            between.ceil() as u64
        }
        _ => 0,
    }
}

/// Shares `ticks` out over the causes in proportion to their weights; what rounding leaves goes to the last.
fn share(ticks: u64, cause: &Cause, causes: &mut FxHashMap<PathId, u64>) {
    let total: u128 = cause.iter().map(|&(_, weight)| u128::from(weight)).sum();
    if total == 0 {
        return;
    }
    let (mut sum, mut given) = (0u128, 0u64);
    for &(path, weight) in cause {
        sum += u128::from(weight);
        let until = (u128::from(ticks) * sum / total) as u64;
        *causes.entry(path).or_insert(0) += until - given;
        given = until;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_earl::Span;

    #[test]
    fn shares_add_up() {
        let mut causes = FxHashMap::default();
        share(
            10,
            &[(PathId(1), 1), (PathId(2), 1), (PathId(3), 1)],
            &mut causes,
        );
        assert_eq!(causes.values().sum::<u64>(), 10);
        share(10, &[(PathId(9), 0)], &mut causes);
        assert_eq!(causes.values().sum::<u64>(), 10);
    }

    #[test]
    fn an_instance_on_two_paths_is_an_instance_of_each() {
        let mut claims = Claims::default();
        claims.clear();
        for (thread, path) in [(0, 5), (1, 6), (2, 5)] {
            claims.member(thread, PathId(path), Span::new(0, 100), &[]);
        }
        claims.waited_for(1);
        claims.wait(0, 10, 30);
        claims.wait(1, 0, 7);
        claims.wait(2, 5, 30);
        let mut ledger = Ledger::new(3, Clocks::one());
        ledger.book(0, &claims, &[(PathId(4), 1)]);
        let entry = ledger.entry(0, PathId(5)).unwrap();
        assert_eq!((entry.instances, entry.total()), (1, 45));
        assert_eq!(entry.ticks, [20, 0, 25]);
        let worst = entry.worst.unwrap();
        assert_eq!((worst.begin, worst.ticks), (5, 45));
        assert_eq!(
            (&entry.culprits[..], &entry.caused[..]),
            (&[0, 1, 0][..], &[0, 45, 0][..])
        );
        assert_eq!(ledger.entry(0, PathId(6)).unwrap().total(), 7);
    }
}
