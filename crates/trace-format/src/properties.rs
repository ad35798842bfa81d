//! Keys of properties of a stream that more than one part of the tool knows.

/// Of which run the stream is: the random text in the experiment's description.
pub const RUN: &str = "run";
/// Of a thread that was ended in the midst of an operation of the runtime: its last time (ticks)
/// before that. Exits after it say that the thread was still there, and not that it came out.
pub const INTERRUPTED_AFTER: &str = "interrupted_after";
/// The runtime, where its name is needed to understand the events.
pub const RUNTIME: &str = "runtime";
/// Accesses of the program's code that no event tells of.
pub const UNSEEN: &str = "unseen";
/// Of a thread whose last events were read from its buffers after its process was gone: how many
/// these were.
pub const COLLECTED: &str = "collected";
/// Of a thread whose process was asked to end by a signal: its number.
pub const SIGNAL: &str = "signal";
/// When that signal came, in ticks.
pub const SIGNAL_TIME: &str = "signal_time";
/// Threads that read the same clock have the same value of it.
pub const NODE: &str = "node";
/// Name of the machine; stands in for [`NODE`] in older files.
pub const HOST: &str = "host";
