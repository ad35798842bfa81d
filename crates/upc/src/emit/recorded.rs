//! Which of the program's functions are events. A function that is small, and does nothing that is
//! reported, is none unless all are asked for: a call of it would cost less than its event, and the
//! C compiler inlines it as it does without instrumentation. What it takes is its caller's.

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
    pub(super) fn is_small(&self, body: (TokIdx, TokIdx), function: u32) -> bool {
        let (lo, hi) = body;
        let is_loop = |t: &TokIdx| {
            let kind = self.unit.token(*t).kind;
            matches!(kind, Tok::Kw(K::For | K::While | K::Do | K::Forall))
        };
        let is_reported = |t: TokIdx| {
            let kind = self.unit.token(t).kind;

            matches!(
                kind,
                Tok::Kw(K::Barrier | K::Notify | K::Wait | K::Fence | K::Goto | K::Asm)
            )
        };
        hi - lo <= MOST_TOKENS
            && (lo..hi).filter(is_loop).count() <= 1
            && !(lo..hi).any(is_reported)
            && !self
                .unit
                .exprs
                .of_declaration()
                .iter()
                .any(|e| match e.kind {
                    ExprKind::Call(f, _) => self.may_report(f, function),
                    _ => false,
                })
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
        number != caller && !self.emission.small_functions.contains(&number)
    }
}
