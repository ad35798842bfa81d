//! Builds typed expressions: finds the type of each node and whether it can be copied as it is or
//! touches shared data.

use super::ast::{ExprKind, TypeName};
use super::symbols::SymKind;
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

/// A member of a shared structure is laid out on one thread.
const INDEFINITE: Shared = Shared {
    block: Block::Size(0),
    explicit: true,
};

impl Unit<'_> {
    /// Whether one of these needs lowering, and their depth plus one.
    pub(crate) fn around(&self, children: &[ExprId]) -> (bool, u32) {
        let needs_lowering = children.iter().any(|&c| self.expr(c).needs_lowering);
        let depth = children
            .iter()
            .map(|&c| self.expr(c).depth + 1)
            .max()
            .unwrap_or(0);
        (needs_lowering, depth)
    }

    fn node(
        &mut self,
        kind: ExprKind,
        children: &[ExprId],
        (lo, hi): (TokIdx, TokIdx),
        ty: QualTy,
        special: bool,
    ) -> ExprId {
        let (needs_lowering, depth) = self.around(children);
        self.add_expr(kind, lo, hi, ty, needs_lowering || special, depth)
    }

    /// The type of the expression's value: arrays and functions become pointers, qualifiers go.
    pub(crate) fn value_type(&mut self, e: ExprId) -> QualTy {
        let ty = self.expr(e).ty;
        if let Some((elem, _)) = self.types.array(ty) {
            return self.types.pointer(elem);
        }
        if self.types.func(ty).is_some() {
            return self.types.pointer(ty);
        }
        match self.types.resolve(ty).q == Quals::default() {
            true => ty,
            false => self.types.resolve(ty).unqualified(),
        }
    }

    /// Whether the expression denotes a shared object.
    pub(crate) fn is_shared(&self, e: ExprId) -> bool {
        self.types.shared(self.expr(e).ty).is_some() && self.types.func(self.expr(e).ty).is_none()
    }

    /// The type of the real or imaginary part, an lvalue where `e` is one.
    pub(crate) fn part_of_complex(&self, e: ExprId) -> QualTy {
        let ty = self.expr(e).ty;
        let part = match self.types.arithmetic(ty) {
            Some(Arithmetic::Complex(Precision::Single)) => FLOAT,
            Some(Arithmetic::Complex(Precision::Double)) => DOUBLE,
            Some(Arithmetic::Complex(Precision::Extended)) => LDOUBLE,
            Some(_) => return ty,
            None => UNKNOWN,
        };
        let mut q = self.types.quals(ty);
        q.shared = q.shared.map(|_| INDEFINITE);
        QualTy { id: part, q }
    }

    fn promote(&self, ty: QualTy) -> QualTy {
        match self.types.arithmetic(ty) {
            Some(Arithmetic::Integer(rank, _)) if rank < Rank::Int => QualTy::plain(INT),
            Some(_) => ty,
            None => QualTy::plain(UNKNOWN),
        }
    }

    fn arithmetic(&self, a: QualTy, b: QualTy) -> QualTy {
        let (a, b) = (self.promote(a), self.promote(b));
        match (self.types.arithmetic(a), self.types.arithmetic(b)) {
            (Some(x), Some(y)) if x >= y => a,
            (Some(_), Some(_)) => b,
            _ => QualTy::plain(UNKNOWN),
        }
    }

    pub(crate) fn build_ident(&mut self, name: Name, lo: TokIdx) -> ExprId {
        let Some(number) = self.lookup(name) else {
            self.undeclared_identifier(name, lo);
            return self.leaf(
                ExprKind::Undeclared(name),
                lo,
                lo + 1,
                QualTy::plain(UNKNOWN),
            );
        };
        let symbol = self.symbol(number);
        let ty = symbol.ty;
        let kind = symbol.kind;
        if kind == SymKind::Typedef {
            return self.leaf(
                ExprKind::Undeclared(name),
                lo,
                lo + 1,
                QualTy::plain(UNKNOWN),
            );
        }
        let needs_lowering = kind == SymKind::Object && self.types.shared(ty).is_some();
        self.add_expr(ExprKind::Ident(number), lo, lo + 1, ty, needs_lowering, 0)
    }

    pub(crate) fn build_binary(&mut self, p: P, a: ExprId, b: ExprId) -> ExprId {
        let lo = self.expr(a).lo;
        let hi = self.expr(b).hi;
        let (x, y) = (self.value_type(a), self.value_type(b));
        let (px, py) = (self.types.is_pts(x), self.types.is_pts(y));
        let int = QualTy::plain(INT);
        let ty = match p {
            P::Comma => y,
            P::AndAnd | P::OrOr => int,
            P::EqEq | P::Ne | P::Lt | P::Gt | P::Le | P::Ge => {
                self.check_comparison(p, a, b, x, y);
                int
            }
            P::Plus if self.types.pointee(x).is_some() => x,
            P::Plus if self.types.pointee(y).is_some() => y,
            P::Minus if self.types.pointee(x).is_some() => match self.types.pointee(y).is_some() {
                true => QualTy::plain(LONG),
                false => x,
            },
            P::Shl | P::Shr => self.promote(x),
            _ => self.arithmetic(x, y),
        };
        let no_pointer = matches!(
            p,
            P::Star | P::Slash | P::Percent | P::Shl | P::Shr | P::Amp | P::Pipe | P::Caret
        );
        if matches!(p, P::Plus | P::Minus) && (px || py) {
            self.check_pointer_arithmetic(p, a, b, x, y);
        } else if no_pointer && (px || py) {
            self.check_no_pointer(p, lo, self.expr(b).hi);
        }
        let special = (px || py) && p != P::Comma;
        self.node(ExprKind::Binary(p, a, b), &[a, b], (lo, hi), ty, special)
    }

    pub(crate) fn build_assign(&mut self, p: P, left: ExprId, right: ExprId) -> ExprId {
        let lo = self.expr(left).lo;
        let hi = self.expr(right).hi;
        let to = self.expr(left).ty;
        let ty = self.value_type(left);
        let from = self.value_type(right);
        let pts = self.types.is_pts(to);
        self.check_modified(left);
        if p == P::Assign {
            self.check_conversion(to, right, "assign");
            if self.expr(left).needs_lowering || self.expr(right).needs_lowering {
                let lo = self.expr(right).lo;
                self.check_structures(to, right, lo, "assign");
            }
        } else if pts && !matches!(p, P::PlusAssign | P::MinusAssign) {
            self.check_no_pointer(p, lo, hi);
        } else if pts {
            self.check_pointer_arithmetic(
                if p == P::PlusAssign {
                    P::Plus
                } else {
                    P::Minus
                },
                left,
                right,
                ty,
                from,
            );
        }
        let special = match p {
            P::Assign if pts => !self.converts_as_is(right, to),
            P::Assign => self.types.is_pts(from),
            _ => pts,
        };
        self.node(
            ExprKind::Assign(p, left, right),
            &[left, right],
            (lo, hi),
            ty,
            special,
        )
    }

    pub(crate) fn build_conditional(
        &mut self,
        c: ExprId,
        then: Option<ExprId>,
        other: ExprId,
    ) -> ExprId {
        let lo = self.expr(c).lo;
        let hi = self.expr(other).hi;
        let t = then.unwrap_or(c);
        let (x, y) = (self.value_type(t), self.value_type(other));
        let (px, py) = (self.types.is_pts(x), self.types.is_pts(y));
        let ty = if px && py {
            self.check_comparison(P::Colon, t, other, x, y);
            let void = self
                .types
                .pointee(x)
                .is_some_and(|to| self.types.is_void(to));
            if void {
                x
            } else if self
                .types
                .pointee(y)
                .is_some_and(|to| self.types.is_void(to))
            {
                y
            } else {
                x
            }
        } else if px {
            self.check_conversion(x, other, "use");
            x
        } else if py {
            self.check_conversion(y, t, "use");
            y
        } else if self.types.pointee(x).is_some() && !self.is_null(t) {
            x
        } else if self.types.pointee(y).is_some() {
            y
        } else if self.types.arithmetic(x).is_some() && self.types.arithmetic(y).is_some() {
            self.arithmetic(x, y)
        } else {
            x
        };
        let condition = self.value_type(c);
        let special = px || py || self.types.is_pts(condition);
        let children: Vec<ExprId> = [Some(c), then, Some(other)].into_iter().flatten().collect();
        self.node(
            ExprKind::Cond(c, then, other),
            &children,
            (lo, hi),
            ty,
            special,
        )
    }

    pub(crate) fn build_unary(&mut self, p: P, x: ExprId, (lo, hi): (TokIdx, TokIdx)) -> ExprId {
        let ty = self.expr(x).ty;
        let value = self.value_type(x);
        let (ty, special) = match p {
            P::Amp => {
                if self.is_shared(x) {
                    self.check_address(x);
                }
                self.check_not_thread_constant(x, "its address cannot be taken");
                (self.types.pointer(ty), self.is_shared(x))
            }
            P::Star => {
                if self.types.func(ty).is_some() {
                    (ty, false)
                } else {
                    let to = self.types.pointee(value).unwrap_or(QualTy::plain(UNKNOWN));
                    if self.types.shared(to).is_some() && self.types.is_void(to) {
                        self.error(
                            lo,
                            hi,
                            "'*' on a pointer to shared void",
                            "C99, 6.5.3.2",
                            "cast it first",
                        );
                    }
                    (to, self.types.shared(to).is_some())
                }
            }
            P::Not => (QualTy::plain(INT), self.types.is_pts(value)),
            P::Inc | P::Dec => {
                self.check_modified(x);
                if self.types.is_pts(value) {
                    self.check_step(x, value, hi);
                }
                (value, self.types.is_pts(value))
            }
            _ => {
                if self.types.is_pts(value) {
                    self.check_no_pointer(p, lo, hi);
                }
                (self.promote(value), false)
            }
        };
        self.node(ExprKind::Unary(p, x), &[x], (lo, hi), ty, special)
    }

    pub(crate) fn build_postfix(&mut self, p: P, x: ExprId, hi: TokIdx) -> ExprId {
        let lo = self.expr(x).lo;
        let ty = self.value_type(x);
        let special = self.types.is_pts(ty);
        self.check_modified(x);
        if special {
            self.check_step(x, ty, hi);
        }
        self.node(ExprKind::Postfix(p, x), &[x], (lo, hi), ty, special)
    }

    pub(crate) fn build_index(&mut self, a: ExprId, i: ExprId, hi: TokIdx) -> ExprId {
        let lo = self.expr(a).lo;
        let (mut base, mut index) = (a, i);
        let (x, y) = (self.value_type(a), self.value_type(i));
        if self.types.pointee(x).is_none() && self.types.pointee(y).is_some() {
            std::mem::swap(&mut base, &mut index);
        }
        let base_ty = self.expr(base).ty;
        let elem = match self.types.array(base_ty) {
            Some((elem, _)) => elem,
            None => self
                .types
                .pointee(base_ty)
                .unwrap_or(QualTy::plain(UNKNOWN)),
        };
        let special = self.types.shared(elem).is_some();
        if special {
            self.check_index(index);
        }
        if special && self.types.is_void(elem) {
            self.error(
                lo,
                hi,
                "'[]' on a pointer to shared void",
                "C99, 6.5.2.1",
                "cast it first",
            );
        }
        self.node(
            ExprKind::Index(base, index),
            &[a, i],
            (lo, hi),
            elem,
            special,
        )
    }

    pub(crate) fn build_member(
        &mut self,
        base: ExprId,
        name: Name,
        arrow: bool,
        hi: TokIdx,
    ) -> ExprId {
        let lo = self.expr(base).lo;
        let unknown = QualTy::plain(UNKNOWN);
        let record = match arrow {
            true => {
                let value = self.value_type(base);
                self.types.pointee(value).unwrap_or(unknown)
            }
            false => self.expr(base).ty,
        };
        let quals = self.types.quals(record);
        let errors = self.messages.errors();
        self.check_member_base(base, record, arrow);
        let mut ty = match self.types.member(record, name) {
            Some(m) => m.ty,
            None => unknown,
        };
        ty.q.bits |= quals.bits & (CONST | VOLATILE | STRICT | RELAXED);
        if quals.shared.is_some() {
            if self
                .types
                .record(record)
                .is_some_and(|r| r.members.is_none())
            {
                let text = format!(
                    "'{}' of a structure that is not complete here",
                    self.name(name)
                );
                self.error(
                    lo,
                    hi,
                    &text,
                    "C99, 6.5.2.3",
                    "its definition must come first",
                );
            } else if ty.id == UNKNOWN
                && !self.types.is_unknown(record)
                && errors == self.messages.errors()
            {
                let text = format!(
                    "{} has no member named '{}'",
                    self.type_text(record),
                    self.name(name)
                );
                self.error(hi - 1, hi, &text, "C99, 6.5.2.3", "");
            }
            ty.q.shared = Some(INDEFINITE);
        }
        self.node(
            ExprKind::Member { base, name, arrow },
            &[base],
            (lo, hi),
            ty,
            quals.shared.is_some(),
        )
    }

    pub(crate) fn build_call(&mut self, f: ExprId, args: Vec<ExprId>, hi: TokIdx) -> ExprId {
        let lo = self.expr(f).lo;
        let ty = self.expr(f).ty;
        let pointee = self.types.pointee(ty);
        let func = self
            .types
            .func(ty)
            .or_else(|| pointee.and_then(|to| self.types.func(to)))
            .cloned();
        let ret = match (&func, &self.expr(f).kind) {
            (Some(func), _) => func.ret,
            (None, ExprKind::Undeclared(name)) => {
                let name = self.name(*name);
                QualTy::plain(if name.starts_with("__") { UNKNOWN } else { INT })
            }
            _ => QualTy::plain(UNKNOWN),
        };
        let mut special = self.is_landing(f) || self.is_call_counted(f);
        self.call_may_synchronise(f);
        if func.is_none() {
            self.check_called(f);
            if let ExprKind::Undeclared(name) = self.expr(f).kind {
                for (i, &arg) in args.iter().enumerate() {
                    if self.is_null(arg) {
                        let (lo, hi) = (self.expr(arg).lo, self.expr(arg).hi);
                        self.undeclared_nulls.push((name, i, lo, hi));
                    }
                }
            }
        }
        if let Some(func) = &func {
            let checked = func.prototype || !func.params.is_empty();
            for (arg, param) in args.iter().zip(&func.params).filter(|_| checked) {
                self.check_conversion(param.ty, *arg, "pass");
                let from = self.value_type(*arg);
                special |= match self.types.is_pts(param.ty) {
                    true => !self.converts_as_is(*arg, param.ty),
                    false => self.types.is_pts(from),
                };
            }
        }
        special |= self.called_instead(f, &args).is_some() || self.around_argument(f, 0).is_some();
        if self.is_c_library_variadic(f) {
            for &arg in &args {
                let from = self.value_type(arg);
                special |= self.types.is_pts(from);
            }
        }
        let mut children = vec![f];
        children.extend(&args);
        let ret = match self.types.resolve(ret).q == Quals::default() {
            true => ret,
            false => self.types.resolve(ret).unqualified(),
        };
        self.node(ExprKind::Call(f, args), &children, (lo, hi), ret, special)
    }

    /// Whether `f` is a function like printf: it can do no more with a pointer-to-shared than show
    /// its address.
    pub(crate) fn is_c_library_variadic(&self, f: ExprId) -> bool {
        let ExprKind::Ident(s) = self.expr(f).kind else {
            return false;
        };
        let symbol = self.symbol(s);
        self.token(symbol.token).flags & (SYSTEM | OURS) == SYSTEM
            && self.types.func(symbol.ty).is_some_and(|f| f.variadic)
    }

    pub(crate) fn build_cast(
        &mut self,
        name: TypeName,
        x: ExprId,
        (lo, hi): (TokIdx, TokIdx),
    ) -> ExprId {
        self.note_pun(name.ty, x);
        let from = self.value_type(x);
        if self.types.shared(name.ty).is_some() {
            let hint = "cast to a private type, or to a pointer-to-shared";
            self.error(
                name.lo,
                name.hi,
                "a cast to a shared type that is no pointer",
                "UPC 1.3, 6.4.3",
                hint,
            );
        }
        let to_pts = self.types.is_pts(name.ty);
        let from_pts = self.types.is_pts(from);
        self.check_pts_cast(name.ty, from, (lo, hi));
        if to_pts && !from_pts && self.types.pointee(from).is_some() && !self.is_null(x) {
            self.error(
                lo,
                hi,
                "a cast from a pointer-to-private to a pointer-to-shared",
                "UPC 1.3, 6.4.3",
                "a private object has no shared address",
            );
        } else if to_pts && self.types.is_integer(from) && !self.is_null(x) {
            self.error(
                lo,
                hi,
                "a cast from an integer to a pointer-to-shared",
                "UPC 1.3, 6.4.3, constraint 1",
                "only a null pointer constant can be cast to one; keep the pointer-to-shared \
                 itself",
            );
        }
        let ty = match self.types.resolve(name.ty).q == Quals::default() {
            true => name.ty,
            false => self.types.resolve(name.ty).unqualified(),
        };
        self.node(
            ExprKind::Cast(name, x),
            &[x],
            (lo, hi),
            ty,
            to_pts || from_pts,
        )
    }

    pub(crate) fn build_sizeof_type(
        &mut self,
        k: K,
        name: TypeName,
        (lo, hi): (TokIdx, TokIdx),
    ) -> ExprId {
        let upc = matches!(k, K::LocalSizeof | K::BlockSizeof | K::ElemSizeof);
        self.check_size_operator(k, name.ty, (lo, hi));
        let special =
            upc || (self.types.shared(name.ty).is_some() && self.types.array(name.ty).is_some());
        self.node(
            ExprKind::SizeofType(k, name),
            &[],
            (lo, hi),
            QualTy::plain(ULONG),
            special,
        )
    }

    pub(crate) fn build_sizeof_expr(
        &mut self,
        k: K,
        x: ExprId,
        (lo, hi): (TokIdx, TokIdx),
    ) -> ExprId {
        let upc = matches!(k, K::LocalSizeof | K::BlockSizeof | K::ElemSizeof);
        let ty = self.expr(x).ty;
        self.check_size_operator(k, ty, (lo, hi));
        if self.is_bit_field(x) && self.is_shared(x) {
            self.error(lo, hi, "a size operator on a bit field", "C99, 6.5.3.4", "");
        }
        self.node(
            ExprKind::SizeofExpr(k, x),
            &[x],
            (lo, hi),
            QualTy::plain(ULONG),
            upc,
        )
    }

    /// Whether the expression is a bit field.
    pub(crate) fn is_bit_field(&mut self, e: ExprId) -> bool {
        let e = self.strip(e);
        let ExprKind::Member { base, name, arrow } = self.expr(e).kind else {
            return false;
        };
        let record = match arrow {
            true => {
                let value = self.value_type(base);
                self.types.pointee(value).unwrap_or(QualTy::plain(UNKNOWN))
            }
            false => self.expr(base).ty,
        };
        self.types
            .member(record, name)
            .is_some_and(|m| m.bits.is_some())
    }

    /// Whether a value can be stored in an object of pointer-to-shared type `to` without any
    /// conversion.
    pub(crate) fn converts_as_is(&mut self, e: ExprId, to: QualTy) -> bool {
        if self.is_null(e) {
            return false;
        }
        let from = self.value_type(e);
        if !self.types.is_pts(from) {
            return self.types.is_unknown(from);
        }
        !self.resets_phase(from, to)
    }

    /// Whether a conversion between these pointers-to-shared sets the phase to zero.
    pub(crate) fn resets_phase(&self, from: QualTy, to: QualTy) -> bool {
        let (Some(a), Some(b)) = (self.types.pointee(from), self.types.pointee(to)) else {
            return false;
        };
        let (Some(x), Some(y)) = (self.types.shared(a), self.types.shared(b)) else {
            return false;
        };
        let no_phase = |s: Shared| matches!(s.block, Block::Size(0 | 1));
        // Through shared void the phase is kept, but these have none.
        if self.types.is_void(b) {
            return false;
        }
        if self.types.is_void(a) {
            return no_phase(y);
        }
        if no_phase(x) {
            return false;
        }
        x.block != y.block || !self.types.same_size(a, b)
    }
}
