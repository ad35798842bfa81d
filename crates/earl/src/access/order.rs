//! The order of time over all threads: streams are merged as they are read, never sorted as a
//! whole.

use std::cmp::Reverse;
use std::collections::binary_heap::{BinaryHeap, PeekMut};

use pgas_trace::model::ThreadId;

use super::EventTrace;
use super::cursor::{Cursor, Frame, Step};
use super::error::AccessError;
use super::event::EventId;

/// A moment in the order of time: how many events of each thread lie before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Ticks: no event before the cut is later.
    pub time: u64,
    positions: Vec<u64>,
}

impl Cut {
    pub(crate) fn new(time: u64, positions: Vec<u64>) -> Self {
        Cut { time, positions }
    }

    /// By thread: the number of events before the cut, which is the number of the first event
    /// behind it.
    pub fn positions(&self) -> &[u64] {
        &self.positions
    }

    /// Events of all threads before the cut.
    pub fn events(&self) -> u64 {
        self.positions.iter().sum()
    }
}

/// Place of a thread's next event among those of other threads.
type Place = (u64, bool, ThreadId);

/// Which of several next events comes first: by time; what takes a lock after what else happens at
/// the same time; by thread.
fn place(thread: ThreadId, step: &Step) -> Place {
    (step.event.time, step.takes_lock(), thread)
}

/// One thread in a [`Merge`].
#[derive(Debug)]
pub(crate) struct Lane<'t> {
    pub cursor: Cursor<'t>,
    /// Ticks; events at or after that time are left out. `None`: no event is.
    end: Option<u64>,
    head: Option<Step>,
}

impl Lane<'_> {
    fn advance(&mut self) -> Result<(), AccessError> {
        let is_over = match (self.end, self.cursor.next_time()?) {
            (Some(end), Some(next)) => next >= end,
            _ => false,
        };
        self.head = match is_over {
            true => None,
            false => self.cursor.next_step()?,
        };
        Ok(())
    }
}

/// Events of several threads in the order of time.
#[derive(Debug)]
pub(crate) struct Merge<'t> {
    /// By thread; `None` for one that is left out.
    lanes: Vec<Option<Lane<'t>>>,
    heads: BinaryHeap<Reverse<Place>>,
}

impl<'t> Merge<'t> {
    /// The events of each thread from where its cursor is, up to and without the time `end`
    /// (ticks), if there is one.
    pub fn new(cursors: Vec<Option<Cursor<'t>>>, end: Option<u64>) -> Result<Self, AccessError> {
        let mut heads = BinaryHeap::new();
        let mut lanes = Vec::with_capacity(cursors.len());
        for (thread, cursor) in cursors.into_iter().enumerate() {
            let mut lane = cursor.map(|cursor| Lane {
                cursor,
                end,
                head: None,
            });
            if let Some(lane) = &mut lane {
                lane.advance()?;
                let head = lane.head.iter();
                heads.extend(head.map(|step| Reverse(place(thread as ThreadId, step))));
            }
            lanes.push(lane);
        }
        Ok(Merge { lanes, heads })
    }

    /// The regions that are open where a thread's cursor is.
    pub fn frames(&self, thread: ThreadId) -> &[Frame] {
        let lane = self.lanes.get(thread as usize).and_then(Option::as_ref);
        lane.map_or(&[], |lane| lane.cursor.frames())
    }

    /// The next event, its thread, and the thread's cursor, which is one event further; `None` at
    /// the end.
    pub fn next_step(&mut self) -> Result<Option<(ThreadId, Step, &Cursor<'t>)>, AccessError> {
        let Some(mut top) = self.heads.peek_mut() else {
            return Ok(None);
        };
        let Reverse((_, _, thread)) = *top;
        let Some(lane) = &mut self.lanes[thread as usize] else {
            return Ok(None);
        };
        let Some(step) = lane.head else {
            return Ok(None);
        };
        lane.advance()?;
        match &lane.head {
            Some(next) => *top = Reverse(place(thread, next)),
            None => {
                PeekMut::pop(top);
            }
        }
        Ok(Some((thread, step, &lane.cursor)))
    }
}

impl<'t> EventTrace<'t> {
    /// The cut behind all events up to `time` (ticks), that time included.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged.
    pub fn cut_at(&self, time: u64) -> Result<Cut, AccessError> {
        let positions = match time.checked_add(1) {
            Some(behind) => self.positions_at(behind)?,
            None => self.threads.iter().map(|thread| thread.events()).collect(),
        };
        Ok(Cut { time, positions })
    }

    /// The cut directly before an event: behind all that come before it in the order of time.
    ///
    /// # Errors
    /// [`AccessError::NoSuchThread`], [`AccessError::NoSuchEvent`]; [`AccessError::Trace`] if a
    /// block is damaged.
    pub fn cut_before(&self, id: EventId) -> Result<Cut, AccessError> {
        let time = self.step(id)?.event.time;
        let mut positions = self.positions_at(time)?;
        let mut group = self.group(time, &positions)?;
        while let Some(earlier) = group.next_event(self)?.filter(|&next| next != id) {
            positions[earlier.thread as usize] += 1;
        }
        Ok(Cut { time, positions })
    }

    /// The cut directly behind an event.
    ///
    /// # Errors
    /// As [`EventTrace::cut_before`].
    pub fn cut_after(&self, id: EventId) -> Result<Cut, AccessError> {
        let mut cut = self.cut_before(id)?;
        cut.positions[id.thread as usize] += 1;
        Ok(cut)
    }

    /// Number of an event in the order of time over all threads, from 0.
    ///
    /// # Errors
    /// As [`EventTrace::cut_before`].
    pub fn number_in_time(&self, id: EventId) -> Result<u64, AccessError> {
        Ok(self.cut_before(id)?.events())
    }

    /// The event with that number in the order of time over all threads.
    ///
    /// Decodes, in each thread, the block in which it might lie.
    ///
    /// # Errors
    /// [`AccessError::NoSuchNumber`]; [`AccessError::Trace`] if a block is damaged.
    pub fn event_in_time(&self, number: u64) -> Result<EventId, AccessError> {
        let missing = || AccessError::NoSuchNumber {
            number,
            events: self.events(),
        };
        if number >= self.events() {
            return Err(missing());
        }
        let (mut low, mut high) = self.time_range().ok_or_else(missing)?;
        // The latest time before which there are at most `number` events.
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.has_at_most(number, middle)? {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let positions = self.positions_at(low)?;
        let mut before: u64 = positions.iter().sum();
        let mut group = self.group(low, &positions)?;
        while let Some(id) = group.next_event(self)? {
            if before == number {
                return Ok(id);
            }
            before += 1;
        }
        Err(missing())
    }

    /// Whether event `a` comes before event `b`, both at `time`.
    pub(crate) fn is_before(&self, a: EventId, b: EventId, time: u64) -> Result<bool, AccessError> {
        let positions = self.positions_at(time)?;
        let mut group = self.group(time, &positions)?;
        while let Some(id) = group.next_event(self)? {
            if id == a || id == b {
                return Ok(id == a);
            }
        }
        Ok(false)
    }

    /// Whether at most `number` events lie before `time`: from the headers where they say enough.
    fn has_at_most(&self, number: u64, time: u64) -> Result<bool, AccessError> {
        let bounds = self.threads.iter().map(|thread| {
            let block = thread.block_at(time);
            (thread.first_of(block), thread.first_of(block + 1))
        });
        let (least, most) = bounds.fold((0, 0), |sum, bound| (sum.0 + bound.0, sum.1 + bound.1));
        if most <= number {
            return Ok(true);
        }
        if least > number {
            return Ok(false);
        }
        Ok(self.positions_at(time)?.iter().sum::<u64>() <= number)
    }

    /// By thread: the first event at or after `time`.
    pub(crate) fn positions_at(&self, time: u64) -> Result<Vec<u64>, AccessError> {
        (0..self.threads.len())
            .map(|thread| self.position_at(thread as ThreadId, time))
            .collect()
    }

    /// The events at `time`, which begin at `positions`.
    fn group(&self, time: u64, positions: &[u64]) -> Result<Group, AccessError> {
        let ends = match time.checked_add(1) {
            Some(behind) => self.positions_at(behind)?,
            None => self.threads.iter().map(|thread| thread.events()).collect(),
        };
        let mut group = Group {
            ends,
            heads: BinaryHeap::new(),
        };
        for (thread, &number) in positions.iter().enumerate() {
            group.push(self, EventId::new(thread as ThreadId, number))?;
        }
        Ok(group)
    }
}

/// The events of one time, mostly a single one.
struct Group {
    /// By thread.
    ends: Vec<u64>,
    heads: BinaryHeap<Reverse<(Place, u64)>>,
}

impl Group {
    fn push(&mut self, trace: &EventTrace, id: EventId) -> Result<(), AccessError> {
        if id.number < self.ends[id.thread as usize] {
            let place = place(id.thread, &trace.step(id)?);
            self.heads.push(Reverse((place, id.number)));
        }
        Ok(())
    }

    fn next_event(&mut self, trace: &EventTrace) -> Result<Option<EventId>, AccessError> {
        let Some(Reverse(((_, _, thread), number))) = self.heads.pop() else {
            return Ok(None);
        };
        let id = EventId::new(thread, number);
        self.push(trace, id.next())?;
        Ok(Some(id))
    }
}
