//! Keeps the activity of each thread between two synchronisations of all threads until all have
//! left the second one.
//!
//! The activity is a list of call paths and their ticks. When the list since a thread's latest
//! synchronisation becomes long, entries of equal paths are merged.

use std::collections::VecDeque;

use pgas_earl::{Matched, PathId};

use crate::model::steps::{StepKind, Steps};

/// Entries of the latest part before equal call paths are put together.
const LONG: usize = 1024;

/// An instance that is matched by its number.
pub(crate) type Instance = (Matched, u64);

/// One thread's time from the exit of one synchronisation to the exit of the next.
#[derive(Debug, Clone, Copy)]
struct Part {
    instance: Instance,
    /// Ticks.
    end: u64,
    entries: usize,
}

#[derive(Debug)]
struct Lane {
    /// Of all parts, one after the other, and of the one that is not over yet.
    activity: VecDeque<(PathId, u64)>,
    parts: VecDeque<Part>,
    /// Entries of the part that is not over yet, and from how many on they are put together.
    open: usize,
    long: usize,
    /// Of collective operations whose exits are to come: whether all wait for all.
    full: VecDeque<bool>,
    /// Numbers of the barrier and the collective operation that come next.
    next_barrier: u64,
    next_collective: u64,
}

/// Instance or gap that a thread met at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Met {
    /// It has no record of some instances before this one.
    Gap,
    /// It left the instance at this time (ticks); all wait for all in it, or not.
    Left(Instance, u64, bool),
}

/// Parts of all threads.
#[derive(Debug)]
pub(crate) struct Parts {
    lanes: Vec<Lane>,
}

impl Parts {
    pub fn new(threads: usize) -> Self {
        let lane = || Lane {
            activity: VecDeque::new(),
            parts: VecDeque::new(),
            open: 0,
            long: LONG,
            full: VecDeque::new(),
            next_barrier: 0,
            next_collective: 0,
        };
        Parts {
            lanes: (0..threads).map(|_| lane()).collect(),
        }
    }

    /// States of the next collective operation that a thread leaves whether all wait for all in it.
    pub fn collective(&mut self, thread: usize, full: bool) {
        self.lanes[thread].full.push_back(full);
    }

    /// Takes a thread's steps; `met` receives the instances and gaps in them.
    pub fn take(&mut self, thread: usize, steps: &Steps, mut met: impl FnMut(Met)) {
        let lane = &mut self.lanes[thread];
        let mut activity = &steps.activity[..];
        for step in &steps.steps {
            let (own, rest) = activity.split_at((step.entries as usize).min(activity.len()));
            activity = rest;
            lane.spend(own);
            let StepKind::Leave(matched, number) = step.kind else {
                continue;
            };
            let (next, full) = match matched {
                Matched::Barrier => (&mut lane.next_barrier, true),
                Matched::Collective => {
                    let full = lane.full.pop_front().unwrap_or(false);
                    (&mut lane.next_collective, full)
                }
            };
            if number > *next {
                met(Met::Gap);
            }
            *next = number.saturating_add(1);
            if full {
                lane.end((matched, number), step.time);
            }
            met(Met::Left((matched, number), step.time, full));
        }
    }

    /// Each thread's time up to an instance, since the one before: thread, ticks at the end,
    /// activity.
    pub fn of(
        &self,
        instance: Instance,
    ) -> impl Iterator<Item = (usize, u64, impl Iterator<Item = (PathId, u64)> + '_)> + '_ {
        self.lanes
            .iter()
            .enumerate()
            .filter_map(move |(thread, lane)| {
                let (end, entries) = lane.until(instance)?;
                Some((thread, end, lane.activity.range(..entries).copied()))
            })
    }

    /// One thread's activity in it.
    pub fn of_thread(
        &self,
        instance: Instance,
        thread: usize,
    ) -> impl Iterator<Item = (PathId, u64)> + '_ {
        let lane = &self.lanes[thread];
        let entries = lane.until(instance).map_or(0, |(_, entries)| entries);
        lane.activity.range(..entries).copied()
    }

    /// Forgets everything up to an instance.
    pub fn pass(&mut self, instance: Instance) {
        for lane in &mut self.lanes {
            if let Some((_, entries)) = lane.until(instance) {
                lane.activity.drain(..entries);
                while let Some(part) = lane.parts.pop_front() {
                    if part.instance == instance {
                        break;
                    }
                }
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Parts::new(self.lanes.len());
    }
}

impl Lane {
    fn spend(&mut self, activity: &[(PathId, u64)]) {
        self.activity.extend(activity);
        self.open += activity.len();
        if self.open >= self.long {
            let tail = self.activity.len() - self.open;
            let mut spent: Vec<(PathId, u64)> = self.activity.drain(tail..).collect();
            spent.sort_unstable_by_key(|&(path, _)| path);
            spent.dedup_by(|later, first| {
                let same = later.0 == first.0;
                if same {
                    first.1 = first.1.wrapping_add(later.1);
                }
                same
            });
            self.open = spent.len();
            self.long = LONG.max(2 * self.open);
            self.activity.extend(spent);
        }
    }

    fn end(&mut self, instance: Instance, end: u64) {
        self.parts.push_back(Part {
            instance,
            end,
            entries: self.open,
        });
        self.open = 0;
        self.long = LONG;
    }

    /// Ticks at the exit from an instance, and how many entries lie before it.
    fn until(&self, instance: Instance) -> Option<(u64, usize)> {
        let mut entries = 0;
        for part in &self.parts {
            entries += part.entries;
            if part.instance == instance {
                return Some((part.end, entries));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_where_all_wait_for_all() {
        let path = |number| PathId(number);
        let mut steps = Steps::default();
        let leave = StepKind::Leave;
        steps.push(10, StepKind::Arrive(Matched::Barrier, 0), &[(path(1), 10)]);
        steps.push(14, leave(Matched::Barrier, 0), &[(path(2), 4)]);
        steps.push(20, leave(Matched::Collective, 0), &[(path(1), 6)]);
        steps.push(30, leave(Matched::Collective, 1), &[(path(3), 10)]);
        steps.push(40, leave(Matched::Barrier, 3), &[(path(1), 10)]);
        let mut parts = Parts::new(1);
        parts.collective(0, false);
        parts.collective(0, true);
        let mut met = Vec::new();
        parts.take(0, &steps, |m| met.push(m));
        assert_eq!(
            met,
            [
                Met::Left((Matched::Barrier, 0), 14, true),
                Met::Left((Matched::Collective, 0), 20, false),
                Met::Left((Matched::Collective, 1), 30, true),
                Met::Gap,
                Met::Left((Matched::Barrier, 3), 40, true),
            ]
        );
        let activity = |parts: &Parts, instance| -> Vec<(PathId, u64)> {
            parts.of_thread(instance, 0).collect()
        };
        let first = (Matched::Barrier, 0);
        assert_eq!(activity(&parts, first), [(path(1), 10), (path(2), 4)]);
        parts.pass(first);
        let second = (Matched::Collective, 1);
        assert_eq!(activity(&parts, second), [(path(1), 6), (path(3), 10)]);
        // Nothing is lost if an instance is left out.
        let last = (Matched::Barrier, 3);
        assert_eq!(activity(&parts, last).len(), 3);
        parts.pass(last);
        assert_eq!(parts.of(last).count(), 0);
    }

    #[test]
    fn a_long_part_has_each_call_path_once() {
        let mut parts = Parts::new(1);
        for time in 0..10_000u64 {
            let mut steps = Steps::default();
            let kind = StepKind::Begin;
            steps.push(time, kind, &[(PathId((time % 7) as u32), 1)]);
            parts.take(0, &steps, |_| {});
        }
        assert!(parts.lanes[0].activity.len() <= LONG);
        let sum: u64 = parts.lanes[0].activity.iter().map(|e| e.1).sum();
        assert_eq!(sum, 10_000);
    }
}
