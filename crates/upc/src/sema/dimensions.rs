//! THREADS in the dimensions of shared arrays where the number of threads is dynamic: in
//! declarations of objects, and in all types that are written down.

use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

const RULE: &str = "UPC 1.3, 6.5.2.1";

/// Kind of a declarator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DeclaratorKind {
    /// It must have a name: an object, function, typedef or member.
    Named,
    /// It must have none: a type name.
    Abstract,
    /// It may have one: a parameter.
    Parameter,
}

impl Unit<'_> {
    /// Checks the array types in a declarator's type, but for the array that is declared, of which
    /// `shared_object` and `typedef` know more, and for the first dimension of a parameter,
    /// which is a pointer.
    pub(crate) fn check_array_types(&mut self, ty: QualTy, kind: DeclaratorKind, token: TokIdx) {
        if self.options.threads.is_some() || !self.types.mentions_shared(ty) {
            return;
        }
        let mut ty = ty;
        if let Some((elem, _)) = self.types.array(ty) {
            ty = match kind {
                DeclaratorKind::Named => self.types.ultimate(ty),
                DeclaratorKind::Abstract => ty,
                DeclaratorKind::Parameter => elem,
            };
        }
        for _ in 0..100 {
            if self.types.array(ty).is_some() {
                if self.types.shared(ty).is_some() {
                    self.check_dynamic_dimensions(ty, token, false);
                }
                ty = self.types.ultimate(ty);
            }
            // The type behind a typedef name was checked where that was declared.
            ty = match self.types.get(ty.id) {
                Type::Pointer(to) => *to,
                Type::Func(f) => f.ret,
                _ => return,
            };
        }
    }

    /// Checks a shared array; `is_object`: one that is declared, which must have THREADS in a
    /// dimension.
    pub(crate) fn check_dynamic_dimensions(&mut self, ty: QualTy, token: TokIdx, is_object: bool) {
        let mut t = ty;
        while let Some((elem, len)) = self.types.array(t) {
            if let Len::Expr { expr, factor: None } = len {
                if self.mentions_threads(expr) {
                    return self.threads_not_a_factor(expr);
                }
            }
            t = elem;
        }
        let count = self.count(ty);
        let indefinite = self
            .types
            .shared(ty)
            .is_some_and(|s| s.block == Block::Size(0));
        if indefinite {
            if count.threads > 0 {
                let hint = "leave THREADS out, or compile for a static number of threads";
                let text = "an array with layout [] whose length depends on THREADS";
                self.error(token, token + 1, text, RULE, hint);
            }
            return;
        }
        let found = match count.threads {
            0 if is_object && !count.open => "does not occur",
            0 | 1 => return,
            _ => "occurs more than once",
        };
        let text = format!(
            "THREADS {found} in the dimensions of a shared array, and the number of threads is \
             dynamic"
        );
        let hint = match is_object {
            true => {
                "THREADS must be a factor of exactly one dimension; or compile for a static number \
                 of threads; or use layout []"
            }
            false => {
                "THREADS can be a factor of one dimension; or compile for a static number of \
                 threads"
            }
        };
        self.error(token, token + 1, &text, RULE, hint);
    }

    /// Reports a dimension with THREADS in it that is no multiple of THREADS, or not written as
    /// one.
    pub(crate) fn threads_not_a_factor(&mut self, e: ExprId) {
        if self.options.threads.is_some() {
            return;
        }
        let (lo, hi) = (self.expr(e).lo, self.expr(e).hi);
        let hint = "write THREADS, or THREADS times one integer constant, in parentheses if it is \
                    a product; or compile for a static number of threads";
        let text = "THREADS is not a factor of this dimension";
        self.error(lo, hi, text, RULE, hint);
    }
}
