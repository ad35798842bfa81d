//! Receiving: takes the oldest message, and waits while there is none.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::channel::{Input, Message};
use crate::here;
use crate::observe::{Event, begin, emit_since};
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
        let began = begin();
        let result = self.input.poll_receive(context);
        match &result {
            Poll::Ready(Some(_)) => self.input.tell_received(began, self.place),
            Poll::Ready(None) => {}
            Poll::Pending => {
                emit_since(began, || {
                    Event::ReceiveWaits(self.input.call(0, self.place))
                });
                here::waiting(|| self.describe());
            }
        }
        result
    }
}
