//! Activity of the threads around one instance of a wait state: bars for operations and functions,
//! arrows from the thread that was waited for. Taken from the trace once, so that a page can draw
//! it without the trace.

use serde::{Deserialize, Serialize};

/// A stretch of the run around the worst instance of a finding. Times are seconds since the start
/// of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Metric id of the wait state.
    pub metric: String,
    /// Index of the finding's call path in the cube.
    pub call_path: usize,
    /// Begin of the window that is drawn.
    pub begin_seconds: f64,
    /// End of the window that is drawn.
    pub end_seconds: f64,
    /// When the instance itself began: its first waiting thread entered.
    pub instance_begin_seconds: f64,
    /// When its last waiting ended.
    pub instance_end_seconds: f64,
    /// Names that bars refer to.
    pub places: Vec<Place>,
    /// By thread number; where a program has too many threads to draw, those that matter most to
    /// the instance.
    pub rows: Vec<Row>,
    /// Threads of the program without a row.
    pub omitted_threads: u32,
    /// Dependencies that ended waits.
    pub arrows: Vec<Arrow>,
}

/// A function or an operation, called from a line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Name of the function or operation.
    pub region: String,
    /// Where the call stands; empty and 0 if unknown.
    pub file: String,
    /// Line of the call in `file`, from 1; 0 if unknown.
    pub line: u32,
}

/// The bars of one thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the thread.
    pub thread: u32,
    /// By begin, an outer bar before those inside of it.
    pub bars: Vec<Bar>,
}

/// A function or an operation while it was on a thread's stack, cut to the window; or several that
/// are too short to be drawn one by one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Begin of the bar, cut to the window.
    pub begin_seconds: f64,
    /// End of the bar, cut to the window.
    pub end_seconds: f64,
    /// 0 for the outermost function.
    pub depth: u16,
    /// Class of activity, which decides the colour.
    pub activity: Activity,
    /// Index into [`Timeline::places`]; of several merged ones that with most time.
    pub place: usize,
    /// How many this bar stands for.
    pub merged: u32,
    /// Of a waiting bar: metric id of the wait state; of several merged ones that of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Of a waiting bar: it is part of the instance that the timeline is of. These are never
    /// merged: together they are as long as the finding says that the instance cost (but for
    /// threads without a row).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_instance: bool,
}

/// Activity of a thread, as distinguished by colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// In a function of the program.
    Computation,
    /// In a one-sided operation: an access to shared data, or a copy of a block.
    OneSided,
    /// In a collective operation other than a barrier.
    Collective,
    /// In a barrier.
    Barrier,
    /// In an operation on a lock.
    Lock,
    /// Waiting for a flag, an event or some of the threads, or posting.
    PointToPoint,
    /// Sending or receiving a message.
    Message,
    /// In a fence.
    Fence,
    /// In an allocation or a release of shared memory.
    Allocation,
    /// In an operation of input or output.
    Io,
    /// The part of an operation in which the thread could do nothing but wait; lies one deeper than
    /// its operation.
    Waiting,
    /// The thread could have run, and had no core.
    NoCore,
    /// The program stood still for the recorder.
    Measurement,
}

/// From the event that ended a wait (the last one's arrival, a lock's release) to the end of the
/// wait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arrow {
    /// The thread whose event ended the wait.
    pub from_thread: u32,
    /// Time of that event, in seconds since the start of the run.
    pub from_seconds: f64,
    /// The thread that waited.
    pub to_thread: u32,
    /// End of its wait, in seconds since the start of the run.
    pub to_seconds: f64,
    /// Metric id of the wait state that it explains.
    pub metric: String,
}
