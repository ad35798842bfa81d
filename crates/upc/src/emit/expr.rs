//! Lowering of expressions. What does not touch shared data is copied; the rest is written anew around the parts
//! that are copied.

use super::arithmetic::By;
use super::check::Access;
use super::rope::Rope;
use crate::sema::ast::*;
use crate::sema::types::*;
use crate::syntax::token::*;
use crate::unit::*;

/// The null pointer-to-shared as an expression.
pub(crate) const NULL: &str = "((upcr_pts){0, 0})";

impl Unit<'_> {
    /// Lowers a full expression.
    pub(crate) fn emit_root(&mut self, root: Root) -> Option<Rope> {
        let e = root.expr;
        let mut out = Rope::default();
        match root.to {
            Use::Void if self.expr(e).touched => self.emit_void(&mut out, e),
            Use::Value if self.expr(e).touched => self.emit(&mut out, e),
            Use::Unevaluated if self.expr(e).touched => {
                self.unevaluated += 1;
                self.emit(&mut out, e);
                self.unevaluated -= 1;
            }
            Use::Condition => {
                let ty = self.value_type(e);
                if !self.expr(e).touched && !self.types.is_pts(ty) {
                    return None;
                }
                self.emit_condition(&mut out, e);
            }
            Use::Convert(to) => {
                let from = self.value_type(e);
                let plain = match self.types.is_pts(to) {
                    true => self.converts_as_is(e, to),
                    false => !self.types.is_pts(from),
                };
                if plain && !self.expr(e).touched {
                    return None;
                }
                self.emit_converted(&mut out, e, to);
            }
            Use::Static(to) => {
                if self.types.is_pts(to) && self.is_null(e) {
                    out.text("{0, 0}");
                } else if self.expr(e).touched {
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
        let (lo, hi) = (self.expr(e).lo, self.expr(e).hi);
        let mut at = lo;
        for &c in children {
            let (l, h) = (self.expr(c).lo, self.expr(c).hi);
            out.copy(at, l);
            self.emit(out, c);
            at = h;
        }
        out.copy(at, hi);
    }

    /// A pointer-to-shared, or anything else, as a condition.
    pub(crate) fn emit_condition(&mut self, out: &mut Rope, e: ExprId) {
        let ty = self.value_type(e);
        if !self.types.is_pts(ty) {
            return self.emit(out, e);
        }
        out.text("((");
        self.emit(out, e);
        out.text(").addr != 0)");
    }

    /// The value of `e` converted to `to` as if by assignment.
    pub(crate) fn emit_converted(&mut self, out: &mut Rope, e: ExprId, to: QualTy) {
        let from = self.value_type(e);
        if self.types.is_pts(to) {
            if self.is_null(e) {
                return out.text(NULL);
            }
            if self.types.is_pts(from) {
                return self.emit_pts_as(out, e, from, to);
            }
        } else if self.types.is_pts(from) {
            if self.types.rank(to) == Some(3) {
                return self.emit_condition(out, e);
            }
            if self.types.rank(to).is_some() {
                out.text("(");
                self.emit(out, e);
                return out.text(").addr");
            }
        }
        self.emit(out, e);
    }

    fn emit_pts_as(&mut self, out: &mut Rope, e: ExprId, from: QualTy, to: QualTy) {
        match self.resets_phase(from, to) {
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
        match self.expr(e).kind {
            ExprKind::Postfix(p, x) => {
                let ty = self.value_type(x);
                if self.types.is_pts(ty) {
                    return self.emit_step(out, p, x, false);
                }
                if self.is_shared(x) && self.needs_update(x) && !self.types.is_unknown(ty) {
                    return self.emit_number_step(out, p, x, false);
                }
                self.emit(out, e);
            }
            ExprKind::Binary(P::Comma, a, b) => {
                let (hi, lo) = (self.expr(a).hi, self.expr(b).lo);
                self.emit_void(out, a);
                out.copy(hi, lo);
                self.emit_void(out, b);
            }
            _ => self.emit(out, e),
        }
    }

    /// The value of an expression.
    pub(crate) fn emit(&mut self, out: &mut Rope, e: ExprId) {
        // What is computed on the way to an address is accessed in its own way.
        let accessing = std::mem::replace(&mut self.accessing, false);
        self.emit_value(out, e);
        self.accessing = accessing;
    }

    fn emit_value(&mut self, out: &mut Rope, e: ExprId) {
        let expr = self.expr(e);
        let (lo, hi) = (expr.lo, expr.hi);
        if !expr.touched {
            return out.copy(lo, hi);
        }
        let kind = expr.kind.clone();
        if self.is_shared(e) {
            match kind {
                ExprKind::Ident(_)
                | ExprKind::Index(..)
                | ExprKind::Member { .. }
                | ExprKind::Unary(P::Star, _)
                | ExprKind::Prefix(K::Real | K::Imag, _)
                | ExprKind::Paren(_) => {
                    return match self.types.array(self.expr(e).ty) {
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
                let ty = self.value_type(x);
                if self.types.is_pts(ty) {
                    self.emit_step(out, p, x, true);
                } else if self.is_shared(x) && self.needs_update(x) && !self.types.is_unknown(ty) {
                    self.emit_number_step(out, p, x, true);
                } else {
                    self.emit_accessed(out, x, Access::Update);
                    out.copy(self.expr(x).hi, hi);
                }
            }
            ExprKind::Binary(p, a, b) => self.emit_binary(out, e, p, a, b),
            ExprKind::Assign(p, a, b) => self.emit_assign(out, p, a, b),
            ExprKind::Cond(c, t, f) => self.emit_conditional(out, e, c, t, f),
            ExprKind::Call(f, args) if self.is_landing(f) => {
                self.emit_landing(out, |unit, out| unit.emit_call(out, e, f, &args))
            }
            ExprKind::Call(f, args) => self.emit_call(out, e, f, &args),
            ExprKind::Index(a, i) => {
                // Private array or pointer; the parts stand in the order of their tokens.
                let mut children = [a, i];
                if self.expr(a).lo > self.expr(i).lo {
                    children.reverse();
                }
                self.emit_around(out, e, &children);
            }
            ExprKind::Member { base, .. } | ExprKind::Paren(base) | ExprKind::Prefix(_, base) => {
                self.emit_around(out, e, &[base])
            }
            ExprKind::Cast(name, x) => self.emit_cast(out, e, name, x),
            ExprKind::SizeofExpr(k, x) => self.emit_sizeof(out, e, k, self.expr(x).ty, Some(x)),
            ExprKind::SizeofType(k, name) => self.emit_sizeof(out, e, k, name.ty, None),
            ExprKind::Other(children) => self.emit_around(out, e, &children),
            _ => out.copy(lo, hi),
        }
    }

    fn emit_unary(&mut self, out: &mut Rope, e: ExprId, p: P, x: ExprId) {
        let lo = self.expr(e).lo;
        let ty = self.value_type(x);
        match p {
            P::Amp if self.is_shared(x) => self.emit_pointer_to(out, x),
            P::Not if self.types.is_pts(ty) => {
                out.text("((");
                self.emit(out, x);
                out.text(").addr == 0)");
            }
            P::Inc | P::Dec if self.types.is_pts(ty) => self.emit_step(out, p, x, false),
            P::Inc | P::Dec if self.is_shared(x) => {
                if self.needs_update(x) && !self.types.is_unknown(ty) {
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
        let to = self.expr(a).ty;
        let (hi, lo) = (self.expr(a).hi, self.expr(b).lo);
        let pts = self.types.is_pts(to);
        if p != P::Assign && pts {
            let minus = p == P::MinusAssign;
            return self.emit_pointer_update(out, a, false, By::Value(b, minus));
        }
        if self.is_shared(a) {
            if p == P::Assign {
                return self.emit_write(out, a, &mut |unit, out| unit.emit_converted(out, b, to));
            }
            if self.needs_update(a) && !self.types.is_unknown(to) {
                return self.emit_update(out, a, false, &mut |unit, out, v| {
                    out.text(&format!("{v} {} ", p.text()));
                    unit.emit(out, b);
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
        let ty = self.expr(e).ty;
        let pts = self.types.is_pts(ty);
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
        out.copy(self.expr(c).hi, self.expr(t).lo);
        if pts {
            self.emit_converted(out, t, ty);
        } else {
            self.emit(out, t);
        }
        out.copy(self.expr(t).hi, self.expr(f).lo);
        if pts {
            self.emit_converted(out, f, ty);
        } else {
            self.emit(out, f);
        }
    }

    fn is_pointer_to_shared(&mut self, e: ExprId) -> bool {
        let ty = self.value_type(e);
        self.types.is_pts(ty)
    }

    fn emit_call(&mut self, out: &mut Rope, e: ExprId, f: ExprId, args: &[ExprId]) {
        let ty = self.expr(f).ty;
        let pointee = self.types.pointee(ty);
        let func = self
            .types
            .func(ty)
            .or_else(|| pointee.and_then(|to| self.types.func(to)))
            .cloned();
        self.note_call(f);
        let instead = self.called_instead(f, args);
        let prints = self.is_c_library_variadic(f);
        match &instead {
            Some(instead) => {
                self.declare_instead(instead);
                out.text(&instead.name);
            }
            None => self.emit(out, f),
        }
        let mut at = self.expr(f).hi;
        for (i, &arg) in args.iter().enumerate() {
            out.copy(at, self.expr(arg).lo);
            let around = self.around_argument(f, i);
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
            at = self.expr(arg).hi;
        }
        let hi = self.expr(e).hi;
        out.copy(at, hi - 1);
        if instead.is_some_and(|instead| instead.place) {
            let comma = if args.is_empty() { "" } else { ", " };
            out.text(&format!("{comma}{}", self.place(self.expr(f).lo)));
        }
        out.copy(hi - 1, hi);
    }

    fn emit_cast(&mut self, out: &mut Rope, e: ExprId, name: TypeName, x: ExprId) {
        let from = self.value_type(x);
        let to = name.ty;
        let lo = self.expr(e).lo;
        if self.types.is_pts(to) {
            if self.is_null(x) {
                out.text(NULL);
            } else if self.types.is_pts(from) {
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
        if self.types.is_pts(from) && !self.types.is_void(to) && !self.types.is_unknown(to) {
            if self.types.rank(to) == Some(3) {
                return self.emit_condition(out, x);
            }
            self.note_cast(lo);
            out.copy(lo, name.hi + 1);
            let checked = self.checks() && self.types.pointee(to).is_some();
            out.text(if checked { "upcr_check_cast(" } else { "(" });
            // The address alone is enough: the phase is lost.
            self.emit_address_of_value(out, x);
            if checked {
                out.text(&format!(", {}", self.place(lo)));
            }
            return out.text(")");
        }
        out.copy(lo, name.hi + 1);
        self.emit(out, x);
    }

    /// The address in the pointer-to-shared `x`.
    fn emit_address_of_value(&mut self, out: &mut Rope, x: ExprId) {
        let inner = self.strip(x);
        let direct = match self.expr(inner).kind {
            ExprKind::Unary(P::Amp, y) if self.is_shared(y) => Some(y),
            _ if self.is_shared(inner) && self.types.array(self.expr(inner).ty).is_some() => {
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
        let (lo, hi) = (self.expr(e).lo, self.expr(e).hi);
        let element = self.types.ultimate(ty);
        if k == K::Sizeof || k == K::Alignof {
            let whole = self.types.shared(ty).is_some() && self.types.array(ty).is_some();
            if let (false, Some(x)) = (whole, x) {
                self.unevaluated += 1;
                out.copy(lo, self.expr(x).lo);
                match self.is_shared(x) {
                    true => self.emit_lvalue(out, x),
                    false => self.emit(out, x),
                }
                self.unevaluated -= 1;
                return;
            }
            if !whole {
                return out.copy(lo, hi);
            }
            if k == K::Alignof {
                out.text("_Alignof(");
                out.append(self.decl_text(self.bare(element), Rope::default()));
                return out.text(")");
            }
            out.text("((unsigned long)");
            out.append(self.count_text(&self.count(ty)));
            out.text(" * ");
            out.append(self.sizeof_text(element));
            return out.text(")");
        }
        out.text("((unsigned long)");
        match k {
            K::ElemSizeof => out.append(self.sizeof_text(element)),
            K::BlockSizeof => match self.types.shared(ty).map(|s| s.block) {
                Some(Block::Expr(e)) => {
                    out.text("(");
                    out.inline(self.expr(e).lo, self.expr(e).hi);
                    out.text(")");
                }
                Some(Block::Size(n)) => out.text(&n.to_string()),
                _ => out.text("1"),
            },
            _ => {
                out.append(self.local_elements(ty));
                out.text(" * ");
                out.append(self.sizeof_text(element));
            }
        }
        out.text(")");
    }
}
