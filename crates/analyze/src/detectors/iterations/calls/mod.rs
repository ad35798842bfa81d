//! Iterations that are calls: the k-th call of a function, or of a region of the program's own, on each thread. They tell
//! iterations apart where no synchronisation of all threads does.
//!
//! An iteration goes from the end of one call to the end of the next; the first one begins with its call. While its
//! stream is read, each thread counts its calls and takes the time of each class at marks (`counter.rs`); of several
//! threads these are added up, together with the waiting that is found in between (`lane.rs`, `combined.rs`). Which call
//! paths all threads called equally often, and hence may be loops, shows at the end (`loops.rs`).
//!
//! Memory: a thread follows at most [`FOLLOWED`] call paths. For each call path there are [`SINGLE`] marks, and half as
//! many for each doubling of the number of its calls, whatever the number of threads.

mod combined;
mod counter;
mod lane;
mod loops;

use pgas_earl::PathId;
use serde::{Deserialize, Serialize};

use super::quantities::CLASSES;

pub(crate) use combined::Calls;
pub use counter::{CallCounter, CountedCalls};
pub(crate) use loops::CallLoop;
pub use loops::CallLoops;

/// Calls that are marks one by one; of later ones every second is, from twice as many on every fourth, and so on.
const SINGLE: u64 = 256;
/// Call paths that a thread follows at a time.
const FOLLOWED: usize = 64;
/// Marks of one thread for which room is kept.
const FEW_MARKS: usize = 32;
/// Fewer calls are no loop.
const LEAST_CALLS: u64 = 4;

/// What a thread tells about the calls of a path (the thread's own number of it).
#[derive(Debug, Serialize, Deserialize)]
pub struct Mark {
    path: PathId,
    /// Ticks.
    time: u64,
    kind: MarkKind,
}

#[derive(Debug, Serialize, Deserialize)]
enum MarkKind {
    /// The first call begins.
    Begun,
    /// So many calls are over. Ticks of each class since the mark before, and in all.
    Passed {
        calls: u64,
        ticks: u64,
        classes: [u64; CLASSES.len()],
    },
    /// The path is not followed any more.
    Dropped,
}

/// From one mark to the next when so many calls are over: a power of two.
fn width(calls: u64) -> u64 {
    match calls < SINGLE {
        true => 1,
        false => 2 << (calls.ilog2() - SINGLE.ilog2()),
    }
}

/// The mark after the one at which so many calls were over.
fn next_mark(calls: u64) -> u64 {
    calls.saturating_add(width(calls))
}

/// The last mark at which no more calls are over.
fn mark_before(calls: u64) -> u64 {
    calls - calls % width(calls)
}

/// The number of a mark, from 0 for the first call.
fn place(mark: u64) -> usize {
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
