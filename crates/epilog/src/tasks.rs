//! Tasks and channels in EPILOG: what their operations say is in the descriptions of their regions,
//! messages are messages of MPI, each channel with a communicator of its own.

use pgas_trace::model::{Attributes, Operation};

use crate::notes;

/// The description of a region that is entered with these attributes; `None` if they are not of
/// tasks, or are written as a message.
pub fn description(operation: Operation, attributes: &Attributes) -> Option<String> {
    let name = notes::description(operation);
    Some(match *attributes {
        Attributes::Task { task } => format!("{name} {task}"),
        Attributes::TaskCreate { task, processor } => format!("{name} {task} {processor}"),
        Attributes::ChannelCreate { channel, capacity } => match capacity {
            None => format!("{name} {channel}"),
            Some(capacity) => format!("{name} {channel} {capacity}"),
        },
        Attributes::Channel { channel } => format!("{name} {channel}"),
        Attributes::SelectWait { inputs } => format!("{name} of {inputs}"),
        _ => return None,
    })
}

/// The operation and the attributes that such a description means.
pub fn described(description: &str) -> Option<(Operation, Attributes)> {
    let of_tasks = |operation: &Operation| *operation == Operation::Task || operation.is_of_tasks();
    let mut all = Operation::ALL.into_iter().filter(of_tasks);
    all.find_map(|operation| {
        let rest = description.strip_prefix(notes::description(operation))?;
        Some((operation, attributes(operation, rest.strip_prefix(' ')?)?))
    })
}

fn attributes(operation: Operation, text: &str) -> Option<Attributes> {
    if let (Operation::Select, Some(inputs)) = (operation, text.strip_prefix("of ")) {
        let inputs = inputs.parse().ok()?;
        return Some(Attributes::SelectWait { inputs });
    }
    let (first, second) = match text.split_once(' ') {
        Some((first, second)) => (first.parse().ok()?, Some(second.parse::<u64>().ok()?)),
        None => (text.parse().ok()?, None),
    };
    Some(match (operation, second) {
        (Operation::Task, None) => Attributes::Task { task: first },
        (Operation::TaskCreate, Some(processor)) => Attributes::TaskCreate {
            task: first,
            processor: u32::try_from(processor).ok()?,
        },
        (Operation::ChannelCreate, capacity) => Attributes::ChannelCreate {
            channel: first,
            capacity,
        },
        (Operation::TaskCreate, None) => return None,
        (_, None) => Attributes::Channel { channel: first },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_come_back() {
        let channel = 3 << 32 | 5;
        for (operation, attributes) in [
            (Operation::Task, Attributes::Task { task: u64::MAX }),
            (
                Operation::TaskCreate,
                Attributes::TaskCreate {
                    task: 2,
                    processor: 7,
                },
            ),
            (
                Operation::ChannelCreate,
                Attributes::ChannelCreate {
                    channel,
                    capacity: None,
                },
            ),
            (
                Operation::ChannelCreate,
                Attributes::ChannelCreate {
                    channel,
                    capacity: Some(0),
                },
            ),
            (Operation::ChannelSend, Attributes::Channel { channel }),
            (Operation::Select, Attributes::Channel { channel }),
            (Operation::Select, Attributes::SelectWait { inputs: 4 }),
            (Operation::ChannelClose, Attributes::Channel { channel }),
        ] {
            let text = description(operation, &attributes).unwrap();
            assert_eq!(described(&text), Some((operation, attributes)), "{text}");
        }
        for text in ["task", "task x", "task 1 2", "create task 1", "function 1"] {
            assert_eq!(described(text), None, "{text}");
        }
    }
}
