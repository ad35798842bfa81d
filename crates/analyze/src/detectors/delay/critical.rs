//! Critical part of the run: time on the critical path by call path and thread, and the part of it
//! that is due to work being unevenly divided.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use crate::detectors::delay::{CriticalPath, Loss, Savings};
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::detectors::wait_states::severities::Severities;
use crate::threads::profile::ThreadProfile;

/// The critical path, of what there are events of. Time is in ticks.
#[derive(Debug, Clone, Default)]
pub struct Critical {
    /// The critical path itself, by call path and thread.
    pub path: CriticalPath,
    /// By call path: its time on the critical path.
    pub totals: FxHashMap<PathId, u64>,
    /// By call path: its time on the critical path beyond the mean over threads of its time
    /// without waiting, where positive. That is what a perfect balance there could take off
    /// the run: D. Boehme, F. Wolf, B. de Supinski, M. Schulz, M. Geimer, "Scalable
    /// Critical-Path Based Performance Analysis" (IPDPS 2012).
    pub imbalance: FxHashMap<PathId, f64>,
    /// Ticks by which the run would be shorter without each loss that was followed.
    pub savings: Savings,
}

impl Critical {
    /// Of everything that was replayed, which gave the path; times of `threads` are those of events
    /// alone.
    pub fn of(
        (path, savings): (CriticalPath, Savings),
        severities: &Severities,
        threads: &[ThreadProfile],
    ) -> Self {
        let mut totals: FxHashMap<PathId, u64> = FxHashMap::default();
        for (&(path, _), &ticks) in &path.ticks {
            *totals.entry(path).or_insert(0) += ticks;
        }
        let imbalance = totals.iter().map(|(&path, &ticks)| {
            let spent: u64 = threads.iter().map(|t| t.totals[path.index()].ticks).sum();
            let entries = PATTERNS.iter().enumerate();
            let waits = entries.filter(|(_, pattern)| pattern.waits_for_one());
            let waited: u64 = waits
                .filter_map(|(number, _)| severities.entry(number, path))
                .map(|entry| entry.total())
                .sum();
            let mean = spent.saturating_sub(waited) as f64 / threads.len().max(1) as f64;
            (path, (ticks as f64 - mean).max(0.0))
        });
        Critical {
            imbalance: imbalance.collect(),
            totals,
            path,
            savings,
        }
    }

    /// Ticks that a thread spent at a call path while it was on the critical path.
    pub fn ticks(&self, path: PathId, thread: ThreadId) -> u64 {
        self.path.ticks.get(&(path, thread)).copied().unwrap_or(0)
    }

    /// Ticks at a call path on the critical path, of all threads.
    pub fn total(&self, path: PathId) -> u64 {
        self.totals.get(&path).copied().unwrap_or(0)
    }

    /// Ticks by which the run would be shorter without a loss, waiting that takes its place
    /// included; `None` if that loss was not followed, or there was none.
    pub fn saving(&self, loss: Loss, path: PathId) -> Option<f64> {
        self.savings.get(&(loss, path)).copied()
    }

    /// Ticks at a call path that are on the critical path because of imbalance.
    pub fn imbalance(&self, path: PathId) -> f64 {
        self.imbalance.get(&path).copied().unwrap_or(0.0)
    }
}
