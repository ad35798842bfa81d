//! Lowering of expressions. Parts that do not touch shared data are copied; the rest is rewritten
//! around them.

use super::arithmetic::By;
use super::lowering::Lowering;
use super::place::Access;
use super::rope::Rope;
use super::work::{Root, Use};
use crate::sema::ast::{ExprKind, TypeName};
use crate::sema::types::*;
use crate::syntax::token::*;

/// The null pointer-to-shared as an expression.
pub(crate) const NULL: &str = "((upcr_pts){0, 0})";

impl Lowering<'_, '_> {
    /// Lowers a full expression.
    pub(crate) fn emit_root(&mut self, root: Root) -> Option<Rope> {
        let e = root.expr;
        let mut out = Rope::default();
        match root.to {
            Use::Void if self.unit.expr(e).needs_lowering => self.emit_void(&mut out, e),
            Use::Value if self.unit.expr(e).needs_lowering => self.emit(&mut out, e),
            Use::Unevaluated if self.unit.expr(e).needs_lowering => {
                self.unit.begin_unevaluated();
                self.emit(&mut out, e);
                self.unit.end_unevaluated();
            }
            Use::Condition => {
                let ty = self.unit.value_type(e);
                if !self.unit.expr(e).needs_lowering && !self.unit.types.is_pts(ty) {
                    return None;
                }
                self.emit_condition(&mut out, e);
            }
            Use::Convert(to) => {
                let from = self.unit.value_type(e);
                let plain = match self.unit.types.is_pts(to) {
                    true => self.unit.converts_as_is(e, to),
                    false => !self.unit.types.is_pts(from),
                };
                if plain && !self.unit.expr(e).needs_lowering {
                    return None;
                }
                self.emit_converted(&mut out, e, to);
            }
            Use::Static(to) => {
                if self.unit.types.is_pts(to) && self.unit.is_null(e) {
                    out.text("{0, 0}");
                } else if self.unit.expr(e).needs_lowering {
                    self.emit_converted(&mut out, e, to);
                } else {
                    return None;
                }
            }
            _ => return None,
        }
        Some(out)
    }

    /// Copies the node's own tokens and lowers its children.
    pub(crate) fn emit_around(&mut self, out: &mut Rope, e: ExprId, children: &[ExprId]) {
        let (lo, hi) = (self.unit.expr(e).lo, self.unit.expr(e).hi);
        let mut at = lo;
        for &c in children {
            let (l, h) = (self.unit.expr(c).lo, self.unit.expr(c).hi);
            out.copy(at, l);
            self.emit(out, c);
            at = h;
        }
        out.copy(at, hi);
    }

    /// A pointer-to-shared, or anything else, as a condition.
    pub(crate) fn emit_condition(&mut self, out: &mut Rope, e: ExprId) {
        let ty = self.unit.value_type(e);
        if !self.unit.types.is_pts(ty) {
            return self.emit(out, e);
        }
        out.text("((");
        self.emit(out, e);
        out.text(").addr != 0)");
    }

    /// The value of `e` converted to `to` as if by assignment.
    pub(crate) fn emit_converted(&mut self, out: &mut Rope, e: ExprId, to: QualTy) {
        let from = self.unit.value_type(e);
        if self.unit.types.is_pts(to) {
            if self.unit.is_null(e) {
                return out.text(NULL);
            }
            if self.unit.types.is_pts(from) {
                return self.emit_pts_as(out, e, from, to);
            }
        } else if self.unit.types.is_pts(from) {
            if self.unit.types.is_bool(to) {
                return self.emit_condition(out, e);
            }
            if self.unit.types.arithmetic(to).is_some() {
                out.text("(");
                self.emit(out, e);
                return out.text(").addr");
            }
        }
        self.emit(out, e);
    }

    fn emit_pts_as(&mut self, out: &mut Rope, e: ExprId, from: QualTy, to: QualTy) {
        match self.unit.resets_phase(from, to) {
            true => {
                out.text("upcr_reset_phase(");
                self.emit(out, e);
                out.text(")");
            }
            false => self.emit(out, e),
        }
    }

    /// An expression whose value is not used.
    pub(crate) fn emit_void(&mut self, out: &mut Rope, e: ExprId) {
        if let ExprKind::Assign(P::Assign, a, b) = self.unit.expr(e).kind {
            if self.emit_far_write(out, a, b) {
                return;
            }
        }
        if self.changes_far(e) {
            out.text("(void)");
        }
        match self.unit.expr(e).kind {
            ExprKind::Postfix(p, x) => {
                let ty = self.unit.value_type(x);
                if self.unit.types.is_pts(ty) {
                    return self.emit_step(out, p, x, false);
                }
                if self.unit.is_shared(x) && self.needs_update(x) {
                    return self.emit_number_step(out, p, x, false);
                }
                self.emit(out, e);
            }
            ExprKind::Binary(P::Comma, a, b) => {
                let (hi, lo) = (self.unit.expr(a).hi, self.unit.expr(b).lo);
                self.emit_void(out, a);
                out.copy(hi, lo);
                self.emit_void(out, b);
            }
            _ => self.emit(out, e),
        }
    }

    /// The value of an expression.
    pub(crate) fn emit(&mut self, out: &mut Rope, e: ExprId) {
        // Values that are computed on the way to an address are accessed in their own way.
        let accessing = std::mem::replace(&mut self.emission.function.accessing, false);
        let access = self.emission.function.counts.access.take();
        self.emit_value(out, e);
        self.emission.function.accessing = accessing;
        self.emission.function.counts.access = access;
    }

    fn emit_value(&mut self, out: &mut Rope, e: ExprId) {
        let expr = self.unit.expr(e);
        let (lo, hi) = (expr.lo, expr.hi);
        if !expr.needs_lowering {
            return out.copy(lo, hi);
        }
        let kind = expr.kind.clone();
        if self.unit.is_shared(e) {
            match kind {
                ExprKind::Ident(_)
                | ExprKind::Index(..)
                | ExprKind::Member { .. }
                | ExprKind::Unary(P::Star, _)
                | ExprKind::Prefix(K::Real | K::Imag, _)
                | ExprKind::Paren(_) => {
                    return match self.unit.types.array(self.unit.expr(e).ty) {
                        Some(_) => self.emit_pointer_to(out, e),
                        None => self.emit_read(out, e),
                    };
                }
                _ => {}
            }
        }
        match kind {
            ExprKind::Unary(p, x) => self.emit_unary(out, e, p, x),
            ExprKind::Postfix(p, x) => {
                let ty = self.unit.value_type(x);
                if self.unit.types.is_pts(ty) {
                    self.emit_step(out, p, x, true);
                } else if self.unit.is_shared(x) && self.needs_update(x) {
                    self.emit_number_step(out, p, x, true);
                } else {
                    self.emit_accessed(out, x, Access::Update);
                    out.copy(self.unit.expr(x).hi, hi);
                }
            }
            ExprKind::Binary(p, a, b) => self.emit_binary(out, e, p, a, b),
            ExprKind::Assign(p, a, b) => self.emit_assign(out, p, a, b),
            ExprKind::Cond(c, t, f) => self.emit_conditional(out, e, c, t, f),
            ExprKind::Call(f, args) if self.unit.is_landing(f) => {
                self.emit_landing(out, |low, out| low.emit_call(out, e, f, &args))
            }
            ExprKind::Call(f, args) => self.emit_call(out, e, f, &args),
            ExprKind::Index(a, i) => {
                // Private array or pointer; the parts stand in the order of their tokens.
                let mut children = [a, i];
                if self.unit.expr(a).lo > self.unit.expr(i).lo {
                    children.reverse();
                }
                self.emit_around(out, e, &children);
            }
            ExprKind::Member { base, .. } | ExprKind::Paren(base) | ExprKind::Prefix(_, base) => {
                self.emit_around(out, e, &[base])
            }
            ExprKind::Cast(name, x) => self.emit_cast(out, e, name, x),
            ExprKind::SizeofExpr(k, x) => {
                self.emit_sizeof(out, e, k, self.unit.expr(x).ty, Some(x))
            }
            ExprKind::SizeofType(k, name) => self.emit_sizeof(out, e, k, name.ty, None),
            ExprKind::Other(children) => self.emit_around(out, e, &children),
            _ => out.copy(lo, hi),
        }
    }

    fn emit_unary(&mut self, out: &mut Rope, e: ExprId, p: P, x: ExprId) {
        let lo = self.unit.expr(e).lo;
        let ty = self.unit.value_type(x);
        match p {
            P::Amp if self.unit.is_shared(x) => self.emit_pointer_to(out, x),
            P::Not if self.unit.types.is_pts(ty) => {
                out.text("((");
                self.emit(out, x);
                out.text(").addr == 0)");
            }
            P::Inc | P::Dec if self.unit.types.is_pts(ty) => self.emit_step(out, p, x, false),
            P::Inc | P::Dec if self.unit.is_shared(x) => {
                if self.needs_update(x) {
                    return self.emit_number_step(out, p, x, false);
                }
                out.copy(lo, lo + 1);
                self.emit_accessed(out, x, Access::Update);
            }
            _ => {
                out.copy(lo, lo + 1);
                self.emit(out, x);
            }
        }
    }

    fn emit_assign(&mut self, out: &mut Rope, p: P, a: ExprId, b: ExprId) {
        let to = self.unit.expr(a).ty;
        let (hi, lo) = (self.unit.expr(a).hi, self.unit.expr(b).lo);
        let pts = self.unit.types.is_pts(to);
        if p != P::Assign && pts {
            let minus = p == P::MinusAssign;
            return self.emit_pointer_update(out, a, false, By::Value(b, minus));
        }
        if self.unit.is_shared(a) {
            if p == P::Assign {
                return self.emit_write(out, a, &mut |low, out| low.emit_converted(out, b, to));
            }
            if self.needs_update(a) {
                return self.emit_update(out, a, false, &mut |low, out, v| {
                    out.text(&format!("{v} {} ", p.text()));
                    low.emit(out, b);
                });
            }
            self.emit_accessed(out, a, Access::Update);
            out.copy(hi, lo);
            return self.emit(out, b);
        }
        self.emit(out, a);
        out.copy(hi, lo);
        match p {
            P::Assign => self.emit_converted(out, b, to),
            _ => self.emit(out, b),
        }
    }

    fn emit_conditional(
        &mut self,
        out: &mut Rope,
        e: ExprId,
        c: ExprId,
        t: Option<ExprId>,
        f: ExprId,
    ) {
        let ty = self.unit.expr(e).ty;
        let pts = self.unit.types.is_pts(ty);
        let Some(t) = t else {
            if !pts {
                return self.emit_around(out, e, &[c, f]);
            }
            let n = self.unique();
            out.text(&format!("__extension__ ({{ upcr_pts upcr_c{n} = "));
            self.emit_converted(out, c, ty);
            out.text(&format!("; upcr_c{n}.addr != 0 ? upcr_c{n} : "));
            self.emit_converted(out, f, ty);
            return out.text("; })");
        };
        self.emit_condition(out, c);
        out.copy(self.unit.expr(c).hi, self.unit.expr(t).lo);
        if pts {
            self.emit_converted(out, t, ty);
        } else {
            self.emit(out, t);
        }
        out.copy(self.unit.expr(t).hi, self.unit.expr(f).lo);
        if pts {
            self.emit_converted(out, f, ty);
        } else {
            self.emit(out, f);
        }
    }

    fn is_pointer_to_shared(&mut self, e: ExprId) -> bool {
        let ty = self.unit.value_type(e);
        self.unit.types.is_pts(ty)
    }

    fn emit_call(&mut self, out: &mut Rope, e: ExprId, f: ExprId, args: &[ExprId]) {
        let ty = self.unit.expr(f).ty;
        let pointee = self.unit.types.pointee(ty);
        let func = self
            .unit
            .types
            .func(ty)
            .or_else(|| pointee.and_then(|to| self.unit.types.func(to)))
            .cloned();
        self.note_call(f);
        let is_counted = self.count_call(out, f);
        let instead = self.unit.called_instead(f, args);
        let prints = self.unit.is_c_library_variadic(f);
        match &instead {
            Some(instead) => {
                self.declare_instead(instead);
                out.text(&instead.name);
            }
            None => self.emit(out, f),
        }
        let mut at = self.unit.expr(f).hi;
        for (i, &arg) in args.iter().enumerate() {
            out.copy(at, self.unit.expr(arg).lo);
            let around = self.unit.around_argument(f, i);
            out.text(around.as_ref().map_or("", |(before, _)| before));
            match func.as_ref().and_then(|f| f.params.get(i)) {
                Some(param) => self.emit_converted(out, arg, param.ty),
                None if prints && self.is_pointer_to_shared(arg) => {
                    out.text("(void *)(");
                    self.emit(out, arg);
                    out.text(").addr");
                }
                None => self.emit(out, arg),
            }
            out.text(around.as_ref().map_or("", |(_, after)| after));
            at = self.unit.expr(arg).hi;
        }
        let hi = self.unit.expr(e).hi;
        out.copy(at, hi - 1);
        if instead.is_some_and(|instead| instead.place) {
            let comma = if args.is_empty() { "" } else { ", " };
            out.text(&format!("{comma}{}", self.unit.place(self.unit.expr(f).lo)));
        }
        out.copy(hi - 1, hi);
        if is_counted {
            out.text(")");
        }
    }

    fn emit_cast(&mut self, out: &mut Rope, e: ExprId, name: TypeName, x: ExprId) {
        let from = self.unit.value_type(x);
        let to = name.ty;
        let lo = self.unit.expr(e).lo;
        if self.unit.types.is_pts(to) {
            if self.unit.is_null(x) {
                out.text(NULL);
            } else if self.unit.types.is_pts(from) {
                out.text("(");
                self.emit_pts_as(out, x, from, to);
                out.text(")");
            } else {
                out.text("upcr_make((upcr_addr_t)(");
                self.emit(out, x);
                out.text("), 0)");
            }
            return;
        }
        if self.unit.types.is_pts(from)
            && !self.unit.types.is_void(to)
            && !self.unit.types.is_unknown(to)
        {
            if self.unit.types.is_bool(to) {
                return self.emit_condition(out, x);
            }
            self.note_cast(lo);
            out.copy(lo, name.hi + 1);
            let checked = self.unit.checks() && self.unit.types.pointee(to).is_some();
            out.text(if checked { "upcr_check_cast(" } else { "(" });
            // The address alone is enough: the phase is lost.
            self.emit_address_of_value(out, x);
            if checked {
                out.text(&format!(", {}", self.unit.place(lo)));
            }
            return out.text(")");
        }
        out.copy(lo, name.hi + 1);
        self.emit(out, x);
    }

    /// The address in the pointer-to-shared `x`.
    fn emit_address_of_value(&mut self, out: &mut Rope, x: ExprId) {
        let inner = self.unit.strip(x);
        let direct = match self.unit.expr(inner).kind {
            ExprKind::Unary(P::Amp, y) if self.unit.is_shared(y) => Some(y),
            _ if self.unit.is_shared(inner)
                && self.unit.types.array(self.unit.expr(inner).ty).is_some() =>
            {
                Some(inner)
            }
            _ => None,
        };
        match direct {
            Some(y) => self.emit_address(out, y),
            None => {
                out.text("(");
                self.emit(out, x);
                out.text(").addr");
            }
        }
    }

    fn emit_sizeof(&mut self, out: &mut Rope, e: ExprId, k: K, ty: QualTy, x: Option<ExprId>) {
        let (lo, hi) = (self.unit.expr(e).lo, self.unit.expr(e).hi);
        let element = self.unit.types.ultimate(ty);
        if k == K::Sizeof || k == K::Alignof {
            let whole = self.unit.types.shared(ty).is_some() && self.unit.types.array(ty).is_some();
            if let (false, Some(x)) = (whole, x) {
                self.unit.begin_unevaluated();
                out.copy(lo, self.unit.expr(x).lo);
                match self.unit.is_shared(x) {
                    true => self.emit_lvalue(out, x),
                    false => self.emit(out, x),
                }
                self.unit.end_unevaluated();
                return;
            }
            if !whole {
                return out.copy(lo, hi);
            }
            if k == K::Alignof {
                out.text("_Alignof(");
                out.append(
                    self.unit
                        .decl_text(self.unit.bare(element), Rope::default()),
                );
                return out.text(")");
            }
            out.text("((unsigned long)");
            out.append(self.unit.count_text(&self.unit.count(ty)));
            out.text(" * ");
            out.append(self.unit.sizeof_text(element));
            return out.text(")");
        }
        out.text("((unsigned long)");
        match k {
            K::ElemSizeof => out.append(self.unit.sizeof_text(element)),
            K::BlockSizeof => match self.unit.types.shared(ty).map(|s| s.block) {
                Some(Block::Expr(e)) => {
                    out.text("(");
                    out.inline(self.unit.expr(e).lo, self.unit.expr(e).hi);
                    out.text(")");
                }
                Some(Block::Size(n)) => out.text(&n.to_string()),
                _ => out.text("1"),
            },
            _ => {
                out.append(self.local_elements(ty));
                out.text(" * ");
                out.append(self.unit.sizeof_text(element));
            }
        }
        out.text(")");
    }
}
