//! How long iterations took: every one of the first and last ones, and of all others what a few
//! numbers can hold.

use std::collections::VecDeque;

use pgas_base::quantile::median;

/// Iterations at each end that are kept one by one.
pub(crate) const KEPT: usize = 512;
/// Longest iterations that are kept.
const LONGEST: usize = 8;
/// Steps of the histogram for each doubling of the time: its values are right within 1.6 %.
const STEPS: u32 = 32;

/// One iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Iteration {
    /// From 0.
    pub number: u64,
    /// Ticks at its begin.
    pub begin: u64,
    pub ticks: u64,
}

/// Durations of iterations, in order.
#[derive(Debug, Default)]
pub(crate) struct Durations {
    count: u64,
    first: Vec<u64>,
    last: VecDeque<u64>,
    longest: Vec<Iteration>,
    least: u64,
    most: u64,
    /// Empty as long as all iterations are kept.
    histogram: Vec<u64>,
    /// The median in ticks, if it is known from elsewhere.
    median: Option<f64>,
}

impl Durations {
    /// Of the first iterations one by one, of all of them by bins of equally many, and the shortest
    /// and the longest.
    pub fn of_calls(
        first: impl Iterator<Item = Iteration>,
        bins: impl Iterator<Item = f64>,
        (least, most): (u64, u64),
    ) -> Self {
        let mut durations = Durations::default();
        for iteration in first {
            durations.push(iteration.begin, iteration.ticks);
        }
        let bins: Vec<f64> = bins.collect();
        Durations {
            least,
            most,
            median: median(&bins),
            ..durations
        }
    }

    pub fn push(&mut self, begin: u64, ticks: u64) {
        self.least = match self.count {
            0 => ticks,
            _ => self.least.min(ticks),
        };
        self.most = self.most.max(ticks);
        if self.first.len() < KEPT {
            self.first.push(ticks);
        } else {
            if self.last.len() == KEPT {
                if self.histogram.is_empty() {
                    let kept: Vec<u64> = self.first.iter().chain(&self.last).copied().collect();
                    kept.into_iter().for_each(|ticks| self.note(ticks));
                }
                self.last.pop_front();
            }
            self.last.push_back(ticks);
            if self.count >= 2 * KEPT as u64 {
                self.note(ticks);
            }
        }
        self.rank(Iteration {
            number: self.count,
            begin,
            ticks,
        });
        self.count += 1;
    }

    /// Keeps the longest ones; of equally long ones the first.
    fn rank(&mut self, iteration: Iteration) {
        if self.longest.len() == LONGEST
            && self
                .longest
                .last()
                .is_some_and(|l| l.ticks >= iteration.ticks)
        {
            return;
        }
        let place = self.longest.partition_point(|l| l.ticks >= iteration.ticks);
        self.longest.insert(place, iteration);
        self.longest.truncate(LONGEST);
    }

    fn note(&mut self, ticks: u64) {
        if self.histogram.is_empty() {
            self.histogram = vec![0; (64 * STEPS) as usize];
        }
        self.histogram[step(ticks)] += 1;
    }

    pub fn least(&self) -> u64 {
        self.least
    }

    pub fn most(&self) -> u64 {
        self.most
    }

    /// The longest ones, longest first.
    pub fn longest(&self) -> &[Iteration] {
        &self.longest
    }

    /// Iterations from the first one on, one by one.
    pub fn first(&self) -> &[u64] {
        &self.first
    }

    /// The number of the first of the last iterations, and these one by one; all that are not among
    /// the first ones if there are not more.
    pub fn last(&self) -> (u64, Vec<u64>) {
        let last: Vec<u64> = self.last.iter().copied().collect();
        (self.count - last.len() as u64, last)
    }

    /// Ticks below which half of the iterations lie: exact where all are kept, else within 1.6 %.
    pub fn median(&self) -> f64 {
        if let Some(median) = self.median {
            return median;
        }
        if self.histogram.is_empty() {
            let all: Vec<f64> = self
                .first
                .iter()
                .chain(&self.last)
                .map(|&t| t as f64)
                .collect();
            return median(&all).unwrap_or(0.0);
        }
        let mut below = 0;
        for (number, &count) in self.histogram.iter().enumerate() {
            below += count;
            if 2 * below >= self.count {
                return middle(number);
            }
        }
        self.most as f64
    }
}

/// The histogram's step that a duration belongs to.
fn step(ticks: u64) -> usize {
    let ticks = ticks.max(1);
    let octave = ticks.ilog2();
    let fraction = match octave {
        5.. => (ticks >> (octave - 5)) & 31,
        _ => (ticks << (5 - octave)) & 31,
    };
    (octave * STEPS) as usize + fraction as usize
}

/// Ticks in the middle of a step.
fn middle(step: usize) -> f64 {
    let octave = (step / STEPS as usize) as i32;
    let fraction = (step % STEPS as usize) as f64;
    let width = 2f64.powi(octave) / f64::from(STEPS);
    // Below this, a step is a single number of ticks.
    let half = if octave >= 5 { width / 2.0 } else { 0.0 };
    2f64.powi(octave) + fraction * width + half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_exact_for_few_and_close_for_many() {
        let mut durations = Durations::default();
        for k in 0..1024u64 {
            durations.push(k * 10, 1 + (k * 7919) % 1024);
        }
        assert_eq!(durations.median(), 512.5);
        for k in 0..100_000u64 {
            durations.push(k * 10, 1 + (k * 7919) % 100_003);
        }
        let median = durations.median();
        assert!((median / 49_500.0 - 1.0).abs() < 0.03, "{median}");
    }

    #[test]
    fn the_longest_and_both_ends_are_kept() {
        let mut durations = Durations::default();
        for k in 0..5000u64 {
            let ticks = if k % 1000 == 999 { 900 } else { 100 };
            durations.push(k, ticks);
        }
        let numbers: Vec<u64> = durations.longest().iter().map(|i| i.number).collect();
        assert_eq!(numbers, [999, 1999, 2999, 3999, 4999, 0, 1, 2]);
        assert_eq!((durations.least(), durations.most()), (100, 900));
        assert_eq!(durations.first().len(), KEPT);
        let (from, last) = durations.last();
        assert_eq!((from, last.len(), last[KEPT - 1]), (5000 - 512, 512, 900));
    }

    #[test]
    fn every_duration_is_in_a_step_around_it() {
        for ticks in (1..70u64).chain([1 << 20, 12_345_678_901, u64::MAX]) {
            let found = middle(step(ticks));
            assert!(
                (found / ticks as f64 - 1.0).abs() < 0.016,
                "{ticks} {found}"
            );
        }
    }
}
