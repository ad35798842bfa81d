//! Checks that a cube can be written, and orders its parts for writing.

use std::collections::HashSet;

use super::{Step, steps};
use crate::model::{Cube, Unit};

/// The largest integer up to which `f64` holds every integer.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// A cube that was found to be writable, and the order to write it in.
pub(crate) struct Plan<'a> {
    pub cube: &'a Cube,
    pub metric_steps: Vec<Step>,
    pub call_path_steps: Vec<Step>,
    /// Per metric: whether a value is no integer, or too large to be exact.
    pub fractional: Vec<bool>,
}

impl<'a> Plan<'a> {
    /// Err is the rule that the cube breaks.
    pub fn of(cube: &'a Cube) -> Result<Self, String> {
        for (what, count) in [
            ("metric", cube.metrics.len()),
            ("region", cube.regions.len()),
            ("call path", cube.call_paths.len()),
            ("node", cube.nodes.len()),
            ("thread", cube.threads.len()),
        ] {
            if count == 0 {
                return Err(format!("there is no {what}, but CUBE needs at least one"));
            }
        }
        let mut names = HashSet::new();
        for metric in &cube.metrics {
            if !names.insert(&metric.unique_name) {
                return Err(format!("two metrics are named {:?}", metric.unique_name));
            }
        }
        for (index, call_path) in cube.call_paths.iter().enumerate() {
            if call_path.region.0 >= cube.regions.len() {
                return Err(format!(
                    "call path {index} is in region {}, there are {}",
                    call_path.region.0,
                    cube.regions.len()
                ));
            }
        }
        for (index, thread) in cube.threads.iter().enumerate() {
            if thread.node >= cube.nodes.len() {
                return Err(format!(
                    "thread {index} is on node {}, there are {}",
                    thread.node,
                    cube.nodes.len()
                ));
            }
        }
        let metric_parents: Vec<_> = cube.metrics.iter().map(|m| m.parent.map(|p| p.0)).collect();
        let metric_steps =
            steps(&metric_parents).map_err(|i| format!("the parent of metric {i} is behind it"))?;
        let parents: Vec<_> = cube
            .call_paths
            .iter()
            .map(|c| c.parent.map(|p| p.0))
            .collect();
        let call_path_steps =
            steps(&parents).map_err(|i| format!("the parent of call path {i} is behind it"))?;

        for (index, topology) in cube.topologies.iter().enumerate() {
            if let Some(problem) = topology.problem(cube.threads.len()) {
                return Err(format!("topology {index}: {problem}"));
            }
        }

        Ok(Plan {
            cube,
            metric_steps,
            call_path_steps,
            fractional: check_severities(cube)?,
        })
    }

    /// Whether the values of a metric are written as integers.
    pub fn is_integer(&self, metric: usize) -> bool {
        self.cube.metrics[metric].unit != Unit::Seconds && !self.fractional[metric]
    }
}

/// Checks all values and finds out which metrics have fractions.
fn check_severities(cube: &Cube) -> Result<Vec<bool>, String> {
    let mut fractional = vec![false; cube.metrics.len()];
    for (metric, call_path, values) in cube.rows() {
        let place = || format!("metric {}, call path {}", metric.0, call_path.0);
        let Some(flag) = fractional.get_mut(metric.0) else {
            return Err(format!("{}: there is no such metric", place()));
        };
        if call_path.0 >= cube.call_paths.len() {
            return Err(format!("{}: there is no such call path", place()));
        }
        if values.len() != cube.threads.len() {
            return Err(format!(
                "{}: {} values for {} threads",
                place(),
                values.len(),
                cube.threads.len()
            ));
        }
        for (thread, &value) in values.iter().enumerate() {
            if !value.is_finite() {
                return Err(format!(
                    "{}, thread {thread}: the value is {value}",
                    place()
                ));
            }
            *flag |= value.fract() != 0.0 || value.abs() > MAX_EXACT_INTEGER;
        }
    }
    Ok(fractional)
}
