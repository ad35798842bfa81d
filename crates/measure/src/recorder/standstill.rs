//! Time in which the thread works for the measurement and not for the program.

use std::sync::atomic::Ordering;

use super::Recorder;
use super::flags::{BUSY, OFF, PAUSED, flags_of};

impl Recorder {
    /// Records that the thread has done something for the measurement since `begin`.
    pub(crate) unsafe fn stood_still(&self, begin: u64) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF | PAUSED) != 0 || self.is_a_copy() {
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        let has_room =
            state.page.position < self.gate.limit.load(Ordering::Relaxed) || self.make_room(state);
        // Calls that are only counted may be open if this was not called at an event that is
        // recorded.
        let goes_on = has_room && (state.is_profile || self.record_what_is_open(state, begin));
        if goes_on {
            self.note_stall(state, begin);
        }
        // Counts of that time are not the program's either.
        state.skip_counters();
        self.set_flags(if goes_on { flags_of(state) } else { OFF });
    }
}
