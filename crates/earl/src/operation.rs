//! What is known about operations by their kind alone: the name that a UPC programmer knows them by, and which of
//! them need other threads.

use pgas_trace::model::Operation;

/// The name of a runtime operation in the source language, e.g. "upc_barrier". For functions and user regions,
/// which have names of their own, it is what such a region is called when its name is unknown.
pub fn name(operation: Operation) -> &'static str {
    use Operation::*;
    match operation {
        Function => "(unknown function)",
        UserRegion => "(user region)",
        MeasurementStall => "(measurement)",
        Malloc => "malloc",
        Realloc => "realloc",
        MallocFree => "free",
        Notify => "upc_notify",
        Wait => "upc_wait",
        Barrier => "upc_barrier",
        Fence => "upc_fence",
        Forall => "upc_forall",
        GlobalAlloc => "upc_global_alloc",
        AllAlloc => "upc_all_alloc",
        Alloc => "upc_alloc",
        Free => "upc_free",
        AllFree => "upc_all_free",
        GlobalLockAlloc => "upc_global_lock_alloc",
        AllLockAlloc => "upc_all_lock_alloc",
        LockFree => "upc_lock_free",
        AllLockFree => "upc_all_lock_free",
        Lock => "upc_lock",
        LockAttempt => "upc_lock_attempt",
        Unlock => "upc_unlock",
        Memcpy => "upc_memcpy",
        Memget => "upc_memget",
        Memput => "upc_memput",
        Memset => "upc_memset",
        Get => "upc_get",
        Put => "upc_put",
        NonBlockingGet => "upc_nb_get",
        NonBlockingPut => "upc_nb_put",
        NonBlockingSync => "upc_nb_sync",
        Broadcast => "upc_all_broadcast",
        Scatter => "upc_all_scatter",
        Gather => "upc_all_gather",
        GatherAll => "upc_all_gather_all",
        Exchange => "upc_all_exchange",
        Permute => "upc_all_permute",
        Reduce => "upc_all_reduce",
        PrefixReduce => "upc_all_prefix_reduce",
        CollectiveExit => "program end",
        NoncollectiveExit => "upc_global_exit",
        InputOutput => "upc_all_fread/fwrite",
    }
}

/// Whether this is a region of the program itself rather than an operation of a runtime.
pub fn is_user(operation: Operation) -> bool {
    matches!(operation, Operation::Function | Operation::UserRegion)
}

/// Whether all threads execute it together, in the same order: the operations of the collective queue. Barriers are
/// numbered on their own, since their two halves may lie apart.
pub fn is_collective(operation: Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        Broadcast
            | Scatter
            | Gather
            | GatherAll
            | Exchange
            | Permute
            | Reduce
            | PrefixReduce
            | CollectiveExit
    ) || is_collective_allocation(operation)
}

/// Whether it allocates or frees shared memory or locks with all threads together.
pub fn is_collective_allocation(operation: Operation) -> bool {
    use Operation::*;
    matches!(operation, AllAlloc | AllLockAlloc | AllFree | AllLockFree)
}

/// Whether its instances appear in records, so that what happened inside of them must be known.
pub(crate) fn is_recorded(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Notify
            | Operation::Wait
            | Operation::Barrier
            | Operation::Lock
            | Operation::LockAttempt
    ) || is_collective(operation)
}
