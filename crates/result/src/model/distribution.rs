//! Distribution of waiting over the instances of a wait state: all cost about the same, or a few
//! cost most. Quartiles tell one from the other where a total and a worst instance cannot.

use serde::{Deserialize, Serialize};

/// Where values lie, in seconds. A quantile is the smallest value that at least so large a part of
/// all values do not exceed. Minimum, maximum and mean are exact; the others may be off by 0.8 % of
/// their value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Number of values.
    pub count: u64,
    /// Smallest value, exact.
    pub minimum: f64,
    /// A quarter of the values are not larger.
    pub lower_quartile: f64,
    /// Half of the values are not larger.
    pub median: f64,
    /// Three quarters of the values are not larger.
    pub upper_quartile: f64,
    /// 95 % of the values are not larger.
    pub percentile_95: f64,
    /// Largest value, exact.
    pub maximum: f64,
    /// Arithmetic mean, exact.
    pub mean: f64,
}

/// Distributions of one wait state at one call path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Waiting of an instance, summed over threads; of the instances in which somebody waited.
    pub instances: Distribution,
    /// Waiting of one thread in one instance; of the threads that waited.
    pub threads: Distribution,
    /// Only of completion (`barrier_completion`, `nxn_completion`, `collective_sync_out`): the
    /// time from a thread's exit to the last exit, summed over all threads that take part, by
    /// instance. It is what the published definition of these patterns counts; it lies behind
    /// the thread's own exit, hence it is no part of any severity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_last_exit: Option<Distribution>,
}
