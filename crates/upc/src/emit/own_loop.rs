//! Facts about a `upc_forall` whose own iterations are enumerated directly.

use super::rope::Rope;
use crate::sema::flow::Stride;
use crate::sema::loops::{CountedLoop, Offset, Step};
use crate::sema::types::*;
use crate::syntax::token::*;

/// Where an array begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// A shared object; the symbol.
    Object(u32),
    /// A pointer-to-shared in a private variable; the symbol.
    Variable(u32),
}

/// Arrays of the body whose elements are own ones.
pub(crate) struct OwnLoop {
    pub(super) number: u32,
    pub(super) counted: CountedLoop,
    pub(super) rows: u64,
    pub(super) offset: Offset,
    pub(super) bases: Vec<(Base, QualTy)>,
    /// Tokens of the indices of own elements.
    pub(super) indices: Vec<(TokIdx, TokIdx)>,
    /// The body has a loop that may wait for another thread: every access must be one.
    pub(super) waits: bool,
    /// Static number of threads.
    pub(super) threads: Option<u32>,
    /// The affinity is a quotient, which C rounds towards zero.
    pub(super) quotient: bool,
    /// Each own element is accessed exactly once in each iteration, and nothing that is reported
    /// happens meanwhile: those accesses are counted when the loop has ended.
    pub(super) is_straight: bool,
    /// The numbers that count them, each with the C for the bytes of an access.
    pub(super) counted_at_end: Vec<(usize, Rope)>,
    /// The body calls functions and accesses no own elements: one copy of it does for all cases,
    /// so that a function that is called nowhere else is still inlined.
    pub(super) has_one_body: bool,
}

impl OwnLoop {
    /// By how much the variable `s`, if it is the loop's, differs from one own iteration to the
    /// next.
    pub(crate) fn stride(&self, s: u32) -> Option<Option<Stride>> {
        (s == self.counted.variable).then_some(match (self.counted.step, self.rows) {
            (Step::By(by @ (1 | -1)), 1) => Some(self.threads.map_or(
                Stride {
                    number: 0,
                    threads: by,
                },
                |n| Stride {
                    number: by * i128::from(n),
                    threads: 0,
                },
            )),
            (Step::By(number), rows) if rows > 1 => Some(Stride { number, threads: 0 }),
            _ => None,
        })
    }
}
