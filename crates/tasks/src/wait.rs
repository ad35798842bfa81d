//! Waits of tasks that cannot end, as a deadlock report lists them.

use std::fmt;

use crate::identity::Identity;
use crate::place::Place;

/// What a task waits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Operation {
    /// Send to a bounded channel.
    Send,
    /// Receive from a channel.
    Receive,
    /// Select over several inputs.
    Select,
}

/// A channel as a port sees it.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Port {
    /// Number of the channel in the run, from 1, in the order of creation; the upper half is the
    /// process that created it.
    pub channel: u64,
    /// Where the channel was created.
    pub created: Place,
    /// Messages that wait in it.
    pub queued: usize,
    /// Messages that it holds before senders wait; `None` if they never do.
    pub capacity: Option<usize>,
    /// Output ports that exist.
    pub outputs: usize,
}

/// An operation that waits.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Wait {
    /// Kind of the operation.
    pub operation: Operation,
    /// Ports that it waits for.
    pub ports: Vec<Port>,
    /// Where it was called.
    pub place: Place,
}

/// A task and its waits: several if it waits for one of several operations.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct WaitingTask {
    /// The task.
    pub task: Identity,
    /// What it waits in; empty if that is no operation of this crate.
    pub waits: Vec<Wait>,
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Send => "send to",
            Self::Receive => "receive from",
            Self::Select => "select over",
        })
    }
}

impl fmt::Display for Port {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "channel {} (created at {}, {} queued",
            self.channel, self.created, self.queued
        )?;
        if let Some(capacity) = self.capacity {
            write!(out, ", capacity {capacity}")?;
        }
        let ports = if self.outputs == 1 {
            "output"
        } else {
            "outputs"
        };
        write!(out, ", {} {ports})", self.outputs)
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at {} in {}", self.place, self.operation)?;
        for (index, port) in self.ports.iter().enumerate() {
            write!(out, "{} {port}", if index > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for WaitingTask {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.task)?;
        if self.waits.is_empty() {
            return write!(out, " waits for something other than a channel");
        }
        self.waits
            .iter()
            .try_for_each(|wait| write!(out, "\n    waits {wait}"))
    }
}
