//! Wait states that the waiting in an operation can be: which of the analysis' patterns applies to
//! whom, by operation, root and synchronisation modes.

use pgas_live::Collective;
use pgas_trace::model::{Operation, SyncMode};
use serde::{Deserialize, Serialize};

use crate::known::{self, Name};

/// Ids of the patterns of the analysis for the waiting in an operation. `None` where no pattern
/// applies: the program does not ask for waiting there, or nothing is known yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitStates {
    /// Root of the last call.
    pub root: Option<u32>,
    /// Of the root, while others have not come.
    #[serde(deserialize_with = "known::optional")]
    pub of_root: Option<Name>,
    /// Of the others, while some have not come.
    #[serde(deserialize_with = "known::optional")]
    pub of_others: Option<Name>,
    /// Of all, after all have come.
    #[serde(deserialize_with = "known::optional")]
    pub completion: Option<Name>,
}

impl WaitStates {
    /// For an operation, with what is known of its last call.
    pub(crate) fn of(operation: Operation, collective: Option<Collective>) -> Self {
        if let Some(pattern) = of_operation(operation) {
            let completion = match operation {
                Operation::Barrier | Operation::CollectiveExit => "barrier_completion",
                _ => pattern,
            };
            return Self {
                root: None,
                of_root: Some(pattern),
                of_others: Some(pattern),
                completion: Some(completion),
            };
        }
        collective.map_or_else(Self::default, |collective| {
            of_collective(operation, collective)
        })
    }

    /// The pattern of a thread that waits; `all_there`: all have come to what it waits in.
    pub fn of_thread(&self, thread: u32, all_there: bool) -> Option<Name> {
        match all_there {
            true => self.completion,
            false if self.root == Some(thread) => self.of_root,
            false => self.of_others,
        }
    }
}

/// Number of barriers and collective operations of all threads that a thread has come to.
pub(crate) fn arrivals(operations: &[pgas_live::Operation]) -> u64 {
    let calls = operations.iter().filter(|row| joins_all(row.operation));
    calls.fold(0, |sum, row| sum.saturating_add(row.calls))
}

/// Whether all threads call it, in the same order. A split barrier counts once, at its wait.
fn joins_all(operation: Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        Wait | Barrier
            | CollectiveExit
            | Broadcast
            | Scatter
            | Gather
            | GatherAll
            | Exchange
            | Permute
            | Reduce
            | PrefixReduce
            | AllAlloc
            | AllFree
            | AllLockAlloc
            | AllLockFree
    )
}

/// Where the operation alone decides.
fn of_operation(operation: Operation) -> Option<Name> {
    use Operation::*;
    Some(match operation {
        Barrier | CollectiveExit => "wait_at_barrier",
        Notify | Wait => "split_phase_wait",
        Lock | LockAttempt => "lock_contention",
        FlagWait => "flag_wait",
        SignalWait => "signal_wait",
        EventWait => "event_wait",
        PartnerSync => "partner_wait",
        AllAlloc | AllFree | AllLockAlloc | AllLockFree => "wait_at_alloc",
        GroupCollective => "group_wait",
        Fence => "fence_wait",
        NonBlockingSync => "completion_wait",
        _ => return None,
    })
}

/// The conditions of the patterns of collective operations (`docs/patterns.md`).
fn of_collective(operation: Operation, collective: Collective) -> WaitStates {
    let (of_root, of_others) = match collective.sync_in {
        SyncMode::All => (Some("collective_sync_in"), Some("collective_sync_in")),
        SyncMode::Mine => of_data(operation, collective.sync_out),
        SyncMode::None => (None, None),
    };
    let is_all_to_all = matches!(operation, Operation::GatherAll | Operation::Exchange);
    let completion = match collective.sync_out {
        SyncMode::All => Some("collective_sync_out"),
        SyncMode::Mine if is_all_to_all => Some("nxn_completion"),
        _ => None,
    };
    WaitStates {
        root: collective.root,
        of_root,
        of_others,
        completion,
    }
}

/// Of the root and of the others, where threads need not come together, but need each other's data.
fn of_data(operation: Operation, sync_out: SyncMode) -> (Option<Name>, Option<Name>) {
    match operation {
        Operation::Broadcast | Operation::Scatter => {
            (Some("wait_inside_collective"), Some("late_broadcast"))
        }
        Operation::Gather | Operation::Reduce => {
            let of_sender = (sync_out != SyncMode::None).then_some("early_gather_sender");
            (Some("early_gather_receiver"), of_sender)
        }
        Operation::GatherAll | Operation::Exchange => (Some("wait_at_nxn"), Some("wait_at_nxn")),
        Operation::PrefixReduce => (Some("early_prefix_reduce"), Some("early_prefix_reduce")),
        _ => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collective(root: Option<u32>, sync_in: SyncMode, sync_out: SyncMode) -> Option<Collective> {
        Some(Collective {
            root,
            sync_in,
            sync_out,
        })
    }

    #[test]
    fn modes_and_root_decide_what_the_waiting_is() {
        use SyncMode::{All, Mine, None as No};
        for (operation, modes, thread, all_there, expected) in [
            (
                Operation::Broadcast,
                (Mine, Mine),
                1,
                false,
                Some("late_broadcast"),
            ),
            (
                Operation::Broadcast,
                (Mine, Mine),
                0,
                false,
                Some("wait_inside_collective"),
            ),
            (
                Operation::Broadcast,
                (All, All),
                1,
                false,
                Some("collective_sync_in"),
            ),
            (Operation::Broadcast, (No, All), 1, false, None),
            (
                Operation::Broadcast,
                (No, All),
                1,
                true,
                Some("collective_sync_out"),
            ),
            (
                Operation::Reduce,
                (Mine, Mine),
                0,
                false,
                Some("early_gather_receiver"),
            ),
            (
                Operation::Reduce,
                (Mine, Mine),
                2,
                false,
                Some("early_gather_sender"),
            ),
            (Operation::Reduce, (Mine, No), 2, false, None),
            (
                Operation::Exchange,
                (Mine, Mine),
                3,
                true,
                Some("nxn_completion"),
            ),
        ] {
            let states = WaitStates::of(operation, collective(Some(0), modes.0, modes.1));
            assert_eq!(
                states.of_thread(thread, all_there),
                expected,
                "{operation:?} {modes:?}"
            );
        }
    }

    #[test]
    fn before_the_first_call_has_ended_nothing_is_known() {
        assert_eq!(
            WaitStates::of(Operation::Broadcast, None),
            WaitStates::default()
        );
        let barrier = WaitStates::of(Operation::Barrier, None);
        assert_eq!(barrier.of_thread(0, false), Some("wait_at_barrier"));
    }
}
