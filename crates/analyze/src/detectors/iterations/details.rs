//! Causes of growth, with their places: for each thread by how much it computed longer than the
//! mean when it was the slowest one, for each call path the part of that excess, and the time lost
//! to each wait state at each call path. These are too many for every bin of a series; a loop keeps
//! them for at most [`MOMENTS`] parts of it.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::segment::Segment;

/// Moments of a loop at which sums are kept, at most.
const MOMENTS: usize = 17;

/// One of the sums. Imbalance is in ticks times the number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Detail {
    /// Imbalance in which this thread was the slowest.
    Slowest(ThreadId),
    /// Imbalance at this call path of the slowest thread.
    Excess(PathId),
    /// Ticks lost to the pattern at this call path.
    Lost(usize, PathId),
}

/// Sums since the beginning of the run.
#[derive(Debug, Default)]
pub(crate) struct Details {
    numbers: FxHashMap<Detail, usize>,
    sums: Vec<u64>,
}

impl Details {
    pub fn add(&mut self, detail: Detail, value: u64) {
        let next = self.sums.len();
        let number = *self.numbers.entry(detail).or_insert(next);
        if number == next {
            self.sums.push(0);
        }
        self.sums[number] = self.sums[number].wrapping_add(value);
    }

    pub fn take(&mut self, segment: &Segment) {
        let excess = segment.quantities[super::quantities::IMBALANCE];
        if excess > 0 {
            self.add(Detail::Slowest(segment.longest), excess);
        }
        for &(path, ticks) in &segment.excess {
            self.add(Detail::Excess(path), ticks);
        }
        for lost in &segment.lost {
            self.add(Detail::Lost(lost.pattern, lost.path), lost.ticks);
        }
    }
}

/// The sums at some moments of a loop, after equally many iterations each.
#[derive(Debug)]
pub(crate) struct Moments {
    /// How many iterations were over, and the sums then.
    kept: Vec<(u64, Vec<u64>)>,
    /// Iterations from one to the next.
    apart: u64,
}

impl Default for Moments {
    fn default() -> Self {
        Moments {
            kept: Vec::new(),
            apart: 1,
        }
    }
}

impl Moments {
    /// Takes note of the sums when `iterations` iterations are over.
    pub fn pass(&mut self, iterations: u64, details: &Details) {
        if let Some((last, _)) = self.kept.last() {
            if iterations < last + self.apart {
                return;
            }
        }
        if self.kept.len() == MOMENTS {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.apart *= 2;
            let (last, _) = self.kept[self.kept.len() - 1];
            if iterations < last + self.apart {
                return;
            }
        }
        self.kept.push((iterations, details.sums.clone()));
    }

    /// A sum per iteration, from one moment to the next, as long as no more than N iterations are
    /// over.
    pub fn rates(&self, details: &Details, detail: Detail, iterations: u64) -> Vec<f64> {
        let kept = self.kept.partition_point(|(over, _)| *over <= iterations);
        let kept = &self.kept[..kept];
        let Some(&number) = details.numbers.get(&detail) else {
            return vec![0.0; kept.len().saturating_sub(1)];
        };
        let value = |sums: &[u64]| sums.get(number).copied().unwrap_or(0);
        let rate = |pair: &[(u64, Vec<u64>)]| {
            let iterations = (pair[1].0 - pair[0].0).max(1);
            value(&pair[1].1).wrapping_sub(value(&pair[0].1)) as f64 / iterations as f64
        };
        kept.windows(2).map(rate).collect()
    }

    /// The details that there are.
    pub fn known(details: &Details) -> impl Iterator<Item = Detail> + '_ {
        details.numbers.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_iterations_between() {
        let mut details = Details::default();
        let mut moments = Moments::default();
        let detail = Detail::Slowest(1);
        moments.pass(0, &details);
        for k in 1..=1000u64 {
            details.add(detail, k);
            moments.pass(k, &details);
        }
        let rates = moments.rates(&details, detail, u64::MAX);
        assert!((8..MOMENTS).contains(&rates.len()), "{}", rates.len());
        for (number, rate) in rates.iter().enumerate() {
            let (from, until) = (moments.kept[number].0, moments.kept[number + 1].0);
            let sum: u64 = (from + 1..=until).sum();
            assert_eq!(*rate, sum as f64 / (until - from) as f64);
        }
        let first = moments.rates(&details, detail, 500);
        assert!(!first.is_empty() && first.len() < rates.len());
        assert_eq!(first[..], rates[..first.len()]);
        assert!(
            moments
                .rates(&details, Detail::Slowest(0), u64::MAX)
                .iter()
                .all(|&rate| rate == 0.0)
        );
    }
}
