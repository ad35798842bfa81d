//! A channel at one moment: messages on their way, and senders that wait for a place.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::idle::Wake;
use super::tally::ChannelSums;
use pgas_earl::PathId;

/// A message that was sent and not received.
#[derive(Debug, Clone, Copy)]
pub(super) struct InFlight {
    pub sent: Wake,
    /// Its post was named to the replay.
    pub is_kept: bool,
}

/// A channel.
#[derive(Debug)]
pub(super) struct Channel {
    pub sums: ChannelSums,
    in_flight: FxHashMap<u64, InFlight>,
    /// Numbers of messages that were received before their send was seen, since clocks differ.
    early: Vec<u64>,
    /// The message that is received next.
    pub next: u64,
    /// A task that waits to receive from it.
    pub waiting: Option<u64>,
    /// The receiver, and the select in which it chose this channel last.
    pub chosen_by: Option<(u64, PathId)>,
    /// Messages without a place, and their senders, which wait.
    blocked: VecDeque<(u64, u64)>,
    pub closed: bool,
}

impl Channel {
    pub fn new(number: u64) -> Self {
        Channel {
            sums: ChannelSums::new(number),
            in_flight: FxHashMap::default(),
            early: Vec::new(),
            next: 0,
            waiting: None,
            chosen_by: None,
            blocked: VecDeque::new(),
            closed: false,
        }
    }

    /// Takes a message, unless it has been received.
    pub fn send(&mut self, number: u64, sent: Wake) {
        match self.early.iter().position(|&early| early == number) {
            Some(place) => drop(self.early.swap_remove(place)),
            None => drop(self.in_flight.insert(
                number,
                InFlight {
                    sent,
                    is_kept: false,
                },
            )),
        }
    }

    /// Takes a message out; `None` if its send has not been seen.
    pub fn receive(&mut self, number: u64) -> Option<InFlight> {
        self.next = self.next.max(number + 1);
        let message = self.in_flight.remove(&number);
        if message.is_none() {
            self.early.push(number);
        }
        message
    }

    /// A message on its way.
    pub fn message(&mut self, number: u64) -> Option<&mut InFlight> {
        self.in_flight.get_mut(&number)
    }

    /// The message that is received next, if it was sent.
    pub fn front(&mut self) -> Option<&mut InFlight> {
        self.in_flight.get_mut(&self.next)
    }

    /// A sender waits until its message has a place. False if it has one.
    pub fn block(&mut self, number: u64, task: u64) -> bool {
        let is_full = self.sums.capacity.is_some_and(|capacity| {
            number
                .checked_sub(capacity)
                .is_some_and(|last| last >= self.next)
        });
        if is_full {
            self.blocked.push_back((number, task));
        }
        is_full
    }

    /// The next sender whose message has a place now.
    pub fn unblock(&mut self) -> Option<u64> {
        let capacity = self.sums.capacity?;
        let &(number, task) = self.blocked.front()?;
        let has_place = self.closed || number < self.next.saturating_add(capacity);
        has_place.then(|| self.blocked.pop_front())?;
        Some(task)
    }

    /// Whether nothing can happen to it any more.
    pub fn is_over(&self) -> bool {
        self.closed && self.in_flight.is_empty() && self.blocked.is_empty()
    }
}
