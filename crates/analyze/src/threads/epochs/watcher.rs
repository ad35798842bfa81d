//! Watches one thread: what it does between two synchronisations. It keeps one set of effects at a
//! time, which goes with the record of the synchronisation that ends it.

use pgas_earl::operation::{is_collective, is_collective_allocation};
use pgas_earl::{BarrierRecord, CollectiveRecord, Span};
use pgas_trace::model::{Address, Attributes, Operation, SyncMode, ThreadId};
use serde::{Deserialize, Serialize};

use super::effects::Effects;
use super::ranges::{Range, Touched};

/// Activity of a thread in some part of its time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Epoch {
    /// Kinds of its effects.
    pub effects: Effects,
    /// Places of the accesses, if there were any and they state their addresses.
    pub touched: Option<Box<Touched>>,
}

impl Epoch {
    /// Adds the activity of the thread in another part of its time.
    pub fn add(&mut self, other: Epoch) {
        self.effects |= other.effects;
        match (&mut self.touched, other.touched) {
            (Some(touched), Some(more)) => touched.add(&more),
            (touched @ None, more) => *touched = more,
            (Some(_), None) => {}
        }
    }
}

/// Operation that has a number among those that all threads take part in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Synchronisation {
    /// A barrier phase, or the end of the program that all threads reach together.
    Barrier,
    /// A collective operation that moves data.
    Collective {
        /// Which operation it is.
        operation: Operation,
        /// Synchronisation mode of its entry.
        sync_in: SyncMode,
        /// Synchronisation mode of its exit.
        sync_out: SyncMode,
    },
    /// A collective operation that neither moves data of the program nor can be relied on to
    /// synchronise.
    Neutral(Operation),
    /// Part of another operation, or one in which a runtime reports barriers of its own.
    Opaque(Operation),
}

/// Activity of one thread before and within a synchronisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Epochs {
    /// The synchronisation that ends this part of the thread's time.
    pub what: Synchronisation,
    /// Since the previous synchronisation, up to the arrival (the notify, if it is a barrier in
    /// two halves).
    pub before: Epoch,
    /// Between notify and wait.
    pub middle: Epoch,
    /// Ticks from the exit of the previous synchronisation to the arrival, and from notify to
    /// wait.
    pub apart: u64,
    /// Ticks from the notify to the wait of a barrier in two halves; 0 for others.
    pub middle_ticks: u64,
}

/// The state of one thread.
#[derive(Debug, Default)]
pub struct Watcher {
    thread: ThreadId,
    now: Epoch,
    /// Ended by an arrival that has no record yet.
    before: Epoch,
    middle: Epoch,
    notified: Option<u64>,
    middle_ticks: u64,
    /// Ticks of the arrival that has no record yet.
    arrival: u64,
    /// Ticks of the exit of the latest synchronisation.
    left: u64,
    /// Within a collective operation that moves data.
    is_inside: bool,
}

impl Watcher {
    /// The state of `thread` before its first event.
    pub fn new(thread: ThreadId) -> Self {
        Watcher {
            thread,
            ..Watcher::default()
        }
    }

    /// The thread reads or writes shared data.
    #[inline]
    pub fn access(&mut self, operation: Operation, attributes: &Attributes) {
        match *attributes {
            Attributes::Transfer {
                partner,
                bytes,
                address,
            } => {
                use Operation::{Get, Memget, NonBlockingGet, RemoteGet};
                let is_write = !matches!(operation, Get | RemoteGet | Memget | NonBlockingGet);
                self.touch(is_write, partner, address, bytes);
            }
            Attributes::Copy {
                source,
                destination,
                bytes,
                source_address,
                destination_address,
            } => {
                self.touch(false, source, source_address, bytes);
                self.touch(true, destination, destination_address, bytes);
            }
            _ => {}
        }
        if matches!(
            operation,
            Operation::NonBlockingGet | Operation::NonBlockingPut
        ) {
            self.now.effects |= Effects::NON_BLOCKING;
        }
    }

    #[inline]
    fn touch(&mut self, is_write: bool, owner: ThreadId, address: Option<Address>, bytes: u64) {
        self.now.effects |= match owner == self.thread {
            true => Effects::OWN,
            false => Effects::REMOTE,
        };
        match address {
            Some(address) => {
                let touched = self.now.touched.get_or_insert_default();
                let range = Range::new(owner, address.number(), bytes);
                match is_write {
                    true => touched.writes.add(range),
                    false => touched.reads.add(range),
                }
            }
            None => self.now.effects |= Effects::ANYWHERE,
        }
    }

    /// An operation is entered that says nothing of shared data that it accesses.
    #[inline]
    pub fn enter(&mut self, time: u64, operation: Operation) {
        // Most calls are of the program's own functions.
        if operation >= Operation::Notify {
            self.enter_operation(time, operation);
        }
    }

    fn enter_operation(&mut self, time: u64, operation: Operation) {
        match operation {
            Operation::Notify => {
                if self.notified.is_some() {
                    self.now.effects |= Effects::UNKNOWN;
                }
                self.arrive(time);
                self.notified = Some(time);
            }
            Operation::Wait => {
                if let Some(notified) = self.notified.take() {
                    self.middle_ticks = time - notified;
                } else {
                    self.now.effects |= Effects::UNKNOWN;
                }
                self.middle.add(std::mem::take(&mut self.now));
            }
            Operation::Barrier => {
                if self.notified.take().is_some() {
                    self.now.effects |= Effects::UNKNOWN;
                }
                self.arrive(time);
            }
            _ if moves_data(operation) => {
                if self.notified.is_some() {
                    self.now.effects |= Effects::UNKNOWN;
                }
                self.arrive(time);
                self.is_inside = true;
            }
            _ => self.now.effects |= Effects::of(operation),
        }
    }

    fn arrive(&mut self, time: u64) {
        self.before.add(std::mem::take(&mut self.now));
        self.arrival = time;
    }

    /// An operation is left.
    #[inline]
    pub fn exit(&mut self, operation: Operation, attributes: &Attributes) {
        if let Attributes::Skipped { barriers, .. } = *attributes {
            self.now.effects |= Effects::UNKNOWN;
            if barriers > 0 {
                self.notified = None;
            }
        } else if self.is_inside && moves_data(operation) {
            self.is_inside = false;
        }
    }

    /// Effects of the thread since its latest synchronisation; the end of its stream follows.
    pub fn rest(&self) -> Effects {
        let open = match self.notified.is_some() || self.is_inside {
            true => Effects::UNKNOWN,
            false => Effects::NONE,
        };
        self.now.effects | self.before.effects | self.middle.effects | open
    }

    /// Takes what belongs to a barrier that the thread has left.
    pub fn barrier(&mut self, record: &BarrierRecord) -> Epochs {
        let what = match self.is_inside {
            true => Synchronisation::Opaque(Operation::Barrier),
            false => Synchronisation::Barrier,
        };
        self.end(what, record.span)
    }

    /// Takes what belongs to a collective operation that the thread has left.
    pub fn collective(&mut self, record: &CollectiveRecord) -> Epochs {
        let operation = record.operation;
        let what = match operation {
            Operation::CollectiveExit if !record.contains_barrier => {
                // The end of the program is a barrier.
                self.arrive(record.span.begin);
                Synchronisation::Barrier
            }
            _ if !moves_data(operation) => {
                return Epochs {
                    what: Synchronisation::Neutral(operation),
                    before: Epoch::default(),
                    middle: Epoch::default(),
                    apart: 0,
                    middle_ticks: 0,
                };
            }
            _ if record.contains_barrier => Synchronisation::Opaque(operation),
            _ => Synchronisation::Collective {
                operation,
                sync_in: record.sync_in,
                sync_out: record.sync_out,
            },
        };
        self.end(what, record.span)
    }

    fn end(&mut self, what: Synchronisation, span: Span) -> Epochs {
        let epochs = Epochs {
            what,
            before: std::mem::take(&mut self.before),
            middle: std::mem::take(&mut self.middle),
            apart: self.arrival.saturating_sub(self.left),
            middle_ticks: std::mem::take(&mut self.middle_ticks),
        };
        self.left = span.end;
        epochs
    }
}

/// Whether it is a collective operation on shared data.
fn moves_data(operation: Operation) -> bool {
    is_collective(operation)
        && !is_collective_allocation(operation)
        && operation != Operation::CollectiveExit
}
