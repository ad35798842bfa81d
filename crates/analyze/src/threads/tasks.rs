//! Stretches of tasks on a processor, their operations on channels and its idle periods, as the
//! events of one thread tell them.

use pgas_earl::{PathId, PostWait, Span};
use pgas_trace::model::{Attributes, Operation, TaskReason, ThreadId};
use serde::{Deserialize, Serialize};

/// Something that a processor did, or began to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// From the Enter to the Exit of its region, in ticks; of a stretch of a task, and of the begin
    /// of an idle period, this moment alone.
    pub span: Span,
    /// Call path of the region, by the thread's own numbers.
    pub path: PathId,
    /// Number among the posts of the thread, if it may make a task able to run.
    pub post: Option<u64>,
    /// The kind, and what it is about.
    pub action: TaskAction,
}

/// What a processor did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TaskAction {
    /// It goes on with a task.
    Enters {
        /// Number of the task.
        task: u64,
    },
    /// It leaves the task.
    Leaves {
        /// The task's state from now on.
        reason: TaskReason,
    },
    /// The task created another one.
    Creates {
        /// Number of the new task.
        task: u64,
        /// The processor that will run it.
        processor: ThreadId,
    },
    /// The task created a channel.
    CreatesChannel {
        /// Number of the channel.
        channel: u64,
        /// Messages that it holds before senders wait.
        capacity: Option<u64>,
    },
    /// The task sent a message.
    Sends(Message),
    /// The task received a message.
    Receives(Message),
    /// The task chose a channel among several.
    Selects {
        /// Number of the channel.
        channel: u64,
    },
    /// The task begins to wait.
    Waits {
        /// Number of the channel; `None` for one of several.
        channel: Option<u64>,
    },
    /// The channel takes no more messages.
    Closes {
        /// Number of the channel.
        channel: u64,
    },
    /// Nobody will receive from the channel.
    DeletesInput {
        /// Number of the channel.
        channel: u64,
    },
    /// An operation of which only its time is known.
    Other,
    /// The processor has no task that can run.
    Idles,
    /// It has been idle.
    HasIdled(Box<PostWait>),
}

/// A message in a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Number of the channel.
    pub channel: u64,
    /// Number of the message in the channel, from 0.
    pub number: u64,
    /// Its size.
    pub bytes: u64,
    /// Messages in the channel after the operation.
    pub queued: u64,
}

/// An operation of a task that is not over.
#[derive(Debug)]
struct Open {
    operation: Operation,
    begin: u64,
    post: Option<u64>,
    action: TaskAction,
}

/// Collects the records of one thread, in the order in which their regions are left.
#[derive(Debug, Default)]
pub struct TaskCollector {
    open: Vec<Open>,
    post: Option<u64>,
}

impl TaskCollector {
    /// The region that is entered next makes the post of this number.
    pub fn posted(&mut self, number: u64) {
        self.post = Some(number);
    }

    /// A region was entered.
    #[inline]
    pub fn enter(
        &mut self,
        time: u64,
        path: PathId,
        (operation, attributes): (Operation, &Attributes),
        records: &mut Vec<TaskRecord>,
    ) {
        match (operation, attributes) {
            (Operation::Task, &Attributes::Task { task }) => {
                records.push(moment(time, path, TaskAction::Enters { task }));
            }
            (Operation::Idle, _) => records.push(moment(time, path, TaskAction::Idles)),
            _ if operation.is_of_tasks() => self.open.push(Open {
                operation,
                begin: time,
                post: self.post.take(),
                action: action(operation, attributes),
            }),
            _ => {}
        }
    }

    /// A region was left.
    #[inline]
    pub fn exit(
        &mut self,
        span: Span,
        path: PathId,
        (operation, attributes): (Operation, &Attributes),
        records: &mut Vec<TaskRecord>,
    ) {
        if operation == Operation::Task {
            let reason = match *attributes {
                Attributes::TaskLeft { reason } => reason,
                // Of a task that was cut off.
                _ => TaskReason::Ended,
            };
            records.push(moment(span.end, path, TaskAction::Leaves { reason }));
        } else if operation.is_of_tasks() {
            // Regions that were left without an exit are passed over.
            let is_own = |open: &Open| open.operation == operation && open.begin == span.begin;
            let Some(place) = self.open.iter().rposition(is_own) else {
                return;
            };
            self.open.truncate(place + 1);
            records.extend(self.open.pop().map(|open| TaskRecord {
                span,
                path,
                post: open.post,
                action: open.action,
            }));
        }
    }

    /// The processor has been idle.
    pub fn idled(&mut self, wait: PostWait, records: &mut Vec<TaskRecord>) {
        let (time, path) = (wait.span.end, wait.path);
        records.push(moment(time, path, TaskAction::HasIdled(Box::new(wait))));
    }

    /// Begin of the earliest operation that is not over, in ticks.
    pub fn open_since(&self) -> Option<u64> {
        self.open.first().map(|open| open.begin)
    }
}

fn moment(time: u64, path: PathId, action: TaskAction) -> TaskRecord {
    TaskRecord {
        span: Span::new(time, time),
        path,
        post: None,
        action,
    }
}

/// What the attributes of an Enter say.
fn action(operation: Operation, attributes: &Attributes) -> TaskAction {
    match (operation, *attributes) {
        (Operation::TaskCreate, Attributes::TaskCreate { task, processor }) => {
            TaskAction::Creates { task, processor }
        }
        (Operation::ChannelCreate, Attributes::ChannelCreate { channel, capacity }) => {
            TaskAction::CreatesChannel { channel, capacity }
        }
        (
            Operation::ChannelSend | Operation::ChannelReceive,
            Attributes::ChannelMessage {
                channel,
                message,
                bytes,
                queued,
            },
        ) => {
            let message = Message {
                channel,
                number: message,
                bytes,
                queued,
            };
            match operation {
                Operation::ChannelSend => TaskAction::Sends(message),
                _ => TaskAction::Receives(message),
            }
        }
        (Operation::ChannelSend | Operation::ChannelReceive, Attributes::Channel { channel }) => {
            TaskAction::Waits {
                channel: Some(channel),
            }
        }
        (Operation::Select, Attributes::SelectWait { .. }) => TaskAction::Waits { channel: None },
        (Operation::Select, Attributes::Channel { channel }) => TaskAction::Selects { channel },
        (Operation::ChannelClose, Attributes::Channel { channel }) => {
            TaskAction::Closes { channel }
        }
        (Operation::InputDelete, Attributes::Channel { channel }) => {
            TaskAction::DeletesInput { channel }
        }
        _ => TaskAction::Other,
    }
}
