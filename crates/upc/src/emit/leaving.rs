//! Calls that may not come back: what is counted in variables must be handed over before them.

use super::lowering::Lowering;
use super::work::LoopRange;
use crate::sema::ast::{Expr, ExprKind};
use crate::sema::types::*;
use crate::syntax::token::*;

/// Functions of the C library that end the program, go on elsewhere, or run handlers of signals,
/// which may do either.
const LEAVING: &[&str] = &[
    "_Exit",
    "_exit",
    "_longjmp",
    "abort",
    "err",
    "error",
    "error_at_line",
    "errx",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "exit",
    "fexecve",
    "kill",
    "killpg",
    "longjmp",
    "pause",
    "pthread_exit",
    "pthread_kill",
    "pthread_sigmask",
    "pthread_sigqueue",
    "quick_exit",
    "raise",
    "setcontext",
    "siglongjmp",
    "sigprocmask",
    "sigqueue",
    "sigsetmask",
    "sigsuspend",
    "swapcontext",
    "tgkill",
    "verr",
    "verrx",
];

impl Lowering<'_, '_> {
    /// Whether a call of `f` may not come back.
    pub(super) fn leaves(&self, f: ExprId) -> bool {
        match self.unit.expr(self.unit.strip(f)).kind {
            ExprKind::Ident(s) => {
                LEAVING.contains(&self.unit.name(self.unit.symbol(s).name))
                    || self.emission.leaving_functions.contains(&s)
            }
            _ => true,
        }
    }

    /// Whether the current function, with these tokens as its body, may not come back.
    pub(super) fn declaration_leaves(&self, body: (TokIdx, TokIdx)) -> bool {
        let is_call_that_leaves = |e: &Expr| match e.kind {
            ExprKind::Call(f, _) => self.leaves(f),
            _ => false,
        };
        let mut exprs = self.unit.exprs.of_declaration().iter();
        exprs.any(is_call_that_leaves) || self.names_leaving(body)
    }

    /// Whether a loop may be left in a way that its end is not reached.
    pub(super) fn may_be_left(&self, l: LoopRange) -> bool {
        let (lo, hi) = l.tokens;
        let is_return = |t| self.unit.token(t).kind == Tok::Kw(K::Return);
        let exprs = self.unit.exprs.range(l.exprs);
        let mut calls = exprs.iter().filter_map(|e| match e.kind {
            ExprKind::Call(f, _) => Some(f),
            _ => None,
        });
        (lo..hi).any(is_return) || calls.any(|f| self.leaves(f))
    }

    fn names_leaving(&self, (lo, hi): (TokIdx, TokIdx)) -> bool {
        (lo..hi).any(|t| {
            self.unit.token(t).kind == Tok::Ident && LEAVING.contains(&self.unit.src.text_of(t))
        })
    }
}
