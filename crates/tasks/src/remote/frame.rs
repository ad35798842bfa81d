//! Frames: what processes of a program send each other.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::identity::Identity;
use crate::wait::WaitingTask;

/// A frame.
#[derive(Serialize, Deserialize)]
pub(crate) enum Frame<'a> {
    /// A task that begins at the receiver.
    Begin {
        identity: Identity,
        /// Distance of the function that makes the task of its arguments.
        function: u64,
        #[serde(borrow)]
        arguments: Cow<'a, [u8]>,
    },
    /// What an output does, for an object of the receiver.
    Step {
        object: u64,
        /// The proxy of the sender.
        source: u64,
        after: Option<After>,
        #[serde(borrow)]
        step: Step<'a>,
    },
    /// What a channel says to a proxy.
    Notice { object: u64, notice: Notice },
    /// Part of beginning or ending a run.
    Control(Control),
}

/// A frame is accepted after this many frames of a process.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct After {
    pub process: u32,
    pub frames: u64,
}

/// What an output does.
#[derive(Serialize, Deserialize)]
pub(crate) enum Step<'a> {
    Send(#[serde(borrow)] Cow<'a, [u8]>),
    /// There is one more output.
    Add,
    /// The output of the source is gone.
    Drop,
    Close,
}

impl Step<'_> {
    /// The step without the frame in which it arrived.
    pub fn keep(self) -> Step<'static> {
        match self {
            Self::Send(message) => Step::Send(Cow::Owned(message.into_owned())),
            Self::Add => Step::Add,
            Self::Drop => Step::Drop,
            Self::Close => Step::Close,
        }
    }
}

/// What a channel says to a proxy.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Notice {
    /// The oldest message that had no place has one.
    Granted,
    /// No more messages are taken.
    Closed,
    /// Nobody will receive any more.
    Refused,
}

/// Part of beginning or ending a run.
#[derive(Serialize, Deserialize)]
pub(crate) enum Control {
    /// What must be the same in all processes.
    Hello { executable: u64, processors: usize },
    /// To process 0: nothing can run here.
    Idle(Counts),
    /// From process 0: is this still so?
    Probe(u64),
    /// `None`: tasks run.
    Reply(u64, Option<Counts>),
    /// Nothing can run anywhere.
    Quiet,
    /// To process 0: the tasks that wait here.
    Described(Vec<WaitingTask>),
    /// From process 0: all have ended.
    Bye,
    /// The run failed here.
    Failed(Failed),
    /// The sender ends, because another process failed.
    Stopping,
}

/// Frames that a process has sent and accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub sent: u64,
    pub accepted: u64,
}

/// How a run failed in another process.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Failed {
    Panic {
        task: Identity,
        place: String,
        message: String,
    },
    Other(String),
}
