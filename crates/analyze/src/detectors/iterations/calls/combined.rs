//! The calls of all threads put together: what the k-th calls of a path, up to the next mark, cost
//! on all threads.
//!
//! Threads need not keep step with each other: whoever comes to a mark adds its part, whatever
//! others have done by then.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::lane::{Lane, Open, Settled};
use crate::detectors::Progress;
use crate::detectors::iterations::quantities::{self, DURATION, Quantities, TIME};
use crate::detectors::wait_states::attribution::Attribution;
use crate::model::paths::CallPaths;
use crate::model::steps::Steps;
use crate::model::time_class::Class;
use crate::threads::calls::{FEW_MARKS, Mark, MarkKind, SINGLE, place};

/// Call paths of functions and regions, at most; if there are more, none of them is a loop.
const PATHS: usize = 1 << 16;

/// From one mark to the next, on all threads that have come to it. The duration is the sum over
/// threads.
#[derive(Debug, Clone)]
pub(super) struct Interval {
    pub sums: Quantities,
    /// Ticks at which the first thread began with it.
    pub begin: u64,
    /// Ticks at which the last thread was through with it.
    pub end: u64,
}

/// The thread that computed longest, and its ticks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Longest {
    pub ticks: u64,
    pub thread: ThreadId,
    /// Of all threads.
    pub sum: u64,
}

impl Longest {
    /// By how much it is longer than the mean of `threads` threads, times their number.
    pub fn excess(&self, threads: u64) -> u64 {
        self.ticks.wrapping_mul(threads).saturating_sub(self.sum)
    }
}

/// One call path of a function or region.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    pub intervals: Vec<Interval>,
    /// For 1, 2, 4, ... calls in a row, and there by number: who computed longest. Of each, as
    /// many as a series has bins.
    pub longest: Vec<Vec<Longest>>,
    /// Some thread does not follow it any more.
    dropped: bool,
}

/// Calls of functions and regions while the threads are read. Paths are common ones.
#[derive(Debug)]
pub(crate) struct Calls {
    lanes: Vec<Lane>,
    candidates: Vec<Candidate>,
    numbers: FxHashMap<PathId, u32>,
}

impl Calls {
    pub fn new(threads: usize) -> Self {
        Calls {
            lanes: (0..threads).map(|_| Lane::default()).collect(),
            candidates: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// Takes what a thread has said about its calls.
    pub fn take(&mut self, thread: usize, marks: &mut Vec<Mark>, paths: &CallPaths) {
        let kept = marks.len().max(FEW_MARKS);
        for mark in marks.drain(..) {
            let path = paths.translate(thread, mark.path);
            let next = self.candidates.len() as u32;
            let number = *self.numbers.entry(path).or_insert(next);
            if number == next {
                self.candidates.push(Candidate::default());
            }
            self.lanes[thread].mark(number, mark.time, mark.kind);
        }
        // The first calls are marks one by one; of a thousand threads, the room for that is not
        // kept.
        if marks.capacity() > 4 * kept {
            marks.shrink_to(kept);
        }
    }

    /// Takes a thread's steps.
    pub fn steps(&mut self, thread: usize, steps: &Steps) {
        self.lanes[thread].steps(steps);
    }

    /// Takes what a pattern has charged in operations of a class.
    pub fn charged(&mut self, pattern: usize, attribution: &Attribution, class: Class) {
        for charge in attribution.charges() {
            let lane = &mut self.lanes[charge.thread as usize];
            lane.lost(pattern, charge.begin, charge.ticks);
            if quantities::is_no_core(pattern) {
                lane.lost(quantities::no_core_in(class), charge.begin, charge.ticks);
            }
        }
    }

    /// As [`Lane::settle`] says.
    pub fn settle(&mut self, progress: &Progress) {
        let Progress {
            settled,
            barriers,
            collectives,
            ..
        } = *progress;
        let candidates = &mut self.candidates;
        for (thread, lane) in self.lanes.iter_mut().enumerate() {
            lane.settle(settled, barriers, collectives, |mark| {
                candidates[mark.candidate as usize].take(thread as ThreadId, mark);
            });
        }
    }

    /// Of a call path that every thread has followed to the end.
    pub(super) fn candidate(&self, path: PathId) -> Option<&Candidate> {
        let number = *self.numbers.get(&path)?;
        let candidate = &self.candidates[number as usize];
        (!candidate.dropped && self.candidates.len() <= PATHS).then_some(candidate)
    }
}

impl Candidate {
    fn take(&mut self, thread: ThreadId, mark: Settled) {
        if self.dropped {
            return;
        }
        match *mark.kind {
            MarkKind::Begun => {}
            MarkKind::Dropped => {
                *self = Candidate {
                    dropped: true,
                    ..Candidate::default()
                }
            }
            MarkKind::Passed {
                calls,
                ticks,
                ref classes,
            } => {
                let interval = self.interval(calls);
                interval.begin = interval.begin.min(mark.time.saturating_sub(ticks));
                interval.end = interval.end.max(mark.time);
                let sum = |sum: &mut u64, ticks: u64| *sum = sum.wrapping_add(ticks);
                sum(&mut interval.sums[DURATION], ticks);
                let all = classes.iter().fold(0, |sum: u64, &t| sum.wrapping_add(t));
                sum(&mut interval.sums[TIME], all);
                let (of_class, of_pattern) = quantities::classes_and_patterns(&mut interval.sums);
                quantities::add(of_class, classes);
                quantities::add(of_pattern, mark.lost);
                quantities::move_no_core(of_class, mark.lost);
                let computed = classes[Class::Computation.number()];
                self.rank(thread, calls, computed, mark.open);
            }
        }
    }

    fn interval(&mut self, mark: u64) -> &mut Interval {
        let place = place(mark);
        if place >= self.intervals.len() {
            let none = Interval {
                sums: quantities::none(),
                begin: u64::MAX,
                end: 0,
            };
            self.intervals.resize(place + 1, none);
        }
        &mut self.intervals[place]
    }

    /// Notes what a thread computed in the latest 1, 2, 4, ... calls, where `calls` is a multiple
    /// of that.
    fn rank(&mut self, thread: ThreadId, calls: u64, computed: u64, open: &mut Open) {
        open.computation = open.computation.wrapping_add(computed);
        for level in 0..=calls.trailing_zeros() as usize {
            if open.at_multiple.len() == level {
                open.at_multiple.push(0);
            }
            let before = std::mem::replace(&mut open.at_multiple[level], open.computation);
            let number = ((calls >> level) - 1) as usize;
            if number >= SINGLE as usize {
                continue;
            }
            if self.longest.len() <= level {
                self.longest.resize(level + 1, Vec::new());
            }
            let longest = &mut self.longest[level];
            if longest.len() <= number {
                longest.resize(number + 1, Longest::default());
            }
            let longest = &mut longest[number];
            let ticks = open.computation.wrapping_sub(before);
            longest.sum = longest.sum.wrapping_add(ticks);
            let is_first = ticks == longest.ticks && thread < longest.thread;
            if ticks > longest.ticks || is_first {
                (longest.ticks, longest.thread) = (ticks, thread);
            }
        }
    }
}
