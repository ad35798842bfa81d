//! Statistics of repeated measurements: median and range, and confidence intervals of 95 %.
//!
//! Two programs that took turns are compared round by round: what the machine did meanwhile hits
//! both runs of a round, and falls out of their ratio. Of the logarithms of these ratios the mean
//! and Student's interval are taken, which gives the ratio of the geometric means, and an interval
//! that is never negative.

use pgas_base::quantile;
use pgas_statistics::trimmed::Trimmed;

const CONFIDENCE: f64 = 0.95;

/// Repeated measurements of one quantity, in the order in which they were made. Never empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sample(pub Vec<f64>);

/// An estimate with its interval of 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// `None` if there are fewer than two values, so that nothing is known about how they scatter.
    pub interval: Option<(f64, f64)>,
}

impl Sample {
    /// As [`quantile::median`]. Without values it is not a number.
    pub fn median(&self) -> f64 {
        quantile::median(&self.0).unwrap_or(f64::NAN)
    }

    pub fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn max(&self) -> f64 {
        self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// This over another, by pairs of values of the same round: the ratio of the geometric means.
    /// All values must be above zero; what one side has more of is not compared.
    pub fn ratio_to(&self, reference: &Sample) -> Estimate {
        let pairs = self.0.iter().zip(&reference.0);
        let logarithms: Vec<f64> = pairs.map(|(own, other)| (own / other).ln()).collect();
        let mean = Trimmed::of(&logarithms, 0.0);
        let interval = mean.filter(|mean| mean.kept > 1).map(|mean| {
            let (low, high) = mean.interval(CONFIDENCE);
            (low.exp(), high.exp())
        });
        Estimate {
            value: mean.map_or(f64::NAN, |mean| mean.mean.exp()),
            interval,
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

    /// Logarithms to base 2 of the ratios are 0, 1 and 2: the mean is 1, the variance 1, so its
    /// error is sqrt(1/3) with 2 degrees of freedom, and Student's quantile there 4.302653.
    #[test]
    fn the_interval_of_a_ratio_by_hand() {
        let ratio = Sample(vec![3.0, 2.0, 20.0]).ratio_to(&Sample(vec![3.0, 1.0, 5.0]));
        assert!((ratio.value - 2.0).abs() < 1e-12);
        let (low, high) = ratio.interval.unwrap();
        let half = 4.302_653 * (1.0_f64 / 3.0).sqrt();
        assert!((low.log2() - (1.0 - half)).abs() < 1e-5);
        assert!((high.log2() - (1.0 + half)).abs() < 1e-5);
    }

    #[test]
    fn what_slows_down_both_runs_of_a_round_changes_nothing() {
        let ratio = Sample(vec![2.0, 20.0, 4.0]).ratio_to(&Sample(vec![1.0, 10.0, 2.0]));
        assert!(
            ratio.is_surely_above(1.999) && ratio.is_surely_below(2.001),
            "{ratio:?}"
        );
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
        let single = Sample(vec![1.0]).ratio_to(&Sample(vec![2.0]));
        assert_eq!((single.value, single.interval), (0.5, None));
        assert!(!single.is_surely_above(0.0) && !single.is_surely_below(1.0));
    }
}
