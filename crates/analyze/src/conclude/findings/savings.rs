//! Savings: how much shorter the run could become if a finding were fixed. Each is the length of
//! the run less that of a replay in which the loss is gone, waiting that takes its place included
//! ([`crate::detectors::delay::Loss`]); an upper bound.
//!
//! | finding | replayed with |
//! |---|---|
//! | cost of an operation, accesses | the operation's time gone |
//! | load imbalance | the work at the call path divided evenly between two synchronisations of all threads |
//! | waiting for a thread that works longer | all threads coming at the mean of their times, and that work divided evenly |
//! | waiting for a thread that spends time in an operation, or that had waited itself | the root cause gone or divided |
//! | lock contention | nobody waiting for that lock |
//! | barrier that may not be needed | no barrier there |
//! | synchronisation mode | nobody waiting there |
//!
//! None is larger than what is lost at the place of the finding, where that is known by instance.

use pgas_earl::PathId;
use pgas_result::recording::WaitStates;
use pgas_trace::model::{Operation, ThreadId};

use super::Evidence;
use crate::conclude::tasks::is_path_followed;
use crate::detectors::delay::Loss;
use crate::detectors::wait_states::patterns::{Formula, Pattern};
use crate::detectors::wait_states::severities::Entry;
use crate::model::time_class::Class;

/// Share of the run below which a saving alone makes nothing a finding.
const LEAST_SHARE: f64 = 0.001;

/// The call path that most of the waiting at a place is due to.
#[derive(Debug, Clone, Copy)]
pub(super) struct DueTo {
    pub path: PathId,
    /// Threads for which others waited had themselves waited for it.
    pub is_passed_on: bool,
}

impl Evidence<'_> {
    /// Whether the whole run is in the trace, so that it can be replayed.
    fn knows_all_events(&self) -> bool {
        self.wait_states == WaitStates::All
    }

    /// Ticks that an operation without cost would save at most.
    pub(super) fn saved_at(&self, path: PathId) -> Option<f64> {
        // Of what is not followed by itself, no more than its part of the critical path.
        let critical = self.found.critical.total(path) as f64;
        let saved = self.found.critical.saving(Loss::Time, path);
        let ticks = saved.map_or(critical, |saved| saved.min(critical));
        self.knows_all_events()
            .then(|| ticks + self.throttled(path))
    }

    /// Ticks that would be saved at most if a part of a call path's work were gone: no more than what
    /// each thread has of the critical path there, nor than `by_thread`, the seconds of that part.
    pub(super) fn saved_in(&self, path: PathId, by_thread: &[f64]) -> Option<f64> {
        let threads = (0..).zip(by_thread);
        let ticks = threads.map(|(thread, seconds)| {
            let critical = self.found.critical.ticks(path, thread) as f64;
            critical.min(seconds / self.times.per_tick)
        });
        self.knows_all_events().then(|| ticks.sum())
    }

    /// Ticks that a perfect balance of a call path's work would save at most; `excess` is by how
    /// much the longest time of a thread exceeds the mean.
    pub(super) fn saved_by_balance(&self, path: PathId, excess: f64) -> Option<f64> {
        let critical = &self.found.critical;
        let saved = critical.saving(Loss::Time, path);
        let ticks = saved.unwrap_or_else(|| critical.imbalance(path));
        // Throttled calls cannot be replayed. Over the whole run, balance saves no more than the
        // excess: an imbalance that changes sides from one synchronisation to the next is a
        // matter of the waiting there.
        let saved = (ticks + self.throttled(path)).min(excess);
        self.knows_all_events().then_some(saved)
    }

    /// Ticks that would be saved at most if nobody waited at a place. `due_to` is the main cause of
    /// the waiting.
    pub(super) fn saved_without(
        &self,
        pattern: &Pattern,
        entry: &Entry,
        path: PathId,
        due_to: Option<DueTo>,
    ) -> Option<f64> {
        if !self.knows_all_events() {
            return None;
        }
        let longest = entry.wall_ticks() as f64;
        if matches!(pattern.formula, Formula::Idle(_)) {
            let is_mapping = self.paths().operation(path) == Some(Operation::Idle);
            // What is on the critical path of that for which processors waited could be gone.
            let is_known = !is_mapping && is_path_followed(self.found);
            let blamed = is_known.then(|| self.blamed(entry));
            return Some(blamed.map_or(longest, |blamed| blamed.min(longest)));
        }
        if !pattern.waits_for_one() {
            return self.saved_at(path).map(|ticks| ticks.min(longest));
        }
        let saving = |loss, path| self.found.critical.saving(loss, path);
        if matches!(pattern.formula, Formula::Lock(_)) {
            let saved = saving(Loss::Waiting, path);
            return Some(saved.map_or(longest, |saved| saved.min(longest)));
        }
        let is_work = |path| Class::of(self.paths().operation(path)) == Class::Computation;
        // Work is still to be done by somebody, whereas the cost of an operation may go altogether.
        let late = match due_to {
            Some(due_to) if due_to.is_passed_on || !is_work(due_to.path) => None,
            _ => saving(Loss::Lateness, path),
        };
        let cause = due_to.and_then(|due_to| saving(Loss::Time, due_to.path));
        let saved = [late, cause].into_iter().flatten().reduce(f64::min);
        let saved = saved.unwrap_or_else(|| self.blamed(entry));
        Some(saved.min(longest))
    }

    /// Ticks that would be saved at most if nobody waited for others at a place, which may be a
    /// barrier that goes.
    pub(super) fn saved_without_synchronization(&self, path: PathId, longest: u64) -> Option<f64> {
        let saved = self.found.critical.saving(Loss::Waiting, path);
        let longest = longest as f64;
        self.knows_all_events()
            .then(|| saved.map_or(longest, |saved| saved.min(longest)))
    }

    /// Ticks on the critical path of all that threads waited for at a place.
    fn blamed(&self, entry: &Entry) -> f64 {
        let critical = &self.found.critical;
        let blamed: u64 = entry.causes.values().map(|blame| blame.total()).sum();
        let unexplained = entry.total().saturating_sub(blamed);
        let causes = entry.causes.keys();
        let causes: u64 = causes
            .map(|&(path, thread)| critical.ticks(path, thread))
            .sum();
        (causes + unexplained) as f64
    }

    /// Seconds of a saving.
    pub(super) fn saving(&self, ticks: Option<f64>) -> Option<f64> {
        ticks.map(|ticks| self.times.length(ticks.min(self.wall() as f64)))
    }

    /// Whether a saving is a large enough share of the run to be reported.
    pub(super) fn saves_notably(&self, ticks: Option<f64>) -> bool {
        ticks.is_some_and(|ticks| ticks > 0.0 && ticks >= LEAST_SHARE * self.wall() as f64)
    }

    /// Whether calls of a path were throttled on some thread.
    pub(super) fn is_throttled(&self, path: PathId) -> bool {
        let mut all = self.found.threads.iter();
        all.any(|thread| thread.summed.throttled.iter().any(|t| t.path == path))
    }

    /// Ticks of a path's throttled calls that may be on the critical path, where their time is
    /// their caller's.
    fn throttled(&self, path: PathId) -> f64 {
        let mut caller = self.paths().node(path).parent;
        if !self.is_throttled(path) {
            return 0.0;
        }
        while caller != PathId::PROGRAM && self.is_throttled(caller) {
            caller = self.paths().node(caller).parent;
        }
        let threads = self.found.threads.iter().enumerate();
        let ticks = threads.flat_map(|(number, thread)| {
            let critical = self.found.critical.ticks(caller, number as ThreadId);
            let own = thread.summed.throttled.iter().filter(|t| t.path == path);
            own.map(move |throttled| throttled.ticks.min(critical))
        });
        ticks.sum::<u64>() as f64
    }
}
