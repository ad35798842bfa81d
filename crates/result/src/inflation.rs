//! By how much times of a result are inflated by what recording cost: shares of times of call paths
//! and metrics.

use pgas_cube::model::{CallPathId, Cube, MetricId};

use crate::AnalysisResult;
use crate::model::recording::{Recording, RecordingCost};

/// Shares of what recording took, 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Inflation {
    /// By call path, of its own time.
    own: Vec<f64>,
    /// By call path: seconds of its own that recording took, and own seconds, over threads.
    seconds: Vec<(f64, f64)>,
}

impl Inflation {
    /// `None` where recording did not cost so much that times are called inflated.
    pub fn of(result: &AnalysisResult) -> Option<Self> {
        Self::new(&result.cube, &result.summary.recording)
    }

    pub(crate) fn new(cube: &Cube, recording: &Recording) -> Option<Self> {
        let cost = recording.cost.as_ref().filter(|c| c.is_inflating())?;
        Self::by_path(cube, cost)
    }

    /// However much it is. `None` if there is no metric of time.
    pub(crate) fn by_path(cube: &Cube, cost: &RecordingCost) -> Option<Self> {
        let mut seconds = vec![(0.0, 0.0); cube.call_paths.len()];
        let time = cube.metric("time")?;
        for (path, row) in cube.rows_of(time) {
            seconds[path.0].1 = row.iter().sum();
        }
        for path in &cost.call_paths {
            if let Some(of_path) = seconds.get_mut(path.call_path) {
                of_path.0 = path.seconds.min(of_path.1);
            }
        }
        let share = |&(cost, time): &(f64, f64)| if time > 0.0 { cost / time } else { 0.0 };
        Some(Inflation {
            own: seconds.iter().map(share).collect(),
            seconds,
        })
    }

    /// Of the time of a call path itself.
    pub fn own(&self, path: CallPathId) -> f64 {
        self.own.get(path.0).copied().unwrap_or(0.0)
    }

    /// Of the time of a call path with all that it calls.
    pub fn inclusive(&self, cube: &Cube, path: CallPathId) -> f64 {
        let (mut cost, mut time) = (0.0, 0.0);
        for (index, &(of_path, own)) in self.seconds.iter().enumerate() {
            if is_within(cube, CallPathId(index), path) {
                cost += of_path;
                time += own;
            }
        }
        if time > 0.0 { cost / time } else { 0.0 }
    }

    /// Of the time that a metric has, at one call path and below, or everywhere. Recording takes
    /// the same share of each part of a call path's own time: it is not known of which.
    pub fn of_metric(&self, cube: &Cube, metric: MetricId, below: Option<CallPathId>) -> f64 {
        let (mut cost, mut time) = (0.0, 0.0);
        for (path, row) in cube.rows_of(metric) {
            if below.is_some_and(|root| !is_within(cube, path, root)) {
                continue;
            }
            let seconds: f64 = row.iter().sum();
            cost += seconds * self.own(path);
            time += seconds;
        }
        if time > 0.0 { cost / time } else { 0.0 }
    }
}

/// Whether `path` is `root` or below it.
fn is_within(cube: &Cube, path: CallPathId, root: CallPathId) -> bool {
    let mut next = Some(path);
    while let Some(path) = next {
        if path == root {
            return true;
        }
        next = cube.call_paths.get(path.0).and_then(|path| path.parent);
    }
    false
}
