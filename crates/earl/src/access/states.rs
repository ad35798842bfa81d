//! The three states at a moment: the region stack of each thread, the collective queue (which
//! operations some threads have left and others have not), and the ownership of locks.

use pgas_trace::model::{Attributes, Operation, Site, ThreadId};

use super::EventTrace;
use super::cursor::{Cursor, Place};
use super::error::AccessError;
use super::event::EventId;
use super::history::ThreadHistory;
use super::locks::LockTable;
use super::order::Cut;
use crate::operation::is_collective;

/// A region that a thread is in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenRegion<'t> {
    /// The definition of the region, or the operation and the place of its call.
    pub region: &'t Site,
    /// The Enter and its time in ticks; `None` where no Enter was recorded before a gap at the
    /// beginning of the stream.
    pub enter: Option<(EventId, u64)>,
    /// Attributes of the call.
    pub attributes: Attributes,
}

/// State of one thread.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadState<'t> {
    /// Number of the thread's next event.
    pub position: u64,
    /// The regions that are open, outermost first.
    pub stack: Vec<OpenRegion<'t>>,
    /// Barrier phases that the thread has left, which is the number of the next one; `None` if
    /// events are missing.
    pub barriers: Option<u64>,
    /// Collective operations that the thread has left; `None` if events are missing.
    pub collectives: Option<u64>,
    /// The thread has left a `upc_notify` and not yet the `upc_wait` that belongs to it.
    pub notified: bool,
}

impl ThreadState<'_> {
    /// Whether it has come to the barrier that is the next one to leave, by which of its regions.
    pub fn has_arrived(&self) -> bool {
        self.notified
            || self.is_in(|operation| matches!(operation, Operation::Barrier | Operation::Notify))
    }

    fn is_in(&self, wanted: impl Fn(Operation) -> bool) -> bool {
        self.stack.iter().any(|open| wanted(open.region.operation))
    }
}

/// The states of all threads between two events.
#[derive(Debug, Clone, PartialEq)]
pub struct States<'t> {
    /// The moment.
    pub cut: Cut,
    /// By thread.
    pub threads: Vec<ThreadState<'t>>,
    /// Owner and waiting threads of every lock used so far.
    pub locks: LockTable,
}

/// An operation of all threads that some have left or are in, and that is not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Its number among the barriers, or among the collective operations, of each thread.
    pub number: u64,
    /// The barrier, or the collective operation as a thread that has come to it calls it.
    pub operation: Operation,
    /// Threads that have left it.
    pub left: Vec<ThreadId>,
    /// Threads that have come to it.
    pub inside: Vec<ThreadId>,
    /// Threads that have yet to come.
    pub missing: Vec<ThreadId>,
}

impl<'t> States<'t> {
    /// The barriers that are not complete, in order: that which the slowest thread has not left, up
    /// to the last one that any thread has come to, but at most `at_most`. None if the numbers
    /// are unknown.
    pub fn pending_barriers(&self, at_most: usize) -> Vec<Pending> {
        let count = |state: &ThreadState| state.barriers;
        self.pending(at_most, count, ThreadState::has_arrived, |_| {
            Some(Operation::Barrier)
        })
    }

    fn pending(
        &self,
        at_most: usize,
        count: impl Fn(&ThreadState<'t>) -> Option<u64>,
        arrived: impl Fn(&ThreadState<'t>) -> bool,
        operation: impl Fn(u64) -> Option<Operation>,
    ) -> Vec<Pending> {
        let threads = || self.threads.iter().enumerate();
        let Some(counts) = threads()
            .map(|(_, state)| count(state))
            .collect::<Option<Vec<u64>>>()
        else {
            return Vec::new();
        };
        // The number behind the last one that a thread has left or is in.
        let reached = threads().map(|(thread, state)| counts[thread] + u64::from(arrived(state)));
        let (Some(first), Some(behind)) = (counts.iter().min(), reached.max()) else {
            return Vec::new();
        };
        let mut pending = Vec::new();
        for number in (*first..behind).take(at_most) {
            let all = |wanted: &dyn Fn(u64, &ThreadState<'t>) -> bool| {
                threads()
                    .filter(|(thread, state)| wanted(counts[*thread], state))
                    .map(|(thread, _)| thread as ThreadId)
                    .collect()
            };
            let is_inside = |done, state: &ThreadState<'t>| done == number && arrived(state);
            let Some(operation) = operation(number) else {
                break;
            };
            pending.push(Pending {
                number,
                operation,
                left: all(&|done, _| done > number),
                inside: all(&is_inside),
                missing: all(&|done, state| done <= number && !is_inside(done, state)),
            });
        }
        pending
    }
}

impl<'t> EventTrace<'t> {
    /// The states at `time` (ticks): behind all events up to and including that time.
    ///
    /// Reads all threads from their beginnings up to that time, if no question before has done so;
    /// what was found is kept, so that later questions only read the blocks concerned.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged.
    pub fn states_at(&self, time: u64) -> Result<States<'t>, AccessError> {
        self.states(time, &vec![Place::behind(time); self.threads.len()])
    }

    /// The states directly behind an event. Reads as [`EventTrace::states_at`] does.
    ///
    /// # Errors
    /// [`AccessError::NoSuchThread`], [`AccessError::NoSuchEvent`]; [`AccessError::Trace`] if a
    /// block is damaged.
    pub fn states_after(&self, id: EventId) -> Result<States<'t>, AccessError> {
        let cut = self.cut_after(id)?;
        let places: Vec<Place> = cut.positions().iter().copied().map(Place::Event).collect();
        self.states(cut.time, &places)
    }

    /// The states where every thread is at its place.
    fn states(&self, time: u64, places: &[Place]) -> Result<States<'t>, AccessError> {
        let histories = self.histories(places)?;
        let positions = histories.iter().map(|history| history.cursor.number());
        let cut = Cut::new(time, positions.collect());
        let threads = histories.iter().map(|history| self.thread_state(history));
        let threads = threads.collect::<Result<_, _>>()?;
        let histories: Vec<_> = histories.into_iter().map(Some).collect();
        let locks = self.lock_table(&histories)?;
        Ok(States {
            cut,
            threads,
            locks,
        })
    }

    fn thread_state(&self, history: &ThreadHistory<'t>) -> Result<ThreadState<'t>, AccessError> {
        let notified = history
            .counter
            .is_some_and(|counter| matches!(counter.notified, super::count::Notified::Yes(_)));
        Ok(ThreadState {
            position: history.cursor.number(),
            stack: self.open_regions(history.thread, &history.cursor)?,
            barriers: history.counter.map(|counter| counter.barriers),
            collectives: history.counter.map(|counter| counter.collectives),
            notified,
        })
    }

    /// The regions that are open where the cursor is.
    pub(crate) fn open_regions(
        &self,
        thread: ThreadId,
        cursor: &Cursor<'t>,
    ) -> Result<Vec<OpenRegion<'t>>, AccessError> {
        let frames = cursor.frames().iter().enumerate();
        frames
            .map(|(depth, frame)| {
                let opened = cursor.opened(depth)?;
                Ok(OpenRegion {
                    region: self.site(thread, frame.site),
                    enter: opened.map(|o| (EventId::new(thread, o.number), o.time)),
                    attributes: opened.map_or(Attributes::None, |o| o.attributes),
                })
            })
            .collect()
    }

    /// The collective operations that are not complete in `states`, in order: from that which the
    /// slowest thread has not left, up to the last one that any thread has come to, but at most
    /// `at_most`. None if the numbers are unknown.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged.
    pub fn pending_collectives(
        &self,
        states: &States<'t>,
        at_most: usize,
    ) -> Result<Vec<Pending>, AccessError> {
        let count = |state: &ThreadState| state.collectives;
        let arrived = |state: &ThreadState| state.is_in(is_collective);
        let mut pending = states.pending(at_most, count, arrived, |_| Some(Operation::Function));
        for operation in &mut pending {
            operation.operation = self.collective_operation(states, operation)?;
        }
        Ok(pending)
    }

    /// Kind of a pending collective operation, as recorded by a thread that has come to it.
    fn collective_operation(
        &self,
        states: &States<'t>,
        pending: &Pending,
    ) -> Result<Operation, AccessError> {
        if let Some(&thread) = pending.inside.first() {
            let stack = &states.threads[thread as usize].stack;
            let collective = stack
                .iter()
                .map(|open| open.region.operation)
                .find(|&operation| is_collective(operation));
            return Ok(collective.unwrap_or(Operation::Function));
        }
        let Some(&thread) = pending.left.first() else {
            return Ok(Operation::Function);
        };
        match self.collective_of(thread, pending.number)? {
            Some(member) => Ok(self.event(member.exit)?.operation()),
            None => Ok(Operation::Function),
        }
    }
}
