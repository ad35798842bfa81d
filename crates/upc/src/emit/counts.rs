//! Counted accesses and calls, while a declaration is lowered.

use super::place::Access;
use super::rope::Rope;
use crate::sema::types::ExprId;
use crate::syntax::token::*;

/// A place in the source where accesses are counted.
pub(super) struct Site {
    pub(super) token: TokIdx,
    pub(super) is_put: bool,
    /// The function, where its calls are counted: its name and the token of it.
    pub(super) called: Option<(String, TokIdx)>,
    /// Size of an access, as C, where the thread's own data is accessed without its address and
    /// each access is counted.
    pub(super) own: Option<Rope>,
    /// Which of the table's numbers counts it.
    pub(super) counter: usize,
}

/// Counted accesses and calls of the current external declaration.
#[derive(Default)]
pub(super) struct Counts {
    /// Accesses are being written with their counts.
    pub(super) is_counting: bool,
    /// One that would be counted was written without.
    pub(super) sees_access: bool,
    /// The lvalue that is being written, and how it is accessed.
    pub(super) access: Option<(ExprId, Access)>,
    pub(super) groups: Groups,
    /// The function, if it is small, and the number that counts its calls, if it does so itself.
    pub(super) small: Option<u32>,
    pub(super) entry_counter: Option<usize>,
    pub(super) sites: Vec<Site>,
    /// Tokens of the loops over own elements in which all is counted at their end.
    pub(super) counted_at_end: Vec<(TokIdx, TokIdx)>,
    /// Numbers that count accesses.
    pub(super) counters: usize,
    /// Number of the table in generated names.
    pub(super) table: Option<u32>,
}

/// The expression that decides on the thread that an access is to, in a text that is equal for the
/// same thread, and the variables in it.
#[derive(Clone, PartialEq)]
pub(super) struct ThreadKey {
    pub(super) text: String,
    pub(super) variables: Vec<u32>,
}

/// The groups that an access may belong to.
#[derive(Default)]
pub(super) struct Groups {
    /// The straight line that they are of.
    pub(super) straight: u32,
    /// Small function that it is the beginning of: calls are made as often as those of the function.
    pub(super) begins: Option<u32>,
    /// The number that counts calls in it.
    pub(super) of_calls: Option<usize>,
    pub(super) known: Vec<(ThreadKey, usize)>,
    /// Variables that the current full expression changes; `None` if parts of it may not be
    /// evaluated, so that nothing in it belongs to a group.
    pub(super) changed: Option<Vec<u32>>,
}

/// A function whose calls are no events.
#[derive(Debug, Clone, Copy)]
pub(super) struct Small {
    /// Whether it, or a function that it calls, has a loop.
    pub(super) has_loop: bool,
}
