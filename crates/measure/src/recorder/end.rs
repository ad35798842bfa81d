//! The end of a recording: by its thread, by another one in its place, in the child of a fork.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use super::Recorder;
use super::flags::{BUSY, OFF};
use crate::attributes::{FIRST_WITH_ATTRIBUTES, Packed};
use crate::signals::without_signals;
use crate::stack::Open;
use crate::thread_state::ThreadState;

impl Recorder {
    /// Leaves what is open, writes everything, and ends the recording of this thread.
    pub(crate) unsafe fn finish(&self) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & BUSY != 0 || !self.is_of_this_process() {
            return;
        }
        self.set_flags(BUSY);
        without_signals(|| {
            let finished = catch_unwind(AssertUnwindSafe(|| {
                // SAFETY: as in `enter`.
                let state = unsafe { &mut *self.state.get() };
                if flags & OFF == 0 && (!state.is_paused || self.record_skipped(state)) {
                    self.leave_everything(state);
                }
                self.close();
                self.write_the_rest(state);
            }));
            // A panic has already said what it was; what was written before stays readable.
            drop(finished);
        });
        self.set_flags(OFF);
    }

    fn leave_everything(&self, state: &mut ThreadState) {
        let is_operation =
            |open: &Open| open.is_recorded() && open.operation() >= FIRST_WITH_ATTRIBUTES;
        if state.stack.iter().any(is_operation) {
            state.interrupted_after = Some(state.page.last_time);
        }
        let mut goes_on = true;
        while goes_on && state.stack.depth() > 0 {
            goes_on = self.leave(state, Packed::NONE);
        }
    }

    /// Writes what a recorder of another thread holds and ends it. Regions that are open stay open
    /// in the trace.
    ///
    /// # Safety
    /// The recorder was closed, and its thread was seen outside of it after a barrier on all
    /// processors; it does not touch its buffer any more.
    pub(crate) unsafe fn finish_for_other(&self) {
        // SAFETY: promised by the caller.
        let state = unsafe { &mut *self.state.get() };
        self.write_the_rest(state);
    }

    /// For the child of a fork, which has a copy of everything but must not write: nothing is
    /// recorded any more.
    ///
    /// # Safety
    /// The calling thread is the only one of its process.
    pub(crate) unsafe fn abandon(&self) {
        self.close();
        self.gate.flags.store(OFF, Ordering::Relaxed);
    }

    /// The process was asked to end, now. Called by a handler of signals, perhaps in the midst of
    /// an event.
    pub(crate) fn note_signal(&self, signal: u32) {
        // SAFETY: the clock is never changed, and the two fields of the page by nobody else; no
        // reference is made.
        unsafe {
            let state = self.state.get();
            let time = (&raw mut (*state).page.signal_time).cast::<AtomicU64>();
            let clock = (&raw const (*state).clock).read();
            if (*time).load(Ordering::Relaxed) == 0 {
                (&raw mut (*state).page.signal).write_volatile(signal);
                (*time).store(clock.now(), Ordering::Release);
            }
        }
    }
}
