//! A segment is the time between two synchronisations of all threads, the second one included: what
//! every thread did in it, and which of them made it long.

use pgas_earl::{BarrierInstance, CollectiveInstance, CollectiveRecord, Matched, PathId};
use pgas_trace::model::{Operation, SyncMode, ThreadId};

use super::parts::{Instance, Parts};
use super::quantities::{self, IMBALANCE, Quantities, TIME};
use crate::model::mix::mix;
use crate::model::paths::CallPaths;
use crate::model::time_class::Class;

/// Time of one pattern at one call path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lost {
    /// Place in [`crate::detectors::wait_states::patterns::PATTERNS`].
    pub pattern: usize,
    pub path: PathId,
    pub ticks: u64,
}

/// Figures of a segment once every thread has left the synchronisation at its end; times in ticks.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The call paths of the synchronisation on all threads: equal for equal ones.
    pub key: u64,
    /// Its call path on the first thread.
    pub path: PathId,
    /// When the first thread began with it: only of use where nothing is known of the time before.
    pub begin: u64,
    /// When the last thread left.
    pub end: u64,
    pub quantities: Quantities,
    /// The thread that computed longest.
    pub longest: ThreadId,
    /// Where that thread computed longer than the mean of all: call paths, and ticks times the
    /// number of threads.
    pub excess: Vec<(PathId, u64)>,
    pub lost: Vec<Lost>,
}

/// A synchronisation in which all threads waited for all.
#[derive(Debug)]
pub(crate) struct Synchronisation {
    pub instance: Instance,
    /// As in [`Segment`].
    key: u64,
    path: PathId,
    /// Time lost in it.
    pub lost: Vec<Lost>,
}

impl Synchronisation {
    pub fn barrier(barrier: &BarrierInstance) -> Self {
        let paths = barrier.members.iter().map(|m| m.path);
        Synchronisation::new((Matched::Barrier, barrier.number), paths)
    }

    /// `None` if not all threads wait for all in it, or if it holds a barrier that was reported by
    /// itself.
    pub fn collective(instance: &CollectiveInstance) -> Option<Self> {
        let paths = instance.members.iter().map(|m| m.path);
        let full = instance.members.iter().all(waits_for_all);
        full.then(|| Synchronisation::new((Matched::Collective, instance.number), paths))
    }

    fn new(instance: Instance, paths: impl Iterator<Item = PathId> + Clone) -> Self {
        let path = paths.clone().next().unwrap_or(PathId::PROGRAM);
        let key = match paths.clone().all(|other| other == path) {
            true => u64::from(path.0),
            // Paths alone stay below.
            false => paths.fold(0, |key, path| mix(key ^ u64::from(path.0))) | 1 << 63,
        };
        Synchronisation {
            instance,
            key,
            path,
            lost: Vec::new(),
        }
    }
}

/// Builds segments; keeps what is known of call paths, and room for sums by call path.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    /// By path.
    quantity: Vec<u8>,
    /// By path; zero between two segments.
    sums: Vec<u64>,
}

impl Builder {
    /// The segment that ends with a synchronisation, whose parts are forgotten.
    pub fn segment(
        &mut self,
        end: Synchronisation,
        parts: &mut Parts,
        paths: &CallPaths,
    ) -> Segment {
        self.learn(paths);
        let computation = quantities::of_class(Class::Computation);
        let mut sums = quantities::none();
        let (mut begins, mut ends) = (u64::MAX, 0);
        let (mut threads, mut computed) = (0u64, 0u64);
        let mut longest: Option<(usize, u64)> = None;
        for (thread, end, activity) in parts.of(end.instance) {
            let (mut active, mut computing) = (0u64, 0u64);
            for (path, ticks) in activity {
                let quantity = usize::from(self.quantity[path.index()]);
                sums[quantity] = sums[quantity].wrapping_add(ticks);
                active = active.wrapping_add(ticks);
                if quantity == computation {
                    computing = computing.wrapping_add(ticks);
                    let sum = &mut self.sums[path.index()];
                    *sum = sum.wrapping_add(ticks);
                }
            }
            sums[TIME] = sums[TIME].wrapping_add(active);
            begins = begins.min(end.saturating_sub(active));
            ends = ends.max(end);
            if longest.is_none_or(|(_, most)| computing > most) {
                longest = Some((thread, computing));
            }
            computed = computed.wrapping_add(computing);
            threads += 1;
        }
        let (slowest, most) = longest.unwrap_or((0, 0));
        sums[IMBALANCE] = most.wrapping_mul(threads).saturating_sub(computed);
        let excess = self.excess(parts.of_thread(end.instance, slowest), threads, computation);
        for (.., activity) in parts.of(end.instance) {
            activity.for_each(|(path, _)| self.sums[path.index()] = 0);
        }
        parts.pass(end.instance);
        Segment {
            key: end.key,
            path: end.path,
            begin: begins,
            end: ends,
            quantities: sums,
            longest: slowest as ThreadId,
            excess,
            lost: end.lost,
        }
    }

    /// Where the slowest thread computed longer than the mean.
    fn excess(
        &self,
        slowest: impl Iterator<Item = (PathId, u64)>,
        threads: u64,
        computation: usize,
    ) -> Vec<(PathId, u64)> {
        let mut own: Vec<(PathId, u64)> = slowest
            .filter(|(path, _)| usize::from(self.quantity[path.index()]) == computation)
            .collect();
        // A thread comes back to a call path between two steps.
        own.sort_unstable_by_key(|&(path, _)| path);
        own.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 = first.1.wrapping_add(later.1);
            }
            same
        });
        own.retain_mut(|(path, ticks)| {
            *ticks = ticks
                .wrapping_mul(threads)
                .saturating_sub(self.sums[path.index()]);
            *ticks > 0
        });
        own
    }

    /// Takes note of call paths that are new.
    fn learn(&mut self, paths: &CallPaths) {
        for number in self.quantity.len()..paths.len() {
            let class = Class::of(paths.operation(PathId(number as u32)));
            self.quantity.push(quantities::of_class(class) as u8);
            self.sums.push(0);
        }
    }
}

/// Adds what was lost to what is known of the same pattern and call path.
pub(crate) fn merge(known: &mut Vec<Lost>, lost: Lost) {
    let same = |known: &&mut Lost| (known.pattern, known.path) == (lost.pattern, lost.path);
    match known.iter_mut().find(same) {
        Some(known) => known.ticks = known.ticks.wrapping_add(lost.ticks),
        None => known.push(lost),
    }
}

impl Segment {
    /// Counts what was lost among the quantities.
    pub fn count_lost(&mut self, builder: &Builder) {
        for lost in &self.lost {
            let sum = &mut self.quantities[quantities::of_pattern(lost.pattern)];
            *sum = sum.wrapping_add(lost.ticks);
            let quantity = builder.quantity.get(lost.path.index()).copied();
            if let Some(quantity) = quantity.filter(|_| quantities::is_no_core(lost.pattern)) {
                let class = usize::from(quantity) - quantities::of_class(Class::ALL[0]);
                let (classes, _) = quantities::classes_and_patterns(&mut self.quantities);
                quantities::move_to_no_core(classes, class, lost.ticks);
            }
        }
    }
}

/// Whether all threads wait for all in a collective operation, and no barrier in it was reported by
/// itself.
pub(crate) fn waits_for_all(record: &CollectiveRecord) -> bool {
    let all_in_all = record.sync_in == SyncMode::All
        || record.sync_out == SyncMode::All
        || matches!(
            record.operation,
            Operation::GatherAll | Operation::Exchange | Operation::CollectiveExit
        );
    all_in_all && !record.contains_barrier
}
