//! Work that the parser leaves for the lowering at the end of an external declaration: full
//! expressions, `upc_forall` loops, and objects that get their first value before main.

use super::rope::Rope;
use crate::sema::ast::Affinity;
use crate::sema::types::*;
use crate::syntax::token::*;

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

/// A full expression.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The expression.
    pub expr: ExprId,
    /// Where its value goes.
    pub to: Use,
    /// The straight line of code that it is part of: full expressions with the same number are
    /// evaluated together or not at all.
    pub straight: u32,
}

/// A loop that waits for a flag.
#[derive(Clone, Copy)]
pub(crate) struct FlagWait {
    /// Of its variable.
    pub(crate) number: u32,
    /// Its expressions, to before the second.
    pub(crate) exprs: (ExprId, ExprId),
}

/// A `upc_forall` statement.
#[derive(Clone, Debug)]
pub struct Forall {
    /// The keyword.
    pub keyword: TokIdx,
    /// Declarations of the first part that must stand before the loop.
    pub outside: Option<Rope>,
    /// Tokens of the first part of the head.
    pub init: (TokIdx, TokIdx),
    /// The condition.
    pub condition: Option<ExprId>,
    /// The third part of the head.
    pub step: Option<ExprId>,
    /// The semicolon before the affinity.
    pub last_semi: TokIdx,
    /// The affinity.
    pub affinity: Affinity,
    /// The closing parenthesis of the head.
    pub close: TokIdx,
    /// The last token of the body.
    pub end: TokIdx,
    /// Its full expressions, as indices in the list of those.
    pub body_roots: (usize, usize),
    /// Its expressions.
    pub body_exprs: (ExprId, ExprId),
    /// It contains another one.
    pub nested: bool,
    /// Something in it may leave it other than by its end.
    pub escapes: bool,
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

/// Initialiser of a shared object.
#[derive(Clone, Copy, Debug)]
pub struct Initialiser {
    /// Its tokens.
    pub tokens: (TokIdx, TokIdx),
    /// There is an address of a shared object in it.
    pub has_address: bool,
    /// The largest index in its designators.
    pub largest_index: u64,
}

/// A loop: its tokens and expressions, each to before the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopRange {
    pub(crate) tokens: (TokIdx, TokIdx),
    pub(crate) exprs: (ExprId, ExprId),
}

/// The body of a function that reports nothing but its own begin and end.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) range: LoopRange,
    /// The token after which declarations may stand.
    pub(crate) at: TokIdx,
    /// Code that reports its begin and end.
    pub(crate) call: String,
}

/// See the module.
#[derive(Default)]
pub struct Work {
    pub(super) roots: Vec<Root>,
    pub(super) foralls: Vec<Forall>,
    pub(super) loops: Vec<LoopRange>,
    /// Loops that wait for a flag.
    pub(super) flag_waits: Vec<FlagWait>,
    /// The function's body, if it may be printed twice as a whole.
    pub(super) body: Option<Body>,
    straight: u32,
    /// The straight line that the function begins with.
    pub(super) entry: u32,
    pub(super) deferred: Vec<Deferred>,
}

impl Work {
    /// Adds a full expression.
    pub fn root(&mut self, expr: ExprId, to: Use) {
        let straight = self.straight;
        self.roots.push(Root { expr, to, straight });
    }

    /// The following text may be evaluated without the one before, or the reverse.
    pub fn branch(&mut self) {
        self.straight += 1;
    }

    /// Number of the current straight line.
    pub fn straight(&self) -> u32 {
        self.straight
    }

    /// The function that was read begins with this straight line.
    pub fn entered(&mut self, straight: u32) {
        self.entry = straight;
    }

    /// Number of full expressions.
    pub fn roots(&self) -> usize {
        self.roots.len()
    }

    /// The value of `expr`, which is the full expression of that number, is used after all.
    pub fn use_value(&mut self, number: usize, expr: ExprId) {
        if let Some(root) = self.roots.get_mut(number).filter(|r| r.expr == expr) {
            root.to = Use::Value;
        }
    }

    /// Adds a loop of any kind.
    pub(crate) fn loop_range(&mut self, tokens: (TokIdx, TokIdx), exprs: (ExprId, ExprId)) {
        self.loops.push(LoopRange { tokens, exprs });
    }

    /// Adds a `upc_forall`.
    pub fn forall(&mut self, forall: Forall) {
        self.foralls.push(forall);
    }

    /// Number of loops.
    pub fn foralls(&self) -> usize {
        self.foralls.len()
    }

    /// Adds a pointer-to-shared that is set before main.
    pub fn defer(&mut self, deferred: Deferred) {
        self.deferred.push(deferred);
    }

    /// Number of such pointers.
    pub fn deferred(&self) -> usize {
        self.deferred.len()
    }

    /// Keeps the first `number` of them.
    pub fn truncate_deferred(&mut self, number: usize) {
        self.deferred.truncate(number);
    }

    /// Drops what is in a declaration that was not understood.
    pub fn drop_statements(&mut self) {
        self.roots.clear();
        self.foralls.clear();
        self.loops.clear();
        self.flag_waits.clear();
        self.body = None;
    }
}
