//! Times of sends and receives by the bytes of the message, and by the number of tasks that send to
//! the channel.

use std::collections::BTreeMap;

use crate::model::histogram::Histogram;

/// Sizes of messages that are distinguished; messages of others are left out.
const SIZES: usize = 64;

/// Times of the operations on alike messages, in ticks.
#[derive(Debug, Default)]
pub struct Lengths {
    /// Sends, without waiting for a place.
    pub sends: Histogram,
    /// Receives, without waiting for a message.
    pub receives: Histogram,
}

/// Times of all operations.
#[derive(Debug, Default)]
pub struct Costs {
    by_bytes: BTreeMap<u64, Lengths>,
    by_senders: BTreeMap<u64, Lengths>,
}

impl Costs {
    pub(crate) fn send(&mut self, ticks: u64, bytes: u64, senders: u64) {
        if let Some(lengths) = self.of_size(bytes) {
            lengths.sends.record(ticks);
        }
        self.by_senders
            .entry(senders)
            .or_default()
            .sends
            .record(ticks);
    }

    pub(crate) fn receive(&mut self, ticks: u64, bytes: u64, senders: u64) {
        if let Some(lengths) = self.of_size(bytes) {
            lengths.receives.record(ticks);
        }
        let of_senders = self.by_senders.entry(senders).or_default();
        of_senders.receives.record(ticks);
    }

    fn of_size(&mut self, bytes: u64) -> Option<&mut Lengths> {
        let is_known = self.by_bytes.contains_key(&bytes);
        let has_room = is_known || self.by_bytes.len() < SIZES;
        has_room.then(|| self.by_bytes.entry(bytes).or_default())
    }

    /// By bytes of the message.
    pub fn by_bytes(&self) -> &BTreeMap<u64, Lengths> {
        &self.by_bytes
    }

    /// By number of tasks that had sent to the channel.
    pub fn by_senders(&self) -> &BTreeMap<u64, Lengths> {
        &self.by_senders
    }
}
