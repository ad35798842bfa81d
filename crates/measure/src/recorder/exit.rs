//! Exit of a region, where it does not take the short way: that of regions that are not recorded,
//! that are left without notice, or with attributes at their end.

use std::ffi::c_char;
use std::sync::atomic::Ordering;

use pgas_trace_format::model::Operation;

use super::Recorder;
use super::flags::{BUSY, OFF, flags_of};
use crate::attributes::Packed;
use crate::dictionary::same_text;
use crate::stack::{Open, Stack, State};
use crate::thread_state::ThreadState;

impl Recorder {
    /// An Exit with attributes: that of an operation for many threads, or of an attempt to take a
    /// lock.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    pub(crate) unsafe fn exit_with(&self, operation: u8, name: *const c_char, attributes: Packed) {
        // SAFETY: promised by the caller.
        unsafe { self.exit_the_long_way(operation, name, attributes) };
    }

    /// An Exit that is not simply that of the innermost region, or of one that is not recorded.
    #[inline(never)]
    pub(crate) unsafe fn exit_the_long_way(
        &self,
        operation: u8,
        name: *const c_char,
        attributes: Packed,
    ) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 {
            self.count_lost(flags);
            return;
        }
        if self.is_a_copy() {
            self.set_flags(OFF);
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if self.has_ended() {
            self.count_lost(OFF);
            self.set_flags(OFF);
            return;
        }
        let depth = state.stack.depth();
        let target = if state.stack.come_back() {
            None
        } else {
            let matches = |open: &Open| open.operation() == operation && open.name == name;
            let target = match state.stack.top() {
                Some(open) if matches(open) => Some(depth - 1),
                // SAFETY: promised by the caller.
                _ => unsafe { find_open(&state.stack, operation, name) },
            };
            if target.is_none() && operation == Operation::UserRegion as u8 {
                state.unmatched_ends += 1;
            }
            target
        };
        let mut goes_on = true;
        if let Some(target) = target {
            // Regions that were left without notice are left now.
            while goes_on && state.stack.depth() > target + 1 {
                goes_on = self.leave(state, Packed::NONE);
            }
            goes_on = goes_on && self.leave(state, attributes);
        }
        self.set_flags_after(state, goes_on);
    }

    /// Ends an event that has left regions: `goes_on` says whether recording does.
    #[inline(always)]
    pub(super) fn set_flags_after(&self, state: &mut ThreadState, goes_on: bool) {
        let is_due = state.page.position >= self.gate.limit.load(Ordering::Relaxed);
        let after = match goes_on {
            true if is_due => self.look_up(state),
            true => flags_of(state),
            false => OFF,
        };
        self.set_flags(after);
    }

    /// Exit of the innermost open region, whatever is to be done with it; false if recording must
    /// end.
    #[inline(always)]
    pub(super) fn leave(&self, state: &mut ThreadState, attributes: Packed) -> bool {
        let Some(&open) = state.stack.top() else {
            return true;
        };
        if state.looks_at_every_event {
            state.observe_exit(open.site, attributes);
        }
        match open.state() {
            State::Counted | State::Sampled => state.exit_throttled(open),
            State::Shown => {
                let time = state.exit_time(open.operation());
                state.show_exit(open.operation(), attributes, time);
                state.stack.pop();
            }
            State::Profiled => {
                let time = state.exit_time(open.operation());
                state.charge_counters();
                state.show_exit(open.operation(), attributes, time);
                state.exit_profiled(time, open, attributes);
            }
            State::Unrecorded | State::Filtered => state.stack.pop(),
            State::Recorded => {
                let time = state.exit_time(open.operation());
                state.charge_counters();
                state.after_gap(time);
                if state.page.position >= self.gate.limit.load(Ordering::Relaxed)
                    && !self.make_room(state)
                {
                    return false;
                }
                state.show_exit(open.operation(), attributes, time);
                // The trace may just have reached its limit; then the region is not what it was.
                match state.stack.top() {
                    Some(&open) if open.is_recorded() => state.record_exit(time, open, attributes),
                    Some(&open) => state.exit_profiled(time, open, attributes),
                    None => {}
                }
            }
        }
        if state.looks_at_every_event {
            state.observe_left(open.site);
        }
        true
    }

    /// After an event, where the position has reached the limit: hands the buffer over. Returns the
    /// flags to go on with.
    #[cold]
    pub(crate) fn look_up(&self, state: &mut ThreadState) -> u8 {
        if self.make_room(state) {
            flags_of(state)
        } else {
            OFF
        }
    }
}

/// The innermost open region of this operation and name, where names with the same text at other
/// addresses count.
///
/// # Safety
/// As for [`Recorder::exit`].
#[cold]
unsafe fn find_open(stack: &Stack, operation: u8, name: *const c_char) -> Option<usize> {
    (0..stack.depth()).rev().find(|&index| {
        let open = stack.at(index);
        open.operation() == operation
            // SAFETY: promised by the caller.
            && (open.name == name || unsafe { same_text(open.name, name) })
    })
}
