//! Wait at barrier: threads that arrived early wait for the last one.

use pgas_earl::BarrierInstance;

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "wait_at_barrier",
    precedence: 10,
    display_name: "Wait at barrier",
    parent: "barrier",
    description: "Time from a thread's arrival at a upc_barrier to the arrival of the last \
                  thread, which for a split-phase barrier is its upc_notify. The end of the \
                  program, which all threads reach together, counts as a barrier.",
    remedy: "",
    late_arrival: true,
    formula: Formula::Barrier(judge),
};

fn judge(barrier: &BarrierInstance, attribution: &mut Attribution) {
    let (last, arrival) = barrier.last_arrival();
    attribution.waited_for(last);
    for (thread, member) in barrier.members.iter().enumerate() {
        if member.notify.is_none() {
            attribution.wait(thread, member.span.begin, arrival);
        }
    }
}
