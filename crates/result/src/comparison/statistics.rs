//! Statistics of repeated runs: the significance of a difference of means.
//!
//! Welch's t-test compares two means without assuming that both scatter alike (B. L. Welch, The
//! generalization of "Student's" problem when several different population variances are involved,
//! Biometrika 34, 1947). Where many differences are judged at once, some look large by accident;
//! the procedure of Benjamini and Hochberg keeps the expected share of such false alarms below the
//! level (Controlling the False Discovery Rate, J. R. Stat. Soc. B 57, 1995).

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Intervals are of this confidence, and false alarms are kept below the rest.
pub const CONFIDENCE: f64 = 0.95;

/// How far two means are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Mean of the later values minus mean of the earlier ones.
    pub mean: f64,
    /// Standard error of the difference.
    pub error: f64,
    /// Degrees of freedom (Welch, Satterthwaite); infinite if nothing scatters.
    pub freedom: f64,
}

impl Difference {
    /// `None` if one side has fewer than two values, so that nothing is known about how they
    /// scatter.
    pub fn of(before: &[f64], after: &[f64]) -> Option<Self> {
        if before.len() < 2 || after.len() < 2 {
            return None;
        }
        let of_mean = |values: &[f64]| variance(values) / values.len() as f64;
        let (b, a) = (of_mean(before), of_mean(after));
        let part = |of_mean: f64, values: &[f64]| of_mean * of_mean / (values.len() - 1) as f64;
        let parts = part(b, before) + part(a, after);
        Some(Difference {
            mean: mean(after) - mean(before),
            error: (b + a).sqrt(),
            freedom: if parts > 0.0 {
                (b + a) * (b + a) / parts
            } else {
                f64::INFINITY
            },
        })
    }

    /// Where the true difference lies with a [`CONFIDENCE`] of 95 %.
    pub fn interval(&self) -> (f64, f64) {
        let half = self.error * self.quantile(1.0 - (1.0 - CONFIDENCE) / 2.0);
        (self.mean - half, self.mean + half)
    }

    /// The bound that the true difference is above of with a confidence of 95 %.
    pub fn lower_bound(&self) -> f64 {
        self.mean - self.error * self.quantile(CONFIDENCE)
    }

    /// How probable a difference as large as this or larger is if there is none in truth.
    pub fn probability(&self) -> f64 {
        if self.error <= 0.0 {
            return if self.mean == 0.0 { 1.0 } else { 0.0 };
        }
        match self.distribution() {
            Some(t) => (2.0 * t.sf((self.mean / self.error).abs())).clamp(0.0, 1.0),
            None => 1.0,
        }
    }

    fn quantile(&self, probability: f64) -> f64 {
        if self.error <= 0.0 {
            return 0.0;
        }
        self.distribution()
            .map_or(f64::INFINITY, |t| t.inverse_cdf(probability))
    }

    fn distribution(&self) -> Option<StudentsT> {
        // Two values a side, of which one does not scatter, leave one degree of freedom.
        StudentsT::new(0.0, 1.0, self.freedom.max(1.0)).ok()
    }
}

/// Without values 0.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Of a sample, of at least two values.
fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (values.len() - 1) as f64
}

/// Probabilities corrected for their number: those at most 0.05 have an expected share of false
/// alarms of at most 5 %.
pub fn adjusted(probabilities: &[f64]) -> Vec<f64> {
    let count = probabilities.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut adjusted = vec![1.0; count];
    let mut smallest: f64 = 1.0;
    for (rank, &index) in order.iter().enumerate().rev() {
        smallest = smallest.min(probabilities[index] * count as f64 / (rank + 1) as f64);
        adjusted[index] = smallest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: means 4 and 7, variances 1 and 4, three values each.
    #[test]
    fn welch_by_hand() {
        let difference = Difference::of(&[3.0, 4.0, 5.0], &[5.0, 7.0, 9.0]).unwrap();
        assert_eq!(difference.mean, 3.0);
        assert!((difference.error - (5.0f64 / 3.0).sqrt()).abs() < 1e-12);
        // (5/3)^2 / ((1/3)^2/2 + (4/3)^2/2)
        assert!((difference.freedom - 50.0 / 17.0).abs() < 1e-12);
        let (low, high) = difference.interval();
        assert!((low + high - 6.0).abs() < 1e-9);
        assert!(low < 0.0 && high > 6.0, "three values each are few");
        assert!(difference.lower_bound() > low);
    }

    /// From a table of Student's distribution: 2.776 at 4 degrees of freedom, two-sided 95 %.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        let difference = Difference {
            mean: 2.776_445,
            error: 1.0,
            freedom: 4.0,
        };
        assert!((difference.probability() - 0.05).abs() < 1e-5);
        assert!(difference.interval().0.abs() < 1e-3);
    }

    #[test]
    fn what_does_not_scatter_is_certain() {
        let same = Difference::of(&[2.0, 2.0], &[2.0, 2.0]).unwrap();
        assert_eq!((same.interval(), same.probability()), ((0.0, 0.0), 1.0));
        let other = Difference::of(&[2.0, 2.0], &[3.0, 3.0]).unwrap();
        assert_eq!((other.interval(), other.probability()), ((1.0, 1.0), 0.0));
        let one_sided = Difference::of(&[2.0, 2.0], &[3.0, 3.1]).unwrap();
        assert!(one_sided.interval().0.is_finite() && one_sided.probability() > 0.0);
    }

    #[test]
    fn one_run_says_nothing_about_noise() {
        assert_eq!(Difference::of(&[1.0], &[2.0, 3.0]), None);
    }

    #[test]
    fn many_probabilities_are_corrected_by_rank() {
        let corrected = adjusted(&[0.01, 0.04, 0.03, 0.5]);
        let expected = [0.04, 0.16 / 3.0, 0.16 / 3.0, 0.5];
        for (value, expected) in corrected.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(adjusted(&[]), Vec::<f64>::new());
    }
}
