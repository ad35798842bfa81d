//! Constraints of UPC on expressions and declarations. Only what is wrong for certain is reported: a type that is
//! not understood passes.

use super::ast::ExprKind;
use super::types::*;
use crate::emit::forall::Affinity;
use crate::syntax::token::*;
use crate::unit::*;

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
        let from = self.value_type(e);
        let (lo, hi) = self.span(e);
        let (pts_to, pts_from) = (self.types.is_pts(to), self.types.is_pts(from));
        const RULE: &str = "UPC 1.3, 6.4.2";
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
            } else if self.types.rank(from).is_some() {
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
                    &format!("cannot {what} this value as a pointer-to-shared"),
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
        } else if self.types.rank(to).is_some_and(|r| r != 3) {
            self.warn(
                lo,
                hi,
                "a pointer-to-shared becomes a number without a cast",
                RULE,
                "write the cast",
            );
        }
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
        const RULE: &str = "UPC 1.3, 6.4.1";
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
            }
            return;
        }
        let other = if px { y } else { x };
        if self.types.rank(other).is_some_and(|r| r >= 100) || (p == P::Minus && py) {
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
    pub(crate) fn check_step(&mut self, e: ExprId, ty: QualTy) {
        if self.points_to_incomplete(ty) {
            let (lo, _) = self.span(e);
            let text = "arithmetic on a pointer to shared void or to an incomplete type";
            self.error(
                lo,
                self.pos,
                text,
                "UPC 1.3, 6.4.1",
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
    pub(crate) fn check_size_operator(&mut self, k: K, ty: QualTy, lo: TokIdx) {
        let name = self.src.text_of(lo);
        const RULE: &str = "UPC 1.3, 6.5.1.2";
        if k == K::Sizeof || k == K::Alignof {
            return;
        }
        if self.types.is_unknown(ty) {
            return;
        }
        if self.types.shared(ty).is_none() {
            self.error(
                lo,
                self.pos,
                &format!("'{name}' on something that is not shared"),
                RULE,
                "use sizeof",
            );
        } else if self.types.is_void(self.types.ultimate(ty)) {
            self.error(lo, self.pos, &format!("'{name}' on shared void"), RULE, "");
        } else if self
            .types
            .record(self.types.ultimate(ty))
            .is_some_and(|r| r.members.is_none())
            || matches!(self.types.array(ty), Some((_, Len::None)))
        {
            self.error(
                lo,
                self.pos,
                &format!("'{name}' on an incomplete type"),
                RULE,
                "",
            );
        }
    }

    /// The affinity expression of upc_forall.
    pub(crate) fn check_affinity(&mut self, e: ExprId) -> Affinity {
        let ty = self.value_type(e);
        if self.types.is_pts(ty) {
            self.root(e, Use::Value);
            return Affinity::Address(e);
        }
        let wrong = self.types.pointee(ty).is_some()
            || self.types.rank(ty).is_some_and(|r| r >= 100)
            || self.types.record(ty).is_some();
        if wrong {
            let (lo, hi) = self.span(e);
            let hint = "use the index, or the address of the shared element, e.g. &a[i]";
            let text = "the affinity is neither an integer nor a pointer-to-shared";
            self.error(lo, hi, text, "UPC 1.3, 6.6.2", hint);
        }
        self.root(e, Use::Value);
        Affinity::Integer(e)
    }

    /// Reports a length with THREADS in it where C needs a constant.
    pub(crate) fn check_constant_length(&mut self, ty: QualTy, token: TokIdx) {
        if self.options.threads.is_some() {
            return;
        }
        let mut t = ty;
        while let Some((elem, len)) = self.types.array(t) {
            let dynamic = match len {
                Len::Const { threads, .. } => threads,
                Len::Expr { expr, .. } => self.mentions_threads(expr),
                Len::None => false,
            };
            if dynamic {
                return self.not_constant(token, token + 1);
            }
            t = elem;
        }
    }

    /// Reports a value with THREADS in it where C needs a constant.
    pub(crate) fn check_constant(&mut self, e: ExprId) {
        if self.options.threads.is_none() && self.mentions_threads(e) {
            let (lo, hi) = self.span(e);
            self.not_constant(lo, hi);
        }
    }

    fn not_constant(&mut self, lo: TokIdx, hi: TokIdx) {
        let text = "THREADS is not a constant when the number of threads is dynamic";
        let hint = "compile for a static number of threads, or allocate the memory at run time";
        self.error(lo, hi, text, "UPC 1.3, 6.3.1", hint);
    }

    /// Reports objects of type upc_lock_t: locks are used through pointers.
    /// Returns whether it is one.
    pub(crate) fn check_lock_object(&mut self, ty: QualTy, token: TokIdx) -> bool {
        let mut t = ty;
        loop {
            match self.types.get(t.id) {
                Type::Typedef(name, _) if *name == self.syms.lock_t => break,
                Type::Typedef(_, to) => t = *to,
                Type::Array(elem, _) => t = *elem,
                _ => return false,
            }
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

    /// Reports a declaration that differs in layout from an earlier one.
    pub(crate) fn check_redeclaration(&mut self, old: u32, ty: QualTy, token: TokIdx) {
        let symbol = &self.symbols[old as usize];
        if self.same_layout(symbol.ty, ty, 0) {
            return;
        }
        let t = self.token(symbol.token);
        let text = format!(
            "'{}' is declared with another layout than in {}:{}",
            self.name(symbol.name),
            self.src.files[t.file as usize],
            t.line
        );
        let hint = "all declarations of an object or function agree in 'shared' and block sizes";
        self.error(token, token + 1, &text, "UPC 1.3, 6.7.1", hint);
    }

    fn same_layout(&self, a: QualTy, b: QualTy, depth: u32) -> bool {
        if depth > 50 {
            return true;
        }
        let (x, y) = (self.types.quals(a).shared, self.types.quals(b).shared);
        let block = match (x, y) {
            (None, None) => true,
            (Some(x), Some(y)) => {
                !matches!((x.block, y.block), (Block::Size(m), Block::Size(n)) if m != n)
            }
            _ => {
                self.types.is_unknown(self.types.ultimate(a))
                    || self.types.is_unknown(self.types.ultimate(b))
            }
        };
        if !block {
            return false;
        }
        let (a, b) = (self.types.ultimate(a), self.types.ultimate(b));
        if let (Some(p), Some(q)) = (self.types.pointee(a), self.types.pointee(b)) {
            return self.same_layout(p, q, depth + 1);
        }
        if let (Some(f), Some(g)) = (self.types.func(a), self.types.func(b)) {
            if !self.same_layout(f.ret, g.ret, depth + 1) {
                return false;
            }
            let both = f.prototype && g.prototype && f.params.len() == g.params.len();
            return !both
                || f.params
                    .iter()
                    .zip(&g.params)
                    .all(|(p, q)| self.same_layout(p.ty, q.ty, depth + 1));
        }
        true
    }
}
