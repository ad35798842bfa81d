//! Many differences judged at once, of which some look large by accident.

/// Probabilities corrected by the procedure of Benjamini and Hochberg (Controlling the False
/// Discovery Rate, J. R. Stat. Soc. B 57, 1995): of those at most 0.05, the expected share of false
/// alarms is at most 5 %.
pub fn false_discoveries(probabilities: &[f64]) -> Vec<f64> {
    let count = probabilities.len();
    let mut adjusted = vec![1.0; count];
    let mut smallest: f64 = 1.0;
    for (rank, index) in ascending(probabilities).into_iter().enumerate().rev() {
        smallest = smallest.min(probabilities[index] * count as f64 / (rank + 1) as f64);
        adjusted[index] = smallest;
    }
    adjusted
}

/// Probabilities corrected by the procedure of Holm (A simple sequentially rejective multiple test
/// procedure, Scandinavian Journal of Statistics 6, 1979): if those at most 0.05 are called certain,
/// the probability that a single one of them is an accident is at most 5 %.
pub fn any_false_alarm(probabilities: &[f64]) -> Vec<f64> {
    let count = probabilities.len();
    let mut adjusted = vec![1.0; count];
    let mut largest: f64 = 0.0;
    for (rank, index) in ascending(probabilities).into_iter().enumerate() {
        let corrected = probabilities[index] * (count - rank) as f64;
        largest = largest.max(corrected.min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}

/// Indices of the values, that of the smallest first.
fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: &[f64], expected: &[f64]) {
        for (value, expected) in found.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn probabilities_are_corrected_by_rank() {
        let probabilities = [0.01, 0.04, 0.03, 0.5];
        let expected = [0.04, 0.16 / 3.0, 0.16 / 3.0, 0.5];
        assert_close(&false_discoveries(&probabilities), &expected);
        assert_close(&any_false_alarm(&probabilities), &[0.04, 0.09, 0.09, 0.5]);
        assert_eq!(false_discoveries(&[]), Vec::<f64>::new());
        assert_eq!(any_false_alarm(&[]), Vec::<f64>::new());
    }

    /// Table 1 of Benjamini and Hochberg: of 15 comparisons, their procedure rejects 4 at 0.05 and
    /// Bonferroni's, as Holm's, 3.
    #[test]
    fn the_published_example_has_its_published_result() {
        let published = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0000,
        ];
        let rejected = |adjusted: Vec<f64>| adjusted.iter().filter(|p| **p <= 0.05).count();
        assert_eq!(rejected(false_discoveries(&published)), 4);
        assert_eq!(rejected(any_false_alarm(&published)), 3);
    }
}
