//! Parts of each thread's time that a picture tells apart by colour: the kinds of operations
//! without their waiting, and the waiting of all of them.

use pgas_cube::model::{Cube, MetricId};
use pgas_result::vocabulary::WAITING;
use serde::Serialize;

use crate::figures::{is_wait_state, outermost_wait_states};

/// Kinds of operations that are metrics without children but wait states.
const KINDS: [&str; 9] = [
    "one_sided",
    "collective",
    "barrier",
    "lock",
    "point_to_point",
    "message",
    "fence",
    "allocation",
    "io",
];

/// Seconds of one activity by thread.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ActivityRow {
    /// As `timeline::Activity` is spelt in files.
    pub activity: &'static str,
    pub per_thread: Vec<f64>,
}

/// Ids and names of all activities, in the order of drawing.
pub(super) fn names(cube: &Cube) -> Vec<(&'static str, &str)> {
    let metric = |id: &'static str| {
        let name = cube
            .metric(id)
            .map(|m| cube.metrics[m.0].display_name.as_str());
        (id, name.unwrap_or(id))
    };
    let operations = std::iter::once("computation").chain(KINDS).map(metric);
    operations
        .chain([
            ("waiting", WAITING),
            metric("no_core"),
            metric("measurement"),
        ])
        .collect()
}

/// All activities that are not zero on all threads, in the order of drawing.
pub(super) fn rows(cube: &Cube) -> Vec<ActivityRow> {
    let sums: Vec<Vec<f64>> = (0..cube.metrics.len())
        .map(|index| cube.per_thread(MetricId(index)))
        .collect();
    let zeros = || vec![0.0; cube.threads.len()];
    let named = |name: &str| {
        let id = cube.metric(name);
        id.map_or_else(zeros, |id| sums[id.0].clone())
    };

    let mut rows = vec![ActivityRow {
        activity: "computation",
        per_thread: named("computation"),
    }];
    for kind in KINDS {
        let mut per_thread = named(kind);
        if let Some(id) = cube.metric(kind) {
            let waits = outermost_wait_states(cube);
            for wait in waits.iter().filter(|wait| is_below(cube, **wait, id)) {
                subtract(&mut per_thread, &sums[wait.0]);
            }
        }
        rows.push(ActivityRow {
            activity: kind,
            per_thread,
        });
    }
    let mut waiting = zeros();
    for wait in outermost_wait_states(cube) {
        debug_assert!(is_wait_state(cube, wait));
        for (sum, value) in waiting.iter_mut().zip(&sums[wait.0]) {
            *sum += value;
        }
    }
    rows.push(ActivityRow {
        activity: "waiting",
        per_thread: waiting,
    });
    for activity in ["no_core", "measurement"] {
        rows.push(ActivityRow {
            activity,
            per_thread: named(activity),
        });
    }
    rows.retain(|row| row.per_thread.iter().any(|value| *value > 0.0));
    rows
}

fn is_below(cube: &Cube, metric: MetricId, above: MetricId) -> bool {
    let parent = |id: &MetricId| cube.metrics[id.0].parent;
    std::iter::successors(parent(&metric), parent).any(|id| id == above)
}

/// Rounding may leave a little less than nothing.
fn subtract(values: &mut [f64], part: &[f64]) {
    for (value, part) in values.iter_mut().zip(part) {
        *value = (*value - part).max(0.0);
    }
}
