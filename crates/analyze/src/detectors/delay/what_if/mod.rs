//! How much shorter the run would be if one loss were gone: the recorded dependences between
//! threads are replayed once more for each loss, all in one pass.
//!
//! For each loss and thread we keep the gain: how much earlier the thread would be where it is now.
//! A piece of activity that the loss consists of adds to the gain. Where a thread depends on
//! others, it goes on when itself and all of these are there, so what remains of its gain is the
//! smallest of theirs, each with the time for which it was waited beyond it: this is where waiting
//! moves to another place, and a gain off the critical path ends. At the end, the run is shorter by
//! the gain of the thread that would then be last.
//!
//! Each loss is gone in one of these ways ([`Loss`]): an operation takes no time; the work at a
//! call path is divided evenly, so that each thread does the mean of it between two
//! synchronisations of all threads; threads come to an operation at the mean of their times; nobody
//! waits in an operation or for a lock any more.
//!
//! Locks are taken in the recorded order. Of operations in which not all threads wait for each
//! other, such as a broadcast, only those dependences count for which somebody waited. Both can
//! only make the gain larger: it is a bound.

mod gathered;
mod losses;

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

pub use self::gathered::Gathered;
use self::losses::Losses;
pub use self::losses::{Loss, PathClass};

/// Gains are in parts of a tick, so that means are exact enough and sums do not depend on their
/// order.
const PARTS: i64 = 16;

fn parts(ticks: u64) -> i64 {
    (ticks as i64).wrapping_mul(PARTS)
}

/// Where a thread was when it came to something, and its gains; those of losses that came up later
/// are 0.
#[derive(Debug, Default)]
pub struct Kept {
    /// Ticks.
    time: u64,
    gains: Vec<i64>,
}

/// State of one thread, by loss.
#[derive(Debug, Default)]
struct Lane {
    gains: Vec<i64>,
    /// Work so far that is divided evenly.
    work: Vec<i64>,
}

/// See the module.
#[derive(Debug)]
pub struct WhatIf {
    lanes: Vec<Lane>,
    losses: Losses,
    /// By loss: work of all threads up to the latest synchronisation of all, as far as it was
    /// divided.
    divided: Vec<i64>,
    /// By lock: the losses that are the waiting for it.
    locks: FxHashMap<u64, Vec<usize>>,
    ends: Gathered,
    spare: Vec<Vec<i64>>,
    /// Room for the losses of a synchronisation by call path, its waiting and its lateness, and
    /// for what they gain.
    special: Vec<(Option<usize>, Option<usize>)>,
    without: Vec<(usize, i64)>,
}

impl WhatIf {
    pub fn new(threads: usize) -> Self {
        WhatIf {
            lanes: (0..threads).map(|_| Lane::default()).collect(),
            losses: Losses::default(),
            divided: Vec::new(),
            locks: FxHashMap::default(),
            ends: Gathered::default(),
            spare: Vec::new(),
            special: Vec::new(),
            without: Vec::new(),
        }
    }

    /// Takes what the next call paths are, in the order of their numbers.
    pub fn learn(&mut self, classes: &mut Vec<PathClass>) {
        self.losses.learn(classes);
    }

    /// A thread did something, waiting not included.
    pub fn spend(&mut self, thread: ThreadId, activity: &[(PathId, u64)]) {
        let lane = &mut self.lanes[thread as usize];
        for &(path, ticks) in activity {
            if ticks == 0 {
                continue;
            }
            let time = self.losses.time(path);
            if let Some(column) = time.column {
                add(&mut lane.gains, column, parts(ticks));
                if time.is_work {
                    add(&mut lane.work, column, parts(ticks));
                }
            }
            // A barrier that is gone takes no time, either.
            if let Some(column) = time.with_barrier {
                add(&mut lane.gains, column, parts(ticks));
            }
        }
    }

    /// Where a thread is at `time` (ticks), for those that will depend on it.
    pub fn keep(&mut self, thread: ThreadId, time: u64) -> Kept {
        let mut gains = self.spare.pop().unwrap_or_default();
        gains.extend_from_slice(&self.lanes[thread as usize].gains);
        Kept { time, gains }
    }

    /// Takes memory back.
    pub fn drop_kept(&mut self, kept: Option<Kept>) {
        if let Some(mut kept) = kept {
            kept.gains.clear();
            self.spare.push(kept.gains);
        }
    }

    /// A thread comes to a synchronisation of all threads, at `time` (ticks).
    pub fn arrive(&mut self, thread: ThreadId, time: u64, gathered: &mut Gathered) {
        let lane = &self.lanes[thread as usize];
        gathered.add(thread, time, &lane.gains, &lane.work);
    }

    /// A thread that was ready at `ready` went on at `now` (both in ticks), since until then it
    /// waited for those that are kept. With `lock` it waited for that, or took it after them.
    pub fn follow<'k>(
        &mut self,
        thread: ThreadId,
        (ready, now): (u64, u64),
        kept: impl Iterator<Item = &'k Kept>,
        places: impl Iterator<Item = PathId>,
        lock: Option<u64>,
    ) {
        let mut free: Vec<usize> = places
            .filter_map(|path| self.losses.waiting(path))
            .collect();
        if let Some(lock) = lock {
            if !free.is_empty() {
                let known = self.locks.entry(lock).or_default();
                known.extend(
                    free.iter()
                        .copied()
                        .filter(|c| !known.contains(c))
                        .collect::<Vec<_>>(),
                );
            }
            free.clear();
            free.extend(self.locks.get(&lock).into_iter().flatten());
        }
        let count = self.losses.len();
        let lane = &mut self.lanes[thread as usize];
        lane.gains.resize(count, 0);
        let slack = parts(now.saturating_sub(ready));
        for gain in &mut lane.gains {
            *gain = gain.wrapping_add(slack);
        }
        let without: Vec<(usize, i64)> = free.iter().map(|&c| (c, lane.gains[c])).collect();
        for kept in kept {
            let slack = parts(now.saturating_sub(kept.time));
            let known = kept.gains.len();
            for (gain, other) in lane.gains.iter_mut().zip(&kept.gains) {
                *gain = (*gain).min(other.wrapping_add(slack));
            }
            for gain in lane.gains.iter_mut().skip(known) {
                *gain = (*gain).min(slack);
            }
        }
        for (column, gain) in without {
            lane.gains[column] = gain;
        }
        lane.settle();
    }

    /// The same for a thread that goes on from a synchronisation of all threads, at `places`.
    pub fn follow_all(
        &mut self,
        thread: ThreadId,
        (ready, now): (u64, u64),
        gathered: &mut Gathered,
        places: impl Iterator<Item = PathId> + Clone,
    ) {
        let threads = self.lanes.len() as i64;
        // So that no other loss comes up afterwards.
        let losses = &mut self.losses;
        self.special.clear();
        let special = places.map(|path| (losses.waiting(path), losses.lateness(path)));
        self.special.extend(special);
        gathered.divide(&mut self.divided, self.losses.len(), threads);
        let lane = &mut self.lanes[thread as usize];
        lane.gains.resize(self.losses.len(), 0);
        let slack = parts(now.saturating_sub(ready));
        let since = parts(now).wrapping_sub(parts(gathered.reference()));
        let (first, share) = (gathered.earliest(), gathered.shares());
        let mean = |column: usize| gathered.mean(column, threads).wrapping_add(since);
        self.without.clear();
        for &(waiting, lateness) in &self.special {
            let own = waiting.map(|column| (column, lane.gains[column].wrapping_add(slack)));
            self.without.extend(own);
            let others = lateness.map(|column| (column, mean(column)));
            self.without.extend(others);
        }
        let missing = gathered.earliest_of(0);
        for (column, gain) in lane.gains.iter_mut().enumerate() {
            let own = gain.wrapping_add(slack);
            let others = first.get(column).copied().unwrap_or(missing);
            let work = share.get(column).copied().unwrap_or(0);
            *gain = own.min(others.wrapping_add(since)).wrapping_sub(work);
        }
        for &(column, gain) in &self.without {
            lane.gains[column] = gain;
        }
        lane.settle();
    }

    /// A thread has ended, at `time` (ticks).
    pub fn end(&mut self, thread: ThreadId, time: u64) {
        let lane = &self.lanes[thread as usize];
        self.ends.add(thread, time, &lane.gains, &lane.work);
    }

    /// Ticks by which the run would be shorter, by loss.
    pub fn finish(mut self) -> FxHashMap<(Loss, PathId), f64> {
        let threads = self.lanes.len() as i64;
        let count = self.losses.len();
        self.ends.divide(&mut self.divided, count, threads);
        // How much earlier than the last thread's end the end of the run would be.
        let last = self.ends.earliest_of(0);
        let saved = |column: usize| {
            let earlier = self.ends.earliest_of(column).wrapping_sub(last);
            let work = self.ends.shares().get(column).copied().unwrap_or(0);
            earlier.wrapping_sub(work).max(0) as f64 / PARTS as f64
        };
        let all = self.losses.all();
        all.map(|(loss, path, column)| ((loss, path), saved(column)))
            .collect()
    }
}

impl Lane {
    /// Column 0 is the run as it was, of which nothing can be gained. It is not 0 where a thread
    /// went on later than it depended on anybody.
    fn settle(&mut self) {
        let Some(&base) = self.gains.first() else {
            return;
        };
        if base != 0 {
            for gain in &mut self.gains {
                *gain = gain.wrapping_sub(base);
            }
        }
    }
}

fn add(values: &mut Vec<i64>, column: usize, amount: i64) {
    if column >= values.len() {
        values.resize(column + 1, 0);
    }
    values[column] = values[column].wrapping_add(amount);
}
