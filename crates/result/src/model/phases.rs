//! The iterations of the program, and how each metric develops over them.
//!
//! An analysis finds them from the structure of the run; a program without a loop that is worth a
//! word has none.

use serde::{Deserialize, Serialize};

/// How the iterations of a loop were distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Boundary {
    /// Each begins with what leads to a synchronisation of all threads.
    Begins,
    /// Each ends with a synchronisation of all threads.
    Ends,
    /// Each ends with a call of a function, or a region of the program's own, and begins where the
    /// one before ended; the first begins with its call. Threads need not be in the same
    /// iteration at a time: durations are means over threads, the shortest and the longest one
    /// those of any thread.
    Call,
}

/// How a sequence of values develops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// None of the other shapes.
    Steady,
    /// Values rise over the iterations.
    Growing,
    /// Values fall over the iterations.
    Shrinking,
    /// A long iteration recurs after a fixed number of others.
    Alternating,
    /// The first iterations take longer than all others.
    WarmUp,
    /// A few iterations take much longer than all others.
    Outliers,
}

/// One metric over the iterations of a loop. Seconds of an iteration; those of metrics that are
/// summed over threads are means over threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricSeries {
    /// Metric id, or "duration": the wall-clock time of the iteration.
    pub metric: String,
    /// Means over [`Loop::iterations_per_value`] iterations each, in order.
    pub values: Vec<f64>,
    /// Mean over the iterations that have values.
    pub mean: f64,
    /// Mean over the first quarter of the iterations.
    pub first_quarter: f64,
    /// Mean over the last quarter.
    pub last_quarter: f64,
    /// By how much the last quarter is above the first, in percent of it; absent if the first is
    /// zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_percent: Option<f64>,
    /// Theil-Sen slope: seconds from one iteration to the next.
    pub slope: f64,
    /// Probability that values in random order would seem to rise or fall as much (Mann-Kendall),
    /// 0 to 1.
    pub probability: f64,
    /// Development of the values over the iterations.
    pub shape: Shape,
    /// How many of the loop's iterations the values are of, if not of all: what comes after them
    /// was not recorded in full ([`Loop::marks`]), and has no values. Means, slope and shape
    /// are those of these iterations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_iterations: Option<u64>,
}

/// Why iterations, or metrics of them, are not known from some time on, or for some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkReason {
    /// Calls were only counted from here on.
    Throttled,
    /// The trace ends, the program goes on.
    TraceEnds,
    /// The program switched recording off for a while.
    Paused,
    /// One that this version does not know.
    #[serde(other)]
    Other,
}

/// Where the recording of a loop changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Reason why less is known from here on.
    pub reason: MarkReason,
    /// Iterations before it, which were recorded in full: it lies in the next one, or between the
    /// two.
    pub after_iteration: u64,
    /// Seconds since the start of the run.
    pub at_seconds: f64,
    /// When iterations are known again; only if recording was off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_seconds: Option<f64>,
    /// Ids of the metrics that have no values after it; empty if iterations themselves are
    /// missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// The throttled operation and where it is called, e.g. "upc_get"; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub region: String,
    /// Source file of the throttled operation's call; empty if unknown or for other reasons.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown or for other reasons.
    #[serde(default)]
    pub line: u32,
}

/// Iterations that recur and take longer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recurring {
    /// Number of iterations from one to the next.
    pub every: u64,
    /// Position of the first, from 0: iteration number `first + 1`.
    pub first: u64,
    /// Median of these, in seconds.
    pub seconds: f64,
    /// Median of the others.
    pub others_seconds: f64,
}

/// The first iterations, where they take longer than all others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WarmUp {
    /// Number of first iterations that take longer.
    pub iterations: u64,
    /// Mean of these, in seconds.
    pub seconds: f64,
    /// Median of all iterations.
    pub others_seconds: f64,
}

/// An iteration that takes much longer than others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outlier {
    /// Position, from 0: iteration number `iteration + 1`.
    pub iteration: u64,
    /// When it began, in seconds since the start of the run.
    pub at_seconds: f64,
    /// Duration of the iteration, in seconds.
    pub seconds: f64,
}

/// Which thread most of the imbalance of a loop's iterations is due to, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slowest {
    /// The thread that computed longest, weighted by how much longer than the mean.
    pub thread: u32,
    /// Its share of the imbalance, 0 to 1: in the first part of the loop, and in the last.
    pub first_share: f64,
    /// Its share of the imbalance in the last part of the loop, 0 to 1.
    pub last_share: f64,
    /// Index in the cube of the call path at which the slowest thread computed longer than the
    /// mean; if the imbalance grows or shrinks, the one with the largest part in that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_path: Option<usize>,
    /// Name of its region; empty if there is none.
    pub region: String,
}

/// A loop of the program, whose iterations all threads run together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// Index in the cube of the call path by which iterations were distinguished.
    pub call_path: usize,
    /// Rule by which the iterations were separated.
    pub boundary: Boundary,
    /// Region at the end of that call path, e.g. "upc_barrier".
    pub region: String,
    /// Source file: of the call for an operation, of the definition for a function. Empty if
    /// unknown.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// The function that the loop is in; empty if none.
    pub function: String,
    /// The function that each iteration calls, and in which that region is or which itself is the
    /// region; empty if the loop itself contains it.
    pub body: String,
    /// Iterations whose begin and end are known.
    pub iterations: u64,
    /// Begin of the first of them, in seconds since the start of the run.
    pub begin_seconds: f64,
    /// End of the last.
    pub end_seconds: f64,
    /// Share of the run that they take, 0 to 1.
    pub coverage: f64,
    /// Mean duration of an iteration, in seconds.
    pub mean_seconds: f64,
    /// Median of the durations of iterations, in seconds.
    pub median_seconds: f64,
    /// Duration of the shortest iteration, in seconds.
    pub min_seconds: f64,
    /// Duration of the longest iteration, in seconds.
    pub max_seconds: f64,
    /// First iterations that take longer than the rest; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<WarmUp>,
    /// Longer iterations at regular distances; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurring: Option<Recurring>,
    /// The longest first; at most eight.
    pub outliers: Vec<Outlier>,
    /// Origin of most of the imbalance; absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowest: Option<Slowest>,
    /// How many iterations each value of `series` is the mean of; the last may be of fewer. Of
    /// calls, those that do not fill a value are left out.
    pub iterations_per_value: u64,
    /// "duration" first, then those metrics that are not zero throughout. One that was recorded in
    /// no iteration in full is only in `marks`.
    pub series: Vec<MetricSeries>,
    /// Where less was recorded, by time. Summaries of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
}

impl Loop {
    /// A metric's series, by id.
    pub fn metric(&self, id: &str) -> Option<&MetricSeries> {
        self.series.iter().find(|series| series.metric == id)
    }
}
