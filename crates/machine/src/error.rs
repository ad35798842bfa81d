//! Errors of reading and writing a machine's file.

use std::io;
use std::path::PathBuf;

/// Why a file with a machine's costs cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system could not read or write it.
    #[error("cannot {action} {}: {source}", path.display())]
    System {
        /// "read" or "write".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// It is no such file.
    #[error("{} has no costs of a machine: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where in it, what was found and what was expected.
        reason: String,
    },
}
