//! Output port of a channel: what tasks send to.

use std::fmt;
use std::sync::Arc;

use crate::channel::Message;
use crate::channel::queue::Channel;
use crate::channel::send::SendFuture;
use crate::place::Place;

/// Sends messages. Copies send to the same channel, which closes when the last one is gone.
pub struct Output<T: Message> {
    channel: Arc<Channel<T>>,
}

impl<T: Message> Output<T> {
    pub(super) fn new(channel: Arc<Channel<T>>) -> Self {
        Self { channel }
    }

    pub(super) fn home(&self) -> &Arc<Channel<T>> {
        &self.channel
    }

    /// Sends a message. It arrives after all that this task has sent to this channel before.
    ///
    /// Awaiting it takes as long as there is no place in a bounded channel; the message is on its
    /// way meanwhile. It is [`Closed`](crate::Closed) if nobody will receive the message. While the
    /// receiver ends, a message may still be taken that it will never see.
    #[inline]
    #[track_caller]
    pub fn send(&self, message: T) -> SendFuture<'_, T> {
        self.send_at(message, Place::caller())
    }

    /// Sends for a binding to another language, which knows the place.
    #[inline]
    pub fn send_at(&self, message: T, place: Place) -> SendFuture<'_, T> {
        SendFuture::new(&self.channel, message, place)
    }

    /// Closes the channel for all outputs. The receiver gets what was sent before.
    pub fn close(&self) {
        self.channel.close();
    }

    /// Number of the channel in the run.
    #[must_use]
    pub fn channel(&self) -> u64 {
        self.channel.number
    }
}

impl<T: Message> Clone for Output<T> {
    fn clone(&self) -> Self {
        self.channel.state.lock().outputs += 1;
        Self {
            channel: Arc::clone(&self.channel),
        }
    }
}

impl<T: Message> Drop for Output<T> {
    fn drop(&mut self) {
        self.channel.drop_output();
    }
}

impl<T: Message> fmt::Debug for Output<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Output(channel {})", self.channel.number)
    }
}
