//! Recent holders of each lock: the threads for which others waited.
//!
//! A lock's holders are kept for as long as a thread may still be found that waited for them, the
//! last [`MOST_HOLDERS`] at most. Of a longer queue the time before is not explained.

use std::collections::VecDeque;

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::stretches::StretchId;
use super::what_if::Kept;

const MOST_HOLDERS: usize = 128;
/// Holders of all locks below which it is not worth while to look for some that can go.
const FEW_HOLDERS: usize = 4096;

/// A thread that had a lock. Times are ticks.
#[derive(Debug)]
pub struct Holder {
    pub thread: ThreadId,
    /// Number of its release.
    pub number: u64,
    /// When it began to ask for the lock.
    pub asked: u64,
    /// When it began to give it back.
    pub released: u64,
    /// Call path of the `upc_unlock`.
    pub path: PathId,
    /// Where its chain was then, if somebody may wait for that.
    pub stretch: Option<StretchId>,
    /// State that the next holder of the lock depends on.
    pub kept: Option<Kept>,
}

/// Holders of all locks, each in the order of its releases.
#[derive(Debug, Default)]
pub struct Holders {
    locks: FxHashMap<u64, VecDeque<Holder>>,
    /// How many there are, and after the last time that some were dropped.
    count: usize,
    kept: usize,
}

impl Holders {
    /// Adds the next holder of a lock.
    pub fn add(&mut self, lock: u64, holder: Holder, unneeded: &mut Vec<StretchId>) {
        let holders = self.locks.entry(lock).or_default();
        holders.push_back(holder);
        self.count += 1;
        if holders.len() > MOST_HOLDERS {
            unneeded.extend(holders.pop_front().and_then(|holder| holder.stretch));
            self.count -= 1;
        }
    }

    /// Holders of the lock up to a release, latest first.
    pub fn before(
        &self,
        lock: u64,
        release: (ThreadId, u64),
    ) -> impl Iterator<Item = &Holder> + Clone {
        let holders = self.locks.get(&lock);
        let holders = holders.into_iter().flat_map(|holders| holders.iter().rev());
        holders.skip_while(move |holder| (holder.thread, holder.number) != release)
    }

    /// The stretch that was kept for a release, which is not kept any more.
    pub fn take_stretch(&mut self, lock: u64, release: (ThreadId, u64)) -> Option<StretchId> {
        let holders = self.locks.get_mut(&lock)?;
        let mut latest = holders.iter_mut().rev();
        let holder = latest.find(|holder| (holder.thread, holder.number) == release)?;
        holder.stretch.take()
    }

    /// State that was kept for the thread that has the lock after a release.
    pub fn take_kept(&mut self, lock: u64, release: (ThreadId, u64)) -> Option<Kept> {
        let holders = self.locks.get_mut(&lock)?;
        let mut latest = holders.iter_mut().rev();
        let holder = latest.find(|holder| (holder.thread, holder.number) == release)?;
        holder.kept.take()
    }

    /// Whether there are enough holders for [`Holders::forget`] to be worth while.
    pub fn are_many(&self) -> bool {
        self.count > FEW_HOLDERS && self.count > 2 * self.kept
    }

    /// Drops holders who gave their lock back before `time` (ticks): nobody will be found any more
    /// who waited for them.
    pub fn forget(&mut self, time: u64, unneeded: &mut Vec<StretchId>) {
        self.locks.retain(|_, holders| {
            while let Some(first) = holders.front().filter(|first| first.released <= time) {
                unneeded.extend(first.stretch);
                holders.pop_front();
            }
            !holders.is_empty()
        });
        self.count = self.locks.values().map(VecDeque::len).sum();
        self.kept = self.count;
    }
}
