//! `upc_forall`. The general form is a `for` loop that tests the affinity of each iteration; inside of an active
//! one, also through a call, every iteration is executed.

use super::rope::Rope;
use crate::sema::types::*;
use crate::syntax::token::*;
use crate::unit::*;

/// Who executes an iteration.
#[derive(Clone, Copy, Debug)]
pub enum Affinity {
    /// Every thread.
    All,
    /// The thread of this number, modulo THREADS.
    Integer(ExprId),
    /// The thread that the pointer-to-shared points to.
    Address(ExprId),
}

/// A `upc_forall` statement.
#[derive(Clone, Debug)]
pub struct Forall {
    /// The keyword.
    pub keyword: TokIdx,
    /// Tokens of the first part of the head.
    pub init: (TokIdx, TokIdx),
    /// The condition.
    pub condition: Option<ExprId>,
    /// The third part of the head.
    pub step: Option<ExprId>,
    /// The semicolon before the affinity.
    pub last_semi: TokIdx,
    /// The affinity.
    pub affinity: Affinity,
    /// The closing parenthesis of the head.
    pub close: TokIdx,
    /// The last token of the body.
    pub end: TokIdx,
    /// Its full expressions, as indices in the unit's list.
    pub body_roots: (usize, usize),
    /// It contains another one.
    pub nested: bool,
    /// Something in it may leave it other than by its end.
    pub escapes: bool,
}

/// Restores the depth when a `upc_forall` is left, by whatever way.
const HELPER: &str = "static inline __attribute__((unused)) void upcr_forall_leave(int *depth) \
                      { upcr_forall_depth = *depth; } ";

impl Unit<'_> {
    /// Lowers the `upc_forall` statements of a function.
    pub(crate) fn lower_foralls(&mut self) {
        for f in std::mem::take(&mut self.foralls) {
            self.lower_forall(&f);
        }
    }

    fn lower_forall(&mut self, f: &Forall) {
        self.edits.replace(f.keyword, f.keyword + 1, Rope::from_text("for"));
        self.edits.replace(f.last_semi, f.close, Rope::default());
        let test = match f.affinity {
            Affinity::All => return,
            Affinity::Integer(e) => {
                let mut rope = Rope::from_text("upcr_divide_by_threads((long)(");
                rope.copy(self.expr(e).lo, self.expr(e).hi);
                rope.text(")).remainder == upcr_mythread");
                rope
            }
            Affinity::Address(e) => {
                let mut rope = Rope::from_text("upcr_thread_of((");
                rope.copy(self.expr(e).lo, self.expr(e).hi);
                rope.text(").addr) == upcr_mythread");
                rope
            }
        };
        if !self.forall_helper {
            self.forall_helper = true;
            self.hoisted.text(HELPER);
        }
        let n = self.unique();
        let text = format!(
            "{{ int upcr_f{n} __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_depth; \
             upcr_forall_depth = upcr_f{n} + 1; "
        );
        self.edits.before(f.keyword, Rope::from_text(&text));
        let mut rope = Rope::from_text(&format!(" if (upcr_f{n} || "));
        rope.append(test);
        rope.text(") ");
        self.edits.after(f.close, rope);
        self.edits.after_first(f.end, Rope::from_text(" }"));
    }
}
