//! Random experiments in small blocks: threads that call functions, wait at barriers, take locks,
//! and do none of it well.

use std::path::Path;

use pgas_trace::model::{Attributes, ClockComparison, Operation, Site, SyncMode};
use pgas_trace::writer::{CompressionLevel, StreamOptions};
use pgas_trace::{Experiment, ExperimentBuilder};
use proptest::prelude::*;

/// One step of a thread: what it enters, or that it leaves the innermost region.
#[derive(Debug, Clone)]
pub enum Action {
    Enter(Operation, u32, Attributes),
    Exit(Attributes),
}

#[derive(Debug, Clone)]
pub struct Program {
    /// By thread: ticks since the step before, and the step.
    pub threads: Vec<Vec<(u64, Action)>>,
    pub block_size: usize,
    /// The thread whose block with that number is lost, as often as it has as many.
    pub lost: Option<(usize, usize)>,
    /// Comparisons with the clock of thread 0, if the last thread is on another node: own ticks
    /// and those of thread 0.
    pub clocks: Vec<(u64, u64)>,
}

fn enter() -> impl Strategy<Value = Action> {
    let lock = (0u64..3).prop_map(|lock| Attributes::Lock { lock });
    let plain = prop_oneof![
        3 => Just(Operation::Function),
        1 => Just(Operation::Get),
        2 => Just(Operation::Notify),
        2 => Just(Operation::Wait),
        2 => Just(Operation::Barrier),
        2 => Just(Operation::Broadcast),
        1 => Just(Operation::AllAlloc),
        1 => Just(Operation::MeasurementStall),
    ];
    let locking = prop_oneof![
        2 => Just(Operation::Lock),
        1 => Just(Operation::LockAttempt),
        2 => Just(Operation::Unlock),
    ];
    prop_oneof![
        2 => (plain, 0u32..3).prop_map(|(o, line)| Action::Enter(o, line, Attributes::None)),
        1 => (locking, 0u32..3, lock).prop_map(|(o, line, lock)| Action::Enter(o, line, lock)),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let exit = prop_oneof![
        4 => Just(Attributes::None),
        2 => any::<bool>().prop_map(|acquired| Attributes::LockAttempt { acquired }),
        1 => (0u64..3, 0u64..3).prop_map(|(barriers, collectives)| Attributes::Skipped {
            barriers,
            collectives,
        }),
        1 => (0u64..9).prop_map(|sent| Attributes::Collective {
            root: Some(0),
            sent,
            received: 1,
            sync_in: SyncMode::Mine,
            sync_out: SyncMode::All,
        }),
    ];
    prop_oneof![1 => enter(), 1 => exit.prop_map(Action::Exit)]
}

/// Programs in which anything may happen, on few different times, so that many events are
/// simultaneous.
pub fn programs() -> impl Strategy<Value = Program> {
    let gap = prop_oneof![3 => Just(0u64), 2 => 0u64..4, 1 => 0u64..300];
    let thread = proptest::collection::vec((gap, action()), 0..90);
    let threads = proptest::collection::vec(thread, 1..5);
    let lost = proptest::option::weighted(0.3, (0usize..4, 0usize..8));
    let block_size = prop_oneof![4 => 1usize..60, 1 => Just(4 << 20)];
    let clocks = prop_oneof![
        2 => Just(Vec::new()),
        1 => proptest::collection::vec((0u64..2000, 0u64..2000), 1..4),
    ];
    (threads, block_size, lost, clocks).prop_map(|(threads, block_size, lost, clocks)| Program {
        threads,
        block_size,
        lost,
        clocks,
    })
}

impl Program {
    pub fn write(&self, directory: &Path) -> Experiment {
        let options = StreamOptions {
            block_size: self.block_size,
            compression: CompressionLevel::None,
        };
        let count = self.threads.len() as u32;
        let mut builder = ExperimentBuilder::with_options("random", count, options);
        for (number, actions) in self.threads.iter().enumerate() {
            let thread = builder.thread(number as u32);
            let (mut time, mut depth) = (0, 0);
            for (gap, action) in actions {
                time += gap;
                match action {
                    Action::Enter(operation, line, attributes) => {
                        depth += 1;
                        let site = Site::operation(*operation, "random.upc", *line);
                        thread.enter(time, &site, *attributes);
                    }
                    Action::Exit(attributes) if depth > 0 => {
                        depth -= 1;
                        thread.exit(time, *attributes);
                    }
                    Action::Exit(_) => {}
                }
            }
            if number + 1 == self.threads.len() && !self.clocks.is_empty() {
                thread.property("host", "elsewhere");
                let compare = |&(ticks, reference_ticks)| ClockComparison {
                    reference: 0,
                    ticks,
                    reference_ticks,
                    round_trip: 2,
                    exchanges: 100,
                };
                thread.compare_clocks(&self.clocks.iter().map(compare).collect::<Vec<_>>());
            }
            // Without an index, a missing block is found as one.
            thread.killed();
        }
        builder.write(directory).unwrap();
        if let Some((thread, block)) = self.lost {
            lose_block(directory, thread, block);
        }
        let experiment = Experiment::open(directory).unwrap();
        if !self.clocks.is_empty() && count > 1 {
            assert!(experiment.clocks().correction(count - 1).is_some());
        }
        experiment
    }
}

/// Takes a block out of the middle of a stream, unless a definition depends on it.
fn lose_block(directory: &Path, thread: usize, block: usize) {
    let path = directory.join(format!("streams/thread-{thread:04}.pgt"));
    let experiment = Experiment::open(directory).unwrap();
    let Some(stream) = experiment.streams().get(thread) else {
        return;
    };
    let Some(lost) = stream.blocks().get(block) else {
        return;
    };
    let whole = std::fs::read(&path).unwrap();
    let (from, to) = (lost.offset, lost.offset + lost.stored_bytes());
    let rest = [&whole[..from as usize], &whole[to as usize..]].concat();
    std::fs::write(&path, rest).unwrap();
}
