//! Wait in a split-phase barrier: the work between `upc_notify` and `upc_wait` was too short to
//! hide that another thread came late.

use pgas_earl::BarrierInstance;

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;

pub const PATTERN: Pattern = Pattern {
    id: "split_phase_wait",
    precedence: 20,
    display_name: "Wait in split-phase barrier",
    parent: "barrier",
    description: "Time from a thread's entry into upc_wait to the last thread's upc_notify (or \
                  upc_barrier), where that is later.",
    remedy: "",
    late_arrival: true,
    formula: Formula::Barrier(judge),
};

fn judge(barrier: &BarrierInstance, attribution: &mut Attribution) {
    let (last, arrival) = barrier.last_arrival();
    attribution.waited_for(last);
    for (thread, member) in barrier.members.iter().enumerate() {
        if member.notify.is_some() {
            attribution.wait(thread, member.span.begin, arrival);
        }
    }
}
