//! Events of tasks and channels: what observers and the recorder get.

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
