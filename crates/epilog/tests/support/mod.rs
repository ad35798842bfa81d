//! Random programs whose events EPILOG can carry, experiments made of them, and what is read back.
#![allow(dead_code)] // each test file uses its own part

pub mod foreign;
#[path = "../../../trace/tests/support/mutation.rs"]
pub mod mutation;
#[path = "../../../trace/tests/support/nodes.rs"]
pub mod nodes;
#[path = "../../../trace/tests/support/numbers.rs"]
pub mod numbers;

use std::path::Path;

use pgas_trace::model::{Attributes, EventKind, Operation, Site, SyncMode};
use pgas_trace::writer::{CompressionLevel, StreamOptions};
use pgas_trace::{Experiment, ExperimentBuilder};
use proptest::prelude::*;

/// In memory where the system has that: thousands of files are written here.
pub fn temporary() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// One step of a thread.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Enter(u64, Site, Attributes),
    Exit(u64, Site, Attributes),
}

fn sync_mode() -> impl Strategy<Value = SyncMode> {
    prop_oneof![
        Just(SyncMode::None),
        Just(SyncMode::Mine),
        Just(SyncMode::All)
    ]
}

fn site() -> impl Strategy<Value = Site> {
    let operation = (0..Operation::ALL.len()).prop_map(|index| Operation::ALL[index]);
    (operation, "[a-c]{0,2}", 0u32..5, "[f-hä]{0,2}").prop_map(|(operation, file, line, name)| {
        let user = matches!(operation, Operation::Function | Operation::UserRegion);
        Site {
            operation,
            file,
            line,
            name: if user { name } else { String::new() },
        }
    })
}

/// Numbers from which the attributes of an operation are made.
type Choice = (u32, u32, u32, u32, SyncMode, SyncMode);

fn choice() -> impl Strategy<Value = Choice> {
    let bytes = || prop_oneof![0u32..200, any::<u32>()];
    let small = || 0u32..1000;
    (small(), small(), bytes(), bytes(), sync_mode(), sync_mode())
}

/// Attributes that an Enter of `operation` has, for a program of `threads` threads.
fn at_enter(operation: Operation, threads: u32, choice: Choice) -> Attributes {
    use Operation::*;
    let (a, b, bytes, ..) = choice;
    match operation {
        Notify | Wait | Barrier => Attributes::Barrier { value: None },
        Memget | Memput | Memset | Get | Put | NonBlockingGet | NonBlockingPut if b % 8 > 0 => {
            Attributes::transfer(a % threads, bytes.into())
        }
        Memcpy if b % 8 > 0 => Attributes::copy(a % threads, b % threads, bytes.into()),
        Lock | LockAttempt | Unlock => Attributes::Lock {
            lock: u64::from(a % 4),
        },
        _ => Attributes::None,
    }
}

fn at_exit(operation: Operation, threads: u32, choice: Choice) -> Attributes {
    use Operation::*;
    let (a, b, sent, received, sync_in, sync_out) = choice;
    match operation {
        LockAttempt => Attributes::LockAttempt {
            acquired: b % 2 == 0,
        },
        Broadcast | Scatter | Gather | GatherAll | Exchange | Permute | Reduce | PrefixReduce
            if b % 8 > 0 =>
        {
            Attributes::Collective {
                root: (b % 3 > 0).then_some(a % threads),
                sent: sent.into(),
                received: received.into(),
                sync_in,
                sync_out,
            }
        }
        _ => Attributes::None,
    }
}

/// Steps of one of `threads` threads in the order of time, regions nested; some may be left open at
/// the end.
pub fn steps(longest: usize, threads: u32) -> impl Strategy<Value = Vec<Step>> {
    let gap = prop_oneof![8 => 0u64..300, 2 => 0u64..1 << 40];
    let step = (gap, any::<bool>(), site(), choice());
    proptest::collection::vec(step, 0..longest).prop_map(move |choices| {
        let mut time = 0_u64;
        let mut stack = Vec::new();
        let mut steps = Vec::new();
        for (gap, enter, site, choice) in choices {
            time += gap;
            if enter || stack.is_empty() {
                let attributes = at_enter(site.operation, threads, choice);
                stack.push(site.clone());
                steps.push(Step::Enter(time, site, attributes));
            } else if let Some(site) = stack.pop() {
                let attributes = at_exit(site.operation, threads, choice);
                steps.push(Step::Exit(time, site, attributes));
            }
        }
        steps
    })
}

/// Threads of a program; all know how many they are.
pub fn program(longest: usize) -> impl Strategy<Value = Vec<Vec<Step>>> {
    (1u32..5).prop_flat_map(move |threads| {
        proptest::collection::vec(steps(longest, threads), threads as usize)
    })
}

/// Events as they come back: EPILOG names a lock only where it was taken or is given back.
pub fn expected(steps: &[Step]) -> Vec<Step> {
    let mut expected = steps.to_vec();
    let mut open = Vec::new();
    let forget = |step: &mut Step| {
        if let Step::Enter(_, _, attributes @ Attributes::Lock { .. }) = step {
            *attributes = Attributes::None;
        }
    };
    for index in 0..expected.len() {
        match &expected[index] {
            Step::Enter(..) => open.push(index),
            Step::Exit(_, _, attributes) => {
                let failed = *attributes == Attributes::LockAttempt { acquired: false };
                let enter = open.pop().unwrap();
                if failed {
                    forget(&mut expected[enter]);
                }
            }
        }
    }
    for index in open {
        if let Step::Enter(_, site, _) = &expected[index] {
            if site.operation != Operation::Unlock {
                forget(&mut expected[index]);
            }
        }
    }
    expected
}

/// An experiment with these steps, in small blocks. Threads in `killed` end without their footer.
pub fn experiment(directory: &Path, threads: &[Vec<Step>], killed: &[u32]) -> Experiment {
    let options = StreamOptions {
        block_size: 100,
        compression: CompressionLevel::Zstd(1),
    };
    let count = threads.len() as u32;
    let mut builder = ExperimentBuilder::with_options("dir/prog", count, options);
    for (number, steps) in threads.iter().enumerate() {
        let thread = builder.thread(number as u32);
        thread.property("host", &format!("node{}", number % 2));
        thread.property("node", "the same clock");
        for step in steps {
            match step {
                Step::Enter(time, site, attributes) => thread.enter(*time, site, *attributes),
                Step::Exit(time, _, attributes) => thread.exit(*time, *attributes),
            };
        }
        if killed.contains(&(number as u32)) {
            thread.killed();
        }
    }
    builder.write(directory).unwrap();
    Experiment::open(directory).unwrap()
}

/// Removes the second block of a thread's events, and what comes after the last one, as if the disk
/// had lost them.
pub fn lose_a_block(directory: &Path, thread: usize) -> Experiment {
    let experiment = Experiment::open(directory).unwrap();
    let stream = &experiment.streams()[thread];
    let path = stream.path().to_owned();
    let range = |index: usize| {
        let block = stream.blocks()[index];
        let begin = block.offset as usize;
        begin..begin + block.stored_bytes() as usize
    };
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(range(stream.blocks().len() - 1).end);
    bytes.drain(range(1));
    std::fs::write(path, bytes).unwrap();
    Experiment::open(directory).unwrap()
}

/// Contents of an experiment, thread by thread.
pub fn read_steps(directory: &Path) -> Vec<Vec<Step>> {
    let experiment = Experiment::open(directory).unwrap();
    let read = |stream: &pgas_trace::Stream| {
        let step = |event: Result<pgas_trace::model::Event, _>| {
            let event = event.unwrap();
            match event.kind {
                EventKind::Enter { site, attributes } => {
                    Step::Enter(event.time, stream.site(site).clone(), attributes)
                }
                EventKind::Exit { site, attributes } => {
                    Step::Exit(event.time, stream.site(site).clone(), attributes)
                }
            }
        };
        stream.events().map(step).collect()
    };
    experiment.streams().iter().map(read).collect()
}
