//! One translation unit while it is compiled: tokens, types, names in scope, expressions, and the edits that
//! turn it into C. The parser, the checks and the lowering are methods of [`Unit`], each in its own module.

use crate::diagnostic::{Diagnostic, Note, Place, Severity};
use crate::emit::rope::{Edits, Rope};
use crate::locate::Pending;
use crate::sema::ast::{Expr, ExprKind};
use crate::sema::types::*;
use crate::syntax::lex::{PragmaFault, Source};
use crate::syntax::token::*;
use crate::Options;
use std::collections::HashSet;

/// A syntax error was reported; parsing goes on after the statement or declaration that it is in.
#[derive(Debug)]
pub struct Abort;

/// Result of a parsing function.
pub type Parse<T> = Result<T, Abort>;

/// What a declared identifier stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymKind {
    /// An object.
    Object,
    /// A function.
    Function,
    /// A typedef name.
    Typedef,
    /// An enumeration constant, with its value if it is known.
    EnumConst(Option<i128>),
}

/// A declared identifier.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: SymKind,
    /// Its type.
    pub ty: QualTy,
    /// Token of the name in its (first) declaration.
    pub token: TokIdx,
    /// It has internal linkage.
    pub internal: bool,
    /// It was defined (functions with their body; shared objects also tentatively).
    pub defined: bool,
    /// Declared in a block or parameter list.
    pub local: bool,
    /// Name by which generated code speaks of it, where it is not its own.
    pub renamed: Option<String>,
    /// `upcr_obj_...` was declared at file scope.
    pub object_declared: bool,
}

/// Where the value of a full expression goes.
#[derive(Clone, Copy, Debug)]
pub enum Use {
    /// Nowhere.
    Void,
    /// It is used as it is.
    Value,
    /// It is compared with zero.
    Condition,
    /// It is converted to this type as if by assignment.
    Convert(QualTy),
    /// It initialises something with static storage: null constants must be constants in C.
    Static(QualTy),
    /// It is not evaluated.
    Unevaluated,
}

/// A full expression that waits for its lowering at the end of the external declaration.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The expression.
    pub expr: ExprId,
    /// Where its value goes.
    pub to: Use,
}

/// What the parser knows about the function that it is in.
pub struct Function {
    /// What it returns.
    pub ret: QualTy,
    /// How many upc_forall statements are around.
    pub forall_depth: u32,
    /// Loops and switches within the innermost upc_forall.
    pub breakable: u32,
}

/// See the module.
pub struct Unit<'s> {
    pub(crate) src: Source<'s>,
    pub(crate) options: &'s Options,
    pub(crate) pos: TokIdx,
    pub(crate) types: Types,
    pub(crate) symbols: Vec<Symbol>,
    /// By name: number of the current symbol plus one.
    pub(crate) visible: Vec<u32>,
    /// By name: current tag as (1 + 2 * number + is_enum).
    pub(crate) tags: Vec<u32>,
    /// What to restore at the end of each scope: (is a tag, name, old value).
    pub(crate) scopes: Vec<Vec<(bool, Name, u32)>>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) roots: Vec<Root>,
    pub(crate) foralls: Vec<crate::emit::forall::Forall>,
    pub(crate) edits: Edits,
    pub(crate) diagnostics: Vec<Pending>,
    /// Errors among them.
    pub(crate) errors: usize,
    /// A syntax error was reported: what was not understood may declare names.
    pub(crate) broken: bool,
    /// Parsing cannot go on.
    pub(crate) hopeless: bool,
    /// A declaration at file scope was not understood: others that are not either may be parts of it.
    pub(crate) lost: bool,
    /// Null constants as arguments of functions that were not declared: function, number of the argument, tokens.
    pub(crate) undeclared_nulls: Vec<(Name, usize, TokIdx, TokIdx)>,
    /// Undeclared names that were reported in the current external declaration.
    pub(crate) undeclared: HashSet<Name>,
    /// The last synchronisation statement on the straight way to here.
    pub(crate) last_sync: Option<crate::sema::synchronise::LastSync>,
    /// Shared objects that were initialised.
    pub(crate) initialised: HashSet<u32>,
    /// The first block whose `}` is indented less than its beginning: its `{` and that `}`.
    pub(crate) suspect: Option<(TokIdx, TokIdx)>,
    pub(crate) reported: HashSet<(TokIdx, String)>,
    pub(crate) nesting: u32,
    pub(crate) unevaluated: u32,
    pub(crate) functions: Vec<Function>,
    /// Text for file scope before the current external declaration, and after it.
    pub(crate) hoisted: Rope,
    pub(crate) trailer: Rope,
    /// Names under which functions are declared that report nothing.
    pub(crate) plain_names: HashSet<String>,
    pub(crate) counter: u32,
    pub(crate) main: Option<u32>,
    pub(crate) forall_helper: bool,
    pub(crate) syms: Known,
    /// Private static pointers-to-shared that are initialised in the current external declaration.
    pub(crate) deferred: Vec<Deferred>,
    /// Pointers to what is set so in objects of a block: they stand after the declaration that is being parsed, because
    /// types of the block cannot be named elsewhere.
    pub(crate) block_pointers: String,
    /// In the initialiser of a shared object that is being read: there is an address of a shared object in it.
    pub(crate) value_has_address: bool,
    /// The largest index in its designators.
    pub(crate) largest_index: u64,
    /// Number of declarators in the last declaration, if it was written anew.
    pub(crate) written_anew: usize,
    /// First expression of the current external declaration.
    pub(crate) declaration_exprs: usize,
    /// The address of something that is accessed is being written: it is checked.
    pub(crate) accessing: bool,
    /// The loop over own elements whose body is being lowered.
    pub(crate) own: Option<crate::emit::own::OwnLoop>,
    /// Loops of the current external declaration, inner ones first.
    pub(crate) loops: Vec<crate::sema::changes::Loop>,
    /// Full expressions of loop bodies that stand beside a form over own elements, and are hardly ever run; whether
    /// they may call functions for addresses.
    pub(crate) far_roots: Vec<((usize, usize), bool)>,
    /// One of them is being lowered.
    pub(crate) far: bool,
    /// One that may call functions.
    pub(crate) far_calls: bool,
    /// Whether the current external declaration calls a function that returns twice, once that is known.
    pub(crate) twice: Option<bool>,
    /// After which token declarations may be added to the current function.
    pub(crate) function_begin: Option<TokIdx>,
    /// Variables of the current function that remember where accesses were.
    pub(crate) runs: Vec<crate::emit::index::Run>,
    /// Labels and gotos of the current function.
    pub(crate) labels: Vec<Name>,
    pub(crate) gotos: Vec<TokIdx>,
    /// The last expression statement and its place in `roots`.
    pub(crate) last_statement: Option<(ExprId, usize)>,
    /// What it does to shared data that is not reported.
    pub(crate) unseen: crate::Unseen,
    /// It converts pointers to one type to pointers to another.
    pub(crate) puns: bool,
}

/// A private static pointer-to-shared that gets its first value before main.
pub struct Deferred {
    /// How generated code names it.
    pub path: String,
    /// The value.
    pub expr: ExprId,
    /// Its type.
    pub ty: QualTy,
}

/// Names that the compiler looks for.
pub struct Known {
    pub(crate) main: Name,
    pub(crate) lock_t: Name,
}

/// Deepest nesting of expressions, statements, declarators and initialisers.
pub const MAX_NESTING: u32 = 50_000;
/// Longest chain of operators in one expression.
pub const MAX_DEPTH: u32 = 60_000;

impl<'s> Unit<'s> {
    /// A unit over tokens.
    pub fn new(mut src: Source<'s>, options: &'s Options) -> Self {
        let syms = Known {
            main: src.intern("main"),
            lock_t: src.intern("upc_lock_t"),
        };
        let names = src.names.len();
        Unit {
            src,
            options,
            pos: 0,
            types: Types::default(),
            symbols: Vec::new(),
            visible: vec![0; names],
            tags: vec![0; names],
            scopes: Vec::new(),
            exprs: Vec::new(),
            roots: Vec::new(),
            foralls: Vec::new(),
            edits: Edits::default(),
            diagnostics: Vec::new(),
            errors: 0,
            broken: false,
            hopeless: false,
            lost: false,
            undeclared: HashSet::new(),
            undeclared_nulls: Vec::new(),
            last_sync: None,
            initialised: HashSet::new(),
            suspect: None,
            reported: HashSet::new(),
            nesting: 0,
            unevaluated: 0,
            functions: Vec::new(),
            hoisted: Rope::default(),
            trailer: Rope::default(),
            plain_names: HashSet::new(),
            counter: 0,
            main: None,
            forall_helper: false,
            syms,
            deferred: Vec::new(),
            block_pointers: String::new(),
            value_has_address: false,
            largest_index: 0,
            written_anew: 0,
            declaration_exprs: 0,
            accessing: false,
            own: None,
            loops: Vec::new(),
            far_roots: Vec::new(),
            far: false,
            far_calls: false,
            twice: None,
            function_begin: None,
            runs: Vec::new(),
            labels: Vec::new(),
            gotos: Vec::new(),
            last_statement: None,
            unseen: crate::Unseen::default(),
            puns: false,
        }
    }

    // Tokens

    pub(crate) fn token(&self, t: TokIdx) -> &Token {
        &self.src.tokens[(t as usize).min(self.src.tokens.len() - 1)]
    }

    pub(crate) fn kind(&self) -> Tok {
        self.token(self.pos).kind
    }

    pub(crate) fn kind_at(&self, ahead: u32) -> Tok {
        self.token(self.pos + ahead).kind
    }

    pub(crate) fn is(&self, p: P) -> bool {
        self.kind() == Tok::Punct(p)
    }

    pub(crate) fn is_kw(&self, k: K) -> bool {
        self.kind() == Tok::Kw(k)
    }

    pub(crate) fn advance(&mut self) -> TokIdx {
        let t = self.pos;
        if self.kind() != Tok::Eof {
            self.pos += 1;
        }
        t
    }

    pub(crate) fn advance_name(&mut self) -> Name {
        let t = self.advance();
        self.token(t).name
    }

    pub(crate) fn accept(&mut self, p: P) -> bool {
        let found = self.is(p);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn accept_kw(&mut self, k: K) -> bool {
        let found = self.is_kw(k);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect(&mut self, p: P, after: &str) -> Parse<TokIdx> {
        if self.is(p) {
            return Ok(self.advance());
        }
        if p == P::Semi {
            return self.missing_semicolon(after);
        }
        self.unexpected(&format!("'{}' {after}", p.text()))
    }

    /// Name of a symbol or member as text.
    pub(crate) fn name(&self, n: Name) -> &'s str {
        self.src.names[n as usize]
    }

    /// `"file", line` of a token as arguments of the runtime.
    pub(crate) fn place(&self, t: TokIdx) -> String {
        let t = self.token(t);
        format!("\"{}\", {}", self.src.files[t.file as usize], t.line)
    }

    pub(crate) fn unique(&mut self) -> u32 {
        self.counter += 1;
        self.counter
    }

    // Messages

    /// What stands at the current token, for messages.
    fn found(&self) -> String {
        match self.kind() {
            Tok::Eof => "the end of the file".to_owned(),
            Tok::Kw(_) => format!("keyword '{}'", self.src.text_of(self.pos)),
            Tok::Str => "a string".to_owned(),
            Tok::Other => {
                let text = self.src.text_of(self.pos);
                match text.starts_with(['"', '\'']) {
                    true => {
                        "a string or character constant that does not end on its line".to_owned()
                    }
                    false => format!("character '{text}', which is not part of C"),
                }
            }
            _ => format!("'{}'", self.src.text_of(self.pos)),
        }
    }

    /// Reports a syntax error at the current token.
    pub(crate) fn unexpected<T>(&mut self, expected: &str) -> Parse<T> {
        self.unexpected_because(expected, "")
    }

    /// Reports a syntax error at the current token, with a hint.
    pub(crate) fn unexpected_because<T>(&mut self, expected: &str, hint: &str) -> Parse<T> {
        self.broken = true;
        if self.lost && self.functions.is_empty() {
            return Err(Abort);
        }
        let message = format!("expected {expected}, found {}", self.found());
        let (lo, hi) = match expected.starts_with("';'") && self.begins_line() {
            // A missing ';' belongs to the line on which it is missing.
            true => (self.pos - 1, self.pos),
            false => (self.pos, self.pos + 1),
        };
        self.error(lo, hi, &message, "", hint);
        Err(Abort)
    }

    /// Whether the current token is not on the line of the one before it.
    pub(crate) fn begins_line(&self) -> bool {
        let (t, previous) = (self.token(self.pos), self.token(self.pos.saturating_sub(1)));
        self.pos > 0 && t.line != previous.line && t.file == previous.file
    }

    /// Reports that `;` is missing, and goes on as if it were there where that is what was meant.
    pub(crate) fn missing_semicolon(&mut self, after: &str) -> Parse<TokIdx> {
        let meant = self.begins_line() || self.is(P::RBrace);
        let broken = self.broken;
        match self.unexpected::<TokIdx>(&format!("';' {after}")) {
            Err(_) if meant && self.kind() != Tok::Eof => {
                self.broken = broken;
                Ok(self.pos.saturating_sub(1))
            }
            result => result,
        }
    }

    pub(crate) fn report(
        &mut self,
        severity: Severity,
        lo: TokIdx,
        hi: TokIdx,
        message: String,
        rule: Option<&str>,
        hint: Option<&str>,
    ) {
        let system = self.token(lo).flags & (SYSTEM | OURS) != 0;
        if (severity == Severity::Warning && system) || !self.reported.insert((lo, message.clone()))
        {
            return;
        }
        if severity == Severity::Error {
            self.errors += 1;
        }
        self.diagnostics.push(Pending {
            diagnostic: Diagnostic {
                severity,
                file: String::new(),
                line: 0,
                column: 0,
                length: 1,
                message,
                rule: rule.map(str::to_owned),
                hint: hint.map(str::to_owned),
                source_line: None,
                included_from: Vec::new(),
                notes: Vec::new(),
            },
            lo,
            hi,
            notes: Vec::new(),
            at: None,
        });
    }

    /// Warns of pragmas that mean nothing.
    pub(crate) fn check_pragmas(&mut self) {
        for (fault, file, line) in std::mem::take(&mut self.src.odd_pragmas) {
            let at = (file, line);
            let (text, hint) = match fault {
                PragmaFault::Unknown => (
                    "this pragma is not known and is ignored",
                    "'#pragma upc strict', '#pragma upc relaxed', '#pragma pupc on' and '#pragma pupc off' are",
                ),
                PragmaFault::Trailing => (
                    "what follows the pragma on its line is ignored",
                    "write '#pragma upc strict' or '#pragma upc relaxed' and nothing else",
                ),
                PragmaFault::Misplaced => (
                    "this pragma is neither outside of declarations nor at the beginning of a block",
                    "it counts from here to the end of the block; what other compilers make of it is not defined",
                ),
            };
            // The first token serves for all: what comes first in the file is none of theirs.
            self.reported.clear();
            self.report(
                Severity::Warning,
                self.src.tokens.len() as TokIdx - 1,
                self.src.tokens.len() as TokIdx,
                text.to_owned(),
                Some("UPC 1.3, 6.7.1"),
                Some(hint),
            );
            if let Some(last) = self.diagnostics.last_mut() {
                last.at = Some(at);
            }
        }
        self.reported.clear();
    }

    /// Adds a place to the message that was reported last.
    pub(crate) fn note(&mut self, token: TokIdx, message: &str) {
        if let Some(last) = self.diagnostics.last_mut() {
            let same = |n: (&TokIdx, &Note)| *n.0 == token && n.1.message == message;
            if last.notes.iter().zip(&last.diagnostic.notes).any(same) {
                return;
            }
            last.notes.push(token);
            last.diagnostic.notes.push(Note {
                place: Place::default(),
                message: message.to_owned(),
            });
        }
    }

    pub(crate) fn error(&mut self, lo: TokIdx, hi: TokIdx, message: &str, rule: &str, hint: &str) {
        let (rule, hint) = (
            Some(rule).filter(|s| !s.is_empty()),
            Some(hint).filter(|s| !s.is_empty()),
        );
        self.report(Severity::Error, lo, hi, message.to_owned(), rule, hint);
    }

    pub(crate) fn warn(&mut self, lo: TokIdx, hi: TokIdx, message: &str, rule: &str, hint: &str) {
        let (rule, hint) = (
            Some(rule).filter(|s| !s.is_empty()),
            Some(hint).filter(|s| !s.is_empty()),
        );
        self.report(Severity::Warning, lo, hi, message.to_owned(), rule, hint);
    }

    /// Counts one level of nesting; call [`Unit::leave`] at its end.
    pub(crate) fn enter(&mut self) -> Parse<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let message = format!("nested more than {MAX_NESTING} levels deep");
            self.report(
                Severity::Error,
                self.pos,
                self.pos + 1,
                message,
                None,
                Some("split it into several parts"),
            );
            self.broken = true;
            self.hopeless = true;
            return Err(Abort);
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.nesting -= 1;
    }

    // Scopes

    pub(crate) fn open_scope(&mut self) {
        self.scopes.push(Vec::new());
    }

    pub(crate) fn close_scope(&mut self) {
        for (is_tag, name, old) in self.scopes.pop().unwrap_or_default().into_iter().rev() {
            match is_tag {
                true => self.tags[name as usize] = old,
                false => self.visible[name as usize] = old,
            }
        }
    }

    /// The symbol that a name means here.
    pub(crate) fn lookup(&self, name: Name) -> Option<u32> {
        self.visible[name as usize].checked_sub(1)
    }

    /// Declares a name in the innermost scope.
    pub(crate) fn declare(&mut self, symbol: Symbol) -> u32 {
        let name = symbol.name;
        let number = self.symbols.len() as u32;
        self.symbols.push(symbol);
        self.make_visible(name, number);
        number
    }

    /// Makes a name mean an existing symbol in the innermost scope.
    pub(crate) fn make_visible(&mut self, name: Name, number: u32) {
        let old = std::mem::replace(&mut self.visible[name as usize], number + 1);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((false, name, old));
        }
    }

    /// Declares a tag in the innermost scope; `value` as in `tags`.
    pub(crate) fn declare_tag(&mut self, name: Name, value: u32) {
        let old = std::mem::replace(&mut self.tags[name as usize], value);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((true, name, old));
        }
    }

    /// Whether the tag was declared in the innermost scope.
    pub(crate) fn tag_in_this_scope(&self, name: Name) -> bool {
        match self.scopes.last() {
            Some(scope) => scope.iter().any(|(tag, n, _)| *tag && *n == name),
            None => true,
        }
    }

    // Expressions

    pub(crate) fn expr(&self, e: ExprId) -> &Expr {
        &self.exprs[e as usize]
    }

    /// The expression inside parentheses, and behind `__extension__`, which means nothing.
    pub(crate) fn strip(&self, mut e: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) | ExprKind::Prefix(K::Extension, inner) = self.expr(e).kind
        {
            e = inner;
        }
        e
    }

    pub(crate) fn add_expr(
        &mut self,
        kind: ExprKind,
        lo: TokIdx,
        hi: TokIdx,
        ty: QualTy,
        touched: bool,
        depth: u32,
    ) -> ExprId {
        self.exprs.push(Expr {
            kind,
            lo,
            hi,
            ty,
            touched,
            depth,
        });
        (self.exprs.len() - 1) as ExprId
    }

    /// Notes a full expression for lowering.
    pub(crate) fn root(&mut self, expr: ExprId, to: Use) {
        self.roots.push(Root { expr, to });
    }
}
