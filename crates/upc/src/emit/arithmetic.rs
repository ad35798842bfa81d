//! Arithmetic and comparison of pointers-to-shared, and steps of what lies in shared memory.

use super::lowering::Lowering;
use super::rope::Rope;
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;

/// Number that is added to a pointer-to-shared.
#[derive(Clone, Copy)]
pub(crate) enum By {
    /// One or minus one.
    Step(&'static str),
    /// The expression; whether it is subtracted.
    Value(ExprId, bool),
}

impl Lowering<'_, '_> {
    /// `x++` of a number in shared memory with events or fences.
    pub(crate) fn emit_number_step(&mut self, out: &mut Rope, p: P, x: ExprId, old: bool) {
        self.emit_update(out, x, old, &mut |_, out, v| {
            out.text(&format!("{v}{}", p.text()))
        });
    }

    /// `upcr_add_...(base, n, E, B)` for a pointer-to-shared of type `ty`.
    pub(crate) fn emit_add(
        &mut self,
        out: &mut Rope,
        ty: QualTy,
        base: &mut dyn FnMut(&mut Self, &mut Rope),
        by: By,
    ) {
        let to = self.unit.types.pointee(ty).unwrap_or(ty);
        if let By::Value(e, minus) = by {
            if self.emit_add_split(out, &[(e, minus, to)], to, base) {
                return;
            }
        }
        let (layout, block) = self.layout_of(to);
        out.text(&format!("upcr_add_{layout}("));
        base(self, out);
        out.text(", ");
        match by {
            By::Step(one) => out.text(one),
            By::Value(e, minus) => {
                out.text(if minus { "-(long)(" } else { "(long)(" });
                self.emit(out, e);
                out.text(")");
            }
        }
        let count = self.unit.count(to);
        if !count.is_one() {
            out.text(" * ");
            out.append(self.unit.count_text(&count));
        }
        out.text(", ");
        out.append(self.unit.sizeof_text(self.unit.types.ultimate(to)));
        out.append(block);
        out.text(")");
    }

    pub(crate) fn is_simple_variable(&self, e: ExprId) -> bool {
        matches!(self.unit.expr(self.unit.strip(e)).kind, ExprKind::Ident(_))
            && !self.unit.is_shared(e)
    }

    /// `++` or `--` on a pointer-to-shared; `old`: the value before is the value.
    pub(crate) fn emit_step(&mut self, out: &mut Rope, p: P, x: ExprId, old: bool) {
        let one = if p == P::Inc { "1" } else { "-1" };
        self.emit_pointer_update(out, x, old, By::Step(one));
    }

    /// Adds something to the pointer-to-shared in the lvalue `x`.
    pub(crate) fn emit_pointer_update(&mut self, out: &mut Rope, x: ExprId, old: bool, by: By) {
        let ty = self.unit.value_type(x);
        if self.unit.is_shared(x) {
            return self.emit_update(out, x, old, &mut |low, out, v| {
                out.text(&format!("{v} = "));
                let v = v.to_owned();
                low.emit_add(out, ty, &mut |_, out| out.text(&v), by);
            });
        }
        if self.is_simple_variable(x) && !old {
            out.text("(");
            self.emit(out, x);
            out.text(" = ");
            self.emit_add(out, ty, &mut |low, out| low.emit(out, x), by);
            return out.text(")");
        }
        let n = self.unique();
        if self.is_simple_variable(x) {
            // It may be a register variable, which has no address.
            out.text(&format!("__extension__ ({{ upcr_pts upcr_o{n} = "));
            self.emit(out, x);
            out.text("; ");
            self.emit(out, x);
            out.text(" = ");
            self.emit_add(out, ty, &mut |_, out| out.text(&format!("upcr_o{n}")), by);
            return out.text(&format!("; upcr_o{n}; }})"));
        }
        out.text(&format!(
            "__extension__ ({{ upcr_pts *upcr_p{n} = (upcr_pts *)&("
        ));
        self.emit(out, x);
        out.text("); ");
        if old {
            out.text(&format!("upcr_pts upcr_o{n} = *upcr_p{n}; "));
        }
        out.text(&format!("*upcr_p{n} = "));
        self.emit_add(out, ty, &mut |_, out| out.text(&format!("*upcr_p{n}")), by);
        out.text("; ");
        out.text(&if old {
            format!("upcr_o{n}; }})")
        } else {
            format!("*upcr_p{n}; }})")
        });
    }

    pub(crate) fn emit_binary(&mut self, out: &mut Rope, e: ExprId, p: P, a: ExprId, b: ExprId) {
        let (x, y) = (self.unit.value_type(a), self.unit.value_type(b));
        let (px, py) = (self.unit.types.is_pts(x), self.unit.types.is_pts(y));
        if (!px && !py) || p == P::Comma {
            return self.emit_around(out, e, &[a, b]);
        }
        match p {
            P::AndAnd | P::OrOr => {
                let (hi, lo) = (self.unit.expr(a).hi, self.unit.expr(b).lo);
                self.emit_condition(out, a);
                out.copy(hi, lo);
                self.emit_condition(out, b);
            }
            P::EqEq | P::Ne => {
                let not = p == P::Ne;
                if px && py {
                    out.text(if not { "(!upcr_equal(" } else { "(upcr_equal(" });
                    self.emit(out, a);
                    out.text(", ");
                    self.emit(out, b);
                    return out.text("))");
                }
                out.text("((");
                self.emit(out, if px { a } else { b });
                out.text(if not { ").addr != 0)" } else { ").addr == 0)" });
            }
            P::Lt | P::Gt | P::Le | P::Ge => {
                out.text("(");
                if px && py {
                    self.emit_difference(out, a, b, x, false);
                } else {
                    out.text("(long)(");
                    self.emit(out, if px { a } else { b });
                    out.text(").addr");
                }
                out.text(&format!(" {} 0)", p.text()));
            }
            P::Minus if px && py => self.emit_difference(out, a, b, x, true),
            P::Plus | P::Minus => {
                let (pointer, other) = if px { (a, b) } else { (b, a) };
                let ty = if px { x } else { y };
                self.emit_add(
                    out,
                    ty,
                    &mut |low, out| low.emit(out, pointer),
                    By::Value(other, p == P::Minus),
                );
            }
            _ => self.emit_around(out, e, &[a, b]),
        }
    }

    pub(crate) fn emit_difference(
        &mut self,
        out: &mut Rope,
        a: ExprId,
        b: ExprId,
        ty: QualTy,
        divide: bool,
    ) {
        let to = self.unit.types.pointee(ty).unwrap_or(ty);
        let (layout, block) = self.layout_of(to);
        let count = self.unit.count(to);
        let divide = divide && !count.is_one();
        let checked = self.unit.checks().then(|| self.unique());
        if let Some(n) = checked {
            out.text("__extension__ ({ ");
            self.emit_same(out, a, b, n);
        }
        out.text(if divide { "(" } else { "" });
        out.text(&format!("upcr_sub_{layout}("));
        match checked {
            Some(n) => out.text(&format!("upcr_p{n}, upcr_q{n}")),
            None => {
                self.emit(out, a);
                out.text(", ");
                self.emit(out, b);
            }
        }
        out.text(", ");
        out.append(self.unit.sizeof_text(self.unit.types.ultimate(to)));
        out.append(block);
        out.text(")");
        if divide {
            out.text(" / ");
            out.append(self.unit.count_text(&count));
            out.text(")");
        }
        if checked.is_some() {
            out.text("; })");
        }
    }
}
