//! Enter of a region, where it does not take the short way.

use std::ffi::c_char;
use std::sync::atomic::Ordering;

use super::Recorder;
use super::flags::{BUSY, OFF, flags_of};
use crate::attributes::Packed;
use crate::dictionary::{FILTERED, Place, SITE_MASK, THROTTLED};
use crate::stack::{Open, State};
use crate::thread_state::ThreadState;

impl Recorder {
    /// An Enter that is not simply recorded.
    #[inline(never)]
    pub(crate) unsafe fn enter_the_long_way(
        &self,
        operation: u8,
        place: Place,
        attributes: Packed,
    ) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 {
            self.count_lost(flags);
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if state.page.position >= self.gate.limit.load(Ordering::Relaxed) && !self.make_room(state)
        {
            self.count_lost(OFF);
            self.set_flags(OFF);
            return;
        }
        // SAFETY: promised by the caller.
        let after = match unsafe { state.site_of(place) } {
            Some(FILTERED) if self.is_left_out_for_good(place) => flags_of(state),
            Some(site) if state.stack.has_room() => {
                if self.enter_site(state, operation, place.name, site, attributes) {
                    flags_of(state)
                } else {
                    OFF
                }
            }
            Some(_) => {
                state.stack.go_beyond();
                state.tree.count_unplaced();
                flags_of(state)
            }
            // An unknown operation; its Exit will match nothing.
            None => flags_of(state),
        };
        self.set_flags(after);
    }

    /// Whether later calls of an excluded function are left out before anything else is done, from
    /// this one on.
    fn is_left_out_for_good(&self, place: Place) -> bool {
        let function = place.function();
        function.is_some_and(|function| self.excluded.add(function))
    }

    /// Enter of a site (with its marks), whatever is to be done with it; false if recording must
    /// end.
    #[inline(always)]
    pub(crate) fn enter_site(
        &self,
        state: &mut ThreadState,
        operation: u8,
        name: *const c_char,
        marked: u32,
        attributes: Packed,
    ) -> bool {
        if marked == FILTERED {
            state.enter_filtered(operation, name);
            return true;
        }
        let site = marked & SITE_MASK;
        if state.is_paused {
            state.skipped.count(operation);
            state.left_out.count_paused(operation);
            let open = Open::new(State::Unrecorded, operation, name, site, 0);
            state.stack.push(open);
        } else if state.is_profile {
            state.charge_counters();
            state.enter_profiled(operation, name, site, attributes);
        } else if marked & THROTTLED != 0 {
            state.enter_throttled(operation, name, site, attributes);
        } else {
            state.charge_counters();
            let time = state.begin_time();
            state.after_gap(time);
            if state.counted > 0 && !self.record_what_is_open(state, time) {
                return false;
            }
            // Room for the record itself there is, as in `exit`; but the trace may just have
            // reached its limit.
            if state.is_profile {
                state.enter_profiled(operation, name, site, attributes);
            } else {
                state.record_enter(time, operation, name, site, attributes);
            }
        }
        if state.looks_at_every_event {
            state.observe_enter(site, attributes);
        }
        true
    }
}
