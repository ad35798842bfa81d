//! The queue of a channel, who waits at its ends, and whether it is closed.
//!
//! This is a mutex around a queue of the standard library, and no queue without locks: as the one
//! receiver takes all messages at once (see [`State::take_all`]), a message costs one lock that is
//! mostly free, and an idle channel needs few bytes. Queues without locks have blocks of several
//! hundred bytes each, which is too much for a million channels.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;

use crate::channel::remote::Remote;
use crate::observe::{Event, begin, emit_since};
use crate::place::Place;
use crate::remote::frame::Notice;
use crate::wait::Port;

static CHANNELS: AtomicU64 = AtomicU64::new(1);

/// Channels of this process have numbers of their own in the run.
pub(super) fn number_from(process: u32) {
    CHANNELS.store((u64::from(process) << 32) + 1, Ordering::Relaxed);
}

pub(super) struct Channel<T> {
    pub number: u64,
    /// Of each message, for observers. Without them, a million channels are so much smaller.
    #[cfg(feature = "observe")]
    bytes: usize,
    pub created: Place,
    pub capacity: Option<usize>,
    /// Messages that were received so far; written by the input alone.
    taken: AtomicU64,
    /// Whether senders may wait: read after each receive from a bounded channel.
    any_blocked: AtomicBool,
    pub state: Mutex<State<T>>,
}

pub(super) struct State<T> {
    pub queue: VecDeque<T>,
    /// Messages sent so far: the number of the next one.
    pub sent: u64,
    pub outputs: u32,
    /// An output closed the channel, or the last one is gone.
    pub closed: bool,
    /// The input is gone.
    pub abandoned: bool,
    pub receiver: Option<Waker>,
    /// Set when another process has to do with this channel.
    pub remote: Option<Box<Remote>>,
    /// Senders that wait, with the numbers of their messages, which ascend.
    blocked: VecDeque<(u64, Waker)>,
}

impl<T> Channel<T> {
    pub fn new(capacity: Option<usize>, bytes: usize, created: Place) -> Self {
        #[cfg(not(feature = "observe"))]
        let _ = bytes;
        Self {
            #[cfg(feature = "observe")]
            bytes,
            ..Self::numbered(CHANNELS.fetch_add(1, Ordering::Relaxed), capacity, created)
        }
    }

    /// A channel that has a number already, or a proxy of it.
    pub fn numbered(number: u64, capacity: Option<usize>, created: Place) -> Self {
        let state = State {
            queue: VecDeque::new(),
            sent: 0,
            outputs: 1,
            closed: false,
            abandoned: false,
            receiver: None,
            remote: None,
            blocked: VecDeque::new(),
        };
        Self {
            number,
            #[cfg(feature = "observe")]
            bytes: size_of::<T>(),
            created,
            capacity,
            taken: AtomicU64::new(0),
            any_blocked: AtomicBool::new(false),
            state: Mutex::new(state),
        }
    }

    /// A message was received. A sender that waits is woken if its message thereby got a place.
    ///
    /// Either this sees that senders wait, or a sender that begins to wait sees that this message
    /// was taken: both write first, then read (`SeqCst`).
    #[inline]
    pub fn count_taken(&self) {
        let taken = self.taken.load(Ordering::Relaxed) + 1;
        if self.capacity.is_none() {
            return self.taken.store(taken, Ordering::Relaxed);
        }
        self.taken.store(taken, Ordering::SeqCst);
        if self.any_blocked.load(Ordering::SeqCst) {
            self.wake_senders();
        }
    }

    /// Where the channel is, one more message got a place.
    pub fn count_granted(&self) {
        self.taken.fetch_add(1, Ordering::SeqCst);
        if self.any_blocked.load(Ordering::SeqCst) {
            self.wake_senders();
        }
    }

    /// Takes over the queue of an input that came from another process. `waker` makes the waker of
    /// each message that has no place yet.
    pub fn fill(
        self: &Arc<Self>,
        messages: VecDeque<T>,
        remote: Remote,
        closed: bool,
        waker: impl Fn(&Arc<Self>, u64) -> Waker,
    ) {
        let mut state = self.state.lock();
        state.sent = messages.len() as u64;
        state.queue = messages;
        state.remote = Some(Box::new(remote));
        state.closed = closed;
        let first = self.capacity.map_or(state.sent, |capacity| capacity as u64);
        let blocked = first..state.sent;
        state
            .blocked
            .extend(blocked.map(|message| (message, waker(self, message))));
        self.any_blocked
            .store(!state.blocked.is_empty(), Ordering::SeqCst);
    }

    fn wake_senders(&self) {
        let mut state = self.state.lock();
        let still = state
            .blocked
            .partition_point(|(message, _)| self.has_place(*message));
        let granted: Vec<_> = state.blocked.drain(..still).collect();
        self.any_blocked
            .store(!state.blocked.is_empty(), Ordering::SeqCst);
        drop(state);
        granted.into_iter().for_each(|(_, sender)| sender.wake());
    }

    /// Whether a message is among those that the channel holds before senders wait.
    pub fn has_place(&self, message: u64) -> bool {
        let taken = self.taken.load(Ordering::SeqCst);
        self.capacity
            .is_none_or(|capacity| message < taken.saturating_add(capacity as u64))
    }

    /// Whether the sender of a message must wait; it is then woken when the message has a place.
    pub fn block(&self, state: &mut State<T>, message: u64, context: &Context<'_>) -> bool {
        if self.has_place(message) {
            return false;
        }
        state.block(message, context);
        self.any_blocked.store(true, Ordering::SeqCst);
        let blocked = !self.has_place(message);
        if !blocked {
            state.blocked.retain(|(number, _)| *number != message);
        }
        blocked
    }

    /// Messages that were sent and not received yet.
    pub fn queued(&self, state: &State<T>) -> usize {
        state
            .sent
            .saturating_sub(self.taken.load(Ordering::Relaxed)) as usize
    }

    /// The number of the message that is received next.
    pub fn next_received(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// No more messages are taken; the receiver gets what is there.
    pub fn close(&self) {
        let began = begin();
        let mut state = self.state.lock();
        let first = !std::mem::replace(&mut state.closed, true) && state.target().is_none();
        if state.remote.is_some() {
            self.close_away(&state);
        }
        let receiver = state.receiver.take();
        drop(state);
        if first {
            emit_since(began, || Event::Close {
                channel: self.number,
            });
        }
        if let Some(receiver) = receiver {
            receiver.wake();
        }
    }

    /// An output is gone. With the last one the channel closes.
    pub fn drop_output(&self) {
        let mut state = self.state.lock();
        state.outputs -= 1;
        let last = state.outputs == 0;
        let (open, remote) = (!state.closed, state.remote.is_some());
        let away = state.target().is_some();
        drop(state);
        if last && open && !away {
            self.close();
        }
        if last && remote {
            drop(self.drop_away());
        }
    }

    /// The channel was closed elsewhere.
    pub fn close_here(&self) {
        let mut state = self.state.lock();
        state.closed = true;
        if let Some(remote) = &state.remote {
            remote.notify(Notice::Closed);
        }
    }

    /// The input is gone, elsewhere.
    pub fn abandon_here(&self) {
        let mut state = self.state.lock();
        state.abandoned = true;
        let blocked = std::mem::take(&mut state.blocked);
        self.refuse(&state);
        drop(state);
        blocked.into_iter().for_each(|(_, sender)| sender.wake());
    }

    /// The input is gone. Messages are dropped without the lock, as they may have ports of this
    /// channel.
    pub fn abandon(&self) {
        let began = begin();
        let mut state = self.state.lock();
        if state.target().is_some() {
            // It has moved.
            return;
        }
        state.abandoned = true;
        let messages = std::mem::take(&mut state.queue);
        self.refuse(&state);
        let blocked = std::mem::take(&mut state.blocked);
        drop((state, messages));
        emit_since(began, || Event::Abandon {
            channel: self.number,
        });
        blocked.into_iter().for_each(|(_, sender)| sender.wake());
    }

    /// Bytes of a message.
    pub fn message_bytes(&self) -> usize {
        #[cfg(feature = "observe")]
        let bytes = self.bytes;
        #[cfg(not(feature = "observe"))]
        let bytes = size_of::<T>();
        bytes
    }

    /// For reports.
    pub fn port(&self) -> Port {
        let state = self.state.lock();
        Port {
            channel: self.number,
            created: self.created,
            queued: self.queued(&state),
            capacity: state
                .remote
                .as_ref()
                .map_or(self.capacity, |remote| remote.capacity),
            outputs: state.outputs as usize,
        }
    }
}

impl<T> State<T> {
    /// The sender of a message waits.
    fn block(&mut self, message: u64, context: &Context<'_>) {
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

    /// Moves all messages to `held`, which is empty.
    pub fn take_all(&mut self, held: &mut VecDeque<T>) -> bool {
        std::mem::swap(&mut self.queue, held);
        !held.is_empty()
    }
}
