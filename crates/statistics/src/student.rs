//! Student's distribution: how far a mean may be from the truth.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// From this number of degrees of freedom on, the normal distribution differs by less than 1e-6;
/// the library's inverse becomes inexact there, and does not end with infinitely many.
const NEARLY_NORMAL: f64 = 1e6;

/// The factor of a standard error that gives half of a two-sided interval: 2.776 at a confidence
/// of 0.95 and 4 degrees of freedom. Infinite without degrees of freedom.
pub fn coefficient(confidence: f64, freedom: f64) -> f64 {
    quantile(0.5 + confidence / 2.0, freedom)
}

/// The value that a share of the distribution lies below. Infinite without degrees of freedom, and
/// the normal distribution's with infinitely many.
pub fn quantile(share: f64, freedom: f64) -> f64 {
    if share == 0.5 {
        return 0.0;
    }
    if freedom >= NEARLY_NORMAL {
        return Normal::standard().inverse_cdf(share);
    }
    match distribution(freedom) {
        Some(t) => t.inverse_cdf(share),
        None => f64::INFINITY.copysign(share - 0.5),
    }
}

/// How probable a value as far from 0 as this or farther is. Without degrees of freedom 1.
pub fn two_sided_probability(value: f64, freedom: f64) -> f64 {
    let beyond = match freedom >= NEARLY_NORMAL {
        true => Some(Normal::standard().sf(value.abs())),
        false => distribution(freedom).map(|t| t.sf(value.abs())),
    };
    beyond.map_or(1.0, |beyond| (2.0 * beyond).clamp(0.0, 1.0))
}

fn distribution(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
    #[test]
    fn coefficients_are_those_of_the_tables() {
        for (confidence, freedom, expected) in [
            (0.90, 1.0, 6.314),
            (0.95, 4.0, 2.776),
            (0.99, 10.0, 3.169),
            (0.95, 30.0, 2.042),
            (0.95, f64::INFINITY, 1.960),
        ] {
            let value = coefficient(confidence, freedom);
            assert!((value - expected).abs() < 5e-4, "{freedom}: {value}");
        }
    }

    #[test]
    fn without_degrees_of_freedom_nothing_is_known() {
        assert_eq!(coefficient(0.95, 0.0), f64::INFINITY);
        assert_eq!(two_sided_probability(9.0, 0.0), 1.0);
    }

    #[test]
    fn probabilities_are_the_inverse_of_coefficients() {
        for freedom in [1.0, 3.5, 60.0, 2e6] {
            let probability = two_sided_probability(-coefficient(0.99, freedom), freedom);
            assert!(
                (probability - 0.01).abs() < 1e-6,
                "{freedom}: {probability}"
            );
        }
    }
}
