//! Events of a run as they happen.

use std::fmt;
use std::io::{self, BufRead};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::picture::{Change, Picture};
use crate::problem::ClientError;
use crate::sse::{Message, Messages};

/// An event.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A period is over.
    Picture(Box<Picture>),
    /// A finding is confirmed.
    Found(Change),
    /// A finding is no longer confirmed.
    Gone(Change),
    /// The run has ended; no event follows.
    End {
        /// Why, as a sentence.
        why: String,
    },
}

#[derive(Debug, Deserialize)]
struct End {
    why: String,
}

/// Events, until the end of the run or the first error. [`Iterator::next`] waits for the next one.
pub struct Changes {
    messages: Messages<Box<dyn BufRead + Send>>,
    address: String,
    is_over: bool,
}

impl fmt::Debug for Changes {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut shown = formatter.debug_struct("Changes");
        shown
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Changes {
    pub(crate) fn new(input: Box<dyn BufRead + Send>, address: String) -> Self {
        Changes {
            messages: Messages::new(input),
            address,
            is_over: false,
        }
    }

    fn event(&self, message: &Message) -> Result<Option<Event>, ClientError> {
        let data = &message.data;
        Ok(Some(match &*message.event {
            "picture" => Event::Picture(Box::new(self.parsed(data)?)),
            "found" => Event::Found(self.parsed(data)?),
            "gone" => Event::Gone(self.parsed(data)?),
            "end" => {
                let End { why } = self.parsed(data)?;
                Event::End { why }
            }
            // A later tool may have more.
            _ => return Ok(None),
        }))
    }

    fn parsed<T: DeserializeOwned>(&self, data: &str) -> Result<T, ClientError> {
        serde_json::from_str(data).map_err(|error| ClientError::Answer {
            address: self.address.clone(),
            error: error.to_string(),
        })
    }

    /// Why there is no message: all streams that end in good order have an event for that.
    fn broken(&self, error: Option<&io::Error>) -> ClientError {
        ClientError::Gone {
            address: self.address.clone(),
            error: error.map_or_else(
                || "the stream of events stops".to_owned(),
                io::Error::to_string,
            ),
        }
    }
}

impl Iterator for Changes {
    type Item = Result<Event, ClientError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            let event = match self.messages.next() {
                Some(Ok(message)) => self.event(&message),
                Some(Err(error)) => Err(self.broken(Some(&error))),
                None => Err(self.broken(None)),
            };
            self.is_over = matches!(event, Err(_) | Ok(Some(Event::End { .. })));
            if let Some(event) = event.transpose() {
                return Some(event);
            }
        }
        None
    }
}
