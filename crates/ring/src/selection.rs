//! What a request asks for: everything, or cells of a matrix of objects by metrics.

use std::collections::BTreeMap;

use pgas_monitor::{Now, Seen};
use serde::{Deserialize, Serialize};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Selection {
    /// Everything that a picture is made of.
    Picture,
    /// Values of objects.
    Cells {
        /// Level of the objects.
        level: Level,
        /// One of them, by its name; all if `None`.
        object: Option<String>,
        /// A metric; all if `None`.
        metric: Option<String>,
    },
}

/// Levels of the hierarchy of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// Objects are numbers of threads.
    Thread,
    /// Objects are `NODE:PROCESS`.
    Process,
    /// Objects are names of hosts.
    Node,
    /// One object, `system`.
    System,
}

/// The value of a metric of an object, over its threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The object.
    pub object: String,
    /// `computing`, `waiting`, `communicating`, a kind such as `waiting/barrier`, or a metric of the
    /// user, all in seconds of the period or in the unit of the metric; `calls`.
    pub metric: String,
    /// Number of threads.
    pub threads: u32,
    /// Sum over threads.
    pub sum: f64,
    /// Largest value of a thread.
    pub most: f64,
}

impl Cell {
    /// Mean over threads.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.threads.max(1))
    }
}

/// Adds what threads contribute to the cells that are asked for.
pub(crate) fn add(
    cells: &mut Vec<Cell>,
    seen: &[Seen],
    level: Level,
    object: Option<&str>,
    metric: Option<&str>,
) {
    for now in seen.iter().map(Seen::now) {
        let name = name(now, level);
        if object.is_some_and(|object| object != name) {
            continue;
        }
        for (of, value) in values(now) {
            if metric.is_none_or(|metric| metric == of) {
                add_value(cells, &name, &of, value);
            }
        }
    }
}

fn add_value(cells: &mut Vec<Cell>, object: &str, metric: &str, value: f64) {
    let mut known = cells.iter_mut();
    match known.find(|cell| cell.object == object && cell.metric == metric) {
        Some(cell) => {
            cell.threads += 1;
            cell.sum += value;
            cell.most = cell.most.max(value);
        }
        None => cells.push(Cell {
            object: object.to_owned(),
            metric: metric.to_owned(),
            threads: 1,
            sum: value,
            most: value,
        }),
    }
}

fn name(now: &Now, level: Level) -> String {
    match level {
        Level::Thread => now.thread.to_string(),
        Level::Process => format!("{}:{}", now.node, now.process),
        Level::Node => now.node.clone(),
        Level::System => "system".to_owned(),
    }
}

fn values(now: &Now) -> BTreeMap<String, f64> {
    let mut values = BTreeMap::from([("calls".to_owned(), now.calls)]);
    if let Some(times) = &now.times {
        values.insert("computing".to_owned(), times.computing);
        for (activity, sum, kinds) in [
            ("waiting", times.all_waiting(), &times.waiting),
            (
                "communicating",
                times.all_communicating(),
                &times.communicating,
            ),
        ] {
            values.insert(activity.to_owned(), sum);
            let kinds = kinds.iter();
            values.extend(kinds.map(|(kind, value)| (format!("{activity}/{kind}"), *value)));
        }
    }
    let metrics = now.metrics.iter();
    values.extend(metrics.map(|metric| (metric.name.clone(), metric.value)));
    values
}
