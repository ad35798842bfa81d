//! Going on after a syntax error: at the next statement, member or external declaration, so that
//! independent errors are all found, and so that one error does not bring forth others.

use super::parser::{Abort, Parse, Parser};
use crate::sema::types::*;
use crate::syntax::token::*;

/// State that parsing functions keep, to be restored where one was left in the middle.
pub(super) struct Checkpoint {
    pos: TokIdx,
    scopes: usize,
    nesting: u32,
    unevaluated: u32,
    functions: usize,
    /// Of the innermost function: upc_foralls, and loops and switches.
    depths: (u32, u32),
}

impl Parser<'_> {
    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            pos: self.pos,
            scopes: self.unit.symbols.depth(),
            nesting: self.nesting,
            unevaluated: self.unit.unevaluated_depth(),
            functions: self.functions.len(),
            depths: self
                .functions
                .last()
                .map_or((0, 0), |f| (f.forall_depth, f.breakable)),
        }
    }

    fn restore(&mut self, c: &Checkpoint) {
        while self.unit.symbols.depth() > c.scopes {
            self.unit.symbols.close_scope();
        }
        self.nesting = c.nesting;
        self.unit.restore_unevaluated(c.unevaluated);
        self.functions.truncate(c.functions);
        if let Some(f) = self.functions.last_mut() {
            (f.forall_depth, f.breakable) = c.depths;
        }
    }

    /// After a syntax error in a statement, declaration or member that began at the checkpoint:
    /// goes behind its `;`, or before a block in it, or before the `}` that ends what it is in.
    /// Nothing can be saved at the end of the file.
    pub(super) fn recover(&mut self, c: &Checkpoint) -> Parse<()> {
        if self.hopeless {
            return Err(Abort);
        }
        let error = self.pos;
        self.restore(c);
        self.pos = c.pos;
        // Open brackets, each with the number of ';' that belong into it.
        let mut open: Vec<(P, u32)> = Vec::new();
        loop {
            let begins_line = self.begins_line();
            match self.kind() {
                Tok::Eof => break,
                Tok::Punct(p @ (P::LParen | P::LBracket)) => {
                    let semis = match self.unit.token(self.pos.saturating_sub(1)).kind {
                        Tok::Kw(K::For) => 2,
                        Tok::Kw(K::Forall) => 3,
                        _ => 0,
                    };
                    open.push((p, semis));
                }
                Tok::Punct(P::LBrace) => {
                    if self.pos >= error && self.pos > c.pos && self.block_ahead() {
                        // Its statements are parsed by themselves.
                        return Ok(());
                    }
                    open.push((P::LBrace, u32::MAX));
                }
                Tok::Punct(P::RParen | P::RBracket)
                    if open.last().is_some_and(|o| o.0 != P::LBrace) =>
                {
                    open.pop();
                }
                Tok::Punct(P::RBrace) => {
                    while open.last().is_some_and(|o| o.0 != P::LBrace) {
                        open.pop();
                    }
                    if open.pop().is_none() {
                        return Ok(());
                    }
                }
                Tok::Punct(P::Semi) => {
                    let belongs = open.last_mut().is_some_and(|o| {
                        let inside = o.1 > 0;
                        o.1 = o.1.saturating_sub(1);
                        inside
                    });
                    // A bracket that is not closed before a ';' is what is wrong, or the ';'
                    // itself.
                    let closed =
                        matches!(self.kind_at(1), Tok::Punct(P::RParen)) && !open.is_empty();
                    if !belongs && !closed && self.pos >= error {
                        self.advance();
                        return Ok(());
                    }
                    if !belongs && !closed {
                        open.retain(|o| o.0 == P::LBrace);
                    }
                }
                Tok::Kw(
                    K::If
                    | K::While
                    | K::Return
                    | K::Switch
                    | K::Break
                    | K::Goto
                    | K::Forall
                    | K::Barrier
                    | K::Case,
                ) if begins_line && self.pos > error && !open.iter().any(|o| o.0 == P::LBrace) => {
                    return Ok(());
                }
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }

    /// Whether the `{` at the current token begins a block, not an initialiser or the members of a
    /// type.
    fn block_ahead(&self) -> bool {
        let before = |n: TokIdx| self.unit.token(self.pos.saturating_sub(n)).kind;
        let record = |k| matches!(k, Tok::Kw(K::Struct | K::Union | K::Enum));
        let list = matches!(
            before(1),
            Tok::Punct(P::Assign | P::Comma | P::LBrace | P::LParen)
        );
        !list && !record(before(1)) && !record(before(2))
    }

    /// After a syntax error at file scope: goes to where the next external declaration seems to
    /// begin.
    pub(super) fn recover_at_file_scope(&mut self, c: &Checkpoint) {
        let error = self.pos;
        self.restore(c);
        self.emission.work.drop_statements();
        self.pos = c.pos;
        let mut depth = 0u32;
        while self.kind() != Tok::Eof {
            let at_margin = self.unit.token(self.pos).column == 1 && self.begins_line();
            match self.kind() {
                Tok::Ident | Tok::Kw(_)
                    if depth == 0 && at_margin && self.pos >= error && self.pos > c.pos =>
                {
                    return;
                }
                Tok::Punct(P::LBrace) => depth += 1,
                Tok::Punct(P::RBrace) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && self.pos >= error {
                        self.advance();
                        self.accept(P::Semi);
                        return;
                    }
                }
                Tok::Punct(P::Semi) if depth == 0 && self.pos >= error => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Reports a block that is not closed at the end of the file.
    pub(super) fn unclosed_block(&mut self, open: TokIdx) -> Parse<Option<ExprId>> {
        let line = self.unit.token(open).line;
        let text =
            format!("expected '}}' before the end of the file, to close '{{' in line {line}");
        self.unit
            .error(self.pos.saturating_sub(1), self.pos, &text, "", "");
        if let Some((open, close)) = self.suspect {
            let close = self.unit.token(close).line;
            let text = format!(
                "this '{{' may be the one: the '}}' that closes it, in line {close}, is indented \
                 less"
            );
            self.unit.note(open, &text);
        }
        self.give_up()
    }

    /// At the `}` of a block: remembers the first block whose end is indented less than its
    /// beginning.
    pub(super) fn check_indentation(&mut self, open: TokIdx) {
        if self.suspect.is_some() || !self.begins_line() {
            return;
        }
        let mut first = open;
        while first > 0 && self.unit.token(first - 1).line == self.unit.token(open).line {
            first -= 1;
        }
        if self.unit.token(self.pos).column < self.unit.token(first).column {
            self.suspect = Some((open, self.pos));
        }
    }

    /// Whether a declaration begins here whose type is not known: `foo x` or, if neither is
    /// declared, `foo *x`.
    pub(super) fn unknown_declaration_ahead(&self) -> bool {
        let undeclared = |ahead: u32| {
            self.kind_at(ahead) == Tok::Ident
                && self
                    .unit
                    .lookup(self.unit.token(self.pos + ahead).name)
                    .is_none()
        };
        let end = |ahead: u32| {
            matches!(
                self.kind_at(ahead),
                Tok::Punct(P::Semi | P::Comma | P::Assign | P::LBracket)
            )
        };
        if !undeclared(0) || self.upc_1_0_statement().is_some() {
            return false;
        }
        self.kind_at(1) == Tok::Ident
            || (self.kind_at(1) == Tok::Punct(P::Star) && undeclared(2) && end(3))
    }
}
