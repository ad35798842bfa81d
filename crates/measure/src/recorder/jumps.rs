//! Regions that a jump has left without notice (`longjmp`, exceptions).

use std::sync::atomic::Ordering;

use super::Recorder;
use super::flags::{BUSY, OFF};
use crate::attributes::Packed;

impl Recorder {
    /// The number of open regions; none are ever left beyond it by [`Recorder::return_to`] where
    /// that is not known.
    pub(crate) unsafe fn depth(&self) -> usize {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 || self.is_a_copy() {
            return usize::MAX;
        }
        // SAFETY: as in `enter`.
        unsafe { &*self.state.get() }.stack.depth()
    }

    /// Exits of all regions beyond a number of them: they were left without notice.
    pub(crate) unsafe fn return_to(&self, depth: usize) {
        let mut flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & OFF != 0 || self.is_a_copy() {
            return;
        }
        if flags & BUSY != 0 {
            // Outside of the recorder then, and inside of it now: the jump has left it. Else a
            // handler that has interrupted the recorder jumps within itself.
            // SAFETY: what lay above the place on the stack is gone.
            if depth == usize::MAX || !unsafe { self.recover() } {
                return;
            }
            flags = self.gate.flags.load(Ordering::Relaxed);
        }
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if state.stack.depth() <= depth {
            return;
        }
        self.set_flags(flags | BUSY);
        if self.has_ended() {
            self.count_lost(OFF);
            self.set_flags(OFF);
            return;
        }
        state.stack.forget_beyond();
        let mut goes_on = true;
        while goes_on && state.stack.depth() > depth {
            goes_on = self.leave(state, Packed::NONE);
        }
        self.set_flags_after(state, goes_on);
    }
}
