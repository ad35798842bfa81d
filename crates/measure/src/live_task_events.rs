//! Events of tasks and channels, as their live rows take them.

use pgas_live::tasks::{INPUT, OUTPUT, READY, RECEIVES, SELECTS, SENDS};
use pgas_trace_format::model::{Attributes, Operation, TaskReason};

use crate::attributes::Packed;
use crate::live_tasks::{LiveTasks, Message};

const TASK: u8 = Operation::Task as u8;
const IDLE: u8 = Operation::Idle as u8;
const SEND: u8 = Operation::ChannelSend as u8;

impl LiveTasks {
    /// A task, or one of its operations, was entered at `time`.
    pub(crate) fn enter_operation(&mut self, operation: u8, site: u32, with: Packed, time: u64) {
        if operation == IDLE {
            return;
        }
        if operation != TASK {
            self.begin_operation(time);
        }
        match with.unpacked() {
            Attributes::ChannelMessage {
                channel,
                message,
                bytes,
                queued,
            } => {
                let message = Message {
                    channel,
                    number: message,
                    bytes,
                    queued,
                };
                self.pass(direction(operation), message);
            }
            Attributes::Task { task } => self.enter(task, site, time),
            other => self.take(operation, site, other),
        }
    }

    fn take(&mut self, operation: u8, site: u32, attributes: Attributes) {
        match attributes {
            Attributes::Channel { channel } if is_wait(operation) => {
                self.announce_wait(direction(operation), channel);
            }
            Attributes::Channel { .. } if operation == Operation::InputDelete as u8 => {
                self.delete_input();
            }
            Attributes::ChannelCreate { channel, capacity } => {
                self.area.add_channel(channel, capacity, site);
            }
            Attributes::TaskCreate { .. } => self.create_task(),
            _ => {}
        }
    }

    /// It is about to be left.
    pub(crate) fn leave_operation(&mut self, operation: u8, with: Packed, time: u64) {
        match operation {
            TASK => self.leave(state(with.unpacked()), time),
            IDLE => {}
            _ => self.end_operation(time),
        }
    }
}

fn direction(operation: u8) -> u64 {
    match operation {
        SEND => OUTPUT,
        _ => INPUT,
    }
}

/// Whether the task waits for the channel that such an operation names without a message.
fn is_wait(operation: u8) -> bool {
    operation == SEND || operation == Operation::ChannelReceive as u8
}

/// What a task does after its processor has left it; `None` if it has ended.
fn state(attributes: Attributes) -> Option<u64> {
    let Attributes::TaskLeft { reason } = attributes else {
        return Some(READY);
    };
    match reason {
        TaskReason::Receives => Some(RECEIVES),
        TaskReason::Sends => Some(SENDS),
        TaskReason::Selects => Some(SELECTS),
        TaskReason::Yielded => Some(READY),
        TaskReason::Ended => None,
    }
}
