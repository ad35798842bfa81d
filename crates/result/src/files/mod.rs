//! The files of a result: `profile.cube`, `summary.json` and `timelines.json` in the folder
//! `analysis` of an experiment.

mod directory;
mod json;
mod seal;
mod summary;
mod timelines;

pub(crate) use json::Layout;
pub(crate) use seal::{Seal, digest};

pub use directory::{AnalysisResult, cube_file};
pub use summary::{parse_summary, read_summary, write_summary};
pub use timelines::{read_timelines, write_timelines};
