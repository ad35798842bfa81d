//! Differences between two results.

use super::{AlgebraError, Integrated, integrate};
use crate::model::Cube;

/// `a - b`, value by value: negative where `b` has more. To see what became better and worse in a
/// later run, it is the first operand.
///
/// Of a minimum or maximum, the difference of the two.
///
/// # Errors
/// Those of [`integrate()`].
pub fn diff(a: &Cube, b: &Cube) -> Result<Cube, AlgebraError> {
    let Integrated {
        mut trees,
        mappings,
    } = integrate(&[a, b])?;
    for ((mapping, cube), sign) in mappings.iter().zip([a, b]).zip([1.0, -1.0]) {
        for (metric, call_path, values) in mapping.rows(cube) {
            let row = trees.row_mut(metric, call_path);
            for (target, value) in row.iter_mut().zip(values) {
                *target += sign * value;
            }
        }
    }
    trees.drop_zero_rows();
    Ok(trees)
}
