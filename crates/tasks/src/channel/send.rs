//! Sending: puts a message into the queue, and waits for its place in a bounded one.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::channel::queue::{Channel, State};
use crate::channel::remote::Target;
use crate::channel::{Closed, Message};
use crate::here;
use crate::observe::{Call, Event, begin, emit, emit_since};
use crate::place::Place;
use crate::wait::{Operation, Wait};

/// A send in progress; see [`Output::send`](crate::Output::send).
#[must_use = "a message is sent when this is awaited"]
pub struct SendFuture<'a, T: Message> {
    channel: &'a Channel<T>,
    step: Step<T>,
    place: Place,
}

enum Step<T> {
    /// The message is here.
    Begin(T),
    /// It is in the queue, with this number, and has no place yet.
    Blocked(u64),
    Done,
}

/// A message is moved, never pinned.
impl<T: Message> Unpin for SendFuture<'_, T> {}

impl<'a, T: Message> SendFuture<'a, T> {
    #[inline]
    pub(super) fn new(channel: &'a Channel<T>, message: T, place: Place) -> Self {
        Self {
            channel,
            step: Step::Begin(message),
            place,
        }
    }

    fn push(&mut self, message: T, context: &Context<'_>) -> Poll<Result<(), Closed>> {
        let began = begin();
        let mut state = self.channel.state.lock();
        if state.closed || state.abandoned {
            drop(state);
            return Poll::Ready(Err(Closed));
        }
        if let Some(target) = state.target() {
            drop(state);
            return self.push_away(target, &message, context);
        }
        let number = state.sent;
        state.sent += 1;
        state.queue.push_back(message);
        let blocked = self.block(&mut state, number, context);
        let (receiver, queued) = (state.receiver.take(), self.channel.queued(&state));
        drop(state);
        emit_since(began, || Event::Send(self.call(number, queued)));
        if let Some(receiver) = receiver {
            receiver.wake();
        }
        if blocked {
            self.wait(number, queued)
        } else {
            Poll::Ready(Ok(()))
        }
    }

    /// Sends to another process.
    #[cold]
    fn push_away(
        &mut self,
        target: Target,
        message: &T,
        context: &Context<'_>,
    ) -> Poll<Result<(), Closed>> {
        let began = begin();
        let number = match self.channel.send_on(target, message) {
            Ok(number) => number,
            // The place of the send is what the user needs to know.
            Err(error) => panic!("at {}: {error}", self.place),
        };
        let mut state = self.channel.state.lock();
        let blocked = self.block(&mut state, number, context);
        let queued = self.channel.queued(&state);
        drop(state);
        emit_since(began, || Event::Send(self.call(number, queued)));
        if blocked {
            self.wait(number, queued)
        } else {
            Poll::Ready(Ok(()))
        }
    }

    /// Waits if the message has no place; whether it does.
    #[inline]
    fn block(&mut self, state: &mut State<T>, number: u64, context: &Context<'_>) -> bool {
        let blocked = self.channel.block(state, number, context);
        if blocked {
            self.step = Step::Blocked(number);
        }
        blocked
    }

    fn wait(&self, number: u64, queued: usize) -> Poll<Result<(), Closed>> {
        emit(|| Event::SendWaits(self.call(number, queued)));
        here::waiting(|| self.describe());
        Poll::Pending
    }

    fn look_again(&mut self, number: u64, context: &Context<'_>) -> Poll<Result<(), Closed>> {
        let mut state = self.channel.state.lock();
        let blocked = self.block(&mut state, number, context);
        let (queued, abandoned) = (self.channel.queued(&state), state.abandoned);
        drop(state);
        if blocked && abandoned {
            return Poll::Ready(Err(Closed));
        }
        if blocked {
            return self.wait(number, queued);
        }
        emit(|| Event::SendReady(self.call(number, queued)));
        Poll::Ready(Ok(()))
    }

    fn call(&self, message: u64, queued: usize) -> Call {
        Call {
            channel: self.channel.number,
            message,
            bytes: self.channel.message_bytes(),
            queued,
            place: self.place,
        }
    }

    fn describe(&self) -> Wait {
        let ports = vec![self.channel.port()];
        Wait {
            operation: Operation::Send,
            ports,
            place: self.place,
        }
    }
}

impl<T: Message> Future for SendFuture<'_, T> {
    type Output = Result<(), Closed>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if !here::may_go_on(context) {
            return Poll::Pending;
        }
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Begin(message) => self.push(message, context),
            Step::Blocked(number) => self.look_again(number, context),
            Step::Done => Poll::Pending,
        }
    }
}
