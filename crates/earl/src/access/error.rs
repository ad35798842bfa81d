//! What can be wrong with a question about a trace, or with the trace that should answer it.

use std::path::PathBuf;

use pgas_trace::model::ThreadId;

use super::event::EventId;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// A block could not be read.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    #[error("thread {thread} does not exist; the threads of this experiment are 0 to {last}")]
    NoSuchThread { thread: ThreadId, last: ThreadId },
    #[error("thread {} has no event {}; it has {events} events, numbered from 0", .event.thread, .event.number)]
    NoSuchEvent { event: EventId, events: u64 },
    #[error(
        "there is no event {number} in the order of time; the threads have {events} events \
         together, numbered from 0"
    )]
    NoSuchNumber { number: u64, events: u64 },
    #[error(
        "{}: a stream of thread {thread}, but the experiment has {threads} threads; restore experiment.json or the \
         stream",
        path.display()
    )]
    UnknownThread {
        path: PathBuf,
        thread: ThreadId,
        threads: u32,
    },
    #[error("{}: {found} threads, but at most {limit} are possible; restore experiment.json", path.display())]
    TooManyThreads {
        path: PathBuf,
        found: u32,
        limit: u32,
    },
}
