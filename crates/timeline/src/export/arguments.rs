//! What slices of the Perfetto trace say of an event: its category, and the arguments of the call.

use pgas_analyze::time_class::Class;
use pgas_earl::operation::is_collective;
use pgas_trace::model::{Attributes, Operation, ThreadId};

/// An argument of a slice.
pub(super) enum Value {
    Unsigned(u64),
    /// Index of a thread.
    Thread(ThreadId),
    Signed(i64),
    Text(String),
}

/// The metric that the time of an operation belongs to.
pub(super) fn category(operation: Operation) -> &'static str {
    Class::of(Some(operation)).metric()
}

pub(super) fn synchronises(operation: Operation) -> bool {
    is_collective(operation)
        || matches!(
            operation,
            Operation::Barrier | Operation::Wait | Operation::Lock
        )
}

pub(super) fn bytes(attributes: &Attributes) -> u64 {
    match *attributes {
        Attributes::Transfer { bytes, .. } | Attributes::Copy { bytes, .. } => bytes,
        _ => 0,
    }
}

fn unsigned(name: &'static str, value: u64) -> (&'static str, Value) {
    (name, Value::Unsigned(value))
}

/// `partner` is left out where any thread may be.
pub(super) fn message(partner: ThreadId, bytes: u64, group: u64) -> Vec<(&'static str, Value)> {
    let partner = (partner != ThreadId::MAX).then(|| unsigned("partner", partner.into()));
    let mut known = Vec::from_iter(partner);
    known.extend([unsigned("bytes", bytes), unsigned("group", group)]);
    known
}

/// Arguments of a call.
pub(super) fn arguments(
    operation: Operation,
    attributes: &Attributes,
) -> Vec<(&'static str, Value)> {
    let address = |name, address: Option<pgas_trace::model::Address>| {
        Some((name, Value::Text(address?.to_string())))
    };
    match *attributes {
        Attributes::Barrier { value: Some(value) } => vec![("value", Value::Signed(value.into()))],
        Attributes::Transfer {
            partner,
            bytes,
            address: at,
        } => {
            use Operation::{FlagWait, Get, Memget, NonBlockingGet, RemoteGet, SignalWait};
            let partner_is = match operation {
                Get | RemoteGet | Memget | NonBlockingGet => "from thread",
                FlagWait | SignalWait => "on thread",
                _ => "to thread",
            };
            let mut known = vec![
                unsigned("bytes", bytes),
                (partner_is, Value::Thread(partner)),
            ];
            known.extend(address("address", at));
            known
        }
        Attributes::Copy {
            source,
            destination,
            bytes,
            source_address,
            destination_address,
        } => {
            let mut known = vec![
                unsigned("bytes", bytes),
                ("from thread", Value::Thread(source)),
                ("to thread", Value::Thread(destination)),
            ];
            known.extend(address("source address", source_address));
            known.extend(address("destination address", destination_address));
            known
        }
        Attributes::Allocation { bytes } => vec![unsigned("bytes", bytes)],
        Attributes::Lock { lock } => vec![unsigned("lock", lock)],
        Attributes::Object { object, units } => {
            vec![unsigned("object", object), unsigned("units", units)]
        }
        Attributes::Group { group, members, .. } => {
            vec![
                unsigned("group", group),
                unsigned("members", members.into()),
            ]
        }
        Attributes::Message {
            partner,
            bytes,
            group,
        } => message(partner, bytes, group),
        Attributes::Exit { status } => vec![("status", Value::Signed(status.into()))],
        Attributes::Barrier { value: None }
        | Attributes::None
        | Attributes::LockAttempt { .. }
        | Attributes::Collective { .. }
        | Attributes::Skipped { .. }
        | Attributes::TaskLeft { .. } => Vec::new(),
        Attributes::Task { task } => vec![unsigned("task", task)],
        Attributes::TaskCreate { task, processor } => {
            vec![unsigned("task", task), ("on", Value::Thread(processor))]
        }
        Attributes::ChannelCreate { channel, capacity } => {
            let mut known = vec![unsigned("channel", channel)];
            known.extend(capacity.map(|capacity| unsigned("capacity", capacity)));
            known
        }
        Attributes::ChannelMessage {
            channel,
            message,
            bytes,
            queued,
        } => vec![
            unsigned("channel", channel),
            unsigned("message", message),
            unsigned("bytes", bytes),
            unsigned("queued", queued),
        ],
        Attributes::Channel { channel } => vec![unsigned("channel", channel)],
        Attributes::SelectWait { inputs } => vec![unsigned("inputs", inputs.into())],
    }
}
