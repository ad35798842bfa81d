//! Follows the synchronisations of all threads in order: the effects between each and the next one,
//! on any thread, either allow a claim about the two or refute it.

use pgas_earl::PathId;
use pgas_trace::Clocks;
use pgas_trace::model::SyncMode;
use rustc_hash::FxHashMap;

use super::dependences::Dependences;
use super::tally::{BarrierTally, CollectiveTally};
use crate::detectors::{Detector, Progress};
use crate::model::paths::CallPaths;
use crate::threads::batch::Instance;
use crate::threads::epochs::effects::Effects;
use crate::threads::epochs::watcher::{Epochs, Synchronisation};

/// The latest point at which every thread had waited for every other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Together {
    /// It is not known where that was.
    Unknown,
    /// The program has just begun.
    Start,
    /// A barrier that all threads passed at one call path; without it if they passed it at several.
    Barrier(Option<PathId>),
    /// A collective operation with ALLSYNC.
    Collective,
}

/// The latest synchronisations, of which the last instance is not followed by another one.
#[derive(Debug, Clone, Copy)]
pub struct Open {
    /// Call path of the latest synchronisation, if it was a barrier at one call path.
    pub barrier: Option<PathId>,
    /// The barrier whose accesses are still compared.
    pub unrelated: Option<PathId>,
    /// Call path of the latest collective operation, if no synchronisation followed it.
    pub collective: Option<PathId>,
    /// Effects of all threads since then.
    pub effects: Effects,
}

/// Effects around the barriers and collective operations of all threads.
#[derive(Debug)]
pub struct SyncNecessity {
    /// Position of the next synchronisation.
    next: u64,
    has_ended: bool,
    together: Together,
    /// Effects of all threads since then.
    epoch: Effects,
    /// By thread: ticks from the notify of the latest synchronisation to its wait.
    late: Vec<u64>,
    /// By thread: ticks between the latest two synchronisations.
    apart: Vec<u64>,
    /// Effects of threads after they had arrived there.
    leftover: Effects,
    /// The latest collective operation, until it is known what follows.
    awaiting: Option<PathId>,
    dependences: Dependences,
    barriers: FxHashMap<PathId, BarrierTally>,
    collectives: FxHashMap<PathId, CollectiveTally>,
}

impl SyncNecessity {
    fn start(threads: usize) -> Self {
        SyncNecessity {
            next: 0,
            has_ended: false,
            together: Together::Start,
            epoch: Effects::NONE,
            late: vec![0; threads],
            apart: Vec::with_capacity(threads),
            leftover: Effects::NONE,
            awaiting: None,
            dependences: Dependences::new(threads),
            barriers: FxHashMap::default(),
            collectives: FxHashMap::default(),
        }
    }

    /// Threads contradict each other about what comes next: nothing can be followed from here on.
    fn contradict(&mut self) {
        if !self.has_ended {
            self.lose_track();
            self.has_ended = true;
        }
    }

    /// By call path of a barrier, in no particular order.
    pub fn barriers(&self) -> impl Iterator<Item = (PathId, &BarrierTally)> {
        self.barriers.iter().map(|(&path, tally)| (path, tally))
    }

    /// By call path of a collective operation, in no particular order.
    pub fn collectives(&self) -> impl Iterator<Item = (PathId, &CollectiveTally)> {
        self.collectives.iter().map(|(&path, tally)| (path, tally))
    }

    /// How many instances of a barrier's call path lie between accesses that have nothing to do
    /// with each other; see [`Dependences::unrelated`].
    pub fn unrelated(&self, path: PathId) -> Option<u64> {
        self.dependences.unrelated(path)
    }

    /// Synchronisations that no other has followed at the end, after which threads had the effects
    /// `rest`.
    pub fn open(&self, rest: Effects) -> Open {
        Open {
            barrier: match self.together {
                Together::Barrier(path) => path,
                _ => None,
            },
            unrelated: self.dependences.latest(),
            collective: self.awaiting,
            effects: self.epoch | self.leftover | rest,
        }
    }

    /// Something is missing or cannot be understood: nothing can be said about what lies around it.
    fn lose_track(&mut self) {
        self.apart.clear();
        self.followed_by(None, Effects::UNKNOWN);
        self.settle(Effects::UNKNOWN);
        self.dependences.meet(None, Effects::UNKNOWN, &[]);
        self.together = Together::Unknown;
        self.epoch = Effects::UNKNOWN;
        self.late.fill(0);
        self.leftover = Effects::UNKNOWN;
    }

    /// Counts the effects after the latest collective operation, up to `barrier` if that comes
    /// next.
    fn followed_by(&mut self, barrier: Option<PathId>, between: Effects) {
        let path = self.awaiting.take();
        if let Some(tally) = path.and_then(|path| self.collectives.get_mut(&path)) {
            tally.exit.count(barrier, between, &self.apart);
        }
    }

    /// All threads come together again, `epoch` after the last time.
    fn settle(&mut self, epoch: Effects) {
        if let Together::Barrier(Some(path)) = self.together {
            if let Some(tally) = self.barriers.get_mut(&path) {
                tally.settle(epoch);
            }
        }
    }

    fn barrier(&mut self, instance: &Instance) {
        let members = &instance.kept;
        let path = one_path(instance);
        let middle = middle(members);
        let since = before(members) | self.leftover | middle;
        self.measure(members);
        self.epoch |= since;
        self.followed_by(path, since);
        self.settle(self.epoch);
        self.dependences.add(members);
        self.dependences.meet(path, self.epoch, members);
        let before = match self.together {
            Together::Barrier(path) if self.epoch.is_none() => path,
            _ => None,
        };
        match path {
            Some(path) => {
                let longest = instance.members().map(|(_, span)| span.length()).max();
                let tally = self.barriers.entry(path).or_default();
                tally.count(self.epoch, before, &self.apart, longest.unwrap_or(0));
            }
            None => {
                for (path, _) in instance.members() {
                    self.barriers.entry(path).or_default().refute();
                    self.dependences.need(path);
                }
            }
        }
        self.together = Together::Barrier(path);
        self.epoch = middle;
        self.leftover = middle;
        self.late.clear();
        self.late.extend(members.iter().map(|m| m.middle_ticks));
    }

    fn collective(&mut self, instance: &Instance, sync_in: SyncMode, sync_out: SyncMode) {
        let members = &instance.kept;
        let since = before(members) | self.leftover;
        self.measure(members);
        self.epoch |= since;
        let waits_in = sync_in == SyncMode::All;
        self.followed_by(
            None,
            match waits_in {
                true => since,
                false => since | Effects::COLLECTIVE,
            },
        );
        let barrier = match self.together {
            Together::Barrier(path) => path,
            _ => None,
        };
        let known = match self.together {
            Together::Unknown => Effects::UNKNOWN,
            _ => Effects::NONE,
        };
        self.count(instance, barrier, self.epoch | known);
        self.dependences.add(members);
        if waits_in {
            self.settle(self.epoch);
            self.dependences.meet(None, self.epoch, &[]);
            self.together = Together::Collective;
            self.epoch = Effects::NONE;
        }
        self.epoch |= Effects::COLLECTIVE;
        if sync_out == SyncMode::All {
            self.settle(self.epoch);
            self.dependences.meet(None, self.epoch, &[]);
            self.together = Together::Collective;
            self.epoch = Effects::NONE;
        }
        self.leftover = Effects::NONE;
        self.late.fill(0);
    }

    /// Notes how far the arrivals at a synchronisation are from the one before.
    fn measure(&mut self, members: &[Epochs]) {
        let late = &self.late;
        self.apart.clear();
        let ticks = |(member, late): (&Epochs, &u64)| member.apart.saturating_add(*late);
        self.apart.extend(members.iter().zip(late).map(ticks));
    }

    /// Counts an instance of a collective operation and what lies before it.
    fn count(&mut self, instance: &Instance, barrier: Option<PathId>, between: Effects) {
        let Some(Synchronisation::Collective {
            operation,
            sync_in,
            sync_out,
        }) = instance.kept.first().map(|first| first.what)
        else {
            return;
        };
        let new = || CollectiveTally::new(operation, sync_in, sync_out);
        let Some(path) = one_path(instance) else {
            for (path, _) in instance.members() {
                self.collectives.entry(path).or_insert_with(new).refute();
            }
            return;
        };
        let tally = self.collectives.entry(path).or_insert_with(new);
        if (tally.entry.mode, tally.exit.mode) != (sync_in, sync_out) {
            tally.refute();
        }
        tally.entry.count(barrier, between, &self.apart);
        let begins = || instance.members().map(|(_, span)| span.begin);
        let ends = || instance.members().map(|(_, span)| span.end);
        let extent = |from: Option<u64>, to: Option<u64>| {
            let (from, to) = (from.unwrap_or(0), to.unwrap_or(0));
            to.saturating_sub(from)
        };
        let waited = extent(begins().min(), begins().max());
        let completed = extent(ends().min().max(begins().max()), ends().max());
        tally.entry.longest = tally.entry.longest.saturating_add(waited);
        tally.exit.longest = tally.exit.longest.saturating_add(completed);
        self.awaiting = Some(path);
    }
}

impl Detector for SyncNecessity {
    fn new(threads: usize, _clocks: &Clocks) -> Self {
        SyncNecessity::start(threads)
    }

    fn instance(&mut self, instance: &Instance) {
        let (Some(position), Some(first)) = (instance.position, instance.kept.first()) else {
            return;
        };
        if self.has_ended {
            return;
        }
        if position != self.next {
            self.lose_track();
        }
        self.next = position + 1;
        let what = first.what;
        if instance.kept.iter().any(|epochs| epochs.what != what) {
            return self.contradict();
        }
        match what {
            Synchronisation::Neutral(_) => {}
            Synchronisation::Opaque(_) => self.lose_track(),
            Synchronisation::Barrier => self.barrier(instance),
            Synchronisation::Collective {
                sync_in, sync_out, ..
            } => self.collective(instance, sync_in, sync_out),
        }
    }

    fn advance(&mut self, progress: &Progress, _paths: &CallPaths) {
        if !progress.is_in_order {
            self.contradict();
        }
    }
}

/// The call path of all members, if they have one in common.
fn one_path(instance: &Instance) -> Option<PathId> {
    let mut paths = instance.members().map(|(path, _)| path);
    let first = paths.next()?;
    paths.all(|path| path == first).then_some(first)
}

fn before(members: &[Epochs]) -> Effects {
    let effects = members.iter().map(|member| member.before.effects);
    effects.fold(Effects::NONE, |all, effects| all | effects)
}

fn middle(members: &[Epochs]) -> Effects {
    let effects = members.iter().map(|member| member.middle.effects);
    effects.fold(Effects::NONE, |all, effects| all | effects)
}
