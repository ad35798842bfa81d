//! Receiving: takes the oldest message, and waits while there is none.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::channel::{Input, Message};
use crate::here;
use crate::observe::{Event, emit};
use crate::place::Place;
use crate::wait::{Operation, Wait};

/// A receive in progress; see [`Input::receive`].
#[must_use = "a message is received when this is awaited"]
pub struct ReceiveFuture<'a, T: Message> {
    input: &'a mut Input<T>,
    place: Place,
}

impl<'a, T: Message> ReceiveFuture<'a, T> {
    #[inline]
    pub(super) fn new(input: &'a mut Input<T>, place: Place) -> Self {
        Self { input, place }
    }

    fn describe(&self) -> Wait {
        let ports = vec![self.input.port()];
        Wait {
            operation: Operation::Receive,
            ports,
            place: self.place,
        }
    }
}

impl<T: Message> Future for ReceiveFuture<'_, T> {
    type Output = Option<T>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        if !here::may_go_on(context) {
            return Poll::Pending;
        }
        let result = self.input.poll_receive(context);
        match &result {
            Poll::Ready(Some(_)) => self.input.tell_received(self.place),
            Poll::Ready(None) => {}
            Poll::Pending => {
                emit(|| Event::ReceiveWaits(self.input.call(self.place)));
                here::waiting(|| self.describe());
            }
        }
        result
    }
}
