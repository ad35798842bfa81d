//! Messages between processes that analyse together. Numbers are encoded with as many bytes as they
//! need, since most of them are small.

use std::ops::Range;
use std::path::PathBuf;

use pgas_earl::PathId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::pipeline::exchange::ExchangeError;
use crate::pipeline::sums::PlainSums;
use crate::threads::profile::ThreadProfile;
use crate::threads::stacks::ThreadStacks;

/// From the process that leads.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Order {
    Open(Opening),
    /// Reads the next stretch, which ends at these ticks.
    Read(u64),
    Conclude(Names),
    /// Nothing more is wanted of the experiment; answered by [`Head::Closed`].
    Close,
}

/// Parameters of a process for reading its share.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Opening {
    /// Of the tool that leads.
    pub version: String,
    pub directory: PathBuf,
    /// Numbers of groups, and the threads of each.
    pub groups: Vec<(usize, Range<usize>)>,
    /// Events of one thread in a stretch, at most.
    pub per_thread: u64,
}

/// The common numbers of call paths.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Names {
    /// How many there are.
    pub paths: usize,
    /// Of each thread of the process: those of its own paths, by these.
    pub threads: Vec<Vec<PathId>>,
}

/// Kind of a message to the leading process; the rest of the message follows it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) enum Head {
    /// A [`Contribution`](crate::pipeline::contribution::Contribution) of a group.
    Contribution {
        group: usize,
    },
    /// A [`Conclusion`].
    Conclusion,
    /// The process cannot do its part: a text states the reason.
    Unable,
    /// The process received a message that it does not understand, and does nothing any more.
    Lost,
    Closed,
}

/// Profiles, sums and samples of the threads of a process at the end.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Conclusion {
    pub profiles: Vec<ThreadProfile>,
    pub sums: Vec<PlainSums>,
    pub stacks: Vec<ThreadStacks>,
    /// Events that were held, since they would have run backwards.
    pub held_events: u64,
}

pub(super) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, ExchangeError> {
    postcard::to_stdvec(value).map_err(|_| ExchangeError::Nonsense)
}

/// `head`, followed by `value`.
pub(super) fn encode_with<T: Serialize>(head: Head, value: &T) -> Result<Vec<u8>, ExchangeError> {
    let bytes = encode(&head)?;
    postcard::to_extend(value, bytes).map_err(|_| ExchangeError::Nonsense)
}

/// The head of a message, and where the rest begins.
pub(super) fn head(message: &[u8]) -> Result<(Head, usize), ExchangeError> {
    let (head, rest) = postcard::take_from_bytes(message).map_err(|_| ExchangeError::Nonsense)?;
    Ok((head, message.len() - rest.len()))
}

/// Decodes the part of a message that follows its head.
pub(super) fn decode_rest<T: DeserializeOwned>(message: &[u8]) -> Result<T, ExchangeError> {
    let (_, begin) = head(message)?;
    decode(&message[begin..])
}

pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ExchangeError> {
    postcard::from_bytes(bytes).map_err(|_| ExchangeError::Nonsense)
}
