//! The part of the run that there is a trace of.

use pgas_result::recording::WaitStates;

use crate::pipeline::search::Found;

/// Of which part of the run wait states are known.
pub fn wait_states(found: &Found) -> WaitStates {
    let with_sums = found.threads.iter().any(|t| t.summed.beyond.is_some());
    match (found.has_events(), with_sums) {
        (false, true) => WaitStates::None,
        (true, true) => WaitStates::UntilTraceEnds,
        (_, false) => WaitStates::All,
    }
}

/// When the first trace ends that sums go on behind, in ticks; `None` if there is no trace, or no
/// such end.
pub fn trace_end(found: &Found) -> Option<u64> {
    if !found.has_events() {
        return None;
    }
    let ends = found.threads.iter().filter_map(|thread| {
        let summed = &thread.summed;
        Some(summed.events_end.unwrap_or(summed.beyond?.begin))
    });
    ends.min()
}
