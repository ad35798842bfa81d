//! What the driver reports: one record a line, as JSON, in the order in which things happen.

use crate::job::{Case, Method, Order, Timer};
use serde::{Deserialize, Serialize};

/// One line of the driver's output. All times in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "one record at a time is made and written"
)]
pub enum Record {
    /// Who takes part; the first record.
    Start(Start),
    /// How the timer passed the wait patterns.
    Timer(TimerCheck),
    /// How the clocks stand against each other, each time they were compared.
    Clocks(Clocks),
    /// Launches of a case so far, for a display of progress.
    Progress {
        /// Index of the case in the job.
        case: usize,
        /// Launches so far.
        launches: u32,
    },
    /// A case was timed.
    Timing(Timing),
    /// A case could not be timed.
    Failed {
        /// Index of the case in the job.
        case: usize,
        /// The reason, for people.
        reason: String,
    },
    /// All is done; without this record the driver ended early.
    End,
}

/// Who takes part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Programming model: "UPC", "MPI", "OpenSHMEM".
    pub model: String,
    /// Version of the library or compiler, as it names itself.
    pub implementation: String,
    /// Node of each thread, numbered from 0 in the order of threads.
    pub nodes: Vec<usize>,
    /// Name of each node's host.
    pub hosts: Vec<String>,
    /// Threads that have a core of their own (by affinity and cores of the node).
    pub have_cores: bool,
    /// The timer.
    pub timer: Timer,
    /// Smallest difference between two readings of the timer; `None` if no two of them differed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<f64>,
    /// Time that one reading of the timer takes.
    pub reading: f64,
}

/// A timer against operations of known length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimerCheck {
    /// One row for each pattern and number of threads.
    pub rows: Vec<TimerRow>,
    /// Reasons why the timer must not be used; empty if it may.
    pub refused: Vec<String>,
    /// Patterns of which there is no row, since too few launches were correct, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
    /// Threads have cores of their own, so that all patterns were tried; else only the rate was.
    pub judged: bool,
}

/// One wait pattern on some threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimerRow {
    /// "up" (thread i spins i + 1 microseconds), "null" (nothing) or "rate" (all spin for a
    /// millisecond, which shows a wrong rate that microseconds hide).
    pub pattern: String,
    /// Number of threads that spin.
    pub threads: usize,
    /// Time that it takes by definition.
    pub expected: f64,
    /// What was measured.
    pub summary: Summary,
    /// Difference that is allowed.
    pub tolerance: f64,
}

/// One comparison of all clocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// How they were compared.
    pub order: Order,
    /// By thread: offset to thread 0's clock.
    pub offsets: Vec<f64>,
    /// By thread: how wrong the offset may be in any case.
    pub uncertainties: Vec<f64>,
    /// Standard deviation of the errors of single comparisons, as a share of `uncertainties`, as
    /// loops of clocks show it; `None` with fewer than three clocks or without known rates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_share: Option<f64>,
    /// By thread: rate against thread 0's clock, less one, as far as it is known.
    pub drifts: Vec<f64>,
    /// Exchanges of messages.
    pub exchanges: u64,
    /// How long it took.
    pub took: f64,
}

/// Mean of some times with its error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Correct launches; see [`Timing`] for all. With [`Method::Loop`], loops.
    pub correct: u32,
    /// Correct launches that remain after trimming.
    pub kept: u32,
    /// Mean of what remains.
    pub mean: f64,
    /// Standard error of the mean.
    pub standard_error: f64,
    /// Smallest of what remains.
    pub minimum: f64,
    /// Largest of what remains.
    pub maximum: f64,
    /// E: Student's coefficient times the standard error.
    pub error: f64,
    /// From mean - E to mean + E at the confidence of the settings, widened by errors that are
    /// the same in all launches: those of clocks and of reading the timer.
    pub interval: (f64, f64),
}

/// A case that was timed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Index of the case in the job.
    pub case: usize,
    /// The case itself.
    pub what: Case,
    /// From 0, if the case was measured several times.
    pub repetition: u32,
    /// Number of threads.
    pub threads: usize,
    /// How it was timed.
    pub method: Method,
    /// All launches, without stage 0.
    pub launches: u32,
    /// Maximum over threads.
    pub summary: Summary,
    /// Times of all correct launches, in their order.
    pub times: Vec<f64>,
    /// S: how far apart the threads' starts may have been at most without anybody noticing, and so
    /// how wrong the mean may be at most, if threads wait for each other.
    pub clock_uncertainty: f64,
    /// By how much the mean is wrong because of that, at the confidence of the settings; part of
    /// the interval.
    pub start_error: f64,
    /// By thread, if asked for.
    pub per_thread: Vec<Summary>,
    /// All stages, from stage 0.
    pub stages: Vec<Stage>,
    /// Launches of the last stage, if asked for.
    pub picture: Vec<Launch>,
    /// The part of the operation that goes on while the threads compute, if it has halves.
    pub overlap: Option<Overlap>,
    /// How often a launch performs the operation. Times of launches are divided by it, except
    /// those of stages and of the picture.
    pub repeats: u64,
    /// Data were checked and right; `None` if the operation has no check.
    pub verified: Option<bool>,
}

/// Launches with one interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// d: seconds between starts; 0 in stage 0.
    pub interval: f64,
    /// Launches in all.
    pub launches: u32,
    /// Those in which a thread started or ended too late.
    pub incorrect: u32,
    /// Length of the stage.
    pub took: f64,
}

/// Who started and ended when, since the launch's scheduled start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// By thread.
    pub starts: Vec<f64>,
    /// By thread.
    pub ends: Vec<f64>,
    /// Nobody started or ended late.
    pub correct: bool,
}

/// How much of a non-blocking operation hides behind computation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    /// Start and completion with computation of the operation's own length in between.
    pub together: Summary,
    /// Time of the computation alone.
    pub computation: f64,
    /// Part of the operation's time that was hidden: 0 to 1, with its interval.
    pub hidden: f64,
    /// Interval of `hidden` at the confidence of the settings.
    pub interval: (f64, f64),
}
