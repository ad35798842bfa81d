//! The program switches recording off and on.

use std::sync::atomic::Ordering;

use super::Recorder;
use super::flags::{BUSY, OFF, PAUSED, flags_of};
use crate::stack::State;
use crate::thread_state::ThreadState;

impl Recorder {
    /// Switches recording on or off; returns whether it was on.
    pub(crate) unsafe fn control(&self, on: bool) -> bool {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 || self.is_a_copy() {
            return false;
        }
        let was_on = flags & PAUSED == 0;
        if on == was_on {
            return was_on;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if self.has_ended() {
            self.set_flags(OFF);
            return was_on;
        }
        state.show_pause(!on);
        let mut goes_on = true;
        if !on {
            state.pause();
        } else if state.is_profile {
            state.resume_profile();
        } else {
            state.is_paused = false;
            goes_on = self.record_skipped(state);
            // Regions that were entered meanwhile and are still open.
            if goes_on
                && state
                    .stack
                    .iter()
                    .any(|open| open.state() == State::Unrecorded)
            {
                let time = state.clock.now();
                goes_on = self.record_what_is_open(state, time);
                if state.is_profile {
                    state.resume_profile();
                }
            }
        }
        if on {
            state.skip_counters();
            state.skip_no_core();
        }
        self.set_flags(if goes_on { flags_of(state) } else { OFF });
        was_on
    }

    /// Says in the trace what is missing in it since recording was off; false if recording must
    /// end.
    #[cold]
    pub(super) fn record_skipped(&self, state: &mut ThreadState) -> bool {
        if state.page.position >= self.gate.limit.load(Ordering::Relaxed) && !self.make_room(state)
        {
            return false;
        }
        if !state.is_profile {
            state.append_skipped();
        }
        true
    }
}
