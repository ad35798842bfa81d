//! How far the largest and the smallest of some normal values are apart.
//!
//! The range of `n` independent normal values through an estimate of their standard deviation has
//! the distribution of the studentized range (J. W. Tukey, The problem of multiple comparisons,
//! 1953). With `φ` and `Φ` of the normal distribution, the range of values with the standard
//! deviation 1 is at most `w` with the probability `n ∫ φ(z) (Φ(z) - Φ(z - w))^(n-1) dz`, and the
//! estimate is `sqrt(χ²/f)` of `f` degrees of freedom.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;

/// Intervals of Simpson's rule over normal values, and over estimates of their deviation: more for
/// few degrees of freedom, where the range varies fast beside the estimate.
const VALUES: usize = 128;
const DEVIATIONS: usize = 64;
const FEW: f64 = 8.0;
const DEVIATIONS_OF_FEW: usize = 256;
/// Beyond this many standard deviations nothing is left.
const FARTHEST: f64 = 8.0;
/// From this number of degrees of freedom on, the deviation counts as known.
const KNOWN: f64 = 1e4;
/// Halvings of the interval that the quantile is searched in.
const HALVINGS: usize = 24;

/// The range, in estimated standard deviations, that `count` values keep to with a probability:
/// 3.633 for 4 values, 0.95 and a known deviation. Infinite without degrees of freedom; 0 for less
/// than two values.
pub fn studentized_range(probability: f64, count: usize, freedom: f64) -> f64 {
    if count < 2 || probability <= 0.0 {
        return 0.0;
    }
    if freedom.is_nan() || freedom < 1.0 || probability >= 1.0 {
        return f64::INFINITY;
    }
    let ranges = Ranges::new(count);
    let (mut low, mut high) = (0.0, 4.0);
    while ranges.studentized(high, freedom) < probability && high < 1e6 {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        match ranges.studentized(middle, freedom) < probability {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

/// The distribution of the range of some values.
struct Ranges {
    count: usize,
    normal: Normal,
    /// z, its weight times density, and the share below it.
    values: Vec<(f64, f64, f64)>,
}

impl Ranges {
    fn new(count: usize) -> Self {
        let normal = Normal::standard();
        let density = |z: f64| (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
        let values = simpson(-FARTHEST, FARTHEST, VALUES);
        Ranges {
            count,
            values: values
                .map(|(z, weight)| (z, weight * density(z), normal.cdf(z)))
                .collect(),
            normal,
        }
    }

    /// Of values with the standard deviation 1: the probability of a range up to `range`.
    fn known(&self, range: f64) -> f64 {
        let others = self.count as i32 - 1;
        let below = |&(z, weight, share): &(f64, f64, f64)| {
            weight * (share - self.normal.cdf(z - range)).max(0.0).powi(others)
        };
        self.count as f64 * self.values.iter().map(below).sum::<f64>()
    }

    fn studentized(&self, range: f64, freedom: f64) -> f64 {
        if freedom >= KNOWN {
            return self.known(range);
        }
        let width = FARTHEST / (2.0 * freedom).sqrt();
        let half = freedom / 2.0;
        let constant = std::f64::consts::LN_2 + half * half.ln() - ln_gamma(half);
        let density = |s: f64| (constant + (freedom - 1.0) * s.ln() - freedom * s * s / 2.0).exp();
        // At 0 the logarithm has no value, and the range is 0 there anyway.
        let intervals = match freedom < FEW {
            true => DEVIATIONS_OF_FEW,
            false => DEVIATIONS,
        };
        simpson((1.0 - width).max(0.0), 1.0 + width, intervals)
            .filter(|&(s, _)| s > 0.0)
            .map(|(s, weight)| weight * density(s) * self.known(range * s))
            .sum()
    }
}

/// Points and weights of Simpson's rule.
fn simpson(low: f64, high: f64, intervals: usize) -> impl Iterator<Item = (f64, f64)> {
    let step = (high - low) / intervals as f64;
    (0..=intervals).map(move |point| {
        let weight = match point {
            0 => 1.0,
            last if last == intervals => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        (low + point as f64 * step, weight * step / 3.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::student;

    /// Tables of H. L. Harter, Order statistics and their use in testing and estimation, 1969.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (probability, count, freedom, expected) in [
            (0.95, 2, 1.0, 17.97),
            (0.95, 4, 3.0, 6.825),
            (0.95, 3, 10.0, 3.877),
            (0.99, 5, 20.0, 5.293),
            (0.95, 16, 40.0, 5.163),
            (0.90, 10, 60.0, 4.254),
            (0.95, 4, f64::INFINITY, 3.633),
        ] {
            let found = studentized_range(probability, count, freedom);
            let error: f64 = found / expected - 1.0;
            assert!(error.abs() < 2e-3, "{count} {freedom}: {found} {expected}");
        }
    }

    #[test]
    fn two_values_are_apart_as_students_distribution_says() {
        for freedom in [1.0, 2.0, 5.0, 50.0] {
            let expected = 2.0_f64.sqrt() * student::coefficient(0.95, freedom);
            let found = studentized_range(0.95, 2, freedom);
            assert!((found / expected - 1.0).abs() < 1e-3, "{freedom}: {found}");
        }
        assert_eq!(studentized_range(0.95, 1, 3.0), 0.0);
        assert_eq!(studentized_range(0.95, 3, 0.0), f64::INFINITY);
    }
}
