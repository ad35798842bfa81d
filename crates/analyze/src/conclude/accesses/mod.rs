//! Advice on single accesses, from the sums of all threads. Each kind of advice has a module of its
//! own.

mod distribution;
mod fine_grained;
mod layout;
mod locality;
pub mod matrix;
mod neighbours;
mod own_affinity;
mod placement;
mod wrong_side;

pub(super) use distribution::interval;
use pgas_cube::model::CallPathId;
use pgas_earl::PathId;
use pgas_machine::Machine;
use pgas_result::accesses::Accesses;
use pgas_result::sampling::Sampling;
use pgas_trace::model::{Operation, ThreadId};
use pgas_trace::models::Model;

use crate::conclude::description::EventCost;
use crate::conclude::means::Means;
use crate::conclude::remarks::all_ticks;
use crate::model::clock::Times;
use crate::model::nodes::Nodes;
use crate::pipeline::search::Found;
use crate::threads::one_sided::profile::PathAccesses;
use crate::threads::one_sided::sampled::Sampled;

/// Share of the total time of all threads below which nothing is worth a word.
const LEAST_SHARE: f64 = 0.001;
/// Nanoseconds that an access through a pointer to private takes at most, in the first cache.
const PRIVATE_ACCESS: f64 = 1.0;

/// Input of the advice.
pub(super) struct Basis<'a> {
    pub found: &'a Found,
    pub times: &'a Times,
    pub sampled: &'a Sampled,
    pub nodes: &'a Nodes,
    runtime: Option<Model>,
    /// Costs of operations on the machine, if it was measured.
    machine: Option<&'a Machine>,
    /// Where threads computed, if there are samples of it.
    sampling: Option<&'a Sampling>,
    costs: &'a [Option<EventCost>],
    places: &'a [CallPathId],
    total: u64,
}

impl Basis<'_> {
    /// Call paths with accesses, in the order of the call tree.
    pub fn paths(&self) -> Vec<(PathId, Operation)> {
        let threads = self.found.threads.iter();
        let mut paths: Vec<PathId> = threads
            .flat_map(|thread| thread.accesses.paths.keys().copied())
            .collect();
        paths.sort_unstable_by_key(|&path| self.place(path));
        paths.dedup();
        let known = |path| Some((path, self.found.matcher.paths().operation(path)?));
        paths.into_iter().filter_map(known).collect()
    }

    /// Those whose model distributes arrays over the threads.
    pub fn paths_with_layouts(&self) -> Vec<(PathId, Operation)> {
        let paths = self.found.matcher.paths();
        let mut all = self.paths();
        all.retain(|&(path, _)| Means::at(paths, path, self.runtime).has_layouts);
        all
    }

    /// The accesses of each thread at a path.
    pub fn at(&self, path: PathId) -> impl Iterator<Item = (ThreadId, &PathAccesses)> {
        let threads = self.found.threads.iter().enumerate();
        threads.filter_map(move |(thread, profile)| {
            Some((thread as ThreadId, profile.accesses.paths.get(&path)?))
        })
    }

    /// Seconds of a thread in its accesses at a path that are counted, at most: its part of the
    /// computing time of the line. `None` if they are not counted.
    pub fn counted_seconds(&self, path: PathId, thread: ThreadId) -> Option<f64> {
        let site = self.found.matcher.paths().site(path)?;
        if matches!(site.operation, Operation::RemoteGet | Operation::RemotePut) {
            return None;
        }
        let caller = self.place(self.found.matcher.paths().node(path).parent);
        let mut lines = self.sampling?.accesses.iter();
        let line = lines.find(|line| {
            line.call_path == caller && line.line == site.line && line.file == site.file
        })?;
        let profile = self.found.threads.get(thread as usize)?;
        let accesses = profile.accesses.paths.get(&path)?.all().accesses;
        let of_line = line.by_thread.get(thread as usize)?;
        Some(of_line.seconds * accesses as f64 / of_line.accesses.max(1) as f64)
    }

    /// Where a path is in the cube.
    pub fn place(&self, path: PathId) -> usize {
        self.places[path.index()].0
    }

    pub fn is_notable(&self, ticks: f64) -> bool {
        ticks > 0.0 && ticks >= LEAST_SHARE * self.total as f64
    }

    /// Ticks that reading the clock adds to the time of one recorded access; 0 if it was not
    /// measured.
    pub fn clock(&self, thread: ThreadId) -> f64 {
        let cost = self.costs.get(thread as usize).copied().flatten();
        cost.map_or(0.0, |cost| cost.clock as f64 * 1e-12) / self.times.per_tick
    }

    /// Ticks of an access through a pointer to private.
    pub fn private_access(&self) -> f64 {
        PRIVATE_ACCESS * 1e-9 / self.times.per_tick
    }

    pub fn seconds(&self, ticks: f64) -> f64 {
        self.times.length(ticks)
    }
}

/// All advice on single accesses; call paths are those of the cube.
pub fn advice(
    found: &Found,
    times: &Times,
    places: &[CallPathId],
    costs: &[Option<EventCost>],
    (nodes, runtime, machine): (&Nodes, Option<Model>, Option<&Machine>),
    (sampled, sampling): (&Sampled, Option<&Sampling>),
) -> Accesses {
    let basis = Basis {
        found,
        times,
        sampled,
        nodes,
        runtime,
        machine,
        sampling,
        costs,
        places,
        total: all_ticks(found),
    };
    Accesses {
        fine_grained: fine_grained::search(&basis),
        own_affinity: own_affinity::search(&basis),
        wrong_side: wrong_side::search(&basis),
        layout: layout::search(&basis),
        distributions: distribution::search(&basis),
        placement: placement::search(&basis),
    }
}
