//! The state of a thread at any place, from the summaries of the blocks before it. These are made
//! when they are first needed, by several cores, and kept.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::EventTrace;
use super::count::Counter;
use super::cursor::{Cursor, Place, Step};
use super::error::AccessError;
use super::index::ThreadIndex;
use super::summary::{LockUse, note_lock};

/// The states of one thread but its region stack, which the cursor has.
pub(crate) struct ThreadHistory<'t> {
    pub thread: ThreadId,
    /// Before the event at the place that was asked for.
    pub cursor: Cursor<'t>,
    /// `None` where it cannot be known, since events are missing before.
    pub counter: Option<Counter>,
    pub locks: FxHashMap<u64, LockUse>,
    /// Whether all that the thread recorded before was read.
    pub is_whole: bool,
}

impl<'t> EventTrace<'t> {
    /// Makes the summaries of all blocks before those in which a place of each thread lies.
    fn summarise_before(&self, places: &[Place]) -> Result<(), AccessError> {
        let mut tasks: Vec<(&Arc<ThreadIndex>, usize)> = Vec::new();
        for (index, &place) in self.threads.iter().zip(places) {
            tasks.extend((0..index.block_to(place)).map(|block| (index, block)));
        }
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = workers.min(tasks.len());
        if workers < 2 {
            for (index, block) in tasks {
                index.summary(block)?;
            }
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        let failure = Mutex::new(None);
        let work = || loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            let Some((index, block)) = tasks.get(task) else {
                break;
            };
            if let Err(error) = index.summary(*block) {
                let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                next.store(tasks.len(), Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(work);
            }
            work();
        });
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(()), Err)
    }

    /// The numbers of operations that the thread has completed before `block`.
    pub(crate) fn counter_before(
        &self,
        index: &Arc<ThreadIndex<'t>>,
        block: usize,
    ) -> Result<Counter, AccessError> {
        let mut counter = Counter::START;
        for before in 0..block {
            counter = counter.followed_by(&index.summary(before)?.counter);
        }
        Ok(counter)
    }

    /// Histories of all threads, each up to its place.
    pub(crate) fn histories(
        &self,
        places: &[Place],
    ) -> Result<Vec<ThreadHistory<'t>>, AccessError> {
        self.summarise_before(places)?;
        let places = places.iter().enumerate();
        places
            .map(|(thread, &place)| self.history(thread as ThreadId, place))
            .collect()
    }

    /// The state of a thread at a place.
    pub(crate) fn history(
        &self,
        thread: ThreadId,
        place: Place,
    ) -> Result<ThreadHistory<'t>, AccessError> {
        let index = self.index(thread)?;
        let block = index.block_to(place);
        let mut counter = self.counter_before(index, block)?;
        let mut locks: FxHashMap<u64, LockUse> = FxHashMap::default();
        for before in 0..block {
            for (lock, used) in &index.summary(before)?.locks {
                locks.entry(*lock).or_default().followed_by(used);
            }
        }
        let mut cursor = Cursor::at_block(index, block)?;
        let noted = |cursor: &Cursor<'t>, step: &Step| {
            counter.step(step);
            note_lock(&mut locks, cursor, step)
        };
        cursor.go_to(place, |_, _, _| {}, noted)?;
        let position = cursor.number();
        let known = index.first_gap().is_none_or(|gap| position <= gap);
        Ok(ThreadHistory {
            thread,
            cursor,
            counter: known.then_some(counter),
            locks,
            is_whole: true,
        })
    }
}
