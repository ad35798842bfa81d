//! Messages of channels by the processors that sent and received them, for formats that have
//! messages between two threads.

use rustc_hash::FxHashMap;

use crate::Error;
use crate::model::{Attributes, Event, EventKind, Operation, ThreadId};
use crate::reader::{Experiment, Stream};

/// Processors at the ends of a message, and its channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// Place of the channel among those of the run that carry messages, in the order of their
    /// numbers.
    pub channel: u32,
    /// Processor of the task that sent it.
    pub sender: ThreadId,
    /// Processor of the task that received it.
    pub receiver: ThreadId,
}

/// Processors that sent and received a message; one is absent if the trace does not have it.
type Known = (Option<ThreadId>, Option<ThreadId>);

/// The messages of an experiment. Memory grows with their number.
#[derive(Debug, Default)]
pub struct Messages {
    /// By channel and number in it.
    ends: FxHashMap<(u64, u64), Known>,
    /// Numbers of the channels, in order.
    channels: Vec<u64>,
}

impl Messages {
    /// Reads the messages of all threads. An experiment without channels is not read.
    ///
    /// # Errors
    /// [`Error`] if a block is damaged.
    pub fn of(experiment: &Experiment) -> Result<Self, Error> {
        let mut messages = Messages::default();
        for stream in experiment.streams() {
            if has_messages(stream) {
                for event in stream.events() {
                    messages.take(stream, &event?);
                }
            }
        }
        let channels = messages.ends.keys().map(|(channel, _)| *channel);
        messages.channels = channels.collect();
        messages.channels.sort_unstable();
        messages.channels.dedup();
        Ok(messages)
    }

    /// The ends of a message of a channel; `None` unless the trace has both.
    pub fn ends(&self, channel: u64, message: u64) -> Option<Ends> {
        let (sender, receiver) = *self.ends.get(&(channel, message))?;
        Some(Ends {
            channel: self.channels.binary_search(&channel).ok()? as u32,
            sender: sender?,
            receiver: receiver?,
        })
    }

    /// Numbers of the channels that carry messages, in order.
    pub fn channels(&self) -> &[u64] {
        &self.channels
    }

    /// Number of messages of which the trace has only one end.
    pub fn incomplete(&self) -> u64 {
        let ends = self.ends.values();
        ends.filter(|(sender, receiver)| sender.is_none() || receiver.is_none())
            .count() as u64
    }

    fn take(&mut self, stream: &Stream, event: &Event) {
        let EventKind::Enter { site, attributes } = event.kind else {
            return;
        };
        let Attributes::ChannelMessage {
            channel, message, ..
        } = attributes
        else {
            return;
        };
        let ends = self.ends.entry((channel, message)).or_default();
        match stream.site(site).operation {
            Operation::ChannelSend => ends.0 = Some(stream.thread()),
            Operation::ChannelReceive => ends.1 = Some(stream.thread()),
            _ => {}
        }
    }
}

fn has_messages(stream: &Stream) -> bool {
    let carries = [Operation::ChannelSend, Operation::ChannelReceive];
    let mut sites = stream.sites().iter();
    sites.any(|site| carries.contains(&site.operation))
}
