//! Accesses to data that may be on another node ([`crate::Options::several_nodes`]). Data of threads
//! on the same node is mapped, and accessed as everywhere; the rest is read and written by calls of
//! the runtime. Scalars go through inline functions that tell one from the other; here is what
//! takes more: structures, pointers, bit fields, types that only the C compiler knows.
//!
//! A value is read through a pointer, either to the data itself or to `upcr_w<n>`, a copy of it. A
//! bit field has no address of its own: `upcr_m<n>`, a structure with nothing but the field set,
//! tells the runtime's header which bytes it is in.

use super::lowering::Lowering;
use super::place::Access;
use super::rope::Rope;
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// Whether the shared lvalue `e` may be on another node.
    pub(super) fn may_be_far(&mut self, e: ExprId) -> bool {
        self.unit.options.several_nodes && !(self.emission.function.own.is_some() && self.is_own(e))
    }

    /// Reads a scalar that may be far by one call; false if `e` is something else.
    pub(super) fn emit_far_read(&mut self, out: &mut Rope, e: ExprId) -> bool {
        let Some(suffix) = self.visible_access(false, true, e) else {
            return false;
        };
        // The function's type is `signed char`.
        let is_char = self.unit.types.resolve(self.unit.expr(e).ty).id == CHAR;
        let unknown = self.is_left_out(e, "upc_get");
        out.text(if unknown { "(upcr_far_site = 0, " } else { "" });
        out.text(if is_char { "((char)" } else { "" });
        out.text(&format!("upcr_read_{suffix}("));
        self.emit_access_address(out, e, Access::Read);
        out.text(if is_char { "))" } else { ")" });
        out.text(if unknown { ")" } else { "" });
        true
    }

    /// `a = b` whose value is not used, by one call; false if that is not enough.
    pub(super) fn emit_far_write(&mut self, out: &mut Rope, a: ExprId, b: ExprId) -> bool {
        if !self.unit.options.several_nodes || !self.unit.is_shared(a) {
            return false;
        }
        let mode = self.mode(a);
        if !mode.far || mode.strict || mode.writes {
            return false;
        }
        let Some(suffix) = self.visible_access(false, true, a) else {
            return false;
        };
        let unknown = self.is_left_out(a, "upc_put");
        out.text(if unknown { "(upcr_far_site = 0, " } else { "" });
        out.text(&format!("upcr_write_{suffix}("));
        self.emit_access_address(out, a, Access::Write);
        out.text(", ");
        self.emit_converted(out, b, self.unit.expr(a).ty);
        out.text(if unknown { "))" } else { ")" });
        true
    }

    /// Whether the program counts accesses, but never this one.
    pub(super) fn is_left_out(&mut self, e: ExprId, operation: &str) -> bool {
        let at = self.unit.expr(e).lo;
        let is_programs = self.unit.token(at).flags & (SYSTEM | OURS) == 0;
        self.counts_accesses() && !(is_programs && self.unit.records(at, operation))
    }

    /// Whether an expression changes data that may be far, by several statements with a value. Where
    /// nothing uses the value, C compilers warn unless they are told so.
    pub(super) fn changes_far(&mut self, e: ExprId) -> bool {
        let (ExprKind::Assign(_, x, _)
        | ExprKind::Postfix(_, x)
        | ExprKind::Unary(P::Inc | P::Dec, x)) = self.unit.expr(e).kind
        else {
            return false;
        };
        self.unit.options.several_nodes && self.unit.is_shared(x) && self.mode(x).far
    }

    /// A declaration of the variable `name` for the value of `e`. That of a bit field has the type
    /// that its value has in expressions, unless one is assigned, which C converts to the field.
    pub(super) fn far_value_decl(&mut self, e: ExprId, access: Access, name: &str) -> Rope {
        let ty = self.unit.expr(e).ty;
        let is_bool = self.unit.types.is_bool(ty);
        if let Some(field) = self.field_type(e) {
            if access == Access::Read || (access == Access::Update && !is_bool) {
                return declaration(field, name);
            }
        }
        if self.unit.types.is_unknown(ty) {
            let lvalue = self.unevaluated_lvalue(e);
            return declaration(type_of(lvalue), name);
        }
        self.unit.decl_text(self.unit.bare(ty), name)
    }

    /// The value at `upcr_a<n>` as an expression; `out` gets the declaration of what it needs.
    pub(super) fn far_value(&mut self, out: &mut Rope, e: ExprId, size: &Rope, n: u32) -> Rope {
        if let Some(field) = self.changeable_field(e) {
            let mut value = Rope::from_text(&format!("upcr_is_near(upcr_a{n}) ? "));
            value.append(self.lvalue_at(e, format!("upcr_a{n}")));
            value.text(" : __extension__ ({ ");
            self.get_field(&mut value, e, &field, size, n);
            value.text(&format!("upcr_w{n}.{}; }})", field.name));
            return value;
        }
        let copy = format!("upcr_w{n}");
        out.append(match self.bit_field(e) {
            Some((base, _, arrow)) => {
                let record = self.record_of(base, arrow);
                self.unit.decl_text(self.unit.bare(record), copy.as_str())
            }
            None => self.far_value_decl(e, Access::Write, &copy),
        });
        out.text("; ");
        let mut view = Rope::from_text(&format!(
            "upcr_view(upcr_a{n}, (void *)(upcr_addr_t)&{copy}, "
        ));
        view.append(size.clone());
        view.text(")");
        self.lvalue_at(e, view)
    }

    /// Stores `upcr_v<n>` at `upcr_a<n>`; returns the name of the variable with the value that is
    /// stored.
    pub(super) fn emit_far_store(
        &mut self,
        out: &mut Rope,
        e: ExprId,
        lvalue: Rope,
        size: &Rope,
        n: u32,
    ) -> String {
        let Some(field) = self.changeable_field(e) else {
            out.text(&format!("if (upcr_is_near(upcr_a{n})) "));
            out.append(lvalue);
            out.text(&format!(" = upcr_v{n}; else {{ "));
            // A variable of its own, so that `upcr_v` needs no place in memory.
            out.append(self.far_value_decl(e, Access::Write, &format!("upcr_x{n}")));
            out.text(&format!(
                " = upcr_v{n}; upcr_put_far(upcr_a{n}, (void *)(upcr_addr_t)&upcr_x{n}, "
            ));
            out.append(size.clone());
            out.text("); } ");
            return format!("upcr_v{n}");
        };
        if let Some(ty) = self.field_type(e) {
            out.append(declaration(
                ty,
                &format!("upcr_r{n} __attribute__((unused)); "),
            ));
        }
        out.text(&format!("if (upcr_is_near(upcr_a{n})) upcr_r{n} = ("));
        out.append(lvalue);
        out.text(&format!(" = upcr_v{n}); else {{ "));
        self.get_field(out, e, &field, size, n);
        let name = field.name;
        out.text(&format!(
            "upcr_r{n} = (upcr_w{n}.{name} = upcr_v{n}); \
             upcr_far_put_field(upcr_a{n}, &upcr_w{n}, &upcr_m{n}, "
        ));
        out.append(size.clone());
        out.text("); } ");
        format!("upcr_r{n}")
    }

    /// Declares `upcr_w<n>`, a structure with the bytes of the far bit field `e`, and `upcr_m<n>`,
    /// which says which bytes that are.
    fn get_field(&mut self, out: &mut Rope, e: ExprId, field: &Field, size: &Rope, n: u32) {
        let name = &field.name;
        let variables = format!("upcr_w{n}, upcr_m{n}");
        out.append(self.unit.decl_text(field.record, variables));
        let set = match self.unit.types.is_bool(self.unit.expr(e).ty) {
            true => " = 1",
            false => "--",
        };
        out.text(&format!(
            "; __builtin_memset(&upcr_m{n}, 0, sizeof(upcr_m{n})); upcr_m{n}.{name}{set}; \
             upcr_far_get_field(&upcr_w{n}, upcr_a{n}, &upcr_m{n}, "
        ));
        out.append(size.clone());
        out.text("); ");
    }

    /// If `e` is a bit field that is not constant: its structure and name.
    fn changeable_field(&mut self, e: ExprId) -> Option<Field> {
        let (base, name, arrow) = self.bit_field(e)?;
        let record = self.record_of(base, arrow);
        let member = self.unit.types.member(record, name)?;
        let is_const = self.unit.types.quals(member.ty).bits & CONST != 0;
        (!is_const).then(|| Field {
            record: self.unit.bare(record),
            name: self.unit.name(name).to_owned(),
        })
    }

    /// The type that the value of the bit field `e` has in expressions.
    fn field_type(&mut self, e: ExprId) -> Option<Rope> {
        let (base, name, arrow) = self.bit_field(e)?;
        let record = self.record_of(base, arrow);
        let mut field = Rope::from_text("+((");
        field.append(self.unit.decl_text(self.unit.bare(record), "*"));
        field.text(&format!(")0)->{}", self.unit.name(name)));
        Some(type_of(field))
    }

    // Types that only the C compiler knows

    /// The lvalue `e` for the C compiler to find its type.
    fn unevaluated_lvalue(&mut self, e: ExprId) -> Rope {
        let mut lvalue = Rope::default();
        self.unit.begin_unevaluated();
        self.emit_lvalue(&mut lvalue, e);
        self.unit.end_unevaluated();
        lvalue
    }

    /// `(T *)` for the type of `e`.
    pub(super) fn unknown_pointer(&mut self, e: ExprId) -> Rope {
        let mut address = Rope::from_text("&(");
        address.append(self.unevaluated_lvalue(e));
        address.text(")");
        let mut out = Rope::from_text("(");
        out.append(type_of(address));
        out.text(")");
        out
    }

    /// The address of `e`, which is accessed, with its check; returns its size.
    pub(super) fn emit_unknown_address(
        &mut self,
        out: &mut Rope,
        e: ExprId,
        access: Access,
    ) -> Rope {
        let mut size = Rope::from_text("sizeof(");
        size.append(self.unevaluated_lvalue(e));
        size.text(")");
        let is_checked = self.unit.checks();
        out.text(if is_checked { "upcr_check_access(" } else { "" });
        out.text("(upcr_addr_t)&(");
        self.emission.function.accessing = is_checked;
        self.emit_lvalue(out, e);
        self.emission.function.accessing = false;
        out.text(")");
        if is_checked {
            out.text(", ");
            out.append(size.clone());
            let place = self.unit.place(self.unit.expr(e).lo);
            out.text(&format!(", 1, {}, {place})", access.number()));
        }
        size
    }
}

/// A bit field: its structure and its name.
struct Field {
    record: QualTy,
    name: String,
}

fn type_of(expression: Rope) -> Rope {
    let mut out = Rope::from_text("__typeof__(");
    out.append(expression);
    out.text(")");
    out
}

fn declaration(ty: Rope, name: &str) -> Rope {
    let mut out = ty;
    out.text(&format!(" {name}"));
    out
}
