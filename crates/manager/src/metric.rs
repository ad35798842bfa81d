//! Metrics of objects: their names and units, and the columns that a matrix has for them.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

/// Columns that a matrix may have; metrics beyond those are left out.
const MOST_COLUMNS: usize = 128;

/// Columns that [`Rule::Efficiency`] is of.
pub(crate) const COMPUTING: usize = 1;
pub(crate) const WAITING: usize = 2;
pub(crate) const COMMUNICATING: usize = 3;

/// How the value of an object follows from those below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Their sum.
    Sum,
    /// The largest.
    Max,
    /// Share of computing in their time, which is in the columns 1 to 3.
    Efficiency,
    /// Share of computing and communicating in that.
    Load,
    /// The sum of one column in proportion to that of another one.
    Mean(usize, usize),
    /// It has none.
    None,
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Rule::Sum => "sum",
            Rule::Max => "max",
            Rule::Efficiency => "efficiency",
            Rule::Load => "load",
            Rule::Mean(..) => "mean",
            Rule::None => "none",
        })
    }
}

/// A metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Metric {
    /// Its name, such as `waiting.barrier`.
    pub name: String,
    /// `seconds`, `count`, `bytes`, `share`, `thread`, or one of these by second (`count/s`).
    pub unit: String,
    /// How the value of an object follows from those below it.
    pub above: Rule,
    /// The value is of the period: it has a total, and its history is by second.
    pub accumulates: bool,
}

impl Metric {
    /// A metric whose value is of the period, and that can be summed.
    pub(crate) fn of_period(name: impl Into<String>, unit: &str) -> Self {
        Metric {
            accumulates: true,
            ..Metric::of_now(name, unit, Rule::Sum)
        }
    }

    /// A metric whose value is of the end of the period.
    pub(crate) fn of_now(name: impl Into<String>, unit: &str, above: Rule) -> Self {
        Metric {
            name: name.into(),
            unit: unit.to_owned(),
            above,
            accumulates: false,
        }
    }
}

/// The columns of a matrix. They never change, but new ones come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Columns {
    metrics: Vec<Metric>,
    numbers: HashMap<String, usize>,
}

impl Columns {
    /// With these metrics first, in this order.
    pub(crate) fn new(metrics: impl IntoIterator<Item = Metric>) -> Self {
        let mut columns = Columns::default();
        for metric in metrics {
            columns.number(metric);
        }
        columns
    }

    /// All metrics, by column.
    pub(crate) fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// The column of a metric, which is added if it is new; `None` if there is no room.
    pub(crate) fn number(&mut self, metric: Metric) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&metric.name) {
            return Some(number);
        }
        let number = self.metrics.len();
        if number == MOST_COLUMNS {
            return None;
        }
        self.numbers.insert(metric.name.clone(), number);
        self.metrics.push(metric);
        Some(number)
    }
}

/// Values of one object by column; NaN where it has none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Values(Vec<f64>);

impl Values {
    /// The value in a column.
    pub(crate) fn get(&self, column: usize) -> f64 {
        self.0.get(column).copied().unwrap_or(f64::NAN)
    }

    /// Sets the value in a column.
    pub(crate) fn set(&mut self, column: usize, value: f64) {
        if self.0.len() <= column {
            self.0.resize(column + 1, f64::NAN);
        }
        self.0[column] = value;
    }

    /// Adds to the value in a column, which counts as 0 if there is none.
    pub(crate) fn add(&mut self, column: usize, value: f64) {
        if value.is_finite() {
            let before = self.get(column);
            self.set(column, value + if before.is_nan() { 0.0 } else { before });
        }
    }

    /// The value of each of `columns` columns.
    pub(crate) fn row(&self, columns: usize) -> Vec<f64> {
        let mut row = self.0.clone();
        row.resize(columns, f64::NAN);
        row
    }
}
