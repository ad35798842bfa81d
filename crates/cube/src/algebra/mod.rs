//! Arithmetic on results, closed over the format: the result of each operation is a cube again,
//! which every viewer shows and every operation takes (F. Song, F. Wolf, N. Bhatia, J. Dongarra, S.
//! Moore, An Algebra for Cross-Experiment Performance Analysis, ICPP 2004).
//!
//! Several cubes are first brought onto common trees, see [`integrate()`]. Values that a cube lacks
//! count as 0.

mod cut;
mod diff;
mod integrate;
mod mean;
mod merge;

pub use cut::{prune, reroot};
pub use diff::diff;
pub use integrate::{Integrated, Mapping, integrate};
pub use mean::mean;
pub use merge::merge;

/// Why an operation cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlgebraError {
    /// A mean of nothing.
    #[error("there is no result to compute with; name at least one")]
    NoOperand,
    /// A metric of one name that means different things.
    #[error(
        "metric {metric:?} is {first} in one result and {second} in another; they are not of the \
         same kind of analysis"
    )]
    MetricsDiffer {
        /// Unique name of the metric.
        metric: String,
        /// Unit and aggregation of the metric in the first of the two results, in words.
        first: String,
        /// Unit and aggregation of the metric in the second of the two results, in words.
        second: String,
    },
    /// A root has nothing above it that its values could go to.
    #[error(
        "{region:?} is a root of the call tree, and there is nothing above it to take its values; \
         choose what is called from it"
    )]
    NothingAbove {
        /// Name of the root's region.
        region: String,
    },
    /// Nothing would be left.
    #[error("no call path was chosen")]
    NothingChosen,
}
