//! Events of tasks and channels for an observer, such as a recorder.
//!
//! Without the feature `observe`, operations do not even ask whether there is an observer. With it,
//! `observe` installs one for the process. Observers run in the middle of operations: they must be
//! short, and must not use channels.

use crate::identity::Identity;
use crate::place::Place;

/// Called at each event, on the thread of the processor where it happens.
pub trait Observer: Send + Sync {
    /// Takes an event. Its time is now.
    fn event(&self, event: &Event);
}

/// An operation on a channel.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Number of the channel in the process.
    pub channel: u64,
    /// Number of the message in the channel, from 0, in the order in which it takes them; of a wait
    /// to receive, of the message that it waits for.
    pub message: u64,
    /// Bytes of the message: in Rust as the task holds it, without what it points to; in C what is
    /// copied.
    pub bytes: usize,
    /// Messages in the channel after the operation.
    pub queued: usize,
    /// Where the operation was called.
    pub place: Place,
}

/// What happened. The task is the one that runs on this thread.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A task was created; it has not begun.
    Create(Identity),
    /// A task begins, and runs.
    Begin(Identity),
    /// A processor goes on with a task.
    Resume(Identity),
    /// A processor leaves a task that waits, or has run for long.
    Pause(Identity),
    /// A task ended.
    End(Identity),
    /// A processor has no task that can run.
    Idle {
        /// The processor.
        processor: usize,
    },
    /// A processor has tasks again.
    Busy {
        /// The processor.
        processor: usize,
    },
    /// A channel was created.
    Channel {
        /// Its number.
        channel: u64,
        /// Messages that it holds before senders wait; `None` if they never do.
        capacity: Option<usize>,
        /// Where it was created.
        place: Place,
    },
    /// A message was sent.
    Send(Call),
    /// The sender of the last message waits, as the channel is full.
    SendWaits(Call),
    /// The sender goes on.
    SendReady(Call),
    /// A message was received.
    Receive(Call),
    /// A receiver waits, as the channel is empty.
    ReceiveWaits(Call),
    /// A task waits for several inputs.
    SelectWaits {
        /// Number of the inputs.
        inputs: usize,
        /// Where it was called.
        place: Place,
    },
    /// A select chose an input, from which the task then receives.
    Select {
        /// Number of the inputs.
        inputs: usize,
        /// Number of the chosen channel.
        channel: u64,
        /// Where it was called.
        place: Place,
    },
    /// A channel takes no more messages: its outputs are gone, or one closed it.
    Close {
        /// Its number.
        channel: u64,
    },
    /// The input of a channel is gone.
    Abandon {
        /// Number of the channel.
        channel: u64,
    },
}

#[cfg(feature = "observe")]
mod on {
    use std::sync::OnceLock;

    use super::{Event, Observer};
    #[cfg(feature = "record")]
    use crate::record;

    static OBSERVER: OnceLock<Box<dyn Observer>> = OnceLock::new();

    /// Installs the observer of this process. It stays until the process ends.
    ///
    /// # Errors
    /// Returns the observer if there is one already.
    pub fn observe(observer: Box<dyn Observer>) -> Result<(), Box<dyn Observer>> {
        OBSERVER.set(observer)
    }

    /// When an operation began, if it is recorded.
    #[derive(Clone, Copy)]
    pub(crate) struct Began(#[cfg(feature = "record")] u64);

    /// An operation begins.
    #[inline]
    pub(crate) fn begin() -> Began {
        Began(
            #[cfg(feature = "record")]
            record::now(),
        )
    }

    /// An operation that began then is over.
    #[inline]
    pub(crate) fn emit_since(began: Began, event: impl FnOnce() -> Event) {
        let observer = OBSERVER.get();
        if observer.is_none() && !is_recorded() {
            return;
        }
        let event = event();
        if let Some(observer) = observer {
            observer.event(&event);
        }
        pass_on(began, &event);
    }

    /// Something happens now.
    #[inline]
    pub(crate) fn emit(event: impl FnOnce() -> Event) {
        emit_since(begin_of_none(), event);
    }

    #[inline]
    fn begin_of_none() -> Began {
        Began(
            #[cfg(feature = "record")]
            0,
        )
    }

    #[cfg(feature = "record")]
    #[inline]
    fn is_recorded() -> bool {
        record::is_on()
    }

    #[cfg(not(feature = "record"))]
    #[inline(always)]
    fn is_recorded() -> bool {
        false
    }

    #[cfg(feature = "record")]
    #[inline]
    fn pass_on(began: Began, event: &Event) {
        record::event(began.0, event);
    }

    #[cfg(not(feature = "record"))]
    #[inline(always)]
    fn pass_on(_began: Began, _event: &Event) {}
}

/// Nothing: there is no observer.
#[cfg(not(feature = "observe"))]
mod off {
    use super::Event;

    #[derive(Clone, Copy)]
    pub(crate) struct Began;

    #[inline(always)]
    pub(crate) fn begin() -> Began {
        Began
    }

    #[inline(always)]
    pub(crate) fn emit_since(_began: Began, _event: impl FnOnce() -> Event) {}

    #[inline(always)]
    pub(crate) fn emit(_event: impl FnOnce() -> Event) {}
}

#[cfg(not(feature = "observe"))]
pub(crate) use off::{Began, begin, emit, emit_since};
#[cfg(feature = "observe")]
pub use on::observe;
#[cfg(feature = "observe")]
pub(crate) use on::{Began, begin, emit, emit_since};
