//! Objects of a period and those above them, from the outermost inwards, and how values of the
//! inner ones become sums, means and maxima of the outer ones.

use pgas_monitor::Level;
use std::collections::HashMap;

use crate::metric::{COMMUNICATING, COMPUTING, Metric, Rule, Values, WAITING};

/// The values below an object, in one column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Below {
    pub(crate) sum: f64,
    pub(crate) max: f64,
    pub(crate) count: u32,
}

/// An object.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) level: Level,
    pub(crate) name: String,
    /// Index of the object above.
    pub(crate) above: Option<usize>,
    /// Its own values; after [`Forest::sum_up`], those of all below it.
    pub(crate) values: Values,
    /// By column; empty if it has nothing below.
    pub(crate) below: Vec<Below>,
}

/// Objects, each after the one above it.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    nodes: Vec<Node>,
    numbers: HashMap<(Level, String), usize>,
}

impl Forest {
    /// The object of this name, which is added if it is new.
    pub(crate) fn object(&mut self, level: Level, name: &str, above: Option<usize>) -> usize {
        let next = self.nodes.len();
        let number = *self.numbers.entry((level, name.to_owned())).or_insert(next);
        if number == next {
            self.nodes.push(Node {
                level,
                name: name.to_owned(),
                above,
                values: Values::default(),
                below: Vec::new(),
            });
        }
        number
    }

    /// Whether there is this object.
    pub(crate) fn has(&self, level: Level, name: &str) -> bool {
        self.numbers.contains_key(&(level, name.to_owned()))
    }

    /// An object's values.
    pub(crate) fn values(&mut self, number: usize) -> &mut Values {
        &mut self.nodes[number].values
    }

    /// All objects, each after the one above it.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Sets the values of all objects that have others below them.
    pub(crate) fn sum_up(&mut self, metrics: &[Metric]) {
        let columns = metrics.len();
        for number in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[number];
            if !node.below.is_empty() {
                // What an object has of its own counts as one of those below.
                add(&mut node.below, &node.values, columns);
                node.values = values(&node.below, metrics);
            }
            let (above, values) = (node.above, node.values.clone());
            if let Some(above) = above {
                add(&mut self.nodes[above].below, &values, columns);
            }
        }
    }
}

fn add(below: &mut Vec<Below>, values: &Values, columns: usize) {
    let nothing = Below {
        sum: 0.0,
        max: f64::NEG_INFINITY,
        count: 0,
    };
    below.resize(columns, nothing);
    for (column, below) in below.iter_mut().enumerate() {
        let value = values.get(column);
        if !value.is_nan() {
            below.sum += value;
            below.max = below.max.max(value);
            below.count += 1;
        }
    }
}

fn values(below: &[Below], metrics: &[Metric]) -> Values {
    let mut values = Values::default();
    for (column, (one, metric)) in below.iter().zip(metrics).enumerate() {
        let value = match metric.above {
            _ if one.count == 0 => f64::NAN,
            Rule::Sum => one.sum,
            Rule::Max => one.max,
            Rule::Efficiency => share(below, &[COMPUTING]),
            Rule::Load => share(below, &[COMPUTING, COMMUNICATING]),
            Rule::Mean(sum, count) => {
                let value = |column: usize| below.get(column).map_or(0.0, |below| below.sum);
                if value(count) > 0.0 {
                    value(sum) / value(count)
                } else {
                    f64::NAN
                }
            }
            Rule::None => f64::NAN,
        };
        values.set(column, value);
    }
    values
}

/// Share of these columns in the time; NaN if there was none.
fn share(below: &[Below], columns: &[usize]) -> f64 {
    let seconds = |column: usize| below.get(column).map_or(0.0, |below| below.sum);
    let all = seconds(COMPUTING) + seconds(WAITING) + seconds(COMMUNICATING);
    if all > 0.0 {
        columns.iter().map(|column| seconds(*column)).sum::<f64>() / all
    } else {
        f64::NAN
    }
}
