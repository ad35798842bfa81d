//! Sums of tasks and channels: those with most are kept, the others counted.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;

/// Tasks, and channels, that are kept in the end.
const KEPT: usize = 500;
/// Senders of a channel that are kept.
const SENDERS: usize = 8;

/// Times of one task, in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSums {
    /// Number of the task.
    pub task: u64,
    /// Call path of its stretches; `None` if it never ran.
    pub path: Option<PathId>,
    /// Call path of its creation; `None` for the main task.
    pub created_at: Option<PathId>,
    /// The task that created it.
    pub parent: Option<u64>,
    /// The processor that ran it.
    pub processor: ThreadId,
    /// On its processor.
    pub running: u64,
    /// Where it runs at the end of the trace: since then (ticks), which is not counted yet.
    pub running_since: Option<u64>,
    /// In operations on tasks and channels.
    pub communicating: u64,
    /// Until a message for it was sent.
    pub waiting_input: u64,
    /// Until its message had a place.
    pub blocked_in_send: u64,
    /// Able to run, but not running.
    pub waiting_processor: u64,
    /// While another processor was idle, part of the time before.
    pub stuck: u64,
    /// Its creation, or first run.
    pub begin: u64,
    /// Its end, or when it was seen last.
    pub end: u64,
}

/// Messages of one channel; times in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelSums {
    /// Number of the channel.
    pub channel: u64,
    /// Call path of its creation.
    pub created_at: Option<PathId>,
    /// Messages that it holds before senders wait.
    pub capacity: Option<u64>,
    /// Tasks that sent, in the order of their first message; the first few.
    pub senders: Vec<u64>,
    /// The task that received last.
    pub receiver: Option<u64>,
    /// Messages sent.
    pub messages: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Sum over sends and receives of the messages in the channel after them.
    pub queued: u64,
    /// Sends and receives.
    pub operations: u64,
    /// The most messages in it.
    pub max_queued: u64,
    /// Senders waited for a place.
    pub send_wait: u64,
    /// The receiver waited for a message.
    pub receive_wait: u64,
}

impl ChannelSums {
    /// Of a channel without messages.
    pub(super) fn new(channel: u64) -> Self {
        ChannelSums {
            channel,
            created_at: None,
            capacity: None,
            senders: Vec::new(),
            receiver: None,
            messages: 0,
            bytes: 0,
            queued: 0,
            operations: 0,
            max_queued: 0,
            send_wait: 0,
            receive_wait: 0,
        }
    }

    pub(super) fn note_queued(&mut self, queued: u64) {
        self.operations += 1;
        self.queued = self.queued.saturating_add(queued);
        self.max_queued = self.max_queued.max(queued);
    }

    pub(super) fn note_sender(&mut self, task: u64) {
        if self.senders.len() < SENDERS && !self.senders.contains(&task) {
            self.senders.push(task);
        }
    }
}

/// The largest of many.
#[derive(Debug, Clone)]
pub struct Largest<T> {
    kept: Vec<T>,
    omitted: u64,
}

impl<T> Default for Largest<T> {
    fn default() -> Self {
        Largest {
            kept: Vec::new(),
            omitted: 0,
        }
    }
}

impl<T: Ranked> Largest<T> {
    /// Adds one.
    pub(super) fn add(&mut self, one: T) {
        self.kept.push(one);
        if self.kept.len() >= 4 * KEPT {
            self.limit();
        }
    }

    /// Leaves out all but the largest, and sorts these: the largest first.
    pub(super) fn limit(&mut self) {
        self.kept.sort_by_key(|one| {
            let (size, number) = one.size();
            (std::cmp::Reverse(size), number)
        });
        self.omitted += self.kept.len().saturating_sub(KEPT) as u64;
        self.kept.truncate(KEPT);
    }

    /// Those that were kept, the largest first.
    pub fn kept(&self) -> &[T] {
        &self.kept
    }

    /// How many were left out.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }
}

/// Something of which the largest are kept.
pub trait Ranked {
    /// Its size, and its number, by which equal ones are sorted.
    fn size(&self) -> (u64, u64);
}

impl Ranked for TaskSums {
    fn size(&self) -> (u64, u64) {
        let time = self.running.saturating_add(self.waiting_processor);
        (time, self.task)
    }
}

impl Ranked for ChannelSums {
    fn size(&self) -> (u64, u64) {
        (self.messages, self.channel)
    }
}
