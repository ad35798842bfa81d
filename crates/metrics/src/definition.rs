//! A definition of a metric, and the regions that definitions name.

use pgas_filter::Pattern;

use crate::condition::Condition;

/// Regions that all definitions together can name: bits of a word.
pub const MOST_REGIONS: usize = 64;

/// A metric that the recorder keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// When; always if `None`.
    pub condition: Option<Condition>,
}

/// What a metric measures. Regions are indices into [`crate::Definitions::regions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Time inside of a region, or all time.
    Time(Option<usize>),
    /// Calls of a region.
    Count(usize),
    /// Bytes that calls of a region move.
    Bytes(usize),
}

/// Names of regions that a definition names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// As in the definition.
    pub text: String,
    /// The same to compare names with.
    pub pattern: Pattern,
}
