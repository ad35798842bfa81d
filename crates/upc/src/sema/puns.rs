//! Conversions of pointers by which a unit may access memory as another type than it has. Where
//! there are none, the C compiler may assume that pointers to different types point to different
//! memory, as C lets it.

use super::ast::ExprKind;
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

impl Unit<'_> {
    /// Notes a conversion of `e` to type `to`, if it makes a pointer to one type one to another. To
    /// characters and to `void *` it is harmless; from `void *` only if a function like
    /// `malloc` returns it, since anything may have become one.
    pub(crate) fn note_pun(&mut self, to: QualTy, e: ExprId) {
        let Some(target) = self.types.pointee(to) else {
            return;
        };
        if self.puns || self.token(self.expr(e).lo).flags & (SYSTEM | OURS) != 0 || self.is_null(e)
        {
            return;
        }
        let from = self.value_type(e);
        self.puns = match self.types.pointee(from) {
            Some(source) if self.types.is_void(source) => {
                !self.is_harmless(target) && !self.types.is_void(target) && !self.is_new(e)
            }
            Some(source) => !self.is_accessed_as(source, target),
            None => !self.is_harmless(target),
        };
    }

    /// Whether memory of type `source` may be accessed through a pointer to `target`.
    fn is_accessed_as(&self, source: QualTy, target: QualTy) -> bool {
        self.types.is_void(target) || self.is_harmless(target) || self.is_same(source, target, 0)
    }

    /// Whether a call gives memory that has no type yet.
    fn is_new(&self, e: ExprId) -> bool {
        const OF_OTHERS: &[&str] = &["upc_cast", "bupc_cast"];
        let ExprKind::Call(f, ..) = self.expr(self.strip(e)).kind else {
            return false;
        };
        match self.expr(f).kind {
            ExprKind::Ident(s) => !OF_OTHERS.contains(&self.name(self.symbol(s).name)),
            _ => true,
        }
    }

    fn is_harmless(&self, target: QualTy) -> bool {
        match self.types.kind(target) {
            Type::Func(_) => true,
            // `_Bool` is as short as a character, and none.
            Type::Basic {
                size, arithmetic, ..
            } => *size <= 1 && !arithmetic.is_some_and(Arithmetic::is_bool),
            _ => false,
        }
    }

    fn is_same(&self, a: QualTy, b: QualTy, depth: u32) -> bool {
        let (a, b) = (self.types.ultimate(a), self.types.ultimate(b));
        if depth > 50
            || self.types.quals(a).shared.is_some() != self.types.quals(b).shared.is_some()
                && depth > 0
        {
            return false;
        }
        match (self.types.kind(a), self.types.kind(b)) {
            (Type::Pointer(x), Type::Pointer(y)) => self.is_same(*x, *y, depth + 1),
            (Type::Func(_), Type::Func(_)) => true,
            (x, y) => {
                self.types.same_leaf(x, y) || (self.types.is_void(a) && self.types.is_void(b))
            }
        }
    }
}
