//! Errors of timelines and exports.

use std::path::PathBuf;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The trace could not be read.
    #[error(transparent)]
    Access(#[from] pgas_earl::access::AccessError),
    /// A stream is damaged.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    /// The events of a thread contradict each other.
    #[error(transparent)]
    Stream(#[from] pgas_earl::Error),
    /// The result, or what is kept beside it, could not be read or written.
    #[error(transparent)]
    Result(#[from] pgas_result::Error),
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// "write", "create", ...
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
}
