//! The queue of a channel, who waits at its ends, and whether it is closed.
//!
//! A mutex around a queue of the standard library is faster here than a queue without locks: the one
//! receiver takes all messages at once (see [`State::take_all`]), so that a message costs one
//! uncontended lock, and an idle channel needs a hundred bytes and not a thousand.

use std::collections::VecDeque;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;

use crate::observe::{Event, emit};
use crate::wait::Port;

static CHANNELS: AtomicU64 = AtomicU64::new(1);

pub(super) struct Channel<T> {
    pub number: u64,
    pub created: &'static Location<'static>,
    pub capacity: Option<usize>,
    pub state: Mutex<State<T>>,
}

pub(super) struct State<T> {
    pub queue: VecDeque<T>,
    /// Messages sent so far: the number of the next one.
    pub sent: u64,
    /// Messages that have left a bounded queue so far.
    taken: u64,
    pub outputs: usize,
    /// An output closed the channel, or the last one is gone.
    pub closed: bool,
    /// The input is gone.
    pub abandoned: bool,
    pub receiver: Option<Waker>,
    /// Senders that wait, with the numbers of their messages, which ascend.
    blocked: VecDeque<(u64, Waker)>,
}

impl<T> Channel<T> {
    pub fn new(capacity: Option<usize>, created: &'static Location<'static>) -> Self {
        let state = State {
            queue: VecDeque::new(),
            sent: 0,
            taken: 0,
            outputs: 1,
            closed: false,
            abandoned: false,
            receiver: None,
            blocked: VecDeque::new(),
        };
        let number = CHANNELS.fetch_add(1, Ordering::Relaxed);
        Self {
            number,
            created,
            capacity,
            state: Mutex::new(state),
        }
    }

    /// Takes the oldest message out of a bounded queue, and wakes the sender whose message thereby
    /// got a place.
    pub fn take_one(&self, capacity: usize, context: &Context<'_>) -> Poll<Option<T>> {
        let mut state = self.state.lock();
        let Some(message) = state.queue.pop_front() else {
            return state.wait_or_end(context);
        };
        state.taken += 1;
        let sender = state.granted(capacity);
        drop(state);
        if let Some(sender) = sender {
            sender.wake();
        }
        Poll::Ready(Some(message))
    }

    /// No more messages are taken; the receiver gets what is there.
    pub fn close(&self) {
        let mut state = self.state.lock();
        let first = !std::mem::replace(&mut state.closed, true);
        let receiver = state.receiver.take();
        drop(state);
        if first {
            emit(|| Event::Close {
                channel: self.number,
            });
        }
        if let Some(receiver) = receiver {
            receiver.wake();
        }
    }

    /// The input is gone. Messages are dropped without the lock, as they may have ports of this
    /// channel.
    pub fn abandon(&self) {
        let mut state = self.state.lock();
        state.abandoned = true;
        let messages = std::mem::take(&mut state.queue);
        let blocked = std::mem::take(&mut state.blocked);
        drop((state, messages));
        emit(|| Event::Abandon {
            channel: self.number,
        });
        blocked.into_iter().for_each(|(_, sender)| sender.wake());
    }

    /// For reports; `held` are messages that the input has taken from the queue.
    pub fn port(&self, held: usize) -> Port {
        let state = self.state.lock();
        Port {
            channel: self.number,
            created: self.created,
            queued: state.queue.len() + held,
            capacity: self.capacity,
            outputs: state.outputs,
        }
    }
}

impl<T> State<T> {
    /// Whether a message is among the first `capacity` that are not taken.
    pub fn has_place(&self, message: u64, capacity: usize) -> bool {
        message < self.taken.saturating_add(capacity as u64)
    }

    /// The first sender that waits, if its message has a place now.
    fn granted(&mut self, capacity: usize) -> Option<Waker> {
        let (message, _) = self.blocked.front()?;
        let granted = self.has_place(*message, capacity);
        granted.then(|| self.blocked.pop_front().map(|(_, sender)| sender))?
    }

    /// The sender of a message waits.
    pub fn block(&mut self, message: u64, context: &Context<'_>) {
        match self
            .blocked
            .binary_search_by_key(&message, |(number, _)| *number)
        {
            Ok(index) => self.blocked[index].1.clone_from(context.waker()),
            Err(index) => self
                .blocked
                .insert(index, (message, context.waker().clone())),
        }
    }

    /// The receiver waits.
    pub fn await_message(&mut self, context: &Context<'_>) {
        match &mut self.receiver {
            Some(waker) => waker.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
    }

    /// Nothing is there to receive: waits for it, or is at the end.
    pub fn wait_or_end(&mut self, context: &Context<'_>) -> Poll<Option<T>> {
        if self.closed {
            return Poll::Ready(None);
        }
        self.await_message(context);
        Poll::Pending
    }

    /// Moves all messages of an unbounded queue to `held`, which is empty.
    pub fn take_all(&mut self, held: &mut VecDeque<T>) -> bool {
        std::mem::swap(&mut self.queue, held);
        !held.is_empty()
    }
}
