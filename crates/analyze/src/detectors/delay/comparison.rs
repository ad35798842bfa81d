//! Delay analysis: finds the delays that made a thread late, and so others wait. D. Boehme, M.
//! Geimer, F. Wolf, L. Arnold, "Identifying the Root Causes of Wait States in Large-Scale Parallel
//! Applications" (ICPP 2010), done forwards.
//!
//! We compare the late thread and the one that waits from the time when they were last together.
//! The excess of the late thread's time at a call path is a delay; if it also waited longer itself,
//! that part is passed on to the root causes of those waits, which are known already. The wait is
//! distributed over all of these in proportion, never more than there is of each.
//!
//! A lock is different: its owner need not have been slower than others. The cause is the activity
//! of the owner while the other thread waited, and before that the activity of previous owners.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::history::{History, Root, Waited};
use super::holders::Holder;
use super::tally::{Sharing, Tally, proportion};

/// A wait of one thread for a late one.
#[derive(Debug, Clone, Copy)]
pub struct Delayed {
    pub waiting: ThreadId,
    pub late: ThreadId,
    /// Ticks at which the two were last together.
    pub since: u64,
    /// Ticks; when the wait began and ended.
    pub begin: u64,
    pub end: u64,
    /// Ticks that were lost.
    pub ticks: u64,
}

/// Roots that are looked through one by one rather than by a table.
const FEW: usize = 16;

/// Finds root causes; keeps its space from wait to wait.
#[derive(Debug, Default)]
pub struct Comparison {
    late: Tally,
    waits: Vec<Waited>,
    waited: u64,
    /// Key of `late`, `waits` and `waited` (thread, begin and end in ticks, version of its
    /// history): at a barrier, the same thread is late for all others.
    about: Option<(ThreadId, u64, u64, u32)>,
    other: Tally,
    roots: Vec<Root>,
    /// How many of the roots are direct.
    direct: usize,
    /// Places of the other roots, if there are more than [`FEW`].
    places: FxHashMap<(ThreadId, PathId), usize>,
    owned: Vec<Owned>,
    /// Of all of these, one after the other.
    owned_work: Vec<(PathId, u64)>,
    owned_waits: Vec<Waited>,
}

impl Comparison {
    /// Finds why a thread came late. Afterwards [`Comparison::direct`] has its own delays, and
    /// [`Comparison::passed_on`] the root causes of its own waits.
    pub fn compare<'a>(&mut self, delayed: Delayed, history: impl Fn(ThreadId) -> &'a History) {
        let late = history(delayed.late);
        let about = (delayed.late, delayed.since, delayed.end, late.version());
        if self.about != Some(about) {
            self.about = Some(about);
            self.late.clear();
            self.waits.clear();
            let waits = &mut self.waits;
            self.waited = late.add_up(delayed.since, delayed.end, &mut self.late, |wait| {
                waits.push(wait);
            });
        }
        self.other.clear();
        let own = history(delayed.waiting);
        let waited = own.add_up(delayed.since, delayed.begin, &mut self.other, |_| {});

        self.clear();
        let excess =
            |(path, ticks): (PathId, u64)| (path, ticks.saturating_sub(self.other.get(path)));
        let passed_on = self.waited.saturating_sub(waited);
        let work: u64 = self.late.iter().map(excess).map(|(_, ticks)| ticks).sum();
        let all = work + passed_on;
        let mut sharing = Sharing::new(delayed.ticks.min(all), all);
        for (path, ticks) in self.late.iter().map(excess) {
            let share = sharing.next(ticks);
            if share > 0 {
                self.roots.push(Root {
                    thread: delayed.late,
                    path,
                    ticks: share,
                });
            }
        }
        self.direct = self.roots.len();
        let mut sharing = Sharing::new(sharing.next(passed_on), self.waited);
        for index in 0..self.waits.len() {
            let wait = self.waits[index];
            self.pass_on(late, wait, sharing.next(wait.ticks));
        }
    }

    /// Finds why a lock was not free. `holders` are the threads that had it, the latest first.
    pub fn hold<'a, 'b>(
        &mut self,
        (begin, end, ticks): (u64, u64, u64),
        holders: impl Iterator<Item = &'b Holder>,
        history: impl Fn(ThreadId) -> &'a History,
    ) {
        self.clear();
        let mut holders = holders.peekable();
        let mut known = 0;
        self.owned.clear();
        self.owned_work.clear();
        self.owned_waits.clear();
        let mut until = end;
        while let Some(holder) = holders.next() {
            let before = holders.peek();
            let free_since = before
                .map_or(begin, |before| before.released)
                .clamp(begin, until);
            let from = holder.asked.clamp(free_since, until);
            self.other.clear();
            let waits = &mut self.owned_waits;
            let of_holder = history(holder.thread);
            let to = until.min(holder.released);
            known += of_holder.add_up(from, to, &mut self.other, |wait| waits.push(wait));
            known += self.other.iter().map(|(_, ticks)| ticks).sum::<u64>();
            self.owned_work.extend(self.other.iter());
            self.own(holder.thread);
            if let Some(before) = before.filter(|_| from > free_since) {
                // Given back and not taken yet: that is what giving it back takes.
                known += from - free_since;
                self.owned_work.push((before.path, from - free_since));
                self.own(before.thread);
            }
            until = free_since;
            if until <= begin {
                break;
            }
        }
        let mut sharing = Sharing::new(ticks.min(known), known);
        let (mut work_begin, mut waits_begin) = (0, 0);
        for index in 0..self.owned.len() {
            let owned = self.owned[index];
            for place in work_begin..owned.work_end {
                let (path, ticks) = self.owned_work[place];
                self.add(Root {
                    thread: owned.thread,
                    path,
                    ticks: sharing.next(ticks),
                });
            }
            if index == 0 {
                self.direct = self.roots.len();
                self.places.clear();
            }
            for place in waits_begin..owned.waits_end {
                let wait = self.owned_waits[place];
                let share = sharing.next(wait.ticks);
                self.pass_on(history(owned.thread), wait, share);
            }
            (work_begin, waits_begin) = (owned.work_end, owned.waits_end);
        }
    }

    /// Attributes to this thread the entries of `owned_work` and `owned_waits` since the last call.
    fn own(&mut self, thread: ThreadId) {
        self.owned.push(Owned {
            thread,
            work_end: self.owned_work.len(),
            waits_end: self.owned_waits.len(),
        });
    }

    /// Ticks of waiting due to the activity of the late thread, or of the lock's last owner.
    pub fn direct(&self) -> &[Root] {
        &self.roots[..self.direct]
    }

    /// Ticks of waiting due to the activity of others, for which that thread waited.
    pub fn passed_on(&self) -> &[Root] {
        &self.roots[self.direct..]
    }

    /// All of them.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    fn clear(&mut self) {
        self.roots.clear();
        self.places.clear();
        self.direct = 0;
    }

    /// Distributes ticks over the root causes of a wait.
    fn pass_on(&mut self, history: &History, wait: Waited, ticks: u64) {
        if ticks == 0 {
            return;
        }
        let explained = history.roots(wait).map(|root| root.ticks).sum();
        let ticks = proportion(ticks, explained, wait.whole);
        let mut sharing = Sharing::new(ticks, explained);
        for root in history.roots(wait) {
            self.add(Root {
                ticks: sharing.next(root.ticks),
                ..*root
            });
        }
    }

    fn add(&mut self, root: Root) {
        if root.ticks == 0 {
            return;
        }
        let key = |root: &Root| (root.thread, root.path);
        let first = self.direct;
        let added = self.roots.len() - first;
        let known = if added <= FEW {
            let same = |known: &Root| key(known) == key(&root);
            let place = self.roots[first..].iter().position(same);
            place.map(|place| first + place)
        } else {
            if self.places.is_empty() {
                let keys = self.roots[first..].iter().map(key);
                self.places.extend(keys.zip(first..));
            }
            self.places.get(&key(&root)).copied()
        };
        match known {
            Some(place) => self.roots[place].ticks += root.ticks,
            None => {
                if !self.places.is_empty() {
                    self.places.insert(key(&root), self.roots.len());
                }
                self.roots.push(root);
            }
        }
    }
}

/// Work and waits of an owner of a lock while another thread waited for the lock: where they end in
/// the lists.
#[derive(Debug, Clone, Copy)]
struct Owned {
    thread: ThreadId,
    work_end: usize,
    waits_end: usize,
}
