//! States of tasks and lengths of queues, while events are gone through in the order of time: what
//! a viewer shows on tracks of their own beside those of processors.

use std::collections::HashMap;

use pgas_earl::access::{EventType, Occurrence};
use pgas_trace::model::{Attributes, Operation, Site, TaskReason, ThreadId};

/// Tasks that have a track, the first ones of the stretch.
pub const MOST_TASKS: usize = 1000;
/// Channels that have a counter, the first ones of the stretch.
pub const MOST_CHANNELS: usize = 64;

/// Something to be written, at the time of the event that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// A task has a track from here on.
    Task { track: usize, name: String },
    /// The state that it is in ends.
    End { track: usize },
    /// It is in another state.
    Begin { track: usize, state: &'static str },
    /// A channel has a counter from here on.
    Channel { track: usize, name: String },
    /// Messages in the channel.
    Queued { track: usize, messages: u64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    /// For a message of any of its channels, or of this one.
    WaitingForInput(Option<u64>),
    /// Until this message has its place in the channel.
    Blocked(u64, u64),
    WaitingForProcessor,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Running => "running",
            State::WaitingForInput(_) => "waiting for input",
            State::Blocked(..) => "blocked in send",
            State::WaitingForProcessor => "waiting for its processor",
        }
    }
}

#[derive(Debug, Default)]
struct Task {
    /// Absent if there are too many.
    track: Option<usize>,
    state: Option<State>,
    /// The last wait that it began: for which channel, if one.
    waits_for: Option<u64>,
    /// The last message that it sent, and its channel.
    sent: Option<(u64, u64)>,
}

#[derive(Debug, Default)]
struct Channel {
    /// Absent if there are too many.
    track: Option<usize>,
    capacity: Option<u64>,
    /// The task that received last, or waits for it.
    receiver: Option<u64>,
}

/// Tasks and channels so far.
#[derive(Debug, Default)]
pub struct TaskTracks {
    tasks: HashMap<u64, Task>,
    channels: HashMap<u64, Channel>,
    /// Tasks that are blocked in send, by channel.
    blocked: HashMap<u64, Vec<u64>>,
    running: HashMap<ThreadId, u64>,
    task_tracks: usize,
    channel_tracks: usize,
}

impl TaskTracks {
    /// Takes the next event; returns what changes by it.
    pub fn take(&mut self, occurrence: &Occurrence) -> Vec<Mark> {
        let event = &occurrence.event;
        let (operation, thread) = (event.operation(), event.id.thread);
        let mut marks = Vec::new();
        match event.event_type {
            EventType::Enter { attributes } => {
                self.enter(thread, (operation, event.region), &attributes, &mut marks);
            }
            EventType::TaskExit { reason } => {
                if let Some(task) = self.running.remove(&thread) {
                    let state = self.after(task, reason);
                    self.change(task, state, &mut marks);
                }
            }
            _ => {}
        }
        marks
    }

    fn enter(
        &mut self,
        thread: ThreadId,
        (operation, site): (Operation, &Site),
        attributes: &Attributes,
        marks: &mut Vec<Mark>,
    ) {
        match *attributes {
            Attributes::TaskCreate { task, .. } => {
                self.introduce(task, site, marks);
                self.change(task, Some(State::WaitingForProcessor), marks);
            }
            Attributes::Task { task } => {
                self.introduce(task, site, marks);
                self.running.insert(thread, task);
                self.change(task, Some(State::Running), marks);
            }
            Attributes::ChannelCreate { channel, capacity } => {
                self.channels.entry(channel).or_default().capacity = capacity;
            }
            Attributes::SelectWait { .. } => self.waits_for(thread, None),
            Attributes::Channel { channel } => self.on_channel(thread, operation, channel, marks),
            Attributes::ChannelMessage {
                channel,
                message,
                queued,
                ..
            } => {
                self.count(channel, queued, marks);
                match operation {
                    Operation::ChannelSend => self.sent(thread, channel, message, marks),
                    _ => self.received(thread, channel, message, marks),
                }
            }
            _ => {}
        }
    }

    /// Gives a task its track when it is seen first.
    fn introduce(&mut self, task: u64, site: &Site, marks: &mut Vec<Mark>) {
        let room = self.task_tracks < MOST_TASKS;
        let known = self.tasks.entry(task).or_default();
        if known.state.is_none() && known.track.is_none() && room {
            let name = format!("{} (task {task})", site.region_name());
            let track = self.task_tracks;
            known.track = Some(track);
            self.task_tracks += 1;
            marks.push(Mark::Task { track, name });
        }
    }

    fn change(&mut self, task: u64, state: Option<State>, marks: &mut Vec<Mark>) {
        let known = self.tasks.entry(task).or_default();
        let before = std::mem::replace(&mut known.state, state);
        if let Some(State::Blocked(channel, _)) = before {
            let blocked = self.blocked.entry(channel).or_default();
            blocked.retain(|other| *other != task);
        }
        if let Some(State::Blocked(channel, _)) = state {
            self.blocked.entry(channel).or_default().push(task);
        }
        let Some(track) = known.track else {
            return;
        };
        marks.extend(before.map(|_| Mark::End { track }));
        marks.extend(state.map(|state| Mark::Begin {
            track,
            state: state.name(),
        }));
    }

    /// The state of a task that its processor leaves.
    fn after(&self, task: u64, reason: TaskReason) -> Option<State> {
        let known = self.tasks.get(&task)?;
        match reason {
            TaskReason::Ended => None,
            TaskReason::Yielded => Some(State::WaitingForProcessor),
            TaskReason::Receives => Some(State::WaitingForInput(known.waits_for)),
            TaskReason::Selects => Some(State::WaitingForInput(None)),
            TaskReason::Sends => {
                let (channel, message) = known.sent.unwrap_or((u64::MAX, u64::MAX));
                Some(State::Blocked(channel, message))
            }
        }
    }

    fn waits_for(&mut self, thread: ThreadId, channel: Option<u64>) {
        let task = self.running.get(&thread);
        if let Some(task) = task.and_then(|task| self.tasks.get_mut(task)) {
            task.waits_for = channel;
        }
    }

    fn on_channel(
        &mut self,
        thread: ThreadId,
        operation: Operation,
        channel: u64,
        marks: &mut Vec<Mark>,
    ) {
        match operation {
            Operation::ChannelReceive => {
                self.waits_for(thread, Some(channel));
                self.receives(thread, channel);
            }
            Operation::Select => self.receives(thread, channel),
            Operation::ChannelClose => self.has_input(channel, marks),
            _ => {}
        }
    }

    fn receives(&mut self, thread: ThreadId, channel: u64) {
        let receiver = self.running.get(&thread).copied();
        self.channels.entry(channel).or_default().receiver = receiver;
    }

    fn sent(&mut self, thread: ThreadId, channel: u64, message: u64, marks: &mut Vec<Mark>) {
        let task = self.running.get(&thread);
        if let Some(task) = task.and_then(|task| self.tasks.get_mut(task)) {
            task.sent = Some((channel, message));
        }
        self.has_input(channel, marks);
    }

    /// The task that receives from a channel can go on, if it waits for that channel.
    fn has_input(&mut self, channel: u64, marks: &mut Vec<Mark>) {
        let receiver = self.channels.get(&channel).and_then(|known| known.receiver);
        let Some(task) = receiver else {
            return;
        };
        match self.tasks.get(&task).and_then(|known| known.state) {
            Some(State::WaitingForInput(only)) if only.is_none_or(|only| only == channel) => {
                self.change(task, Some(State::WaitingForProcessor), marks);
            }
            _ => {}
        }
    }

    /// Message n has its place when message n - capacity has been received.
    fn received(&mut self, thread: ThreadId, channel: u64, message: u64, marks: &mut Vec<Mark>) {
        self.receives(thread, channel);
        let capacity = self.channels.get(&channel).and_then(|known| known.capacity);
        let Some(last) = capacity.and_then(|capacity| message.checked_add(capacity)) else {
            return;
        };
        for task in self.blocked.get(&channel).cloned().unwrap_or_default() {
            match self.tasks.get(&task).and_then(|known| known.state) {
                Some(State::Blocked(_, sent)) if sent <= last => {
                    self.change(task, Some(State::WaitingForProcessor), marks);
                }
                _ => {}
            }
        }
    }

    fn count(&mut self, channel: u64, messages: u64, marks: &mut Vec<Mark>) {
        let known = self.channels.entry(channel).or_default();
        if known.track.is_none() && self.channel_tracks < MOST_CHANNELS {
            let track = self.channel_tracks;
            known.track = Some(track);
            self.channel_tracks += 1;
            let name = format!("messages in channel {channel}");
            marks.push(Mark::Channel { track, name });
        }
        marks.extend(known.track.map(|track| Mark::Queued { track, messages }));
    }
}
