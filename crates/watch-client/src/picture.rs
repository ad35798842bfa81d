//! A period of a running program, and findings, as docs/schema/watch-1.json has them.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::place::Place;
use crate::tasks::{TaskRef, TasksNow};

/// Seconds of a thread, or of all threads together.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Times {
    /// In the program's own code.
    pub computing: f64,
    /// In operations that wait for other threads, by kind.
    pub waiting: BTreeMap<String, f64>,
    /// In other operations, by kind.
    pub communicating: BTreeMap<String, f64>,
    /// Of these, estimated.
    pub estimated: f64,
    /// The recorder held the program up.
    pub recording: f64,
    /// The program had switched recording off.
    pub paused: f64,
}

/// Bytes a second, by whose memory the data is in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
pub struct Bytes {
    /// The thread's own.
    pub own: f64,
    /// Of other threads on its node.
    pub near: f64,
    /// Of threads on other nodes.
    pub far: f64,
    /// Of several threads, or unknown.
    pub unknown: f64,
}

/// An operation at one place: sums over all threads in the period.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OperationTime {
    /// Where it was called.
    pub place: Place,
    /// `waiting` or `communicating`.
    pub activity: String,
    /// Kind of waiting or communicating.
    pub kind: String,
    /// Seconds.
    pub seconds: f64,
    /// Calls that began.
    pub calls: f64,
    /// Bytes that were moved.
    pub bytes: f64,
    /// Threads that were in it.
    pub threads: u32,
}

/// A counter or timer of the program's own, of one thread.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct MetricNow {
    /// Its name.
    pub name: String,
    /// `count`, `seconds` or `bytes`.
    pub unit: String,
    /// Its value now.
    pub value: f64,
    /// The same without rounding; `None` for timers.
    pub integer: Option<u64>,
    /// Change a second in the period.
    pub rate: Option<f64>,
    /// Of a timer: whether it runs now.
    pub is_running: Option<bool>,
}

/// What a thread does now.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Now {
    /// Its number in the program, from 0.
    pub thread: u32,
    /// Number of its process, in its namespace.
    pub process: u32,
    /// Name of the host it runs on.
    pub node: String,
    /// `computing`, `waiting`, `communicating`, `paused` or `ended`.
    pub activity: String,
    /// Kind of waiting or communicating.
    pub kind: Option<String>,
    /// Seconds for which it has been doing that.
    pub seconds: f64,
    /// The operation that it is in, else the innermost function or region that is known.
    pub place: Option<Place>,
    /// Open regions, outermost first.
    pub path: Vec<Place>,
    /// Open regions beyond those.
    pub deeper: u64,
    /// Locks that it holds.
    pub held: Vec<u64>,
    /// The lock that it waits for.
    pub wanted: Option<u64>,
    /// Share of computing in the period.
    pub efficiency: Option<f64>,
    /// Its times in the period; `None` if it has just been found.
    pub times: Option<Times>,
    /// Counters and timers of the program's own.
    pub metrics: Vec<MetricNow>,
}

/// Threads that wait at one place.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Wait {
    /// Where.
    pub place: Place,
    /// Kind of wait.
    pub kind: String,
    /// Which threads.
    pub threads: Vec<u32>,
    /// Seconds for which the first of them has been waiting.
    pub longest: f64,
    /// That thread.
    pub longest_thread: u32,
}

/// A thread that waits for much longer than usual.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Stuck {
    /// The thread.
    pub thread: u32,
    /// Where it waits.
    pub place: Place,
    /// Seconds for which it has been waiting.
    pub seconds: f64,
    /// Seconds that this took on average before.
    pub usual: Option<f64>,
    /// The lock that it waits for.
    pub lock: Option<u64>,
    /// The thread that holds that lock.
    pub holder: Option<u32>,
    /// What threads do that are not stuck, in words.
    pub others: Vec<String>,
}

/// Threads that wait for each other's locks, in a circle.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Deadlock {
    /// The circle.
    pub waits: Vec<LockWait>,
}

/// One step of a deadlock.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LockWait {
    /// Who waits.
    pub thread: u32,
    /// Where.
    pub place: Place,
    /// For which lock.
    pub lock: u64,
    /// Who holds it.
    pub holder: u32,
    /// Seconds for which it has been waiting.
    pub seconds: f64,
}

/// A confirmed hypothesis of the search for the bottleneck.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Finding {
    /// `program`, `kind`, `place`, `thread` or `channel`.
    pub level: String,
    /// `waiting` or `communicating`.
    pub activity: Option<String>,
    /// Kind of waiting or communicating.
    pub kind: Option<String>,
    /// The operation.
    pub place: Option<Place>,
    /// The thread for which others wait.
    pub thread: Option<u32>,
    /// Of two tasks that are joined by a channel, the slow one: `producer` or `consumer`.
    pub slow: Option<String>,
    /// Number of that channel.
    pub channel: Option<u64>,
    /// The task that sends.
    pub producer: Option<TaskRef>,
    /// The task that receives.
    pub consumer: Option<TaskRef>,
    /// Share of all threads' time; of a thread, by its evidence; of two tasks, the share of time in
    /// which the faster one did not run.
    pub share: f64,
    /// Seconds from the start of the program to the confirmation.
    pub known_after: f64,
    /// Of waiting at a place: id of the wait state that most of it is, once that is known.
    #[serde(default)]
    pub pattern: Option<String>,
    /// For a thread, the evidence of its share: `waits_least`, `busiest`, `only_one_busy`,
    /// `holds_lock`.
    #[serde(default)]
    pub evidence: Option<String>,
    /// Most frequent activity of the thread while the others wait.
    pub meanwhile: Option<String>,
}

/// A finding that came or went.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Change {
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// The same as a sentence.
    pub text: String,
}

/// A period of a run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Picture {
    /// Version of the format: 1.
    pub schema: u32,
    /// The experiment's directory.
    pub experiment: String,
    /// Identifier of the run.
    pub run: String,
    /// Nanoseconds since 1970: the end of the period.
    pub time_unix_ns: u64,
    /// Seconds since the first thread began.
    pub elapsed: f64,
    /// Length of the period in seconds.
    pub period: f64,
    /// Threads of the program.
    pub threads: u32,
    /// Those of them that this picture is of.
    pub seen: u32,
    /// Share of computing in the period.
    pub efficiency: Option<f64>,
    /// Times in the period.
    pub times: Times,
    /// Calls of operations a second.
    pub calls_per_second: f64,
    /// Bytes a second.
    pub bytes_per_second: Bytes,
    /// Operations that took time in the period, that of the most seconds first.
    pub operations: Vec<OperationTime>,
    /// Number of threads that wait now.
    pub waiting: u32,
    /// Places where threads wait now, that of the most threads first.
    pub waits: Vec<Wait>,
    /// What each thread does now.
    pub now: Vec<Now>,
    /// Threads that wait for much longer than usual.
    pub stuck: Vec<Stuck>,
    /// Threads that wait for each other's locks.
    pub deadlocks: Vec<Deadlock>,
    /// Pages that cannot be read, and why.
    pub problems: Vec<String>,
    /// Tasks and channels; `None` in programs without them.
    pub tasks: Option<TasksNow>,
    /// Confirmed hypotheses so far, each after its parent.
    pub findings: Vec<Finding>,
}
