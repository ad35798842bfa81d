//! What a run does in one period, as `pgastool watch --json` prints it (docs/schema/watch-1.json).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::known::{self, Name};
pub use crate::place::Place;
use crate::task_part::TaskPart;
use crate::tasks::TasksNow;
use crate::wait_states::WaitStates;

/// Seconds of all threads together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// In the program's own code.
    pub computing: f64,
    /// In operations that wait for other threads, by kind.
    #[serde(deserialize_with = "known::by_name")]
    pub waiting: BTreeMap<Name, f64>,
    /// In other operations, by kind.
    #[serde(deserialize_with = "known::by_name")]
    pub communicating: BTreeMap<Name, f64>,
    /// Of these, estimated: calls that were only counted, times the mean of those timed.
    pub estimated: f64,
    /// The recorder held the program up.
    pub recording: f64,
    /// The program had switched recording off.
    pub paused: f64,
}

impl Times {
    /// Seconds of waiting, of all kinds.
    pub fn all_waiting(&self) -> f64 {
        self.waiting.values().sum()
    }

    /// Seconds of communicating, of all kinds.
    pub fn all_communicating(&self) -> f64 {
        self.communicating.values().sum()
    }

    /// Seconds of the program itself: without those of the recorder and of pauses.
    pub fn program(&self) -> f64 {
        self.computing + self.all_waiting() + self.all_communicating()
    }

    /// Share of computing in the program's time; `None` if there was none.
    pub fn efficiency(&self) -> Option<f64> {
        let all = self.program();
        (all > 0.0).then(|| self.computing / all)
    }

    pub(crate) fn add(&mut self, other: &Times) {
        self.computing += other.computing;
        self.estimated += other.estimated;
        self.recording += other.recording;
        self.paused += other.paused;
        for (into, from) in [
            (&mut self.waiting, &other.waiting),
            (&mut self.communicating, &other.communicating),
        ] {
            for (kind, seconds) in from {
                *into.entry(kind).or_default() += seconds;
            }
        }
    }
}

/// Bytes that operations moved, by whose memory the data is in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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

/// An operation at one place: what all threads together spent in it in the period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationTime {
    /// Where it was called.
    pub place: Place,
    /// `waiting` or `communicating`.
    #[serde(deserialize_with = "known::name")]
    pub activity: Name,
    /// Kind of waiting or communicating.
    #[serde(deserialize_with = "known::name")]
    pub kind: Name,
    /// Seconds, summed over threads.
    pub seconds: f64,
    /// Calls that began.
    pub calls: f64,
    /// Bytes that were moved.
    pub bytes: f64,
    /// Threads that were in it.
    pub threads: u32,
    /// Of one thread: which wait states its waiting there can be.
    #[serde(skip)]
    pub wait_states: Option<WaitStates>,
}

/// What a thread does now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Now {
    /// Its number in the program, from 0.
    pub thread: u32,
    /// Number of its process, in its namespace.
    pub process: u32,
    /// Name of the host it runs on.
    pub node: String,
    /// `computing`, `waiting`, `communicating`, `paused` or `ended`.
    #[serde(deserialize_with = "known::name")]
    pub activity: Name,
    /// Kind of waiting or communicating.
    #[serde(deserialize_with = "known::optional")]
    pub kind: Option<Name>,
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
    /// Its times in the period; `null` if it has just been found.
    pub times: Option<Times>,
    /// Counters and timers of the program's own, in the order of their registration.
    pub metrics: Vec<MetricNow>,
    /// Its part of [`Picture::operations`].
    #[serde(skip)]
    pub operations: Vec<OperationTime>,
    /// Barriers and collective operations of all threads that it has come to since it began. Of
    /// threads that are in the same one, the numbers are equal.
    #[serde(skip)]
    pub arrivals: u64,
    /// Calls that it began in the period.
    #[serde(skip)]
    pub calls: f64,
    /// Bytes that it moved in the period.
    #[serde(skip)]
    pub bytes: Bytes,
    /// Its part of [`Picture::tasks`].
    #[serde(skip)]
    pub tasks: Option<TaskPart>,
}

/// A counter or timer of the program's own, of one thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricNow {
    /// Its name.
    pub name: String,
    /// `count`, `seconds` or `bytes`.
    #[serde(deserialize_with = "known::name")]
    pub unit: Name,
    /// Its value now.
    pub value: f64,
    /// The same without rounding; `None` for timers.
    pub integer: Option<u64>,
    /// Change a second in the period; `None` if it was not there at the beginning of the period.
    pub rate: Option<f64>,
    /// Of a timer: whether it runs now.
    pub is_running: Option<bool>,
}

/// Threads that wait at one place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// Where.
    pub place: Place,
    /// Kind of wait.
    #[serde(deserialize_with = "known::name")]
    pub kind: Name,
    /// Which threads.
    pub threads: Vec<u32>,
    /// Seconds for which the first of them has been waiting.
    pub longest: f64,
    /// That thread.
    pub longest_thread: u32,
}

/// A thread that waits for much longer than it uses to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stuck {
    /// The thread.
    pub thread: u32,
    /// Where it waits.
    pub place: Place,
    /// Seconds for which it has been waiting.
    pub seconds: f64,
    /// Seconds that this took on average before; `null` if it is the first time.
    pub usual: Option<f64>,
    /// The lock that it waits for.
    pub lock: Option<u64>,
    /// The thread that holds that lock.
    pub holder: Option<u32>,
    /// What the threads do that are not at this place, by activity and place, those of the fewest
    /// first.
    pub others: Vec<String>,
}

/// Threads each of which waits for a lock that the next one holds, and the last one for a lock of
/// the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Deadlock {
    /// The circle.
    pub waits: Vec<LockWait>,
}

/// One step of a deadlock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

/// A period of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Version of this format: 1.
    pub schema: u32,
    /// The experiment's directory.
    pub experiment: String,
    /// Identifier of the run.
    pub run: String,
    /// What the program's runtime calls itself; empty if it does not say.
    #[serde(default)]
    pub runtime: String,
    /// Its words for threads.
    #[serde(default)]
    pub words: ThreadWords,
    /// Nanoseconds since 1970: the end of the period.
    pub time_unix_ns: u64,
    /// Seconds since the first thread began.
    pub elapsed: f64,
    /// Length of the period in seconds.
    pub period: f64,
    /// Threads of the program.
    pub threads: u32,
    /// Those of them that this picture is of: the others are on other machines, have ended, or
    /// cannot be read.
    pub seen: u32,
    /// Share of computing in the period; `null` if there is nothing to tell it from.
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
    /// Threads that wait for much longer than they use to.
    pub stuck: Vec<Stuck>,
    /// Threads that wait for each other's locks.
    pub deadlocks: Vec<Deadlock>,
    /// Pages that cannot be read, and why.
    pub problems: Vec<String>,
    /// The ring of agents that this was sampled by; `null` for threads on one machine.
    #[serde(default)]
    pub ring: Option<RingNow>,
    /// Tasks and channels; `null` in programs without them.
    #[serde(default)]
    pub tasks: Option<TasksNow>,
}

/// What a program's model calls its threads.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreadWords {
    /// "thread", "PE", "image".
    pub one: String,
    /// "threads", "PEs", "images".
    pub many: String,
    /// The number of the first one for people.
    pub first: u32,
}

/// A ring of agents, one on each node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RingNow {
    /// Nodes that have answered.
    pub nodes: u32,
    /// Seconds that the request took on its way through all of them.
    pub round_trip: f64,
    /// Bytes of the request when it came back.
    pub bytes: u64,
}

/// Regions of a path that its name has, at most.
const DEEPEST: usize = 32;

impl Now {
    /// Name of its process among those of all nodes.
    pub fn process_name(&self) -> String {
        format!("{}/{}", self.node, self.process)
    }

    /// Names of its call path and of those that are shorter by a region each, the shortest first.
    pub fn path_names(&self) -> impl Iterator<Item = String> + '_ {
        let places = self.path.iter().take(DEEPEST);
        places.scan(String::new(), |name, place| {
            if !name.is_empty() {
                name.push_str(" > ");
            }
            name.push_str(&place.shown());
            Some(name.clone())
        })
    }
}

impl OperationTime {
    /// Name of its kind, such as `waiting.barrier`.
    pub fn kind_name(&self) -> String {
        format!("{}.{}", self.activity, self.kind)
    }

    /// Name of the operation at its place, such as `waiting.barrier: upc_barrier at heat.upc:12`.
    pub fn name(&self) -> String {
        format!("{}: {}", self.kind_name(), self.place.shown())
    }
}

impl Picture {
    /// The thread that holds a lock, as far as it is seen.
    pub fn holder(&self, lock: u64) -> Option<&Now> {
        self.now.iter().find(|now| now.held.contains(&lock))
    }
}
