//! Wait at allocation: thread 0 does the work of a collective allocation and tells the others the
//! result; most runtimes also keep all threads together there, and where they release memory or
//! locks.

use pgas_earl::CollectiveInstance;
use pgas_trace::model::Operation;

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

fn judge(allocation: &CollectiveInstance, attribution: &mut Attribution) {
    let (last, arrival) = allocation.last_enter();
    if allocation.first_exit() >= arrival {
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
