//! Flags of a recorder: its thread looks at them before each event. As long as they are zero, the
//! event takes the short way.

use crate::thread_state::ThreadState;

/// The thread is inside of the recorder.
pub(crate) const BUSY: u8 = 1;
/// The program has switched recording off.
pub(crate) const PAUSED: u8 = 2;
/// Nothing is recorded any more.
pub(crate) const OFF: u8 = 4;
/// Sums are all that is kept.
const PROFILE: u8 = 8;
/// A call is open that is only counted: what is recorded now needs it in the trace first.
pub(crate) const COUNTED: u8 = 16;
/// More regions are open than the stack holds.
const BEYOND: u8 = 32;
/// The clock is not the time stamp counter. The cost of reading it makes a short path pointless.
const OTHER_CLOCK: u8 = 64;
/// Counters are read, or conditions of metrics evaluated, at every event.
const EVERY_EVENT: u8 = 128;

/// The flags of a recorder whose thread is outside of it.
#[inline(always)]
pub(crate) fn flags_of(state: &ThreadState) -> u8 {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    flag(state.is_paused, PAUSED)
        | flag(state.is_profile, PROFILE)
        | flag(state.counted > 0, COUNTED)
        | flag(state.stack.is_beyond(), BEYOND)
        | flag(!state.clock.is_counter(), OTHER_CLOCK)
        | flag(state.looks_at_every_event, EVERY_EVENT)
}
