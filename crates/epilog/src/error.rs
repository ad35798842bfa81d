//! Errors of EPILOG files, each with the file, the place, what was found and what was expected.

use std::io;
use std::path::PathBuf;

/// An error of writing or reading an EPILOG file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or directory could not be created, read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Operation that failed, e.g. "read".
        action: &'static str,
        /// The underlying error.
        source: io::Error,
    },
    /// Of the experiment that is read or written.
    #[error(transparent)]
    Trace(#[from] pgas_trace::Error),
    /// The file does not begin as EPILOG files do.
    #[error("{}: offset 0: not an EPILOG file: found {found}, expected \"EPILOG\"; name a file *.elg or *.elg.gz", path.display())]
    NotEpilog {
        /// The file.
        path: PathBuf,
        /// Its first bytes, as the message shows them.
        found: String,
    },
    /// The file has a version of EPILOG that is not read.
    #[error(
        "{}: offset 7: EPILOG version {major}.{minor}, this program reads versions 1.0 to 1.9; convert it with the tools that wrote it",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version before the dot.
        major: u8,
        /// The version after the dot.
        minor: u8,
    },
    /// A record contradicts the format, or the records before it.
    #[error(
        "{}: offset {offset}, {record}: found {found}, expected {expected}; the file is damaged, or of another dialect of EPILOG",
        path.display()
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Bytes from the beginning of the file, of its uncompressed content if it is compressed.
        offset: u64,
        /// Type of the record, such as "ENTER (101)".
        record: String,
        /// The value or structure in the file, as the message shows it.
        found: String,
        /// The values or structure that would be right, as the message shows them.
        expected: String,
    },
    /// The experiment has more of something than EPILOG has room for.
    #[error("{}: {found} cannot be written as EPILOG, which holds at most {limit}; {advice}", path.display())]
    Limit {
        /// Directory of the experiment.
        path: PathBuf,
        /// Its number of threads or other excessive amount, as the message shows it.
        found: String,
        /// The largest amount that EPILOG holds.
        limit: u64,
        /// Remedy that the message names.
        advice: &'static str,
    },
    /// The two readings of the source differ, because a run is still being recorded into it.
    #[error("{}: the experiment changed while it was converted; wait until the run has ended", path.display())]
    Changed {
        /// The experiment or file.
        path: PathBuf,
    },
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
