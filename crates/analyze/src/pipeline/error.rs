//! Why an experiment could not be analysed.

use std::path::PathBuf;

use pgas_trace::model::ThreadId;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The experiment or a stream could not be read.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    /// A stream's events contradict each other.
    #[error("{}: {error}", path.display())]
    Stream {
        path: PathBuf,
        error: pgas_earl::Error,
    },
    #[error(
        "{}: the stream of thread {thread}, but the program had {threads} threads by experiment.json; the files do not \
         belong together",
        path.display()
    )]
    UnknownThread {
        path: PathBuf,
        thread: ThreadId,
        threads: u32,
    },
    #[error(
        "{}: no thread recorded any event; was the program compiled with `pgastool compile`, and did it start?",
        path.display()
    )]
    NoEvents { path: PathBuf },
    /// A stream that another process reads; it says why.
    #[error("{0}")]
    Elsewhere(String),
    /// Processes that analyse together lost each other.
    #[error(transparent)]
    Exchange(#[from] crate::pipeline::exchange::ExchangeError),
    #[error("{}: experiment.json says {found} threads; at most {limit} can be analysed", path.display())]
    TooManyThreads {
        path: PathBuf,
        found: u32,
        limit: u32,
    },
}
