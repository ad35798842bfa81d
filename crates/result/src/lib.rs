//! The result of an analysis: a cube of severities, the conclusions that were drawn from it, and
//! the files that carry both.
//!
//! An [`AnalysisResult`] is a [`pgas_cube::model::Cube`] and a [`summary::Summary`], as they lie in
//! an experiment directory. [`comparison`] tells what changed between runs and what is noise,
//! [`matching`] finds again what was edited in between, and [`consistency`] checks that figures
//! agree with each other.

pub mod comparison;
pub mod consistency;
mod error;
mod files;
pub mod grid;
pub mod inflation;
pub mod matching;
mod model;
pub mod sources;
pub mod vocabulary;
pub mod watched;

pub use error::Error;
pub use files::{
    AnalysisResult, cube_file, parse_summary, read_summary, read_timelines, write_summary,
    write_timelines,
};
pub use inflation::Inflation;
pub use model::{
    accesses, causes, clocks, communication, distribution, live, locality, machine, phases,
    recording, sampling, summary, synchronization, tasks, timeline, withheld,
};
pub use pgas_base::models;
