//! Cases to time and settings of the method, which the command line passes to the driver.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All that one start of the driver does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// In the order in which they are timed.
    pub cases: Vec<Case>,
    /// How each is timed.
    pub settings: Settings,
}

/// One operation with one set of arguments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Case {
    /// Name in the driver's table of operations.
    pub operation: String,
    /// Bytes of the message or block of one thread; `None` if the operation has no size.
    pub bytes: Option<u64>,
    /// Other arguments, by name ("in": "my", "root": "3", "datatype": "vector").
    pub arguments: BTreeMap<String, String>,
}

/// How launches are started and what counts as their time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// At scheduled times of the global clock.
    Window,
    /// After a barrier of the model; the maximum over threads.
    Barrier,
    /// One after another; the mean of the whole loop.
    Loop,
}

/// How clocks are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// One thread after another with thread 0.
    Linear,
    /// Each thread with the one before it, all at once.
    Ring,
}

/// The clock that threads read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timer {
    /// The processor's time stamp counter.
    Tsc,
    /// `clock_gettime(CLOCK_MONOTONIC)`.
    ClockGettime,
    /// `gettimeofday`.
    Gettimeofday,
    /// The programming model's own (`upc_ticks_now`, `MPI_Wtime`).
    Model,
}

/// What is wrong with a timer, for tests of the patterns that must notice it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Fault {
    /// Relative error of the rate.
    pub drift: f64,
    /// Seconds by which it jumps once a millisecond.
    pub step: f64,
    /// Seconds between two different values.
    pub resolution: f64,
}

/// Every setting of the method. Defaults are those of the source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Scheduled starts, or another method to compare them with.
    pub method: Method,
    /// k': launches of stage 0, not counted.
    pub initial_launches: u32,
    /// k: launches of each later stage.
    pub stage_launches: u32,
    /// q: part of a stage's launches that may be incorrect before the interval is adjusted (0 to 1).
    pub incorrect_share: f64,
    /// g: factor of a new interval over the time that launches took (1 to 2).
    pub interval_factor: f64,
    /// q': part of the times that is dropped at each end (0 to below 0.5).
    pub trimmed_share: f64,
    /// Launches after which rule 1 stops.
    pub most_launches: u32,
    /// Correct launches after which rule 1 stops.
    pub most_correct: u32,
    /// Relative error of the mean at which rule 2 stops.
    pub relative_error: f64,
    /// Correct launches that rule 2 asks for.
    pub fewest_correct: u32,
    /// p: 0.9, 0.95 or 0.99.
    pub confidence: f64,
    /// d: exchanges without a shorter round trip after which a comparison of clocks ends.
    pub exchanges: u32,
    /// How clocks are compared.
    pub order: Order,
    /// Compare each thread's clock, also where threads of a node share one.
    pub compare_all: bool,
    /// The clock that threads read.
    pub timer: Timer,
    /// Try the timer on operations of known length first, and refuse it if it fails.
    pub check_timer: bool,
    /// Makes the timer worse; all zero: as it is.
    pub fault: Fault,
    /// Use one buffer again and again, instead of more memory than the last-level cache holds.
    pub warm: bool,
    /// Bytes of the last-level cache.
    pub cache_bytes: u64,
    /// Record times by thread.
    pub per_thread: bool,
    /// Record who started and ended when, for the launches of one stage.
    pub picture: bool,
    /// How often each case is measured anew.
    pub repetitions: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            method: Method::Window,
            initial_launches: 4,
            stage_launches: 8,
            incorrect_share: 0.25,
            interval_factor: 1.1,
            trimmed_share: 0.25,
            most_launches: 100,
            most_correct: 30,
            relative_error: 0.05,
            fewest_correct: 10,
            confidence: 0.95,
            exchanges: 100,
            order: Order::Linear,
            compare_all: false,
            timer: Timer::Tsc,
            check_timer: true,
            fault: Fault::default(),
            warm: false,
            cache_bytes: 32 << 20,
            per_thread: false,
            picture: false,
            repetitions: 1,
        }
    }
}
