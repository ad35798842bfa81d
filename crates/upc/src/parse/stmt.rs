//! Statements. They leave no nodes behind: their expressions are noted for lowering, and those of
//! UPC become edits.

use super::parser::{Abort, Parse, Parser};
use crate::emit::rope::Rope;
use crate::emit::spin_loop::SpinLoop;
use crate::emit::work::{Forall, Use};
use crate::sema::ast::Affinity;
use crate::sema::types::*;
use crate::syntax::token::*;
use std::collections::HashSet;

impl Parser<'_> {
    /// Parses `{ ... }` in a scope of its own.
    pub(super) fn compound_body(&mut self) -> Parse<Option<ExprId>> {
        self.emission.work.branch();
        let result = self.compound_items();
        self.emission.work.branch();
        result
    }

    fn compound_items(&mut self) -> Parse<Option<ExprId>> {
        self.enter()?;
        let open = self.expect(P::LBrace, "")?;
        self.unit.symbols.open_scope();
        let mut last = None;
        // The head of an `if` was not understood: its `else` is no error of its own.
        let mut orphan = false;
        while !self.is(P::RBrace) {
            if self.kind() == Tok::Eof {
                return self.unclosed_block(open);
            }
            if orphan && self.accept_kw(K::Else) {
                continue;
            }
            let start = self.checkpoint();
            let lo = self.pos;
            let block = self.is(P::LBrace);
            last = match self.block_item() {
                Ok(last) => {
                    orphan &= block;
                    last
                }
                Err(Abort) => {
                    self.recover(&start)?;
                    if self.pos == lo && !self.is(P::RBrace) {
                        self.advance();
                    }
                    orphan = true;
                    None
                }
            };
        }
        self.check_indentation(open);
        self.advance();
        self.unit.symbols.close_scope();
        self.leave();
        Ok(last)
    }

    /// A statement or declaration in a block; the expression, if it is an expression statement.
    fn block_item(&mut self) -> Parse<Option<ExprId>> {
        if self.is_kw(K::Label) {
            while !self.accept(P::Semi) {
                if self.kind() == Tok::Eof {
                    return self.unexpected("';' after '__label__'");
                }
                self.advance();
            }
            return Ok(None);
        }
        if self.is_kw(K::StaticAssert) {
            self.static_assert()?;
            return Ok(None);
        }
        let start = self.pos;
        if self.is_std_attribute() {
            self.attributes(&mut Vec::new())?;
            if self.accept(P::Semi) {
                return Ok(None);
            }
        }
        let label = self.kind() == Tok::Ident && self.kind_at(1) == Tok::Punct(P::Colon);
        // `__attribute__((fallthrough));` is a statement.
        if !label && self.starts_type() && !self.attribute_statement()? {
            self.pos = start;
            self.declaration(false)?;
            return Ok(None);
        }
        if !label && self.unknown_declaration_ahead() {
            self.unit.unknown_type(self.pos);
            self.declaration(false)?;
            return Ok(None);
        }
        self.statement()
    }

    /// The statement of today for one that UPC 1.0 spelled without its prefix, at an undeclared
    /// name.
    pub(super) fn upc_1_0_statement(&self) -> Option<&'static str> {
        if self.kind() != Tok::Ident || self.unit.lookup(self.unit.token(self.pos).name).is_some() {
            return None;
        }
        let call = self.kind_at(1) == Tok::Punct(P::LParen);
        let now = match self.unit.src.text_of(self.pos) {
            "forall" if call => return Some("upc_forall"),
            "barrier" => "upc_barrier",
            "notify" | "barrier_notify" => "upc_notify",
            "wait" | "barrier_wait" => "upc_wait",
            "fence" => "upc_fence",
            _ => return None,
        };
        let follows = matches!(
            self.kind_at(1),
            Tok::Punct(P::Semi) | Tok::Number | Tok::Ident
        );
        follows.then_some(now)
    }

    fn attribute_statement(&mut self) -> Parse<bool> {
        if !self.is_kw(K::Attribute) {
            return Ok(false);
        }
        let start = self.pos;
        self.attributes(&mut Vec::new())?;
        let found = self.is(P::Semi);
        if !found {
            self.pos = start;
        }
        Ok(found)
    }

    fn body(&mut self) -> Parse<()> {
        self.unit.forget_synchronisation();
        self.emission.work.branch();
        let result = self.statement().map(|_| ());
        self.emission.work.branch();
        result
    }

    fn loop_body(&mut self) -> Parse<()> {
        self.breakable(1);
        let result = self.body();
        self.breakable(-1);
        result
    }

    /// A loop from its keyword to here; `first` is its first expression but for those of its first
    /// part, `counts` the condition of one that may count.
    fn note_loop(&mut self, keyword: TokIdx, first: ExprId, counts: Option<ExprId>) {
        self.unit.note_loop(first, counts);
        let exprs = (first, self.unit.exprs.next());
        let tokens = (keyword, self.pos);
        self.emission.work.loop_range(tokens, exprs);
    }

    fn breakable(&mut self, by: i32) {
        if let Some(f) = self.functions.last_mut() {
            f.breakable = f.breakable.wrapping_add_signed(by);
        }
    }

    fn condition(&mut self, of: &str) -> Parse<()> {
        self.emission.work.branch();
        self.expect(P::LParen, &format!("after '{of}'"))?;
        let e = self.expression()?;
        self.emission.work.root(
            e,
            if of == "switch" {
                Use::Value
            } else {
                Use::Condition
            },
        );
        self.expect(P::RParen, &format!("after the condition of '{of}'"))?;
        Ok(())
    }

    /// Parses a statement; the expression, if it is an expression statement.
    pub(super) fn statement(&mut self) -> Parse<Option<ExprId>> {
        self.enter()?;
        let straight = match self.kind() {
            Tok::Ident => self.kind_at(1) != Tok::Punct(P::Colon),
            Tok::Kw(K::Barrier | K::Notify | K::Wait | K::Fence) => true,
            Tok::Kw(k) => !is_branch(k),
            _ => true,
        };
        if !straight {
            self.unit.forget_synchronisation();
        }
        let result = self.statement_inner();
        if !straight {
            self.unit.forget_synchronisation();
        }
        self.leave();
        result
    }

    fn statement_inner(&mut self) -> Parse<Option<ExprId>> {
        if self.is_std_attribute() {
            self.attributes(&mut Vec::new())?;
        }
        let t = self.pos;
        match self.kind() {
            Tok::Punct(P::LBrace) => {
                self.compound_body()?;
            }
            Tok::Punct(P::Semi) => {
                self.advance();
            }
            _ if self.at_label() => self.labelled()?,
            Tok::Kw(K::If) => loop {
                self.advance();
                self.condition("if")?;
                self.body()?;
                if !self.accept_kw(K::Else) {
                    break;
                }
                if !self.is_kw(K::If) {
                    self.body()?;
                    break;
                }
            },
            Tok::Kw(K::Switch) => {
                self.advance();
                self.condition("switch")?;
                self.loop_body()?;
            }
            Tok::Kw(K::While) => {
                let first = self.unit.exprs.next();
                self.advance();
                self.condition("while")?;
                let (last, body) = (self.unit.exprs.next(), self.pos);
                self.loop_body()?;
                let spin_loop = SpinLoop {
                    body: (body, self.pos),
                    head: (first, last),
                    inside: Some((last, self.unit.exprs.next())),
                    tokens: (t, self.pos),
                    exprs: (first, self.unit.exprs.next()),
                    is_do: false,
                };
                self.lowering().count_spins(&spin_loop);
                self.note_loop(t, first, None);
            }
            Tok::Kw(K::Do) => {
                let first = self.unit.exprs.next();
                self.advance();
                let body = self.pos;
                self.loop_body()?;
                let (inside, end) = ((first, self.unit.exprs.next()), self.pos);
                if !self.accept_kw(K::While) {
                    return self.unexpected("'while' after the body of 'do'");
                }
                self.condition("while")?;
                let spin_loop = SpinLoop {
                    body: (body, end),
                    head: (inside.1, self.unit.exprs.next()),
                    inside: Some(inside),
                    // With the semicolon.
                    tokens: (t, self.pos + 1),
                    exprs: (first, self.unit.exprs.next()),
                    is_do: true,
                };
                self.lowering().count_spins(&spin_loop);
                self.expect(P::Semi, "after 'do ... while (...)'")?;
                self.note_loop(t, first, None);
            }
            Tok::Kw(K::For) => self.for_statement()?,
            Tok::Kw(K::Goto) => {
                self.advance();
                if self.accept(P::Star) {
                    let e = self.expression()?;
                    self.emission.work.root(e, Use::Value);
                } else if self.kind() == Tok::Ident {
                    self.gotos.push(t);
                    self.advance();
                } else {
                    return self.unexpected("a label after 'goto'");
                }
                self.expect(P::Semi, "after 'goto'")?;
            }
            Tok::Kw(K::Break) => {
                self.advance();
                if self
                    .functions
                    .last()
                    .is_some_and(|f| f.forall_depth > 0 && f.breakable == 0)
                {
                    self.leaves_forall(t, "break");
                }
                self.expect(P::Semi, "after 'break'")?;
            }
            Tok::Kw(K::Continue) => {
                self.advance();
                self.expect(P::Semi, "after 'continue'")?;
            }
            Tok::Kw(K::Return) => {
                self.advance();
                if self.functions.last().is_some_and(|f| f.forall_depth > 0) {
                    self.leaves_forall(t, "return");
                }
                if !self.is(P::Semi) {
                    let e = self.expression()?;
                    let to = self.functions.last().map(|f| f.ret);
                    if let Some(ret) = to {
                        if !self.unit.types.is_void(ret) {
                            self.unit.check_conversion(ret, e, "return");
                        }
                        self.emission.work.root(e, Use::Convert(ret));
                    }
                }
                self.expect(P::Semi, "after 'return'")?;
            }
            Tok::Kw(K::Asm) => self.asm_statement()?,
            Tok::Kw(K::Attribute) if self.attribute_statement()? => {
                self.advance();
            }
            // Transactional memory.
            Tok::Ident
                if self.kind_at(1) == Tok::Punct(P::LBrace)
                    && self.unit.src.text_of(t).starts_with("__transaction_") =>
            {
                self.advance();
                self.compound_body()?;
            }
            Tok::Kw(K::Forall) => self.forall()?,
            Tok::Kw(K::Barrier) => self.synchronise("barrier")?,
            Tok::Kw(K::Notify) => self.synchronise("notify")?,
            Tok::Kw(K::Wait) => self.synchronise("wait")?,
            Tok::Kw(K::Fence) => {
                self.advance();
                let function = self.lowering().statement_function("fence", t);
                let text = format!("{function}({})", self.unit.place(t));
                self.replace(t, t + 1, text);
                self.expect(P::Semi, "after 'upc_fence'")?;
            }
            Tok::Kw(K::Else) => return self.unexpected("a statement (this 'else' has no 'if')"),
            _ if self.upc_1_0_statement().is_some() => {
                let now = self.upc_1_0_statement().unwrap_or_default();
                let text = format!(
                    "'{}' is a statement of UPC 1.0 only",
                    self.unit.src.text_of(t)
                );
                self.unit.error(
                    t,
                    t + 1,
                    &text,
                    "",
                    &format!("write '{now}', or compile with -fupc-1.0"),
                );
                match now {
                    "upc_forall" => self.forall()?,
                    _ => self.synchronise(now.trim_start_matches("upc_"))?,
                }
            }
            _ => {
                let e = self.expression()?;
                let at = self.emission.work.roots();
                self.emission.work.root(e, Use::Void);
                self.expect(P::Semi, "after the expression")?;
                self.last_statement = Some((e, at));
                return Ok(Some(e));
            }
        }
        Ok(None)
    }

    fn at_label(&self) -> bool {
        match self.kind() {
            Tok::Ident => self.kind_at(1) == Tok::Punct(P::Colon),
            Tok::Kw(K::Case | K::Default) => true,
            _ => false,
        }
    }

    /// Labels, and what follows them: a statement, or with newer compilers a declaration or
    /// nothing.
    fn labelled(&mut self) -> Parse<()> {
        self.emission.work.branch();
        while self.at_label() {
            let t = self.advance();
            match self.unit.token(t).kind {
                Tok::Kw(K::Case) => {
                    let e = self.conditional_expr()?;
                    self.emission.work.root(e, Use::Value);
                    self.unit.check_constant(e);
                    if self.accept(P::Ellipsis) {
                        let e = self.conditional_expr()?;
                        self.emission.work.root(e, Use::Value);
                    }
                    self.expect(P::Colon, "after 'case'")?;
                }
                Tok::Kw(_) => {
                    self.expect(P::Colon, "after 'default'")?;
                }
                _ => {
                    self.advance();
                    self.labels.push(self.unit.token(t).name);
                    self.attributes(&mut Vec::new())?;
                }
            }
        }
        if self.is(P::RBrace) {
            return Ok(());
        }
        self.block_item().map(|_| ())
    }

    fn asm_statement(&mut self) -> Parse<()> {
        self.advance();
        while matches!(self.kind(), Tok::Kw(K::Volatile | K::Inline | K::Goto)) {
            self.advance();
        }
        if !self.is(P::LParen) {
            return self.unexpected("'(' after 'asm'");
        }
        // Operands are "constraint" (expression): the expressions may use MYTHREAD or shared
        // objects.
        let open = self.advance();
        let mut depth = 1;
        while depth > 0 {
            match self.kind() {
                Tok::Punct(P::LParen) if depth == 1 && self.kind_before_is_string() => {
                    self.advance();
                    let constraint = self.pos - 2;
                    let e = self.expression()?;
                    self.unit.check_operand_of_asm(constraint, e);
                    self.emission.work.root(e, Use::Value);
                    self.expect(P::RParen, "after the operand of 'asm'")?;
                    continue;
                }
                Tok::Punct(P::LParen) => depth += 1,
                Tok::Punct(P::RParen) => depth -= 1,
                Tok::Eof => {
                    self.unit
                        .error(open, open + 1, "'(' is never closed", "", "");
                    return self.give_up();
                }
                _ => {}
            }
            self.advance();
        }
        self.expect(P::Semi, "after 'asm (...)'")?;
        Ok(())
    }

    fn kind_before_is_string(&self) -> bool {
        self.pos > 0 && self.unit.token(self.pos - 1).kind == Tok::Str
    }

    fn for_init(&mut self) -> Parse<()> {
        if self.is_kw(K::StaticAssert) {
            return self.static_assert();
        }
        if self.starts_type() || self.is_std_attribute() {
            return self.declaration(false);
        }
        if !self.is(P::Semi) {
            let e = self.expression()?;
            self.emission.work.root(e, Use::Void);
        }
        self.expect(P::Semi, "after the first part of the loop")?;
        Ok(())
    }

    fn for_statement(&mut self) -> Parse<()> {
        let keyword = self.advance();
        self.expect(P::LParen, "after 'for'")?;
        self.unit.symbols.open_scope();
        let init_lo = self.pos;
        let declares = self.starts_type();
        self.for_init()?;
        let outside = declares && self.rewritten_parts > 1;
        if outside {
            // Several declarations do not fit into the head of a loop.
            let declarations = self
                .emission
                .edits
                .take(init_lo, self.pos)
                .unwrap_or_default();
            self.replace(init_lo, self.pos, ";");
            let mut before = Rope::from_text("{ ");
            before.append(declarations);
            self.emission.edits.before(keyword, before);
        }
        let first = self.unit.exprs.next();
        self.emission.work.branch();
        let mut condition = None;
        if !self.is(P::Semi) {
            let e = self.expression()?;
            self.emission.work.root(e, Use::Condition);
            condition = Some(e);
        }
        self.expect(P::Semi, "after the condition of 'for'")?;
        self.emission.work.branch();
        let counts = condition.filter(|_| !self.is(P::RParen));
        if !self.is(P::RParen) {
            let e = self.expression()?;
            self.emission.work.root(e, Use::Void);
        }
        self.expect(P::RParen, "at the end of the head of 'for'")?;
        let (last, body) = (self.unit.exprs.next(), self.pos);
        self.loop_body()?;
        let spin_loop = SpinLoop {
            body: (body, self.pos),
            head: (first, last),
            inside: None,
            tokens: (keyword, self.pos),
            exprs: (first, self.unit.exprs.next()),
            is_do: false,
        };
        self.lowering().count_spins(&spin_loop);
        self.note_loop(keyword, first, counts);
        self.unit.symbols.close_scope();
        if outside {
            self.emission
                .edits
                .after(self.pos - 1, Rope::from_text(" }"));
        }
        Ok(())
    }

    /// `upc_barrier`, `upc_notify` or `upc_wait`; `word` is the keyword without `upc_`.
    fn synchronise(&mut self, word: &str) -> Parse<()> {
        let t = self.advance();
        let keyword = self.unit.src.text_of(t);
        self.lowering().note_operation(t, &[&format!("upc_{word}")]);
        let function = self.lowering().statement_function(word, t);
        let mut rope = Rope::from_text(&format!("{function}("));
        let mut value = None;
        if self.is(P::Semi) {
            rope.text("0, 0");
        } else {
            let e = self.expression()?;
            value = Some(e);
            self.emission.work.root(e, Use::Value);
            rope.text("1, (int)(");
            rope.copy(self.unit.expr(e).lo, self.unit.expr(e).hi);
            rope.text(")");
        }
        rope.text(&format!(", {})", self.unit.place(t)));
        let what = match word {
            "notify" => K::Notify,
            "wait" => K::Wait,
            _ => K::Barrier,
        };
        self.unit.check_synchronisation(t, what, value);
        self.replace(t, self.pos, rope);
        self.expect(P::Semi, &format!("after '{keyword}'"))?;
        Ok(())
    }

    fn leaves_forall(&mut self, t: TokIdx, what: &str) {
        let text = format!("'{what}' out of a upc_forall");
        self.unit.warn(
            t,
            t + 1,
            &text,
            "UPC 1.3, 6.6.2",
            "threads that do not run this iteration go on with the loop",
        );
    }

    fn forall(&mut self) -> Parse<()> {
        let keyword = self.advance();
        self.expect(P::LParen, "after 'upc_forall'")?;
        self.unit.symbols.open_scope();
        let init_lo = self.pos;
        let declares = self.starts_type();
        self.for_init()?;
        let mut outside = None;
        if declares && self.rewritten_parts > 1 {
            outside = self.emission.edits.take(init_lo, self.pos);
            self.replace(init_lo, self.pos, ";");
        }
        let init = (init_lo, self.pos - 1);
        let first = self.unit.exprs.next();
        let mut parts = [None, None];
        for (i, (to, end)) in [
            (Use::Condition, "after the condition"),
            (Use::Void, "after the third part"),
        ]
        .into_iter()
        .enumerate()
        {
            self.emission.work.branch();
            if !self.is(P::Semi) && !self.is(P::RParen) {
                let e = self.expression()?;
                self.emission.work.root(e, to);
                parts[i] = Some(e);
            }
            self.expect(
                P::Semi,
                &format!("{end} of 'upc_forall' (init; condition; step; affinity)"),
            )?;
        }
        let last_semi = self.pos - 1;
        self.emission.work.branch();
        let affinity = if self.accept_kw(K::Continue) || self.is(P::RParen) {
            Affinity::All
        } else {
            let e = self.expression()?;
            self.emission.work.root(e, Use::Value);
            self.unit.check_affinity(e)
        };
        let close = self.expect(P::RParen, "at the end of the head of 'upc_forall'")?;
        let saved = self.functions.last_mut().map(|f| {
            f.forall_depth += 1;
            std::mem::take(&mut f.breakable)
        });
        let labels = self.labels.len();
        let gotos = self.gotos.len();
        let roots_lo = self.emission.work.roots();
        let foralls_lo = self.emission.work.foralls();
        let diagnostics = self.unit.messages.len();
        let exprs_lo = self.unit.exprs.next();
        self.body()?;
        if let (Some(f), Some(saved)) = (self.functions.last_mut(), saved) {
            f.forall_depth -= 1;
            f.breakable = saved;
        }
        self.note_loop(keyword, first, parts[0].filter(|_| parts[1].is_some()));
        let inside: HashSet<Name> = self.labels[labels..].iter().copied().collect();
        let leaves = |g: &TokIdx| !inside.contains(&self.unit.token(*g + 1).name);
        let leaving: Vec<TokIdx> = self.gotos[gotos..].iter().copied().filter(leaves).collect();
        for goto in leaving {
            self.leaves_forall(goto, "goto");
        }
        let escapes = self.unit.messages.len() > diagnostics || self.gotos.len() > gotos;
        self.emission.work.forall(Forall {
            keyword,
            outside,
            init,
            condition: parts[0],
            step: parts[1],
            last_semi,
            affinity,
            close,
            end: self.pos - 1,
            body_roots: (roots_lo, self.emission.work.roots()),
            body_exprs: (exprs_lo, self.unit.exprs.next()),
            nested: self.emission.work.foralls() > foralls_lo,
            escapes,
        });
        self.unit.symbols.close_scope();
        Ok(())
    }
}

/// Whether a statement that begins with the keyword leads to several places, or can be reached from
/// several.
fn is_branch(k: K) -> bool {
    matches!(
        k,
        K::If
            | K::Else
            | K::Switch
            | K::Case
            | K::Default
            | K::While
            | K::Do
            | K::For
            | K::Forall
            | K::Goto
            | K::Break
            | K::Continue
            | K::Return
            | K::Asm
    )
}
