//! Reads the tasks and channels of a processor out of its live file, and checks them.

use std::mem::offset_of;

use super::Reading;
use crate::page::{Page, TASK_AREA_AT};
use crate::problem::Problem;
use crate::tasks::{
    CHANNELS, CHANNELS_AT, ChannelRow, INPUT, OUTPUT, PORTS, PORTS_AT, PortRow, READY, TASKS,
    TASKS_AT, TaskRow, TasksHead,
};

/// Tasks and channels of a processor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tasks {
    /// Tasks that have begun and not ended, as far as there is room for them.
    pub tasks: Vec<Task>,
    /// Channels that the processor created last.
    pub channels: Vec<Channel>,
    /// Uses of channels by tasks, also by tasks that have ended.
    pub ports: Vec<Port>,
    /// Tasks that the processor's tasks created.
    pub created: u64,
    /// Tasks that ended here.
    pub ended: u64,
    /// Channels that were created here.
    pub channels_created: u64,
    /// Channels whose input was deleted here.
    pub channels_closed: u64,
}

/// What a task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// It runs.
    Runs,
    /// It waits for a message of one channel.
    Receives,
    /// It waits for room in a channel.
    Sends,
    /// It waits for a message of one of several channels.
    Selects,
    /// It waits for its processor.
    Ready,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its number.
    pub number: u64,
    /// Number of its place: function, file and line of its creation.
    pub site: u32,
    /// Ticks in which it ran, until the moment of the snapshot.
    pub running: u64,
    /// Ticks of these in operations on channels.
    pub communicating: u64,
    /// What it does.
    pub state: TaskState,
    /// Ticks: since when.
    pub since: u64,
    /// The channel that it waits for.
    pub channel: Option<u64>,
}

/// A channel, as it was created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Its number.
    pub number: u64,
    /// Messages that it holds before senders wait; `None` if they never do.
    pub capacity: Option<u64>,
    /// Number of the place of its creation.
    pub site: u32,
}

/// A task's use of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// The channel.
    pub channel: u64,
    /// The task.
    pub task: u64,
    /// The task sends through it; else it receives.
    pub is_output: bool,
    /// Messages of the task.
    pub calls: u64,
    /// Bytes of these.
    pub bytes: u64,
    /// Ticks in these operations, waits included, until the moment of the snapshot.
    pub ticks: u64,
    /// Messages of all tasks with the last of these.
    pub last: u64,
    /// Messages in the channel after that.
    pub queued: u64,
}

macro_rules! word {
    ($self:ident, $at:expr, $row:ident, $field:ident) => {
        $self.words.at($at + offset_of!($row, $field))
    };
}

impl Reading<'_> {
    pub(super) fn tasks(&self) -> Result<Tasks, Problem> {
        // What the recorder has not provided must not be read: there may be no room for it.
        if self.words.at(offset_of!(Page, has_tasks)) == 0 {
            return Ok(Tasks::default());
        }
        let head = TASK_AREA_AT;
        let task_rows = self.used(head + offset_of!(TasksHead, task_rows), TASKS, "tasks")?;
        let port_rows = self.used(head + offset_of!(TasksHead, port_rows), PORTS, "ports")?;
        let created = word!(self, head, TasksHead, channels);
        let channel_rows = usize::try_from(created).unwrap_or(CHANNELS).min(CHANNELS);
        let mut all = Tasks {
            created: word!(self, head, TasksHead, created),
            ended: word!(self, head, TasksHead, ended),
            channels_created: created,
            channels_closed: word!(self, head, TasksHead, closed),
            ..Tasks::default()
        };
        for row in 0..task_rows {
            all.tasks.extend(self.task(row)?);
        }
        for row in 0..channel_rows {
            all.channels.extend(self.channel(row)?);
        }
        for row in 0..port_rows {
            all.ports.extend(self.port(row)?);
        }
        Ok(all)
    }

    fn used(&self, offset: usize, most: usize, what: &str) -> Result<usize, Problem> {
        let found = self.words.at(offset);
        let used = usize::try_from(found).ok().filter(|&used| used <= most);
        used.ok_or_else(|| {
            let expected = format!("at most {most}");
            self.damaged(offset, format!("{found} rows of {what}"), expected)
        })
    }

    /// `None` if the row is nobody's, or its owner has just changed.
    fn task(&self, row: usize) -> Result<Option<Task>, Problem> {
        let at = TASK_AREA_AT + TASKS_AT + row * size_of::<TaskRow>();
        let owner = word!(self, at, TaskRow, number);
        let state = self.task_state(at + offset_of!(TaskRow, state))?;
        let running = self.ticks(at + offset_of!(TaskRow, running));
        let communicating = word!(self, at, TaskRow, communicating);
        let since = word!(self, at, TaskRow, since);
        let channel = word!(self, at, TaskRow, channel).checked_sub(1);
        let site = self.site_number(at + offset_of!(TaskRow, site))?;
        if word!(self, at, TaskRow, number) != owner {
            return Ok(None);
        }
        let Some(number) = owner.checked_sub(1) else {
            return Ok(None);
        };
        Ok(Some(Task {
            number,
            site,
            running: running?.0,
            communicating,
            state,
            since,
            channel,
        }))
    }

    fn task_state(&self, offset: usize) -> Result<TaskState, Problem> {
        match self.words.at(offset) {
            0 => Ok(TaskState::Runs),
            1 => Ok(TaskState::Receives),
            2 => Ok(TaskState::Sends),
            3 => Ok(TaskState::Selects),
            READY => Ok(TaskState::Ready),
            other => Err(self.damaged(offset, format!("state {other} of a task"), "0 to 4")),
        }
    }

    fn site_number(&self, offset: usize) -> Result<u32, Problem> {
        let found = self.words.at(offset);
        u32::try_from(found).map_err(|_| self.damaged(offset, format!("place {found}"), "32 bits"))
    }

    fn channel(&self, row: usize) -> Result<Option<Channel>, Problem> {
        let at = TASK_AREA_AT + CHANNELS_AT + row * size_of::<ChannelRow>();
        let owner = word!(self, at, ChannelRow, number);
        let capacity = word!(self, at, ChannelRow, capacity).checked_sub(1);
        let site = self.site_number(at + offset_of!(ChannelRow, site))?;
        let is_same = word!(self, at, ChannelRow, number) == owner;
        let number = owner.checked_sub(1).filter(|_| is_same);
        Ok(number.map(|number| Channel {
            number,
            capacity,
            site,
        }))
    }

    fn port(&self, row: usize) -> Result<Option<Port>, Problem> {
        let at = TASK_AREA_AT + PORTS_AT + row * size_of::<PortRow>();
        let owner = |at| {
            (
                word!(self, at, PortRow, channel),
                word!(self, at, PortRow, task),
            )
        };
        let (channel, task) = owner(at);
        let direction_at = at + offset_of!(PortRow, direction);
        let direction = self.words.at(direction_at);
        let ticks = self.ticks(at + offset_of!(PortRow, time));
        let [calls, bytes, last, queued] = [
            word!(self, at, PortRow, calls),
            word!(self, at, PortRow, bytes),
            word!(self, at, PortRow, last),
            word!(self, at, PortRow, queued),
        ];
        let is_same = owner(at) == (channel, task);
        let Some(channel) = channel.checked_sub(1).filter(|_| is_same) else {
            return Ok(None);
        };
        if ![OUTPUT, INPUT].contains(&direction) {
            let found = format!("direction {direction} of a port");
            return Err(self.damaged(direction_at, found, "1 or 2"));
        }
        Ok(Some(Port {
            channel,
            task,
            is_output: direction == OUTPUT,
            calls,
            bytes,
            ticks: ticks?.0,
            last,
            queued,
        }))
    }
}
