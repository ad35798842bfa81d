//! Numbers of calls that only matter for what recording costs: those that are not recorded although they were reported, since
//! a filter excludes them or the program has switched recording off, and throttled ones that take the longer way.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::thread_state::{ThreadState, FIRST_WITH_ATTRIBUTES};

/// By kind: functions and user regions, operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    filtered: [u64; 2],
    paused: [u64; 2],
    changing: [u64; 2],
}

fn kind(operation: u8) -> usize {
    usize::from(operation >= FIRST_WITH_ATTRIBUTES)
}

impl LeftOut {
    #[inline(always)]
    pub(crate) fn count_filtered(&mut self, operation: u8) {
        self.filtered[kind(operation)] += 1;
    }

    /// A throttled call of another place than the last one of its caller, or one that is timed.
    #[inline(always)]
    pub(crate) fn count_changing(&mut self, operation: u8) {
        self.changing[kind(operation)] += 1;
    }

    #[inline(always)]
    pub(crate) fn count_paused(&mut self, operation: u8) {
        self.paused[kind(operation)] += 1;
    }
}

impl ThreadState {
    /// Properties of the stream: how many calls were left out, how many accesses were never reported, and whether there were
    /// operations outside of the UPC thread. None is zero.
    pub(crate) fn what_was_left_out(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let load = |count: Option<NonNull<AtomicU64>>| {
            count.map_or(0, |count| {
                // SAFETY: the runtime's counters are there as long as the process. The program adds to them without locking,
                // and a number that is off by one is as good.
                unsafe { count.as_ref() }.load(Ordering::Relaxed)
            })
        };
        let own = load(self.own_accesses);
        let elsewhere = load(self.elsewhere);
        let LeftOut {
            filtered,
            paused,
            changing,
        } = self.left_out;
        [
            ("filtered_functions", filtered[0]),
            ("filtered_operations", filtered[1]),
            ("changing_functions", changing[0]),
            ("changing_operations", changing[1]),
            ("paused_functions", paused[0]),
            ("paused_operations", paused[1]),
            ("own_accesses", own),
            ("elsewhere", elsewhere),
        ]
        .into_iter()
        .filter(|(_, number)| *number > 0)
    }
}
