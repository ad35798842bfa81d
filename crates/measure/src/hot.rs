//! What the recorder's thread alone touches on its way: the buffer that it appends to, the clock, the open regions, the
//! dictionary; and how events become records.

use pgas_trace::format::encode;
use pgas_trace::model::{Attributes, Operation};

use crate::clock::Clock;
use crate::dictionary::{Dictionary, Place};
use crate::stack::{Open, Stack};

/// Attributes of operations below this number do not exist: functions and user regions.
const FIRST_WITH_ATTRIBUTES: u8 = 8;

/// What only the thread touches.
pub(crate) struct Hot {
    pub(crate) buffer: *mut u8,
    pub(crate) capacity: usize,
    pub(crate) position: usize,
    pub(crate) last_time: u64,
    pub(crate) clock: Clock,
    pub(crate) events: u32,
    /// Number of the current block, from 1.
    pub(crate) block: u32,
    pub(crate) stack: Stack,
    pub(crate) dictionary: Dictionary,
    pub(crate) first_time: u64,
    /// Which of the two buffers is in use.
    pub(crate) current: usize,
    pub(crate) sites_before: u32,
}

impl Hot {
    #[inline(always)]
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the current buffer is the thread's own, of that capacity, and zeroed by the system at first.
        unsafe { std::slice::from_raw_parts_mut(self.buffer, self.capacity) }
    }

    /// Ticks since the last event. Counters of different cores may differ by some ticks, so time could seem to run
    /// backwards when a thread moves.
    #[inline(always)]
    pub(crate) fn advance(&mut self, time: u64) -> u64 {
        let difference = time.saturating_sub(self.last_time);
        self.last_time += difference;
        self.events += 1;
        difference
    }

    #[inline(always)]
    pub(crate) fn append_enter(
        &mut self,
        time: u64,
        operation: u8,
        site: u32,
        attributes: Attributes,
    ) {
        let difference = self.advance(time);
        let position = self.position;
        let repeats = operation < FIRST_WITH_ATTRIBUTES || {
            let last = &mut self.dictionary.last[site as usize].enter;
            repeats(last, self.block, attributes)
        };
        self.position = if repeats {
            encode::enter(self.bytes(), position, difference, site)
        } else {
            encode::enter_with(self.bytes(), position, difference, site, &attributes)
        };
    }

    #[inline(always)]
    pub(crate) fn append_exit(&mut self, time: u64, open: Open, attributes: Attributes) {
        let difference = self.advance(time);
        let position = self.position;
        let repeats = !open.exit_attributes || {
            let last = &mut self.dictionary.last[open.site as usize].exit;
            repeats(last, self.block, attributes)
        };
        self.position = if repeats {
            encode::exit(self.bytes(), position, difference)
        } else {
            encode::exit_with(self.bytes(), position, difference, &attributes)
        };
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, operation: u8, place: Place, site: u32, recorded: bool) {
        self.stack.push(Open {
            name: place.name,
            site,
            operation,
            recorded,
            exit_attributes: has_exit_attributes(operation),
        });
    }

    /// The time from `begin` to now, in which the thread had to wait for a buffer.
    pub(crate) fn append_stall(&mut self, begin: u64) {
        let operation = Operation::MeasurementStall.number();
        let place = Place::new(operation, std::ptr::null(), 0, std::ptr::null());
        let site = self.dictionary.find(place).or_else(|| {
            // SAFETY: null strings are allowed.
            unsafe { self.dictionary.define(place) }
        });
        if let Some(site) = site {
            self.append_enter(begin, operation, site, Attributes::None);
            let open = Open {
                name: std::ptr::null(),
                site,
                operation,
                recorded: true,
                exit_attributes: false,
            };
            let now = self.clock.now();
            self.append_exit(now, open, Attributes::None);
        }
    }
}

/// Whether a reader assumes these attributes without being told; if not, they are noted as the last ones.
#[inline(always)]
fn repeats(last: &mut (u32, Attributes), block: u32, attributes: Attributes) -> bool {
    let assumed = if last.0 == block {
        last.1
    } else {
        Attributes::None
    };
    let same = assumed == attributes;
    if !same {
        *last = (block, attributes);
    }
    same
}

/// Whether the end of an operation may be an answer to what another thread has done.
#[inline(always)]
pub(crate) fn waits_for_others(operation: u8) -> bool {
    operation >= Operation::Notify as u8
        && !(operation >= Operation::Memcpy as u8 && operation <= Operation::NonBlockingPut as u8)
}

#[inline(always)]
fn has_exit_attributes(operation: u8) -> bool {
    operation == Operation::LockAttempt as u8
        || (operation >= Operation::Broadcast as u8 && operation <= Operation::PrefixReduce as u8)
}
