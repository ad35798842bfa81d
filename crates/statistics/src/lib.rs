//! Statistics of repeated measurements: means with intervals, comparisons, fits.

pub mod student;
pub mod trimmed;
