//! Statistics that a few outliers do not spoil: Theil-Sen slope, Mann-Kendall test.

use pgas_base::quantile::median;
use statrs::function::erf::erfc;

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The line through a sequence whose slope is the median of the slopes between any two of its
/// values (P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", J. Am.
/// Stat. Assoc. 63, 1968).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Trend {
    /// From one value to the next.
    pub slope: f64,
    /// Of the line, at the first value.
    pub start: f64,
    /// The probability that values in random order seem to rise or fall as much (Mann-Kendall
    /// test, two-sided).
    pub probability: f64,
}

impl Trend {
    /// Takes time in proportion to the square of the number of values.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        let mut slopes = Vec::with_capacity(n * n.saturating_sub(1) / 2);
        for (i, &earlier) in values.iter().enumerate() {
            for (j, &later) in values.iter().enumerate().skip(i + 1) {
                slopes.push((later - earlier) / (j - i) as f64);
            }
        }
        let score: f64 = slopes
            .iter()
            .map(|&slope| match slope {
                s if s > 0.0 => 1.0,
                s if s < 0.0 => -1.0,
                _ => 0.0,
            })
            .sum();
        let slope = median(&slopes).unwrap_or(0.0);
        let starts: Vec<f64> = values
            .iter()
            .enumerate()
            .map(|(i, value)| value - slope * i as f64)
            .collect();
        Trend {
            slope,
            start: median(&starts).unwrap_or(0.0),
            probability: mann_kendall(values, score),
        }
    }
}

/// Two-sided probability of a score, by the normal approximation with correction for ties and for
/// continuity (H. B. Mann, "Nonparametric tests against trend", Econometrica 13, 1945; M. G.
/// Kendall, "Rank correlation methods", 1975).
fn mann_kendall(values: &[f64], score: f64) -> f64 {
    let n = values.len() as f64;
    let term = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let ties: f64 = sorted
        .chunk_by(|a, b| a == b)
        .map(|equal| term(equal.len() as f64))
        .sum();
    let variance = (term(n) - ties) / 18.0;
    if variance <= 0.0 || score == 0.0 {
        return 1.0;
    }
    let z = (score.abs() - 1.0) / variance.sqrt();
    two_sided(z)
}

/// The probability that a normally distributed value is farther from its mean than `z` standard
/// deviations.
fn two_sided(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// Averages neighbours such that at most `most` values are left, which are means of equally many
/// values but the last.
pub(crate) fn condense(values: &[f64], most: usize) -> (usize, Vec<f64>) {
    let each = values.len().div_ceil(most.max(1)).max(1);
    (each, values.chunks(each).map(mean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_in_spite_of_odd_values() {
        let mut values: Vec<f64> = (0..40).map(|k| 10.0 + 0.5 * k as f64).collect();
        values[7] = 900.0;
        values[30] = 0.0;
        let trend = Trend::of(&values);
        assert!((trend.slope - 0.5).abs() < 0.02, "{trend:?}");
        assert!((trend.start - 10.0).abs() < 0.5, "{trend:?}");
        assert!(trend.probability < 1e-6);
    }

    #[test]
    fn what_goes_up_and_down_has_no_trend() {
        let values: Vec<f64> = (0..40).map(|k| f64::from(k % 4)).collect();
        assert!(Trend::of(&values).probability > 0.2);
        assert_eq!(Trend::of(&[3.0; 10]).probability, 1.0);
        assert_eq!(Trend::of(&[]).probability, 1.0);
    }

    #[test]
    fn the_normal_distribution_is_the_one_of_the_tables() {
        for (z, probability) in [(0.0, 1.0), (1.0, 0.317_31), (1.96, 0.05), (2.5758, 0.01)] {
            assert!((two_sided(z) - probability).abs() < 1e-5, "{z}");
        }
    }

    #[test]
    fn the_example_of_the_test_by_hand() {
        // Of the 10 pairs of 1 2 4 3 5, one falls: the score is 8, the variance 5 * 4 * 15 / 18.
        let trend = Trend::of(&[1.0, 2.0, 4.0, 3.0, 5.0]);
        let z: f64 = 7.0 / (300.0f64 / 18.0).sqrt();
        assert!((trend.probability - two_sided(z)).abs() < 1e-12);
        assert_eq!(trend.slope, 1.0);
    }

    #[test]
    fn neighbours_are_averaged() {
        assert_eq!(condense(&[1.0, 3.0, 5.0], 2), (2, vec![2.0, 5.0]));
        assert_eq!(condense(&[1.0, 3.0], 2), (1, vec![1.0, 3.0]));
        assert_eq!(condense(&[], 2), (1, vec![]));
    }
}
