//! Cost of whole calls on this machine, on the full path that calls of the program take: through
//! the runtime's instrumented entries and the decoder into the recorder and back, less the cost of
//! the same calls in a program without instrumentation. The runtime performs them before the
//! program begins, from several places, and nothing remains of them. `cost` has the recorder's
//! part.

use std::ffi::{c_int, c_long, c_ulong, c_void};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use pgas_filter::Filter;

use crate::dictionary::Dictionary;
use crate::recorder::{Recorder, flags_of};
use crate::thread_state::ThreadState;

/// Calls in a round beside that of the function in which they are, which fit into the smallest
/// buffer; rounds to get used to them, and rounds of which the median counts.
const CALLS: usize = 48;
/// Counted accesses in a round: one takes much less than a reading of the clock.
const COUNTED: usize = 4096;
const FIRST_ROUNDS: usize = 2;
const ROUNDS: usize = 9;

/// See `pgas_rehearsal` in `include/pgas_measure.h`.
#[repr(C)]
#[derive(Debug)]
pub struct Rehearsal {
    context: *mut c_void,
    perform: unsafe extern "C" fn(*mut c_void, *const Recorder, c_int, c_long),
    own_accesses: *const c_ulong,
    elsewhere: *const c_ulong,
}

/// Kinds of operations, as in the header: each follows its plain form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Function = 1,
    Access = 3,
    OwnAccess = 5,
    RepeatedFunction = 6,
    RepeatedAccess = 7,
    CountedAccess = 8,
}

/// Of single calls, in picoseconds; `None` where there are no such calls in this run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CallCosts {
    /// Of functions and operations each.
    recorded: [u64; 2],
    throttled: Option<[u64; 2]>,
    /// Of throttled ones that are not those which their caller called last.
    changing: Option<[u64; 2]>,
    filtered: Option<[u64; 2]>,
    paused: [u64; 2],
    own_access: u64,
    /// An access in a program without instrumentation.
    plain_access: u64,
    /// What counting an access adds to that.
    counted_access: u64,
}

impl CallCosts {
    /// As a stream says them.
    pub(crate) fn properties(&self) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        let mut add = |keys: [&'static str; 2], costs: Option<[u64; 2]>| {
            if let Some(costs) = costs {
                all.extend(keys.into_iter().zip(costs.map(|cost| cost.to_string())));
            }
        };
        add(["function_cost", "operation_cost"], Some(self.recorded));
        add(
            ["throttled_function_cost", "throttled_operation_cost"],
            self.throttled,
        );
        add(
            ["changing_function_cost", "changing_operation_cost"],
            self.changing,
        );
        add(
            ["filtered_function_cost", "filtered_operation_cost"],
            self.filtered,
        );
        add(
            ["paused_function_cost", "paused_operation_cost"],
            Some(self.paused),
        );
        add(
            ["own_access_cost", "plain_access_cost"],
            Some([self.own_access, self.plain_access]),
        );
        all.push(("counted_access_cost", self.counted_access.to_string()));
        all
    }
}

impl Recorder {
    /// Measures, and then is as if nothing had happened. The recorder was just made by this thread,
    /// and nobody else knows it.
    pub(crate) fn rehearse(&self, rehearsal: &Rehearsal) -> CallCosts {
        let state = || {
            // SAFETY: as in `measure_cost`.
            unsafe { &mut *self.state.get() }
        };
        state().own_accesses = NonNull::new(rehearsal.own_accesses.cast_mut().cast::<AtomicU64>());
        state().elsewhere = NonNull::new(rehearsal.elsewhere.cast_mut().cast::<AtomicU64>());
        let throttle = state().throttle.take();
        let before = state().clock.pair();
        // Ticks of a round.
        let plain = [Kind::Function, Kind::Access, Kind::OwnAccess]
            .map(|kind| self.round(rehearsal, kind as c_int - 1));
        let more = |kinds: [u64; 2]| [0, 1].map(|kind| kinds[kind].saturating_sub(plain[kind]));
        let both = || {
            more([Kind::Function, Kind::Access].map(|kind| self.round(rehearsal, kind as c_int)))
        };
        let repeated = || {
            let kinds = [Kind::RepeatedFunction, Kind::RepeatedAccess];
            more(kinds.map(|kind| self.round(rehearsal, kind as c_int)))
        };

        let recorded = both();
        let own = self
            .round(rehearsal, Kind::OwnAccess as c_int)
            .saturating_sub(plain[2]);
        let counted = [Kind::Access as c_int - 1, Kind::CountedAccess as c_int]
            .map(|what| self.round_of(rehearsal, what, COUNTED));
        let throttled = (throttle.is_some() && !state().is_profile).then(|| {
            self.throttle_all(state());
            // From now on their places in the call tree are known.
            both();
            self.throttle_all(state());
            (repeated(), both())
        });
        self.reset(state());
        state().is_paused = true;
        self.set_flags(flags_of(state()));
        let paused = both();
        state().is_paused = false;
        self.set_flags(flags_of(state()));
        let everything = "SCOREP_REGION_NAMES_BEGIN EXCLUDE * SCOREP_REGION_NAMES_END";
        let everything = state()
            .filter
            .is_some()
            .then(|| Filter::parse(everything, "all").ok())
            .flatten();
        let filtered = everything.map(|everything| {
            state().dictionary = Dictionary::new(0, Some(Arc::new(everything.into())));
            both()
        });

        let after = state().clock.pair();
        let ticks = after.ticks.saturating_sub(before.ticks).max(1);
        let nanoseconds = after.nanoseconds.saturating_sub(before.nanoseconds);
        let picoseconds = |count: u64| {
            let scaled = u128::from(count) * u128::from(nanoseconds) * 1000;
            u64::try_from(scaled / u128::from(ticks) / (CALLS + 1) as u128).unwrap_or(u64::MAX)
        };
        state().throttle = throttle;
        self.reset(state());
        state().left_out = Default::default();
        state().skipped = Default::default();
        CallCosts {
            recorded: recorded.map(picoseconds),
            throttled: throttled.map(|(repeated, _)| repeated.map(picoseconds)),
            changing: throttled.map(|(_, changing)| changing.map(picoseconds)),
            filtered: filtered.map(|costs| costs.map(picoseconds)),
            paused: paused.map(picoseconds),
            own_access: picoseconds(own),
            plain_access: picoseconds(plain[1]),
            counted_access: picoseconds(counted[1].saturating_sub(counted[0])) * (CALLS as u64 + 1)
                / COUNTED as u64,
        }
    }

    /// Ticks that a round of these operations takes: the median, which an interruption does not
    /// move.
    fn round(&self, rehearsal: &Rehearsal, what: c_int) -> u64 {
        self.round_of(rehearsal, what, CALLS)
    }

    /// The same of a round of so many operations.
    fn round_of(&self, rehearsal: &Rehearsal, what: c_int, calls: usize) -> u64 {
        // SAFETY: as in `measure_cost`.
        let state = || unsafe { &mut *self.state.get() };
        let clock = state().clock;
        let mut rounds = [0; FIRST_ROUNDS + ROUNDS];
        for round in &mut rounds {
            let begin = clock.now();
            // SAFETY: as the header says; this is the recorder's thread, and no reference to what
            // it touches is alive.
            unsafe {
                (rehearsal.perform)(
                    rehearsal.context,
                    std::ptr::from_ref(self),
                    what,
                    calls as c_long,
                );
            }
            *round = clock.now().saturating_sub(begin);
            self.rewind(state());
        }
        let counted = &mut rounds[FIRST_ROUNDS..];
        counted.sort_unstable();
        counted[ROUNDS / 2]
    }

    /// All places that are known are throttled from now on, and no call of theirs is timed.
    fn throttle_all(&self, state: &mut ThreadState) {
        for site in 0..state.dictionary.defined() {
            if state.dictionary.watch(site).is_throttled() {
                state.dictionary.watch(site).until_timed = u32::MAX;
            } else {
                state.dictionary.throttle(site, u32::MAX);
            }
        }
    }

    fn reset(&self, state: &mut ThreadState) {
        state.forget_everything();
        self.rewind(state);
    }
}
