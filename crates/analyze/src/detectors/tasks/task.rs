//! A task at one moment: what it does, or what it waits for.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::channel::Channel;
use super::idle::{WaitedIn, Wake};
use super::tally::TaskSums;

/// State of a task, since some time (ticks).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Running,
    Ready { since: u64 },
    Waiting { since: u64 },
}

/// A task that has not ended.
#[derive(Debug)]
pub(super) struct Task {
    pub sums: TaskSums,
    pub state: State,
    /// It waits until its message has a place.
    pub to_send: bool,
    /// The operation in which it waits.
    pub waits_in: Option<PathId>,
    /// The channel from which it waits to receive, if that is known.
    pub waits_for: Option<u64>,
    /// Channel and number of the message that it sent last.
    pub sent: Option<(u64, u64)>,
    /// The operation that made it able to run.
    pub wake: Option<Wake>,
    /// It runs since then (ticks), and its next operation will show what it had waited for.
    pub resumed: Option<u64>,
}

impl Task {
    /// A task that was created, or seen first, at `begin` (ticks).
    pub fn new(task: u64, processor: ThreadId, begin: u64) -> Self {
        Task {
            sums: TaskSums {
                task,
                path: None,
                created_at: None,
                parent: None,
                processor,
                running: 0,
                running_since: None,
                communicating: 0,
                waiting_input: 0,
                blocked_in_send: 0,
                waiting_processor: 0,
                stuck: 0,
                begin,
                end: begin,
            },
            state: State::Running,
            to_send: false,
            waits_in: None,
            waits_for: None,
            sent: None,
            wake: None,
            resumed: None,
        }
    }

    /// The operation in which it waits, if it does.
    pub fn waited_in(&self) -> Option<WaitedIn> {
        let is_waiting = matches!(self.state, State::Waiting { .. });
        let path = self.waits_in.filter(|_| is_waiting)?;
        Some(WaitedIn {
            task: self.sums.task,
            path,
            to_send: self.to_send,
        })
    }

    /// It goes on at `time` (ticks), since `wake` made it able to.
    pub fn resume(
        &mut self,
        wake: Option<Wake>,
        time: u64,
        channels: &mut FxHashMap<u64, Channel>,
    ) {
        match self.state {
            State::Running => {}
            State::Ready { since } => {
                self.sums.waiting_processor += time.saturating_sub(since);
            }
            State::Waiting { since } => {
                let woken = wake.map_or(time, |wake| wake.time.min(time).max(since));
                self.waited(woken.saturating_sub(since), channels);
                self.sums.waiting_processor += time.saturating_sub(woken);
            }
        }
        self.state = State::Running;
        (self.waits_in, self.waits_for) = (None, None);
    }

    fn waited(&mut self, ticks: u64, channels: &mut FxHashMap<u64, Channel>) {
        if self.to_send {
            self.sums.blocked_in_send += ticks;
            let channel = self
                .sent
                .and_then(|(channel, _)| channels.get_mut(&channel));
            if let Some(channel) = channel {
                channel.sums.send_wait += ticks;
            }
        } else {
            self.sums.waiting_input += ticks;
            let channel = self
                .waits_for
                .and_then(|channel| channels.get_mut(&channel));
            if let Some(channel) = channel {
                channel.sums.receive_wait += ticks;
            }
        }
    }

    /// The trace ends at `end` (ticks).
    pub fn cut(&mut self, end: u64, channels: &mut FxHashMap<u64, Channel>) {
        match self.state {
            State::Running => {}
            State::Ready { since } => self.sums.waiting_processor += end.saturating_sub(since),
            State::Waiting { since } => self.waited(end.saturating_sub(since), channels),
        }
        self.sums.end = self.sums.end.max(end);
    }
}
