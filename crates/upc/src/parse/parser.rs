//! State of the parser: its place among the tokens, and the function that it is in.

use crate::emit::lowering::{Emission, Lowering};
use crate::emit::rope::Rope;
use crate::sema::types::*;
use crate::sema::unit::Unit;
use crate::syntax::token::*;

/// A syntax error was reported; parsing goes on after the statement or declaration that it is in.
#[derive(Debug)]
pub struct Abort;

/// Result of a parsing function.
pub type Parse<T> = Result<T, Abort>;

/// State of the function that is being parsed.
pub(super) struct Function {
    /// Its return type.
    pub(super) ret: QualTy,
    /// Number of upc_forall statements around.
    pub(super) forall_depth: u32,
    /// Loops and switches within the innermost upc_forall.
    pub(super) breakable: u32,
}

/// Reads the tokens of a unit. Types and expressions are built as it goes; statements are noted for
/// the lowering.
pub struct Parser<'s> {
    pub(super) unit: Unit<'s>,
    pub(super) emission: Emission,
    /// The current token.
    pub(super) pos: TokIdx,
    pub(super) nesting: u32,
    /// Parsing cannot go on.
    pub(super) hopeless: bool,
    /// A declaration at file scope was not understood: others that are not either may be parts of
    /// it.
    pub(super) lost: bool,
    /// The first block whose `}` is indented less than its beginning: its `{` and that `}`.
    pub(super) suspect: Option<(TokIdx, TokIdx)>,
    pub(super) functions: Vec<Function>,
    /// Labels and gotos of the current function.
    pub(super) labels: Vec<Name>,
    pub(super) gotos: Vec<TokIdx>,
    /// In the initialiser of a shared object that is being read: there is an address of a shared
    /// object in it.
    pub(super) value_has_address: bool,
    /// The largest index in its designators.
    pub(super) largest_index: u64,
    /// Number of declarators in the last declaration, if it was rewritten.
    pub(super) rewritten_parts: usize,
    /// The last expression statement and its number among the full expressions.
    pub(super) last_statement: Option<(ExprId, usize)>,
}

/// Deepest nesting of expressions, statements, declarators and initialisers.
const MAX_NESTING: u32 = 50_000;

impl<'s> Parser<'s> {
    /// A parser at the first token of a unit.
    pub fn new(unit: Unit<'s>) -> Self {
        Parser {
            unit,
            emission: Emission::default(),
            pos: 0,
            nesting: 0,
            hopeless: false,
            lost: false,
            suspect: None,
            functions: Vec::new(),
            labels: Vec::new(),
            gotos: Vec::new(),
            value_has_address: false,
            largest_index: 0,
            rewritten_parts: 0,
            last_statement: None,
        }
    }

    /// The parsed unit, and the C that was written for it.
    pub fn into_parts(self) -> (Unit<'s>, Emission) {
        (self.unit, self.emission)
    }

    /// Lowers something now, before the end of the external declaration.
    pub(super) fn lowering(&mut self) -> Lowering<'_, 's> {
        Lowering::new(&mut self.unit, &mut self.emission)
    }

    /// Replaces tokens `lo` to before `hi` in what is written.
    pub(super) fn replace(&mut self, lo: TokIdx, hi: TokIdx, by: impl Into<Rope>) {
        self.emission.edits.replace(lo, hi, by);
    }

    #[inline]
    pub(super) fn kind(&self) -> Tok {
        self.unit.token(self.pos).kind
    }

    #[inline]
    pub(super) fn kind_at(&self, ahead: u32) -> Tok {
        self.unit.token(self.pos + ahead).kind
    }

    #[inline]
    pub(super) fn is(&self, p: P) -> bool {
        self.kind() == Tok::Punct(p)
    }

    #[inline]
    pub(super) fn is_kw(&self, k: K) -> bool {
        self.kind() == Tok::Kw(k)
    }

    #[inline]
    pub(super) fn advance(&mut self) -> TokIdx {
        let t = self.pos;
        if self.kind() != Tok::Eof {
            self.pos += 1;
        }
        t
    }

    pub(super) fn advance_name(&mut self) -> Name {
        let t = self.advance();
        self.unit.token(t).name
    }

    #[inline]
    pub(super) fn accept(&mut self, p: P) -> bool {
        let found = self.is(p);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn accept_kw(&mut self, k: K) -> bool {
        let found = self.is_kw(k);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, p: P, after: &str) -> Parse<TokIdx> {
        if self.is(p) {
            return Ok(self.advance());
        }
        if p == P::Semi {
            return self.missing_semicolon(after);
        }
        self.unexpected(&format!("'{}' {after}", p.text()))
    }

    /// The text of the current token, for messages.
    fn found(&self) -> String {
        let text = self.unit.src.text_of(self.pos);
        match self.kind() {
            Tok::Eof => "the end of the file".to_owned(),
            Tok::Kw(_) => format!("keyword '{text}'"),
            Tok::Str => "a string".to_owned(),
            Tok::Other if text.starts_with(['"', '\'']) => {
                "a string or character constant that does not end on its line".to_owned()
            }
            Tok::Other => format!("character '{text}', which is not part of C"),
            _ => format!("'{text}'"),
        }
    }

    /// Reports a syntax error at the current token.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parse<T> {
        self.unexpected_because(expected, "")
    }

    /// Reports a syntax error at the current token, with a hint.
    pub(super) fn unexpected_because<T>(&mut self, expected: &str, hint: &str) -> Parse<T> {
        self.unit.messages.syntax_error = true;
        if self.lost && self.functions.is_empty() {
            return Err(Abort);
        }
        let message = format!("expected {expected}, found {}", self.found());
        let (lo, hi) = match expected.starts_with("';'") && self.begins_line() {
            // A missing ';' belongs to the line on which it is missing.
            true => (self.pos - 1, self.pos),
            false => (self.pos, self.pos + 1),
        };
        self.unit.error(lo, hi, &message, "", hint);
        Err(Abort)
    }

    /// A syntax error was reported after which nothing can be understood.
    pub(super) fn give_up<T>(&mut self) -> Parse<T> {
        self.unit.messages.syntax_error = true;
        self.hopeless = true;
        Err(Abort)
    }

    /// Whether the current token is not on the line of the one before it.
    pub(super) fn begins_line(&self) -> bool {
        let t = self.unit.token(self.pos);
        let previous = self.unit.token(self.pos.saturating_sub(1));
        self.pos > 0 && t.line != previous.line && t.file == previous.file
    }

    /// Reports that `;` is missing, and goes on as if it were there where that is what was meant.
    fn missing_semicolon(&mut self, after: &str) -> Parse<TokIdx> {
        let meant = self.begins_line() || self.is(P::RBrace);
        let syntax_error = self.unit.messages.syntax_error;
        match self.unexpected::<TokIdx>(&format!("';' {after}")) {
            Err(_) if meant && self.kind() != Tok::Eof => {
                self.unit.messages.syntax_error = syntax_error;
                Ok(self.pos.saturating_sub(1))
            }
            result => result,
        }
    }

    /// Counts one level of nesting; call [`Parser::leave`] at its end.
    #[inline]
    pub(super) fn enter(&mut self) -> Parse<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let message = format!("nested more than {MAX_NESTING} levels deep");
            let hint = "split it into several parts";
            self.unit.error(self.pos, self.pos + 1, &message, "", hint);
            return self.give_up();
        }
        Ok(())
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.nesting -= 1;
    }
}
