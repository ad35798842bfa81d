//! Calls of functions and regions that may be iterations: each thread counts its calls, and notes
//! at marks how much time it spent in each class of operations since the one before.
//!
//! Memory: a thread follows at most `FOLLOWED` call paths. For each call path there are `SINGLE`
//! marks, and half as many for each doubling of the number of its calls.

mod counter;
pub(crate) mod signatures;

use pgas_earl::PathId;
use serde::{Deserialize, Serialize};

use crate::model::time_class::Class;

pub use counter::{CallCounter, CountedCalls};

/// Calls that are marks one by one; of later ones every second is, from twice as many on every
/// fourth, and so on.
pub(crate) const SINGLE: u64 = 256;
/// Call paths that a thread follows at a time.
const FOLLOWED: usize = 64;
/// Marks of one thread for which room is kept.
pub(crate) const FEW_MARKS: usize = 32;
/// Fewer calls are no loop.
pub(crate) const LEAST_CALLS: u64 = 4;

/// A thread's report on the calls of a path (the thread's own number of it).
#[derive(Debug, Serialize, Deserialize)]
pub struct Mark {
    pub(crate) path: PathId,
    /// Ticks.
    pub(crate) time: u64,
    pub(crate) kind: MarkKind,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum MarkKind {
    /// The first call begins.
    Begun,
    /// `calls` calls have ended. Ticks of each class since the mark before, and in all.
    Passed {
        calls: u64,
        ticks: u64,
        classes: [u64; Class::ALL.len()],
    },
    /// The path is not followed any more.
    Dropped,
}

/// Calls from one mark to the next after `calls` calls: a power of two.
fn width(calls: u64) -> u64 {
    match calls < SINGLE {
        true => 1,
        false => 2 << (calls.ilog2() - SINGLE.ilog2()),
    }
}

/// The mark after the one at `calls` calls.
pub(crate) fn next_mark(calls: u64) -> u64 {
    calls.saturating_add(width(calls))
}

/// The last mark at which no more calls are over.
pub(crate) fn mark_before(calls: u64) -> u64 {
    calls - calls % width(calls)
}

/// The number of a mark, from 0 for the first call.
pub(crate) fn place(mark: u64) -> usize {
    if mark <= SINGLE {
        return mark.saturating_sub(1) as usize;
    }
    let before = mark - 1;
    let doublings = u64::from(before.ilog2() - SINGLE.ilog2());
    let begin = SINGLE << doublings;
    let marks = SINGLE + doublings * (SINGLE / 2) + (mark - begin).div_ceil(2 << doublings);
    (marks - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_rare_as_calls_become_many() {
        let (mut mark, mut marks) = (0, 0);
        while mark < 1 << 20 {
            let next = next_mark(mark);
            assert_eq!(place(next), marks, "{next}");
            assert_eq!(next % (next - mark), 0);
            assert_eq!(mark_before(next - 1), mark);
            (mark, marks) = (next, marks + 1);
        }
        assert_eq!(mark, 1 << 20);
        assert_eq!(marks as u64, SINGLE + 12 * SINGLE / 2);
    }
}
