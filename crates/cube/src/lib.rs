//! The result: severities over (metric tree) x (call tree) x (system tree), and the files that carry it.
//!
//! [`model`] and [`summary`] are the values that an analysis builds; [`cube3`] writes, reads and checks the CUBE 3
//! files that other tools of the field open; [`AnalysisResult`] is both together, as they lie in an experiment
//! directory.

mod atomic;
pub mod clocks;
pub mod cube3;
mod error;
pub mod model;
pub mod recording;
mod result;
pub mod summary;
mod summary_file;

pub use cube3::{read_cube3, write_cube3};
pub use error::Error;
pub use result::AnalysisResult;
pub use summary_file::{parse_summary, read_summary, write_summary};
