//! Facts about a loop that counts one variable up or down: which variable, in which steps, its
//! bound, what keeps its value throughout, and which index is the variable plus something that
//! stays the same.

use super::ast::ExprKind;
use super::symbols::SymKind;
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

/// A loop over a private integer variable that its body does not change.
#[derive(Clone, Copy)]
pub(crate) struct CountedLoop {
    /// The variable.
    pub(crate) variable: u32,
    /// Its increment.
    pub(crate) step: Step,
    /// Expressions of the body.
    pub(crate) body: (ExprId, ExprId),
    /// The body may run code that changes variables of the file, or those whose address is known
    /// elsewhere.
    pub(crate) calls: bool,
}

/// The increment of a loop's variable after each iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A number that is not zero.
    By(i128),
    /// An expression that stays the same, or what it is subtracted.
    Value(ExprId, bool),
}

/// `i + offset`
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Offset {
    pub(crate) constant: i128,
    /// Something that stays the same and is added or subtracted.
    pub(crate) variable: Option<(ExprId, bool)>,
}

/// The parts of the loop's head.
pub(crate) struct Head {
    pub(crate) bound: ExprId,
    pub(crate) until: Until,
    pub(crate) inclusive: bool,
    pub(crate) checks_sign: bool,
}

/// When a loop ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    /// The variable reaches the bound from below.
    Above,
    /// The variable reaches the bound from above.
    Below,
    /// The variable is the bound.
    Equal,
}

/// Largest constant step: products with numbers of iterations stay within 64 bits.
const MAX_STEP: i128 = 1 << 20;

impl Unit<'_> {
    /// Whether the tokens of a body can stand in the output twice.
    pub(crate) fn repeatable(&self, lo: TokIdx, hi: TokIdx) -> bool {
        !(lo..hi).any(|t| match self.token(t).kind {
            Tok::Kw(
                K::Static
                | K::Extern
                | K::Goto
                | K::Label
                | K::Asm
                | K::Forall
                | K::Barrier
                | K::Notify
                | K::Wait
                | K::Fence
                | K::Typedef
                | K::Strict,
            ) => true,
            // A type may be used, but not defined.
            Tok::Kw(K::Struct | K::Union | K::Enum) => {
                self.token(t + 1).kind != Tok::Ident
                    || self.token(t + 2).kind == Tok::Punct(P::LBrace)
            }
            Tok::Punct(P::Colon) => {
                // A label; `case x:` and `?:` may be repeated.
                self.token(t - 1).kind == Tok::Ident
                    && matches!(
                        self.token(t - 2).kind,
                        Tok::Punct(P::Semi | P::LBrace | P::RBrace | P::RParen | P::Colon)
                    )
            }
            _ => false,
        })
    }

    pub(crate) fn variable_of(&self, e: ExprId) -> Option<u32> {
        match self.expr(self.strip(e)).kind {
            ExprKind::Ident(s) if self.symbol(s).kind == SymKind::Object => Some(s),
            _ => None,
        }
    }

    /// The variable that `i++`, `i -= 2`, `i = i + n` or the like counts, and its step.
    pub(crate) fn counted_variable(&self, step: ExprId) -> Option<(u32, Step)> {
        let by = |e: ExprId, negative: bool| match self.fold_i128(e) {
            Some(v) if v != 0 && v.abs() <= MAX_STEP => {
                Some(Step::By(if negative { -v } else { v }))
            }
            Some(_) => None,
            None => Some(Step::Value(e, negative)),
        };
        let (variable, step) = match self.expr(self.strip(step)).kind {
            ExprKind::Postfix(P::Inc, x) | ExprKind::Unary(P::Inc, x) => {
                (self.variable_of(x)?, Step::By(1))
            }
            ExprKind::Postfix(P::Dec, x) | ExprKind::Unary(P::Dec, x) => {
                (self.variable_of(x)?, Step::By(-1))
            }
            ExprKind::Assign(p @ (P::PlusAssign | P::MinusAssign), x, e) => {
                (self.variable_of(x)?, by(e, p == P::MinusAssign)?)
            }
            ExprKind::Assign(P::Assign, x, sum) => {
                let ExprKind::Binary(p @ (P::Plus | P::Minus), a, b) =
                    self.expr(self.strip(sum)).kind
                else {
                    return None;
                };
                let v = self.variable_of(x)?;
                match (self.variable_of(a) == Some(v), p) {
                    (true, _) => (v, by(b, p == P::Minus)?),
                    (false, P::Plus) if self.variable_of(b) == Some(v) => (v, by(a, false)?),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let ty = self.symbol(variable).ty;
        let quals = self.types.quals(ty);
        let rank = self.types.arithmetic(ty).and_then(Arithmetic::rank_to_64);
        let integer = rank.is_some_and(|r| r > Rank::Bool) && quals.shared.is_none();
        (integer
            && quals.bits & (VOLATILE | ATOMIC) == 0
            && !matches!(self.types.kind(ty), Type::Enum(_)))
        .then_some((variable, step))
    }

    /// Whether only the loop itself changes its variable, as far as its body is concerned.
    pub(crate) fn is_counter(&self, counted: &CountedLoop) -> bool {
        let symbol = self.symbol(counted.variable);
        !self.is_changed(counted.variable, counted.body)
            && symbol.kind == SymKind::Object
            && symbol.renamed.is_none()
            && (self.stays_private(counted.variable) || !counted.calls)
    }

    /// Whether calls of the C library in the range may write through a pointer that they are given.
    pub(crate) fn calls_may_write(&self, range: (ExprId, ExprId)) -> bool {
        self.exprs.range(range).iter().any(|e| {
            let ExprKind::Call(_, args) = &e.kind else {
                return false;
            };
            args.iter().any(|a| {
                let ty = self.expr(*a).ty;
                !self.types.is_integer(ty)
                    && self.types.arithmetic(ty).is_none()
                    && !matches!(self.expr(self.strip(*a)).kind, ExprKind::Str)
            })
        })
    }

    /// Whether a variable is an automatic one whose address is never taken in this function.
    pub(crate) fn stays_private(&self, variable: u32) -> bool {
        let s = self.symbol(variable);
        s.local
            && !s.internal
            && !self.exprs.of_declaration().iter().any(|e| match e.kind {
                ExprKind::Unary(P::Amp, x) => self.variable_of(x) == Some(variable),
                _ => false,
            })
    }

    /// Whether expressions in the range assign to a variable by name.
    pub(crate) fn is_changed(&self, variable: u32, range: (ExprId, ExprId)) -> bool {
        self.exprs.range(range).iter().any(|e| match e.kind {
            ExprKind::Assign(_, x, _)
            | ExprKind::Postfix(_, x)
            | ExprKind::Unary(P::Inc | P::Dec, x) => self.variable_of(x) == Some(variable),
            _ => false,
        })
    }

    /// Whether the body may run code that could change variables of the file: calls of functions
    /// that are not the C library's, or stores through private pointers.
    pub(crate) fn calls_user_code(&self, range: (ExprId, ExprId)) -> bool {
        self.exprs.range(range).iter().any(|e| match &e.kind {
            ExprKind::Call(f, _) => match self.expr(self.strip(*f)).kind {
                ExprKind::Ident(s) => {
                    let symbol = self.symbol(s);
                    symbol.kind != SymKind::Function
                        || self.token(symbol.token).flags & (SYSTEM | OURS) != SYSTEM
                }
                _ => true,
            },
            ExprKind::Assign(_, x, _)
            | ExprKind::Postfix(_, x)
            | ExprKind::Unary(P::Inc | P::Dec, x) => self.through_private_pointer(*x),
            _ => false,
        })
    }

    pub(crate) fn through_private_pointer(&self, e: ExprId) -> bool {
        let e = self.strip(e);
        if self.is_shared(e) {
            return false;
        }
        match self.expr(e).kind {
            ExprKind::Ident(_) => false,
            ExprKind::Index(a, _) => {
                self.types.array(self.expr(a).ty).is_none() || self.through_private_pointer(a)
            }
            ExprKind::Member {
                base, arrow: false, ..
            } => self.through_private_pointer(base),
            _ => true,
        }
    }

    /// Whether an integer expression keeps its value throughout the loop, and can be evaluated at
    /// any time.
    pub(crate) fn is_invariant(&self, e: ExprId, counted: &CountedLoop) -> bool {
        let x = self.expr(e);
        if x.depth > 20 || !self.types.is_integer(x.ty) {
            return false;
        }
        match &x.kind {
            ExprKind::Const(_) | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::Ident(s) => self.is_invariant_variable(*s, counted),
            ExprKind::Paren(y) | ExprKind::Unary(P::Plus | P::Minus, y) => {
                self.is_invariant(*y, counted)
            }
            ExprKind::Cast(_, y) => self.is_invariant(*y, counted),
            ExprKind::Binary(
                P::Plus | P::Minus | P::Star | P::Slash | P::Percent | P::Shl | P::Shr,
                a,
                b,
            ) => self.is_invariant(*a, counted) && self.is_invariant(*b, counted),
            ExprKind::SizeofType(K::Sizeof, _) => true,
            _ => false,
        }
    }

    pub(crate) fn is_invariant_variable(&self, s: u32, counted: &CountedLoop) -> bool {
        let symbol = self.symbol(s);
        if matches!(symbol.kind, SymKind::EnumConst(_)) {
            return true;
        }
        let quals = self.types.quals(symbol.ty);
        symbol.kind == SymKind::Object
            && s != counted.variable
            && quals.shared.is_none()
            && quals.bits & VOLATILE == 0
            && !self.is_changed(s, counted.body)
            && (!counted.calls || self.stays_private(s))
    }

    /// Takes the condition apart.
    pub(crate) fn head(&mut self, condition: ExprId, counted: &CountedLoop) -> Option<Head> {
        let ExprKind::Binary(p, a, b) = self.expr(self.strip(condition)).kind else {
            return None;
        };
        let (p, bound) = if self.variable_of(a) == Some(counted.variable) {
            (p, b)
        } else if self.variable_of(b) == Some(counted.variable) {
            let mirrored = match p {
                P::Lt => P::Gt,
                P::Le => P::Ge,
                P::Gt => P::Lt,
                P::Ge => P::Le,
                p => p,
            };
            (mirrored, a)
        } else {
            return None;
        };
        let (until, inclusive) = match p {
            P::Lt => (Until::Above, false),
            P::Le => (Until::Above, true),
            P::Gt => (Until::Below, false),
            P::Ge => (Until::Below, true),
            P::Ne => (Until::Equal, false),
            _ => return None,
        };
        let fits = match (counted.step, until) {
            (Step::By(s), Until::Above) => s > 0,
            (Step::By(s), Until::Below) => s < 0,
            (Step::By(_), Until::Equal) => true,
            (Step::Value(e, _), _) => until != Until::Equal && self.is_invariant(e, counted),
        };
        if !fits {
            return None;
        }
        if !self.is_invariant(bound, counted) {
            return None;
        }
        let x = self.types.arithmetic(self.symbol(counted.variable).ty)?;
        let y = self.types.arithmetic(self.expr(bound).ty)?;
        Some(Head {
            bound,
            until,
            inclusive,
            checks_sign: x.max(y).is_unsigned(),
        })
    }

    pub(crate) fn strip_casts(&self, mut e: ExprId) -> ExprId {
        loop {
            e = self.strip(e);
            match self.expr(e).kind {
                ExprKind::Cast(name, x)
                    if self
                        .types
                        .arithmetic(name.ty)
                        .and_then(Arithmetic::rank_to_64)
                        .is_some_and(|r| r >= Rank::Int) =>
                {
                    e = x
                }
                _ => return e,
            }
        }
    }

    /// `e` as the loop's variable plus an offset.
    pub(crate) fn offset_of(
        &self,
        e: ExprId,
        minus: bool,
        counted: &CountedLoop,
    ) -> Option<Offset> {
        let none = Offset {
            constant: 0,
            variable: None,
        };
        let e = self.strip_casts(e);
        if minus {
            return None;
        }
        if self.variable_of(e) == Some(counted.variable) {
            return Some(none);
        }
        let ExprKind::Binary(p @ (P::Plus | P::Minus), a, b) = self.expr(e).kind else {
            return None;
        };
        // An unsigned sum may wrap around where the sum of longs does not.
        if self.types.arithmetic(self.expr(e).ty)? <= Arithmetic::Integer(Rank::Int, Sign::Unsigned)
            && self.types.arithmetic(self.expr(e).ty)?.is_unsigned()
        {
            return None;
        }
        let is_variable =
            |x: ExprId| self.variable_of(self.strip_casts(x)) == Some(counted.variable);
        let rest = if is_variable(a) {
            b
        } else if is_variable(b) && p == P::Plus {
            a
        } else {
            return None;
        };
        let negative = p == P::Minus;
        match self.fold_i128(rest) {
            Some(v) => Some(Offset {
                constant: if negative { -v } else { v },
                variable: None,
            }),
            None => self.is_invariant(rest, counted).then_some(Offset {
                constant: 0,
                variable: Some((rest, negative)),
            }),
        }
    }

    pub(crate) fn same_offset(&self, a: Offset, b: Offset) -> bool {
        let same = match (a.variable, b.variable) {
            (None, None) => true,
            (Some((x, m)), Some((y, n))) => {
                m == n
                    && self.variable_of(x).is_some()
                    && self.variable_of(x) == self.variable_of(y)
            }
            _ => false,
        };
        same && a.constant == b.constant
    }
}
