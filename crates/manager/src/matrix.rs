//! Values of the objects of a level at one moment, by metric, as `/api/1/matrices` has them.

use pgas_monitor::{Kind, Level};
use serde::Serialize;

use crate::forest::{Below, Forest, Node};
use crate::metric::Metric;
use crate::objects::Objects;

/// Objects by metrics. Rows are objects, columns metrics; NaN, `null` in JSON, where an object has
/// no value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// What the level is about.
    pub kind: Kind,
    /// The level of the objects.
    pub level: Level,
    /// The level above.
    pub above: Option<Level>,
    /// Columns.
    pub metrics: Vec<Metric>,
    /// Names of the objects: rows.
    pub objects: Vec<String>,
    /// By object: the name of the one above it.
    pub objects_above: Vec<Option<String>>,
    /// Values of the period, or of its end.
    pub values: Vec<Vec<f64>>,
    /// Sums of values since the manager began, of metrics that accumulate.
    pub totals: Vec<Vec<f64>>,
    /// Sums over the objects just below; absent if the level has none below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sums: Option<Vec<Vec<f64>>>,
    /// Means of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<Vec<Vec<f64>>>,
    /// Maxima of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maxima: Option<Vec<Vec<f64>>>,
}

impl Matrix {
    /// The objects of a level that a forest has.
    pub(crate) fn new(level: Level, forest: &Forest, metrics: &[Metric], known: &Objects) -> Self {
        let all = forest.nodes().iter();
        let nodes: Vec<&Node> = all.filter(|node| node.level == level).collect();
        let below = |value: fn(&Below) -> f64| {
            let row = |node: &&Node| row(node, metrics.len(), value);
            level.has_below().then(|| nodes.iter().map(row).collect())
        };
        let above = |node: &&Node| Some(forest.nodes()[node.above?].name.clone());
        let totals = |node: &&Node| match known.get(level, &node.name) {
            Some(object) => object.totals.row(metrics.len()),
            None => vec![f64::NAN; metrics.len()],
        };
        Matrix {
            kind: level.kind(),
            level,
            above: level.above(),
            metrics: metrics.to_vec(),
            objects: nodes.iter().map(|node| node.name.clone()).collect(),
            objects_above: nodes.iter().map(above).collect(),
            values: nodes
                .iter()
                .map(|node| node.values.row(metrics.len()))
                .collect(),
            totals: nodes.iter().map(totals).collect(),
            sums: below(|below| below.sum),
            means: below(|below| below.sum / f64::from(below.count)),
            maxima: below(|below| below.max),
        }
    }
}

fn row(node: &Node, columns: usize, value: fn(&Below) -> f64) -> Vec<f64> {
    let of = |column: usize| match node.below.get(column) {
        Some(below) if below.count > 0 => value(below),
        _ => f64::NAN,
    };
    (0..columns).map(of).collect()
}
