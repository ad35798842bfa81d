//! Wait for own transfers: a thread completes transfers that it has begun before.

use pgas_trace::model::Operation;

use super::{Formula, Pattern, all_of_it};

pub const PATTERN: Pattern = Pattern {
    id: "completion_wait",
    precedence: 46,
    display_name: "Waiting for own transfers",
    parent: "one_sided",
    description: "Time in calls that complete transfers which the thread itself has begun (upc_sync, \
                  shmem_quiet, MPI_Win_flush), where some may have been under way.",
    remedy: "Begin the transfers earlier, compute between their begin and their completion, and complete \
             many by one call.",
    late_arrival: false,
    formula: Formula::Completion(Operation::NonBlockingSync, all_of_it),
};
