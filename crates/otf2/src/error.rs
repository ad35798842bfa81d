//! Errors of OTF2 archives.

use std::io;
use std::path::PathBuf;

/// An error of writing an archive.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An operation on a file that the system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operation, as it stands after "cannot".
        action: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// Something already has the archive's name.
    #[error("{}: already exists; an archive is never overwritten, choose another name", path.display())]
    AlreadyExists {
        /// The folder of the archive.
        path: PathBuf,
    },
    /// More threads than an archive has room for.
    #[error("{}: a run of {threads} threads; at most {limit} are written", path.display())]
    TooManyThreads {
        /// The folder of the archive.
        path: PathBuf,
        /// Threads of the run.
        threads: usize,
        /// Most threads that are written.
        limit: usize,
    },
    /// Of the experiment that is read.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    /// An error of OTF2's library.
    #[error("{}: cannot {action}: OTF2 says: {reason}; is there space on the disk?", path.display())]
    Library {
        /// The folder of the archive.
        path: PathBuf,
        /// The operation, as it stands after "cannot".
        action: &'static str,
        /// The library's own text.
        reason: String,
    },
}
