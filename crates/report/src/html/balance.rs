//! Load balance of each function's computation among threads, computed from all values, so that it
//! is exact also where the page has no longer every thread's value.

use pgas_base::quantile::quantile;
use pgas_cube::model::Cube;
use serde::Serialize;

/// Functions at most, those with the largest imbalance.
const MOST: usize = 100;

/// Computation of one function, in all of its call paths, over threads. In seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct FunctionBalance<'a> {
    pub region: &'a str,
    pub module: &'a str,
    pub total: f64,
    pub mean: f64,
    pub minimum: f64,
    pub minimum_thread: usize,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    pub maximum: f64,
    pub maximum_thread: usize,
    /// The call path of this function with most computation.
    pub call_path: usize,
}

/// Those with most to gain from a better balance first: by maximum minus mean.
pub(super) fn functions(cube: &Cube) -> Vec<FunctionBalance<'_>> {
    let Some(computation) = cube.metric("computation") else {
        return Vec::new();
    };
    let mut sums: Vec<Option<(Vec<f64>, usize, f64)>> = vec![None; cube.regions.len()];
    for (metric, call_path, values) in cube.rows() {
        if metric != computation {
            continue;
        }
        let total: f64 = values.iter().sum();
        match &mut sums[cube.call_paths[call_path.0].region.0] {
            Some((sum, heaviest, most)) => {
                sum.iter_mut().zip(values).for_each(|(s, v)| *s += v);
                if total > *most {
                    (*heaviest, *most) = (call_path.0, total);
                }
            }
            none => *none = Some((values.to_vec(), call_path.0, total)),
        }
    }
    let mut functions: Vec<_> = sums
        .iter()
        .zip(&cube.regions)
        .filter_map(|(sum, region)| {
            let (values, call_path, _) = sum.as_ref()?;
            let total: f64 = values.iter().sum();
            if total <= 0.0 {
                return None;
            }
            let spread = Quartiles::of(values)?;
            Some(FunctionBalance {
                region: &region.name,
                module: &region.module,
                total,
                mean: total / values.len() as f64,
                minimum: spread.minimum,
                minimum_thread: position(values, spread.minimum),
                lower_quartile: spread.lower,
                median: spread.median,
                upper_quartile: spread.upper,
                maximum: spread.maximum,
                maximum_thread: position(values, spread.maximum),
                call_path: *call_path,
            })
        })
        .collect();
    let gain = |f: &FunctionBalance| f.maximum - f.mean;
    functions.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    functions.truncate(MOST);
    functions
}

fn position(values: &[f64], value: f64) -> usize {
    values.iter().position(|v| *v == value).unwrap_or(0)
}

/// Smallest, largest, and the quartiles of [`quantile`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quartiles {
    pub minimum: f64,
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
    pub maximum: f64,
}

impl Quartiles {
    /// `None` of no values.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Quartiles {
            minimum: *sorted.first()?,
            lower: quantile(&sorted, 25)?,
            median: quantile(&sorted, 50)?,
            upper: quantile(&sorted, 75)?,
            maximum: *sorted.last()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_the_smallest_value_that_so_many_do_not_exceed() {
        let spread = Quartiles::of(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        assert_eq!((spread.lower, spread.median, spread.upper), (1.0, 2.0, 3.0));
        let one = Quartiles::of(&[7.0]).unwrap();
        assert_eq!((one.minimum, one.lower, one.maximum), (7.0, 7.0, 7.0));
        assert_eq!(Quartiles::of(&[]), None);
    }
}
