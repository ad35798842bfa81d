//! Programs as the steps that their threads take, and the advice on them in short.

use pgas_analyze::Analysis;
use pgas_earl::StreamBuilder;
use pgas_result::synchronization::AdviceKind;
use pgas_trace::model::{Attributes, Operation, SyncMode};

use crate::common::{FILE, analyse, collective, lock};

/// One step of a thread.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// At a line.
    Barrier(u32),
    /// A barrier in two halves, and the steps between.
    Split(u32, Vec<Step>),
    Collective(u32, Operation, SyncMode, SyncMode),
    /// A read of the next thread's data.
    Remote,
    /// A write of the thread's own data.
    Own,
    Critical,
    Allocate,
    Free,
    Fence,
    /// Recording was off for a while, in which this number of barriers was passed.
    Off(u64),
    /// The thread computes for this number of ticks.
    Compute(u64),
}
use Step::*;

/// The streams of threads that take their steps at the same time. A synchronisation takes a tick,
/// the rest none.
pub fn program(threads: usize, steps: impl Fn(usize) -> Vec<Step>) -> Vec<StreamBuilder> {
    let stream = |thread| {
        let mut stream = StreamBuilder::new();
        let mut now = 0;
        stream.call(now, "main", FILE, 1);
        for step in steps(thread) {
            take(&mut stream, &mut now, thread, threads, &step);
        }
        stream.leave(now);
        stream
    };
    (0..threads).map(stream).collect()
}

pub fn take(stream: &mut StreamBuilder, now: &mut u64, thread: usize, threads: usize, step: &Step) {
    let next = ((thread + 1) % threads) as u32;
    match step {
        Barrier(line) => {
            stream.operation(*now, *now + 1, Operation::Barrier, FILE, *line);
            *now += 1;
        }
        Split(line, between) => {
            stream.operation(*now, *now, Operation::Notify, FILE, *line);
            for step in between {
                take(stream, now, thread, threads, step);
            }
            stream.operation(*now, *now + 1, Operation::Wait, FILE, *line + 10);
            *now += 1;
        }
        Collective(line, operation, sync_in, sync_out) => {
            stream.begin(*now, *operation, FILE, *line, Attributes::None);
            *now += 1;
            stream.exit(*now, collective(None, *sync_in, *sync_out));
        }
        Remote => {
            let from = Attributes::transfer(next, 8);
            stream
                .begin(*now, Operation::Get, FILE, 90, from)
                .leave(*now);
        }
        Own => {
            let to = Attributes::transfer(thread as u32, 8);
            stream.begin(*now, Operation::Put, FILE, 91, to).leave(*now);
        }
        Critical => {
            stream
                .begin(*now, Operation::Lock, FILE, 92, lock(thread as u64))
                .leave(*now);
            stream
                .begin(*now, Operation::Unlock, FILE, 93, lock(thread as u64))
                .leave(*now);
        }
        Allocate => {
            let bytes = Attributes::Allocation { bytes: 64 };
            stream
                .begin(*now, Operation::Alloc, FILE, 94, bytes)
                .leave(*now);
        }
        Free => {
            stream.operation(*now, *now, Operation::Free, FILE, 95);
        }
        Fence => {
            stream.operation(*now, *now, Operation::Fence, FILE, 96);
        }
        Off(barriers) => {
            stream.begin(*now, Operation::MeasurementStall, "", 0, Attributes::None);
            let skipped = Attributes::Skipped {
                barriers: *barriers,
                collectives: 0,
            };
            stream.exit(*now, skipped);
            *now += barriers;
        }
        Compute(ticks) => {
            *now += ticks;
        }
    }
}

/// All advice: kind, line, flag that is enough, line of the barrier that it rests on, instances.
pub type Advice = (AdviceKind, u32, Option<String>, Option<u32>, u64);

pub fn advice(analysis: &Analysis) -> Vec<Advice> {
    let line = |path: usize| analysis.cube.call_paths[path].line;
    let all = analysis
        .summary
        .synchronization
        .iter()
        .flat_map(|s| &s.advice);
    let mut all: Vec<Advice> = all
        .map(|a| {
            let barrier = a.barrier.map(line);
            (
                a.kind,
                line(a.call_path),
                a.enough.clone(),
                barrier,
                a.instances,
            )
        })
        .collect();
    all.sort_by_key(|advice| (advice.1, advice.2.clone()));
    all
}

/// The advice on a program of three threads that all take the same steps.
pub fn of(steps: &[Step]) -> Vec<Advice> {
    advice(&analyse(&program(3, |_| steps.to_vec())))
}

pub fn entry(line: u32, enough: &str, barrier: Option<u32>, instances: u64) -> Advice {
    let enough = Some(format!("UPC_IN_{enough}"));
    (AdviceKind::WeakerEntry, line, enough, barrier, instances)
}

pub fn exit(line: u32, enough: &str, barrier: Option<u32>, instances: u64) -> Advice {
    let enough = Some(format!("UPC_OUT_{enough}"));
    (AdviceKind::WeakerExit, line, enough, barrier, instances)
}

pub const REDUCE: Operation = Operation::Reduce;
