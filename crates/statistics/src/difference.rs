//! Two means compared.
//!
//! Welch's test compares two means without assuming that both scatter alike (B. L. Welch, The
//! generalization of "Student's" problem when several different population variances are involved,
//! Biometrika 34, 1947). With trimmed means and Winsorised errors the same formulas are Yuen's test
//! (K. K. Yuen, The two-sample trimmed t for unequal population variances, Biometrika 61, 1974).
//!
//! The factor between two means is judged by its logarithm, whose error is sqrt(r_a^2 + r_b^2) of
//! the relative errors r. Fieller's interval would be exact for normal means, but becomes infinite
//! or falls apart as soon as one mean is uncertain. The logarithm's never reaches 0, and exchanging
//! the sides gives its reciprocals; it contains 1 exactly if the test of the factor finds no
//! difference at this confidence. With relative errors of 10 % both differ by about 1 % of the
//! factor.

use crate::student::{coefficient, quantile, two_sided_probability};
use crate::trimmed::Trimmed;

/// A mean and how exact it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Degrees of freedom of the error.
    pub freedom: f64,
}

impl Mean {
    /// Of whole values. `None` of fewer than two, so that nothing is known about how they scatter.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.len() < 2 {
            return None;
        }
        Trimmed::of(values, 0.0).map(Mean::from)
    }

    /// Relative to the mean.
    fn relative(&self) -> Self {
        Mean {
            value: self.value.ln(),
            error: (self.error / self.value).abs(),
            freedom: self.freedom,
        }
    }
}

impl From<Trimmed> for Mean {
    fn from(trimmed: Trimmed) -> Self {
        Mean {
            value: trimmed.mean,
            error: trimmed.standard_error,
            freedom: trimmed.freedom(),
        }
    }
}

/// How far two means are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The later mean minus the earlier one.
    pub mean: f64,
    /// Standard error of the difference.
    pub error: f64,
    /// Degrees of freedom (Welch, Satterthwaite); infinite if nothing scatters.
    pub freedom: f64,
}

impl Difference {
    /// Of whole samples. `None` if one side has fewer than two values, so that nothing is known
    /// about how they scatter.
    pub fn of(before: &[f64], after: &[f64]) -> Option<Self> {
        Some(Difference::between(Mean::of(before)?, Mean::of(after)?))
    }

    /// Of two means with known errors.
    pub fn between(before: Mean, after: Mean) -> Self {
        let squares = [before, after].map(|side| side.error * side.error);
        let sum = squares[0] + squares[1];
        let part = |square: f64, freedom: f64| match square > 0.0 {
            true => square * square / freedom,
            false => 0.0,
        };
        let parts = part(squares[0], before.freedom) + part(squares[1], after.freedom);
        Difference {
            mean: after.value - before.value,
            error: sum.sqrt(),
            freedom: match parts > 0.0 {
                true => sum * sum / parts,
                false => f64::INFINITY,
            },
        }
    }

    /// Where the true difference lies with this confidence (0 to 1).
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        let half = self.times_error(|freedom| coefficient(confidence, freedom));
        (self.mean - half, self.mean + half)
    }

    /// The bound that the true difference is above of with this confidence.
    pub fn lower_bound(&self, confidence: f64) -> f64 {
        self.mean - self.times_error(|freedom| quantile(confidence, freedom))
    }

    /// How probable a difference as large as this or larger is if there is none in truth.
    pub fn probability(&self) -> f64 {
        self.probability_beyond(0.0)
    }

    /// The same if the means may have been wrong by so much together, whatever their scatter.
    pub fn probability_beyond(&self, allowance: f64) -> f64 {
        let beyond = (self.mean.abs() - allowance).max(0.0);
        if beyond == 0.0 {
            return 1.0;
        }
        if self.error <= 0.0 {
            return 0.0;
        }
        two_sided_probability(beyond / self.error, self.freedom)
    }

    fn times_error(&self, factor: impl Fn(f64) -> f64) -> f64 {
        if self.error <= 0.0 {
            return 0.0;
        }
        self.error * factor(self.freedom)
    }
}

/// The later mean through the earlier one, both above 0, as a difference of logarithms; see
/// [`factor`]. `None` if a mean is not above 0.
pub fn logarithmic(before: Mean, after: Mean) -> Option<Difference> {
    if !(before.value > 0.0 && after.value > 0.0) {
        return None;
    }
    Some(Difference::between(before.relative(), after.relative()))
}

/// A difference of logarithms as a factor with its interval, which is widened by an allowance for
/// errors that do not scatter.
pub fn factor(logarithms: &Difference, confidence: f64, allowance: f64) -> (f64, (f64, f64)) {
    let (low, high) = logarithms.interval(confidence);
    let interval = ((low - allowance).exp(), (high + allowance).exp());
    (logarithms.mean.exp(), interval)
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
        let (low, high) = difference.interval(0.95);
        assert!((low + high - 6.0).abs() < 1e-9);
        assert!(low < 0.0 && high > 6.0, "three values each are few");
        assert!(difference.lower_bound(0.95) > low);
    }

    /// Samples, statistic and probability are those that SciPy tests its trimmed t-test with, which
    /// were made with R (scipy/stats/tests/test_stats.py, `Test_ttest_trim`).
    #[test]
    fn yuen_is_that_of_other_programs() {
        let one = [2.7, 2.7, 1.1, 3.0, 1.9, 3.0, 3.8, 3.8, 0.3, 1.9, 1.9];
        let other = [6.5, 5.4, 8.1, 3.5, 0.5, 3.8, 6.8, 4.9, 9.5, 6.2, 4.1];
        let outlier = [56.0, 128.6, 12.0, 123.8, 64.34, 78.0, 763.3];
        let few = [1.1, 2.9, 4.2];
        let (one, other) = (one.to_vec(), other.to_vec());
        let (outlier, few) = (outlier.to_vec(), few.to_vec());
        let cases = [
            (
                &one,
                &other,
                0.2,
                -4.246_116_897_032_5,
                0.002_878_909_511_344,
            ),
            (
                &outlier,
                &few,
                0.2,
                4.591_598_691_181_999,
                0.009_989_092_520_784_21,
            ),
            (&outlier, &few, 0.32, 2.832_256_715_395_378, 0.105_123_804_0),
        ];
        for (a, b, share, statistic, probability) in cases {
            let side = |values: &[f64]| Mean::from(Trimmed::of(values, share).unwrap());
            let difference = Difference::between(side(b), side(a));
            let found = difference.mean / difference.error;
            assert!((found - statistic).abs() < 1e-9, "{found} {statistic}");
            let found = difference.probability();
            assert!((found - probability).abs() < 1e-7, "{found} {probability}");
        }
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
        assert!(difference.interval(0.95).0.abs() < 1e-3);
    }

    #[test]
    fn what_does_not_scatter_is_certain() {
        let same = Difference::of(&[2.0, 2.0], &[2.0, 2.0]).unwrap();
        assert_eq!((same.interval(0.95), same.probability()), ((0.0, 0.0), 1.0));
        let other = Difference::of(&[2.0, 2.0], &[3.0, 3.0]).unwrap();
        assert_eq!(
            (other.interval(0.95), other.probability()),
            ((1.0, 1.0), 0.0)
        );
        let one_sided = Difference::of(&[2.0, 2.0], &[3.0, 3.1]).unwrap();
        assert!(one_sided.interval(0.95).0.is_finite() && one_sided.probability() > 0.0);
    }

    #[test]
    fn one_run_says_nothing_about_noise() {
        assert_eq!(Difference::of(&[1.0], &[2.0, 3.0]), None);
        let single = Mean::from(Trimmed::of(&[1.0, 2.0, 3.0], 0.4).unwrap());
        let unknown = Mean {
            error: 1.0,
            ..single
        };
        let other = Mean::of(&[9.0, 9.1]).unwrap();
        assert_eq!(Difference::between(unknown, other).probability(), 1.0);
    }

    #[test]
    fn exchanged_sides_have_the_reciprocal_factor() {
        let side = |value| Mean {
            value,
            error: 0.1,
            freedom: 9.0,
        };
        let there = factor(&logarithmic(side(1.0), side(2.0)).unwrap(), 0.95, 0.01);
        let back = factor(&logarithmic(side(2.0), side(1.0)).unwrap(), 0.95, 0.01);
        assert!((there.0 - 2.0).abs() < 1e-12);
        assert!((there.1.0 * back.1.1 - 1.0).abs() < 1e-12);
        assert!(there.1.0 > 1.0 && there.1.0 < 2.0);
        assert_eq!(logarithmic(side(0.0), side(1.0)), None);
    }

    #[test]
    fn what_clocks_may_have_done_is_no_difference() {
        let difference = Difference {
            mean: 0.02,
            error: 0.001,
            freedom: 20.0,
        };
        assert!(difference.probability() < 1e-6);
        assert!(difference.probability_beyond(0.019) > 0.1);
        assert_eq!(difference.probability_beyond(0.03), 1.0);
    }
}
