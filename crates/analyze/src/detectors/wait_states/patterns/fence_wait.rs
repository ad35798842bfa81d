//! Wait in a fence: a thread orders accesses while transfers of its own are under way.

use pgas_trace::model::Operation;

use super::{Formula, Pattern, all_of_it};

pub const PATTERN: Pattern = Pattern {
    id: "fence_wait",
    precedence: 47,
    display_name: "Fence waiting for transfers",
    parent: "fence",
    description: "Time in fences (upc_fence, shmem_fence, sync memory) that come after transfers of the \
                  thread itself, which they wait for.",
    remedy: "Use fewer fences: collect transfers, and order them by one fence after the last; compute \
             between the transfers and the fence.",
    late_arrival: false,
    formula: Formula::Completion(Operation::Fence, all_of_it),
};
