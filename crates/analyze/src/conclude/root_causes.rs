//! The summary of what decided how long the run took: the largest parts of the critical path, the
//! root causes of most of the waiting, and where that was.

use std::collections::BTreeMap;

use pgas_cube::model::CallPathId;
use pgas_result::causes::{Causes, CriticalCallPath, CriticalPath, Effect, RootCause};

use crate::detectors::wait_states::patterns::PATTERNS;
use crate::detectors::wait_states::severities::Blame;
use crate::model::clock::Times;
use crate::pipeline::search::Found;

/// Call paths of the critical path, and root causes, that are named.
const MOST: usize = 20;
/// Places of waiting that are named of each root cause.
const MOST_EFFECTS: usize = 3;

/// The summary; `None` without events.
pub fn causes(found: &Found, times: &Times, places: &[CallPathId]) -> Option<Causes> {
    found.critical.path.end?;
    Some(Causes {
        critical_path: critical_path(found, times, places),
        root_causes: root_causes(found, times, places),
    })
}

fn critical_path(found: &Found, times: &Times, places: &[CallPathId]) -> CriticalPath {
    let critical = &found.critical;
    let mut by_thread = vec![0u64; found.threads.len()];
    for (&(_, thread), &ticks) in &critical.path.ticks {
        by_thread[thread as usize] += ticks;
    }
    let mut parts: Vec<_> = critical.totals.iter().collect();
    parts.sort_by_key(|&(path, &ticks)| (std::cmp::Reverse(ticks), places[path.index()]));
    let part = |(&path, &ticks): (&pgas_earl::PathId, &u64)| CriticalCallPath {
        call_path: places[path.index()].0,
        seconds: times.length(ticks as f64),
        imbalance_seconds: times.length(critical.imbalance(path)),
    };
    let positive = parts.into_iter().filter(|&(_, &ticks)| ticks > 0);
    CriticalPath {
        seconds: times.length(by_thread.iter().sum::<u64>() as f64),
        changes: critical.path.changes,
        by_thread: by_thread
            .iter()
            .map(|&ticks| times.length(ticks as f64))
            .collect(),
        call_paths: positive.take(MOST).map(part).collect(),
    }
}

/// Waiting of one wait state at one place: the number of the pattern, and the call path.
type Place = (usize, CallPathId);

fn root_causes(found: &Found, times: &Times, places: &[CallPathId]) -> Vec<RootCause> {
    let mut roots: BTreeMap<(CallPathId, u32), (Blame, BTreeMap<Place, u64>)> = BTreeMap::new();
    for number in 0..PATTERNS.len() {
        for (at, entry) in found.matcher.severities().entries(number) {
            for (&(path, thread), &blame) in &entry.causes {
                let root = roots.entry((places[path.index()], thread)).or_default();
                root.0.add(blame);
                *root.1.entry((number, places[at.index()])).or_insert(0) += blame.total();
            }
        }
    }
    let mut roots: Vec<_> = roots.into_iter().collect();
    // Stable: of equal ones, the order of call paths and threads remains.
    roots.sort_by_key(|(_, (blame, _))| std::cmp::Reverse(blame.total()));
    roots.truncate(MOST);
    let root_cause = |((call_path, thread), (blame, effects)): (
        (CallPathId, u32),
        (Blame, BTreeMap<Place, u64>),
    )| {
        let mut effects: Vec<_> = effects.into_iter().collect();
        effects.sort_by_key(|&(_, ticks)| std::cmp::Reverse(ticks));
        effects.truncate(MOST_EFFECTS);
        let effect = |((number, at), ticks): (Place, u64)| Effect {
            metric: PATTERNS[number].id.into(),
            call_path: at.0,
            seconds: times.length(ticks as f64),
        };
        RootCause {
            call_path: call_path.0,
            thread,
            short_term_seconds: times.length(blame.short_term as f64),
            long_term_seconds: times.length(blame.long_term as f64),
            effects: effects.into_iter().map(effect).collect(),
        }
    };
    roots.into_iter().map(root_cause).collect()
}
