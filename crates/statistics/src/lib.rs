//! Statistics of repeated measurements: means with intervals, comparisons, fits.
//!
//! - [`trimmed`]: mean of one sample, without its ends or whole, with Student's interval;
//! - [`difference`]: two means apart (Welch, Yuen), their factor with its interval;
//! - [`many`]: which of many differences are certain when all are judged at once;
//! - [`range`]: how far the largest and the smallest of some values are apart;
//! - [`fit`]: least squares with intervals of parameters and of the curve;
//! - [`growth`]: how a time grows with the number of threads, chosen by cross-validation.

pub mod difference;
pub mod fit;
pub mod growth;
pub mod many;
pub mod range;
pub mod student;
pub mod trimmed;
