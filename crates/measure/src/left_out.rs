//! Numbers of calls that only matter for what recording costs: those that are not recorded although
//! they were reported, since a filter excludes them or the program has switched recording off, and
//! throttled ones that take the longer way.

use crate::attributes::FIRST_WITH_ATTRIBUTES;

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

    /// As properties of the stream.
    pub(crate) fn properties(&self) -> [(&'static str, u64); 6] {
        let LeftOut {
            filtered,
            paused,
            changing,
        } = self;
        [
            ("filtered_functions", filtered[0]),
            ("filtered_operations", filtered[1]),
            ("changing_functions", changing[0]),
            ("changing_operations", changing[1]),
            ("paused_functions", paused[0]),
            ("paused_operations", paused[1]),
        ]
    }
}
