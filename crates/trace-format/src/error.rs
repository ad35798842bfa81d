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
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        path: PathBuf,
        /// What was tried, e.g. "open".
        action: &'static str,
        source: io::Error,
    },
    #[error(
        "{}: not an experiment directory (it has no experiment.json); name a directory that `pgastool run` made",
        path.display()
    )]
    NotAnExperiment { path: PathBuf },
    #[error("{}: already exists; an experiment is never overwritten, choose another name", path.display())]
    AlreadyExists { path: PathBuf },
    #[error("{}: line {line}, column {column}: {found}; expected {expected}", path.display())]
    Metadata {
        path: PathBuf,
        line: usize,
        column: usize,
        found: String,
        expected: &'static str,
    },
    #[error(
        "{}: no streams were recorded; was the program instrumented (`pgastool compile`) and did it start?",
        path.display()
    )]
    NoStreams { path: PathBuf },
    #[error(
        "{}: offset 0: not a trace stream of pgastool (found {found}, expected {expected})",
        path.display()
    )]
    Foreign {
        path: PathBuf,
        found: String,
        expected: String,
    },
    #[error(
        "{}: offset {offset}: trace format version {found}, this program reads versions up to {expected}; use a newer pgastool",
        path.display()
    )]
    Version {
        path: PathBuf,
        offset: u64,
        found: u16,
        expected: u16,
    },
    #[error(
        "{}: offset {offset}: damaged: found {found}, expected {expected}; the file was changed after it was written, measure again or restore it",
        path.display()
    )]
    Corrupt {
        path: PathBuf,
        /// Byte offset in the file: of the damaged field, or of the block that it lies in if the
        /// block is compressed.
        offset: u64,
        found: String,
        expected: String,
    },
    #[error("{} and {}: both hold thread {thread}; a thread has one stream", first.display(), second.display())]
    DuplicateThread {
        first: PathBuf,
        second: PathBuf,
        thread: u32,
    },
    #[error(
        "{}: a stream of another run ({found}, and {METADATA_FILE} is of run {expected}); restore the streams of this run, or \
         measure again", path.display()
    )]
    OtherRun {
        path: PathBuf,
        found: String,
        expected: String,
    },
    /// A builder or writer was given events that no thread can produce.
    #[error("thread {thread}, event {event}: {found}; expected {expected}")]
    InvalidEvent {
        thread: u32,
        /// Number of the event on its thread, from 0.
        event: u64,
        found: String,
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
