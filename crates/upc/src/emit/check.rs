//! Checks at run time (`-fupc-check`): indices against declared bounds, pointers-to-shared before
//! they are used, casts to private pointers, pointers that are compared or subtracted, and calls of
//! the library with their place.

use super::lowering::Lowering;
use super::place::{Access, Origin, Place};
use super::rope::Rope;
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// The C lvalue of a shared lvalue that is accessed, with its checks.
    pub(crate) fn emit_accessed(&mut self, out: &mut Rope, e: ExprId, access: Access) {
        let ty = self.unit.expr(e).ty;
        if !self.unit.checks() || !self.unit.is_shared(e) {
            let outer = self.emission.function.counts.access.replace((e, access));
            self.emit_lvalue(out, e);
            self.emission.function.counts.access = outer;
            return;
        }
        if let ExprKind::Paren(x) = self.unit.expr(e).kind {
            out.text("(");
            self.emit_accessed(out, x, access);
            return out.text(")");
        }
        if let ExprKind::Prefix(k, x) = self.unit.expr(e).kind {
            if k != K::Extension {
                let word = self.unit.src.text_of(self.unit.expr(e).lo).to_owned();
                out.text(&word);
            }
            return self.emit_accessed(out, x, access);
        }
        if self.unit.types.is_unknown(ty) {
            // Only the C compiler knows the type.
            let mut lvalue = Rope::default();
            self.emission.function.accessing = true;
            self.emit_lvalue(&mut lvalue, e);
            self.emission.function.accessing = false;
            out.text("(*(__typeof__(&(");
            out.append(lvalue.clone());
            out.text(")))upcr_check_access((upcr_addr_t)&(");
            out.append(lvalue.clone());
            out.text("), sizeof(");
            out.append(lvalue);
            let place = self.unit.place(self.unit.expr(e).lo);
            return out.text(&format!("), 1, {}, {place}))", access.number()));
        }
        if let Some((base, member, arrow)) = self.bit_field(e) {
            let record = self.record_of(base, arrow);
            out.text("(");
            out.append(self.volatile_pointer(record));
            self.emit_record_address(out, base, arrow, access);
            let member = self.unit.name(member);
            return out.text(&format!(")->{member}"));
        }
        out.text("(*");
        out.append(self.volatile_pointer(self.unit.types.ultimate_if_array(ty)));
        self.emit_access_address(out, e, access);
        out.text(")");
    }

    /// Structure or pointer to it, member, and whether it is a pointer, if `e` is a bit field.
    pub(crate) fn bit_field(&mut self, e: ExprId) -> Option<(ExprId, Name, bool)> {
        let e = self.unit.strip(e);
        if !self.unit.is_bit_field(e) {
            return None;
        }
        match self.unit.expr(e).kind {
            ExprKind::Member { base, name, arrow } => Some((base, name, arrow)),
            _ => None,
        }
    }

    /// Type of the structure that a member belongs to.
    pub(crate) fn record_of(&mut self, base: ExprId, arrow: bool) -> QualTy {
        let ty = self.unit.expr(base).ty;
        match arrow {
            true => {
                let value = self.unit.value_type(base);
                self.unit.types.pointee(value).unwrap_or(ty)
            }
            false => ty,
        }
    }

    /// The address of a structure of which a bit field is accessed.
    pub(crate) fn emit_record_address(
        &mut self,
        out: &mut Rope,
        base: ExprId,
        arrow: bool,
        access: Access,
    ) {
        if !arrow {
            return self.emit_access_address(out, base, access);
        }
        if !self.unit.checks() {
            return self.emit_pointer_address(out, base);
        }
        let record = self.record_of(base, true);
        out.text("upcr_check_access(");
        self.emission.function.accessing = true;
        self.emit_pointer_address(out, base);
        self.emission.function.accessing = false;
        self.check_tail(out, base, record, true, access);
    }

    /// The address of a shared lvalue that is accessed.
    pub(crate) fn emit_access_address(&mut self, out: &mut Rope, e: ExprId, access: Access) {
        if !self.unit.checks() {
            return self.emit_address(out, e);
        }
        let place = self.place_of(e);
        let whole = !matches!(place.origin, Origin::Lvalue(_));
        // An element of a declared object is in it if its indices are.
        let object = matches!(place.origin, Origin::Object(_));
        if !object {
            out.text("upcr_check_access(");
        }
        self.emission.function.accessing = true;
        self.emit_address(out, e);
        self.emission.function.accessing = false;
        if !object {
            let ty = self.unit.types.ultimate_if_array(self.unit.expr(e).ty);
            self.check_tail(out, e, ty, whole, access);
        }
    }

    /// `, size, alignment, access, "file", line)`. A member of a packed structure may be at any
    /// address.
    fn check_tail(&self, out: &mut Rope, e: ExprId, ty: QualTy, aligned: bool, access: Access) {
        let size = self.unit.sizeof_text(ty);
        out.text(", ");
        out.append(size);
        out.text(", ");
        match aligned {
            true => self.alignment(out, ty),
            false => out.text("1"),
        }
        let place = self.unit.place(self.unit.expr(e).lo);
        out.text(&format!(", {}, {place})", access.number()));
    }

    fn alignment(&self, out: &mut Rope, ty: QualTy) {
        out.text("_Alignof(");
        out.append(self.unit.decl_text(self.unit.bare(ty), Rope::default()));
        out.text(")");
    }

    /// A pointer-to-shared through which is accessed, after something was `added` to it or as it
    /// is.
    pub(crate) fn emit_checked_pointer(
        &mut self,
        out: &mut Rope,
        p: ExprId,
        ty: QualTy,
        added: bool,
    ) {
        let has_phase = match self.unit.types.shared(ty).map(|s| s.block) {
            Some(Block::Size(n)) => n > 1,
            Some(Block::Expr(_)) => true,
            _ => false,
        };
        // The check of the address finds a pointer that is null with nothing added to it.
        if !self.emission.function.accessing || (!added && !has_phase) {
            return self.emit(out, p);
        }
        out.text("upcr_check_pointer(");
        self.emit(out, p);
        let block = match self.unit.types.shared(ty).map(|s| s.block) {
            Some(Block::Size(n)) if n > 1 => format!(", {n}L"),
            Some(Block::Expr(_)) => {
                let (_, block) = self.layout_of(ty);
                out.append(block);
                String::new()
            }
            // The phase of other pointers is 0.
            _ => ", 1L".to_owned(),
        };
        let place = self.unit.place(self.unit.expr(p).lo);
        out.text(&format!("{block}, {place})"));
    }

    /// The address in a pointer to a structure, before a member is selected.
    pub(crate) fn emit_structure_address(&mut self, out: &mut Rope, base: ExprId, record: QualTy) {
        if !self.emission.function.accessing {
            return self.emit_pointer_address(out, base);
        }
        out.text("upcr_check_align(");
        self.emit_pointer_address(out, base);
        out.text(", ");
        self.alignment(out, record);
        let place = self.unit.place(self.unit.expr(base).lo);
        out.text(&format!(", {place})"));
    }

    /// An index of an array that is a member.
    pub(crate) fn emit_member_index(&mut self, out: &mut Rope, array: ExprId, i: ExprId) {
        let ty = self.unit.expr(array).ty;
        let bound = self.member_bound(ty);
        let (true, Some(n)) = (self.emission.function.accessing, bound) else {
            return self.emit(out, i);
        };
        out.text("upcr_check_index((long)(");
        self.emit(out, i);
        let (name, place) = (
            self.member_name(array),
            self.unit.place(self.unit.expr(i).lo),
        );
        out.text(&format!("), {n}L, 0, \"{name}\", 0, {place})"));
    }

    /// Elements of an array in a structure. One that has at most one may be meant to have more.
    fn member_bound(&self, ty: QualTy) -> Option<u64> {
        match self.unit.types.array(ty)?.1 {
            Len::Const { n, threads: false } if n > 1 => Some(n),
            _ => None,
        }
    }

    fn member_name(&self, array: ExprId) -> String {
        let mut e = self.unit.strip(array);
        while let ExprKind::Index(a, _) | ExprKind::Unary(_, a) = self.unit.expr(e).kind {
            e = self.unit.strip(a);
        }
        match self.unit.expr(e).kind {
            ExprKind::Member { name, .. } => self.unit.name(name).to_owned(),
            _ => "an array".to_owned(),
        }
    }

    /// The sum of the indices of a place, each checked against its dimension.
    pub(crate) fn checked_index_text(&mut self, out: &mut Rope, place: &Place) {
        let accessing = std::mem::replace(&mut self.emission.function.accessing, false);
        let (name, object, first) = match place.origin {
            Origin::Object(s) if accessing => {
                let name = self.unit.name(self.unit.symbol(s).name).to_owned();
                (name, format!("&{}", self.object_name(s)), place.terms[0].0)
            }
            Origin::Lvalue(e) if accessing => {
                (self.member_name(e), "0".to_owned(), place.terms[0].0)
            }
            _ => {
                self.index_text(out, &place.terms);
                self.emission.function.accessing = accessing;
                return;
            }
        };
        let at = self.unit.place(self.unit.expr(first).lo);
        let dimensions = self.dimensions(place.ty);
        let levels: Vec<usize> = place
            .terms
            .iter()
            .map(|(.., ty)| {
                dimensions
                    .len()
                    .wrapping_sub(self.dimensions(*ty).len() + 1)
            })
            .collect();
        let single = (1..levels.len()).all(|i| levels[i] != levels[i - 1])
            && levels.iter().all(|l| *l < dimensions.len());
        let whole = matches!(place.origin, Origin::Object(_));
        let open = dimensions.iter().any(|(_, len)| *len == Len::None);
        if !single || (whole && (open || dimensions.len() == 1)) {
            // Where the dimensions cannot be distinguished, the sum must be within the whole.
            let bound = match whole {
                true => Some(Rope::from_text(&format!("upcr_elements({object})"))),
                false => {
                    let count = self.unit.count(place.ty);
                    (!count.open && count.exprs.is_empty() && count.n > 1)
                        .then(|| self.unit.count_text(&count))
                }
            };
            let mut sum = Rope::default();
            self.index_text(&mut sum, &place.terms);
            match bound {
                Some(bound) => {
                    out.text("upcr_check_index(");
                    out.append(sum);
                    out.text(", ");
                    out.append(bound);
                    out.text(&format!(", 0, \"{name}\", {object}, {at})"));
                }
                None => out.append(sum),
            }
            self.emission.function.accessing = accessing;
            return;
        }
        for (n, (term, level)) in place.terms.iter().zip(&levels).enumerate() {
            out.text(if n == 0 { "" } else { " + " });
            let one = (term.0, term.1, QualTy::plain(INT));
            let mut index = Rope::default();
            self.index_text(&mut index, std::slice::from_ref(&one));
            let (array, len) = dimensions[*level];
            let bound = match (whole, len) {
                (false, _) => self
                    .member_bound(array)
                    .map(|n| Rope::from_text(&n.to_string())),
                (true, len) => {
                    let one = self.unit.types.add(Type::Array(QualTy::plain(INT), len));
                    let count = self.unit.count(QualTy::plain(one));
                    Some(self.unit.count_text(&count))
                }
            };
            match bound {
                Some(bound) => {
                    let dimension = if dimensions.len() == 1 { 0 } else { level + 1 };
                    out.text("upcr_check_index(");
                    out.append(index);
                    out.text(", ");
                    out.append(bound);
                    out.text(&format!(", {dimension}, \"{name}\", {object}, {at})"));
                }
                None => out.append(index),
            }
            let count = self.unit.count(term.2);
            if !count.is_one() {
                out.text(" * ");
                out.append(self.unit.count_text(&count));
            }
        }
        self.emission.function.accessing = accessing;
    }

    /// The array types of an array of arrays, from the outside, with their lengths.
    fn dimensions(&self, mut ty: QualTy) -> Vec<(QualTy, Len)> {
        let mut found = Vec::new();
        while let Some((elem, len)) = self.unit.types.array(ty) {
            found.push((ty, len));
            ty = elem;
        }
        found
    }

    /// Declares `upcr_p<n>` and `upcr_q<n>` as two pointers that must point into the same object.
    pub(crate) fn emit_same(&mut self, out: &mut Rope, a: ExprId, b: ExprId, n: u32) {
        out.text(&format!("upcr_pts upcr_p{n} = "));
        self.emit(out, a);
        out.text(&format!(", upcr_q{n} = "));
        self.emit(out, b);
        let place = self.unit.place(self.unit.expr(a).lo);
        out.text(&format!(
            "; upcr_check_same(upcr_p{n}, upcr_q{n}, {place}); "
        ));
    }
}
