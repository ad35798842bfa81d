//! Contribution of a group of streams to one stretch of time, read here or by another process.

use std::fmt;

use pgas_earl::EventSource;
use pgas_trace::model::ThreadId;
use serde::{Deserialize, Serialize};

use crate::pipeline::exchange::ExchangeError;
use crate::pipeline::reading::{Failure, Reader};
use crate::threads::batch::Batch;

/// Contribution of a group of streams that another process reads to one stretch.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Contribution {
    Read {
        read: Taken,
        batches: Vec<Batch>,
    },
    /// The stream of a thread could not be read: a text that says why, with the name of the file.
    Failed {
        thread: ThreadId,
        message: String,
    },
}

impl Contribution {
    /// From the bytes of a message, without what stands before it there.
    pub fn decode(bytes: &[u8]) -> Result<Self, ExchangeError> {
        postcard::from_bytes(bytes).map_err(|_| ExchangeError::Nonsense)
    }
}

/// Progress of a group after one stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Taken {
    pub events: u64,
    /// No event before these ticks can come any more; `None`: all streams have ended.
    pub safe: Option<u64>,
}

/// Reads the streams of a group up to `until` (ticks); the batches are empty, one for each.
pub(crate) fn advance<S: EventSource>(
    readers: &mut [Reader<S>],
    until: u64,
    per_thread: u64,
    batches: &mut [Batch],
) -> Result<Taken, StreamFailure<S::Error>> {
    let mut taken = Taken {
        events: 0,
        safe: None,
    };
    for (reader, batch) in readers.iter_mut().zip(batches) {
        let thread = reader.walker().thread();
        let events = reader.advance(until, per_thread);
        taken.events += events.map_err(|failure| StreamFailure { thread, failure })?;
        reader.exchange(batch);
        taken.safe = match (taken.safe, reader.reached()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    Ok(taken)
}

/// A stream that could not be followed, and whose it is.
#[derive(Debug)]
pub struct StreamFailure<E> {
    /// Thread of the stream.
    pub thread: ThreadId,
    /// Error in the stream, or in reading it.
    pub failure: Failure<E>,
}

impl<E: fmt::Display> fmt::Display for StreamFailure<E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.failure {
            Failure::Source(error) => write!(f, "thread {}: {error}", self.thread),
            Failure::Stream(error) => error.fmt(f),
            Failure::Elsewhere(message) => f.write_str(message),
        }
    }
}
