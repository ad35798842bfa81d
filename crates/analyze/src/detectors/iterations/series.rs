//! A sequence of any length in bounded room: iterations are put into bins of equally many, and when
//! there are too many bins, each two become one.

use super::quantities::{self, Quantities};

/// Bins at most.
pub(crate) const BINS: usize = 512;

/// Sums by bin. Merging bins does not change the total over all bins.
#[derive(Debug)]
pub(crate) struct Series {
    bins: Vec<Quantities>,
    /// By bin: when its last iteration ended, in ticks.
    ends: Vec<u64>,
    /// Iterations of each bin but the last.
    width: u64,
    iterations: u64,
}

impl Default for Series {
    fn default() -> Self {
        Series {
            bins: Vec::new(),
            ends: Vec::new(),
            width: 1,
            iterations: 0,
        }
    }
}

impl Series {
    /// Of bins of equally many iterations each, and when each of them ended.
    pub fn of_bins(bins: Vec<Quantities>, ends: Vec<u64>, width: u64) -> Self {
        Series {
            ends,
            iterations: width * bins.len() as u64,
            bins,
            width,
        }
    }

    /// Takes the next iteration, which ended at `end` (ticks).
    pub fn push(&mut self, iteration: &[u64], end: u64) {
        if self.iterations == self.width.saturating_mul(self.bins.len() as u64) {
            if self.bins.len() == BINS {
                self.halve();
            }
            self.bins.push(iteration.to_vec());
            self.ends.push(end);
        } else if let Some(last) = self.bins.last_mut() {
            quantities::add(last, iteration);
            if let Some(last) = self.ends.last_mut() {
                *last = end;
            }
        }
        self.iterations += 1;
    }

    fn halve(&mut self) {
        let merged = self.bins.chunks(2).map(|pair| {
            let mut sum = pair[0].clone();
            pair[1..]
                .iter()
                .for_each(|more| quantities::add(&mut sum, more));
            sum
        });
        self.bins = merged.collect();
        let ends = self.ends.chunks(2).map(|pair| pair[pair.len() - 1]);
        self.ends = ends.collect();
        self.width *= 2;
    }

    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Iterations of each bin but the last.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// Iterations of each bin, and a quantity's sum over them.
    pub fn values(&self, quantity: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
        let last = self.iterations - self.width * (self.bins.len().max(1) as u64 - 1);
        self.bins.iter().enumerate().map(move |(number, bin)| {
            let is_last = number + 1 == self.bins.len();
            (if is_last { last } else { self.width }, bin[quantity])
        })
    }

    /// Bins at the beginning that ended before a time (ticks).
    pub fn bins_before(&self, time: u64) -> usize {
        self.ends.iter().take_while(|&&end| end <= time).count()
    }

    /// Of all iterations.
    pub fn total(&self, quantity: usize) -> u64 {
        let values = self.values(quantity);
        values.fold(0, |sum, (_, value)| sum.wrapping_add(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_is_lost(count in 0usize..3000, seed in any::<u32>()) {
            let value = |k: usize| u64::from(seed.wrapping_mul(k as u32 + 1) >> 20);
            let mut series = Series::default();
            for k in 0..count {
                let mut iteration = quantities::none();
                iteration[3] = value(k);
                series.push(&iteration, k as u64 + 1);
            }
            let truth: Vec<u64> = (0..count).map(value).collect();
            prop_assert_eq!(series.total(3), truth.iter().sum::<u64>());
            let bins: Vec<_> = series.values(3).collect();
            prop_assert!(bins.len() <= BINS);
            let mut from = 0;
            for (number, &(iterations, sum)) in bins.iter().enumerate() {
                prop_assert!(iterations == series.width() || number + 1 == bins.len());
                let until = from + iterations as usize;
                prop_assert_eq!(sum, truth[from..until].iter().sum::<u64>());
                from = until;
            }
            prop_assert_eq!(from, count);
            // Iteration k ends at k + 1.
            for time in [0, count / 3, count] {
                let whole = time / series.width() as usize;
                let all = if time == count { bins.len() } else { whole };
                prop_assert_eq!(series.bins_before(time as u64), all);
            }
        }
    }
}
