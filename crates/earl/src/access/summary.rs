//! Effect of one block on the states of its thread, whatever they were before. Blocks can therefore
//! be read in any order and by several cores, and the state at any place follows from the blocks
//! before it without reading them again.

use std::sync::Arc;

use pgas_trace::model::Operation;
use rustc_hash::FxHashMap;

use super::count::Counter;
use super::cursor::{Cursor, Frame, Place, Step};
use super::error::AccessError;
use super::index::ThreadIndex;
use super::page::PAGE;

/// Effect of a block on the region stack, and when its pages begin.
#[derive(Debug)]
pub(crate) struct BlockEnd {
    /// Regions open at the beginning that are still open at the end.
    pub kept: usize,
    /// Regions that were entered in the block and are still open, outermost first.
    pub opened: Box<[Frame]>,
    /// Ticks of the first event of each page of the block.
    pub page_times: Box<[u64]>,
}

/// A change of a lock's owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Change {
    /// Of the Alock or Rlock.
    pub number: u64,
    /// Ticks.
    pub time: u64,
}

/// Last acquisition and last release of a lock by one thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LockUse {
    pub acquired: Option<Change>,
    pub released: Option<Change>,
}

impl LockUse {
    /// Later changes prevail.
    pub fn followed_by(&mut self, later: &LockUse) {
        self.acquired = later.acquired.or(self.acquired);
        self.released = later.released.or(self.released);
    }

    /// Whether the thread has taken the lock and not given it back.
    pub fn holds(&self) -> bool {
        match (self.acquired, self.released) {
            (Some(acquired), Some(released)) => acquired.number > released.number,
            (acquired, None) => acquired.is_some(),
            (None, _) => false,
        }
    }
}

/// Effect of a block on the other states.
#[derive(Debug)]
pub(crate) struct BlockSummary {
    /// As [`BlockEnd::kept`].
    pub kept: usize,
    /// Number of [`BlockEnd::opened`].
    pub opened: usize,
    pub counter: Counter,
    /// In the order of locks.
    pub locks: Box<[(u64, LockUse)]>,
}

impl BlockSummary {
    pub fn lock(&self, lock: u64) -> Option<&LockUse> {
        let place = self.locks.binary_search_by_key(&lock, |(lock, _)| *lock);
        place.ok().map(|place| &self.locks[place].1)
    }
}

/// The change of owner that an event of a lock operation is, with its lock.
pub(crate) fn lock_change(
    cursor: &Cursor,
    step: &Step,
) -> Result<Option<(u64, bool)>, AccessError> {
    let acquires = step.takes_lock();
    let releases = step.operation == Operation::Unlock && step.is_enter() && !step.inferred;
    if !acquires && !releases {
        return Ok(None);
    }
    Ok(cursor.lock_of(step)?.map(|lock| (lock, acquires)))
}

/// Whether events of the operation may be changes of a lock's owner.
pub(crate) fn is_of_lock(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Lock | Operation::LockAttempt | Operation::Unlock
    )
}

/// Notes what one event does to locks.
pub(crate) fn note_lock(
    locks: &mut FxHashMap<u64, LockUse>,
    cursor: &Cursor,
    step: &Step,
) -> Result<(), AccessError> {
    if let Some((lock, acquires)) = lock_change(cursor, step)? {
        let change = Some(Change {
            number: step.number,
            time: step.event.time,
        });
        let used = locks.entry(lock).or_default();
        match acquires {
            true => used.acquired = change,
            false => used.released = change,
        }
    }
    Ok(())
}

/// Collects the end of a block while its events are gone through.
struct EndFinder {
    begin: u64,
    kept: usize,
    page_times: Vec<u64>,
}

impl EndFinder {
    fn new(cursor: &Cursor) -> Self {
        EndFinder {
            begin: cursor.number(),
            kept: cursor.frames().len(),
            page_times: Vec::new(),
        }
    }

    #[inline]
    fn passed(&mut self, number: u64, time: u64, left: Option<usize>) {
        if (number - self.begin) % PAGE == 0 {
            self.page_times.push(time);
        }
        if let Some(depth) = left {
            self.kept = self.kept.min(depth);
        }
    }

    fn finish(self, cursor: &Cursor) -> BlockEnd {
        BlockEnd {
            kept: self.kept,
            opened: cursor.frames()[self.kept..].into(),
            page_times: self.page_times.into(),
        }
    }
}

impl BlockEnd {
    pub fn find(index: &Arc<ThreadIndex>, block: usize) -> Result<Self, AccessError> {
        let mut cursor = Cursor::at_block(index, block)?;
        let mut end = EndFinder::new(&cursor);
        let behind = Place::Event(index.first_of(block + 1));
        let passed = |number, time, left| end.passed(number, time, left);
        cursor.go_to(behind, passed, |_, _| Ok(()))?;
        Ok(end.finish(&cursor))
    }
}

impl BlockSummary {
    pub fn find(index: &Arc<ThreadIndex>, block: usize) -> Result<(BlockEnd, Self), AccessError> {
        let mut cursor = Cursor::at_block(index, block)?;
        let mut end = EndFinder::new(&cursor);
        let mut counter = Counter::ANYWHERE;
        let mut locks = FxHashMap::default();
        let behind = Place::Event(index.first_of(block + 1));
        let passed = |number, time, left| end.passed(number, time, left);
        cursor.go_to(behind, passed, |cursor, step| {
            counter.step(step);
            note_lock(&mut locks, cursor, step)
        })?;
        let mut locks: Vec<_> = locks.into_iter().collect();
        locks.sort_unstable_by_key(|(lock, _)| *lock);
        let end = end.finish(&cursor);
        let summary = BlockSummary {
            kept: end.kept,
            opened: end.opened.len(),
            counter,
            locks: locks.into(),
        };
        Ok((end, summary))
    }
}
