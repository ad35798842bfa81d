//! Events and states as JSON lines: one object a line, described in `docs/json.md`.

use std::io::{self, Write};

use pgas_earl::access::{EventId, EventTrace, EventType, Occurrence, Owner, Pending, States};
use pgas_trace::model::{Address, Attributes, Operation, Site, SyncMode, ThreadId};
use serde_json::{Map, Value, json};

use super::state::AT_MOST;
use super::tasks;
use super::{Cut, Format, Stop};
use crate::experiment::times::Times;

pub struct JsonLines {
    times: Times,
}

impl JsonLines {
    pub fn new(times: Times) -> Self {
        JsonLines { times }
    }

    fn owner(&self, owner: &Owner) -> Value {
        json!({
            "thread": owner.thread,
            "number": owner.acquired.number,
            "since": self.seconds(owner.since),
        })
    }

    /// Rounded to nanoseconds, so that a time is the same everywhere.
    fn seconds(&self, ticks: u64) -> f64 {
        round(self.times.seconds(ticks))
    }
}

fn round(seconds: f64) -> f64 {
    (seconds * 1e9).round() / 1e9
}

impl<'t> Format<'t> for JsonLines {
    fn states(
        &mut self,
        out: &mut dyn Write,
        trace: &EventTrace<'t>,
        states: &States<'t>,
        threads: &[bool],
        _occasion: &str,
    ) -> Result<(), Stop> {
        let wanted = |thread: &usize| threads.get(*thread).copied().unwrap_or(false);
        let stacks = states.threads.iter().enumerate();
        let stacks = stacks.filter(|(thread, _)| wanted(thread));
        let stacks: Vec<Value> = stacks
            .map(|(thread, state)| {
                let stack: Vec<Value> = state
                    .stack
                    .iter()
                    .map(|open| {
                        let mut object = site(open.region);
                        if let Some((id, time)) = open.enter {
                            object.insert("number".into(), id.number.into());
                            object.insert("since".into(), self.seconds(time).into());
                        }
                        Value::Object(object)
                    })
                    .collect();
                json!({
                    "thread": thread,
                    "next": state.position,
                    "stack": stack,
                    "barriers": state.barriers,
                    "collectives": state.collectives,
                    "notified": state.notified,
                })
            })
            .collect();
        let pending = |pending: &Pending| {
            json!({
                "number": pending.number,
                "operation": pending.operation.name(),
                "inside": pending.inside,
                "left": pending.left,
                "missing": pending.missing,
            })
        };
        let barriers = states.pending_barriers(AT_MOST);
        let collectives = trace.pending_collectives(states, AT_MOST)?;
        let locks = states.locks.locks().map(|lock| {
            json!({
                "lock": lock,
                "owner": states.locks.owner(lock).map(|owner| self.owner(&owner)),
                "released": states.locks.released(lock).map(pointer),
                "waiting": states.locks.waiting(lock),
            })
        });
        let line = json!({
            "type": "state",
            "seconds": self.seconds(states.cut.time),
            "ticks": states.cut.time,
            "threads": stacks,
            "barriers": barriers.iter().map(pending).collect::<Vec<_>>(),
            "collectives": collectives.iter().map(pending).collect::<Vec<_>>(),
            "locks": locks.collect::<Vec<_>>(),
            "complete": states.locks.is_complete(),
        });
        writeln!(out, "{line}")?;
        Ok(())
    }

    fn event(
        &mut self,
        out: &mut dyn Write,
        occurrence: &Occurrence<'t>,
        waiting: Option<&[ThreadId]>,
    ) -> io::Result<()> {
        let event = &occurrence.event;
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| {
            object.insert(key.into(), value);
        };
        put("type", "event".into());
        put("thread", event.id.thread.into());
        put("number", event.id.number.into());
        put("seconds", self.seconds(event.time).into());
        put("ticks", event.time.into());
        put("event", name(event.event_type).into());
        for (key, value) in site(event.region) {
            put(&key, value);
        }
        put("depth", event.depth.into());
        if let Some((enter, begin)) = occurrence.enter {
            let ticks = event.time.saturating_sub(begin);
            put("enter", enter.number.into());
            put("duration", round(self.times.duration(ticks)).into());
        }
        if let Some(number) = occurrence.barrier {
            put("barrier", number.into());
        }
        if let Some(number) = occurrence.collective {
            put("collective", number.into());
        }
        attributes(event.event_type, &mut put);
        if let Some(before) = occurrence.lock_pointer {
            put("lock_pointer", pointer(before));
        }
        if let Some(owner) = &occurrence.owner {
            put("owner", self.owner(owner));
        }
        if let Some(waiting) = waiting {
            put("waiting", waiting.into());
        }
        if event.inferred {
            put("inferred", true.into());
        }
        if event.interrupted {
            put("interrupted", true.into());
        }
        writeln!(out, "{}", Value::Object(object))
    }

    fn cut(&mut self, out: &mut dyn Write, cut: &Cut<'t>) -> io::Result<()> {
        let open = cut.open.iter().map(|open| Value::Object(site(open)));
        let line = json!({
            "type": "cut",
            "thread": cut.thread,
            "seconds": self.seconds(cut.time),
            "ticks": cut.time,
            "stack": open.collect::<Vec<_>>(),
        });
        writeln!(out, "{line}")
    }
}

fn pointer(id: EventId) -> Value {
    json!({ "thread": id.thread, "number": id.number })
}

fn name(event_type: EventType) -> &'static str {
    match event_type {
        EventType::Enter { .. } => "enter",
        EventType::Exit => "exit",
        EventType::CollectiveExit { .. } => "collective_exit",
        EventType::MessageExit { .. } => "message_exit",
        EventType::TaskExit { .. } => "task_exit",
        EventType::RecordingResumed { .. } => "recording_resumed",
        EventType::LockAcquired { .. } => "lock_acquired",
        EventType::LockRefused { .. } => "lock_refused",
        EventType::LockReleased { .. } => "lock_released",
    }
}

fn site(site: &Site) -> Map<String, Value> {
    let kind = match site.operation {
        Operation::Function => "function",
        Operation::UserRegion => "user_region",
        Operation::MeasurementStall => "measurement",
        Operation::NoCore => "no_core",
        Operation::Task => "task",
        _ => "operation",
    };
    let mut object = Map::new();
    object.insert("region".into(), site.region_name().into());
    object.insert("kind".into(), kind.into());
    object.insert("file".into(), site.file.as_str().into());
    object.insert("line".into(), site.line.into());
    object
}

fn mode(mode: SyncMode) -> Value {
    mode.name().to_ascii_lowercase().into()
}

fn address(key: &str, address: Option<Address>, put: &mut impl FnMut(&str, Value)) {
    if let Some(address) = address {
        put(key, address.number().into());
    }
}

/// `partner` is left out of a reception that any thread could send to.
fn message(partner: ThreadId, bytes: u64, group: u64, put: &mut impl FnMut(&str, Value)) {
    if partner != ThreadId::MAX {
        put("partner", partner.into());
    }
    put("bytes", bytes.into());
    put("group", group.into());
}

/// Attributes that only events of some types have.
fn attributes(event_type: EventType, put: &mut impl FnMut(&str, Value)) {
    if let Some(lock) = event_type.lock() {
        put("lock", lock.into());
    }
    match event_type {
        EventType::Enter { attributes } => match attributes {
            Attributes::Barrier { value: Some(value) } => put("value", value.into()),
            Attributes::Transfer {
                partner,
                bytes,
                address: place,
            } => {
                put("partner", partner.into());
                put("bytes", bytes.into());
                address("address", place, put);
            }
            Attributes::Copy {
                source,
                destination,
                bytes,
                source_address,
                destination_address,
            } => {
                put("source", source.into());
                put("destination", destination.into());
                put("bytes", bytes.into());
                address("source_address", source_address, put);
                address("destination_address", destination_address, put);
            }
            Attributes::Allocation { bytes } => put("bytes", bytes.into()),
            Attributes::Object { object, units } => {
                put("object", object.into());
                put("units", units.into());
            }
            Attributes::Group {
                group,
                members,
                flow,
                root,
            } => {
                put("group", group.into());
                put("members", members.into());
                put("flow", flow.name().into());
                if let Some(root) = root {
                    put("root", root.into());
                }
            }
            Attributes::Message {
                partner,
                bytes,
                group,
            } => message(partner, bytes, group, put),
            Attributes::Exit { status } => put("status", status.into()),
            Attributes::Barrier { value: None }
            | Attributes::None
            | Attributes::Lock { .. }
            | Attributes::LockAttempt { .. }
            | Attributes::Collective { .. }
            | Attributes::Skipped { .. }
            | Attributes::TaskLeft { .. } => {}
            Attributes::Task { .. }
            | Attributes::TaskCreate { .. }
            | Attributes::ChannelCreate { .. }
            | Attributes::ChannelMessage { .. }
            | Attributes::Channel { .. }
            | Attributes::SelectWait { .. } => tasks::put(&attributes, put),
        },
        EventType::CollectiveExit {
            root,
            sent,
            received,
            sync_in,
            sync_out,
        } => {
            if let Some(root) = root {
                put("root", root.into());
            }
            put("sent", sent.into());
            put("received", received.into());
            put("sync_in", mode(sync_in));
            put("sync_out", mode(sync_out));
        }
        EventType::MessageExit {
            partner,
            bytes,
            group,
        } => message(partner, bytes, group, put),
        EventType::TaskExit { reason } => put("reason", reason.name().into()),
        EventType::RecordingResumed {
            barriers,
            collectives,
        } => {
            put("skipped_barriers", barriers.into());
            put("skipped_collectives", collectives.into());
        }
        EventType::Exit
        | EventType::LockAcquired { .. }
        | EventType::LockRefused { .. }
        | EventType::LockReleased { .. } => {}
    }
}
