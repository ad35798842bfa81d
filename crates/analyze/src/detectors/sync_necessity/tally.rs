//! Tally for each call path of a barrier or a collective operation: it shows whether anything, in
//! any instance, is in the way of a claim about it.

use pgas_earl::PathId;
use pgas_trace::model::{Operation, SyncMode};

use crate::model::histogram::Histogram;
use crate::threads::epochs::effects::Effects;

/// The barrier beside an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    /// Of the first instance.
    pub path: PathId,
    /// Whether it is the same in all instances.
    pub is_only: bool,
}

impl Beside {
    fn note(beside: &mut Option<Beside>, barrier: Option<PathId>) {
        match (beside, barrier) {
            (Some(beside), Some(path)) => beside.is_only &= beside.path == path,
            (beside, Some(path)) => {
                *beside = Some(Beside {
                    path,
                    is_only: true,
                });
            }
            (_, None) => {}
        }
    }
}

/// One side of a collective operation: its entry or its exit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The synchronisation mode that the program asks for on this side.
    pub mode: SyncMode,
    /// Instances of which this side's surroundings are known.
    pub instances: u64,
    /// In all of them nothing was recorded between a barrier and this side.
    pub beside_barrier: bool,
    /// In all of them no thread touched anything but its own data between this side and the
    /// synchronisation beyond it.
    pub is_private: bool,
    /// The barrier that precedes the entry or follows the exit, if one ever did.
    pub barrier: Option<Beside>,
    /// Ticks between the barrier and this side, of each thread and instance, as long as it is
    /// beside one.
    pub apart: Histogram,
    /// Ticks of the thread that lost most, summed over instances.
    pub longest: u64,
}

impl Side {
    fn new(mode: SyncMode) -> Self {
        Side {
            mode,
            instances: 0,
            beside_barrier: true,
            is_private: true,
            barrier: None,
            apart: Histogram::default(),
            longest: 0,
        }
    }

    /// Counts an instance. `barrier` is the one beside it, if that is what comes next, or came
    /// last; `effects` and `apart` are those between, the latter by thread.
    pub fn count(&mut self, barrier: Option<PathId>, effects: Effects, apart: &[u64]) {
        self.instances += 1;
        self.beside_barrier &= barrier.is_some() && effects.is_none();
        self.is_private &= effects.is_private();
        Beside::note(&mut self.barrier, barrier);
        if self.beside_barrier {
            apart.iter().for_each(|&ticks| self.apart.record(ticks));
        }
    }

    /// Nothing can be said about it.
    pub fn refute(&mut self) {
        self.beside_barrier = false;
        self.is_private = false;
    }
}

/// A call path of a collective operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectiveTally {
    /// The collective operation.
    pub operation: Operation,
    /// Its entry, and what threads did since the synchronisation before.
    pub entry: Side,
    /// Its exit, and what threads did up to the next synchronisation.
    pub exit: Side,
}

impl CollectiveTally {
    /// A call path of which no instance was counted yet.
    pub fn new(operation: Operation, sync_in: SyncMode, sync_out: SyncMode) -> Self {
        CollectiveTally {
            operation,
            entry: Side::new(sync_in),
            exit: Side::new(sync_out),
        }
    }

    /// Gives up every claim about either side.
    pub fn refute(&mut self) {
        self.entry.refute();
        self.exit.refute();
    }
}

/// A call path of a barrier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BarrierTally {
    /// Instances that were counted.
    pub instances: u64,
    /// Instances after which another synchronisation came, so that what lies on both sides is
    /// known.
    pub settled: u64,
    /// In all of them no thread touched anything but its own data on either side.
    pub is_private: bool,
    /// In all of them nothing was recorded since another barrier.
    pub beside_barrier: bool,
    /// The barrier before it.
    pub barrier: Option<Beside>,
    /// Ticks since the barrier before, of each thread and instance, as long as it is beside one.
    pub apart: Histogram,
    /// Ticks of the thread that spent most in it, summed over instances.
    pub longest: u64,
}

impl Default for BarrierTally {
    fn default() -> Self {
        BarrierTally {
            instances: 0,
            settled: 0,
            is_private: true,
            beside_barrier: true,
            barrier: None,
            apart: Histogram::default(),
            longest: 0,
        }
    }
}

impl BarrierTally {
    /// Gives up every claim about the barrier.
    pub fn refute(&mut self) {
        self.is_private = false;
        self.beside_barrier = false;
    }

    /// Counts an instance, before which threads did `effects`. `barrier` is the one before it, if
    /// nothing lies between; `apart` (by thread) and `longest` are ticks.
    pub fn count(
        &mut self,
        effects: Effects,
        barrier: Option<PathId>,
        apart: &[u64],
        longest: u64,
    ) {
        self.instances += 1;
        self.is_private &= effects.is_private();
        self.beside_barrier &= barrier.is_some();
        Beside::note(&mut self.barrier, barrier);
        if self.beside_barrier {
            apart.iter().for_each(|&ticks| self.apart.record(ticks));
        }
        self.longest = self.longest.saturating_add(longest);
    }

    /// Counts what threads did after an instance.
    pub fn settle(&mut self, effects: Effects) {
        self.settled += 1;
        self.is_private &= effects.is_private();
    }
}
