//! What repeated measurements say: median and range, and intervals that contain the truth with a confidence of 95 %.
//!
//! Ratios of times are compared by their logarithms, whose difference Welch's test takes: the interval is that of the
//! ratio of geometric means, and is never negative.

use pgas_cube::comparison::statistics::Difference;

/// Repeated measurements of one quantity, in the order in which they were made. Never empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sample(pub Vec<f64>);

/// An estimate with its interval of 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// `None` if a side has fewer than two values, so that nothing is known about how they scatter.
    pub interval: Option<(f64, f64)>,
}

impl Sample {
    /// The value in the middle, or the mean of the two there. Without values it is not a number.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => sorted[n / 2],
            n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
        }
    }

    pub fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn max(&self) -> f64 {
        self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// This over another: the ratio of the geometric means. All values must be above zero.
    pub fn ratio_to(&self, reference: &Sample) -> Estimate {
        let logarithms = |sample: &Sample| sample.0.iter().map(|v| v.ln()).collect::<Vec<_>>();
        let (own, other) = (logarithms(self), logarithms(reference));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        Estimate {
            value: (mean(&own) - mean(&other)).exp(),
            interval: Difference::of(&other, &own).map(|difference| {
                let (low, high) = difference.interval();
                (low.exp(), high.exp())
            }),
        }
    }
}

impl Estimate {
    /// The same after a function that never turns back; one that falls exchanges the ends.
    pub fn map(self, function: impl Fn(f64) -> f64) -> Estimate {
        Estimate {
            value: function(self.value),
            interval: self.interval.map(|(low, high)| {
                let (a, b) = (function(low), function(high));
                (a.min(b), a.max(b))
            }),
        }
    }

    /// How many percent more a ratio is than one.
    pub fn percent_above_one(self) -> Estimate {
        self.map(|ratio| 100.0 * (ratio - 1.0))
    }

    /// How many percent less a ratio is than one.
    pub fn percent_below_one(self) -> Estimate {
        self.map(|ratio| 100.0 * (1.0 - ratio))
    }

    /// Whether the interval is known and wholly above a value.
    pub fn is_surely_above(&self, value: f64) -> bool {
        self.interval.is_some_and(|(low, _)| low > value)
    }

    /// Whether the interval is known and wholly below a value.
    pub fn is_surely_below(&self, value: f64) -> bool {
        self.interval.is_some_and(|(_, high)| high < value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even_numbers() {
        assert_eq!(Sample(vec![3.0, 1.0, 2.0]).median(), 2.0);
        assert_eq!(Sample(vec![4.0, 1.0, 2.0, 3.0]).median(), 2.5);
        let sample = Sample(vec![4.0, 1.0]);
        assert_eq!((sample.min(), sample.max()), (1.0, 4.0));
    }

    /// Logarithms to base 2 of the sides are 0, 1, 2 and 1, 2, 3: the difference is 1, each variance 1, so its error is
    /// sqrt(2/3) with 4 degrees of freedom, and Student's quantile there 2.776445.
    #[test]
    fn the_interval_of_a_ratio_by_hand() {
        let ratio = Sample(vec![2.0, 4.0, 8.0]).ratio_to(&Sample(vec![1.0, 2.0, 4.0]));
        assert!((ratio.value - 2.0).abs() < 1e-12);
        let (low, high) = ratio.interval.unwrap();
        let half = 2.776_445 * (2.0_f64 / 3.0).sqrt();
        assert!((low.log2() - (1.0 - half)).abs() < 1e-5);
        assert!((high.log2() - (1.0 + half)).abs() < 1e-5);
    }

    #[test]
    fn gains_and_overheads() {
        let ratio = Estimate {
            value: 0.75,
            interval: Some((0.5, 0.9)),
        };
        let gain = ratio.percent_below_one();
        assert_eq!(gain.value, 25.0);
        let (low, high) = gain.interval.unwrap();
        assert!((low - 10.0).abs() < 1e-9 && (high - 50.0).abs() < 1e-9);
        assert!(gain.is_surely_above(9.0) && !gain.is_surely_above(11.0));
        assert!((ratio.percent_above_one().value + 25.0).abs() < 1e-9);
        let single = Sample(vec![1.0]).ratio_to(&Sample(vec![2.0, 2.0]));
        assert_eq!((single.value, single.interval), (0.5, None));
        assert!(!single.is_surely_above(0.0) && !single.is_surely_below(1.0));
    }
}
