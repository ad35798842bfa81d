//! One result with the metrics of several, such as runs with different counters.

use super::{AlgebraError, Integrated, integrate};
use crate::model::Cube;

/// The metrics of all cubes. One that several have is taken from the first of them.
///
/// # Errors
/// Those of [`integrate()`].
pub fn merge(cubes: &[&Cube]) -> Result<Cube, AlgebraError> {
    let Integrated {
        mut trees,
        mappings,
    } = integrate(cubes)?;
    let mut taken = vec![false; trees.metrics.len()];
    for (mapping, cube) in mappings.iter().zip(cubes) {
        for (metric, call_path, values) in mapping.rows(cube) {
            if !taken[metric.0] {
                let row = trees.row_mut(metric, call_path);
                row[..values.len()].copy_from_slice(values);
            }
        }
        for metric in &mapping.metrics {
            taken[metric.0] = true;
        }
    }
    trees.drop_zero_rows();
    Ok(trees)
}
