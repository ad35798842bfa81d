//! Counters of one operation of a thread at one place, in one line of the processor's cache.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::collective::Collective;

/// Rows of single places. Later ones share a row with all of their operation.
pub const SITE_ROWS: usize = 64;
/// Rows of operations, for places that have none of their own: more than there are operations.
pub const OPERATION_ROWS: usize = 64;
/// All rows.
pub const ROWS: usize = SITE_ROWS + OPERATION_ROWS;
/// In place of a site in a row that several places share.
pub const SHARED: u32 = u32::MAX;

/// Bits of [`Row::place`] for the place and the operation.
const PLACE_AND_OPERATION: u64 = (1 << 40) - 1;

/// Whose memory the data of a transfer lies in, beside the thread's own private data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Partner {
    /// The thread's own.
    Own = 0,
    /// Of another thread that shares memory with it.
    Near = 1,
    /// Of a thread on another node.
    Far = 2,
    /// That of several threads, or not known.
    Unknown = 3,
}

/// Number of [`Partner`]s.
pub const PARTNERS: usize = 4;

/// Counters of an operation. The thread itself stores, any process may read.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Row {
    /// Ticks in the operation so far, where the thread is not in it. While it is: those up to its
    /// beginning less the time of the beginning, which is negative; with the time of a later moment
    /// added, it is the ticks up to that moment. Only the outermost of nested operations is timed.
    pub time: AtomicI64,
    /// Ticks: when the thread entered the operation last. Stored before `time`.
    pub since: AtomicU64,
    /// Calls, stored at their beginning.
    pub calls: AtomicU64,
    /// Bytes moved, by [`Partner`].
    pub bytes: [AtomicU64; PARTNERS],
    /// Place in the low half (its number among the thread's, or [`SHARED`]), operation in the byte
    /// above, then what is known of a [`Collective`]. A row that is not in use has zero in the
    /// upper half.
    pub place: AtomicU64,
}

const _: () = assert!(size_of::<Row>() == 64);

impl Row {
    /// Describes the row: `operation` is the number of the operation.
    pub fn begin(&self, site: u32, operation: u8) {
        let place = u64::from(operation) << 32 | u64::from(site);
        self.place.store(place, Ordering::Release);
    }

    /// The thread enters the operation at `time` (ticks), and is in no other one.
    #[inline(always)]
    pub fn enter(&self, time: u64) {
        self.since.store(time, Ordering::Relaxed);
        begin_stretch(&self.time, time);
    }

    /// The thread leaves the operation at `time` (ticks), after [`Row::enter`].
    #[inline(always)]
    pub fn leave(&self, time: u64) {
        end_stretch(&self.time, time);
    }

    /// As [`Row::leave`], at a time that is not before that of [`Row::enter`].
    #[inline(always)]
    pub fn leave_in_order(&self, time: u64) {
        let before = self.time.load(Ordering::Relaxed);
        let ended = before.wrapping_add(time as i64);
        self.time.store(ended, Ordering::Release);
    }

    /// Notes root and modes of the operation that the thread leaves.
    pub fn note_collective(&self, collective: Collective) {
        let place = self.place.load(Ordering::Relaxed) & PLACE_AND_OPERATION;
        self.place
            .store(place | collective.bits(), Ordering::Release);
    }

    /// Counts a call.
    #[inline(always)]
    pub fn count(&self) {
        add(&self.calls, 1);
    }

    /// Counts bytes of a call.
    #[inline(always)]
    pub fn count_bytes(&self, partner: Partner, bytes: u64) {
        add(&self.bytes[partner as usize], bytes);
    }
}

/// Begins a stretch of time at `time` (ticks), in a word as [`Row::time`].
#[inline(always)]
pub fn begin_stretch(word: &AtomicI64, time: u64) {
    let before = word.load(Ordering::Relaxed);
    word.store(before.wrapping_sub(time as i64), Ordering::Release);
}

/// Ends the stretch that [`begin_stretch`] began.
#[inline(always)]
pub fn end_stretch(word: &AtomicI64, time: u64) {
    let before = word.load(Ordering::Relaxed);
    let ended = before.wrapping_add(time as i64);
    // A clock that ran backwards must not make it look as if it were open.
    word.store(ended.max(0), Ordering::Release);
}

/// Adds to a word that nobody else writes.
#[inline(always)]
pub fn add(word: &AtomicU64, number: u64) {
    let sum = word.load(Ordering::Relaxed).wrapping_add(number);
    word.store(sum, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_at_any_time_how_long_it_was() {
        let row = Row::default();
        let at = |now: u64| match row.time.load(Ordering::Relaxed) {
            open if open < 0 => open + now as i64,
            closed => closed,
        };
        row.enter(1000);
        assert_eq!(at(1000), 0);
        assert_eq!(at(1500), 500);
        row.leave(1600);
        assert_eq!(at(9999), 600);
        row.enter(10_000);
        assert_eq!(at(10_400), 1000);
        row.leave(10_500);
        assert_eq!(at(20_000), 1100);
    }

    #[test]
    fn a_clock_that_runs_backwards_leaves_no_row_open() {
        let row = Row::default();
        row.enter(1000);
        row.leave(900);
        assert_eq!(row.time.load(Ordering::Relaxed), 0);
    }
}
