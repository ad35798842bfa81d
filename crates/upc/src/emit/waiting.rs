//! Loops that do nothing but wait for another thread, `while (flag == 0) ;`: the runtime is told of every look, so that
//! it can let other threads run where there are fewer cores than threads.

use super::rope::Rope;
use crate::sema::ast::*;
use crate::sema::types::{ExprId, VOLATILE};
use crate::syntax::token::*;
use crate::unit::*;

impl Unit<'_> {
    /// Has the runtime count the looks of a loop if it only waits: its body, tokens `lo` to before `hi`, is empty, and
    /// the expressions of its head, numbers `first` to before `last`, look at shared or volatile data, and neither change
    /// anything nor call a function.
    pub(crate) fn note_look(
        &mut self,
        (lo, hi): (TokIdx, TokIdx),
        (first, last): (ExprId, ExprId),
    ) {
        let is_empty = (lo..hi).all(|t| {
            matches!(
                self.token(t).kind,
                Tok::Punct(P::LBrace | P::RBrace | P::Semi)
            )
        });
        if !is_empty || lo >= hi {
            return;
        }
        let changes = |e: ExprId| {
            matches!(
                self.expr(e).kind,
                ExprKind::Call(..)
                    | ExprKind::Assign(..)
                    | ExprKind::Postfix(..)
                    | ExprKind::Unary(P::Inc | P::Dec, _)
                    | ExprKind::Other(_)
            )
        };
        let looks =
            |e: ExprId| self.is_shared(e) || self.types.quals(self.expr(e).ty).bits & VOLATILE != 0;
        if (first..last).any(changes) || !(first..last).any(looks) {
            return;
        }
        match self.token(lo).kind {
            Tok::Punct(P::Semi) => self.edits.before(lo, Rope::from_text("upcr_look()")),
            _ => self.edits.after(lo, Rope::from_text(" upcr_look();")),
        }
    }
}
