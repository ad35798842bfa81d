//! Samples accesses, and notes shared arrays, on the recorder's thread.

use std::sync::atomic::Ordering;

use pgas_trace_format::samples::{Sample, SharedArray};

use crate::dictionary::{FILTERED, Place, SITE_MASK};
use crate::recorder::{BUSY, OFF, PAUSED, Recorder};
use crate::signals::without_signals;
use crate::thread_state::ThreadState;

/// Arrays that a thread remembers.
const MOST_ARRAYS: usize = 256;
/// Accesses after which a thread that is not recorded asks again.
const MUCH_LATER: u32 = 1 << 16;

impl Recorder {
    /// Samples the transfer whose Enter was the thread's last event: its partner, address and
    /// bytes, whether a lock is held; and how many synchronisations there were before. Returns
    /// how many transfers later the next one is to be sampled.
    ///
    /// # Safety
    /// The caller is the recorder's thread.
    pub(crate) unsafe fn sample(&self, sample: Sample, period: u32) -> u32 {
        let take = |state: &mut ThreadState| match state.stack.top() {
            Some(open) if open.site != FILTERED => {
                let site = open.site & SITE_MASK;
                state.samples.take(Sample { site, ..sample }, period)
            }
            _ => state.samples.miss(),
        };
        // SAFETY: promised by the caller.
        unsafe { self.take_if_recording(take) }
    }

    /// Samples an access that the program counts, at `place`: otherwise as [`Recorder::sample`].
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    pub(crate) unsafe fn sample_counted(&self, place: Place, sample: Sample, period: u32) -> u32 {
        // SAFETY: promised by the caller.
        let take = |state: &mut ThreadState| match unsafe { state.site_of(place) } {
            Some(marked) if marked != FILTERED => {
                let site = marked & SITE_MASK;
                state.samples.take(Sample { site, ..sample }, period)
            }
            _ => state.samples.miss(),
        };
        // SAFETY: promised by the caller.
        unsafe { self.take_if_recording(take) }
    }

    /// The result of `take`, or [`MUCH_LATER`] while nothing is recorded.
    ///
    /// # Safety
    /// The caller is the recorder's thread.
    unsafe fn take_if_recording(&self, take: impl FnOnce(&mut ThreadState) -> u32) -> u32 {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF | PAUSED) != 0 || self.is_a_copy() {
            return MUCH_LATER;
        }
        self.set_flags(flags | BUSY);
        let after = match self.has_ended() {
            true => MUCH_LATER,
            // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
            false => take(unsafe { &mut *self.state.get() }),
        };
        self.set_flags(flags);
        after
    }

    /// How many counted accesses later one is to be sampled, where none was yet.
    ///
    /// # Safety
    /// The caller is the recorder's thread.
    pub(crate) unsafe fn next_sample(&self) -> u32 {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 {
            return MUCH_LATER;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
        let next = unsafe { (*self.state.get()).samples.next() };
        self.set_flags(flags);
        next
    }

    /// Remembers a shared array of the program.
    ///
    /// # Safety
    /// The caller is the recorder's thread.
    pub(crate) unsafe fn note_array(&self, array: SharedArray) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 {
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as above.
        let arrays = unsafe { &mut (*self.state.get()).arrays };
        let has_room = arrays.len() < MOST_ARRAYS && crate::memory::has_reserve();
        if !self.has_ended() && has_room && !arrays.contains(&array) {
            without_signals(|| arrays.push(array));
        }
        self.set_flags(flags);
    }
}
