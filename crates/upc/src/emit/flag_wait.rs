//! Waits for flags: in an instrumented program, a loop that does nothing but test shared data until
//! another thread has written it is a region, from the first test that fails until it is left.
//!
//! Such a loop stands in a block with a variable that says whether the region is open, and closes it
//! however the loop is left. The first read in the loop gives the object that it waits for. While
//! the region is open, the reads are the wait, and are neither reported nor counted.

use super::lowering::Lowering;
use super::rope::{Part, Rope};
use super::spin_loop::{MOST_TOKENS, SpinLoop};
use super::work::FlagWait;
use crate::sema::ast::ExprKind;
use crate::sema::symbols::SymKind;
use crate::sema::types::*;
use crate::syntax::lex::DirectiveKind;
use crate::syntax::token::*;
use std::collections::HashSet;

/// The operation, as filters know it.
const OPERATION: &str = "wait for a flag";

/// Functions that a loop may call while it waits: they give the core away, or let time pass.
const YIELDS: &[&str] = &[
    "_mm_pause",
    "__builtin_ia32_pause",
    "bupc_poll",
    "nanosleep",
    "pthread_yield",
    "sched_yield",
    "sleep",
    "upc_poll",
    "usleep",
];

/// The variables that the loop reads.
enum Flag {
    /// Shared data: the code of the read says where.
    Shared,
    /// The target of a private pointer, which may be one to shared data.
    Private(ExprId),
}

impl Lowering<'_, '_> {
    /// Makes a loop a region, if it waits: the expression that is to be evaluated where its body
    /// begins, since a test has failed.
    pub(super) fn report_wait(&mut self, l: &SpinLoop) -> Option<Rope> {
        let flag = self.flag_of(l)?;
        let number = self.unique();
        self.emission.work.flag_waits.push(FlagWait {
            number,
            exprs: l.exprs,
        });
        let is_untested = match flag {
            Flag::Private(e) => l.is_do || !(l.head.0..l.head.1).contains(&e),
            Flag::Shared => false,
        };
        let begin = format!(
            "{{ upcr_flag_wait upcr_w{number} __attribute__((cleanup(upcr_flag_left))) = {{0, 0, 0, \
             {}, 0, 0}}; ",
            u8::from(is_untested)
        );
        let recorded = |text: &str| Rope(vec![Part::Recorded(Rope::from_text(text))]);
        self.emission.edits.before(l.tokens.0, recorded(&begin));
        self.emission.edits.after(l.tokens.1 - 1, recorded(" }"));
        let place = self.unit.place(l.tokens.0);
        let mut failed = Rope::default();
        match flag {
            Flag::Shared => failed.text(&format!("upcr_flag_failed(&upcr_w{number}, {place})")),
            Flag::Private(e) => {
                let (lo, hi) = (self.unit.expr(e).lo, self.unit.expr(e).hi);
                failed.text(&format!("upcr_flag_failed_at(&upcr_w{number}, &("));
                failed.inline(lo, hi);
                failed.text("), sizeof(");
                failed.inline(lo, hi);
                failed.text(&format!("), {place})"));
            }
        }
        Some(failed)
    }

    /// The condition that a loop waits for, if it does nothing else.
    fn flag_of(&mut self, l: &SpinLoop) -> Option<Flag> {
        let (keyword, end) = l.tokens;
        let flags = self.unit.token(keyword).flags;
        let is_recorded = flags & (SYSTEM | OURS) == 0 && self.unit.records(keyword, OPERATION);
        if !is_recorded
            || end - keyword > MOST_TOKENS
            || self.has_pragma_before(keyword)
            || !self.takes_expression(l.body.0)
            || self.does_more(l.body)
            || !self.gets_nowhere_alone(l.exprs)
        {
            return None;
        }
        let is_shared = |e| self.unit.is_shared(e);
        if (l.exprs.0..l.exprs.1).any(is_shared) {
            return Some(Flag::Shared);
        }
        let volatile = |e: &ExprId| self.is_target(*e, l);
        let found = (l.exprs.0..l.exprs.1).find(volatile)?;
        (!self.unit.is_bit_field(found)).then_some(Flag::Private(found))
    }

    /// A pragma there is about the loop, and must stay before it.
    fn has_pragma_before(&self, keyword: TokIdx) -> bool {
        let directives = &self.unit.src.directives;
        let first = directives.partition_point(|d| d.before < keyword);
        let mut here = directives[first..].iter();
        here.by_ref()
            .take_while(|d| d.before == keyword)
            .any(|d| d.kind == DirectiveKind::Pragma)
    }

    /// Whether an expression can stand before the body that begins with token `t`.
    fn takes_expression(&self, t: TokIdx) -> bool {
        match self.unit.token(t).kind {
            Tok::Kw(keyword) => keyword == K::Fence,
            _ => true,
        }
    }

    /// Whether a body has statements that are more than a test.
    fn does_more(&self, (lo, hi): (TokIdx, TokIdx)) -> bool {
        use K::{Asm, Barrier, Case, Default, Do, For, Forall, Label, Notify, Static, Switch};
        (lo..hi).any(|t| match self.unit.token(t).kind {
            Tok::Kw(For | K::While | Do | Forall | Switch | Case | Default | Asm | Label) => true,
            Tok::Kw(Barrier | Notify | K::Wait | Static) => true,
            // A label's address.
            Tok::Kw(K::Goto) => self.unit.token(t + 1).kind != Tok::Ident,
            // A label, but no part of `?:`.
            Tok::Punct(P::Colon) => {
                self.unit.token(t - 1).kind == Tok::Ident
                    && matches!(
                        self.unit.token(t - 2).kind,
                        Tok::Punct(P::Semi | P::LBrace | P::RBrace | P::RParen)
                    )
            }
            _ => false,
        })
    }

    /// Whether a loop ends only by what others write: what it computes depends on nothing that it
    /// has computed before, and what it counts is used nowhere else.
    fn gets_nowhere_alone(&self, range: (ExprId, ExprId)) -> bool {
        let (mut assigned, mut counted) = (HashSet::new(), Vec::new());
        let mut values = Vec::new();
        for e in range.0..range.1 {
            match &self.unit.expr(e).kind {
                ExprKind::Call(f, _) if !self.gives_way(*f) => return false,
                ExprKind::Other(_) => return false,
                ExprKind::Assign(P::Assign, to, value) => {
                    let Some(variable) = self.private_variable(*to) else {
                        return false;
                    };
                    assigned.insert(variable);
                    values.push(*value);
                }
                ExprKind::Assign(_, x, _)
                | ExprKind::Postfix(_, x)
                | ExprKind::Unary(P::Inc | P::Dec, x) => {
                    let Some(variable) = self.private_variable(*x) else {
                        return false;
                    };
                    if self.unit.types.pointee(self.unit.expr(*x).ty).is_some() {
                        return false;
                    }
                    counted.push((variable, e));
                }
                _ => {}
            }
        }
        let names = |e: ExprId, variable: &u32| matches!(self.unit.expr(e).kind, ExprKind::Ident(s) if s == *variable);
        let depends = |value: &ExprId| {
            let (lo, hi) = (self.unit.expr(*value).lo, self.unit.expr(*value).hi);
            (range.0..range.1).any(|e| {
                let expr = self.unit.expr(e);
                (lo..hi).contains(&expr.lo) && assigned.iter().any(|variable| names(e, variable))
            })
        };
        let is_used = |(variable, count): &(u32, ExprId)| {
            let uses = (range.0..range.1).filter(|e| names(*e, variable)).count();
            uses > 1 || assigned.contains(variable) || self.is_in_index(range, *count)
        };
        !values.iter().any(depends) && !counted.iter().any(is_used)
    }

    /// Whether a count is part of an index, and so of where the loop reads.
    fn is_in_index(&self, range: (ExprId, ExprId), count: ExprId) -> bool {
        let at = self.unit.expr(count).lo;
        (range.0..range.1).any(|e| match self.unit.expr(e).kind {
            ExprKind::Index(..) | ExprKind::Unary(P::Star, _) => {
                (self.unit.expr(e).lo..self.unit.expr(e).hi).contains(&at)
            }
            _ => false,
        })
    }

    fn private_variable(&self, e: ExprId) -> Option<u32> {
        let variable = self.unit.variable_of(e)?;
        (!self.unit.is_shared(e)).then_some(variable)
    }

    fn gives_way(&self, f: ExprId) -> bool {
        let ExprKind::Ident(number) = self.unit.expr(self.unit.strip(f)).kind else {
            return false;
        };
        let symbol = self.unit.symbol(number);
        symbol.kind == SymKind::Function && YIELDS.contains(&self.unit.name(symbol.name))
    }

    /// Whether an expression reads volatile data that its address is known of outside of the loop.
    fn is_target(&self, e: ExprId, l: &SpinLoop) -> bool {
        let expr = self.unit.expr(e);
        let is_lvalue = matches!(
            expr.kind,
            ExprKind::Unary(P::Star, _)
                | ExprKind::Index(..)
                | ExprKind::Member { arrow: true, .. }
        );
        if !is_lvalue || self.unit.types.quals(expr.ty).bits & VOLATILE == 0 {
            return false;
        }
        let (lo, hi) = (expr.lo, expr.hi);
        (l.exprs.0..l.exprs.1).all(|x| {
            let part = self.unit.expr(x);
            if !(lo..hi).contains(&part.lo) {
                return true;
            }
            match &part.kind {
                ExprKind::Call(..) | ExprKind::Postfix(..) | ExprKind::Assign(..) => false,
                ExprKind::Unary(P::Inc | P::Dec, _) | ExprKind::Other(_) => false,
                ExprKind::Ident(s) => {
                    !(l.tokens.0..l.tokens.1).contains(&self.unit.symbol(*s).token)
                }
                _ => true,
            }
        })
    }

    /// The wait that an expression is part of.
    pub(super) fn wait_around(&self, e: ExprId) -> Option<u32> {
        let waits = self.emission.work.flag_waits.iter().rev();
        let mut around = waits.filter(|wait| (wait.exprs.0..wait.exprs.1).contains(&e));
        around.next().map(|wait| wait.number)
    }

    /// Whether another thread may wait for data that is named like this: a loop of the unit that may
    /// be a wait reads something of that name. Writes to such data are to be seen.
    pub(super) fn may_be_awaited(&mut self, name: Name) -> bool {
        if self.emission.awaited_names.is_none() {
            self.emission.awaited_names = Some(self.names_in_short_loops());
        }
        let names = self.emission.awaited_names.as_ref();
        names.is_some_and(|names| names.contains(&name))
    }

    /// Names in the heads and bodies of short loops that count nothing; their tokens are all that
    /// is known of those that come later.
    fn names_in_short_loops(&self) -> HashSet<Name> {
        let mut names = HashSet::new();
        let tokens = &self.unit.src.tokens;
        let end = tokens.len() as TokIdx - 1;
        for t in 0..end {
            let Tok::Kw(K::While | K::For | K::Do) = tokens[t as usize].kind else {
                continue;
            };
            let mut stop = t + 1;
            while stop < end && stop - t <= MOST_TOKENS && !self.ends_loop(t, stop) {
                stop += 1;
            }
            let counts = |t: TokIdx| {
                matches!(
                    tokens[t as usize].kind,
                    Tok::Punct(P::Inc | P::Dec | P::PlusAssign | P::MinusAssign)
                )
            };
            if stop - t > MOST_TOKENS || (t..stop).any(counts) {
                continue;
            }
            let names_of = |t: TokIdx| {
                let token = tokens[t as usize];
                (token.kind == Tok::Ident).then_some(token.name)
            };
            names.extend((t..stop).filter_map(names_of));
        }
        names
    }

    /// Whether the loop that begins at token `lo` ends with token `t`, by its brackets.
    fn ends_loop(&self, lo: TokIdx, t: TokIdx) -> bool {
        let is = |t: TokIdx, p: P| self.unit.token(t).kind == Tok::Punct(p);
        if !is(t, P::Semi) && !is(t, P::RBrace) {
            return false;
        }
        let mut depth = 0i32;
        for at in lo..=t {
            match self.unit.token(at).kind {
                Tok::Punct(P::LParen | P::LBrace) => depth += 1,
                Tok::Punct(P::RParen | P::RBrace) => depth -= 1,
                _ => {}
            }
        }
        depth <= 0
    }
}
