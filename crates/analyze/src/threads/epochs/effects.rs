//! Effects of one thread between two synchronisations with all others, as far as they decide
//! whether these are needed: a set of kinds of effects.

use std::ops::{BitOr, BitOrAssign};

use pgas_trace::model::Operation;
use serde::{Deserialize, Serialize};

/// A set of kinds of effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Effects(u16);

impl Effects {
    /// The empty set.
    pub const NONE: Effects = Effects(0);
    /// Accesses to shared data with affinity to the thread itself.
    pub const OWN: Effects = Effects(1);
    /// Accesses to shared data with affinity to others.
    pub const REMOTE: Effects = Effects(1 << 1);
    /// Taking, trying or releasing a lock.
    pub const LOCKS: Effects = Effects(1 << 2);
    /// New memory or locks.
    pub const ALLOCATES: Effects = Effects(1 << 3);
    /// Memory or locks that end.
    pub const FREES: Effects = Effects(1 << 4);
    /// `upc_fence`.
    pub const FENCES: Effects = Effects(1 << 5);
    /// Files, of which others may read what was written.
    pub const FILES: Effects = Effects(1 << 6);
    /// Accesses that may still be under way after the next synchronisation.
    pub const NON_BLOCKING: Effects = Effects(1 << 7);
    /// A collective operation that may still be moving data, or begin to.
    pub const COLLECTIVE: Effects = Effects(1 << 8);
    /// Not everything is in the trace.
    pub const UNKNOWN: Effects = Effects(1 << 9);

    /// Accesses that do not say where in shared memory they went.
    pub const ANYWHERE: Effects = Effects(1 << 10);

    /// Kinds by which one thread's effects can depend on those of another. Without them, each
    /// thread has touched its own data alone.
    const SHARED: u16 = Effects::REMOTE.0
        | Effects::LOCKS.0
        | Effects::FREES.0
        | Effects::FILES.0
        | Effects::NON_BLOCKING.0
        | Effects::COLLECTIVE.0
        | Effects::UNKNOWN.0;

    /// Effects of calling an operation by itself; for one-sided accesses, the partner determines
    /// more.
    #[inline]
    pub fn of(operation: Operation) -> Effects {
        use Operation::*;
        match operation {
            Lock | LockAttempt | Unlock => Effects::LOCKS,
            GlobalAlloc | AllAlloc | Alloc | GlobalLockAlloc | AllLockAlloc => Effects::ALLOCATES,
            Free | AllFree | LockFree | AllLockFree => Effects::FREES,
            Fence => Effects::FENCES,
            InputOutput => Effects::FILES,
            NonBlockingGet | NonBlockingPut | NonBlockingSync => Effects::NON_BLOCKING,
            NoncollectiveExit | FlagWait | SignalWait | EventWait | Post | PartnerSync
            | GroupCollective | LibraryCall | Send | Receive => Effects::UNKNOWN,
            // An access that does not say whose data it is.
            Memcpy | Memget | Memput | Memset | Get | Put | RemoteGet | RemotePut | Atomic => {
                Effects::UNKNOWN
            }
            _ => Effects::NONE,
        }
    }

    /// Whether what links the thread to others are accesses whose places are known, and nothing
    /// else.
    pub fn is_placed(self) -> bool {
        let unplaced = (Effects::SHARED & !Effects::REMOTE.0) | Effects::ANYWHERE.0;
        self.0 & unplaced == 0
    }

    /// Whether the set is empty: the thread did nothing that matters for synchronisation.
    pub fn is_none(self) -> bool {
        self == Effects::NONE
    }

    /// Whether nothing links the thread to others: it has touched no shared data but its own.
    pub fn is_private(self) -> bool {
        self.0 & Effects::SHARED == 0
    }
}

impl BitOr for Effects {
    type Output = Effects;

    fn bitor(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }
}

impl BitOrAssign for Effects {
    #[inline]
    fn bitor_assign(&mut self, other: Effects) {
        self.0 |= other.0;
    }
}
