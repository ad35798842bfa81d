//! How a thread gets at its own metrics outside of events.

use std::cell::Cell;
use std::sync::atomic::Ordering;

use pgas_live::Page;

use crate::kept_metrics::Metrics;
use crate::recorder::{BUSY, OFF, Recorder, flags_of};
use crate::registry;
use crate::thread_state::ThreadState;

thread_local! {
    /// The recorder of this thread, and how many there were when none was found.
    static OWN: Cell<(Option<&'static Recorder>, usize)> = const { Cell::new((None, 0)) };
}

/// The recorder of the calling thread; `None` if it is not recorded.
fn own() -> Option<&'static Recorder> {
    let (known, of) = OWN.get();
    if known.is_some() {
        return known;
    }
    let all = registry::recorders().count();
    if all == of {
        return None;
    }
    let own = registry::recorders().find(|recorder| recorder.is_mine());
    OWN.set((own, all));
    own
}

/// Lets `change` at the calling thread's state; `None` if the thread has no live page.
pub(super) fn visit<T>(change: impl FnOnce(&mut ThreadState) -> T) -> Option<T> {
    own()?.visit(change)
}

impl Recorder {
    fn visit<T>(&self, change: impl FnOnce(&mut ThreadState) -> T) -> Option<T> {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & BUSY != 0 {
            // A handler of signals has interrupted the recorder.
            self.ignored.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        if flags & OFF != 0 || self.is_a_copy() {
            return None;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
        let state = unsafe { &mut *self.state.get() };
        let done = state.live.is_some().then(|| change(state));
        self.set_flags(flags_of(state));
        done
    }
}

impl ThreadState {
    /// The thread's metrics and its page; `None` if there is no page.
    pub(super) fn metrics(&mut self) -> Option<(&mut Metrics, &Page)> {
        let live = self.live.as_mut()?;
        Some((&mut live.metrics, self.stack.page()))
    }
}
