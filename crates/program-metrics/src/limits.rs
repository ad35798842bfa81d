//! How many metrics there can be, and how long their names: those of the recorder.

/// Metrics that a thread can have, those of definitions included.
pub const MOST_METRICS: usize = 16;
/// Longest name of a metric, in bytes.
pub const LONGEST_NAME: usize = 40;
