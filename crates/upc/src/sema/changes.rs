//! Which variables a loop changes, and by how much in each iteration. This only guides the choice
//! between two forms of an address that are both right.

use super::ast::ExprKind;
use super::flow::{Changes, Loop, Stride};
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;
use std::rc::Rc;

/// Loops that are looked at to find the one around an expression.
const MAX_SEARCH: usize = 500;

impl Unit<'_> {
    /// Notes a loop whose expressions begin at `lo`; inner ones were noted before. `counts` is the
    /// condition of one that has a third part.
    pub(crate) fn note_loop(&mut self, lo: ExprId, counts: Option<ExprId>) {
        let compares = |c: ExprId| {
            matches!(
                self.expr(self.strip(c)).kind,
                ExprKind::Binary(P::Lt | P::Le | P::Gt | P::Ge | P::Ne, ..)
            ) && !(lo..c)
                .any(|e| self.is_shared(e) || matches!(self.expr(e).kind, ExprKind::Call(..)))
        };
        let waits = !counts.is_some_and(compares);
        self.flow.loops.push(Loop {
            exprs: (lo, self.exprs.next()),
            waits,
            changes: None,
        });
    }

    /// The innermost loop around an expression, as a number, and what it changes.
    pub(crate) fn changes_around(&mut self, e: ExprId) -> Option<(usize, Rc<Changes>)> {
        let at = self.loop_around(e)?;
        if let Some(changes) = &self.flow.loops[at].changes {
            return Some((at, changes.clone()));
        }
        let (lo, hi) = self.flow.loops[at].exprs;
        let mut changes = Changes::new();
        for e in lo..hi {
            let (x, by) = match self.expr(e).kind {
                ExprKind::Postfix(p, x) | ExprKind::Unary(p @ (P::Inc | P::Dec), x) => {
                    let number = if p == P::Dec { -1 } else { 1 };
                    (x, Some(Stride { number, threads: 0 }))
                }
                ExprKind::Assign(p @ (P::PlusAssign | P::MinusAssign), x, y) => {
                    let sign = if p == P::MinusAssign { -1 } else { 1 };
                    (x, self.stride_of(y).and_then(|v| v.times(sign)))
                }
                ExprKind::Assign(P::Assign, x, sum) => (x, self.sum_stride(x, sum)),
                ExprKind::Assign(_, x, _) => (x, None),
                _ => continue,
            };
            let Some(s) = self.variable_of(x) else {
                continue;
            };
            let before = changes.get(&s).copied().unwrap_or(Some(Stride::default()));
            let sum = before.zip(by).and_then(|(a, b)| a.plus(b));
            changes.insert(s, sum);
        }
        let changes = Rc::new(changes);
        self.flow.loops[at].changes = Some(changes.clone());
        Some((at, changes))
    }

    /// A number, THREADS, or a product of both.
    fn stride_of(&self, e: ExprId) -> Option<Stride> {
        if let Some(number) = self.fold_i128(e) {
            return Some(Stride { number, threads: 0 });
        }
        match self.expr(self.strip(e)).kind {
            ExprKind::Threads => Some(Stride {
                number: 0,
                threads: 1,
            }),
            ExprKind::Binary(P::Star, a, b) => match (self.fold_i128(a), self.fold_i128(b)) {
                (Some(n), None) => self.stride_of(b)?.times(n),
                (None, Some(n)) => self.stride_of(a)?.times(n),
                _ => None,
            },
            _ => None,
        }
    }

    /// The stride that `x = x + y`, `x = y + x` or `x = x - y` adds to `x`.
    fn sum_stride(&self, x: ExprId, sum: ExprId) -> Option<Stride> {
        let ExprKind::Binary(p @ (P::Plus | P::Minus), a, b) = self.expr(self.strip(sum)).kind
        else {
            return None;
        };
        let s = self.variable_of(x);
        if self.variable_of(a) == s {
            return self.stride_of(b)?.times(if p == P::Minus { -1 } else { 1 });
        }
        (p == P::Plus && self.variable_of(b) == s)
            .then(|| self.stride_of(a))
            .flatten()
    }

    /// Number of the innermost loop around an expression.
    fn loop_around(&self, e: ExprId) -> Option<usize> {
        // Ends of loops ascend.
        let first = self.flow.loops.partition_point(|l| l.exprs.1 <= e);
        let found = self.flow.loops[first..]
            .iter()
            .take(MAX_SEARCH)
            .position(|l| l.exprs.0 <= e)?;
        Some(first + found)
    }

    /// Whether a loop within the range may wait for another thread.
    pub(crate) fn may_wait(&self, range: (ExprId, ExprId)) -> bool {
        let within = |l: &Loop| l.exprs.0 >= range.0 && l.exprs.1 <= range.1;
        self.flow.loops.iter().any(|l| l.waits && within(l))
    }

    /// Whether the current function calls one that returns twice: after the second return,
    /// automatic variables that were changed in between need not fit together.
    pub(crate) fn returns_twice(&mut self) -> bool {
        if let Some(known) = self.flow.returns_twice {
            return known;
        }
        let found = self.exprs.of_declaration().iter().any(|e| {
            let name = match e.kind {
                ExprKind::Ident(s) => self.symbol(s).name,
                ExprKind::Undeclared(name) => name,
                _ => return false,
            };
            self.name(name).ends_with("setjmp") || self.name(name) == "getcontext"
        });
        self.flow.returns_twice = Some(found);
        found
    }
}
