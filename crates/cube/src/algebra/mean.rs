//! The mean of several results, such as repeated runs.

use std::collections::BTreeMap;

use super::{AlgebraError, Integrated, integrate};
use crate::model::{Aggregation, CallPathId, Cube, MetricId};

/// The arithmetic mean of each value over all cubes; the smallest or largest of a minimum or
/// maximum. The order of the cubes decides the order of the trees, and no value.
///
/// # Errors
/// Those of [`integrate()`].
pub fn mean(cubes: &[&Cube]) -> Result<Cube, AlgebraError> {
    let Integrated {
        mut trees,
        mappings,
    } = integrate(cubes)?;
    let mut rows: BTreeMap<(MetricId, CallPathId), Vec<&[f64]>> = BTreeMap::new();
    for (mapping, cube) in mappings.iter().zip(cubes) {
        for (metric, call_path, values) in mapping.rows(cube) {
            rows.entry((metric, call_path)).or_default().push(values);
        }
    }
    let mut values = Vec::with_capacity(cubes.len());
    for ((metric, call_path), rows) in rows {
        let aggregation = trees.aggregation(metric);
        let row = trees.row_mut(metric, call_path);
        for (thread, target) in row.iter_mut().enumerate() {
            values.clear();
            values.extend(rows.iter().filter_map(|row| row.get(thread)));
            *target = match aggregation {
                Aggregation::Sum => {
                    // Always in the same order, so that rounding is the same too.
                    values.sort_by(f64::total_cmp);
                    values.iter().sum::<f64>() / cubes.len() as f64
                }
                _ => values.iter().fold(0.0, |a, b| aggregation.combine(a, *b)),
            };
        }
    }
    trees.drop_zero_rows();
    Ok(trees)
}
