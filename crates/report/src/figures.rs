//! Figures that several sections and formats need: sums over the cube by kind of activity.

use pgas_cube::model::{CallPathId, Cube, MetricId, Unit};
use pgas_result::AnalysisResult;

/// Min value of a good efficiency factor, as in the POP project.
pub const GOOD: f64 = 0.8;
/// Min value of a fair one.
pub const FAIR: f64 = 0.6;

/// Metrics below `pgas` that state in what kind of operation time is spent. Other metrics below it
/// state why a thread could do nothing there but wait.
const KINDS_OF_OPERATIONS: [&str; 10] = [
    "one_sided",
    "collective",
    "synchronization",
    "barrier",
    "lock",
    "point_to_point",
    "message",
    "fence",
    "allocation",
    "io",
];

/// Time of a thread, or of all, by kind of activity; in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Activity {
    /// In functions of the program.
    pub computation: f64,
    /// In wait states.
    pub waiting: f64,
    /// In operations of the PGAS runtime, but not in a wait state.
    pub communication: f64,
    /// Ready to run, without a core.
    pub no_core: f64,
    /// Stopped because the measurement had to write a full buffer.
    pub measurement: f64,
}

impl Activity {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.computation + self.waiting + self.communication + self.no_core + self.measurement
    }
}

/// Whether it is a wait state: time in which a thread could do nothing but wait for another.
/// Metrics below one are, too.
pub fn is_wait_state(cube: &Cube, id: MetricId) -> bool {
    let name = |id: MetricId| cube.metrics[id.0].unique_name.as_str();
    let parent = |id: &MetricId| cube.metrics[id.0].parent;
    !KINDS_OF_OPERATIONS.contains(&name(id))
        && std::iter::successors(parent(&id), parent).any(|above| name(above) == "pgas")
}

/// The metric that all other times are shares of.
pub fn time(cube: &Cube) -> Option<MetricId> {
    cube.metric("time").or_else(|| {
        cube.metrics
            .iter()
            .position(|m| m.parent.is_none() && m.unit == Unit::Seconds)
            .map(MetricId)
    })
}

/// Wait states that lie in no other one: their sum is the waiting.
pub(crate) fn outermost_wait_states(cube: &Cube) -> Vec<MetricId> {
    let is_wait = |id: MetricId| is_wait_state(cube, id);
    let parent = |id: &MetricId| cube.metrics[id.0].parent;
    (0..cube.metrics.len())
        .map(MetricId)
        .filter(|id| is_wait(*id) && !std::iter::successors(parent(id), parent).any(is_wait))
        .collect()
}

/// From the value of a metric to what it is part of. `value` gives a sum for each metric.
fn activity(cube: &Cube, waits: &[MetricId], value: impl Fn(MetricId) -> f64) -> Activity {
    let named = |name: &str| cube.metric(name).map_or(0.0, &value);
    let waiting = waits.iter().map(|id| value(*id)).sum();
    Activity {
        computation: named("computation"),
        waiting,
        communication: (named("pgas") - waiting).max(0.0),
        no_core: named("no_core"),
        measurement: named("measurement"),
    }
}

/// Activities of every thread.
pub fn activities(cube: &Cube) -> Vec<Activity> {
    let waits = outermost_wait_states(cube);
    let sums: Vec<_> = (0..cube.metrics.len())
        .map(|index| cube.per_thread(MetricId(index)))
        .collect();
    (0..cube.threads.len())
        .map(|thread| activity(cube, &waits, |id| sums[id.0][thread]))
        .collect()
}

/// Activities in one call path, exclusive, over all threads.
pub(crate) fn activity_in(cube: &Cube, call_path: CallPathId) -> Activity {
    let waits = outermost_wait_states(cube);
    activity(cube, &waits, |id| {
        cube.row(id, call_path)
            .map_or(0.0, |values| values.iter().sum())
    })
}

/// Seconds and call path of those with most exclusive time over all threads, most first; none
/// without time.
pub(crate) fn top_call_paths(
    cube: &Cube,
    metric: MetricId,
    count: usize,
) -> Vec<(CallPathId, f64)> {
    let mut sums: Vec<_> = cube
        .rows()
        .filter(|(m, _, _)| *m == metric)
        .map(|(_, call_path, values)| (call_path, values.iter().sum::<f64>()))
        .filter(|(_, sum)| *sum > 0.0)
        .collect();
    sums.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    sums.truncate(count);
    sums
}

/// Region names from the root of the call tree to `call_path`.
pub fn names(cube: &Cube, call_path: CallPathId) -> Vec<&str> {
    let mut names: Vec<_> = std::iter::successors(Some(call_path), |c| cube.call_paths[c.0].parent)
        .map(|c| cube.regions[cube.call_paths[c.0].region.0].name.as_str())
        .collect();
    names.reverse();
    names
}

/// "is.c:412", or what is known of it.
pub fn place(file: &str, line: u32) -> String {
    match (file, line) {
        ("", _) => String::new(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    }
}

/// The thread with the largest value, the first of several.
pub(crate) fn largest(values: impl Iterator<Item = f64>) -> Option<(usize, f64)> {
    values.enumerate().fold(None, |best, (index, value)| {
        let better = best.is_none_or(|(_, most)| value > most);
        if better { Some((index, value)) } else { best }
    })
}

/// The metrics that are counters.
pub(crate) fn counters(result: &AnalysisResult) -> Vec<MetricId> {
    let ids = result.summary.recording.counters.iter();
    ids.filter_map(|id| result.cube.metric(id)).collect()
}

/// One counter by another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ratio {
    numerator: MetricId,
    denominator: MetricId,
    /// Of all threads; `None` where the denominator is zero.
    pub total: Option<f64>,
    pub per_thread: Vec<Option<f64>>,
}

impl Ratio {
    /// `None` unless both were counted.
    pub fn instructions_per_cycle(cube: &Cube, counters: &[MetricId]) -> Option<Self> {
        let counter = |name: &str, of: &str| {
            let is_it = |id: &&MetricId| {
                let counted = cube.metrics[id.0].unique_name.strip_prefix(name);
                counted == Some(of)
            };
            counters.iter().find(is_it).copied()
        };
        // Both of program and kernel together, or both of one of them.
        let (numerator, denominator) = ["", ":u", ":k"].iter().find_map(|of| {
            let cycles = counter("cycles", of).or_else(|| counter("cpu-cycles", of))?;
            Some((counter("instructions", of)?, cycles))
        })?;
        let (above, below) = (cube.per_thread(numerator), cube.per_thread(denominator));
        Some(Ratio {
            numerator,
            denominator,
            total: quotient(above.iter().sum(), below.iter().sum()),
            per_thread: above
                .into_iter()
                .zip(below)
                .map(|(above, below)| quotient(above, below))
                .collect(),
        })
    }

    /// At one call path, without its callees, over all threads.
    pub fn at(&self, cube: &Cube, call_path: CallPathId) -> Option<f64> {
        let sum = |metric| {
            cube.row(metric, call_path)
                .map_or(0.0, |row| row.iter().sum())
        };
        quotient(sum(self.numerator), sum(self.denominator))
    }
}

fn quotient(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0).then(|| numerator / denominator)
}
