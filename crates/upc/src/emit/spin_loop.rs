//! Spin loops, `while (flag == 0) ;`: the runtime counts their iterations, so that it can let other
//! threads run where there are fewer cores than threads.

use super::lowering::Lowering;
use super::rope::{Part, Rope};
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;

/// A loop longer than this does more than wait.
pub(super) const MOST_TOKENS: u32 = 60;

/// The parts of a loop, each from the first token or expression to before the last.
pub(crate) struct SpinLoop {
    /// Tokens of the body.
    pub(crate) body: (TokIdx, TokIdx),
    /// Expressions of the head.
    pub(crate) head: (ExprId, ExprId),
    /// Those of the body, in a `while` or `do`.
    pub(crate) inside: Option<(ExprId, ExprId)>,
    /// All of its tokens.
    pub(crate) tokens: (TokIdx, TokIdx),
    /// Expressions of its head and body, but for those of the first part of a `for`.
    pub(crate) exprs: (ExprId, ExprId),
    pub(crate) is_do: bool,
}

impl Lowering<'_, '_> {
    /// Has the runtime count the iterations of a loop that only waits: its body is empty, and its
    /// head reads shared or volatile data, and neither changes anything nor calls a function.
    ///
    /// A short `while` loop that also takes the value, or breaks, such as `do { now = flag; } while
    /// (now != 1);`, may wait: the runtime treats it like one with strict reads.
    ///
    /// In an instrumented program, a loop that waits is a region besides.
    pub(crate) fn count_spins(&mut self, l: &SpinLoop) {
        let (lo, hi) = l.body;
        if lo >= hi {
            return;
        }
        let looks = self.look_of(l);
        let failed = match self.unit.options.instrument {
            true => self.report_wait(l),
            false => None,
        };
        // In front of the body, which may be a single statement: a sequence of expressions.
        let is_block = matches!(self.unit.token(lo).kind, Tok::Punct(P::LBrace));
        let is_empty = matches!(self.unit.token(lo).kind, Tok::Punct(P::Semi));
        let mut recorded = failed.unwrap_or_default();
        let mut text = Rope::default();
        if is_block && !recorded.is_empty() {
            text.text(" ");
            recorded.text(";");
        } else if !recorded.is_empty() && (looks.is_some() || !is_empty) {
            recorded.text(", ");
        }
        if !recorded.is_empty() {
            text.0.push(Part::Recorded(recorded));
        }
        if let Some(look) = looks {
            text.text(&match is_block {
                true => format!(" {look};"),
                false => look.to_owned(),
            });
        }
        match is_block {
            _ if text.is_empty() => {}
            true => self.emission.edits.after(lo, text),
            false => self.emission.edits.before(lo, text),
        }
    }

    /// Code at the beginning of the body of a loop that only waits, or may.
    fn look_of(&mut self, l: &SpinLoop) -> Option<&'static str> {
        let (lo, hi) = l.body;
        let is_empty = (lo..hi).all(|t| {
            matches!(
                self.unit.token(t).kind,
                Tok::Punct(P::LBrace | P::RBrace | P::Semi)
            )
        });
        if is_empty {
            let (first, last) = l.head;
            let assigns =
                (first..last).any(|e| matches!(self.unit.expr(e).kind, ExprKind::Assign(..)));
            let looks =
                !assigns && !self.has_side_effects(l.head) && self.reads_shared_or_volatile(l.head);
            return looks.then_some("upcr_look()");
        }
        let inside = l.inside?;
        let is_block = matches!(self.unit.token(lo).kind, Tok::Punct(P::LBrace));
        let may_wait = is_block
            && hi - lo <= MOST_TOKENS
            && !self.has_other_statements(l.body)
            && !self.has_side_effects(l.head)
            && !self.has_side_effects(inside)
            && (self.reads_shared_or_volatile(l.head) || self.reads_shared_or_volatile(inside))
            && !self.writes_shared(inside);
        may_wait.then_some("upcr_read_strictly()")
    }

    /// Whether some of these expressions counts, calls a function, or is not understood.
    fn has_side_effects(&self, (first, last): (ExprId, ExprId)) -> bool {
        (first..last).any(|e| match self.unit.expr(e).kind {
            ExprKind::Call(..) | ExprKind::Postfix(..) | ExprKind::Other(_) => true,
            ExprKind::Assign(operator, ..) => operator != P::Assign,
            ExprKind::Unary(operator, _) => matches!(operator, P::Inc | P::Dec),
            _ => false,
        })
    }

    fn reads_shared_or_volatile(&self, (first, last): (ExprId, ExprId)) -> bool {
        (first..last).any(|e| {
            self.unit.is_shared(e)
                || self.unit.types.quals(self.unit.expr(e).ty).bits & VOLATILE != 0
        })
    }

    fn writes_shared(&self, (first, last): (ExprId, ExprId)) -> bool {
        (first..last).any(|e| match self.unit.expr(e).kind {
            ExprKind::Assign(_, to, _) => self.unit.is_shared(to),
            _ => false,
        })
    }

    fn has_other_statements(&self, (lo, hi): (TokIdx, TokIdx)) -> bool {
        use K::{Asm, Barrier, Do, Fence, For, Forall, Goto, Notify, Switch, Wait, While};
        (lo..hi).any(|t| {
            matches!(
                self.unit.token(t).kind,
                Tok::Kw(For | While | Do | Forall | Switch | Goto | Asm)
                    | Tok::Kw(Barrier | Notify | Wait | Fence)
            )
        })
    }
}
