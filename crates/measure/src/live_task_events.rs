//! Events of tasks and channels, as their live rows take them.

use pgas_live::tasks::{INPUT, OUTPUT, READY, RECEIVES, SELECTS, SENDS};
use pgas_trace_format::model::{Attributes, Operation, TaskReason};

use crate::attributes::{Message, Packed};
use crate::live_tasks::LiveTasks;

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
            Attributes::Task { task } => self.enter(task, site, time),
            Attributes::ChannelMessage { .. } => {
                if let Some(message) = with.channel_message() {
                    self.pass(direction(operation), message);
                }
            }
            other => self.take(operation, site, other),
        }
    }

    /// A message was sent or received by an operation that began at `time`.
    #[inline]
    pub(crate) fn enter_message(&mut self, operation: u8, message: Message, time: u64) {
        self.begin_operation(time);
        self.pass(direction(operation), message);
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
    #[inline]
    pub(crate) fn leave_operation(&mut self, operation: u8, with: Packed, time: u64) {
        match operation {
            TASK => self.leave(state(with.unpacked()), time),
            IDLE => {}
            _ => self.end_operation(time),
        }
    }
}

#[inline]
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use pgas_live::Page;

    use super::*;
    use crate::live::Live;

    /// Enters and leaves an operation, whose place has its number.
    fn operation(live: &mut Live, page: &Page, operation: Operation, with: Attributes, time: u64) {
        let (number, site) = (operation as u8, u32::from(operation as u8 - TASK));
        live.enter(page, 2, number, site, with.into(), time);
        live.leave(page, 2, number, Packed::NONE, time + 10);
    }

    fn message(channel: u64, message: u64) -> Attributes {
        Attributes::ChannelMessage {
            channel,
            message,
            bytes: 16,
            queued: 3,
        }
    }

    fn words<const N: usize>(words: [&AtomicU64; N]) -> [u64; N] {
        words.map(|word| word.load(Ordering::Relaxed))
    }

    #[test]
    fn events_of_a_task_become_its_row_and_those_of_its_channels() {
        let (page, mut live) = (Page::default(), Live::new(0, 1).unwrap());
        for number in TASK..=Operation::InputDelete as u8 {
            live.define(&page, number, b"place");
        }
        let task = Attributes::Task { task: 4 };
        live.enter(&page, 1, TASK, 0, task.into(), 1000);
        let create = Attributes::ChannelCreate {
            channel: 9,
            capacity: Some(3),
        };
        operation(&mut live, &page, Operation::ChannelCreate, create, 1100);
        operation(
            &mut live,
            &page,
            Operation::ChannelSend,
            message(9, 7),
            1200,
        );
        let waits = Attributes::Channel { channel: 9 };
        operation(&mut live, &page, Operation::ChannelSend, waits, 1300);
        let reason = TaskReason::Sends;
        let left = Attributes::TaskLeft { reason };
        live.leave(&page, 1, TASK, left.into(), 1400);
        let area = &live.tasks.area;
        let row = area.task(0);
        let states = words([&row.number, &row.state, &row.since, &row.channel]);
        assert_eq!(states, [5, SENDS, 1400, 10]);
        assert_eq!(words([&row.communicating]), [30]);
        let port = area.port(0);
        let counts = [
            &port.channel,
            &port.calls,
            &port.bytes,
            &port.last,
            &port.queued,
        ];
        assert_eq!(words(counts), [10, 1, 16, 8, 3]);
        assert_eq!(words([&area.head().channels, &area.head().created]), [1, 0]);
    }

    #[test]
    fn a_task_computes_where_it_is_in_no_operation_and_idle_is_none_of_a_task() {
        let (page, mut live) = (Page::default(), Live::new(0, 1).unwrap());
        for number in TASK..=Operation::InputDelete as u8 {
            live.define(&page, number, b"place");
        }
        live.enter(&page, 1, TASK, 0, Attributes::Task { task: 0 }.into(), 1000);
        assert!(live.computes(), "its time is not that of an operation");
        let left = Attributes::TaskLeft {
            reason: TaskReason::Ended,
        };
        live.leave(&page, 1, TASK, left.into(), 1400);
        operation(&mut live, &page, Operation::Idle, Attributes::None, 1500);
        let head = live.tasks.area.head();
        assert_eq!(words([&head.ended, &head.task_rows]), [1, 1]);
        assert_eq!(words([&live.tasks.area.task(0).number]), [0]);
    }
}
