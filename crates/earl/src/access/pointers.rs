//! Pointer attributes: the events that an event refers to.

use std::collections::BinaryHeap;

use pgas_trace::model::{Attributes, ThreadId};

use super::EventTrace;
use super::cursor::{Cursor, Opened, Step};
use super::error::AccessError;
use super::event::{EventId, EventType};
use super::locks::LockChange;
use super::summary::{Change, lock_change};

impl EventTrace<'_> {
    /// `enterptr`: the Enter of the region in which the event happened. For an Exit that is the
    /// Enter of the region that it ends, for an Enter that of the region around it; `None` if
    /// there is none.
    ///
    /// Reads backwards as far as the Enter is away: for `main`, the whole stream, though only once.
    ///
    /// # Errors
    /// [`AccessError::NoSuchThread`], [`AccessError::NoSuchEvent`]; [`AccessError::Trace`] if a
    /// block is damaged.
    pub fn enter_pointer(&self, id: EventId) -> Result<Option<EventId>, AccessError> {
        let step = self.step(id)?;
        let opened = self.opened(id.thread, &step)?;
        Ok(opened.map(|opened| EventId::new(id.thread, opened.number)))
    }

    /// `lockptr`: the event of the same lock before it. A [`EventType::LockAcquired`] points to the
    /// [`EventType::LockReleased`] of the owner before, a [`EventType::LockReleased`] to the
    /// [`EventType::LockAcquired`] of the same thread that it ends. `None` for the first owner,
    /// where the event before is another one (a release that was lost, a lock that another
    /// thread gave back), and for events of other types.
    ///
    /// Reads backwards in all threads as far as the event is away.
    ///
    /// # Errors
    /// [`AccessError::NoSuchThread`], [`AccessError::NoSuchEvent`]; [`AccessError::Trace`] if a
    /// block is damaged.
    pub fn lock_pointer(&self, id: EventId) -> Result<Option<EventId>, AccessError> {
        let event = self.event(id)?;
        let found = match event.event_type {
            EventType::LockReleased { lock } => self
                .last_lock_change(lock, id)?
                .filter(|found| found.acquires && found.id.thread == id.thread),
            EventType::LockAcquired { lock } => self
                .last_lock_change(lock, id)?
                .filter(|found| !found.acquires),
            _ => None,
        };
        Ok(found.map(|found| found.id))
    }

    /// The Enter that [`EventTrace::enter_pointer`] points to.
    pub(crate) fn opened(
        &self,
        thread: ThreadId,
        step: &Step,
    ) -> Result<Option<Opened>, AccessError> {
        if step.enter.is_some() {
            return Ok(step.enter);
        }
        let depth = match step.is_enter() {
            true => step.depth.checked_sub(1),
            false => Some(step.depth),
        };
        let Some(depth) = depth else {
            return Ok(None);
        };
        let index = self.index(thread)?;
        let frame = index.inherited(index.block_of(step.number), depth)?;
        Ok(frame.and_then(|frame| frame.enter))
    }

    /// The lock that an Enter or Exit of a lock operation is about.
    pub(crate) fn lock_of(
        &self,
        thread: ThreadId,
        step: &Step,
    ) -> Result<Option<u64>, AccessError> {
        let attributes = match step.is_enter() {
            true => step.attributes(),
            false => self
                .opened(thread, step)?
                .map_or(Attributes::None, |enter| enter.attributes),
        };
        Ok(match attributes {
            Attributes::Lock { lock } => Some(lock),
            _ => None,
        })
    }

    /// The last change of the owner of `lock` before an event.
    fn last_lock_change(
        &self,
        lock: u64,
        before: EventId,
    ) -> Result<Option<LockChange>, AccessError> {
        // Blocks in the order in which they can hold the latest event; each is followed by the one
        // before it.
        let mut open = BinaryHeap::new();
        let push = |open: &mut BinaryHeap<_>, thread: ThreadId, behind: u64| {
            let index = self.index(thread)?;
            if behind > 0 {
                let block = index.block_of(behind - 1);
                open.push((index.last_time(block), thread, behind));
            }
            Ok::<(), AccessError>(())
        };
        let cut = self.cut_before(before)?;
        for (thread, &behind) in cut.positions().iter().enumerate() {
            push(&mut open, thread as ThreadId, behind)?;
        }
        let mut best: Option<LockChange> = None;
        while let Some((latest, thread, behind)) = open.pop() {
            if best.as_ref().is_some_and(|best| best.time > latest) {
                break;
            }
            let index = self.index(thread)?;
            let block = index.block_of(behind - 1);
            match self.last_change_in(thread, block, behind, lock)? {
                found @ Some(_) => best = self.later(best, found)?,
                None => push(&mut open, thread, index.first_of(block))?,
            }
        }
        Ok(best)
    }

    /// The last change of a lock's owner in one block, before event `behind`.
    fn last_change_in(
        &self,
        thread: ThreadId,
        block: usize,
        behind: u64,
        lock: u64,
    ) -> Result<Option<LockChange>, AccessError> {
        let index = self.index(thread)?;
        let made = |change, acquires| LockChange::new(thread, change, acquires);
        let summary = index.summary(block)?;
        let Some(used) = summary.lock(lock) else {
            return Ok(None);
        };
        let changes = [
            used.acquired.map(|change| made(change, true)),
            used.released.map(|change| made(change, false)),
        ];
        let last = changes
            .into_iter()
            .flatten()
            .max_by_key(|change| change.id.number);
        if last.as_ref().is_some_and(|last| last.id.number < behind) {
            return Ok(last);
        }
        // The block goes on behind the place that is asked for.
        let mut cursor = Cursor::at_block(index, block)?;
        let mut last = None;
        while cursor.number() < behind {
            let Some(step) = cursor.next_step()? else {
                break;
            };
            if let Some((_, acquires)) =
                lock_change(&cursor, &step)?.filter(|(changed, _)| *changed == lock)
            {
                let change = Change {
                    number: step.number,
                    time: step.event.time,
                };
                last = Some(made(change, acquires));
            }
        }
        Ok(last)
    }
}
