//! Activity of the threads around one instance of a wait state: bars for operations and functions,
//! arrows from the thread that was waited for. Taken from the trace once, so that a page can draw it
//! without the trace.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{atomic, Error};

/// A stretch of the run around the worst instance of a finding. Times are seconds since the start of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Metric id of the wait state.
    pub metric: String,
    /// Index of the finding's call path in the cube.
    pub call_path: usize,
    pub begin_seconds: f64,
    pub end_seconds: f64,
    /// When the instance itself began: its first waiting thread entered.
    pub instance_begin_seconds: f64,
    /// When its last waiting ended.
    pub instance_end_seconds: f64,
    /// Names that bars refer to.
    pub places: Vec<Place>,
    /// By thread number; where a program has too many threads to draw, those that matter most to the instance.
    pub rows: Vec<Row>,
    /// Threads of the program without a row.
    pub omitted_threads: u32,
    pub arrows: Vec<Arrow>,
}

/// A function or an operation, called from a line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub region: String,
    /// Where the call stands; empty and 0 if unknown.
    pub file: String,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub thread: u32,
    /// By begin, an outer bar before those inside of it.
    pub bars: Vec<Bar>,
}

/// A function or an operation while it was on a thread's stack, cut to the window; or several that are too short to be
/// drawn one by one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    pub begin_seconds: f64,
    pub end_seconds: f64,
    /// 0 for the outermost function.
    pub depth: u16,
    pub activity: Activity,
    /// Index into [`Timeline::places`]; of several merged ones that with most time.
    pub place: usize,
    /// How many this bar stands for.
    pub merged: u32,
    /// Of a waiting bar: metric id of the wait state; of several merged ones that of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Of a waiting bar: it is part of the instance that the timeline is of. These are never merged: together they are as
    /// long as the finding says that the instance cost (but for threads without a row).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_instance: bool,
}

/// What a thread does, as colours tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// In a function of the program.
    Computation,
    OneSided,
    Collective,
    Barrier,
    Lock,
    Fence,
    Allocation,
    Io,
    /// The part of an operation in which the thread could do nothing but wait; lies one deeper than its operation.
    Waiting,
    /// The thread could have run, and had no core.
    NoCore,
    /// The program stood still for the recorder.
    Measurement,
}

/// From the event that ended a wait (the last one's arrival, a lock's release) to the end of the wait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arrow {
    pub from_thread: u32,
    pub from_seconds: f64,
    pub to_thread: u32,
    pub to_seconds: f64,
    /// Metric id of the wait state that it explains.
    pub metric: String,
}

/// Version of the layout that this program writes and reads.
const SCHEMA: u32 = 1;

/// More than is ever written: a bound for a file that is something else.
const MAX_BYTES: u64 = 1 << 28;

/// The file `timelines.json`.
#[derive(Serialize)]
struct Written<'t> {
    schema: u32,
    /// What tells the result from another one that the timelines belong to.
    of: &'t str,
    timelines: &'t [Timeline],
}

#[derive(Deserialize)]
struct Read {
    schema: u32,
    of: String,
    timelines: Vec<Timeline>,
}

/// Writes timelines under a temporary name that is then renamed to `path`. `of` tells the result that they belong to from
/// any other.
///
/// # Errors
/// [`Error::Unwritable`] for numbers that JSON cannot hold, [`Error::Io`].
pub fn write_timelines(timelines: &[Timeline], of: &str, path: &Path) -> Result<(), Error> {
    let written = Written {
        schema: SCHEMA,
        of,
        timelines,
    };
    let text = serde_json::to_string(&written).map_err(|e| Error::Unwritable {
        path: path.to_owned(),
        problem: e.to_string(),
    })?;
    atomic::write(path, |out| writeln!(out, "{text}"))
}

/// Reads what [`write_timelines`] wrote for the same result; `None` if there is nothing that can be used, since it can be
/// made again at any time.
pub fn read_timelines(path: &Path, of: &str) -> Option<Vec<Timeline>> {
    if fs::metadata(path).ok()?.len() > MAX_BYTES {
        return None;
    }
    let read: Read = serde_json::from_slice(&pgas_files::read(path).ok()?).ok()?;
    let is_sound = read.timelines.iter().all(Timeline::is_sound);
    (read.schema == SCHEMA && read.of == of && is_sound).then_some(read.timelines)
}

impl Timeline {
    /// Whether all that it refers to exists.
    fn is_sound(&self) -> bool {
        let mut bars = self.rows.iter().flat_map(|row| &row.bars);
        let drawn = |thread: u32| self.rows.iter().any(|row| row.thread == thread);
        bars.all(|bar| bar.place < self.places.len())
            && self
                .arrows
                .iter()
                .all(|a| drawn(a.from_thread) && drawn(a.to_thread))
    }
}
