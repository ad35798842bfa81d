//! How much of its time a thread has had a core, by what the kernel says: over all of its
//! recording, and in gaps between two events.
//!
//! A thread that loses its core records nothing meanwhile, for milliseconds at least: schedulers
//! give a core away for no less. So it is only after such a gap that the kernel is asked (in two
//! system calls, some microseconds) how long the thread has been on a run queue. The increase is
//! noted as a region `NoCore` at the end of the gap, within the innermost region.
//! A thread that slept, or waited for a disk, was on no run queue.

use pgas_trace_format::CoreUse;
use pgas_trace_format::model::Operation;

use crate::attributes::Packed;
use crate::dictionary::{Place, SITE_MASK};
use crate::recorder::Recorder;
use crate::run_queue::so_far;
use crate::stack::State;
use crate::thread_state::ThreadState;
use crate::throttle::may_be_throttled;

/// Nanoseconds between two events from which on the kernel is asked.
const LONG_GAP: u64 = 1_000_000;
/// Nanoseconds without a core that are too few to be noted: what it takes to begin running again
/// after any sleep.
const SHORT: u64 = 100_000;

/// The gap in ticks, for a clock that counts `ticks` in `nanoseconds`.
pub(crate) fn long_gap(ticks: u64, nanoseconds: u64) -> u64 {
    let gap = u128::from(LONG_GAP) * u128::from(ticks) / u128::from(nanoseconds.max(1));
    u64::try_from(gap).unwrap_or(u64::MAX).max(1)
}

impl ThreadState {
    /// Whether an event at `time` comes so long after the one before that the kernel is to be
    /// asked.
    #[inline(always)]
    pub(crate) fn is_long_after(&self, time: u64) -> bool {
        time.wrapping_sub(self.page.last_time) >= self.long_gap
    }

    /// Before an event `now`: notes time without a core, if there was some since the event before.
    /// Whether there was. There is room for two records.
    #[inline(always)]
    pub(crate) fn after_gap(&mut self, now: u64) -> bool {
        now.saturating_sub(self.page.last_time) >= self.long_gap && self.note_no_core(now)
    }

    #[cold]
    #[inline(never)]
    fn note_no_core(&mut self, now: u64) -> bool {
        if self.is_profile {
            // Events are not what shows the gaps there.
            self.after_gap_of_sums(now);
            return false;
        }
        let gap = now.saturating_sub(self.page.last_time);
        let Some(ticks) = self.ticks_without_core(gap) else {
            return false;
        };
        let operation = Operation::NoCore.number();
        let (false, Some(site)) = (self.is_paused, self.no_core_site()) else {
            return false;
        };
        // It will be seen in what is recorded around it. The times of calls that are not must not
        // have it too.
        for index in 0..self.stack.depth() {
            let open = self.stack.at_mut(index);
            if open.state() == State::Sampled {
                open.set_state(State::Counted);
            }
        }
        self.append_enter(now - ticks, operation, site, Packed::NONE);
        self.append_exit(now, site, operation, Packed::NONE);
        true
    }

    /// The same, while sums are all that is kept. In an operation in which threads wait for others
    /// nothing is noted: whether the thread had any use for a core there, sums cannot say.
    #[inline(always)]
    pub(crate) fn after_gap_of_sums(&mut self, now: u64) {
        if now.saturating_sub(self.page.sums.last_time) >= self.long_gap {
            self.sum_no_core(now);
        }
        self.page.sums.last_time = now;
    }

    #[cold]
    #[inline(never)]
    fn sum_no_core(&mut self, now: u64) {
        let gap = now.saturating_sub(self.page.sums.last_time);
        let waits = self.stack.top().is_some_and(|open| {
            Operation::from_number(open.operation()).is_some_and(|o| !may_be_throttled(o))
        });
        let Some(ticks) = self.ticks_without_core(gap) else {
            return;
        };
        if waits || self.is_paused {
            return;
        }
        if let Some(site) = self.no_core_site() {
            let node = self.node_for(site, Packed::NONE);
            self.tree.count_timed(node, 0, ticks);
        }
    }

    /// Drops the time without a core up to now: the recorder was at work, or switched off.
    pub(crate) fn skip_no_core(&mut self) {
        let _ = self.ticks_without_core(0);
        self.page.sums.last_time = self.page.sums.last_time.max(self.clock.now());
    }

    /// Ticks in which the thread had no core since this was asked last, `gap` at most; `None` if
    /// they are not worth noting or not known.
    fn ticks_without_core(&mut self, gap: u64) -> Option<u64> {
        match self.run_queue.as_mut()?.more() {
            Some(nanoseconds) if nanoseconds < SHORT => None,
            Some(nanoseconds) => Some(self.ticks(nanoseconds).min(gap)),
            None => {
                self.run_queue = None;
                self.long_gap = u64::MAX;
                None
            }
        }
    }

    fn no_core_site(&mut self) -> Option<u32> {
        let operation = Operation::NoCore.number();
        let place = Place::new(operation, std::ptr::null(), 0, std::ptr::null());
        // SAFETY: null strings are allowed.
        let site = unsafe { self.site_of(place) }?;
        Some(site & SITE_MASK)
    }
}

impl Recorder {
    /// Core use of the thread since it began to record; `None` if the kernel does not report it.
    pub(crate) fn core_use(&self, state: &ThreadState) -> Option<CoreUse> {
        Some(so_far(self.owner)?.since(state.core_use_before.as_ref()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_a_millisecond_on_any_clock() {
        assert_eq!(long_gap(25_000, 10_000), 2_500_000);
        assert_eq!(long_gap(10_000, 10_000), 1_000_000);
        assert_eq!(long_gap(0, 0), 1);
    }
}
