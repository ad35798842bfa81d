//! The critical path, found forwards: every thread has a chain of stretches of activity that led to
//! where it is. When it has waited for another thread, its own chain before that did not matter,
//! and it goes on from the other's.
//!
//! The chains of all threads form a forest. A stretch that nothing descends from is dropped, one
//! with a single successor is merged into that; so there are at most about two stretches for each
//! thread and one for each moment that others may still turn out to have waited for, each with at
//! most one entry for each (call path, thread). At the end, the chain of the thread that ended last
//! is the critical path: D. Boehme, F. Wolf, B. de Supinski, M. Schulz, M. Geimer, "Scalable
//! Critical-Path Based Performance Analysis" (IPDPS 2012), who walk it backwards.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

/// Number of a stretch in its forest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StretchId(u32);

/// Entries for which a stretch that is not in use keeps room.
const LARGEST_KEPT: usize = 64;

/// Ticks by call path and thread.
#[derive(Debug, Default)]
struct Profile {
    /// Keys may repeat.
    entries: Vec<(PathId, ThreadId, u64)>,
    /// Entries at which repeated keys are put together.
    limit: usize,
}

impl Profile {
    fn add(&mut self, path: PathId, thread: ThreadId, ticks: u64) {
        if let Some(last) = self.entries.last_mut() {
            if (last.0, last.1) == (path, thread) {
                last.2 += ticks;
                return;
            }
        }
        self.entries.push((path, thread, ticks));
        self.condense();
    }

    /// `other` is empty afterwards.
    fn merge(&mut self, other: &mut Profile) {
        if other.entries.len() > self.entries.len() {
            std::mem::swap(self, other);
        }
        self.entries.append(&mut other.entries);
        self.condense();
        other.clear();
    }

    /// Keeps a small buffer for what comes next.
    fn clear(&mut self) {
        self.entries.clear();
        self.entries.shrink_to(LARGEST_KEPT);
        self.limit = 0;
    }

    fn condense(&mut self) {
        if self.entries.len() < self.limit.max(64) {
            return;
        }
        self.entries
            .sort_unstable_by_key(|&(path, thread, _)| (path, thread));
        self.entries.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        self.limit = 2 * self.entries.len();
    }
}

#[derive(Debug, Default)]
struct Stretch {
    parent: Option<u32>,
    thread: ThreadId,
    children: u32,
    /// All children's numbers, combined such that an only child's is left.
    child_bits: u32,
    /// How many outside keep it.
    holds: u32,
    /// How often the chain changed thread within what was merged into this.
    changes: u64,
    profile: Profile,
}

/// The critical path of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CriticalPath {
    /// Ticks by call path and thread; waiting is not on it.
    pub ticks: FxHashMap<(PathId, ThreadId), u64>,
    /// How often it goes from one thread to another.
    pub changes: u64,
    /// The thread that ended last, and when in ticks; `None` without events.
    pub end: Option<(ThreadId, u64)>,
}

/// The chains of all threads.
#[derive(Debug)]
pub struct Forest {
    stretches: Vec<Stretch>,
    free: Vec<u32>,
    roots: u32,
    root_bits: u32,
    /// Part that all chains have in common.
    shared: CriticalPath,
}

impl Forest {
    /// One empty chain for each thread, whose stretches have the numbers of the threads.
    pub fn new(threads: usize) -> (Self, Vec<StretchId>) {
        let mut forest = Forest {
            stretches: Vec::new(),
            free: Vec::new(),
            roots: 0,
            root_bits: 0,
            shared: CriticalPath::default(),
        };
        let tips = (0..threads).map(|thread| forest.add_stretch(None, thread as ThreadId));
        let tips = tips.collect();
        (forest, tips)
    }

    /// A thread spent time in the stretch at the end of its chain.
    #[inline]
    pub fn spend(&mut self, tip: StretchId, activity: &[(PathId, u64)]) {
        let stretch = &mut self.stretches[tip.0 as usize];
        for &(path, ticks) in activity {
            stretch.profile.add(path, stretch.thread, ticks);
        }
    }

    /// The thread whose chain ends in `tip` goes on in another stretch, which is returned; `tip`
    /// stays as it is for as long as the caller keeps it.
    pub fn keep(&mut self, tip: StretchId) -> StretchId {
        let thread = self.stretches[tip.0 as usize].thread;
        self.add_stretch(Some(tip.0), thread)
    }

    /// Another thread's chain goes on from the kept stretch `from`. Its own one, which ends in
    /// `tip`, is dropped.
    pub fn follow(&mut self, tip: StretchId, from: StretchId) -> StretchId {
        let thread = self.stretches[tip.0 as usize].thread;
        let next = self.add_stretch(Some(from.0), thread);
        self.release(tip);
        next
    }

    /// The caller keeps the stretch no longer.
    pub fn release(&mut self, kept: StretchId) {
        self.stretches[kept.0 as usize].holds -= 1;
        let mut number = kept.0;
        while let Some(parent) = self.collapse(number) {
            number = parent;
        }
    }

    /// The chain that ends in `tip` is that of the thread that ended last.
    pub fn finish(&mut self, tip: StretchId, thread: ThreadId, time: u64) -> CriticalPath {
        let mut path = std::mem::take(&mut self.shared);
        path.end = Some((thread, time));
        let mut next = Some(tip.0);
        while let Some(number) = next {
            next = self.stretches[number as usize].parent;
            self.take(number, &mut path);
        }
        path
    }

    /// Puts the part that all chains have in common aside, so that it is not looked at again.
    pub fn settle(&mut self) {
        if self.roots == 1 {
            let mut shared = std::mem::take(&mut self.shared);
            self.take(self.root_bits, &mut shared);
            self.shared = shared;
        }
    }

    /// Number of stretches.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.stretches.len() - self.free.len()
    }

    fn take(&mut self, number: u32, path: &mut CriticalPath) {
        let stretch = &mut self.stretches[number as usize];
        for (key, thread, ticks) in stretch.profile.entries.drain(..) {
            *path.ticks.entry((key, thread)).or_insert(0) += ticks;
        }
        path.changes += std::mem::take(&mut stretch.changes);
    }

    fn add_stretch(&mut self, parent: Option<u32>, thread: ThreadId) -> StretchId {
        let changes = match parent {
            Some(parent) => u64::from(self.stretches[parent as usize].thread != thread),
            None => 0,
        };
        let number = self.free.pop().unwrap_or_else(|| {
            self.stretches.push(Stretch::default());
            self.stretches.len() as u32 - 1
        });
        let stretch = &mut self.stretches[number as usize];
        stretch.parent = parent;
        stretch.thread = thread;
        stretch.holds = 1;
        stretch.changes = changes;
        self.link(parent, number);
        StretchId(number)
    }

    /// Adds `child` to the children of `parent`, or takes it away.
    fn toggle(&mut self, parent: Option<u32>, child: u32) -> &mut u32 {
        match parent {
            Some(parent) => {
                let parent = &mut self.stretches[parent as usize];
                parent.child_bits ^= child;
                &mut parent.children
            }
            None => {
                self.root_bits ^= child;
                &mut self.roots
            }
        }
    }

    fn link(&mut self, parent: Option<u32>, child: u32) {
        *self.toggle(parent, child) += 1;
    }

    fn unlink(&mut self, parent: Option<u32>, child: u32) {
        *self.toggle(parent, child) -= 1;
    }

    /// Drops a stretch that nothing needs, or merges it into its only successor. Returns the one
    /// before it if that may have to be looked at, too.
    fn collapse(&mut self, number: u32) -> Option<u32> {
        let stretch = &mut self.stretches[number as usize];
        if stretch.holds > 0 || stretch.children > 1 {
            return None;
        }
        let parent = stretch.parent.take();
        let mut profile = std::mem::take(&mut stretch.profile);
        let changes = std::mem::take(&mut stretch.changes);
        let child = (stretch.children == 1).then_some(stretch.child_bits);
        (stretch.children, stretch.child_bits) = (0, 0);
        self.unlink(parent, number);
        self.free.push(number);
        if let Some(child) = child {
            self.link(parent, child);
            let successor = &mut self.stretches[child as usize];
            successor.parent = parent;
            successor.changes += changes;
            successor.profile.merge(&mut profile);
        } else {
            profile.clear();
        }
        self.stretches[number as usize].profile = profile;
        match child {
            Some(_) => None,
            None => parent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: PathId = PathId(1);

    fn ticks(path: &CriticalPath) -> Vec<(ThreadId, u64)> {
        let mut ticks: Vec<_> = path.ticks.iter().map(|(key, &t)| (key.1, t)).collect();
        ticks.sort_unstable();
        ticks
    }

    #[test]
    fn who_waited_goes_on_from_the_other() {
        let (mut forest, mut tips) = Forest::new(2);
        forest.spend(tips[0], &[(F, 5)]);
        forest.spend(tips[1], &[(F, 100)]);
        let arrival = tips[1];
        tips[1] = forest.keep(arrival);
        tips[0] = forest.follow(tips[0], arrival);
        forest.release(arrival);
        forest.settle();
        forest.spend(tips[0], &[(F, 30)]);
        forest.spend(tips[1], &[(F, 7)]);
        assert_eq!(forest.len(), 3);
        let path = forest.finish(tips[0], 0, 130);
        assert_eq!(ticks(&path), [(0, 30), (1, 100)]);
        assert_eq!((path.changes, path.end), (1, Some((0, 130))));
    }

    #[test]
    fn stretches_do_not_pile_up() {
        let (mut forest, mut tips) = Forest::new(8);
        for round in 0..10_000 {
            let late = round % 8;
            forest.spend(tips[late], &[(PathId(round as u32 % 3), 10)]);
            let arrival = tips[late];
            tips[late] = forest.keep(arrival);
            for thread in (0..8).filter(|&thread| thread != late) {
                tips[thread] = forest.follow(tips[thread], arrival);
            }
            forest.release(arrival);
            assert!(forest.len() <= 9);
        }
        let path = forest.finish(tips[3], 3, 0);
        assert_eq!(path.ticks.values().sum::<u64>(), 100_000);
        assert_eq!(path.ticks.len(), 24);
    }

    #[test]
    fn moments_that_nobody_waited_for_leave_no_trace() {
        let (mut forest, mut tips) = Forest::new(1);
        for _ in 0..1000 {
            forest.spend(tips[0], &[(F, 1)]);
            let kept = tips[0];
            tips[0] = forest.keep(kept);
            forest.release(kept);
        }
        assert_eq!(forest.len(), 1);
        let path = forest.finish(tips[0], 0, 1000);
        assert_eq!((ticks(&path), path.changes), (vec![(0, 1000)], 0));
    }
}
