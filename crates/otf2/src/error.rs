//! Errors of OTF2 archives.

use std::io;
use std::path::PathBuf;

/// An error of writing an archive.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        path: PathBuf,
        action: &'static str,
        source: io::Error,
    },
    #[error("{}: already exists; an archive is never overwritten, choose another name", path.display())]
    AlreadyExists { path: PathBuf },
    #[error("{}: a run of {threads} threads; at most {limit} are written", path.display())]
    TooManyThreads {
        path: PathBuf,
        threads: usize,
        limit: usize,
    },
    /// Of the experiment that is read.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    #[error("{}: cannot {action}: OTF2 says: {reason}; is there space on the disk?", path.display())]
    Library {
        path: PathBuf,
        action: &'static str,
        reason: String,
    },
}
