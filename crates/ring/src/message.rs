//! Messages of the ring.

use std::net::SocketAddr;

use pgas_monitor::{Cells, NodePart};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::secret::Secret;
use crate::selection::Selection;

/// A node of the ring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Name of the host.
    pub node: String,
    /// Its agent.
    pub address: SocketAddr,
}

/// An agent is there.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Registration {
    pub(crate) member: Member,
    /// The address by which it reaches the manager.
    pub(crate) manager: SocketAddr,
}

/// A request on its way, with what was added to it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Round {
    /// Grows by one with each request.
    pub(crate) number: u64,
    pub(crate) what: Selection,
    /// The agents that it goes to, in this order.
    pub(crate) route: Vec<Member>,
    /// How many of them it has been sent to, or could not be.
    pub(crate) done: usize,
    /// Where it returns to.
    pub(crate) manager: SocketAddr,
    pub(crate) parts: Vec<NodePart>,
    pub(crate) cells: Cells,
    /// Members of the route that did not take it.
    pub(crate) skipped: Vec<usize>,
    /// Failures of nodes to look at their pages.
    pub(crate) problems: Vec<String>,
}

/// Metrics that the threads of each node are to keep.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NewMetrics {
    pub(crate) number: u64,
    pub(crate) definitions: String,
    pub(crate) functions: String,
}

/// The run has ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) number: u64,
}

/// A message that the secret of the run has signed, and that this version can read.
#[derive(Debug)]
pub struct Message {
    pub(crate) content: Content,
    /// Bytes of its body.
    pub bytes: usize,
}

#[derive(Debug)]
pub(crate) enum Content {
    Registration(Registration),
    Round(Box<Round>),
    Metrics(NewMetrics),
    End(End),
}

/// Why a message is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It has no signature, or another one.
    #[error("the message is not signed by the secret of this run")]
    Unsigned,
    /// No message has this path.
    #[error("found a path of no message, expected /register, /round, /metrics or /end")]
    Path,
    /// Its body is something else.
    #[error("the body is no message of this version of pgastool; use the same one on all nodes")]
    Body,
}

impl Message {
    /// Reads a message to this path.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn read(
        secret: &Secret,
        path: &str,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<Self, Refused> {
        if !signature.is_some_and(|signature| secret.has_signed(path, body, signature)) {
            return Err(Refused::Unsigned);
        }
        let content = match path {
            REGISTER => parsed(body).map(Content::Registration),
            ROUND => parsed(body).map(|round| Content::Round(Box::new(round))),
            METRICS => parsed(body).map(Content::Metrics),
            END => parsed(body).map(Content::End),
            _ => return Err(Refused::Path),
        };
        let bytes = body.len();
        content.map(|content| Message { content, bytes })
    }

    /// The answers of nodes in a request.
    pub fn into_parts(self) -> Vec<NodePart> {
        match self.content {
            Content::Round(round) => round.parts,
            _ => Vec::new(),
        }
    }
}

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    match postcard::take_from_bytes(body) {
        Ok((message, [])) => Ok(message),
        _ => Err(Refused::Body),
    }
}

pub(crate) const REGISTER: &str = "/register";
pub(crate) const ROUND: &str = "/round";
pub(crate) const METRICS: &str = "/metrics";
pub(crate) const END: &str = "/end";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_messages_that_are_signed_are_read() {
        let secret = Secret::new().unwrap();
        let body = postcard::to_stdvec(&End { number: 300 }).unwrap();
        let read = |path: &str, body: &[u8]| {
            let signature = secret.sign(path, body);
            Message::read(&secret, path, Some(&signature), body).map(|message| message.bytes)
        };
        assert_eq!(read(END, &body), Ok(body.len()));
        assert_eq!(read("/ends", &body), Err(Refused::Path));
        assert_eq!(read(END, &body[..1]), Err(Refused::Body));
        assert_eq!(read(END, &[&body[..], &[0]].concat()), Err(Refused::Body));
        let unsigned = Message::read(&secret, END, None, &body).err();
        assert_eq!(unsigned, Some(Refused::Unsigned));
    }
}
