//! Records of synchronisations, and the instances that they make.

use std::mem::take;

use serde::{Deserialize, Serialize};

use super::Slot;
use crate::barrier::BarrierInstance;
use crate::calltree::PathId;
use crate::collective::{CollectiveInstance, Disagreement, disagreement};
use crate::record::{BarrierRecord, CollectiveRecord, Span};
use crate::syncpoint::Matched;

/// One thread's part of a synchronisation of all threads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SyncRecord {
    /// A barrier phase, plain or split.
    Barrier(BarrierRecord),
    /// A collective operation, a collective allocation, or the end of the program.
    Collective(CollectiveRecord),
}

impl SyncRecord {
    /// Whether it is matched among barriers or among collective operations.
    pub fn kind(&self) -> Matched {
        match self {
            SyncRecord::Barrier(_) => Matched::Barrier,
            SyncRecord::Collective(_) => Matched::Collective,
        }
    }

    /// Call path of the operation: of a split-phase barrier, that of its `upc_wait`.
    pub fn path(&self) -> PathId {
        match self {
            SyncRecord::Barrier(record) => record.path,
            SyncRecord::Collective(record) => record.path,
        }
    }
}

/// How many synchronisations of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct SyncCount {
    /// Barrier phases, plain or split.
    pub barriers: u64,
    /// Collective operations and collective allocations.
    pub collectives: u64,
}

impl SyncCount {
    /// Barriers and collective operations together; `u64::MAX` if that overflows.
    pub fn total(self) -> u64 {
        self.barriers.saturating_add(self.collectives)
    }

    /// Number of synchronisations of one kind.
    pub fn of(self, kind: Matched) -> u64 {
        match kind {
            Matched::Barrier => self.barriers,
            Matched::Collective => self.collectives,
        }
    }

    /// A count of a single synchronisation of this kind.
    pub fn one(kind: Matched) -> Self {
        let (barriers, collectives) = match kind {
            Matched::Barrier => (1, 0),
            Matched::Collective => (0, 1),
        };
        SyncCount {
            barriers,
            collectives,
        }
    }

    /// Adds the synchronisations of `more`, kind by kind; a sum that overflows stays at `u64::MAX`.
    pub fn add(&mut self, more: SyncCount) {
        self.barriers = self.barriers.saturating_add(more.barriers);
        self.collectives = self.collectives.saturating_add(more.collectives);
    }

    /// Takes as many away as `other` has in all: of each kind as many as there are, the rest of the
    /// other one.
    pub(super) fn remove(&mut self, other: SyncCount) {
        let left = self.total().saturating_sub(other.total());
        self.barriers = self.barriers.saturating_sub(other.barriers).min(left);
        self.collectives = left - self.barriers;
    }
}

/// Next element of a thread's sequence of synchronisations; a record carries data of the analysis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Numbered<T> {
    /// A recorded synchronisation, and the analysis's data for it.
    Record(SyncRecord, T),
    /// The thread passed these while recording was off.
    Skipped(SyncCount),
}

/// Records of one thread that other threads have no counterpart for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unmatched {
    /// Number of these records.
    pub count: u64,
    /// Call path of the first of them.
    pub first: Option<PathId>,
}

impl Unmatched {
    pub(super) fn note(&mut self, path: PathId) {
        self.count += 1;
        self.first.get_or_insert(path);
    }
}

/// Unmatched records by kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ByKind {
    barriers: Unmatched,
    collectives: Unmatched,
}

impl ByKind {
    pub(super) fn note(&mut self, record: &SyncRecord) {
        match record {
            SyncRecord::Barrier(record) => self.barriers.note(record.path),
            SyncRecord::Collective(record) => self.collectives.note(record.path),
        }
    }

    pub(super) fn of(self, kind: Matched) -> Unmatched {
        match kind {
            Matched::Barrier => self.barriers,
            Matched::Collective => self.collectives,
        }
    }
}

/// Event at one position of the sequence.
#[derive(Debug, Clone, PartialEq)]
pub enum SyncEvent {
    /// A barrier phase that every thread has left.
    Barrier(BarrierInstance),
    /// A collective operation that every thread has left and on which all agree.
    Collective(CollectiveInstance),
    /// Nobody knows what it was.
    Disagreement(Disagreement),
}

impl SyncEvent {
    /// Call path and time of a thread's member.
    pub fn member(&self, thread: usize) -> (PathId, Span) {
        match self {
            SyncEvent::Barrier(instance) => {
                let member = &instance.members[thread];
                (member.path, member.span)
            }
            SyncEvent::Collective(instance) => {
                let member = &instance.members[thread];
                (member.path, member.span)
            }
            SyncEvent::Disagreement(_) => (PathId::PROGRAM, Span::new(0, 0)),
        }
    }
}

/// A synchronisation that every thread has left.
#[derive(Debug, Clone, PartialEq)]
pub struct SyncInstance<T> {
    /// Position in the sequence of all synchronisations, from 0; `None` once threads contradict
    /// each other about it.
    pub position: Option<u64>,
    /// The members of all threads, or how the threads disagree.
    pub event: SyncEvent,
    /// Data kept with the records; index is the thread.
    pub kept: Vec<T>,
}

impl<T> Default for SyncInstance<T> {
    fn default() -> Self {
        SyncInstance {
            position: None,
            event: SyncEvent::Barrier(BarrierInstance::default()),
            kept: Vec::new(),
        }
    }
}

impl<T> SyncInstance<T> {
    /// Call path and time of each thread's member.
    pub fn members(&self) -> impl Iterator<Item = (PathId, Span)> + Clone + '_ {
        (0..self.kept.len()).map(|thread| self.event.member(thread))
    }

    /// Takes the members of a barrier.
    pub(super) fn fill_barrier(&mut self, members: impl Iterator<Item = Slot<T>>) {
        if !matches!(self.event, SyncEvent::Barrier(_)) {
            self.event = SyncEvent::Barrier(BarrierInstance::default());
        }
        let SyncEvent::Barrier(instance) = &mut self.event else {
            return;
        };
        instance.members.clear();
        for slot in members {
            if let Slot::Record(number, SyncRecord::Barrier(record), kept) = slot {
                instance.number = number;
                instance.members.push(record);
                self.kept.push(kept);
            }
        }
    }

    /// Takes the members of a collective operation.
    pub(super) fn fill_collective(&mut self, members: impl Iterator<Item = Slot<T>>) {
        let mut records = match &mut self.event {
            SyncEvent::Collective(old) => take(&mut old.members),
            _ => Vec::new(),
        };
        records.clear();
        let mut number = 0;
        for slot in members {
            if let Slot::Record(own, SyncRecord::Collective(record), kept) = slot {
                number = own;
                records.push(record);
                self.kept.push(kept);
            }
        }
        self.event = match disagreement(number, &records) {
            Some(disagreement) => SyncEvent::Disagreement(disagreement),
            None => SyncEvent::Collective(CollectiveInstance::new(number, records)),
        };
    }
}
