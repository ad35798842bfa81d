//! Shared lvalues: their address, the pointer-to-shared that `&` gives, and the C lvalue on the
//! mapped memory.

use super::lowering::Lowering;
use super::place::{Origin, Place};
use super::rope::Rope;
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// Takes a shared lvalue apart.
    pub(crate) fn place_of(&mut self, e: ExprId) -> Place {
        let e = self.unit.strip(e);
        let ty = self.unit.expr(e).ty;
        match self.unit.expr(e).kind.clone() {
            ExprKind::Ident(s) => Place {
                origin: Origin::Object(s),
                terms: vec![],
                ty: self.unit.symbol(s).ty,
            },
            ExprKind::Index(a, i) => {
                let mut place = self.place_of_pointer(a);
                place.terms.push((i, false, ty));
                place
            }
            ExprKind::Unary(P::Star, x) => self.place_of_pointer(x),
            _ => Place {
                origin: Origin::Lvalue(e),
                terms: vec![],
                ty,
            },
        }
    }

    /// The place that a pointer-to-shared, or a shared array that becomes one, points to.
    pub(crate) fn place_of_pointer(&mut self, e: ExprId) -> Place {
        let written = e;
        let e = self.unit.strip(e);
        let ty = self.unit.expr(e).ty;
        if self.unit.types.array(ty).is_some() && self.unit.is_shared(e) {
            return self.place_of(e);
        }
        let to = self.unit.types.pointee(ty).unwrap_or(ty);
        if let ExprKind::Binary(p @ (P::Plus | P::Minus), a, b) = self.unit.expr(e).kind {
            let (x, y) = (self.unit.value_type(a), self.unit.value_type(b));
            if self.unit.types.is_pts(x) && self.unit.types.pointee(y).is_none() {
                let mut place = self.place_of_pointer(a);
                place.terms.push((b, p == P::Minus, to));
                return place;
            }
            if self.unit.types.is_pts(y) && p == P::Plus && self.unit.types.pointee(x).is_none() {
                let mut place = self.place_of_pointer(b);
                place.terms.push((a, false, to));
                return place;
            }
        }
        if let ExprKind::Unary(P::Amp, x) = self.unit.expr(e).kind {
            if self.unit.is_shared(x) {
                return self.place_of(x);
            }
        }
        // Generated calls take the pointer as an argument, where a comma needs its parentheses.
        let comma = matches!(self.unit.expr(e).kind, ExprKind::Binary(P::Comma, ..));
        Place {
            origin: Origin::Pointer(if comma { written } else { e }),
            terms: vec![],
            ty: to,
        }
    }

    /// Suffix of the runtime's functions for a layout, and the block size as their last argument.
    pub(crate) fn layout_of(&self, ty: QualTy) -> (&'static str, Rope) {
        match self.unit.types.shared(ty).map(|s| s.block) {
            Some(Block::Size(0)) => ("indef", Rope::default()),
            Some(Block::Size(1)) | Some(Block::Star) | None => ("cyclic", Rope::default()),
            Some(Block::Size(n)) => ("blocked", Rope::from_text(&format!(", {n}L"))),
            Some(Block::Expr(e)) => {
                let mut out = Rope::from_text(", (long)(");
                out.inline(self.unit.expr(e).lo, self.unit.expr(e).hi);
                out.text(")");
                ("blocked", out)
            }
        }
    }

    pub(crate) fn index_text(&mut self, out: &mut Rope, terms: &[(ExprId, bool, QualTy)]) {
        for (n, (e, minus, ty)) in terms.iter().enumerate() {
            match (n, minus) {
                (0, false) => {}
                (_, false) => out.text(" + "),
                (_, true) => out.text(" - "),
            }
            out.text("(long)(");
            self.emit(out, *e);
            out.text(")");
            let count = self.unit.count(*ty);
            if !count.is_one() {
                out.text(" * ");
                out.append(self.unit.count_text(&count));
            }
        }
    }

    /// Prefix in the names of functions that are not inlined.
    pub(crate) fn cold_prefix(&self, layout: &str) -> &'static str {
        match self.emission.function.cold_calls && layout != "indef" {
            true => "far_",
            false => "",
        }
    }

    fn size_and_block(&self, ty: QualTy) -> (&'static str, Rope) {
        let (layout, block) = self.layout_of(ty);
        let mut tail = Rope::from_text(", ");
        tail.append(self.unit.sizeof_text(self.unit.types.ultimate(ty)));
        tail.append(block);
        tail.text(")");
        (layout, tail)
    }

    /// Name of the declared object in generated code.
    pub(crate) fn object_name(&self, symbol: u32) -> String {
        let s = self.unit.symbol(symbol);
        s.renamed
            .clone()
            .unwrap_or_else(|| format!("upcr_obj_{}", self.unit.name(s.name)))
    }

    /// The address of a shared lvalue, of type `upcr_addr_t`.
    pub(crate) fn emit_address(&mut self, out: &mut Rope, e: ExprId) {
        let place = self.place_of(e);
        if !place.terms.is_empty()
            && (self.emit_run_address(out, e, &place) || self.emit_split_address(out, &place))
        {
            return;
        }
        match place.origin {
            Origin::Lvalue(x) => self.emit_lvalue_address(out, x, &place),
            Origin::Object(s) => {
                let name = self.object_name(s);
                if place.terms.is_empty() {
                    return out.text(&format!("{name}.addr"));
                }
                let (layout, tail) = self.size_and_block(place.ty);
                let far = self.cold_prefix(layout);
                out.text(&format!("upcr_{far}elem_{layout}({name}.addr, "));
                self.checked_index_text(out, &place);
                out.append(tail);
            }
            Origin::Pointer(p) => {
                if place.terms.is_empty() {
                    out.text("(");
                    self.emit_checked_pointer(out, p, place.ty, false);
                    return out.text(").addr");
                }
                let (layout, tail) = self.size_and_block(place.ty);
                if layout == "indef" {
                    out.text("((");
                    self.emit_checked_pointer(out, p, place.ty, true);
                    out.text(").addr + (upcr_addr_t)((");
                    self.index_text(out, &place.terms);
                    out.text(") * (long)");
                    out.append(self.unit.sizeof_text(self.unit.types.ultimate(place.ty)));
                    return out.text("))");
                }
                let far = self.cold_prefix(layout);
                out.text(&format!("upcr_{far}add_{layout}("));
                self.emit_checked_pointer(out, p, place.ty, true);
                out.text(", ");
                self.index_text(out, &place.terms);
                out.append(tail);
                out.text(".addr");
            }
        }
    }

    /// The address of the member `x`, or of an element of it.
    fn emit_lvalue_address(&mut self, out: &mut Rope, x: ExprId, place: &Place) {
        if place.terms.is_empty() {
            out.text("(upcr_addr_t)&");
            return self.emit_lvalue(out, x);
        }
        out.text("((upcr_addr_t)&");
        self.emit_lvalue(out, x);
        out.text(" + (upcr_addr_t)((");
        self.checked_index_text(out, place);
        out.text(") * (long)");
        out.append(self.unit.sizeof_text(self.unit.types.ultimate(place.ty)));
        out.text("))");
    }

    /// The pointer-to-shared that `&e` gives, or that the array `e` becomes.
    pub(crate) fn emit_pointer_to(&mut self, out: &mut Rope, e: ExprId) {
        let place = self.place_of(e);
        match place.origin {
            Origin::Lvalue(x) => {
                out.text("upcr_make(");
                self.emit_lvalue_address(out, x, &place);
                out.text(", 0)");
            }
            Origin::Object(s) => {
                let name = self.object_name(s);
                if place.terms.is_empty() {
                    return out.text(&format!("upcr_make({name}.addr, 0)"));
                }
                let (layout, tail) = self.size_and_block(place.ty);
                out.text(&format!("upcr_ptr_{layout}({name}.addr, "));
                self.index_text(out, &place.terms);
                out.append(tail);
            }
            Origin::Pointer(p) => {
                if place.terms.is_empty() {
                    out.text("(");
                    self.emit(out, p);
                    return out.text(")");
                }
                let (layout, tail) = self.size_and_block(place.ty);
                out.text(&format!("upcr_add_{layout}("));
                self.emit(out, p);
                out.text(", ");
                self.index_text(out, &place.terms);
                out.append(tail);
            }
        }
    }

    /// `(volatile T *)` for accesses.
    pub(crate) fn volatile_pointer(&self, ty: QualTy) -> Rope {
        let mut out = Rope::from_text("(");
        out.append(self.unit.decl_text(ty.with_bits(VOLATILE), "*"));
        out.text(")");
        out
    }

    /// The C lvalue of a shared lvalue.
    pub(crate) fn emit_lvalue(&mut self, out: &mut Rope, e: ExprId) {
        let ty = self.unit.expr(e).ty;
        match self.unit.expr(e).kind.clone() {
            ExprKind::Paren(x) => {
                out.text("(");
                self.emit_lvalue(out, x);
                out.text(")");
            }
            ExprKind::Prefix(K::Extension, x) => self.emit_lvalue(out, x),
            ExprKind::Prefix(_, x) => {
                let word = self.unit.src.text_of(self.unit.expr(e).lo).to_owned();
                out.text(&word);
                out.text(" ");
                self.emit_lvalue(out, x);
            }
            // Of a private structure, which may be reached through shared data: `((T
            // *)&a[i])->x++`.
            ExprKind::Member { .. } if !self.unit.is_shared(e) => self.emit(out, e),
            ExprKind::Member { base, name, arrow } => {
                if arrow {
                    let value = self.unit.value_type(base);
                    let to = self.unit.types.pointee(value).unwrap_or(ty);
                    out.text("(");
                    out.append(self.volatile_pointer(to));
                    self.emit_structure_address(out, base, to);
                    out.text(")->");
                } else {
                    self.emit_lvalue(out, base);
                    out.text(".");
                }
                let name = self.unit.name(name);
                out.text(name);
            }
            ExprKind::Index(a, i) if self.in_member(a) => {
                self.emit_lvalue(out, a);
                out.text("[");
                self.emit_member_index(out, a, i);
                out.text("]");
            }
            _ if self.unit.is_shared(e) && self.emit_counted_own_element(out, e) => {}
            _ if self.unit.is_shared(e) => {
                out.text("(*");
                out.append(self.volatile_pointer(self.unit.types.ultimate_if_array(ty)));
                self.emit_address(out, e);
                out.text(")");
            }
            _ => self.emit(out, e),
        }
    }

    /// Writes the element of own data that `e` is, with its count where it is being accessed and
    /// accesses are counted; false if it is none.
    fn emit_counted_own_element(&mut self, out: &mut Rope, e: ExprId) -> bool {
        let access = self.emission.function.counts.access.take();
        let mut lvalue = Rope::default();
        if !self.emit_own_element(&mut lvalue, e) {
            self.emission.function.counts.access = access;
            return false;
        }
        out.append(match access {
            Some((accessed, access)) if self.emission.function.counts.is_counting => {
                self.count_own(lvalue, accessed, access)
            }
            _ => lvalue,
        });
        true
    }

    /// The address that a pointer-to-shared holds.
    pub(crate) fn emit_pointer_address(&mut self, out: &mut Rope, e: ExprId) {
        let place = self.place_of_pointer(e);
        let simple = !matches!(place.origin, Origin::Pointer(_)) || !place.terms.is_empty();
        if !simple {
            out.text("(");
            self.emit_checked_pointer(out, e, place.ty, false);
            return out.text(").addr");
        }
        if !place.terms.is_empty()
            && (self.emit_run_address(out, e, &place) || self.emit_split_address(out, &place))
        {
            return;
        }
        // The pointer is to an element, or an array: its address is that of the element.
        let (layout, tail) = self.size_and_block(place.ty);
        match place.origin {
            Origin::Object(s) => {
                let name = self.object_name(s);
                if place.terms.is_empty() {
                    return out.text(&format!("{name}.addr"));
                }
                let far = self.cold_prefix(layout);
                out.text(&format!("upcr_{far}elem_{layout}({name}.addr, "));
                self.checked_index_text(out, &place);
                out.append(tail);
            }
            Origin::Pointer(p) => {
                out.text(&format!("upcr_add_{layout}("));
                self.emit_checked_pointer(out, p, place.ty, true);
                out.text(", ");
                self.index_text(out, &place.terms);
                out.append(tail);
                out.text(".addr");
            }
            Origin::Lvalue(x) => self.emit_lvalue_address(out, x, &place),
        }
    }

    /// Whether this array is (part of) a member of a shared structure.
    pub(super) fn in_member(&mut self, e: ExprId) -> bool {
        let e = self.unit.strip(e);
        if self.unit.types.array(self.unit.expr(e).ty).is_none() || !self.unit.is_shared(e) {
            return false;
        }
        matches!(self.place_of(e).origin, Origin::Lvalue(_))
    }
}
