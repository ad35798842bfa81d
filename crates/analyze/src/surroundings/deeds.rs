//! What a thread did between two synchronisations with all others, as far as it matters for whether these are needed:
//! a set of kinds of deeds.

use std::ops::{BitOr, BitOrAssign};

use pgas_trace::model::Operation;
use serde::{Deserialize, Serialize};

/// A set of kinds of deeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Deeds(u16);

impl Deeds {
    pub const NONE: Deeds = Deeds(0);
    /// Accesses to shared data with affinity to the thread itself.
    pub const OWN: Deeds = Deeds(1);
    /// Accesses to shared data with affinity to others.
    pub const REMOTE: Deeds = Deeds(1 << 1);
    /// Taking, trying or releasing a lock.
    pub const LOCKS: Deeds = Deeds(1 << 2);
    /// New memory or locks.
    pub const ALLOCATES: Deeds = Deeds(1 << 3);
    /// Memory or locks that end.
    pub const FREES: Deeds = Deeds(1 << 4);
    pub const FENCES: Deeds = Deeds(1 << 5);
    /// Files, of which others may read what was written.
    pub const FILES: Deeds = Deeds(1 << 6);
    /// Accesses that may still be under way behind the next synchronisation.
    pub const NON_BLOCKING: Deeds = Deeds(1 << 7);
    /// A collective operation that may still be moving data, or begin to.
    pub const COLLECTIVE: Deeds = Deeds(1 << 8);
    /// Not everything is in the trace.
    pub const UNKNOWN: Deeds = Deeds(1 << 9);

    /// Accesses that do not say where in shared memory they went.
    pub const ANYWHERE: Deeds = Deeds(1 << 10);

    /// Kinds by which one thread's deeds can depend on those of another. Without them, each thread has touched its own
    /// data alone.
    const SHARED: u16 = Deeds::REMOTE.0
        | Deeds::LOCKS.0
        | Deeds::FREES.0
        | Deeds::FILES.0
        | Deeds::NON_BLOCKING.0
        | Deeds::COLLECTIVE.0
        | Deeds::UNKNOWN.0;

    /// What calling an operation means by itself; of one-sided accesses, their partners say more.
    #[inline]
    pub fn of(operation: Operation) -> Deeds {
        use Operation::*;
        match operation {
            Lock | LockAttempt | Unlock => Deeds::LOCKS,
            GlobalAlloc | AllAlloc | Alloc | GlobalLockAlloc | AllLockAlloc => Deeds::ALLOCATES,
            Free | AllFree | LockFree | AllLockFree => Deeds::FREES,
            Fence => Deeds::FENCES,
            InputOutput => Deeds::FILES,
            NonBlockingGet | NonBlockingPut | NonBlockingSync => Deeds::NON_BLOCKING,
            NoncollectiveExit => Deeds::UNKNOWN,
            // An access that does not say whose data it is.
            Memcpy | Memget | Memput | Memset | Get | Put => Deeds::UNKNOWN,
            _ => Deeds::NONE,
        }
    }

    /// Whether what links the thread to others are accesses whose places are known, and nothing else.
    pub fn is_placed(self) -> bool {
        let unplaced = (Deeds::SHARED & !Deeds::REMOTE.0) | Deeds::ANYWHERE.0;
        self.0 & unplaced == 0
    }

    pub fn is_none(self) -> bool {
        self == Deeds::NONE
    }

    /// Whether nothing links the thread to others: it has touched no shared data but its own.
    pub fn is_private(self) -> bool {
        self.0 & Deeds::SHARED == 0
    }
}

impl BitOr for Deeds {
    type Output = Deeds;

    fn bitor(self, other: Deeds) -> Deeds {
        Deeds(self.0 | other.0)
    }
}

impl BitOrAssign for Deeds {
    #[inline]
    fn bitor_assign(&mut self, other: Deeds) {
        self.0 |= other.0;
    }
}
