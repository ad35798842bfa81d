//! Event sequences of the programs `sequence`, and the check that a trace shows a beginning of one
//! and nothing else: every event tells its place, so an event that is missing, repeated or misread
//! is noticed.

use pgas_trace::Stream;
use pgas_trace::model::{Attributes, EventKind, Operation};

/// One event of the sequence.
#[derive(Debug, PartialEq)]
enum Step {
    Enter(&'static str),
    Exit(&'static str),
    Put(u64),
    PutEnd,
    Barrier(i32),
    BarrierEnd,
}

/// The events of one round.
fn round(i: u64) -> Vec<Step> {
    let mut steps = vec![Step::Enter("step")];
    for _ in 0..i % 3 {
        steps.extend([Step::Enter("leaf"), Step::Exit("leaf")]);
    }
    steps.extend([Step::Put(8 * (i % 1000) + 8), Step::PutEnd]);
    if i % 16 == 15 {
        let value = (i & 0x3fff_ffff) as i32;
        steps.extend([Step::Barrier(value), Step::BarrierEnd]);
    }
    steps.push(Step::Exit("step"));
    steps
}

/// How many events `rounds` rounds have.
pub fn events_of(rounds: u64) -> u64 {
    let leaves = rounds / 3 * 3 + (rounds % 3).saturating_sub(1);
    4 * rounds + 2 * leaves + 2 * (rounds / 16)
}

/// Contents of a trace.
#[derive(Debug, Default)]
pub struct Shown {
    /// Events of the sequence.
    pub events: u64,
    /// Rounds that were begun.
    pub rounds: u64,
}

/// Reads all events. Panics with `context` if a block cannot be read, time runs backwards, or the
/// events are not a beginning of the sequence. A thread that receives a signal to end in the middle
/// of it leaves all its regions at that moment.
pub fn check(stream: &Stream, context: &str) -> Shown {
    let mut shown = Shown::default();
    let mut expected = Vec::new().into_iter();
    let mut time = 0;
    let mut inside = Vec::new();
    let mut left_at = None;
    for event in stream.events() {
        let event = event.unwrap_or_else(|error| panic!("{context}: {error}"));
        assert!(event.time >= time, "{context}: time runs backwards");
        time = event.time;
        let Some(step) = step_of(stream, &event.kind, &mut inside) else {
            continue;
        };
        let is_exit = matches!(event.kind, EventKind::Exit { .. });
        if let Some(left_at) = left_at {
            assert!(
                is_exit && time == left_at,
                "{context}: {step:?} after the end"
            );
            continue;
        }
        if expected.len() == 0 {
            expected = round(shown.rounds).into_iter();
            shown.rounds += 1;
        }
        let wanted = expected.next();
        if is_exit && Some(&step) != wanted.as_ref() && stream.complete() {
            left_at = Some(time);
            continue;
        }
        assert_eq!(
            Some(&step),
            wanted.as_ref(),
            "{context}: thread {}, event {} of the sequence, round {}",
            stream.thread(),
            shown.events,
            shown.rounds - 1
        );
        shown.events += 1;
    }
    shown
}

/// `None` for what is not of the sequence: other functions, the barrier at the end, time that the
/// recorder took. `inside` are the open regions, with whether they are of the sequence.
fn step_of(stream: &Stream, kind: &EventKind, inside: &mut Vec<bool>) -> Option<Step> {
    match kind {
        EventKind::Enter { site, attributes } => {
            let site = stream.site(*site);
            let step = match (site.operation, attributes) {
                (Operation::Function, _) => name_of(&site.name).map(Step::Enter),
                (Operation::Memput, Attributes::Transfer { bytes, .. }) => Some(Step::Put(*bytes)),
                (Operation::Barrier, Attributes::Barrier { value: Some(value) }) => {
                    Some(Step::Barrier(*value))
                }
                _ => None,
            };
            inside.push(step.is_some());
            step
        }
        EventKind::Exit { site, .. } => {
            let site = stream.site(*site);
            let step = match site.operation {
                Operation::Function => name_of(&site.name).map(Step::Exit),
                Operation::Memput => Some(Step::PutEnd),
                _ => Some(Step::BarrierEnd),
            };
            // A stream begins with no open region.
            inside.pop().unwrap_or(true).then_some(step).flatten()
        }
    }
}

fn name_of(function: &str) -> Option<&'static str> {
    ["step", "leaf"].into_iter().find(|name| *name == function)
}
