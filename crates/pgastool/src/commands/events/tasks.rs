//! Attributes of tasks and channels, in words and as fields of JSON.

use pgas_trace::model::{Attributes, Operation};
use pgas_trace::models::Words;
use serde_json::Value;

/// Attributes of an operation of tasks, in words; `None` if they are of something else.
pub(super) fn call(operation: Operation, attributes: &Attributes, words: &Words) -> Option<String> {
    Some(match *attributes {
        Attributes::Task { task } => format!("task {}", number(task)),
        Attributes::TaskCreate { task, processor } => {
            format!("task {} on {}", number(task), words.name(processor))
        }
        Attributes::ChannelCreate { channel, capacity } => match capacity {
            None => format!("channel {}, unbounded", number(channel)),
            Some(capacity) => format!("channel {} of {capacity} messages", number(channel)),
        },
        Attributes::ChannelMessage {
            channel,
            message,
            bytes,
            queued,
        } => format!(
            "message {message} of channel {}, {bytes} bytes, {queued} queued",
            number(channel)
        ),
        Attributes::Channel { channel } => of_channel(operation, &number(channel)),
        Attributes::SelectWait { inputs } => format!("waits for one of {inputs} channels"),
        _ => return None,
    })
}

fn of_channel(operation: Operation, channel: &str) -> String {
    match operation {
        Operation::ChannelSend => format!("waits for a place in channel {channel}"),
        Operation::ChannelReceive => format!("waits for a message of channel {channel}"),
        Operation::Select => format!("chooses channel {channel}"),
        _ => format!("channel {channel}"),
    }
}

/// The number of a task or a channel, with the process where that is not the first.
fn number(in_run: u64) -> String {
    match in_run >> 32 {
        0 => in_run.to_string(),
        process => format!("{} of process {process}", in_run & u64::from(u32::MAX)),
    }
}

/// Fields of an operation of tasks.
pub(super) fn put(attributes: &Attributes, put: &mut impl FnMut(&str, Value)) {
    match *attributes {
        Attributes::Task { task } => put("task", task.into()),
        Attributes::TaskCreate { task, processor } => {
            put("task", task.into());
            put("processor", processor.into());
        }
        Attributes::ChannelCreate { channel, capacity } => {
            put("channel", channel.into());
            put("capacity", capacity.into());
        }
        Attributes::ChannelMessage {
            channel,
            message,
            bytes,
            queued,
        } => {
            put("channel", channel.into());
            put("message", message.into());
            put("bytes", bytes.into());
            put("queued", queued.into());
        }
        Attributes::Channel { channel } => put("channel", channel.into()),
        Attributes::SelectWait { inputs } => put("inputs", inputs.into()),
        _ => {}
    }
}
