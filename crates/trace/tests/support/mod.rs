//! Random but valid streams of events, and helpers to write and read them.
#![allow(dead_code)] // each test file uses its own part

pub mod dump;
pub mod mutation;
pub mod numbers;
pub mod stack_samples;

use std::path::Path;

use pgas_trace::model::{Attributes, EventKind, Operation, Site, SyncMode, TaskReason};
use pgas_trace::{Error, Experiment, Stream};
use proptest::prelude::*;

/// One step of a thread: what a test expects to read back.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Enter(u64, Site, Attributes),
    Exit(u64, Site, Attributes),
}

pub fn sync_mode() -> impl Strategy<Value = SyncMode> {
    prop_oneof![
        Just(SyncMode::None),
        Just(SyncMode::Mine),
        Just(SyncMode::All)
    ]
}

/// Mostly none, or one of an array.
fn address() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), (1..8u64).prop_map(|i| 8 * i), any::<u64>()]
}

pub fn attributes() -> impl Strategy<Value = Attributes> {
    let number = prop_oneof![0u64..200, any::<u64>()];
    prop_oneof![
        Just(Attributes::None),
        proptest::option::of(any::<i32>()).prop_map(|value| Attributes::Barrier { value }),
        (any::<u32>(), number.clone(), address())
            .prop_map(|(partner, bytes, address)| Attributes::transfer_at(partner, bytes, address)),
        (
            any::<u32>(),
            address(),
            any::<u32>(),
            address(),
            number.clone()
        )
            .prop_map(|(source, from, destination, to, bytes)| {
                Attributes::copy_at((source, from), (destination, to), bytes)
            }),
        // So few different ones that some can be predicted.
        (0..2u32, 0..5u64).prop_map(|(partner, i)| Attributes::transfer_at(partner, 8, 8 * i)),
        (0..4u64).prop_map(|i| Attributes::copy_at((0, 8 * i), (1, 16 * i), 8)),
        number
            .clone()
            .prop_map(|bytes| Attributes::Allocation { bytes }),
        number.clone().prop_map(|lock| Attributes::Lock { lock }),
        any::<bool>().prop_map(|acquired| Attributes::LockAttempt { acquired }),
        (
            proptest::option::of(any::<u32>()),
            number.clone(),
            number.clone(),
            sync_mode(),
            sync_mode()
        )
            .prop_map(
                |(root, sent, received, sync_in, sync_out)| Attributes::Collective {
                    root,
                    sent,
                    received,
                    sync_in,
                    sync_out
                }
            ),
        any::<i32>().prop_map(|status| Attributes::Exit { status }),
        number.clone().prop_map(|task| Attributes::Task { task }),
        (0..5u8).prop_map(|reason| Attributes::TaskLeft {
            reason: TaskReason::from_number(reason).unwrap(),
        }),
        (number.clone(), any::<u32>())
            .prop_map(|(task, processor)| Attributes::TaskCreate { task, processor }),
        (number.clone(), proptest::option::of(0..u64::MAX))
            .prop_map(|(channel, capacity)| Attributes::ChannelCreate { channel, capacity }),
        (
            number.clone(),
            number.clone(),
            number.clone(),
            number.clone()
        )
            .prop_map(
                |(channel, message, bytes, queued)| Attributes::ChannelMessage {
                    channel,
                    message,
                    bytes,
                    queued,
                }
            ),
        number
            .clone()
            .prop_map(|channel| Attributes::Channel { channel }),
        any::<u32>().prop_map(|inputs| Attributes::SelectWait { inputs }),
        any::<(u64, u8)>().prop_map(|(barriers, collectives)| Attributes::Skipped {
            barriers,
            collectives: collectives.into()
        }),
    ]
}

pub fn site() -> impl Strategy<Value = Site> {
    let operation = (0..Operation::ALL.len()).prop_map(|index| Operation::ALL[index]);
    (operation, "[a-c]{0,2}", 0u32..5, "[f-hä]{0,2}").prop_map(|(operation, file, line, name)| {
        Site {
            operation,
            file,
            line,
            name,
        }
    })
}

/// Steps of one thread in the order of time, regions nested; some may be left open at the end.
pub fn steps(longest: usize) -> impl Strategy<Value = Vec<Step>> {
    let gap = prop_oneof![8 => 0u64..300, 2 => 0u64..1 << 40, 1 => Just((1 << 62) - 1)];
    let step = (gap, any::<bool>(), site(), attributes(), any::<bool>());
    proptest::collection::vec(step, 0..longest).prop_map(|choices| {
        let mut time = 0_u64;
        let mut stack = Vec::new();
        let mut steps = Vec::new();
        for (gap, enter, site, attributes, plain) in choices {
            time = time.saturating_add(gap);
            let attributes = if plain { Attributes::None } else { attributes };
            if enter || stack.is_empty() {
                stack.push(site.clone());
                steps.push(Step::Enter(time, site, attributes));
            } else if let Some(site) = stack.pop() {
                steps.push(Step::Exit(time, site, attributes));
            }
        }
        steps
    })
}

/// Contents of an experiment, thread by thread.
pub fn read_steps(directory: &Path) -> Result<Vec<Vec<Step>>, Error> {
    let experiment = Experiment::open(directory)?;
    let mut threads = Vec::new();
    for stream in experiment.streams() {
        let mut steps = Vec::new();
        for event in stream.events() {
            let event = event?;
            steps.push(match event.kind {
                EventKind::Enter { site, attributes } => {
                    Step::Enter(event.time, stream.site(site).clone(), attributes)
                }
                EventKind::Exit { site, attributes } => {
                    Step::Exit(event.time, stream.site(site).clone(), attributes)
                }
            });
        }
        threads.push(steps);
    }
    Ok(threads)
}

/// Reading may begin at any block, and goes on as if it had begun at the first.
pub fn check_every_beginning(stream: &Stream) {
    let all = stream.events().collect::<Result<Vec<_>, _>>().unwrap();
    let mut number = 0;
    let mut stack = Vec::new();
    for (index, info) in stream.blocks().iter().enumerate() {
        let (open, events) = stream.events_from(index).unwrap();
        let end = number + stream.bridging_events(index).unwrap() + info.events as usize;
        // Into the next block is far enough.
        let further = all.len().min(end + 3);
        let events = events.take(further - number);
        let events = events.collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!((open, &events[..]), (stack.clone(), &all[number..further]));
        for event in &all[number..end] {
            match event.kind {
                EventKind::Enter { site, .. } => stack.push(site),
                EventKind::Exit { site, .. } => assert_eq!(stack.pop(), Some(site)),
            }
        }
        number = end;
    }
    assert_eq!(number, all.len());
    let (open, mut behind) = stream.events_from(stream.blocks().len()).unwrap();
    assert!(open.is_empty() && behind.next().is_none());
}
