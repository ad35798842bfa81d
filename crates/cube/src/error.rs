//! Errors of CUBE files. Every error names the file and says what to do about it; an error in
//! a file's content also says where (line and byte), what was found there, and what was expected.

use std::path::PathBuf;

/// Failure to read or write a file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// "read", "write", "create", ...
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },

    /// The bytes of a file are not what they should be.
    #[error("{}:{line} (byte {offset}): found {found}, expected {expected}; {advice}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
        /// Bytes from the beginning of the file.
        offset: u64,
        /// The text or structure in the file, as the message shows it.
        found: String,
        /// The text or structure that would be right, as the message shows it.
        expected: String,
        /// Remedy that the message names.
        advice: &'static str,
    },

    /// A binary part of a file is not what it should be.
    #[error("{}: {part}, byte {offset} of the file: found {found}, expected {expected}; {advice}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The member of an archive.
        part: String,
        /// Bytes from the beginning of the file.
        offset: u64,
        /// The content of that part, as the message shows it.
        found: String,
        /// The content that would be right, as the message shows it.
        expected: String,
        /// Remedy that the message names.
        advice: &'static str,
    },

    /// A file is larger, deeper or wider than this reader is willing to take on.
    #[error("{}: {what} is more than the {limit} that are supported; {advice}", path.display())]
    Limit {
        /// The file.
        path: PathBuf,
        /// The excessive quantity, with its amount if that is known.
        what: String,
        /// The largest amount that is accepted.
        limit: u64,
        /// Remedy that the message names.
        advice: &'static str,
    },

    /// A value in memory that its file format cannot hold.
    #[error("cannot write {}: {problem}; this is an error in the program that computed the result", path.display())]
    Unwritable {
        /// The file that was to be written.
        path: PathBuf,
        /// The rule of the model or of the format that the cube breaks, in words.
        problem: String,
    },
}

impl Error {
    /// For `map_err` on input and output.
    pub fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io {
            action,
            path,
            source,
        }
    }
}
