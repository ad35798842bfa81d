//! Properties of operations that follow from their kind alone: the name that a UPC programmer knows
//! them by, and whether they need other threads.

use pgas_trace::model::Operation;

/// The name of a runtime operation in the source language; see [`Operation::name`].
pub fn name(operation: Operation) -> &'static str {
    operation.name()
}

/// Whether all threads execute it together, in the same order: the operations of the collective
/// queue. Barriers are numbered on their own, since their two halves may lie apart.
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

/// Whether a thread waits in it for what some other thread posts or writes, or for the arrival of
/// some of the others.
pub fn waits_for_post(operation: Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        FlagWait | SignalWait | EventWait | PartnerSync | GroupCollective | Idle
    )
}

/// Whether it begins a transfer that need not be done when the operation ends.
pub(crate) fn begins_transfer(operation: Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        Put | RemotePut | Memput | Memset | Memcpy | NonBlockingPut | NonBlockingGet
    )
}

/// Whether it waits until transfers of the thread itself are done.
pub(crate) fn completes_transfers(operation: Operation) -> bool {
    matches!(operation, Operation::NonBlockingSync | Operation::Fence)
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
        || waits_for_post(operation)
        || completes_transfers(operation)
}

/// Whether a thread waits for others in it, so that being without a core meanwhile costs nothing by
/// itself.
pub(crate) fn waits(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Wait | Operation::Barrier | Operation::Lock
    ) || is_collective(operation)
        || waits_for_post(operation)
}
