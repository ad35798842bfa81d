//! The marks of one thread, until all waiting before them is known. A wait belongs to the time
//! between the two marks around its begin: a thread is in no call's end while it waits.

use std::collections::VecDeque;

use pgas_earl::Matched;
use rustc_hash::FxHashMap;

use crate::detectors::Passed;
use crate::detectors::iterations::quantities;
use crate::model::steps::{StepKind, Steps};
use crate::threads::calls::{FEW_MARKS, MarkKind};

/// A mark, and what was lost between it and the next one.
#[derive(Debug)]
struct Pending {
    candidate: u32,
    time: u64,
    kind: MarkKind,
    /// By pattern: ticks; only those that are not zero.
    lost_after: Vec<(usize, u64)>,
}

/// A mark before which everything is known.
#[derive(Debug)]
pub(super) struct Settled<'a> {
    pub candidate: u32,
    /// Ticks.
    pub time: u64,
    pub kind: &'a MarkKind,
    /// By pattern: ticks lost since the mark before it of the same candidate.
    pub lost: &'a [u64],
    /// The same candidate's states, which this mark changes.
    pub open: &'a mut Open,
}

/// State of a candidate at its latest mark.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// By pattern: ticks that the thread had lost since its begin.
    lost: Vec<u64>,
    /// Ticks of computation since the first call began: in all, and at the latest call that is a
    /// multiple of 2, of 4, ...
    pub computation: u64,
    pub at_multiple: Vec<u64>,
}

#[derive(Debug)]
pub(super) struct Lane {
    pending: VecDeque<Pending>,
    /// By pattern: ticks lost before the first mark that is pending.
    lost: Vec<u64>,
    open: FxHashMap<u32, Open>,
    /// Operations that the thread has come to and that are not judged: which, and when (ticks).
    arrivals: VecDeque<(Matched, u64, u64)>,
    /// Room for differences.
    difference: Vec<u64>,
}

impl Default for Lane {
    fn default() -> Self {
        Lane {
            pending: VecDeque::new(),
            lost: vec![0; quantities::losses()],
            open: FxHashMap::default(),
            arrivals: VecDeque::new(),
            difference: vec![0; quantities::losses()],
        }
    }
}

impl Lane {
    pub fn mark(&mut self, candidate: u32, time: u64, kind: MarkKind) {
        self.pending.push_back(Pending {
            candidate,
            time,
            kind,
            lost_after: Vec::new(),
        });
    }

    pub fn steps(&mut self, steps: &Steps) {
        for step in &steps.steps {
            if let StepKind::Arrive(matched, number) = step.kind {
                self.arrivals.push_back((matched, number, step.time));
            }
        }
    }

    /// The thread lost `ticks` to a pattern (or otherwise, see [`quantities::losses`]) from `begin`
    /// (ticks) on.
    pub fn lost(&mut self, pattern: usize, begin: u64, ticks: u64) {
        let before = match self.pending.back() {
            None => 0,
            Some(last) if last.time <= begin => self.pending.len(),
            Some(_) => self.pending.partition_point(|mark| mark.time <= begin),
        };
        let sum = match before.checked_sub(1) {
            None => &mut self.lost[pattern],
            Some(place) => {
                let lost = &mut self.pending[place].lost_after;
                let known = lost.iter().position(|&(known, _)| known == pattern);
                let known = known.unwrap_or_else(|| {
                    lost.push((pattern, 0));
                    lost.len() - 1
                });
                &mut lost[known].1
            }
        };
        *sum = sum.wrapping_add(ticks);
    }

    /// Takes the marks before which all waiting is known: no lock that was taken before `settled`
    /// (ticks) comes any more, nor an operation that all threads have passed.
    pub fn settle(
        &mut self,
        settled: u64,
        barriers: Passed,
        collectives: Passed,
        mut take: impl FnMut(Settled),
    ) {
        let is_judged = |&(matched, number, _): &(Matched, u64, u64)| {
            let passed = match matched {
                Matched::Barrier => barriers,
                Matched::Collective => collectives,
            };
            passed.exhausted || number < passed.count
        };
        while self.arrivals.front().is_some_and(is_judged) {
            self.arrivals.pop_front();
        }
        // At the end, nothing is judged any more.
        let arrival = self.arrivals.front().map_or(u64::MAX, |arrival| arrival.2);
        let settled = match settled {
            u64::MAX => u64::MAX,
            settled => settled.min(arrival),
        };
        while self
            .pending
            .front()
            .is_some_and(|mark| mark.time <= settled)
        {
            let Some(mark) = self.pending.pop_front() else {
                break;
            };
            let open = self.open.entry(mark.candidate).or_default();
            open.lost.resize(quantities::losses(), 0);
            let sums = self.difference.iter_mut().zip(&self.lost);
            for ((difference, now), before) in sums.zip(&mut open.lost) {
                *difference = now.wrapping_sub(*before);
                *before = *now;
            }
            take(Settled {
                candidate: mark.candidate,
                time: mark.time,
                kind: &mark.kind,
                lost: &self.difference,
                open,
            });
            if matches!(mark.kind, MarkKind::Dropped) {
                self.open.remove(&mark.candidate);
            }
            for (pattern, ticks) in mark.lost_after {
                self.lost[pattern] = self.lost[pattern].wrapping_add(ticks);
            }
        }
        let kept = self.pending.len().max(FEW_MARKS);
        if self.pending.capacity() > 4 * kept {
            self.pending.shrink_to(kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(count: u64) -> Passed {
        Passed {
            count,
            exhausted: false,
        }
    }

    fn settle(lane: &mut Lane, settled: u64, barriers: u64) -> Vec<(u64, u64)> {
        let mut taken = Vec::new();
        lane.settle(settled, passed(barriers), passed(0), |mark| {
            taken.push((mark.time, mark.lost[0]));
        });
        taken
    }

    #[test]
    fn a_wait_belongs_to_the_marks_around_its_begin() {
        let mut lane = Lane::default();
        lane.lost(0, 5, 1);
        for time in [10, 20, 30] {
            lane.mark(0, time, MarkKind::Begun);
        }
        lane.lost(0, 29, 16);
        lane.lost(0, 10, 4);
        lane.lost(0, 9, 2);
        assert_eq!(settle(&mut lane, 19, 0), [(10, 3)]);
        lane.lost(0, 20, 32);
        lane.lost(0, 19, 8);
        assert_eq!(settle(&mut lane, 30, 0), [(20, 12), (30, 48)]);
    }

    #[test]
    fn marks_behind_what_is_not_judged_are_not_settled() {
        let mut lane = Lane::default();
        let mut steps = Steps::default();
        for (number, time) in [(0, 15), (1, 25)] {
            steps.push(time, StepKind::Arrive(Matched::Barrier, number), &[]);
        }
        lane.steps(&steps);
        for time in [10, 20, 30] {
            lane.mark(0, time, MarkKind::Begun);
        }
        assert_eq!(settle(&mut lane, 100, 0), [(10, 0)]);
        lane.lost(0, 15, 4);
        assert_eq!(settle(&mut lane, 100, 1), [(20, 4)]);
        assert_eq!(settle(&mut lane, u64::MAX, 1), [(30, 0)]);
    }
}
