//! The ownership state: who has each lock, who had it last, and who waits for it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use pgas_trace::model::{Attributes, Operation, ThreadId};

use super::EventTrace;
use super::error::AccessError;
use super::event::EventId;
use super::history::ThreadHistory;
use super::summary::{Change, LockUse};

/// Owner of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// The thread that took the lock and has not given it back.
    pub thread: ThreadId,
    /// The Alock.
    pub acquired: EventId,
    /// Ticks.
    pub since: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct LockState {
    owner: Option<Owner>,
    /// The last Alock or Rlock, and whether it is an Alock.
    last: Option<(EventId, bool)>,
    waiting: Vec<ThreadId>,
}

/// The state of every lock at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LockTable {
    locks: BTreeMap<u64, LockState>,
    /// Whether every lock event up to this moment was recorded and taken into account, so that a
    /// lock without owner is free.
    complete: bool,
}

impl LockTable {
    pub(crate) fn new(complete: bool) -> Self {
        LockTable {
            locks: BTreeMap::new(),
            complete,
        }
    }

    /// Whether all that happened before is known. Else a lock without an owner may have one and,
    /// where events are missing from a stream, a lock with an owner may have lost it.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The locks that were used so far, in ascending order.
    pub fn locks(&self) -> impl Iterator<Item = u64> + '_ {
        self.locks.keys().copied()
    }

    /// The owner of a lock; `None` if it is free or, in a table that is not complete, unknown.
    pub fn owner(&self, lock: u64) -> Option<Owner> {
        self.locks.get(&lock)?.owner
    }

    /// The Rlock with which a lock was given back that nobody has now.
    pub fn released(&self, lock: u64) -> Option<EventId> {
        let state = self.locks.get(&lock)?;
        let (last, is_acquired) = state.last.filter(|_| state.owner.is_none())?;
        (!is_acquired).then_some(last)
    }

    /// The threads that are in `upc_lock` for a lock, in the order in which they came.
    pub fn waiting(&self, lock: u64) -> &[ThreadId] {
        self.locks.get(&lock).map_or(&[], |state| &state.waiting)
    }

    /// A thread entered `upc_lock`.
    pub(crate) fn wait(&mut self, lock: u64, thread: ThreadId) {
        self.locks.entry(lock).or_default().waiting.push(thread);
    }

    /// A thread left `upc_lock`, or was found not to wait.
    pub(crate) fn leave(&mut self, lock: u64, thread: ThreadId) {
        if let Some(state) = self.locks.get_mut(&lock) {
            state.waiting.retain(|&waiting| waiting != thread);
        }
    }

    /// A thread took a lock. Returns the Rlock before, if that is the last that happened to the
    /// lock.
    pub(crate) fn acquire(&mut self, lock: u64, event: EventId, time: u64) -> Option<EventId> {
        let state = self.locks.entry(lock).or_default();
        state.owner = Some(Owner {
            thread: event.thread,
            acquired: event,
            since: time,
        });
        let before = state.last.replace((event, true));
        before.filter(|(_, acquired)| !acquired).map(|last| last.0)
    }

    /// A thread gave a lock back. Returns its Alock, if that is the last that happened to the lock.
    /// If another thread has it by now, the release comes late only because events were lost:
    /// that thread keeps it.
    pub(crate) fn release(&mut self, lock: u64, event: EventId) -> Option<EventId> {
        let state = self.locks.entry(lock).or_default();
        if state
            .owner
            .is_some_and(|owner| owner.thread == event.thread)
        {
            state.owner = None;
        }
        let before = state.last.replace((event, false));
        before
            .filter(|(last, acquired)| *acquired && last.thread == event.thread)
            .map(|last| last.0)
    }

    /// The state that follows from what each thread did last with a lock: `acquired` is the last
    /// Alock of all threads, `holds` whether its thread has not given it back, `last` the last
    /// Alock or Rlock.
    pub(crate) fn settle(
        &mut self,
        lock: u64,
        acquired: Option<LockChange>,
        holds: bool,
        last: Option<LockChange>,
    ) {
        let state = self.locks.entry(lock).or_default();
        // The last thread that took the lock has it, or has given it back.
        state.owner = acquired.filter(|_| holds).map(|change| Owner {
            thread: change.id.thread,
            acquired: change.id,
            since: change.time,
        });
        state.last = last.map(|change| (change.id, change.acquires));
    }
}

/// An Alock or Rlock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LockChange {
    pub id: EventId,
    /// Ticks.
    pub time: u64,
    pub acquires: bool,
}

impl LockChange {
    pub fn new(thread: ThreadId, change: Change, acquires: bool) -> Self {
        LockChange {
            id: EventId::new(thread, change.number),
            time: change.time,
            acquires,
        }
    }
}

impl EventTrace<'_> {
    /// The later one of two changes, of which there may be none.
    pub(crate) fn later(
        &self,
        a: Option<LockChange>,
        b: Option<LockChange>,
    ) -> Result<Option<LockChange>, AccessError> {
        let (Some(one), Some(other)) = (a, b) else {
            return Ok(a.or(b));
        };
        let one_is_later = match one.time.cmp(&other.time) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => self.is_before(other.id, one.id, one.time)?,
        };
        Ok(if one_is_later { a } else { b })
    }

    /// Owners of locks and threads that wait for one, from the history of each thread. Unless all
    /// histories are whole, nothing is known of locks that have no owner.
    pub(crate) fn lock_table(
        &self,
        histories: &[Option<ThreadHistory>],
    ) -> Result<LockTable, AccessError> {
        let each = || histories.iter().map(Option::as_ref);
        let all_read = each().all(|history| history.is_some_and(|h| h.is_whole));
        let complete = all_read && each().flatten().all(|h| h.counter.is_some());
        let mut uses: BTreeMap<u64, Vec<(ThreadId, LockUse)>> = BTreeMap::new();
        let mut waiting = Vec::new();
        for history in each().flatten() {
            let thread = history.thread;
            for (lock, used) in &history.locks {
                if all_read || used.holds() {
                    uses.entry(*lock).or_default().push((thread, *used));
                }
            }
            let cursor = &history.cursor;
            for (depth, frame) in cursor.frames().iter().enumerate() {
                if cursor.index().operation(frame.site) != Operation::Lock {
                    continue;
                }
                if let Some(opened) = cursor.opened(depth)? {
                    if let Attributes::Lock { lock } = opened.attributes {
                        waiting.push((opened.time, thread, lock));
                    }
                }
            }
        }
        let mut table = LockTable::new(complete);
        for (lock, uses) in &uses {
            let (mut acquired, mut last) = (None, None);
            for (thread, used) in uses {
                let made = |change: Option<Change>, acquires| {
                    change.map(|change| LockChange::new(*thread, change, acquires))
                };
                let (taken, given) = (made(used.acquired, true), made(used.released, false));
                acquired = self.later(acquired, taken)?;
                last = self.later(self.later(last, taken)?, given)?;
            }
            let holds = uses.iter().any(|(thread, used)| {
                let is_last = acquired.is_some_and(|last| last.id.thread == *thread);
                is_last && used.holds()
            });
            table.settle(*lock, acquired, holds, last);
        }
        waiting.sort_unstable();
        for (_, thread, lock) in waiting {
            table.wait(lock, thread);
        }
        Ok(table)
    }
}
