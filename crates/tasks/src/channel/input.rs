//! Input port of a channel: what one task receives from.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::channel::Message;
use crate::channel::queue::Channel;
use crate::channel::receive::ReceiveFuture;
use crate::observe::{Began, Call, Event, emit_since};
use crate::place::Place;
use crate::wait::Port;

/// Receives messages. There is one for each channel.
pub struct Input<T: Message> {
    pub(super) channel: Arc<Channel<T>>,
    /// Messages that were taken from the queue all at once, older than those in it.
    held: VecDeque<T>,
    /// Task and time of the last select that chose this input.
    pub(super) chosen: (u64, u64),
}

impl<T: Message> Input<T> {
    pub(super) fn new(channel: Arc<Channel<T>>) -> Self {
        Self {
            channel,
            held: VecDeque::new(),
            chosen: (u64::MAX, 0),
        }
    }

    /// Receives the oldest message, and waits for one if there is none; `None` when the channel is
    /// closed and all messages were received.
    #[inline]
    #[track_caller]
    pub fn receive(&mut self) -> ReceiveFuture<'_, T> {
        self.receive_at(Place::caller())
    }

    /// Receives for a binding to another language, which knows the place.
    #[inline]
    pub fn receive_at(&mut self, place: Place) -> ReceiveFuture<'_, T> {
        ReceiveFuture::new(self, place)
    }

    /// Number of the channel in the run.
    #[must_use]
    pub fn channel(&self) -> u64 {
        self.channel.number
    }

    /// Messages that wait to be received.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.channel.queued(&self.channel.state.lock())
    }

    /// Messages that were taken from the queue.
    pub(super) fn held(&self) -> &VecDeque<T> {
        &self.held
    }

    #[inline]
    pub(super) fn poll_receive(&mut self, context: &Context<'_>) -> Poll<Option<T>> {
        if self.held.is_empty() {
            let mut state = self.channel.state.lock();
            if !state.take_all(&mut self.held) {
                return state.wait_or_end(context);
            }
        }
        let message = self.held.pop_front();
        self.channel.count_taken();
        Poll::Ready(message)
    }

    /// Whether a receive would not wait; if it would, and a context is given, that is woken when
    /// this changes.
    pub(super) fn is_ready(&self, context: Option<&Context<'_>>) -> bool {
        if !self.held.is_empty() {
            return true;
        }
        let mut state = self.channel.state.lock();
        let ready = !state.queue.is_empty() || state.closed;
        if let (false, Some(context)) = (ready, context) {
            state.await_message(context);
        }
        ready
    }

    /// Whether all messages were received, and no more can come.
    pub(super) fn is_over(&self) -> bool {
        let state = self.channel.state.lock();
        self.held.is_empty() && state.queue.is_empty() && state.closed
    }

    /// For observers: an operation of this input on the message that was received `before` the
    /// next one.
    pub(super) fn call(&self, before: u64, place: Place) -> Call {
        Call {
            channel: self.channel(),
            message: self.channel.next_received().saturating_sub(before),
            bytes: self.channel.message_bytes(),
            queued: self.queued(),
            place,
        }
    }

    #[inline]
    pub(super) fn tell_received(&self, began: Began, place: Place) {
        emit_since(began, || Event::Receive(self.call(1, place)));
    }

    pub(super) fn port(&self) -> Port {
        self.channel.port()
    }
}

impl<T: Message> Drop for Input<T> {
    fn drop(&mut self) {
        self.channel.abandon();
    }
}

impl<T: Message> fmt::Debug for Input<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Input(channel {})", self.channel.number)
    }
}
