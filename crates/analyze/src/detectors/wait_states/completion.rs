//! Completion of an operation that all threads leave together: from the first exit on, counted only
//! after the last thread has arrived.
//!
//! The published formula charges the time from a thread's exit to the last exit, which lies after
//! the thread has left. The same spread is seen from the other end here, so that it stays inside of
//! the operation; the published value is kept as a statistic of the instance.

use pgas_trace::model::ThreadId;

use crate::detectors::wait_states::attribution::Attribution;

/// Charges every member from the first exit, or the last arrival if that is later, to its exit.
/// Named as waited for is the thread that left last.
pub(crate) fn claim(
    exits: impl Iterator<Item = u64> + Clone,
    last_arrival: (ThreadId, u64),
    attribution: &mut Attribution,
) {
    let first_exit = exits
        .clone()
        .enumerate()
        .map(|(thread, exit)| (thread as ThreadId, exit))
        .reduce(|best, next| if next.1 < best.1 { next } else { best });
    let (thread, start) = match first_exit {
        Some(first) if first.1 >= last_arrival.1 => first,
        _ => last_arrival,
    };
    attribution.measured_against(thread);
    let mut last = (0, 0);
    for (thread, exit) in exits.clone().enumerate() {
        attribution.wait(thread, start, exit);
        if exit > last.1 {
            last = (thread as ThreadId, exit);
        }
    }
    attribution.waited_for(last.0);
    let after = exits.map(|exit| last.1 - exit);
    attribution.last_exit_after(after.fold(0, u64::saturating_add));
}
