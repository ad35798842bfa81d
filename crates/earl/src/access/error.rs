//! Errors of queries to a trace: invalid queries, and faults of the trace that should answer them.

use std::path::PathBuf;

use pgas_trace::model::ThreadId;

use super::event::EventId;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// A block could not be read.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    /// The program has no thread of that number.
    #[error("thread {thread} does not exist; the threads of this experiment are 0 to {last}")]
    NoSuchThread {
        /// The thread asked for.
        thread: ThreadId,
        /// The last thread of the program.
        last: ThreadId,
    },
    /// The thread has no event of that number.
    #[error("thread {} has no event {}; it has {events} events, numbered from 0", .event.thread, .event.number)]
    NoSuchEvent {
        /// The event asked for.
        event: EventId,
        /// Events of that thread, those inferred at gaps included.
        events: u64,
    },
    /// All threads together have no event of that number in the order of time.
    #[error(
        "there is no event {number} in the order of time; the threads have {events} events \
         together, numbered from 0"
    )]
    NoSuchNumber {
        /// The place in time asked for, from 0.
        number: u64,
        /// Events of all threads, those inferred at gaps included.
        events: u64,
    },
    /// A stream of a thread that the description of the experiment does not count.
    #[error(
        "{}: a stream of thread {thread}, but the experiment has {threads} threads; restore experiment.json or the \
         stream",
        path.display()
    )]
    UnknownThread {
        /// File of the stream.
        path: PathBuf,
        /// Its thread.
        thread: ThreadId,
        /// Number of threads according to the description.
        threads: u32,
    },
    /// The description names more threads than any program has, so it is damaged.
    #[error("{}: {found} threads, but at most {limit} are possible; restore experiment.json", path.display())]
    TooManyThreads {
        /// Directory of the experiment.
        path: PathBuf,
        /// Number of threads according to the description.
        found: u32,
        /// The largest number of threads that is accepted.
        limit: u32,
    },
}
