//! Matrices and histories, as docs/schema/manager-1.json has them.

use serde::Deserialize;

/// Matrices of the last period.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Matrices {
    /// Version of the format: 1.
    pub schema: u32,
    /// End of the period: seconds since the first thread began.
    pub elapsed: f64,
    /// Length of the period in seconds.
    pub period: f64,
    /// One for each level.
    pub matrices: Vec<Matrix>,
}

impl Matrices {
    /// The matrix of a level, such as `node`.
    pub fn level(&self, level: &str) -> Option<&Matrix> {
        self.matrices.iter().find(|matrix| matrix.level == level)
    }
}

/// Objects of a level by metrics; rows are objects, columns metrics.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Matrix {
    /// `location`, `operation`, `path` or `lock`.
    pub kind: String,
    /// The level of the objects.
    pub level: String,
    /// The level above.
    pub above: Option<String>,
    /// Columns.
    pub metrics: Vec<Metric>,
    /// Names of the objects: rows.
    pub objects: Vec<String>,
    /// By object: the name of the one above it.
    pub objects_above: Vec<Option<String>>,
    /// Values of the period, or of its end.
    pub values: Vec<Vec<Option<f64>>>,
    /// Sums of values since the manager began, of metrics that accumulate.
    pub totals: Vec<Vec<Option<f64>>>,
    /// Sums over the objects just below; `None` if the level has none below.
    pub sums: Option<Vec<Vec<Option<f64>>>>,
    /// Means of these.
    pub means: Option<Vec<Vec<Option<f64>>>>,
    /// Maxima of these.
    pub maxima: Option<Vec<Vec<Option<f64>>>>,
}

impl Matrix {
    /// The value of a metric of an object; `None` if there is none.
    pub fn value(&self, object: &str, metric: &str) -> Option<f64> {
        let row = self.objects.iter().position(|name| name == object)?;
        let column = self.metrics.iter().position(|one| one.name == metric)?;
        *self.values.get(row)?.get(column)?
    }
}

/// A metric.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// How the value of an object follows from those below it: `sum`, `max`, `efficiency`, `none`.
    pub above: String,
    /// The value is of the period: it has a total, and its history is by second.
    pub accumulates: bool,
}

/// The system at one point of its history.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Point {
    /// End: seconds since the first thread began.
    pub elapsed: f64,
    /// Length in seconds.
    pub period: f64,
    /// Share of computing; `None` if there was no time.
    pub efficiency: Option<f64>,
    /// Seconds of all threads together.
    pub computing: f64,
    /// Likewise.
    pub waiting: f64,
    /// Likewise.
    pub communicating: f64,
    /// Calls of operations a second.
    pub calls_per_second: f64,
}

/// Selects series; what is `None` is not restricted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Query<'a> {
    /// `location`, `operation`, `path` or `lock`.
    pub kind: Option<&'a str>,
    /// The level of the objects; without kind and level, `system`.
    pub level: Option<&'a str>,
    /// Name of an object.
    pub object: Option<&'a str>,
    /// Name of a metric.
    pub metric: Option<&'a str>,
}

/// The history of one metric of one object, the oldest point first.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Series {
    /// The level of the object.
    pub level: String,
    /// Its name.
    pub object: String,
    /// The metric.
    pub metric: String,
    /// Unit of the values: by second if the metric accumulates.
    pub unit: String,
    /// Ends of the points: seconds since the first thread began.
    pub elapsed: Vec<f64>,
    /// Lengths of the points in seconds.
    pub period: Vec<f64>,
    /// Values, or means where a point is of several periods.
    pub values: Vec<f64>,
}

/// Values as they were at the request.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Fresh {
    /// Seconds since the last period, which values that accumulate are of.
    pub period: f64,
    /// By level, object and metric.
    pub cells: Vec<Cell>,
}

/// The value of a metric of an object.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Cell {
    /// The level of the object.
    pub level: String,
    /// Its name.
    pub object: String,
    /// The metric.
    pub metric: String,
    /// Threads that have a value.
    pub threads: u32,
    /// Sum over these threads.
    pub sum: f64,
    /// Their mean.
    pub mean: f64,
    /// The largest value of one of them.
    pub max: f64,
}
