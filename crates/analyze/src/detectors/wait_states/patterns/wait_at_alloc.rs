//! Wait at allocation: thread 0 does the work of a collective allocation and tells the others the
//! result; most runtimes also keep all threads together there, and where they release memory or
//! locks.

use pgas_earl::CollectiveInstance;
use pgas_trace::Clocks;
use pgas_trace::model::{Operation, ThreadId};

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "wait_at_alloc",
    precedence: 50,
    display_name: "Wait at allocation",
    parent: "allocation",
    description: "Time from a thread's entry into a collective allocation or release to that of \
                  the last thread, where no thread left before all had come; else from its entry \
                  into upc_all_alloc or upc_all_lock_alloc to that of thread 0, which does the \
                  work of the allocation and tells the others where the memory is.",
    remedy: "Allocate once, before the loop and before the work is divided, or let threads that \
             do not need thread 0 use upc_global_alloc.",
    late_arrival: true,
    formula: Formula::Allocation(judge),
};

fn judge(allocation: &CollectiveInstance, clocks: &Clocks, attribution: &mut Attribution) {
    let (last, arrival) = allocation.last_enter();
    if nobody_left_before(allocation, clocks) {
        attribution.waited_for(last);
        for (thread, member) in allocation.members.iter().enumerate() {
            attribution.wait(thread, member.span.begin, arrival);
        }
        return;
    }
    if !matches!(
        allocation.operation,
        Operation::AllAlloc | Operation::AllLockAlloc
    ) {
        return;
    }
    let Some(worker) = allocation.members.first() else {
        return;
    };
    attribution.waited_for(0);
    for (thread, member) in allocation.members.iter().enumerate() {
        attribution.wait(thread, member.span.begin, worker.span.begin);
    }
}

/// Whether by the clocks no thread need have left before the last one came. Runtimes release all
/// threads at once when the last one has come, so that its entry and their exits may be closer to
/// each other than the clocks of two nodes are known; the waiting of a long time must not depend on
/// which of them seems to be first.
fn nobody_left_before(allocation: &CollectiveInstance, clocks: &Clocks) -> bool {
    let (last, arrival) = allocation.last_enter();
    allocation
        .members
        .iter()
        .enumerate()
        .all(|(thread, member)| {
            let uncertainty = clocks.uncertainty_between(thread as ThreadId, last, arrival);
            // Of clocks that were not compared, times are taken as they are.
            let tolerance = if uncertainty.is_finite() {
                uncertainty.ceil() as u64
            } else {
                0
            };
            member.span.end.saturating_add(tolerance) >= arrival
        })
}
