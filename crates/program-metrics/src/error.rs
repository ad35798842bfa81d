//! Reasons for which a metric cannot be registered or defined.

use std::fmt;

use crate::limits::{LONGEST_NAME, MOST_METRICS};

/// A metric could not be registered or defined. The recorder reports it on standard error, too, as
/// it does in C; calls of other metrics are not affected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetricError {
    /// All [`MOST_METRICS`] metrics that a thread can have are in use; those of definitions count.
    AllInUse {
        /// Name of the metric that found no room.
        name: String,
    },
    /// A counter has this name and a timer was to be registered, or the other way round.
    OtherKind {
        /// The name.
        name: String,
    },
    /// The name is empty, longer than [`LONGEST_NAME`] bytes, or contains a zero byte.
    Name {
        /// The name.
        name: String,
    },
    /// The definition is not valid; standard error says where.
    Definition {
        /// The definition.
        text: String,
    },
    /// The recorder failed, and has said why on standard error.
    Recorder {
        /// Name of the metric.
        name: String,
    },
}

impl fmt::Display for MetricError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MetricError::AllInUse { name } => write!(
                to,
                "metric {name}: all {MOST_METRICS} metrics of the process are in use; remove one, \
                 or one of the definitions"
            ),
            MetricError::OtherKind { name } => write!(
                to,
                "metric {name}: it is registered already, as a metric of another kind; give one of \
                 them another name"
            ),
            MetricError::Name { name } => write!(
                to,
                "metric {name:?}: found a name of {} bytes, expected 1 to {LONGEST_NAME} without a \
                 zero byte",
                name.len()
            ),
            MetricError::Definition { text } => write!(
                to,
                "definition of a metric `{text}`: it is not valid; standard error says where"
            ),
            MetricError::Recorder { name } => write!(
                to,
                "metric {name}: the recorder could not register it; standard error says why"
            ),
        }
    }
}

impl std::error::Error for MetricError {}
