//! Cost of recording on this machine, measured when a recorder begins: a few hundred events of a
//! place that does not exist, of which nothing remains. An analysis derives from it how much of a
//! run's time was measurement.

use std::hint::black_box;

use crate::cores;
use crate::dictionary::Place;
use crate::interface::{pgas_enter, pgas_exit};
use crate::node_id::ROOT;
use crate::recorder::Recorder;
use crate::run_queue::{self, RunQueue};
use crate::signals::without_signals;
use crate::thread_state::ThreadState;

/// Rounds of which the quickest counts, and calls in each. Together they take some 50 microseconds.
const ROUNDS: usize = 8;
const CALLS: usize = 32;

/// Times in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Recording one event in the program's thread, or summing half a call.
    pub(crate) event: u64,
    /// Reading the clock once.
    pub(crate) clock: u64,
    /// A call of a throttled site that is not timed, from Enter to Exit; 0 if nothing is
    /// throttled.
    pub(crate) throttled: u64,
}

impl Recorder {
    /// Measures, and then is as if nothing had happened.
    pub(crate) fn measure_cost(&self) -> Cost {
        let state = || {
            // SAFETY: the recorder was just made by this thread, and nobody else knows it. Each
            // reference is gone before the next one is made, or a function of the
            // interface is called.
            unsafe { &mut *self.state.get() }
        };
        let clock = state().clock;
        // Even if two calls are enough to be throttled, these are not.
        let throttle = state().throttle.take();
        let before = clock.pair();
        let reading = quickest(|| {
            let begin = clock.now();
            for _ in 0..CALLS {
                black_box(clock.now());
            }
            clock.now().saturating_sub(begin)
        });
        let event = quickest(|| {
            let begin = clock.now();
            for _ in 0..CALLS {
                // SAFETY: this is the recorder's thread; null strings are allowed.
                unsafe { self.call_nothing() };
            }
            let took = clock.now().saturating_sub(begin);
            self.rewind(state());
            took
        });
        let (empty_call, counted) = match throttle {
            Some(_) => self.call_throttled(state),
            None => (0, 0),
        };
        let after = clock.pair();
        let (ticks, nanoseconds) = (
            after.ticks.saturating_sub(before.ticks).max(1),
            after.nanoseconds.saturating_sub(before.nanoseconds),
        );
        let picoseconds = |count: u64, of: usize| {
            let scaled = u128::from(count) * u128::from(nanoseconds) * 1000;
            u64::try_from(scaled / u128::from(ticks) / of as u128).unwrap_or(u64::MAX)
        };
        let cost = Cost {
            event: picoseconds(event, 2 * CALLS),
            clock: picoseconds(reading, CALLS + 1),
            throttled: picoseconds(counted, CALLS),
        };
        let state = state();
        state.empty_call = empty_call;
        state.throttle = throttle;
        state.long_gap = cores::long_gap(ticks, nanoseconds);
        state.forget_everything();
        cost
    }

    /// Begins to record. Nothing was recorded yet, or [`Recorder::measure_cost`] has undone it.
    pub(crate) fn start(&self) {
        // SAFETY: as in `measure_cost`.
        let state = unsafe { &mut *self.state.get() };
        without_signals(|| {
            state.core_use_before = run_queue::so_far(self.owner);
            state.run_queue = match self.wants_no_core {
                true => RunQueue::of_this_thread(),
                false => None,
            };
        });
        if state.run_queue.is_none() {
            state.long_gap = u64::MAX;
        }
        state.start = state.clock.pair();
        state.summed_until = state.start;
        state.page.sums.last_time = state.start.ticks;
        self.rewind(state);
        state.skip_counters();
    }

    /// # Safety
    /// This is the recorder's thread.
    unsafe fn call_nothing(&self) {
        let recorder = black_box(std::ptr::from_ref(self));
        // SAFETY: promised by the caller; null strings are allowed, and 0 is a function.
        unsafe {
            pgas_enter(recorder, 0, std::ptr::null(), 1, std::ptr::null());
            pgas_exit(recorder, 0, std::ptr::null());
        }
    }

    /// Calls of a throttled site that does nothing: the ticks that one seems to take when it is
    /// timed, and those that [`CALLS`] of them take when they are not.
    fn call_throttled<'a>(&self, state: impl Fn() -> &'a mut ThreadState) -> (u64, u64) {
        if state().is_profile {
            return (0, 0);
        }
        let place = Place::new(0, std::ptr::null(), 1, std::ptr::null());
        // SAFETY: null strings are allowed.
        let Some(site) = (unsafe { state().site_of(place) }) else {
            return (0, 0);
        };
        state().dictionary.throttle(site, 1);
        state().empty_call = 0;
        let node = state().tree.child(ROOT, site, 0);
        let timed = quickest(|| {
            state().dictionary.watch(site).until_timed = 1;
            let before = state().tree.ticks(node);
            // SAFETY: this is the recorder's thread.
            unsafe { self.call_nothing() };
            state().tree.ticks(node).saturating_sub(before)
        });
        let clock = state().clock;
        let counted = quickest(|| {
            state().dictionary.watch(site).until_timed = u32::MAX;
            let begin = clock.now();
            for _ in 0..CALLS {
                // SAFETY: this is the recorder's thread.
                unsafe { self.call_nothing() };
            }
            clock.now().saturating_sub(begin)
        });
        (timed, counted)
    }

    /// Begins the first block again.
    pub(crate) fn rewind(&self, state: &mut ThreadState) {
        state.page.events = 0;
        state.block = 0;
        state.blocks_before = 0;
        let now = state.clock.now();
        self.begin_block(state, 0, now);
    }
}

fn quickest(round: impl FnMut() -> u64) -> u64 {
    std::iter::repeat_with(round)
        .take(ROUNDS)
        .min()
        .unwrap_or(0)
}
