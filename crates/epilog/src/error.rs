//! Errors of EPILOG files, each with the file, the place, what was found and what was expected.

use std::io;
use std::path::PathBuf;

/// An error of writing or reading an EPILOG file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        path: PathBuf,
        /// What was tried, e.g. "read".
        action: &'static str,
        source: io::Error,
    },
    /// Of the experiment that is read or written.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    #[error("{}: offset 0: not an EPILOG file: found {found}, expected \"EPILOG\"; name a file *.elg or *.elg.gz", path.display())]
    NotEpilog { path: PathBuf, found: String },
    #[error(
        "{}: offset 7: EPILOG version {major}.{minor}, this program reads versions 1.0 to 1.9; convert it with the tools that wrote it",
        path.display()
    )]
    Version { path: PathBuf, major: u8, minor: u8 },
    #[error(
        "{}: offset {offset}, {record}: found {found}, expected {expected}; the file is damaged, or of another dialect of EPILOG",
        path.display()
    )]
    Malformed {
        path: PathBuf,
        /// Bytes from the beginning of the file, of its uncompressed content if it is compressed.
        offset: u64,
        /// Type of the record, such as "ENTER (101)".
        record: String,
        found: String,
        expected: String,
    },
    #[error("{}: {found} cannot be written as EPILOG, which holds at most {limit}; {advice}", path.display())]
    Limit {
        path: PathBuf,
        found: String,
        limit: u64,
        advice: &'static str,
    },
    #[error("{}: the experiment changed while it was converted; wait until the run has ended", path.display())]
    Changed { path: PathBuf },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>, action: &'static str, source: io::Error) -> Self {
        Error::Io {
            path: path.into(),
            action,
            source,
        }
    }
}
