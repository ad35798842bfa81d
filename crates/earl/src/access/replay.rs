//! The events of a stretch of time in order, with what is known about each at its time: the number
//! of its barrier or collective operation, who has the lock that it is about, how long its region
//! took.

use pgas_trace::model::{Operation, Site, ThreadId};
use rustc_hash::FxHashMap;

use super::EventTrace;
use super::compound::is_barrier;
use super::count::{Completed, Counter, Notified};
use super::cursor::{Cursor, Place, Step};
use super::error::AccessError;
use super::event::{EventId, EventType, TypedEvent};
use super::history::ThreadHistory;
use super::locks::{LockTable, Owner};
use super::order::Merge;
use super::summary::note_lock;
use crate::operation::is_collective;

/// Whether what lies before the stretch is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    /// All threads are read from their beginnings, so that everything about an event is known (but
    /// what a gap hides).
    Read,
    /// Reading begins with the blocks in which the stretch begins, and only threads that are wanted
    /// are read. Values that depend on other events are left out: numbers of barriers and
    /// collective operations, owners from before or from among the other threads, lengths of
    /// regions that were entered before.
    Skip,
}

/// An event and what is known about it at its time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Occurrence<'t> {
    /// The event itself, with its region.
    pub event: TypedEvent<'t>,
    /// Of an Exit: the Enter of its region, and its time in ticks; `None` if it was not read.
    pub enter: Option<(EventId, u64)>,
    /// Of a barrier, notify or wait: the number of the barrier.
    pub barrier: Option<u64>,
    /// Of a collective operation: its number.
    pub collective: Option<u64>,
    /// See [`EventTrace::lock_pointer`].
    pub lock_pointer: Option<EventId>,
    /// Of the Enter of a `upc_lock` or `upc_lock_attempt`, and of one that failed: who has the
    /// lock.
    pub owner: Option<Owner>,
}

/// Events in the order of time. An iterator that ends after the first error.
#[derive(Debug)]
pub struct Replay<'t, 'a> {
    trace: &'a EventTrace<'t>,
    merge: Merge<'t>,
    /// By thread; `None` if the numbers are unknown.
    counters: Vec<Option<Counter>>,
    locks: LockTable,
    /// By thread.
    wanted: Vec<bool>,
    /// Whether the events of all threads are seen, so that an owner can be followed.
    all_read: bool,
    history: History,
    failed: bool,
}

impl<'t> EventTrace<'t> {
    /// All events at or after `from` and before `to` (ticks), in the order of time.
    ///
    /// Decodes the blocks concerned alone, one of each thread at a time.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged, also while the events are read.
    pub fn events_between(
        &self,
        from: u64,
        to: u64,
    ) -> Result<impl Iterator<Item = Result<TypedEvent<'t>, AccessError>> + '_, AccessError> {
        let all = vec![true; self.threads.len()];
        let replay = self.replay(from, to, &all, History::Skip)?;
        Ok(replay.map(|occurrence| Ok(occurrence?.event)))
    }

    /// How many events lie before `time` (ticks) at least: those of all blocks that end before it.
    /// Reads nothing.
    pub fn events_before_at_least(&self, time: u64) -> u64 {
        let threads = self.threads.iter();
        threads
            .map(|thread| thread.first_of(thread.block_at(time)))
            .sum()
    }

    /// The events of some threads at or after `from` and before `to` (ticks), in the order of time,
    /// with what is known about each. `threads` says, by number, which threads are wanted.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged, also while the events are read.
    pub fn replay(
        &self,
        from: u64,
        to: u64,
        threads: &[bool],
        history: History,
    ) -> Result<Replay<'t, '_>, AccessError> {
        let is_wanted = |thread: usize| threads.get(thread).copied().unwrap_or(false);
        let all_wanted = (0..self.threads.len()).all(is_wanted);
        // Only who sees all threads knows how locks go from one to the other.
        let all_read = all_wanted || history == History::Read;
        let is_read = |thread: usize| all_read || is_wanted(thread);
        let begin = Place::Time(from);
        let histories = match history {
            History::Read => {
                let histories = self.histories(&vec![begin; self.threads.len()])?;
                histories.into_iter().map(Some).collect()
            }
            History::Skip => self.nearby(begin, &is_read)?,
        };
        // Up to the end, also the events of the last moment.
        let end = (to != u64::MAX).then_some(to);
        let locks = self.lock_table(&histories)?;
        let counters = histories.iter().map(|history| history.as_ref()?.counter);
        let counters = counters.collect();
        let cursors = histories.into_iter();
        let cursors = cursors.map(|history| Some(history?.cursor)).collect();
        Ok(Replay {
            trace: self,
            merge: Merge::new(cursors, end)?,
            counters,
            locks,
            wanted: (0..self.threads.len()).map(is_wanted).collect(),
            all_read,
            history,
            failed: false,
        })
    }

    /// Histories of the threads that are read, each from only the block in which the stretch
    /// begins.
    fn nearby(
        &self,
        begin: Place,
        is_read: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<Option<ThreadHistory<'t>>>, AccessError> {
        let threads = 0..self.threads.len();
        let nearby = threads.map(|thread| match is_read(thread) {
            true => Ok(Some(self.nearby_of(thread as ThreadId, begin)?)),
            false => Ok(None),
        });
        nearby.collect()
    }

    fn nearby_of(&self, thread: ThreadId, begin: Place) -> Result<ThreadHistory<'t>, AccessError> {
        let index = self.index(thread)?;
        let block = index.block_to(begin);
        if block == 0 {
            // That is all there is.
            return self.history(thread, begin);
        }
        let mut cursor = Cursor::at_block(index, block)?;
        let mut locks = FxHashMap::default();
        let noted = |cursor: &Cursor<'t>, step: &Step| note_lock(&mut locks, cursor, step);
        cursor.go_to(begin, |_, _, _| {}, noted)?;
        Ok(ThreadHistory {
            thread,
            cursor,
            counter: None,
            locks,
            is_whole: false,
        })
    }
}

impl<'t> Replay<'t, '_> {
    /// The locks as they are after the last event.
    pub fn locks(&self) -> &LockTable {
        &self.locks
    }

    /// The threads that wait for a lock after the last event, in the order in which they came;
    /// `None` if that is not known of all.
    pub fn waiting(&self, lock: u64) -> Option<&[ThreadId]> {
        self.locks.is_complete().then(|| self.locks.waiting(lock))
    }

    /// The regions that a thread is in after the last of its events that belongs to the stretch,
    /// outermost first; while there are more events, one event further than it has come. None
    /// if the thread is not read.
    pub fn open_regions(&self, thread: ThreadId) -> Vec<&'t Site> {
        let frames = self.merge.frames(thread).iter();
        frames
            .map(|frame| self.trace.site(thread, frame.site))
            .collect()
    }

    fn advance(&mut self) -> Result<Option<Occurrence<'t>>, AccessError> {
        let Some((thread, step, cursor)) = self.merge.next_step()? else {
            return Ok(None);
        };
        let lock = cursor.lock_of(&step)?;
        let enter = match (step.is_enter(), self.history) {
            (true, _) => None,
            (false, History::Read) => cursor.enter_of(&step)?,
            (false, History::Skip) => step.enter,
        };
        let event = self.trace.typed(thread, &step, lock);
        let (barrier, collective) = self.number(thread, &step);
        let mut occurrence = Occurrence {
            event,
            enter: enter.map(|enter| (EventId::new(thread, enter.number), enter.time)),
            barrier,
            collective,
            lock_pointer: None,
            owner: None,
        };
        if let Some(lock) = lock {
            self.follow_lock(lock, &step, &mut occurrence);
        }
        Ok(Some(occurrence))
    }

    /// The numbers of the barrier and of the collective operation that an event belongs to.
    fn number(&mut self, thread: ThreadId, step: &Step) -> (Option<u64>, Option<u64>) {
        let counter = &mut self.counters[thread as usize];
        let gap = self.trace.threads[thread as usize].first_gap();
        if gap.is_some_and(|gap| step.number >= gap) {
            // From here on, operations may be missing.
            *counter = None;
        }
        let Some(counter) = counter else {
            return (None, None);
        };
        let before = *counter;
        match counter.step(step) {
            Some(Completed::Barrier { number, .. }) => return (Some(number), None),
            Some(Completed::Collective { number }) => return (None, Some(number)),
            None => {}
        }
        let no_barrier = step.operation == Operation::Wait && before.notified == Notified::No;
        if is_barrier(step.operation) && !no_barrier {
            return (Some(before.barriers), None);
        }
        (
            None,
            is_collective(step.operation).then_some(before.collectives),
        )
    }

    fn follow_lock(&mut self, lock: u64, step: &Step, occurrence: &mut Occurrence<'t>) {
        let (id, time) = (occurrence.event.id, occurrence.event.time);
        match occurrence.event.event_type {
            EventType::Enter { .. } => {
                occurrence.owner = self.locks.owner(lock);
                if step.operation == Operation::Lock {
                    self.locks.wait(lock, id.thread);
                }
            }
            EventType::LockAcquired { .. } => {
                self.locks.leave(lock, id.thread);
                let released = self.locks.acquire(lock, id, time);
                occurrence.lock_pointer = released.filter(|_| self.all_read);
            }
            EventType::LockReleased { .. } => {
                occurrence.lock_pointer = self.locks.release(lock, id);
            }
            EventType::LockRefused { .. } => occurrence.owner = self.locks.owner(lock),
            EventType::Exit
            | EventType::CollectiveExit { .. }
            | EventType::MessageExit { .. }
            | EventType::TaskExit { .. }
            | EventType::RecordingResumed { .. } => {
                self.locks.leave(lock, id.thread);
            }
        }
    }
}

impl<'t> Iterator for Replay<'t, '_> {
    type Item = Result<Occurrence<'t>, AccessError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        loop {
            match self.advance().transpose() {
                Some(Ok(next)) if !self.wanted[next.event.id.thread as usize] => {}
                Some(Err(error)) => {
                    self.failed = true;
                    return Some(Err(error));
                }
                next => return next,
            }
        }
    }
}
