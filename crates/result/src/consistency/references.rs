//! References of a result's files: to the cube that they belong to, and within themselves.

use pgas_cube::model::Cube;

use crate::model::summary::Summary;
use crate::model::timeline::Timeline;
use crate::model::{Value, first_problem};

/// The first reference of a summary that leads nowhere, for a message.
pub(crate) fn problem_of_summary(summary: &Summary, cube: &Cube) -> Option<String> {
    let findings = summary.findings.len();
    first_problem(summary, |value| match value {
        Value::Finding(index) => missing(index < findings, || format!("finding {index}")),
        of_cube => problem_in_cube(of_cube, cube),
    })
}

/// The first reference of a timeline that leads nowhere.
pub(crate) fn problem_of_timeline(timeline: &Timeline, cube: &Cube) -> Option<String> {
    let places = timeline.places.len();
    first_problem(timeline, |value| match value {
        Value::Place(index) => missing(index < places, || format!("place {index}")),
        Value::Row(thread) => {
            let is_drawn = timeline.rows.iter().any(|row| row.thread == thread);
            missing(is_drawn, || format!("the row of thread {thread}"))
        }
        of_cube => problem_in_cube(of_cube, cube),
    })
}

fn problem_in_cube(value: Value<'_>, cube: &Cube) -> Option<String> {
    let threads = cube.threads.len();
    let has_metric = |id: &str| cube.metric(id).is_some();
    match value {
        Value::CallPath(index) => {
            let is_there = index < cube.call_paths.len();
            missing(is_there, || format!("call path {index}"))
        }
        Value::Node(index) => missing(index < cube.nodes.len(), || format!("node {index}")),
        Value::Thread(thread) => {
            missing((thread as usize) < threads, || format!("thread {thread}"))
        }
        Value::Shift(distance) => {
            let is_there = (distance as usize) < threads;
            missing(is_there, || format!("a thread {distance} after another"))
        }
        Value::Metric(id) => missing(has_metric(id), || format!("metric {id:?}")),
        Value::Series(id) => {
            let is_there = id == "duration" || has_metric(id);
            missing(is_there, || format!("metric {id:?}"))
        }
        Value::Threads(count) if count != threads => {
            Some(format!("is of {count} threads, the profile of {threads}"))
        }
        Value::FirstThreads(count) if count > threads => {
            Some(format!("is of {count} threads, the profile of {threads}"))
        }
        _ => None,
    }
}

fn missing(is_there: bool, name: impl FnOnce() -> String) -> Option<String> {
    (!is_there).then(|| format!("names {}, which does not exist", name()))
}
