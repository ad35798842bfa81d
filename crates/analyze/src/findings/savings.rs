//! What mending a finding would save at most: how much shorter the run could become. Only what is on the critical path
//! can make it shorter, so no saving is larger than the time there of what would be mended.

use pgas_cube::recording::WaitStates;
use pgas_earl::PathId;
use pgas_trace::model::ThreadId;

use super::Evidence;
use crate::ledger::Entry;

/// Share of the run below which a saving alone makes nothing a finding.
const LEAST_SHARE: f64 = 0.001;

impl Evidence<'_> {
    /// Whether the whole run is in the trace, so that its critical path is known.
    fn knows_all_events(&self) -> bool {
        self.wait_states == WaitStates::All
    }

    /// Ticks that a faster call path would save at most.
    pub(super) fn saved_at(&self, path: PathId) -> Option<f64> {
        let ticks = self.found.critical.total(path) as f64;
        self.knows_all_events()
            .then(|| ticks + self.throttled(path))
    }

    /// Ticks that a perfect balance of a call path would save at most.
    pub(super) fn saved_by_balance(&self, path: PathId) -> Option<f64> {
        let ticks = self.found.critical.imbalance(path);
        self.knows_all_events()
            .then(|| ticks + self.throttled(path))
    }

    /// Ticks that would be saved at most if nobody waited at a place: not more than the longest wait of each instance, nor
    /// than the time of the root causes on the critical path.
    pub(super) fn saved_without(
        &self,
        entry: &Entry,
        path: PathId,
        waits_for_one: bool,
    ) -> Option<f64> {
        if !self.knows_all_events() {
            return None;
        }
        let longest = entry.longest as f64;
        if !waits_for_one {
            return self.saved_at(path).map(|ticks| ticks.min(longest));
        }
        let critical = &self.found.critical;
        let blamed: u64 = entry.causes.values().map(|blame| blame.total()).sum();
        let unexplained = entry.total().saturating_sub(blamed);
        let causes = entry.causes.keys();
        let causes: u64 = causes
            .map(|&(path, thread)| critical.ticks(path, thread))
            .sum();
        Some(longest.min((causes + unexplained) as f64))
    }

    /// Seconds of a saving.
    pub(super) fn saving(&self, ticks: Option<f64>) -> Option<f64> {
        ticks.map(|ticks| self.times.length(ticks.min(self.wall() as f64)))
    }

    /// Whether so many ticks are a part of the run's length that is worth a word.
    pub(super) fn saves_notably(&self, ticks: Option<f64>) -> bool {
        ticks.is_some_and(|ticks| ticks > 0.0 && ticks >= LEAST_SHARE * self.wall() as f64)
    }

    /// Ticks of a path's throttled calls that may be on the critical path, where their time is their caller's.
    fn throttled(&self, path: PathId) -> f64 {
        let mut caller = self.paths().node(path).parent;
        let is_throttled = |path: PathId| {
            let mut all = self.found.threads.iter();
            all.any(|thread| thread.summed.throttled.iter().any(|t| t.path == path))
        };
        if !is_throttled(path) {
            return 0.0;
        }
        while caller != PathId::PROGRAM && is_throttled(caller) {
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
