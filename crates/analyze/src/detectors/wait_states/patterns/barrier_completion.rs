//! Barrier completion: threads leave the barrier at different times though all have arrived.

use pgas_earl::BarrierInstance;

use super::{Formula, Pattern};
use crate::detectors::wait_states::attribution::Attribution;
use crate::detectors::wait_states::completion;

pub const PATTERN: Pattern = Pattern {
    id: "barrier_completion",
    precedence: 116,
    display_name: "Barrier completion",
    parent: "barrier",
    description: "Time in a upc_barrier or upc_wait after the first thread has left it and the \
                  last one has arrived.",
    remedy: "The barrier releases threads slowly: give each thread a core of its own, and use \
             fewer barriers.",
    late_arrival: false,
    formula: Formula::Barrier(judge),
};

fn judge(barrier: &BarrierInstance, attribution: &mut Attribution) {
    let exits = barrier.members.iter().map(|m| m.span.end);
    completion::claim(exits, barrier.last_arrival(), attribution);
}
