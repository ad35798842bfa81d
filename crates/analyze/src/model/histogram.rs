//! Histograms of times: how they are spread, in little memory.
//!
//! Values go into a histogram whose buckets widen with the value: 64 to each power of two, so that
//! a quantile is off by 1/128 of its value at most. Only buckets that have a value take memory: 10
//! to 20 bytes each, at most 3,776 of them for a histogram, and never more than there are values.
//! Waits that differ by a factor of a thousand fill some 300.

use pgas_result::distribution::Distribution;

use crate::model::clock::Times;

/// Buckets of a power of two, as a power of two.
const FINENESS: u32 = 6;

/// Counts values without keeping them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Buckets that have a value, ascending.
    buckets: Vec<u16>,
    /// Number of values of each of them.
    counts: Vec<u64>,
    count: u64,
    sum: u128,
    minimum: u64,
    maximum: u64,
}

impl Histogram {
    /// Adds one value.
    pub fn record(&mut self, value: u64) {
        if self.count == 0 {
            self.minimum = value;
        }
        self.minimum = self.minimum.min(value);
        self.maximum = self.maximum.max(value);
        self.count += 1;
        self.sum += u128::from(value);
        let bucket = bucket(value);
        match self.buckets.binary_search(&bucket) {
            Ok(place) => self.counts[place] += 1,
            Err(place) => {
                self.buckets.insert(place, bucket);
                self.counts.insert(place, 1);
            }
        }
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The values that at least `percents` (ascending) of all are not larger than; zero without
    /// any.
    pub fn quantiles<const N: usize>(&self, percents: [u64; N]) -> [u64; N] {
        let mut buckets = self.buckets.iter().zip(&self.counts);
        let (mut last, mut passed) = (0, 0);
        percents.map(|percent| {
            let wanted = (u128::from(self.count) * u128::from(percent)).div_ceil(100);
            while passed < wanted.max(1) {
                let Some((&bucket, &count)) = buckets.next() else {
                    break;
                };
                last = bucket;
                passed += u128::from(count);
            }
            middle(last).clamp(self.minimum, self.maximum)
        })
    }

    /// In seconds; `None` without values.
    pub fn distribution(&self, times: &Times) -> Option<Distribution> {
        if self.count == 0 {
            return None;
        }
        let seconds = |ticks: u64| times.length(ticks as f64);
        let [lower_quartile, median, upper_quartile, percentile_95] =
            self.quantiles([25, 50, 75, 95]).map(seconds);
        Some(Distribution {
            count: self.count,
            minimum: seconds(self.minimum),
            lower_quartile,
            median,
            upper_quartile,
            percentile_95,
            maximum: seconds(self.maximum),
            mean: times.length(self.sum as f64 / self.count as f64),
        })
    }
}

/// Small values have a bucket each.
fn bucket(value: u64) -> u16 {
    let shift = value.max(1).ilog2().saturating_sub(FINENESS);
    // At most 57 * 64 + 127.
    ((shift << FINENESS) as u64 + (value >> shift)) as u16
}

/// The value that stands for all of a bucket.
fn middle(bucket: u16) -> u64 {
    let shift = (u32::from(bucket) >> FINENESS).saturating_sub(1);
    let first = (u64::from(bucket) - u64::from(shift << FINENESS)) << shift;
    first + ((1 << shift) >> 1)
}

/// The histograms of one wait state at one call path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histograms {
    /// Ticks of an instance.
    pub instances: Histogram,
    /// Ticks of a thread in an instance.
    pub threads: Histogram,
    /// Ticks from all exits of an instance to its last, for patterns of completion.
    pub until_last_exit: Option<Box<Histogram>>,
}

impl Histograms {
    /// Records an instance. `until_last_exit` is what the published definition of completion counts
    /// in it.
    pub fn instance(&mut self, ticks: u64, until_last_exit: Option<u64>) {
        self.instances.record(ticks);
        if let Some(ticks) = until_last_exit {
            self.until_last_exit.get_or_insert_default().record(ticks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn histogram(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|&value| histogram.record(value));
        histogram
    }

    #[test]
    fn quartiles_of_a_few_values_are_those_values() {
        // By hand: of 8 values the 2nd, the 4th, the 6th, and the 8th (95 % of 8 is more than 7).
        let histogram = histogram(&[5, 1, 4, 2, 3, 9, 7, 8]);
        assert_eq!(histogram.quantiles([25, 50, 75, 95]), [2, 4, 7, 9]);
        let one = self::histogram(&[1_000_003]);
        assert_eq!(one.quantiles([25, 50, 75, 95]), [1_000_003; 4]);
    }

    #[test]
    fn buckets_follow_each_other_without_gap() {
        let mut last = bucket(0);
        for value in 1..100_000 {
            let next = bucket(value);
            assert!(next == last || next == last + 1, "{value}");
            last = next;
        }
        assert_eq!(bucket(u64::MAX), 3775);
        assert_eq!(histogram(&[u64::MAX, u64::MAX]).quantiles([50]), [u64::MAX]);
    }

    #[test]
    fn a_million_values_take_no_more_than_their_buckets() {
        let mut histogram = Histogram::default();
        (0..1_000_000).for_each(|value| histogram.record(value));
        assert_eq!(histogram.count(), 1_000_000);
        assert!(histogram.counts.len() <= 64 * 15);
    }

    proptest! {
        #[test]
        fn a_quantile_is_off_by_a_128th_at_most(mut values in prop::collection::vec((0u32..64).prop_flat_map(|bits| 0..=u64::MAX >> bits), 1..300)) {
            let found = histogram(&values).quantiles([25, 50, 75, 95]);
            values.sort_unstable();
            for (percent, found) in [25, 50, 75, 95].into_iter().zip(found) {
                let truth = values[(values.len() * percent).div_ceil(100) - 1];
                let off = found.abs_diff(truth);
                prop_assert!(off as u128 * 128 <= u128::from(truth), "{percent} %: {found} for {truth}");
            }
        }
    }
}
