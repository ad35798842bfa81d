//! Accesses and calls that the program counts by itself: their numbers come from time to time, and are added
//! to the thread's call tree under the innermost open region. Their time is part of that region's.

use std::sync::atomic::Ordering;

use pgas_trace_format::model::Attributes;

use crate::attributes::Packed;
use crate::dictionary::{FILTERED, Place, SITE_MASK};
use crate::recorder::{BUSY, OFF, PAUSED, Recorder};
use crate::stack::State;

impl Recorder {
    /// Adds calls with these attributes, of `bytes` each.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    pub(crate) unsafe fn count_calls(
        &self,
        place: Place,
        attributes: Attributes,
        calls: u64,
        bytes: u64,
    ) {
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
                    let node = state.node_for(marked & SITE_MASK, Packed::from(attributes));
                    state
                        .tree
                        .count_many(node, calls, calls.wrapping_mul(bytes));
                }
            }
        }
        self.set_flags(flags);
    }

    /// Whether anything is recorded now.
    pub(crate) fn is_recording(&self) -> bool {
        self.gate.flags.load(Ordering::Relaxed) & (OFF | PAUSED) == 0
    }
}
