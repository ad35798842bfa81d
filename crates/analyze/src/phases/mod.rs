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
mod order;
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
pub use order::Passed;
pub(crate) use summary::loops;

use crate::claims::Claims;
use crate::class::Class;
use crate::paths::CallPaths;
use crate::replay::steps::Steps;
use calls::{Calls, Mark};
use locks::LockTimes;
use order::{Instance, Next, ProgramOrder};
use parts::{Met, Parts};
use segment::{Builder, Lost, Segment, Synchronisation};
use timeline::Timeline;

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
    order: ProgramOrder,
    locks: LockTimes,
    /// What the patterns are being applied to.
    lost: Vec<Lost>,
    current: Option<Current>,
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

/// An instance to which the patterns are being applied.
#[derive(Debug)]
enum Current {
    Barrier(Synchronisation),
    /// By number, if not all wait for all in it.
    Collective(u64, Option<Synchronisation>),
}

impl Phases {
    pub fn new(threads: usize) -> Self {
        Phases {
            builder: Builder::default(),
            parts: Parts::new(threads),
            order: ProgramOrder::default(),
            locks: LockTimes::new(threads),
            lost: Vec::new(),
            current: None,
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

    /// Takes what a thread did. The first one knows the order of the program.
    pub fn steps(&mut self, thread: usize, steps: &Steps) {
        self.calls.steps(thread, steps);
        if self.stopped {
            return;
        }
        let (order, locks) = (&mut self.order, &mut self.locks);
        self.parts.take(thread, steps, |met| match met {
            Met::Gap => {
                locks.skipped();
                if thread == 0 {
                    order.gap();
                }
            }
            Met::Left(instance, time, full) => {
                if full {
                    locks.left(thread, time);
                }
                if thread == 0 {
                    order.expect(instance);
                }
            }
        });
    }

    /// All threads have left a barrier, to which the patterns are applied next.
    pub fn barrier(&mut self, barrier: &BarrierInstance) {
        self.finish_current();
        if !self.stopped {
            self.current = Some(Current::Barrier(Synchronisation::barrier(barrier)));
        }
    }

    /// All threads have left a collective operation, to which the patterns are applied next.
    pub fn collective(&mut self, instance: &CollectiveInstance) {
        self.finish_current();
        if !self.stopped {
            let full = Synchronisation::collective(instance);
            self.current = Some(Current::Collective(instance.number, full));
        }
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
                false => segment::merge(&mut self.lost, lost),
            }
        }
    }

    fn finish_current(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        match self.current.take() {
            Some(Current::Barrier(mut full)) => {
                full.lost = lost;
                self.order.barrier(full.instance.1, Instance::Full(full));
            }
            Some(Current::Collective(number, Some(mut full))) => {
                full.lost = lost;
                self.order.collective(number, Instance::Full(full));
            }
            Some(Current::Collective(number, None)) => {
                self.order.collective(number, Instance::Partial(lost));
            }
            None => {}
        }
    }

    /// Everything that all threads have passed was taken. No lock that was taken before `settled` (ticks) comes any more.
    pub fn advance(
        &mut self,
        settled: u64,
        barriers: Passed,
        collectives: Passed,
        paths: &CallPaths,
    ) {
        self.finish_current();
        while let Some(next) = self.order.next(barriers, collectives) {
            match next {
                Next::Gap => self.unfinished.push_back(Unfinished::Gap),
                Next::Instance(Instance::Partial(lost)) => {
                    for lost in lost {
                        segment::merge(&mut self.lost_between, lost);
                    }
                }
                Next::Instance(Instance::Full(end)) => {
                    let mut segment = self.builder.segment(end, &mut self.parts, paths);
                    for lost in self.lost_between.drain(..) {
                        segment::merge(&mut segment.lost, lost);
                    }
                    self.unfinished.push_back(Unfinished::Segment(segment));
                }
            }
        }
        // Where threads disagree or one of them ends, iterations are known up to there.
        if !self.stopped && self.order.is_over(barriers, collectives) {
            self.stopped = true;
            self.order.clear();
            self.parts.clear();
        }
        self.finish_segments(settled);
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
