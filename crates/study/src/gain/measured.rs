//! Figures of an improved program, and how often it runs for them.

use crate::figures::Recorded;
use crate::statistics::Sample;
use pgas_machine::Machine;

/// Runs where threads share cores: their times mean little.
const SHARED_CORES_RUNS: u32 = 3;

/// Measured times and recordings of all versions.
#[derive(Debug)]
pub struct Measured {
    /// Numbers of threads, rising.
    pub threads: Vec<u32>,
    /// The number at which versions are compared, as a position in `threads`.
    pub main: usize,
    pub versions: Vec<MeasuredVersion>,
    /// Output of `pgastool diff` for the first and the last version.
    pub comparison: String,
    /// Lines that differ between consecutive versions.
    pub changes: Vec<String>,
    /// Costs of the machine, if a recording has them.
    pub machine: Option<Machine>,
    /// How it was recorded: problem class and options, in words.
    pub recordings: Vec<String>,
    pub recorded_runs: u32,
}

#[derive(Debug)]
pub struct MeasuredVersion {
    pub name: String,
    pub source: String,
    /// Seconds of the timed part, by position in `threads`.
    pub times: Vec<Sample>,
    /// One recorded run, by position in `threads`.
    pub recorded: Vec<Recorded>,
    /// Text of the report's first findings, at the main number of threads, by recording.
    pub findings: Vec<String>,
    /// Figures of the same reports.
    pub reported: Vec<Recorded>,
    /// Least seconds of the timed part beside these, by recording.
    pub least: Vec<Least>,
}

/// The shortest of some runs in turns. Seconds of the timed part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Least {
    pub recorded: f64,
    /// Of the program without instrumentation, with the same problem.
    pub plain: f64,
}

impl Least {
    pub const NONE: Least = Least {
        recorded: f64::INFINITY,
        plain: f64::INFINITY,
    };
}

impl MeasuredVersion {
    /// The fewest threads' median time.
    pub fn first_time(&self) -> f64 {
        self.times[0].median()
    }
}

/// How often a program runs at a number of threads.
pub fn runs_at(threads: u32, runs: u32, cores: u32) -> u32 {
    if threads > cores {
        runs.min(SHARED_CORES_RUNS)
    } else {
        runs
    }
}

#[test]
fn threads_that_share_cores_run_less_often() {
    assert_eq!(runs_at(2, 7, 2), 7);
    assert_eq!(runs_at(4, 7, 2), 3);
    assert_eq!(runs_at(4, 2, 2), 2);
    assert_eq!(runs_at(256, 7, u32::MAX), 7);
}
