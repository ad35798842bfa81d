//! The translation unit as far as it is understood: its tokens, types, symbols and expressions, and
//! the messages about them. Checks and queries are methods of [`Unit`], each group in its own
//! module.

use super::ast::{Expr, ExprKind, Exprs};
use super::flow::Flow;
use super::messages::Messages;
use super::symbols::{Symbol, Symbols};
use super::types::*;
use crate::Options;
use crate::diagnostic::Severity;
use crate::syntax::lex::{PragmaFault, Source};
use crate::syntax::token::*;
use std::collections::HashSet;

/// See the module.
pub struct Unit<'s> {
    pub(crate) src: Source<'s>,
    pub(crate) options: &'s Options,
    pub(crate) types: Types,
    pub(crate) symbols: Symbols,
    pub(crate) exprs: Exprs,
    pub(crate) messages: Messages,
    pub(super) flow: Flow,
    /// Undeclared names that were reported in the current external declaration.
    pub(super) undeclared: HashSet<Name>,
    /// Null constants as arguments of functions that were not declared: function, number of the
    /// argument, tokens.
    pub(super) undeclared_nulls: Vec<(Name, usize, TokIdx, TokIdx)>,
    /// Number of operands around that are not evaluated.
    pub(super) unevaluated: u32,
    /// It converts pointers to one type to pointers to another.
    pub(super) puns: bool,
    /// Functions whose calls are counted where they are made.
    pub(crate) counted_at_calls: HashSet<u32>,
    /// Functions that were called before it was known whether their calls are.
    pub(crate) called_before: HashSet<u32>,
    /// The name `upc_lock_t`.
    pub(super) lock_t: Name,
}

impl<'s> Unit<'s> {
    /// A unit of these tokens, of which nothing is understood yet.
    pub fn new(mut src: Source<'s>, options: &'s Options) -> Self {
        let lock_t = src.intern("upc_lock_t");
        Unit {
            symbols: Symbols::new(src.names.len()),
            src,
            options,
            types: Types::default(),
            exprs: Exprs::default(),
            messages: Messages::default(),
            flow: Flow::default(),
            undeclared: HashSet::new(),
            undeclared_nulls: Vec::new(),
            unevaluated: 0,
            puns: false,
            counted_at_calls: HashSet::new(),
            called_before: HashSet::new(),
            lock_t,
        }
    }

    /// Begins an external declaration.
    pub(crate) fn begin_external_declaration(&mut self) {
        self.exprs.begin_external_declaration();
        self.undeclared.clear();
    }

    /// Ends an external declaration: its loops are lowered.
    pub(crate) fn end_external_declaration(&mut self) {
        self.flow.loops.clear();
        self.flow.returns_twice = None;
    }

    // Tokens

    #[inline]
    pub(crate) fn token(&self, t: TokIdx) -> &Token {
        &self.src.tokens[(t as usize).min(self.src.tokens.len() - 1)]
    }

    /// Name of a symbol or member as text.
    #[inline]
    pub(crate) fn name(&self, n: Name) -> &'s str {
        self.src.names[n as usize]
    }

    /// `"file", line` of a token as arguments of the runtime.
    pub(crate) fn place(&self, t: TokIdx) -> String {
        let t = self.token(t);
        format!("\"{}\", {}", self.src.files[t.file as usize], t.line)
    }

    // Messages

    fn report(
        &mut self,
        severity: Severity,
        lo: TokIdx,
        hi: TokIdx,
        message: &str,
        rule: &str,
        hint: &str,
    ) {
        let system = self.token(lo).flags & (SYSTEM | OURS) != 0;
        if severity == Severity::Error || !system {
            self.messages.add(severity, (lo, hi), message, rule, hint);
        }
    }

    pub(crate) fn error(&mut self, lo: TokIdx, hi: TokIdx, message: &str, rule: &str, hint: &str) {
        self.report(Severity::Error, lo, hi, message, rule, hint);
    }

    /// Warns, unless it is about a header of the system.
    pub(crate) fn warn(&mut self, lo: TokIdx, hi: TokIdx, message: &str, rule: &str, hint: &str) {
        self.report(Severity::Warning, lo, hi, message, rule, hint);
    }

    /// Adds a place to the message that was reported last.
    pub(crate) fn note(&mut self, token: TokIdx, message: &str) {
        self.messages.note(token, message);
    }

    /// Warns of pragmas that mean nothing.
    pub(crate) fn check_pragmas(&mut self) {
        // Nothing is said about a text that ends in a header.
        let end = self.token(self.src.tokens.len() as TokIdx - 1).flags;
        if end & (SYSTEM | OURS) != 0 {
            return;
        }
        for (fault, file, line) in std::mem::take(&mut self.src.odd_pragmas) {
            let (text, hint) = match fault {
                PragmaFault::Unknown => (
                    "this pragma is not known and is ignored",
                    "'#pragma upc strict', '#pragma upc relaxed', '#pragma pupc on' and '#pragma \
                     pupc off' are",
                ),
                PragmaFault::Trailing => (
                    "what follows the pragma on its line is ignored",
                    "write '#pragma upc strict' or '#pragma upc relaxed' and nothing else",
                ),
                PragmaFault::Misplaced => (
                    "this pragma is neither outside of declarations nor at the beginning of a \
                     block",
                    "it counts from here to the end of the block; what other compilers make of it \
                     is not defined",
                ),
            };
            self.messages
                .warn_of_line((file, line), text, "UPC 1.3, 6.7.1", hint);
        }
    }

    // Symbols

    /// The symbol of that number.
    #[inline]
    pub(crate) fn symbol(&self, number: u32) -> &Symbol {
        self.symbols.get(number)
    }

    /// The symbol that a name means here.
    #[inline]
    pub(crate) fn lookup(&self, name: Name) -> Option<u32> {
        self.symbols.lookup(name)
    }

    // Expressions

    #[inline]
    pub(crate) fn expr(&self, e: ExprId) -> &Expr {
        self.exprs.get(e)
    }

    /// The expression inside parentheses, and behind `__extension__`, which means nothing.
    #[inline]
    pub(crate) fn strip(&self, mut e: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) | ExprKind::Prefix(K::Extension, inner) = self.expr(e).kind
        {
            e = inner;
        }
        e
    }

    #[inline]
    pub(crate) fn add_expr(
        &mut self,
        kind: ExprKind,
        lo: TokIdx,
        hi: TokIdx,
        ty: QualTy,
        needs_lowering: bool,
        depth: u32,
    ) -> ExprId {
        self.exprs.add(Expr {
            kind,
            lo,
            hi,
            ty,
            needs_lowering,
            depth,
        })
    }

    /// Adds an expression without operands, which can be copied as it is.
    pub(crate) fn leaf(&mut self, kind: ExprKind, lo: TokIdx, hi: TokIdx, ty: QualTy) -> ExprId {
        self.add_expr(kind, lo, hi, ty, false, 0)
    }

    /// Whether what is parsed or lowered is an operand that is not evaluated.
    pub(crate) fn is_unevaluated(&self) -> bool {
        self.unevaluated > 0
    }

    /// Begins an operand that is not evaluated.
    pub(crate) fn begin_unevaluated(&mut self) {
        self.unevaluated += 1;
    }

    /// Ends an operand that is not evaluated.
    pub(crate) fn end_unevaluated(&mut self) {
        self.unevaluated -= 1;
    }

    /// Number of operands around that are not evaluated.
    pub(crate) fn unevaluated_depth(&self) -> u32 {
        self.unevaluated
    }

    /// Ends all such operands but `depth`, after a syntax error.
    pub(crate) fn restore_unevaluated(&mut self, depth: u32) {
        self.unevaluated = depth;
    }

    /// Whether it converts pointers to one type to pointers to another.
    pub(crate) fn has_puns(&self) -> bool {
        self.puns
    }

    /// Null constants as arguments of functions that were not declared at the call: function,
    /// number of the argument, tokens.
    pub(crate) fn take_undeclared_nulls(&mut self) -> Vec<(Name, usize, TokIdx, TokIdx)> {
        std::mem::take(&mut self.undeclared_nulls)
    }
}
