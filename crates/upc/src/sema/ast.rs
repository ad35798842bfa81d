//! Expressions as the parser builds them: typed nodes that know which tokens they came from.
//! Statements have no nodes; what must be changed in them is noted as edits of the token stream.

use super::types::*;
use crate::syntax::token::*;

/// A type name in parentheses.
#[derive(Clone, Copy, Debug)]
pub struct TypeName {
    /// The type.
    pub ty: QualTy,
    /// First token.
    pub lo: TokIdx,
    /// One after the last token.
    pub hi: TokIdx,
}

/// Kind of an expression, with its operands.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant, with its value if it is an integer.
    Const(Option<i128>),
    /// String literals, with the number of bytes if it is known.
    Str,
    /// An identifier that is declared.
    Ident(u32),
    /// An identifier that is not declared.
    Undeclared(Name),
    /// MYTHREAD
    MyThread,
    /// THREADS
    Threads,
    /// In parentheses.
    Paren(ExprId),
    /// A prefix operator.
    Unary(P, ExprId),
    /// `__real__`, `__imag__`, `__extension__`
    Prefix(K, ExprId),
    /// `x++` or `x--`
    Postfix(P, ExprId),
    /// A binary operator.
    Binary(P, ExprId, ExprId),
    /// An assignment.
    Assign(P, ExprId, ExprId),
    /// `c ? a : b`; GNU: `c ?: b`
    Cond(ExprId, Option<ExprId>, ExprId),
    /// A call.
    Call(ExprId, Vec<ExprId>),
    /// `a[i]`; the fields are the pointer or array and the index, in that order even for `i[a]`.
    Index(ExprId, ExprId),
    /// `s.m` or `p->m`
    Member {
        /// Structure or pointer.
        base: ExprId,
        /// The member's name.
        name: Name,
        /// `->`
        arrow: bool,
    },
    /// A cast.
    Cast(TypeName, ExprId),
    /// A size operator on an expression.
    SizeofExpr(K, ExprId),
    /// A size operator on a type.
    SizeofType(K, TypeName),
    /// Anything else, with the expressions in it in order of their tokens.
    Other(Vec<ExprId>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// First token.
    pub lo: TokIdx,
    /// One after the last token.
    pub hi: TokIdx,
    /// Type; of an lvalue with its qualifiers.
    pub ty: QualTy,
    /// It cannot be copied as it is.
    pub needs_lowering: bool,
    /// Nesting of nodes below it.
    pub depth: u32,
}

/// Affinity of a `upc_forall`: the thread that executes an iteration.
#[derive(Clone, Copy, Debug)]
pub enum Affinity {
    /// Every thread.
    All,
    /// The thread of this number, modulo THREADS.
    Integer(ExprId),
    /// The thread that the pointer-to-shared points to.
    Address(ExprId),
}

/// All expressions of a unit, in the order in which they were built.
#[derive(Default)]
pub struct Exprs {
    list: Vec<Expr>,
    /// First expression of the current external declaration.
    declaration: usize,
}

impl Exprs {
    /// The expression of that number.
    #[inline]
    pub fn get(&self, e: ExprId) -> &Expr {
        &self.list[e as usize]
    }

    /// Adds an expression.
    #[inline]
    pub fn add(&mut self, expr: Expr) -> ExprId {
        self.list.push(expr);
        (self.list.len() - 1) as ExprId
    }

    /// The number that the next expression will have.
    #[inline]
    pub fn next(&self) -> ExprId {
        self.list.len() as ExprId
    }

    /// Expressions from the first to before the second.
    pub fn range(&self, (lo, hi): (ExprId, ExprId)) -> &[Expr] {
        &self.list[lo as usize..hi as usize]
    }

    /// Begins an external declaration.
    pub fn begin_external_declaration(&mut self) {
        self.declaration = self.list.len();
    }

    /// Numbers of the expressions of the current external declaration, to before the second.
    pub fn declaration_range(&self) -> (ExprId, ExprId) {
        (self.declaration as ExprId, self.next())
    }

    /// Expressions of the current external declaration.
    pub fn of_declaration(&self) -> &[Expr] {
        &self.list[self.declaration..]
    }
}
