//! A cube: severities over three trees.
//!
//! A severity is a number for (metric, call path, thread). Metrics, call paths and the system each
//! form a tree. Values are stored as CUBE files store them: inclusive over the metric tree (a
//! metric's value contains its children's), exclusive over the call tree (a call path's value does
//! not contain its callees'), one per thread.

use std::collections::BTreeMap;

use crate::topology::Topology;

/// Index into [`Cube::metrics`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetricId(pub usize);
/// Index into [`Cube::regions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(pub usize);
/// Index into [`Cube::call_paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallPathId(pub usize);

/// Unit of a metric's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Time in seconds.
    Seconds,
    /// Number of events, such as calls or waits.
    Occurrences,
    /// Amount of data in bytes.
    Bytes,
}

impl Unit {
    /// Symbol of the unit in tables and JSON: `s`, `occ` or `bytes`.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Seconds => "s",
            Unit::Occurrences => "occ",
            Unit::Bytes => "bytes",
        }
    }
}

/// How values of several call paths or threads become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aggregation {
    /// The sum of all values.
    #[default]
    Sum,
    /// The smallest of those that are not 0; 0 means that there is none.
    Minimum,
    /// The largest of those that are not 0.
    Maximum,
}

impl Aggregation {
    /// The aggregate of two values, either of which may be an aggregate itself.
    pub fn combine(self, a: f64, b: f64) -> f64 {
        match self {
            Aggregation::Sum => a + b,
            _ if a == 0.0 => b,
            _ if b == 0.0 => a,
            Aggregation::Minimum => a.min(b),
            Aggregation::Maximum => a.max(b),
        }
    }
}

/// A metric: one quantity that has a severity for each call path and thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// For people, e.g. "Wait at barrier".
    pub display_name: String,
    /// For programs and for merging files, e.g. "wait_at_barrier". Unique in a cube.
    pub unique_name: String,
    /// Unit of all severities of the metric.
    pub unit: Unit,
    /// Help page, in CUBE's form `@mirror@page.html#anchor`; may be empty.
    pub url: String,
    /// Text that viewers show for the metric; may be empty.
    pub description: String,
    /// A parent has a smaller index than its children.
    pub parent: Option<MetricId>,
}

/// A piece of the program, or an operation of the runtime, that call paths lead through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Name of the region as CUBE files show it.
    pub name: String,
    /// Source file of the definition; "UPC" for operations of the PGAS runtime.
    pub module: String,
    /// First and last line of the definition; 0 if unknown.
    pub begin_line: u32,
    /// Last line of the definition, from 1; 0 if unknown.
    pub end_line: u32,
    /// Text that viewers show for the region; may be empty.
    pub description: String,
}

/// A node of the call tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallPath {
    /// The region that is entered by the last call of the path.
    pub region: RegionId,
    /// A parent has a smaller index than its children.
    pub parent: Option<CallPathId>,
    /// Where the call stands in the source; empty and 0 if unknown.
    pub file: String,
    /// Line of the call in `file`, from 1; 0 if unknown.
    pub line: u32,
}

/// A thread of the measured program and where it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Name of the thread as CUBE files show it.
    pub name: String,
    /// Index into [`Cube::nodes`].
    pub node: usize,
    /// Number of its process in the program, from 0.
    pub process: u32,
}

/// The three trees of a result and its severities; see the module.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cube {
    /// Free key-value pairs about the experiment.
    pub attributes: BTreeMap<String, String>,
    /// Base addresses of the metrics' help pages.
    pub mirrors: Vec<String>,
    /// All metrics; a parent stands before its children.
    pub metrics: Vec<Metric>,
    /// All regions; call paths refer to them.
    pub regions: Vec<Region>,
    /// All call paths; a parent stands before its children.
    pub call_paths: Vec<CallPath>,
    /// Name of the machine (cluster).
    pub machine: String,
    /// Host names.
    pub nodes: Vec<String>,
    /// Index is the number of the thread.
    pub threads: Vec<Thread>,
    /// Where the threads stand on grids.
    pub topologies: Vec<Topology>,
    /// How the values of a metric are put together, of those that are not sums.
    pub aggregations: BTreeMap<MetricId, Aggregation>,
    /// Rows that are not all zero: one value per thread.
    severities: BTreeMap<(MetricId, CallPathId), Vec<f64>>,
}

impl Cube {
    /// The metric with this unique name.
    pub fn metric(&self, unique_name: &str) -> Option<MetricId> {
        self.metrics
            .iter()
            .position(|m| m.unique_name == unique_name)
            .map(MetricId)
    }

    /// Inclusive over metrics, exclusive over call paths, per thread; `None` if all are zero.
    pub fn row(&self, metric: MetricId, call_path: CallPathId) -> Option<&[f64]> {
        self.severities.get(&(metric, call_path)).map(Vec::as_slice)
    }

    /// The row, created with zeros for every thread if it is not there yet.
    pub fn row_mut(&mut self, metric: MetricId, call_path: CallPathId) -> &mut [f64] {
        let threads = self.threads.len();
        self.severities
            .entry((metric, call_path))
            .or_insert_with(|| vec![0.0; threads])
    }

    /// The same trees, and no values.
    pub(crate) fn without_values(&self) -> Cube {
        Cube {
            attributes: self.attributes.clone(),
            mirrors: self.mirrors.clone(),
            metrics: self.metrics.clone(),
            regions: self.regions.clone(),
            call_paths: self.call_paths.clone(),
            machine: self.machine.clone(),
            nodes: self.nodes.clone(),
            threads: self.threads.clone(),
            topologies: self.topologies.clone(),
            aggregations: self.aggregations.clone(),
            severities: BTreeMap::new(),
        }
    }

    pub(crate) fn drop_zero_rows(&mut self) {
        self.severities
            .retain(|_, row| row.iter().any(|&value| value != 0.0));
    }

    /// Gives rows to other call paths.
    pub(crate) fn map_call_paths(&mut self, new: impl Fn(CallPathId) -> CallPathId) {
        let rows = std::mem::take(&mut self.severities);
        let rows = rows.into_iter();
        self.severities = rows.map(|((m, c), row)| ((m, new(c)), row)).collect();
    }

    /// All rows that are present, in the order of metrics, then call paths.
    pub fn rows(&self) -> impl Iterator<Item = (MetricId, CallPathId, &[f64])> {
        self.severities
            .iter()
            .map(|(&(m, c), values)| (m, c, values.as_slice()))
    }

    /// The rows of one metric that are present, in the order of call paths.
    pub fn rows_of(&self, metric: MetricId) -> impl Iterator<Item = (CallPathId, &[f64])> {
        self.severities
            .range((metric, CallPathId(0))..=(metric, CallPathId(usize::MAX)))
            .map(|(&(_, c), values)| (c, values.as_slice()))
    }

    /// How values of the metric become one; a sum unless the cube states otherwise.
    pub fn aggregation(&self, metric: MetricId) -> Aggregation {
        self.aggregations.get(&metric).copied().unwrap_or_default()
    }

    /// Sum over all call paths, one value per thread.
    pub fn per_thread(&self, metric: MetricId) -> Vec<f64> {
        let aggregation = self.aggregation(metric);
        let mut sums = vec![0.0; self.threads.len()];
        for (_, values) in self.rows_of(metric) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = aggregation.combine(*sum, *value);
            }
        }
        sums
    }

    /// Sum over all call paths and threads.
    pub fn total(&self, metric: MetricId) -> f64 {
        let aggregation = self.aggregation(metric);
        let values = self.per_thread(metric).into_iter();
        values.fold(0.0, |a, b| aggregation.combine(a, b))
    }
}
