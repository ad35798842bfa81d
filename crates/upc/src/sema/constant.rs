//! Integer constant expressions, as far as layouts and array lengths need them. With a dynamic
//! number of threads a value can be a multiple of THREADS.

use super::ast::ExprKind;
use super::symbols::SymKind;
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

/// Value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// A number.
    Value(i128),
    /// This number times THREADS, exactly once.
    Threads(i128),
    /// Constant perhaps, but only the C compiler can say which.
    Opaque,
    /// No constant.
    NotConstant,
}

impl Unit<'_> {
    /// The value as a plain number.
    pub(crate) fn fold_i128(&self, e: ExprId) -> Option<i128> {
        match self.fold(e) {
            Fold::Value(v) => Some(v),
            _ => None,
        }
    }

    pub(crate) fn fold_u64(&self, e: ExprId) -> u64 {
        self.fold_i128(e)
            .and_then(|v| u64::try_from(v).ok())
            .unwrap_or(0)
    }

    /// Evaluates a constant expression.
    pub(crate) fn fold(&self, e: ExprId) -> Fold {
        use Fold::*;
        let expr = self.expr(e);
        if expr.depth > 1000 {
            return NotConstant;
        }
        match &expr.kind {
            ExprKind::Const(Some(v)) => Value(*v),
            ExprKind::Const(None) => Opaque,
            ExprKind::Threads => match self.options.threads {
                Some(n) => Value(i128::from(n)),
                None => Threads(1),
            },
            ExprKind::Paren(x) | ExprKind::Prefix(K::Extension, x) => self.fold(*x),
            ExprKind::Ident(s) => match self.symbol(*s).kind {
                SymKind::EnumConst(Some(v)) => Value(v),
                SymKind::EnumConst(None) => Opaque,
                _ => NotConstant,
            },
            ExprKind::Unary(p, x) => match (p, self.fold(*x)) {
                (P::Plus, v) => v,
                (P::Minus, Value(v)) => checked(v.checked_neg()),
                (P::Tilde, Value(v)) => Value(!v),
                (P::Not, Value(v)) => Value(i128::from(v == 0)),
                (P::Amp | P::Star | P::Inc | P::Dec, _) => NotConstant,
                (_, NotConstant) => NotConstant,
                _ => Opaque,
            },
            ExprKind::Binary(p, a, b) => self.fold_binary(*p, *a, *b),
            ExprKind::Cond(c, t, f) => match self.fold(*c) {
                Value(0) => self.fold(*f),
                Value(v) => t.map_or(Value(v), |t| self.fold(t)),
                other => other,
            },
            ExprKind::Cast(name, x) => match (self.types.arithmetic(name.ty), self.fold(*x)) {
                (_, NotConstant) => NotConstant,
                (Some(to), Value(v)) if to.rank_to_64().is_some() => {
                    Value(self.wrap(name.ty, to, v))
                }
                (Some(to), Threads(v)) if to.rank_to_64().is_some() => Threads(v),
                _ => Opaque,
            },
            ExprKind::SizeofType(K::Sizeof, name) => self.fold_size(name.ty),
            ExprKind::SizeofExpr(K::Sizeof, x) => match self.expr(self.strip(*x)).kind {
                ExprKind::Str => Opaque,
                _ => self.fold_size(self.expr(*x).ty),
            },
            ExprKind::SizeofType(..) | ExprKind::SizeofExpr(..) => Opaque,
            ExprKind::Other(_) | ExprKind::Undeclared(_) => Opaque,
            ExprKind::Call(f, _) => match self.expr(*f).kind {
                ExprKind::Undeclared(_) => Opaque,
                _ => NotConstant,
            },
            _ => NotConstant,
        }
    }

    fn fold_size(&self, ty: QualTy) -> Fold {
        if let Some((elem, Len::Const { n, threads: true })) = self.types.array(ty) {
            return match self.types.size(elem) {
                Some((size, _)) => Fold::Threads(i128::from(size) * i128::from(n)),
                None => Fold::Opaque,
            };
        }
        self.types
            .size(ty)
            .map_or(Fold::Opaque, |(size, _)| Fold::Value(i128::from(size)))
    }

    fn wrap(&self, ty: QualTy, to: Arithmetic, v: i128) -> i128 {
        if to.is_bool() {
            return i128::from(v != 0);
        }
        let bits = self.types.size(ty).map_or(64, |(size, _)| size * 8).min(64) as u32;
        let shift = 128 - bits;
        match to.is_unsigned() {
            false => (v << shift) >> shift,
            true => ((v << shift) as u128 >> shift) as i128,
        }
    }

    fn fold_binary(&self, p: P, a: ExprId, b: ExprId) -> Fold {
        use Fold::*;
        let (x, y) = (self.fold(a), self.fold(b));
        let (v, w) = match (x, y) {
            (NotConstant, _) | (_, NotConstant) => return NotConstant,
            (Value(v), Value(w)) => (v, w),
            (Threads(v), Value(w)) | (Value(w), Threads(v)) if p == P::Star => {
                return v.checked_mul(w).map_or(Opaque, Threads);
            }
            _ => return Opaque,
        };
        let truth = |b: bool| Some(i128::from(b));
        let result = match p {
            P::Star => v.checked_mul(w),
            P::Slash => v.checked_div(w),
            P::Percent => v.checked_rem(w),
            P::Plus => v.checked_add(w),
            P::Minus => v.checked_sub(w),
            P::Shl => u32::try_from(w).ok().filter(|w| *w < 64).map(|w| v << w),
            P::Shr => u32::try_from(w).ok().filter(|w| *w < 64).map(|w| v >> w),
            P::Lt => truth(v < w),
            P::Gt => truth(v > w),
            P::Le => truth(v <= w),
            P::Ge => truth(v >= w),
            P::EqEq => truth(v == w),
            P::Ne => truth(v != w),
            P::Amp => Some(v & w),
            P::Caret => Some(v ^ w),
            P::Pipe => Some(v | w),
            P::AndAnd => truth(v != 0 && w != 0),
            P::OrOr => truth(v != 0 || w != 0),
            _ => return NotConstant,
        };
        result
            .filter(|r| r.unsigned_abs() < 1 << 100)
            .map_or(Opaque, Value)
    }

    /// Whether it is THREADS, alone or multiplied by an expression without it: `THREADS * (10 *
    /// 2)`, not `THREADS * 10 * 2`, which multiplies `THREADS * 10`.
    pub(crate) fn is_multiple_of_threads(&self, e: ExprId) -> bool {
        let is_threads = |e: ExprId| matches!(self.expr(self.strip(e)).kind, ExprKind::Threads);
        let e = self.strip(e);
        match self.expr(e).kind {
            ExprKind::Binary(P::Star, a, b) => {
                (is_threads(a) && !self.mentions_threads(b))
                    || (is_threads(b) && !self.mentions_threads(a))
            }
            // The length of another array, say.
            _ => is_threads(e) || !self.mentions_threads(e),
        }
    }

    /// In `x * THREADS`, where x is an expression for the C compiler: x.
    pub(crate) fn threads_factor(&self, e: ExprId) -> Option<ExprId> {
        let e = self.strip(e);
        let ExprKind::Binary(P::Star, a, b) = self.expr(e).kind else {
            return None;
        };
        match (self.fold(a), self.fold(b)) {
            (Fold::Threads(1), Fold::Opaque) => Some(b),
            (Fold::Opaque, Fold::Threads(1)) => Some(a),
            _ => None,
        }
    }

    /// Whether it is a null pointer constant.
    pub(crate) fn is_null(&self, e: ExprId) -> bool {
        let e = self.strip(e);
        match &self.expr(e).kind {
            ExprKind::Cast(name, x) => {
                self.is_null(*x)
                    && (self.types.is_integer(name.ty)
                        || self
                            .types
                            .pointee(name.ty)
                            .is_some_and(|to| self.types.is_void(to)))
            }
            ExprKind::Prefix(K::Extension, x) => self.is_null(*x),
            _ => self.types.is_integer(self.expr(e).ty) && self.fold(e) == Fold::Value(0),
        }
    }
}

fn checked(v: Option<i128>) -> Fold {
    v.map_or(Fold::Opaque, Fold::Value)
}
