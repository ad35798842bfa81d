//! Loops of which every part of the body is executed exactly once in each iteration, so that it is
//! enough to know how many iterations there were.

use super::lowering::Lowering;
use crate::sema::ast::{Expr, ExprKind};
use crate::sema::types::*;
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// Whether a body is such a one, and calls nothing that may be reported or may not come back.
    pub(super) fn is_straight(&self, body: (TokIdx, TokIdx), exprs: (ExprId, ExprId)) -> bool {
        let may_skip = |t: TokIdx| match self.unit.token(t).kind {
            // A statement as an expression may hold anything.
            Tok::Punct(P::LParen) => self.unit.token(t + 1).kind == Tok::Punct(P::LBrace),
            Tok::Kw(
                K::If
                | K::Else
                | K::For
                | K::Forall
                | K::While
                | K::Do
                | K::Switch
                | K::Case
                | K::Default
                | K::Break
                | K::Continue
                | K::Return
                | K::Goto
                | K::Asm
                | K::Generic
                | K::ChooseExpr,
            ) => true,
            _ => false,
        };
        let returns = |e: &ExprKind| match e {
            ExprKind::Call(f, _) => !self.may_report(*f, u32::MAX) && !self.leaves(*f),
            _ => true,
        };
        let exprs = self.unit.exprs.range(exprs);
        !(body.0..body.1).any(may_skip)
            && exprs.iter().all(|e| returns(&e.kind))
            && !exprs.iter().any(|e| self.may_access(e, exprs))
    }

    /// Whether `e`, one of these expressions, accesses shared data in a part that is not always
    /// evaluated.
    fn may_access(&self, e: &Expr, exprs: &[Expr]) -> bool {
        let is_choice = matches!(
            e.kind,
            ExprKind::Cond(..) | ExprKind::Binary(P::AndAnd | P::OrOr, ..)
        );
        let is_shared = |x: &Expr| self.unit.types.shared(x.ty).is_some();
        let mut parts = exprs.iter().filter(|x| e.lo <= x.lo && x.hi <= e.hi);
        is_choice && parts.any(is_shared)
    }
}
