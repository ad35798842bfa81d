//! Errors of an experiment, each with the file, the place, what was found and what was expected.

use std::io;
use std::path::PathBuf;

use crate::names::METADATA_FILE;

/// An error of reading or writing an experiment.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Somebody wanted the work to stop.
    #[error("interrupted")]
    Interrupted,
    /// The system refused to read or write a file.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The action that failed, e.g. "open".
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    #[error(
        "{}: not an experiment directory (it has no experiment.json); name a directory that `pgastool run` made",
        path.display()
    )]
    /// The directory holds no `experiment.json`.
    NotAnExperiment {
        /// The directory.
        path: PathBuf,
    },
    /// A new experiment would replace something.
    #[error("{}: already exists; an experiment is never overwritten, choose another name", path.display())]
    AlreadyExists {
        /// The file or directory that exists.
        path: PathBuf,
    },
    /// `experiment.json` or `series.json` cannot be understood.
    #[error("{}: line {line}, column {column}: {found}; expected {expected}", path.display())]
    Metadata {
        /// The file.
        path: PathBuf,
        /// Line of the first fault, from 1.
        line: usize,
        /// Column of the first fault, from 1.
        column: usize,
        /// Description of the fault.
        found: String,
        /// The content that a valid file has there.
        expected: &'static str,
    },
    #[error(
        "{}: no streams were recorded; was the program instrumented (`pgastool compile`) and did it start?",
        path.display()
    )]
    /// The experiment has no streams.
    NoStreams {
        /// The experiment's directory.
        path: PathBuf,
    },
    #[error(
        "{}: offset 0: not a trace stream of pgastool (found {found}, expected {expected})",
        path.display()
    )]
    /// A file is no stream at all: its first bytes are others.
    Foreign {
        /// The file.
        path: PathBuf,
        /// The first bytes of the file.
        found: String,
        /// The first bytes of a stream.
        expected: String,
    },
    #[error(
        "{}: offset {offset}: trace format version {found}, this program reads versions up to {expected}; use a newer pgastool",
        path.display()
    )]
    /// A file is of a newer version of the format.
    Version {
        /// The file.
        path: PathBuf,
        /// Byte offset of the version number in the file.
        offset: u64,
        /// Version of the file.
        found: u16,
        /// Newest version that this program reads.
        expected: u16,
    },
    #[error(
        "{}: offset {offset}: damaged: found {found}, expected {expected}; the file was changed after it was written, measure again or restore it",
        path.display()
    )]
    /// The content of a stream contradicts the format or its checksums.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Byte offset in the file: of the damaged field, or of the block that it lies in if the
        /// block is compressed.
        offset: u64,
        /// The content at that place.
        found: String,
        /// The content that the format demands there.
        expected: String,
    },
    /// Two streams are of the same thread.
    #[error("{} and {}: both hold thread {thread}; a thread has one stream", first.display(), second.display())]
    DuplicateThread {
        /// The file of the one stream.
        first: PathBuf,
        /// The file of the other stream.
        second: PathBuf,
        /// Number of the thread.
        thread: u32,
    },
    #[error(
        "{}: a stream of another run ({found}, and {METADATA_FILE} is of run {expected}); restore the streams of this run, or \
         measure again", path.display()
    )]
    /// A stream is of another run than its directory.
    OtherRun {
        /// The file of the stream.
        path: PathBuf,
        /// Id of the run that the stream is of.
        found: String,
        /// Id of the run that the directory is of.
        expected: String,
    },
    /// A builder or writer was given events that no thread can produce.
    #[error("thread {thread}, event {event}: {found}; expected {expected}")]
    InvalidEvent {
        /// Number of the thread.
        thread: u32,
        /// Number of the event on its thread, from 0.
        event: u64,
        /// The fault of the event.
        found: String,
        /// The events that are possible there.
        expected: &'static str,
    },
}

impl Error {
    /// `action` on `path` failed.
    pub fn io(path: impl Into<PathBuf>, action: &'static str, source: io::Error) -> Self {
        Error::Io {
            path: path.into(),
            action,
            source,
        }
    }
}
