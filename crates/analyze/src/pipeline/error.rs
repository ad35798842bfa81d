//! Why an experiment could not be analysed.

use std::path::PathBuf;

use pgas_trace::model::ThreadId;

/// Failure of an analysis as a whole.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The experiment or a stream could not be read.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    /// A stream's events contradict each other.
    #[error("{}: {error}", path.display())]
    Stream {
        /// File of the stream.
        path: PathBuf,
        /// The contradiction.
        error: pgas_earl::Error,
    },
    /// A stream is of a thread that the description of the experiment does not count.
    #[error(
        "{}: the stream of thread {thread}, but the program had {threads} threads by experiment.json; the files do not \
         belong together",
        path.display()
    )]
    UnknownThread {
        /// File of the stream.
        path: PathBuf,
        /// Thread of the stream.
        thread: ThreadId,
        /// Number of threads according to the description.
        threads: u32,
    },
    /// The experiment has neither events nor sums.
    #[error(
        "{}: no thread recorded any event; was the program compiled with `pgastool compile`, and did it start?",
        path.display()
    )]
    NoEvents {
        /// Directory of the experiment.
        path: PathBuf,
    },
    /// A stream that another process reads; it says why.
    #[error("{0}")]
    Elsewhere(String),
    /// Processes that analyse together lost each other.
    #[error(transparent)]
    Exchange(#[from] crate::pipeline::exchange::ExchangeError),
    /// The description names more threads than can be analysed.
    #[error("{}: experiment.json says {found} threads; at most {limit} can be analysed", path.display())]
    TooManyThreads {
        /// Directory of the experiment.
        path: PathBuf,
        /// Number of threads according to the description.
        found: u32,
        /// The largest number of threads that can be analysed.
        limit: u32,
    },
}
