//! Whether what threads do after a barrier depends on what others did before it, from the addresses
//! of their accesses.
//!
//! A barrier is needed if a thread touches after it, up to the next synchronisation, what another
//! one wrote before it (since the synchronisation before), or writes what another one touched. As
//! leaving out a call path's barrier leaves out all its instances, what lies before goes back to
//! the latest synchronisation of another call path.
//!
//! Memory: the places touched by each thread before and after the latest barrier (bounded, see
//! [`crate::threads::epochs::ranges`]), and for each call path of a barrier a bit for each thread.

use pgas_earl::PathId;
use rustc_hash::FxHashMap;

use super::hidden::Hidden;
use crate::threads::epochs::effects::Effects;
use crate::threads::epochs::ranges::{Conflicts, Touched};
use crate::threads::epochs::watcher::Epochs;

/// After this number of synchronisations in a row at which all barriers so far were known to be
/// needed, the search ends: a run with a million needed barriers is not slowed down by it.
const PATIENCE: u32 = 64;

/// State of a call path of a barrier.
#[derive(Debug, Default)]
struct Path {
    is_needed: bool,
    /// Instances of which both sides are known.
    settled: u64,
    /// Threads whose data others touched on either side: a bit each.
    owners: Vec<u64>,
}

/// Accesses on both sides of the latest barrier, and the state of each barrier's call path.
#[derive(Debug)]
pub struct Dependences {
    /// By thread: since the latest barrier, or synchronisation of another kind.
    now: Vec<Touched>,
    /// By thread: before the latest barrier.
    before: Vec<Touched>,
    /// The call path of the latest synchronisation, if it was a barrier, and what was done before
    /// it.
    barrier: Option<(PathId, Effects)>,
    paths: FxHashMap<PathId, Path>,
    conflicts: Conflicts,
    hidden: Hidden,
    /// Some access said where it went.
    has_any: bool,
    /// Synchronisations in a row at which there was nothing to find out.
    settled: u32,
}

impl Dependences {
    /// Of a run of that number of threads, none of which has accessed anything.
    pub fn new(threads: usize) -> Self {
        Dependences {
            now: vec![Touched::default(); threads],
            before: vec![Touched::default(); threads],
            barrier: None,
            paths: FxHashMap::default(),
            conflicts: Conflicts::default(),
            hidden: Hidden::default(),
            has_any: false,
            settled: 0,
        }
    }

    /// Adds what the threads did before they came to a synchronisation, and within it.
    pub fn add(&mut self, members: &[Epochs]) {
        if self.has_ended() {
            return;
        }
        for (now, member) in self.now.iter_mut().zip(members) {
            for epoch in [&member.before, &member.middle] {
                if let Some(touched) = &epoch.touched {
                    self.has_any = true;
                    now.add(touched);
                }
            }
        }
    }

    /// All threads are together: at a barrier of one call path, or in another way. `effects` are
    /// all since the last time.
    pub fn meet(&mut self, barrier: Option<PathId>, effects: Effects, members: &[Epochs]) {
        if self.has_ended() {
            return;
        }
        if self.has_any {
            self.now.iter_mut().for_each(Touched::tidy);
            self.hidden.take(&self.now);
        }
        let latest = self.barrier.take();
        if let Some((path, before)) = latest {
            self.judge(path, before | effects);
        }
        let goes_on = latest.is_some_and(|(path, _)| {
            let is_open = !self.paths.get(&path).is_some_and(|path| path.is_needed);
            Some(path) == barrier && is_open
        });
        if goes_on {
            for (before, now) in self.before.iter_mut().zip(&mut self.now) {
                before.add(now);
                before.tidy();
                now.clear();
            }
        } else {
            std::mem::swap(&mut self.before, &mut self.now);
            self.now.iter_mut().for_each(Touched::clear);
        }
        self.barrier = barrier.map(|path| (path, effects));
        if let Some(path) = barrier {
            self.paths.entry(path).or_default().is_needed |= !effects.is_placed();
        }
        // Accesses between notify and wait are not separated from those on either side.
        for (now, member) in self.now.iter_mut().zip(members) {
            if let Some(touched) = &member.middle.touched {
                now.add(touched);
            }
        }
        let is_open = self.paths.values().any(|path| !path.is_needed);
        self.settled = if is_open { 0 } else { self.settled + 1 };
    }

    /// The barrier of which it is not known yet what follows.
    pub fn latest(&self) -> Option<PathId> {
        self.barrier.map(|(path, _)| path)
    }

    /// Whether nothing is looked for any more.
    fn has_ended(&self) -> bool {
        self.settled >= PATIENCE
    }

    /// Judges an instance of a call path's barrier, now that the effects and accesses on both of
    /// its sides are known.
    fn judge(&mut self, path: PathId, effects: Effects) {
        let path = self.paths.entry(path).or_default();
        if path.is_needed {
            return;
        }
        path.settled += 1;
        path.is_needed = !effects.is_placed() || self.conflicts.between(&self.before, &self.now);
        if path.is_needed {
            return;
        }
        path.owners.resize(self.now.len().div_ceil(64), 0);
        for threads in [&self.before, &self.now] {
            for (thread, touched) in threads.iter().enumerate() {
                let all = touched
                    .reads
                    .as_slice()
                    .iter()
                    .chain(touched.writes.as_slice());
                let others = all
                    .map(|range| range.owner as usize)
                    .filter(|&o| o != thread);
                for owner in others {
                    match path.owners.get_mut(owner / 64) {
                        Some(word) => *word |= 1 << (owner % 64),
                        None => path.is_needed = true,
                    }
                }
            }
        }
    }

    /// A call path's barrier cannot be spared, whatever its accesses.
    pub fn need(&mut self, path: PathId) {
        self.paths.entry(path).or_default().is_needed = true;
    }

    /// How many instances of a call path's barrier lie between accesses that have nothing to do
    /// with each other; `None` if any of them is needed, or that is not known.
    pub fn unrelated(&self, path: PathId) -> Option<u64> {
        let path = self.paths.get(&path).filter(|_| !self.has_ended())?;
        let mut owners = (0..self.now.len()).filter(|owner| {
            path.owners
                .get(owner / 64)
                .is_some_and(|word| word >> (owner % 64) & 1 == 1)
        });
        let is_known = !path.is_needed && path.settled > 0;
        (is_known && !owners.any(|owner| self.hidden.has(owner as u32))).then_some(path.settled)
    }
}
