//! Traces to and from EPILOG 1.9, the trace format of KOJAK and Scalasca 1.
//!
//! EPILOG is one file for all threads: definitions first, then the events of all threads in the
//! order of time. [`write`](write()) merges the streams of an experiment into such a file;
//! [`read_file`] checks a file, ours or a foreign one, and makes an experiment of it.
//! The private module `format` is the format itself: bytes on one side, events and definitions on
//! the other, with no notion of what an experiment is.
//!
//! Data that EPILOG has no place for (values of barriers, sizes of allocations, sums of calls, ...)
//! is counted while writing and returned as sentences in [`Written::losses`]. Data that its records
//! can hold only by convention (the synchronisation modes of a collective operation, the length of
//! a tick) is written so that other readers see an ordinary file; `docs/conversion.md` describes
//! these conventions.

pub mod error;
mod format;
pub mod names;
mod notes;
mod read;
mod tasks;
mod write;

pub use error::Error;
pub use format::ByteOrder;
pub use names::Names;
pub use read::{Contents, Imported, check, read_file, read_file_until};
pub use write::{Options, Written, write, write_file};
