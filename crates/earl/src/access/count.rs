//! Numbers the operations that all threads execute together. The rules are those by which a
//! [`Walker`](crate::Walker) makes records, so that the numbers are those of the
//! [`SyncQueue`](crate::SyncQueue).

use pgas_trace::model::{Attributes, Operation};

use super::cursor::Step;
use crate::operation::is_collective;

/// Whether a `upc_notify` waits for its `upc_wait`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notified {
    /// As it was where counting began.
    Unchanged,
    No,
    /// Number of the notify's Exit.
    Yes(u64),
}

/// Operations that one thread has completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counter {
    pub barriers: u64,
    pub collectives: u64,
    pub notified: Notified,
    /// A wait came before any notify: it is a barrier if there was a notify before counting began.
    pub undecided_wait: bool,
}

/// Operation that an Exit completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completed {
    /// A barrier phase; number of the notify's Exit if it was split.
    Barrier {
        number: u64,
        notify: Option<u64>,
    },
    Collective {
        number: u64,
    },
}

/// Whether [`Counter::step`] has anything to do with events of the operation.
pub(crate) fn is_counted(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Notify | Operation::Barrier | Operation::Wait | Operation::MeasurementStall
    ) || is_collective(operation)
}

impl Counter {
    /// At the beginning of a thread.
    pub const START: Counter = Counter {
        barriers: 0,
        collectives: 0,
        notified: Notified::No,
        undecided_wait: false,
    };

    /// At any place, of which nothing is known: counts what comes from here on.
    pub const ANYWHERE: Counter = Counter {
        notified: Notified::Unchanged,
        ..Counter::START
    };

    /// Takes the next event.
    #[inline]
    pub fn step(&mut self, step: &Step) -> Option<Completed> {
        if step.is_enter() || step.inferred || step.interrupted {
            return None;
        }
        match step.operation {
            Operation::Notify => {
                self.notified = Notified::Yes(step.number);
                None
            }
            Operation::Barrier => Some(self.barrier(None)),
            Operation::Wait => match std::mem::replace(&mut self.notified, Notified::No) {
                Notified::Yes(notify) => Some(self.barrier(Some(notify))),
                Notified::Unchanged => {
                    self.undecided_wait = true;
                    None
                }
                Notified::No => None,
            },
            Operation::MeasurementStall => {
                if let Attributes::Skipped {
                    barriers,
                    collectives,
                } = step.attributes()
                {
                    self.skip(barriers, collectives);
                }
                None
            }
            operation if is_collective(operation) => {
                let number = self.collectives;
                self.collectives = number.saturating_add(1);
                Some(Completed::Collective { number })
            }
            _ => None,
        }
    }

    /// Counts those that were passed while recording was off.
    fn skip(&mut self, barriers: u64, collectives: u64) {
        self.barriers = self.barriers.saturating_add(barriers);
        self.collectives = self.collectives.saturating_add(collectives);
        if barriers > 0 {
            // The second half of a barrier may be among them.
            self.notified = Notified::No;
        }
    }

    fn barrier(&mut self, notify: Option<u64>) -> Completed {
        let number = self.barriers;
        self.barriers = number.saturating_add(1);
        Completed::Barrier { number, notify }
    }

    /// The counter after a part of the thread, of which `part` was counted from
    /// [`Counter::ANYWHERE`].
    pub fn followed_by(&self, part: &Counter) -> Counter {
        let split = part.undecided_wait && matches!(self.notified, Notified::Yes(_));
        Counter {
            barriers: self
                .barriers
                .saturating_add(part.barriers)
                .saturating_add(u64::from(split)),
            collectives: self.collectives.saturating_add(part.collectives),
            notified: match part.notified {
                Notified::Unchanged => self.notified,
                changed => changed,
            },
            undecided_wait: self.undecided_wait,
        }
    }
}
