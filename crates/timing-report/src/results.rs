//! The result of a measurement, as it is kept in a file.

use pgas_timing::job::{Case, Settings};
use pgas_timing::record::{Clocks, Start, TimerCheck, Timing};
use serde::{Deserialize, Serialize};

/// Version of the file's format.
pub const SCHEMA: u32 = 1;

/// All that was measured by one command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// [`SCHEMA`] of the version that wrote it.
    pub schema: u32,
    /// The tool and its version.
    pub written_by: String,
    /// The compiler of the operations, as it names itself.
    pub compiler: String,
    /// How each case was timed.
    pub settings: Settings,
    /// One for each number of threads.
    pub runs: Vec<Run>,
}

/// Measurements with one number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The number that was asked for.
    pub threads: u32,
    /// Nodes, if somebody has said how many.
    pub nodes: Option<u32>,
    /// The launcher as it was called; none if the driver was started directly.
    pub launcher: Option<String>,
    /// Who took part; none if nobody began.
    pub start: Option<Start>,
    /// How the timer passed its check.
    pub timer: Option<TimerCheck>,
    /// Comparisons of clocks, in their order.
    pub clocks: Vec<Clocks>,
    /// Cases that were timed, in their order.
    pub timings: Vec<Timing>,
    /// Cases that could not be timed.
    pub failures: Vec<Failure>,
    /// Somebody has ended it before all was timed.
    pub interrupted: bool,
}

/// A case, or a whole run, that could not be timed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The case; none if it was the whole run.
    pub case: Option<Case>,
    /// The reason, for people.
    pub reason: String,
}

/// Why a file is no result.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be read.
    #[error("cannot read {name}: {error}")]
    Unreadable {
        /// The file.
        name: String,
        /// From the system.
        error: std::io::Error,
    },
    /// It is something else.
    #[error("{name} is no result of `pgastool time`: {problem}")]
    Wrong {
        /// The file.
        name: String,
        /// The place, and what is wrong there.
        problem: String,
    },
    /// It is of another version of the tool.
    #[error("{name} has format {found}; this version of pgastool reads format {SCHEMA}")]
    OtherVersion {
        /// The file.
        name: String,
        /// Its format.
        found: u32,
    },
}

impl Results {
    /// All timings, run after run.
    pub fn timings(&self) -> impl Iterator<Item = &Timing> {
        self.runs.iter().flat_map(|run| &run.timings)
    }
}
