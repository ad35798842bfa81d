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
    /// Declarations of the first part that must stand before the loop.
    pub outside: Option<Rope>,
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
    /// Its expressions.
    pub body_exprs: (ExprId, ExprId),
    /// It contains another one.
    pub nested: bool,
    /// Something in it may leave it other than by its end.
    pub escapes: bool,
}

/// Restores the depth when a `upc_forall` is left, by whatever way.
const HELPER: &str =
    "static __inline__ __attribute__((unused)) void upcr_forall_leave(int *depth) \
                      { upcr_forall_depth = *depth; } ";

impl Unit<'_> {
    /// Lowers the `upc_forall` statements of a function.
    pub(crate) fn lower_foralls(&mut self) {
        for f in std::mem::take(&mut self.foralls) {
            self.lower_forall(&f);
        }
    }

    fn lower_forall(&mut self, f: &Forall) {
        if !matches!(f.affinity, Affinity::All) && !self.forall_helper {
            self.forall_helper = true;
            self.hoisted.quiet(Rope::from_text(HELPER));
        }
        if self.lower_own_loop(f).is_some() {
            return;
        }
        self.edits
            .replace(f.keyword, f.keyword + 1, Rope::from_text("for"));
        self.edits.replace(f.last_semi, f.close, Rope::default());
        if let Some(declarations) = &f.outside {
            let mut before = Rope::from_text("{ ");
            before.append(declarations.clone());
            self.edits.before(f.keyword, before);
            self.edits.after_first(f.end, Rope::from_text(" }"));
        }
        if matches!(f.affinity, Affinity::All) {
            return;
        }
        let n = self.unique();
        let text = format!(
            "{{ int upcr_f{n} __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_depth; \
             upcr_forall_depth = upcr_f{n} + 1; "
        );
        self.edits.before(f.keyword, Rope::from_text(&text));
        let mut rope = Rope::from_text(&format!(" if (upcr_f{n} || "));
        rope.append(affinity_test(self, f));
        rope.text(") ");
        self.edits.after(f.close, rope);
        self.edits.after_first(f.end, Rope::from_text(" }"));
    }
}

/// Whether an iteration is the thread's own, as a C expression.
pub(crate) fn affinity_test(unit: &Unit<'_>, f: &Forall) -> Rope {
    let (e, before, after) = match f.affinity {
        Affinity::All => return Rope::from_text("1"),
        Affinity::Integer(e) => (
            e,
            "upcr_divide_by_threads((long)(",
            ")).remainder == upcr_mythread",
        ),
        Affinity::Address(e) => (e, "upcr_thread_of((", ").addr) == upcr_mythread"),
    };
    let mut rope = Rope::from_text(before);
    rope.copy(unit.expr(e).lo, unit.expr(e).hi);
    rope.text(after);
    rope
}
