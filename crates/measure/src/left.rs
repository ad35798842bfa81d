//! A thread that was in the middle of recording an event when a handler of signals left it for
//! good, by `siglongjmp` or by ending the program. The partial writes of that event are repaired,
//! so that the recording goes on after it.
//!
//! Work that cannot be interrupted (handing a buffer over, new definitions) runs with signals
//! blocked; so at most one record, one call in the call tree and one entry of the stack are
//! unfinished.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use pgas_trace_format::buffers::WholeRecords;
use pgas_trace_format::encode;

use crate::memory;
use crate::message::say;
use crate::recorder::{BUSY, OFF, Recorder, flags_of};
use crate::signals::without_signals;
use crate::stack::State;
use crate::thread_state::ThreadState;

impl Recorder {
    /// The thread has left the recorder by a jump. Whether the recording goes on; if not, it was
    /// said.
    ///
    /// # Safety
    /// The caller is the recorder's thread, and nothing that was interrupted in the recorder will
    /// go on.
    pub(crate) unsafe fn recover(&self) -> bool {
        // SAFETY: promised by the caller: no other reference is used any more.
        let state = unsafe { &mut *self.state.get() };
        self.set_flags(BUSY);
        let goes_on = without_signals(|| {
            let recovered = catch_unwind(AssertUnwindSafe(|| {
                // The site's last attributes may be noted without being written: a new block
                // begins without any.
                !self.has_ended() && self.repair(state) && self.hand_over(state)
            }));
            matches!(recovered, Ok(true))
        });
        if !goes_on && !self.has_ended() {
            say(&format!(
                "thread {} left the recorder by a jump out of a handler of signals; it is \
                 recorded up to there, the program goes on",
                state.thread
            ));
        }
        self.set_flags(if goes_on { flags_of(state) } else { OFF });
        goes_on
    }

    /// The process ends while the thread is in the middle of recording an event: writes everything,
    /// and says what may be missing.
    ///
    /// # Safety
    /// As for [`Recorder::recover`].
    pub(crate) unsafe fn finish_in_the_middle(&self) {
        // SAFETY: promised by the caller.
        let state = unsafe { &mut *self.state.get() };
        let missed = self.missed();
        let thread = state.thread;
        let is_repaired = without_signals(|| {
            catch_unwind(AssertUnwindSafe(|| self.repair(state))).unwrap_or(false)
        });
        let events = match missed {
            0 => "what it did from then on is".to_owned(),
            missed => format!("{missed} events or more are"),
        };
        say(&format!(
            "thread {thread} ended in a handler of signals, or after a jump out of one, while an \
             event was being recorded: {events} not recorded"
        ));
        if is_repaired {
            self.note_missed();
            self.set_flags(flags_of(state));
            // SAFETY: promised by the caller.
            unsafe { self.finish() };
        }
    }

    /// Takes back what the interrupted event has written in part. False if it cannot be known what
    /// that was.
    fn repair(&self, state: &mut ThreadState) -> bool {
        let position = state.page.position;
        if position > state.capacity || !memory::has(2 * position) {
            return false;
        }
        let sites = state.dictionary.defined();
        let first_time = state.first_time;
        let records = &state.bytes()[..position];
        let Some(whole) = WholeRecords::of(records, first_time, sites) else {
            return false;
        };
        state.page.events = whole.events;
        state.page.last_time = whole.last_time;
        state.end_record(whole.length);
        let recorded: Vec<u32> = {
            let regions = state.stack.iter().filter(|open| open.is_recorded());
            regions.map(|open| open.site).collect()
        };
        let open: Vec<u32> = whole.open.iter().map(|site| site.0).collect();
        if let Some(entered) = open.strip_prefix(&recorded[..]) {
            // Entered in the trace and not yet on the stack.
            if entered.len() > 1 {
                return false;
            }
            if !entered.is_empty() {
                let now = state.clock.now();
                let difference = state.advance(now);
                let position = state.page.position;
                let end = encode::exit(state.bytes(), position, difference);
                state.end_record(end);
            }
        } else if let Some([_]) = recorded.strip_prefix(&open[..]) {
            // Left in the trace and still on the stack, on top of it.
            match state.stack.top() {
                Some(top) if top.is_recorded() => state.stack.pop(),
                _ => return false,
            }
        } else {
            return false;
        }
        state.show_return();
        let is_counted = |state| matches!(state, State::Counted | State::Sampled);
        let counted = state.stack.iter().filter(|open| is_counted(open.state()));
        state.counted = counted.count();
        true
    }

    /// Events that came while another one was being recorded.
    fn missed(&self) -> u64 {
        self.ignored.load(Ordering::Relaxed)
    }

    fn note_missed(&self) {
        self.lost.fetch_add(self.missed(), Ordering::Relaxed);
    }
}
