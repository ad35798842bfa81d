//! Phases: the iterations of the program, found from its structure, and how each metric develops over them.
//!
//! Synchronisations in which all threads wait for all divide the run into segments, the same on every thread. Where a
//! synchronisation at one call path recurs and most of what lies between is alike, there is a loop, and its
//! iterations are known. While the trace is read, every such synchronisation has a candidate (`candidate.rs`); which of
//! them are loops worth reporting is decided at the end (`choice.rs`).
//!
//! Memory is bounded by threads and call paths: for each of at most 64 candidates some 300 KB of sums, and 17 numbers
//! for each thread and for each call path at which threads computed or waited; besides, what is known of segments
//! within one stretch of time that is read at once. Nothing depends on how far the threads are read at a time.

pub(crate) mod calls;
mod candidate;
mod choice;
mod details;
mod durations;
mod growth;
mod locks;
mod marks;
mod parts;
mod quantities;
mod segment;
mod series;
mod shape;
mod signatures;
mod statistics;
mod summary;
pub(crate) mod throttling;
mod timeline;

use std::collections::VecDeque;

use pgas_earl::{BarrierInstance, CollectiveInstance, CollectiveRecord};

pub use growth::Growth;
pub(crate) use summary::loops;

use crate::claims::Claims;
use crate::class::Class;
use crate::paths::CallPaths;
use crate::replay::steps::Steps;
use calls::{Calls, Mark};
use locks::LockTimes;
use parts::{Met, Parts};
use segment::{Builder, Lost, Segment, Synchronisation};
use timeline::Timeline;

/// How many instances of a kind all threads have passed, those included that not all threads have a record of; and
/// whether there can be no more.
#[derive(Debug, Clone, Copy)]
pub struct Passed {
    pub count: u64,
    pub exhausted: bool,
}

/// What comes next in the program.
#[derive(Debug)]
enum Next {
    /// All threads waited for all.
    Full(Synchronisation),
    /// They did not; what they lost belongs to the segment around.
    Partial(Vec<Lost>),
    /// Some thread has no record of what happened here.
    Gap,
}

/// What comes next in the program, but may still lack what was lost to locks.
#[derive(Debug)]
enum Unfinished {
    Segment(Segment),
    Gap,
}

/// Finds the iterations of a program while its trace is read.
#[derive(Debug)]
pub struct Phases {
    builder: Builder,
    parts: Parts,
    locks: LockTimes,
    /// Position of the next synchronisation.
    position: u64,
    /// What all threads have passed since the latest `advance`; the patterns are being applied to the last of it.
    passed: Vec<Next>,
    /// Lost in operations in which not all wait for all, since the latest segment.
    lost_between: Vec<Lost>,
    unfinished: VecDeque<Unfinished>,
    /// Number of the first segment that is unfinished.
    number: u64,
    timeline: Timeline,
    calls: Calls,
    /// Nothing that comes now can be matched.
    stopped: bool,
}

impl Phases {
    pub fn new(threads: usize) -> Self {
        Phases {
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

    /// A thread left a collective operation; its steps come next.
    pub fn collective_record(&mut self, thread: usize, record: &CollectiveRecord) {
        if !self.stopped {
            self.parts
                .collective(thread, segment::waits_for_all(record));
        }
    }

    /// Takes what a thread has said about its calls.
    pub fn marks(&mut self, thread: usize, marks: &mut Vec<Mark>, paths: &CallPaths) {
        self.calls.take(thread, marks, paths);
    }

    /// Takes what a thread did.
    pub fn steps(&mut self, thread: usize, steps: &Steps) {
        self.calls.steps(thread, steps);
        if self.stopped {
            return;
        }
        let locks = &mut self.locks;
        self.parts.take(thread, steps, |met| match met {
            Met::Gap => locks.skipped(),
            Met::Left(_, time, true) => locks.left(thread, time),
            Met::Left(..) => {}
        });
    }

    /// All threads have left a barrier, to which the patterns are applied next.
    pub fn barrier(&mut self, position: Option<u64>, barrier: &BarrierInstance) {
        self.pass(position, || Next::Full(Synchronisation::barrier(barrier)));
    }

    /// All threads have left a collective operation, to which the patterns are applied next.
    pub fn collective(&mut self, position: Option<u64>, instance: &CollectiveInstance) {
        self.pass(position, || match Synchronisation::collective(instance) {
            Some(full) => Next::Full(full),
            None => Next::Partial(Vec::new()),
        });
    }

    /// Nobody knows what happened here.
    pub fn gap(&mut self) {
        if !self.stopped {
            self.passed.push(Next::Gap);
        }
    }

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

    /// Takes what a pattern has charged, in operations of a class.
    pub fn charged(&mut self, pattern: usize, claims: &Claims, class: Class) {
        self.calls.charged(pattern, claims, class);
        for charge in claims.charges() {
            let lost = Lost {
                pattern,
                path: charge.path,
                ticks: charge.ticks,
            };
            match class == Class::Lock {
                true => self.locks.lost(charge.thread, charge.begin, lost),
                false => match self.passed.last_mut() {
                    Some(Next::Full(end)) => segment::merge(&mut end.lost, lost),
                    Some(Next::Partial(known)) => segment::merge(known, lost),
                    Some(Next::Gap) | None => {}
                },
            }
        }
    }

    /// Everything that all threads have passed was taken; with `is_over` nothing comes any more. No lock that was taken
    /// before `settled` (ticks) comes any more.
    pub fn advance(&mut self, settled: u64, is_over: bool, paths: &CallPaths) {
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
        if !self.stopped && is_over {
            self.stopped = true;
            self.parts.clear();
        }
        self.finish_segments(settled);
    }

    /// As [`Calls::settle`] says.
    pub fn settle(&mut self, settled: u64, barriers: Passed, collectives: Passed) {
        self.calls.settle(settled, barriers, collectives);
    }

    /// Calls of functions and regions, of all threads.
    pub(crate) fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Passes on what lacks nothing any more.
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

    /// Whether it is known to which iterations the waiting for locks belongs.
    fn knows_locks(&self) -> bool {
        self.locks.is_complete()
    }
}
