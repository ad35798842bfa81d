//! Least-squares adjustment of clocks between which more comparisons were made than it takes, and
//! how wrong these comparisons are.
//!
//! One comparison leaves half of its round trip open, since it does not show how the round trip
//! divides into the two ways. Around a loop of comparisons the true differences cancel, and only
//! errors are left. Let the error of each comparison be independent of the others, with a standard
//! deviation `k u`, a share `k` of its bound `u`. Then the best corrections `c` of the clocks
//! minimise the sum of `((d_ij + c_i - c_j) / u_ij)²` over all comparisons, where clocks `i` and `j`
//! differ by `d_ij`, and the sum that remains, through the number of loops, is an estimate of `k²`.
//! This is the adjustment of a levelling network (C. F. Gauss, Theoria combinationis observationum,
//! 1823), with clocks in place of heights.
//!
//! Errors that belong to clocks instead of ways cancel, too: if all messages to one node take longer
//! than those from it, no loop shows that, and only the bound holds.

/// A comparison of two clocks by their numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compared {
    /// The two clocks.
    pub clocks: (usize, usize),
    /// By how much the first was ahead of the second.
    pub difference: f64,
    /// By how much that may be wrong in any case.
    pub bound: f64,
}

/// Errors of comparisons as their loops show them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Standard deviation of a comparison's error, as a share of its bound.
    pub value: f64,
    /// Degrees of freedom of this estimate: the number of independent loops.
    pub freedom: f64,
    /// Variance of the difference of two adjusted clocks, of those two for which it is largest,
    /// through `value²`.
    pub variance: f64,
}

/// Adjusted clocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjustment {
    /// By clock: what is added to it; 0 for clock 0.
    pub corrections: Vec<f64>,
    /// How wrong comparisons are.
    pub share: Share,
}

/// Adjusts clocks 0 to `clocks - 1` by comparisons that connect them all. `None` if there are no
/// loops.
pub fn adjust(clocks: usize, comparisons: &[Compared]) -> Option<Adjustment> {
    let loops = (comparisons.len() + 1)
        .checked_sub(clocks)
        .filter(|&loops| loops > 0)?;
    let inverse = inverted(normal_matrix(clocks, comparisons))?;
    let right = right_side(clocks, comparisons);
    let product = |row: &Vec<f64>| row.iter().zip(&right).map(|(a, b)| a * b).sum();
    let others = inverse.iter().map(product);
    let corrections: Vec<f64> = std::iter::once(0.0).chain(others).collect();
    let rest = |one: &Compared| {
        let (a, b) = one.clocks;
        ((one.difference + corrections[a] - corrections[b]) / one.bound).powi(2)
    };
    let square = comparisons.iter().map(rest).sum::<f64>() / loops as f64;
    Some(Adjustment {
        share: Share {
            value: square.sqrt(),
            freedom: loops as f64,
            variance: largest_variance(&inverse),
        },
        corrections,
    })
}

/// Sum over comparisons of their weights, for all clocks but clock 0, whose correction is 0.
fn normal_matrix(clocks: usize, comparisons: &[Compared]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; clocks - 1]; clocks - 1];
    for one in comparisons {
        let weight = one.bound.powi(-2);
        let (a, b) = one.clocks;
        for clock in [a, b].into_iter().filter(|&clock| clock > 0) {
            matrix[clock - 1][clock - 1] += weight;
        }
        if a > 0 && b > 0 {
            matrix[a - 1][b - 1] -= weight;
            matrix[b - 1][a - 1] -= weight;
        }
    }
    matrix
}

fn right_side(clocks: usize, comparisons: &[Compared]) -> Vec<f64> {
    let mut right = vec![0.0; clocks - 1];
    for one in comparisons {
        let weighted = one.difference / one.bound.powi(2);
        let (a, b) = one.clocks;
        if a > 0 {
            right[a - 1] -= weighted;
        }
        if b > 0 {
            right[b - 1] += weighted;
        }
    }
    right
}

/// Inverse of a positive definite matrix, by Gauss and Jordan's elimination, which needs no pivots
/// there. `None` if some clocks are not connected.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    for pivot in 0..matrix.len() {
        let value = matrix[pivot][pivot];
        if value.is_nan() || value <= 0.0 {
            return None;
        }
        matrix[pivot][pivot] = 1.0;
        matrix[pivot]
            .iter_mut()
            .for_each(|element| *element /= value);
        let pivot_row = matrix[pivot].clone();
        for row in (0..matrix.len()).filter(|&row| row != pivot) {
            let factor = std::mem::replace(&mut matrix[row][pivot], 0.0);
            for (element, other) in matrix[row].iter_mut().zip(&pivot_row) {
                *element -= factor * other;
            }
        }
    }
    Some(matrix)
}

/// Of the difference of two clocks, over all pairs; clock 0 is exact.
fn largest_variance(inverse: &[Vec<f64>]) -> f64 {
    let mut largest: f64 = 0.0;
    for (a, row) in inverse.iter().enumerate() {
        largest = largest.max(row[a]);
        for b in 0..a {
            largest = largest.max(row[a] + inverse[b][b] - 2.0 * row[b]);
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(a: usize, b: usize, difference: f64) -> Compared {
        Compared {
            clocks: (a, b),
            difference,
            bound: 10.0,
        }
    }

    #[test]
    fn a_triangle_divides_its_misclosure_evenly() {
        let all = [
            compared(1, 0, 0.0),
            compared(2, 0, 0.0),
            compared(2, 1, 3.0),
        ];
        let found = adjust(3, &all).expect("there is a loop");
        for (found, expected) in found.corrections.iter().zip([0.0, 1.0, -1.0]) {
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
        // Each comparison is off by 1 of 10, and there is one loop.
        let share = found.share;
        assert!((share.value - 0.03_f64.sqrt()).abs() < 1e-12, "{share:?}");
        assert_eq!(share.freedom, 1.0);
        // Two ways between any two clocks, of one comparison and of two.
        assert!(
            (share.variance - 100.0 * 2.0 / 3.0).abs() < 1e-9,
            "{share:?}"
        );
    }

    #[test]
    fn clocks_that_agree_are_left_as_they_are() {
        let pairs = (0..5).flat_map(|a| (0..a).map(move |b| compared(a, b, 0.0)));
        let found = adjust(5, &pairs.collect::<Vec<_>>()).expect("there are loops");
        assert_eq!(found.corrections, [0.0; 5]);
        assert_eq!((found.share.value, found.share.freedom), (0.0, 6.0));
        // Of all pairs, 2 u² / n.
        assert!((found.share.variance - 40.0).abs() < 1e-9);
    }

    #[test]
    fn without_loops_nothing_is_known() {
        assert_eq!(adjust(1, &[]), None);
        assert_eq!(adjust(2, &[compared(1, 0, 5.0)]), None);
        let apart = [
            compared(1, 0, 0.0),
            compared(1, 0, 1.0),
            compared(3, 2, 0.0),
        ];
        assert_eq!(adjust(4, &apart), None);
        let missing = [
            compared(1, 0, 0.0),
            compared(1, 0, 1.0),
            compared(1, 0, 1.0),
        ];
        assert_eq!(adjust(3, &missing), None);
    }
}
