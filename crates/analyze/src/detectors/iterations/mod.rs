//! Iterations of the program, found from its structure, and how each metric develops over them.
//!
//! Synchronisations in which all threads wait for all divide the run into segments, the same on
//! every thread. Where a synchronisation at one call path recurs and most of what lies between is
//! alike, there is a loop, and its iterations are known. While the trace is read, every such
//! synchronisation has a candidate (`candidate.rs`); which of them are loops worth reporting is
//! decided at the end (`choice.rs`).
//!
//! Memory is bounded by threads and call paths: for each of at most 64 candidates some 300 KB of
//! sums, and 17 numbers for each thread and for each call path at which threads computed or waited;
//! besides, the segments of one stretch of time that is read at once. Nothing depends on how far
//! the threads are read at a time.

pub(crate) mod calls;
mod candidate;
pub(crate) mod choice;
pub(crate) mod details;
pub(crate) mod durations;
mod locks;
mod parts;
pub(crate) mod quantities;
mod segment;
pub(crate) mod series;
pub(crate) mod shape;
pub(crate) mod statistics;
mod timeline;

use std::collections::VecDeque;

use pgas_earl::{Numbered, SyncEvent, SyncRecord};
use pgas_trace::Clocks;

use super::{Detector, Progress};
use crate::detectors::wait_states::attribution::Attribution;
use crate::model::paths::CallPaths;
use crate::model::time_class::Class;
use crate::threads::batch::{Batch, Instance};
use calls::Calls;
use locks::LockTimes;
use parts::{Met, Parts};
use segment::{Builder, Lost, Segment, Synchronisation};
use timeline::Timeline;

/// Next item of the program, in order: a synchronisation or a gap.
#[derive(Debug)]
enum Next {
    /// All threads waited for all.
    Full(Synchronisation),
    /// They did not; what they lost belongs to the segment around.
    Partial(Vec<Lost>),
    /// Some thread has no record of this part of the program.
    Gap,
}

/// Next item of the program, which may still lack the time lost to locks.
#[derive(Debug)]
enum Unfinished {
    Segment(Segment),
    Gap,
}

/// Finds the iterations of a program while its trace is read.
#[derive(Debug)]
pub struct Iterations {
    builder: Builder,
    parts: Parts,
    locks: LockTimes,
    /// Position of the next synchronisation.
    position: u64,
    /// Items that all threads have passed since the latest `advance`; the patterns are being
    /// applied to the last one.
    passed: Vec<Next>,
    /// Lost in operations in which not all wait for all, since the latest segment.
    lost_between: Vec<Lost>,
    unfinished: VecDeque<Unfinished>,
    /// Number of the first segment that is unfinished.
    number: u64,
    pub(crate) timeline: Timeline,
    calls: Calls,
    /// Nothing that comes now can be matched.
    stopped: bool,
}

impl Iterations {
    fn pass(&mut self, position: Option<u64>, next: impl FnOnce() -> Next) {
        let Some(position) = position.filter(|_| !self.stopped) else {
            return;
        };
        if position != self.position {
            self.passed.push(Next::Gap);
        }
        self.position = position + 1;
        self.passed.push(next());
    }

    /// Calls of functions and regions, of all threads.
    pub(crate) fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Passes on segments that lack nothing any more.
    fn finish_segments(&mut self, settled: u64) {
        let is_over = |segment: &Segment| segment.end < settled || settled == u64::MAX;
        while let Some(first) = self.unfinished.pop_front() {
            match first {
                Unfinished::Gap => self.timeline.gap(),
                Unfinished::Segment(mut segment) if is_over(&segment) => {
                    for lost in self.locks.take(self.number) {
                        segment::merge(&mut segment.lost, lost);
                    }
                    self.number += 1;
                    segment.count_lost(&self.builder);
                    self.timeline.push(segment);
                }
                segment => {
                    self.unfinished.push_front(segment);
                    break;
                }
            }
        }
        self.locks.settle(settled);
        if settled == u64::MAX {
            self.timeline.finish();
        }
    }

    /// Whether it is known to which iterations the waiting for locks and posts belongs.
    pub(crate) fn knows_locks(&self) -> bool {
        self.locks.is_complete()
    }
}

impl Detector for Iterations {
    fn new(threads: usize, _clocks: &Clocks) -> Self {
        Iterations {
            builder: Builder::default(),
            parts: Parts::new(threads),
            locks: LockTimes::new(threads),
            position: 0,
            passed: Vec::new(),
            lost_between: Vec::new(),
            unfinished: VecDeque::new(),
            number: 0,
            timeline: Timeline::default(),
            calls: Calls::new(threads),
            stopped: false,
        }
    }

    fn batch(&mut self, thread: usize, batch: &mut Batch, paths: &CallPaths) {
        self.calls.take(thread, &mut batch.marks, paths);
        let steps = &batch.steps;
        self.calls.steps(thread, steps);
        if self.stopped {
            return;
        }
        for next in &batch.synchronisations {
            if let Numbered::Record(SyncRecord::Collective(record), _) = next {
                let full = segment::waits_for_all(record);
                self.parts.collective(thread, full);
            }
        }
        let locks = &mut self.locks;
        self.parts.take(thread, steps, |met| match met {
            Met::Gap => locks.skipped(),
            Met::Left(_, time, true) => locks.left(thread, time),
            Met::Left(..) => {}
        });
    }

    fn instance(&mut self, instance: &Instance) {
        match &instance.event {
            SyncEvent::Barrier(barrier) => {
                let full = || Next::Full(Synchronisation::barrier(barrier));
                self.pass(instance.position, full);
            }
            SyncEvent::Collective(collective) => self.pass(instance.position, || {
                let full = Synchronisation::collective(collective);
                full.map_or_else(|| Next::Partial(Vec::new()), Next::Full)
            }),
            SyncEvent::Disagreement(_) if !self.stopped => self.passed.push(Next::Gap),
            SyncEvent::Disagreement(_) => {}
        }
    }

    fn attributed(&mut self, pattern: usize, attribution: &Attribution, class: Class) {
        self.calls.charged(pattern, attribution, class);
        for charge in attribution.charges() {
            let lost = Lost {
                pattern,
                path: charge.path,
                ticks: charge.ticks,
            };
            match attribution.is_of_some_threads() {
                true => self.locks.lost(charge.thread, charge.begin, lost),
                false => match self.passed.last_mut() {
                    Some(Next::Full(end)) => segment::merge(&mut end.lost, lost),
                    Some(Next::Partial(known)) => segment::merge(known, lost),
                    Some(Next::Gap) | None => {}
                },
            }
        }
    }

    fn advance(&mut self, progress: &Progress, paths: &CallPaths) {
        for next in self.passed.drain(..) {
            match next {
                Next::Gap => self.unfinished.push_back(Unfinished::Gap),
                Next::Partial(lost) => {
                    for lost in lost {
                        segment::merge(&mut self.lost_between, lost);
                    }
                }
                Next::Full(end) => {
                    let mut segment = self.builder.segment(end, &mut self.parts, paths);
                    for lost in self.lost_between.drain(..) {
                        segment::merge(&mut segment.lost, lost);
                    }
                    self.unfinished.push_back(Unfinished::Segment(segment));
                }
            }
        }
        // Where threads disagree or one of them ends, iterations are known up to there.
        let is_over = !progress.is_in_order || progress.barriers.exhausted;
        if !self.stopped && is_over {
            self.stopped = true;
            self.parts.clear();
        }
        self.finish_segments(progress.settled);
        self.calls.settle(progress);
    }
}
