//! Compound events by number: what all threads did together as their k-th barrier or collective
//! operation.

use pgas_trace::model::{Operation, ThreadId};

use super::EventTrace;
use super::count::{Completed, Counter};
use super::cursor::Cursor;
use super::error::AccessError;
use super::event::EventId;

/// One thread's part of a compound event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The first event: Enter of the operation or, for a barrier in two halves, of the
    /// `upc_notify`. `None` where a gap has swallowed it.
    pub arrival: Option<EventId>,
    /// Enter of the operation that waits. `None` where a gap has swallowed it.
    pub enter: Option<EventId>,
    /// Its Exit.
    pub exit: EventId,
}

/// A barrier or a collective operation, with the part of every thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompoundEvent {
    /// Among the barriers, or among the collective operations, from 0.
    pub number: u64,
    /// Index is the thread; `None` for one that has not left it before its trace ends or has a
    /// gap, or has not recorded it.
    pub members: Vec<Option<Member>>,
}

/// Which of the two sequences of numbered operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sequence {
    Barriers,
    Collectives,
}

impl EventTrace<'_> {
    /// The barrier with that number: plain barriers and split phases are counted together. All
    /// members are `None` if there are fewer.
    ///
    /// Reads all threads from their beginnings up to there, if no question before has done so.
    ///
    /// # Errors
    /// [`AccessError::Trace`] if a block is damaged.
    pub fn barrier(&self, number: u64) -> Result<CompoundEvent, AccessError> {
        self.compound(Sequence::Barriers, number)
    }

    /// The collective operation with that number; allocations that all threads do together and the
    /// end of the program count as such. That the members are the same operation is not checked
    /// here.
    ///
    /// # Errors
    /// As [`EventTrace::barrier`].
    pub fn collective(&self, number: u64) -> Result<CompoundEvent, AccessError> {
        self.compound(Sequence::Collectives, number)
    }

    /// One thread's part of a collective operation.
    pub(crate) fn collective_of(
        &self,
        thread: ThreadId,
        number: u64,
    ) -> Result<Option<Member>, AccessError> {
        self.member(Sequence::Collectives, thread, number)
    }

    fn compound(&self, sequence: Sequence, number: u64) -> Result<CompoundEvent, AccessError> {
        let threads = 0..self.threads.len() as ThreadId;
        let members = threads.map(|thread| self.member(sequence, thread, number));
        Ok(CompoundEvent {
            number,
            members: members.collect::<Result<_, _>>()?,
        })
    }

    fn member(
        &self,
        sequence: Sequence,
        thread: ThreadId,
        number: u64,
    ) -> Result<Option<Member>, AccessError> {
        let index = self.index(thread)?;
        let completed = |counter: &Counter| match sequence {
            Sequence::Barriers => counter.barriers,
            Sequence::Collectives => counter.collectives,
        };
        let mut counter = Counter::START;
        let mut block = 0;
        loop {
            if block == index.blocks() {
                return Ok(None);
            }
            let behind = counter.followed_by(&index.summary(block)?.counter);
            if completed(&behind) > number {
                break;
            }
            counter = behind;
            block += 1;
        }
        let mut cursor = Cursor::at_block(index, block)?;
        while let Some(step) = cursor.next_step()? {
            if index.first_gap().is_some_and(|gap| step.number >= gap) {
                break;
            }
            let notify = match (sequence, counter.step(&step)) {
                (Sequence::Barriers, Some(Completed::Barrier { number: n, notify }))
                    if n == number =>
                {
                    notify
                }
                (Sequence::Collectives, Some(Completed::Collective { number: n }))
                    if n == number =>
                {
                    None
                }
                // The thread passed it while recording was off.
                _ if completed(&counter) > number => break,
                _ => continue,
            };
            let enter = cursor.enter_of(&step)?;
            let enter = enter.map(|enter| EventId::new(thread, enter.number));
            let arrival = match notify {
                Some(exit) => self.enter_pointer(EventId::new(thread, exit))?,
                None => enter,
            };
            return Ok(Some(Member {
                arrival,
                enter,
                exit: EventId::new(thread, step.number),
            }));
        }
        Ok(None)
    }
}

/// Whether an operation is part of a barrier, so that its events have the number of a phase.
pub(crate) fn is_barrier(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Barrier | Operation::Notify | Operation::Wait
    )
}
