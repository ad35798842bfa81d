//! Where threads computed, from samples: time by source line, of libraries, of counted accesses, and
//! of functions that are no events. All times here are estimates from samples, each with its
//! interval; numbers of accesses, bytes and calls are exact.

use serde::{Deserialize, Serialize};

/// Clock of the time between two samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SamplingClock {
    /// CPU time of the thread in user mode.
    UserTime,
    /// CPU time of the thread, looked at at each tick of the kernel.
    TickTime,
    /// Wall-clock time.
    WallTime,
}

/// A time that is estimated from samples, in seconds, summed over threads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The share of the samples of a call path times the time that the call path has.
    pub seconds: f64,
    /// Lower bound of the interval of 95 %.
    pub low_seconds: f64,
    /// Upper bound of the interval.
    pub high_seconds: f64,
}

/// Samples, and the time that they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SampledTime {
    /// Number of samples.
    pub samples: u64,
    /// Absent if there are too few samples.
    pub estimate: Option<Estimate>,
}

impl SampledTime {
    /// The estimate in seconds; 0 if there are too few samples.
    pub fn seconds(&self) -> f64 {
        self.estimate.map_or(0.0, |estimate| estimate.seconds)
    }
}

/// A place in the code.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CodePlace {
    /// The function, or that which was inlined; empty if unknown.
    pub function: String,
    /// Source file; empty if unknown.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
}

/// Samples at a call path whose innermost region is of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledPath {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Samples whose innermost recorded region this is.
    pub samples: u64,
    /// Time that is distributed to these samples, in seconds: the exclusive time of the call path,
    /// or `sampled_seconds` if that is notably less.
    pub seconds: f64,
    /// Number of periods times their length, in seconds.
    pub sampled_seconds: f64,
    /// How much of the missing samples' time may be of this call path, in seconds.
    pub missing_seconds: f64,
}

/// Computing time at one source line of a call path, or in a function without lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledLine {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// The innermost function and line; without debug information a function alone.
    pub place: CodePlace,
    /// The library; empty for the program itself.
    pub module: String,
    /// The line from which what has no line was called; empty for what has one.
    pub called_at: CodePlace,
    /// Exclusive time.
    pub time: SampledTime,
}

/// Entries that are left out since there is little time in each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct OtherLines {
    /// Number of entries.
    pub lines: u64,
    /// Their samples.
    pub samples: u64,
    /// Their share of the times of call paths, in seconds.
    pub seconds: f64,
}

/// Computing time at a source line over all call paths, with what it calls and has no lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlaceTime {
    /// Source file.
    pub file: String,
    /// Line in `file`, from 1.
    pub line: u32,
    /// The time.
    pub time: SampledTime,
}

/// Inclusive time of a function of a library, or of one without debug information, that a line of
/// the program calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LibraryTime {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// The function, e.g. "qsort"; empty if unknown.
    pub function: String,
    /// The library; empty for the program itself.
    pub module: String,
    /// The line that calls it.
    pub called_at: CodePlace,
    /// With what it calls.
    pub time: SampledTime,
}

/// Counted accesses of one line of a call path to shared data: their numbers are exact, their time
/// is sampled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledAccesses {
    /// Index of the call path in the cube that makes the accesses.
    pub call_path: usize,
    /// Source file.
    pub file: String,
    /// Line in `file`, from 1.
    pub line: u32,
    /// Exact number of accesses, of all threads.
    pub accesses: u64,
    /// Of these, those that read.
    pub reads: u64,
    /// Exact number of bytes.
    pub bytes: u64,
    /// Accesses to data of other threads.
    pub remote_accesses: u64,
    /// Bytes of these.
    pub remote_bytes: u64,
    /// Time of the line without what it calls and without counting, which is what they take at
    /// most. The lower end of the interval is that of the time within the code of the accesses.
    pub time: SampledTime,
    /// By thread.
    pub by_thread: Vec<ThreadAccesses>,
}

/// Counted accesses of one thread at one line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreadAccesses {
    /// Exact number of accesses.
    pub accesses: u64,
    /// Accesses to data of other threads.
    pub remote_accesses: u64,
    /// The thread's part of the estimated time of the line.
    pub seconds: f64,
}

/// A function of the program that is no event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledFunction {
    /// Its name.
    pub function: String,
    /// Where it is, as far as that is known.
    pub file: String,
    /// A line of it, from 1; 0 if unknown.
    pub line: u32,
    /// Exact number of calls, if they were counted.
    pub calls: Option<u64>,
    /// Time in it and in what it calls.
    pub inclusive: SampledTime,
    /// Time in it alone.
    pub exclusive: SampledTime,
}

/// A thread's part of a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ThreadPart {
    /// The thread.
    pub thread: u32,
    /// Its part of the time, in seconds.
    pub seconds: f64,
}

/// Computing time of a call path by the functions and lines below it, for flame graphs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledStack {
    /// Index of the call path in the cube.
    pub call_path: usize,
    /// Lines and functions, outermost first; the first is a line of the recorded function.
    pub frames: Vec<CodePlace>,
    /// Threads with samples there.
    pub threads: Vec<ThreadPart>,
}

/// A file of code in which samples lie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledModule {
    /// Its path.
    pub path: String,
    /// "lines", "functions" or "nothing": what is known of addresses.
    pub detail: String,
    /// Why no more is known.
    pub note: Option<String>,
    /// Samples whose innermost address lies in it.
    pub samples: u64,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Clock of the period.
    pub clock: SamplingClock,
    /// Seconds between two samples of a thread.
    pub period_seconds: f64,
    /// Samples of all threads.
    pub samples: u64,
    /// Periods whose samples found no room.
    pub lost: u64,
    /// Periods that ended while the recorder was at work.
    pub within_recorder: u64,
    /// Seconds of all threads that samples are missing for; each interval reaches up to where they
    /// all are of that line.
    pub missing_seconds: f64,
    /// Samples within operations of the runtime, or at an unknown call path.
    pub elsewhere: u64,
    /// Files that samples lie in.
    pub modules: Vec<SampledModule>,
    /// Call paths with samples of computing.
    pub call_paths: Vec<SampledPath>,
    /// Computing time by call path and line, most first.
    pub lines: Vec<SampledLine>,
    /// Samples that are not in `lines`.
    pub other_lines: OtherLines,
    /// Computing time by line, most first.
    pub places: Vec<PlaceTime>,
    /// Inclusive time of functions of libraries, most first.
    pub libraries: Vec<LibraryTime>,
    /// Counted accesses, most time first.
    pub accesses: Vec<SampledAccesses>,
    /// Functions that are no events, most time first.
    pub functions: Vec<SampledFunction>,
    /// Those with most time, most first.
    pub stacks: Vec<SampledStack>,
}
