//! Enter of open regions that are not in the trace yet.

use std::sync::atomic::Ordering;

use super::Recorder;
use crate::attributes::{FIRST_WITH_ATTRIBUTES, Packed};
use crate::stack::State;
use crate::thread_state::ThreadState;

impl Recorder {
    /// Enter of all open regions that are not in the trace, because something inside of them is
    /// about to be recorded, at `time`. Calls of throttled sites become events like all others.
    /// False if recording must end.
    #[inline(never)]
    pub(super) fn record_what_is_open(&self, state: &mut ThreadState, time: u64) -> bool {
        let recorded = state.stack.iter().rev();
        let missing = recorded.take_while(|open| !open.is_recorded()).count();
        for index in state.stack.depth() - missing..state.stack.depth() {
            if state.page.position >= self.gate.limit.load(Ordering::Relaxed)
                && !self.make_room(state)
            {
                return false;
            }
            let mut open = *state.stack.at(index);
            let (entered, attributes) = match open.state() {
                State::Counted | State::Sampled => {
                    state.counted -= 1;
                    // A site whose calls turn out to have something inside keeps true times.
                    state.dictionary.watch(open.site).until_timed = 1;
                    let entered = match open.state() {
                        State::Sampled => open.begin,
                        _ => time,
                    };
                    let attributes = match open.operation() < FIRST_WITH_ATTRIBUTES {
                        true => Packed::NONE,
                        // SAFETY: operations that have attributes were entered with them.
                        false => unsafe { state.stack.attributes(index) },
                    };
                    (entered, attributes)
                }
                State::Unrecorded => (time, Packed::NONE),
                State::Filtered => continue,
                // The trace has just reached its limit.
                State::Profiled | State::Recorded | State::Shown => return true,
            };
            state.append_enter(entered, open.operation(), open.site, attributes);
            open.set_state(State::Recorded);
            open.begin = state.page.last_time;
            *state.stack.at_mut(index) = open;
        }
        true
    }
}
