//! Constraints of UPC on expressions and declarations. Only what is wrong for certain is reported:
//! a type that is not understood passes.

use super::ast::{Affinity, ExprKind};
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

impl Unit<'_> {
    fn span(&self, e: ExprId) -> (TokIdx, TokIdx) {
        (self.expr(e).lo, self.expr(e).hi)
    }

    /// The layout of what a pointer-to-shared points to, for messages.
    fn layout(&self, pointer: QualTy) -> String {
        let shared = self
            .types
            .pointee(pointer)
            .and_then(|to| self.types.shared(to));
        match shared.map(|s| s.block) {
            Some(Block::Size(0)) => "block size [] (indefinite)".to_owned(),
            Some(Block::Size(n)) => format!("block size {n}"),
            Some(Block::Star) => "block size [*]".to_owned(),
            _ => "another block size".to_owned(),
        }
    }

    /// Whether two pointers-to-shared have different block sizes for certain.
    fn layouts_differ(&self, a: QualTy, b: QualTy) -> bool {
        let (Some(a), Some(b)) = (self.types.pointee(a), self.types.pointee(b)) else {
            return false;
        };
        if self.types.is_void(a) || self.types.is_void(b) {
            return false;
        }
        match (self.types.shared(a), self.types.shared(b)) {
            (Some(x), Some(y)) => {
                matches!((x.block, y.block), (Block::Size(m), Block::Size(n)) if m != n)
            }
            _ => false,
        }
    }

    /// Checks the conversion of `e` to `to` as if by assignment; `what` is the verb for messages.
    pub(crate) fn check_conversion(&mut self, to: QualTy, e: ExprId, what: &str) {
        self.note_pun(to, e);
        let from = self.value_type(e);
        let (lo, hi) = self.span(e);
        let (pts_to, pts_from) = (self.types.is_pts(to), self.types.is_pts(from));
        const RULE: &str = "UPC 1.3, 6.4.3";
        if !pts_to && !pts_from {
            return;
        }
        if pts_to && pts_from {
            if self.layouts_differ(from, to) {
                let text = format!(
                    "cannot {what} a pointer-to-shared with {} as one with {}",
                    self.layout(from),
                    self.layout(to)
                );
                self.error(
                    lo,
                    hi,
                    &text,
                    RULE,
                    "cast it to the other type: that sets its phase to zero",
                );
            } else {
                self.check_pointees(to, from, lo, hi);
            }
        } else if pts_to {
            if self.is_null(e) || self.types.is_unknown(from) {
                return;
            }
            if self.types.pointee(from).is_some() {
                let text = format!("cannot {what} a pointer-to-private as a pointer-to-shared");
                self.error(
                    lo,
                    hi,
                    &text,
                    RULE,
                    "a private object has no shared address",
                );
            } else if self.types.arithmetic(from).is_some() {
                let undeclared = matches!(self.expr(e).kind, ExprKind::Call(f, _) if matches!(self.expr(f).kind, ExprKind::Undeclared(_)));
                let hint = match undeclared {
                    true => "the function is not declared: include its header, e.g. <upc.h>",
                    false => "write a cast if this is meant",
                };
                self.error(
                    lo,
                    hi,
                    &format!("cannot {what} a number as a pointer-to-shared"),
                    RULE,
                    hint,
                );
            } else {
                self.error(
                    lo,
                    hi,
                    &format!(
                        "cannot {what} {} as a pointer-to-shared",
                        self.type_text(from)
                    ),
                    RULE,
                    "",
                );
            }
        } else if self.types.pointee(to).is_some() {
            let text =
                format!("cannot {what} a pointer-to-shared as a pointer-to-private without a cast");
            self.error(
                lo,
                hi,
                &text,
                RULE,
                "cast it where upc_threadof(p) == MYTHREAD, or copy with upc_memget",
            );
        } else if self.types.arithmetic(to).is_some_and(|a| !a.is_bool()) {
            self.warn(
                lo,
                hi,
                "a pointer-to-shared becomes a number without a cast",
                RULE,
                "write the cast",
            );
        }
    }

    /// Whether what two pointers-to-shared point to is different for certain, and neither is void.
    fn pointees_differ(&self, a: QualTy, b: QualTy) -> bool {
        let (Some(x), Some(y)) = (self.types.pointee(a), self.types.pointee(b)) else {
            return false;
        };
        let simple = |t: QualTy| {
            self.types.array(t).is_none()
                && !self.types.is_void(t)
                && (self.types.arithmetic(t).is_some() || self.types.record(t).is_some())
        };
        simple(x) && simple(y) && self.types_differ(x, y, 0)
    }

    /// A pointer-to-shared that becomes one to another type without a cast.
    fn check_pointees(&mut self, to: QualTy, from: QualTy, lo: TokIdx, hi: TokIdx) {
        if !self.pointees_differ(to, from) {
            return;
        }
        let (Some(x), Some(y)) = (self.types.pointee(from), self.types.pointee(to)) else {
            return;
        };
        let text = format!(
            "a pointer to shared {} becomes a pointer to shared {} without a cast",
            self.type_text(x),
            self.type_text(y)
        );
        self.warn(
            lo,
            hi,
            &text,
            "C99, 6.5.16.1",
            "write the cast if this is meant",
        );
    }

    /// Whether a pointer points to void or something incomplete.
    fn points_to_incomplete(&self, pointer: QualTy) -> bool {
        self.types.pointee(pointer).is_some_and(|to| {
            let to = self.types.ultimate(to);
            self.types.is_void(to) || self.types.record(to).is_some_and(|r| r.members.is_none())
        })
    }

    /// Checks a comparison, or the two branches of `?:`.
    pub(crate) fn check_comparison(&mut self, p: P, a: ExprId, b: ExprId, x: QualTy, y: QualTy) {
        let (px, py) = (self.types.is_pts(x), self.types.is_pts(y));
        if !px && !py {
            return;
        }
        let (lo, hi) = (self.expr(a).lo, self.expr(b).hi);
        const RULE: &str = "UPC 1.3, 6.4.2";
        let relational = matches!(p, P::Lt | P::Gt | P::Le | P::Ge);
        if px && py {
            if self.layouts_differ(x, y) {
                let text = format!(
                    "pointers-to-shared with {} and {} are compared",
                    self.layout(x),
                    self.layout(y)
                );
                self.error(lo, hi, &text, RULE, "cast one to the type of the other");
            } else if p != P::Colon && self.pointees_differ(x, y) {
                let text = "pointers-to-shared of different types are compared";
                self.warn(lo, hi, text, RULE, "cast one to the type of the other");
            } else if relational && (self.points_to_incomplete(x) || self.points_to_incomplete(y)) {
                let text = format!(
                    "'{}' on pointers to shared void or to an incomplete type",
                    p.text()
                );
                self.error(
                    lo,
                    hi,
                    &text,
                    RULE,
                    "cast both to a pointer to a complete type",
                );
            }
            return;
        }
        let (other, expr) = if px { (y, b) } else { (x, a) };
        if self.types.is_unknown(other) || self.is_null(expr) {
            return;
        }
        let kind = if self.types.pointee(other).is_some() {
            "pointer-to-private"
        } else {
            "number"
        };
        self.error(
            lo,
            hi,
            &format!("a pointer-to-shared and a {kind} are compared"),
            RULE,
            "cast one to the type of the other",
        );
    }

    /// Checks `+` and `-` with at least one pointer-to-shared.
    pub(crate) fn check_pointer_arithmetic(
        &mut self,
        p: P,
        a: ExprId,
        b: ExprId,
        x: QualTy,
        y: QualTy,
    ) {
        let (lo, hi) = (self.expr(a).lo, self.expr(b).hi);
        const RULE: &str = "UPC 1.3, 6.4.2";
        let (px, py) = (self.types.is_pts(x), self.types.is_pts(y));
        for t in [x, y] {
            if self.types.is_pts(t) && self.points_to_incomplete(t) {
                let text = "arithmetic on a pointer to shared void or to an incomplete type";
                return self.error(
                    lo,
                    hi,
                    text,
                    RULE,
                    "cast it to a pointer to a complete type",
                );
            }
        }
        let pointer = |t| self.types.pointee(t).is_some();
        if pointer(x) && pointer(y) {
            if p == P::Plus {
                self.error(lo, hi, "two pointers cannot be added", "C99, 6.5.6", "");
            } else if px != py {
                self.error(
                    lo,
                    hi,
                    "subtraction of a pointer-to-shared and a pointer-to-private",
                    RULE,
                    "cast one of them",
                );
            } else if self.layouts_differ(x, y) {
                let text = format!(
                    "subtraction of pointers-to-shared with {} and {}",
                    self.layout(x),
                    self.layout(y)
                );
                self.error(lo, hi, &text, RULE, "cast one to the type of the other");
            } else if self.pointees_differ(x, y) {
                let text = "subtraction of pointers-to-shared of different types";
                self.warn(lo, hi, text, RULE, "cast one to the type of the other");
            }
            return;
        }
        let other = if px { y } else { x };
        if self.types.is_floating(other) || (p == P::Minus && py) {
            self.error(
                lo,
                hi,
                "arithmetic on a pointer-to-shared needs an integer",
                "C99, 6.5.6",
                "",
            );
        }
    }

    /// Checks `++` and `--` on a pointer-to-shared.
    pub(crate) fn check_step(&mut self, e: ExprId, ty: QualTy, hi: TokIdx) {
        if self.points_to_incomplete(ty) {
            let (lo, _) = self.span(e);
            let text = "arithmetic on a pointer to shared void or to an incomplete type";
            self.error(
                lo,
                hi,
                text,
                "UPC 1.3, 6.4.2",
                "cast it to a pointer to a complete type",
            );
        }
    }

    /// Checks that the address of a shared object can be taken.
    pub(crate) fn check_address(&mut self, e: ExprId) {
        if self.is_bit_field(e) {
            let (lo, hi) = self.span(e);
            self.error(
                lo,
                hi,
                "the address of a bit field",
                "C99, 6.5.3.2",
                "take the address of the structure",
            );
        }
    }

    /// Checks the operand of a size operator.
    pub(crate) fn check_size_operator(&mut self, k: K, ty: QualTy, (lo, hi): (TokIdx, TokIdx)) {
        let name = self.src.text_of(lo);
        let rule = match k {
            K::LocalSizeof => "UPC 1.3, 6.4.1.2",
            K::BlockSizeof => "UPC 1.3, 6.4.1.3",
            _ => "UPC 1.3, 6.4.1.4",
        };
        if k == K::Sizeof || k == K::Alignof {
            if self.is_lock(ty) {
                let hint = "only pointers to it are used: 'upc_lock_t *'";
                let text = "upc_lock_t is an incomplete type";
                self.error(lo, hi, text, "UPC 1.3, 7.2.4", hint);
            } else if self.types.shared(ty).is_some() && self.is_incomplete(ty) {
                let text = format!("'{name}' on an incomplete type");
                self.error(lo, hi, &text, "C99, 6.5.3.4", "");
            }
            return;
        }
        if self.types.is_unknown(ty) {
            return;
        }
        if self.types.shared(ty).is_none() {
            self.error(
                lo,
                hi,
                &format!("'{name}' on something that is not shared"),
                rule,
                "use sizeof",
            );
        } else if self.types.is_void(self.types.ultimate(ty)) {
            self.error(lo, hi, &format!("'{name}' on shared void"), rule, "");
        } else if self.is_incomplete(ty) {
            self.error(lo, hi, &format!("'{name}' on an incomplete type"), rule, "");
        }
    }

    fn is_incomplete(&self, ty: QualTy) -> bool {
        matches!(self.types.array(ty), Some((_, Len::None)))
            || self
                .types
                .record(self.types.ultimate(ty))
                .is_some_and(|r| r.members.is_none())
    }

    /// The affinity expression of upc_forall.
    pub(crate) fn check_affinity(&mut self, e: ExprId) -> Affinity {
        let ty = self.value_type(e);
        if self.types.is_pts(ty) {
            return Affinity::Address(e);
        }
        let wrong = self.types.pointee(ty).is_some()
            || self.types.is_floating(ty)
            || self.types.record(ty).is_some()
            || self.types.is_void(ty);
        if wrong {
            let (lo, hi) = self.span(e);
            let hint = "use the index, or the address of the shared element, e.g. &a[i]";
            let text = "the affinity is neither an integer nor a pointer-to-shared";
            self.error(lo, hi, text, "UPC 1.3, 6.6.2", hint);
        }
        Affinity::Integer(e)
    }

    /// Reports a length with THREADS or MYTHREAD in it where C needs a constant.
    pub(crate) fn check_constant_length(&mut self, ty: QualTy, token: TokIdx) {
        let mut t = ty;
        while let Some((elem, len)) = self.types.array(t) {
            let found = match len {
                Len::Const { threads: true, .. } => Some(K::Threads),
                Len::Expr { expr, .. } => self.not_constant_in(expr),
                _ => None,
            };
            if let Some(k) = found {
                return self.not_constant(k, token, token + 1);
            }
            t = elem;
        }
    }

    /// Reports a value with THREADS or MYTHREAD in it where C needs a constant.
    pub(crate) fn check_constant(&mut self, e: ExprId) {
        if let Some(k) = self.not_constant_in(e) {
            let (lo, hi) = self.span(e);
            self.not_constant(k, lo, hi);
        }
    }

    /// The keyword that keeps an expression from being a constant: MYTHREAD, or THREADS (also by
    /// the size of a shared array) where the number is dynamic.
    fn not_constant_in(&self, e: ExprId) -> Option<K> {
        let (lo, hi) = self.span(e);
        let says = |k: K| (lo..hi).any(|t| self.token(t).kind == Tok::Kw(k));
        if says(K::MyThread) && !says(K::Sizeof) {
            return Some(K::MyThread);
        }
        let dynamic = self.options.threads.is_none()
            && (self.mentions_threads(e) || self.size_depends_on_threads(e, 0));
        dynamic.then_some(K::Threads)
    }

    fn size_depends_on_threads(&self, e: ExprId, depth: u32) -> bool {
        let inner = |x: ExprId| self.size_depends_on_threads(x, depth + 1);
        let dynamic = |mut ty: QualTy| {
            while let Some((elem, len)) = self.types.array(ty) {
                if matches!(len, Len::Const { threads: true, .. }) {
                    return true;
                }
                ty = elem;
            }
            false
        };
        match &self.expr(e).kind {
            _ if depth > 100 => false,
            ExprKind::SizeofExpr(K::Sizeof, x) => dynamic(self.expr(*x).ty),
            ExprKind::SizeofType(K::Sizeof, name) => dynamic(name.ty),
            ExprKind::Paren(x) | ExprKind::Unary(_, x) | ExprKind::Cast(_, x) => inner(*x),
            ExprKind::Binary(_, a, b) => inner(*a) || inner(*b),
            ExprKind::Cond(a, b, c) => inner(*a) || b.is_some_and(inner) || inner(*c),
            _ => false,
        }
    }

    fn not_constant(&mut self, k: K, lo: TokIdx, hi: TokIdx) {
        let (text, rule, hint) = match k {
            K::MyThread => (
                "MYTHREAD is not a constant",
                "UPC 1.3, 6.3.2",
                "it differs from thread to thread",
            ),
            _ => (
                "THREADS is not a constant when the number of threads is dynamic",
                "UPC 1.3, 6.3.1",
                "compile for a static number of threads, or allocate the memory at run time",
            ),
        };
        self.error(lo, hi, text, rule, hint);
    }

    /// Whether it is upc_lock_t or an array of it.
    pub(crate) fn is_lock(&self, ty: QualTy) -> bool {
        let mut t = ty;
        loop {
            match self.types.get(t.id) {
                Type::Typedef(name, _) if *name == self.lock_t => return true,
                Type::Typedef(_, to) => t = *to,
                Type::Array(elem, _) => t = *elem,
                _ => return false,
            }
        }
    }

    /// Reports objects of type upc_lock_t: locks are used through pointers.
    /// Returns whether it is one.
    pub(crate) fn check_lock_object(&mut self, ty: QualTy, token: TokIdx) -> bool {
        if !self.is_lock(ty) {
            return false;
        }
        let hint = "declare a 'upc_lock_t *', and get a lock from upc_all_lock_alloc()";
        self.error(
            token,
            token + 1,
            "an object of type upc_lock_t",
            "UPC 1.3, 7.2.4",
            hint,
        );
        true
    }
}
