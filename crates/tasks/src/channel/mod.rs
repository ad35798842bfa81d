//! Channels: queues of messages, each between any number of output ports and one input port.

mod away;
mod input;
mod output;
mod ports;
mod queue;
mod receive;
mod remote;
mod select;
mod send;

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::observe::{Event, begin, emit_since};
use crate::place::Place;
pub use input::Input;
pub use output::Output;
use queue::Channel;
pub use receive::ReceiveFuture;
pub use select::{AnyInput, ReadyFuture, SelectFuture, ready, ready_at, select};
pub use send::SendFuture;

/// A message: anything that may go to another thread, and as bytes to another process, ports
/// included.
pub trait Message: Send + Serialize + DeserializeOwned + 'static {}

impl<T: Send + Serialize + DeserializeOwned + 'static> Message for T {}

/// The next channel of this process is the first one of its process in the run.
pub(crate) fn number_from(process: u32) {
    queue::number_from(process);
}

/// The channel takes no more messages: its input is gone, or an output closed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the channel is closed")]
pub struct Closed;

/// Creates a channel whose senders never wait.
///
/// It is deleted when both ports, and all copies of the output, are gone.
#[must_use]
#[track_caller]
pub fn channel<T: Message>() -> (Output<T>, Input<T>) {
    channel_at(None, Place::caller())
}

/// Creates a channel that holds `capacity` messages: the sender of one more waits until that is
/// among the first `capacity`. With 0, senders wait until their message is received.
#[must_use]
#[track_caller]
pub fn bounded<T: Message>(capacity: usize) -> (Output<T>, Input<T>) {
    channel_at(Some(capacity), Place::caller())
}

/// Creates a channel for a binding to another language, which knows the place.
#[must_use]
pub fn channel_at<T: Message>(capacity: Option<usize>, place: Place) -> (Output<T>, Input<T>) {
    channel_of_bytes_at(capacity, size_of::<T>(), place)
}

/// As [`channel_at`], for a binding whose messages have other sizes than the type that carries
/// them: observers see messages of `bytes` bytes.
#[must_use]
pub fn channel_of_bytes_at<T: Message>(
    capacity: Option<usize>,
    bytes: usize,
    place: Place,
) -> (Output<T>, Input<T>) {
    let began = begin();
    let channel = Arc::new(Channel::<T>::new(capacity, bytes, place));
    let number = channel.number;
    emit_since(began, || Event::Channel {
        channel: number,
        capacity,
        place,
    });
    (Output::new(Arc::clone(&channel)), Input::new(channel))
}
