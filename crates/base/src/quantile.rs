//! Quantiles of samples, in the numbering of R. J. Hyndman and Y. Fan (Sample quantiles in
//! statistical packages, The American Statistician 50, 1996).

/// The smallest value that `percent` of all values do not exceed: type 1, the inverse of the
/// empirical distribution function. It is one of the values, which must be `sorted`. `None` of no
/// values.
pub fn quantile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent.min(100)).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

/// The value in the middle, or the mean of the two there: type 2, as type 1 with averages where the
/// distribution function has the wanted value. `None` of no values.
pub fn median(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let mut values = values.to_vec();
    let middle = values.len() / 2;
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp);
    Some(match lower {
        Some(lower) if values.len() % 2 == 0 => (lower + upper) / 2.0,
        _ => upper,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `quantile(x, p, type = 1)` and `quantile(x, 0.5, type = 2)` of R.
    #[test]
    fn quantiles_are_those_of_their_definitions() {
        let even = [1.0, 2.0, 3.0, 4.0];
        for (percent, expected) in [
            (0, 1.0),
            (25, 1.0),
            (26, 2.0),
            (50, 2.0),
            (75, 3.0),
            (100, 4.0),
        ] {
            assert_eq!(quantile(&even, percent), Some(expected), "{percent}");
        }
        let odd = [1.0, 2.0, 3.0, 4.0, 10.0];
        let quartiles = [25, 50, 75].map(|percent| quantile(&odd, percent));
        assert_eq!(quartiles, [Some(2.0), Some(3.0), Some(4.0)]);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(
            (quantile(&[7.0], 75), median(&[7.0])),
            (Some(7.0), Some(7.0))
        );
        assert_eq!((quantile(&[], 50), median(&[])), (None, None));
    }
}
