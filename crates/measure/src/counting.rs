//! What the program counts by itself instead of reporting it: single accesses, and calls of
//! functions that are too short to be events. The numbers come from time to time, and are added to
//! the thread's call tree under the innermost open region. Their time is part of that region's.

use std::sync::atomic::Ordering;

use pgas_trace_format::model::Attributes;

use crate::attributes::Packed;
use crate::dictionary::{FILTERED, NOT_FOUND, Place, SITE_MASK, THROTTLED};
use crate::recorder::{BUSY, OFF, PAUSED, Recorder};
use crate::stack::State;
use crate::thread_state::ThreadState;

/// A function whose calls take less time on average, in nanoseconds, costs more as events than they
/// tell: two readings of the clock would be a thirtieth of it.
const SHORT: u64 = 1000;
/// Timed calls from which an average is known.
const ENOUGH_TIMED: u64 = 64;

impl Recorder {
    /// Adds accesses of `bytes` each to data of the thread `partner`.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    pub(crate) unsafe fn count_accesses(
        &self,
        place: Place,
        partner: u32,
        accesses: u64,
        bytes: u64,
    ) {
        let add = |state: &mut ThreadState, site| {
            let attributes = Packed::from(Attributes::transfer(partner, bytes));
            let node = state.node_for(site, attributes);
            let bytes = accesses.wrapping_mul(bytes);
            state.tree.count_many(node, accesses, bytes);
        };
        // SAFETY: promised by the caller.
        unsafe { self.add_counts(place, add) };
    }

    /// Adds calls of a function. Their node has the thread itself as partner, which functions
    /// otherwise do not have, so that they are not mistaken for calls of which a sample is timed.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    pub(crate) unsafe fn count_calls(&self, place: Place, calls: u64) {
        let add = |state: &mut ThreadState, site| {
            let partner = state.thread + 1;
            let node = state.node_below_top(site, partner);
            state.tree.count_many(node, calls, 0);
        };
        // SAFETY: promised by the caller.
        unsafe { self.add_counts(place, add) };
    }

    /// Adds what was counted at a place, unless it is not to be recorded there.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    unsafe fn add_counts(&self, place: Place, add: impl FnOnce(&mut ThreadState, u32)) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 || self.is_a_copy() {
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
        let state = unsafe { &mut *self.state.get() };
        if !self.has_ended() && !state.is_paused {
            // SAFETY: promised by the caller.
            if let Some(marked) = unsafe { state.site_of(place) } {
                let is_filtered = marked == FILTERED
                    || state
                        .stack
                        .top()
                        .is_some_and(|open| open.state() == State::Unrecorded);
                if !is_filtered {
                    add(state, marked & SITE_MASK);
                }
            }
        }
        self.set_flags(flags);
    }

    /// Whether calls of a function from the innermost open region are only summed, and so short that
    /// not even a sample of them should be timed.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    pub(crate) unsafe fn is_short(&self, place: Place) -> bool {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF | PAUSED) != 0 || self.is_a_copy() {
            return false;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `add_counts`.
        let state = unsafe { &mut *self.state.get() };
        let is_short = !self.has_ended() && state.is_short(place);
        self.set_flags(flags);
        is_short
    }

    /// Whether anything is recorded now.
    pub(crate) fn is_recording(&self) -> bool {
        self.gate.flags.load(Ordering::Relaxed) & (OFF | PAUSED) == 0
    }
}

impl ThreadState {
    fn is_short(&mut self, place: Place) -> bool {
        let marked = self.dictionary.find(place).site;
        // While sums are all that is kept, each call is timed.
        let is_summed = self.is_profile || marked & THROTTLED != 0;
        let is_site = marked != NOT_FOUND && marked != FILTERED;
        if self.throttle.is_none() || !is_site || !is_summed {
            return false;
        }
        let node = self.node_below_top(marked & SITE_MASK, 0);
        let (timed_calls, ticks) = self.tree.timed(node);
        timed_calls >= ENOUGH_TIMED && ticks / timed_calls < self.ticks(SHORT)
    }
}
