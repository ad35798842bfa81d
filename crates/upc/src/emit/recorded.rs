//! Which of the program's functions are events. A function that is small, and does nothing that is
//! reported, is none unless all are asked for: a call of it would cost less than its event, and the
//! C compiler inlines it as it does without instrumentation. What it takes is its caller's.

use super::counts::Small;
use super::lowering::Lowering;
use crate::sema::ast::ExprKind;
use crate::sema::library::{VALUES, is_recorded};
use crate::sema::symbols::SymKind;
use crate::sema::types::*;
use crate::syntax::token::*;

/// A function with more tokens is not small.
const MOST_TOKENS: u32 = 120;

/// How names of library functions begin that are reported, wait for others, or switch recording on
/// and off.
const REPORTED: &[&str] = &[
    "pupc_",
    // The macros of the same names.
    "upcr_pupc_",
    VALUES,
    "bupc_",
    "upc_all_",
    "upc_lock",
    "upc_unlock",
];

/// Functions of C and POSIX that sleep, wait, move files, or do as much as they are told: what calls
/// them runs long enough to be an event.
const LONG: &[&str] = &[
    "accept",
    "clock_nanosleep",
    "connect",
    "fflush",
    "fgets",
    "fork",
    "fread",
    "fscanf",
    "fsync",
    "fwrite",
    "getline",
    "lfind",
    "lsearch",
    "msync",
    "nanosleep",
    "open",
    "pause",
    "poll",
    "popen",
    "pread",
    "pwrite",
    "qsort",
    "qsort_r",
    "read",
    "readv",
    "recv",
    "scanf",
    "select",
    "send",
    "sigsuspend",
    "sigwait",
    "sleep",
    "system",
    "tsearch",
    "usleep",
    "wait",
    "waitpid",
    "write",
    "writev",
];

impl Lowering<'_, '_> {
    /// Whether calls of a function are no events, by what is known of it at its end: `body` are its
    /// tokens, and expressions are those of the current declaration.
    pub(super) fn small(&self, body: (TokIdx, TokIdx), function: u32) -> Option<Small> {
        let (lo, hi) = body;
        let is_loop = |t: &TokIdx| {
            let kind = self.unit.token(*t).kind;
            matches!(kind, Tok::Kw(K::For | K::While | K::Do | K::Forall))
        };
        let loops = (lo..hi).filter(is_loop).count();
        let is_called = |f: ExprId| !self.may_report(f, function);
        if hi - lo > MOST_TOKENS || loops > 1 || !self.calls_only(body, is_called) {
            return None;
        }
        let exprs = self.unit.exprs.of_declaration().iter();
        let calls_loop = exprs.into_iter().any(|e| match e.kind {
            ExprKind::Call(f, _) => self.called_small(f).is_some_and(|small| small.has_loop),
            _ => false,
        });
        // A loop that calls another one is work enough for an event.
        let has_loop = loops > 0 || calls_loop;
        (loops == 0 || !calls_loop).then_some(Small { has_loop })
    }

    /// Whether nothing is reported in a function but calls of others of which that holds, by what is
    /// known of it at its end: no call path of an operation needs it.
    pub(super) fn is_leaf(&self, body: (TokIdx, TokIdx), function: u32) -> bool {
        self.calls_only(body, |f| {
            !self.may_report(f, function) || self.calls_leaf(f)
        })
    }

    /// Whether nothing that a function calls is an event: not even itself.
    pub(super) fn calls_no_event(&self, body: (TokIdx, TokIdx)) -> bool {
        self.calls_only(body, |f| !self.may_report(f, u32::MAX))
    }

    /// Whether a function synchronises nothing by statements, and all that it calls is allowed.
    fn calls_only(&self, body: (TokIdx, TokIdx), is_allowed: impl Fn(ExprId) -> bool) -> bool {
        let is_reported = |t: TokIdx| {
            let kind = self.unit.token(t).kind;
            matches!(
                kind,
                Tok::Kw(K::Barrier | K::Notify | K::Wait | K::Fence | K::Goto | K::Asm)
            )
        };
        let exprs = self.unit.exprs.of_declaration();
        !(body.0..body.1).any(is_reported)
            && exprs.iter().all(|e| match e.kind {
                ExprKind::Call(f, _) => is_allowed(f),
                _ => true,
            })
    }

    fn calls_leaf(&self, f: ExprId) -> bool {
        match self.unit.expr(self.unit.strip(f)).kind {
            ExprKind::Ident(number) => self.emission.leaf_functions.contains(&number),
            _ => false,
        }
    }

    /// The small function that a call of `f` calls.
    fn called_small(&self, f: ExprId) -> Option<Small> {
        let ExprKind::Ident(number) = self.unit.expr(self.unit.strip(f)).kind else {
            return None;
        };
        self.emission.small_functions.get(&number).copied()
    }

    /// Whether a call of `f` in a function may lead to something that is reported, or takes long.
    pub(super) fn may_report(&self, f: ExprId, caller: u32) -> bool {
        let ExprKind::Ident(number) = self.unit.expr(self.unit.strip(f)).kind else {
            return true;
        };
        let symbol = self.unit.symbol(number);
        let name = self.unit.name(symbol.name);
        let flags = self.unit.token(symbol.token).flags;
        if symbol.kind != SymKind::Function {
            return true;
        }
        if flags & OURS != 0 && !symbol.defined {
            return is_recorded(name) || REPORTED.iter().any(|begin| name.starts_with(begin));
        }
        if flags & SYSTEM != 0 {
            return LONG.contains(&name);
        }
        number != caller && !self.emission.small_functions.contains_key(&number)
    }
}
