//! Reads and writes of shared lvalues, with fences where they are strict, events where they are
//! recorded, and calls where the data may be on another node.

use super::lowering::Lowering;
use super::place::{Access, Mode};
use super::rope::Rope;
use crate::sema::arithmetic::{Arithmetic, Precision, Rank, Sign};
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// How the lvalue `e` is accessed.
    pub(crate) fn mode(&mut self, e: ExprId) -> Mode {
        let own = (!self.unit.options.instrument_local || self.counts_accesses())
            && self.emission.function.own.is_some()
            && self.is_own(e);
        let quals = self.unit.types.quals(self.unit.expr(e).ty).bits;
        let at = self.unit.expr(e).lo;
        let flags = self.unit.token(at).flags;
        let strict = quals & STRICT != 0 || (quals & RELAXED == 0 && flags & STRICT_DEFAULT != 0);
        let evaluated = !self.unit.is_unevaluated();
        if evaluated {
            self.note_access(at, e);
        }
        let far = evaluated && !own && self.may_be_far(e);
        let is_programs = evaluated && flags & (SYSTEM | OURS) == 0;
        let counts = self.counts_accesses();
        if counts && is_programs {
            self.emission.function.counts.sees_access = true;
        }
        // An element of own data is counted as one, unless its access needs fences.
        let recorded = is_programs
            && match counts {
                true => self.emission.function.counts.is_counting && (!own || strict),
                false => !own,
            };
        let is_instrumented = is_programs && self.unit.options.instrument;
        let is_measured = !counts || self.emission.function.counts.is_counting;
        let wait = match is_instrumented && is_measured {
            true => self.wait_around(e),
            false => None,
        };
        Mode {
            strict: strict && evaluated,
            far,
            reads: recorded && self.unit.records(at, "upc_get"),
            writes: recorded && self.unit.records(at, "upc_put"),
            counts,
            wait,
        }
    }

    /// Whether `e` is, or is part of, an element that is known to be the thread's own.
    pub(super) fn is_own(&mut self, e: ExprId) -> bool {
        let mut e = self.unit.strip(e);
        while let ExprKind::Member {
            base, arrow: false, ..
        }
        | ExprKind::Index(base, _) = self.unit.expr(e).kind
        {
            let of_member =
                matches!(self.unit.expr(e).kind, ExprKind::Member { .. }) || self.in_member(base);
            if !of_member {
                break;
            }
            e = self.unit.strip(base);
        }
        self.emit_own_element(&mut Rope::default(), e)
    }

    /// Declares `upcr_a<n>` as the address of the lvalue, for bit fields of their structure;
    /// returns the C lvalue in terms of it, and what its size is taken from.
    fn bind_address(&mut self, out: &mut Rope, e: ExprId, n: u32, access: Access) -> (Rope, Rope) {
        let e = self.unit.strip(e);
        self.emission.function.addresses += 1;
        out.text(&format!("upcr_addr_t upcr_a{n} = "));
        let size = match self.bit_field(e) {
            Some((base, _, arrow)) => {
                self.emit_record_address(out, base, arrow, access);
                let record = self.record_of(base, arrow);
                self.unit.sizeof_text(record)
            }
            None if self.unit.types.is_unknown(self.unit.expr(e).ty) => {
                self.emit_unknown_address(out, e, access)
            }
            None => {
                self.emit_access_address(out, e, access);
                self.unit.sizeof_text(self.unit.expr(e).ty)
            }
        };
        out.text("; ");
        self.emission.function.addresses -= 1;
        (self.lvalue_at(e, format!("upcr_a{n}")), size)
    }

    /// The C lvalue of `e` at `address`, for bit fields that of their structure.
    pub(super) fn lvalue_at(&mut self, e: ExprId, address: impl Into<Rope>) -> Rope {
        let (e, address) = (self.unit.strip(e), address.into());
        if let Some((base, name, arrow)) = self.bit_field(e) {
            let record = self.record_of(base, arrow);
            let mut lvalue = Rope::from_text("(");
            lvalue.append(self.volatile_pointer(record));
            lvalue.append(address);
            lvalue.text(&format!(")->{}", self.unit.name(name)));
            return lvalue;
        }
        let ty = self.unit.expr(e).ty;
        let mut lvalue = Rope::from_text("(*");
        lvalue.append(match self.unit.types.is_unknown(ty) {
            true => self.unknown_pointer(e),
            false => self.volatile_pointer(ty),
        });
        lvalue.append(address);
        lvalue.text(")");
        lvalue
    }

    fn event(&mut self, out: &mut Rope, mode: Mode, what: &str, size: &Rope, n: u32, e: ExprId) {
        let recorded = match what.starts_with("get") {
            true => mode.reads,
            false => mode.writes,
        };
        if mode.counts {
            return self.counted(out, mode, (recorded, what), size, n, e);
        }
        if !recorded {
            return;
        }
        let place = self.unit.place(self.unit.expr(e).lo);
        let strict = u8::from(mode.strict);
        match what.ends_with("begin") {
            true => {
                out.text(&format!("int upcr_{}{n} = ", &what[..1]));
                if let Some(wait) = mode.wait {
                    out.text(&format!("!upcr_w{wait}.upcr_is_open && "));
                }
                out.text(&format!("upcr_{what}(upcr_a{n}, "));
            }
            false => out.text(&format!(
                "if (upcr_{}{n}) upcr_{what}(upcr_a{n}, ",
                &what[..1]
            )),
        }
        out.append(size.clone());
        out.text(&format!(", {strict}, {place}); "));
    }

    /// The code around a counted access, in place of events. One that may be to another node sets
    /// its site first.
    fn counted(
        &mut self,
        out: &mut Rope,
        mode: Mode,
        (recorded, what): (bool, &str),
        size: &Rope,
        n: u32,
        e: ExprId,
    ) {
        let (begins, waits) = (what.ends_with("begin"), mode.far && mode.strict);
        if begins && mode.far {
            let operation = match what.starts_with("get") {
                true => "upc_get",
                false => "upc_put",
            };
            match recorded {
                true => {
                    self.announce_site(out);
                    if let Some(wait) = mode.wait {
                        out.text(&format!(
                            "if (upcr_w{wait}.upcr_is_open) upcr_far_site = 0; "
                        ));
                    }
                }
                false if self.is_left_out(e, operation) => out.text("upcr_far_site = 0; "),
                false => {}
            }
        }
        if waits && recorded {
            match begins {
                true => {
                    out.text(&format!("upcr_i_far_begin(upcr_a{n}, "));
                    out.append(size.clone());
                    out.text("); ");
                }
                false => out.text("upcr_i_far_end(); "),
            }
        }
        // An address that is wrong shows at the access.
        if recorded && !begins {
            if let Some(wait) = mode.wait {
                out.text(&format!("if (!upcr_w{wait}.upcr_is_open) {{ "));
            }
            self.count_access(out, e, what.starts_with("put"), n);
            if mode.wait.is_some() {
                out.text("} ");
            }
            self.declare_size(out, size);
        }
    }

    /// The begin or end of an access. Fences of strict accesses wait for other nodes, so they lie
    /// inside the event where data may be far.
    fn edge(
        &mut self,
        out: &mut Rope,
        mode: Mode,
        (event, fence): (&str, &str),
        size: &Rope,
        n: u32,
        e: ExprId,
    ) {
        let event_first = mode.far == event.ends_with("begin");
        if event_first {
            self.event(out, mode, event, size, n, e);
        }
        self.fence(out, mode, fence);
        if !event_first {
            self.event(out, mode, event, size, n, e);
        }
    }

    fn fence(&self, out: &mut Rope, mode: Mode, what: &str) {
        if mode.strict {
            out.text(&format!("upcr_strict_{what}(); "));
        }
    }

    /// Reads the shared lvalue `e`.
    pub(crate) fn emit_read(&mut self, out: &mut Rope, e: ExprId) {
        let mode = self.mode(e);
        if !self.is_split(mode, mode.reads || mode.wait.is_some(), e) {
            return self.emit_accessed(out, e, Access::Read);
        }
        if !mode.strict && !mode.reads && mode.wait.is_none() && self.emit_far_read(out, e) {
            return;
        }
        let n = self.unique();
        out.text("__extension__ ({ ");
        let (lvalue, size) = self.bind_address(out, e, n, Access::Read);
        self.load(out, mode, (e, Access::Read), lvalue, &size, n);
        out.text(&format!("upcr_v{n}; }})"));
    }

    /// Stores a value in the shared lvalue `e`; `value` writes it.
    pub(crate) fn emit_write(
        &mut self,
        out: &mut Rope,
        e: ExprId,
        value: &mut dyn FnMut(&mut Self, &mut Rope),
    ) {
        let mode = self.mode(e);
        if !self.is_split(mode, mode.writes, e) {
            out.text("(");
            self.emit_accessed(out, e, Access::Write);
            out.text(" = ");
            value(self, out);
            return out.text(")");
        }
        let n = self.unique();
        out.text("__extension__ ({ ");
        out.append(self.value_decl(mode, (e, Access::Write), &format!("upcr_v{n}")));
        out.text(" = ");
        value(self, out);
        out.text("; ");
        let (lvalue, size) = self.bind_address(out, e, n, Access::Write);
        let result = self.store(out, mode, lvalue, &size, n, e);
        out.text(&format!("{result}; }})"));
    }

    /// Whether an access is split into an address and a load or store; elsewhere it is a C lvalue.
    /// `is_recorded`: it is reported or counted.
    fn is_split(&self, mode: Mode, is_recorded: bool, e: ExprId) -> bool {
        let is_known = !self.unit.types.is_unknown(self.unit.expr(e).ty);
        mode.far || ((mode.strict || is_recorded) && is_known)
    }

    /// A declaration of the variable `name` for the value of a lvalue.
    fn value_decl(&mut self, mode: Mode, (e, access): (ExprId, Access), name: &str) -> Rope {
        if mode.far {
            return self.far_value_decl(e, access, name);
        }
        let ty = self.unit.bare(self.unit.expr(e).ty);
        self.unit.decl_text(ty, name)
    }

    /// How the inline function is called that accesses `e`, so that debug information shows which
    /// instructions are the access, and that near data is told from far; `None` where it is
    /// accessed as it is.
    pub(super) fn visible_access(
        &mut self,
        is_recorded: bool,
        far: bool,
        e: ExprId,
    ) -> Option<&'static str> {
        let ty = self.unit.expr(self.unit.strip(e)).ty;
        let is_atomic = self.unit.types.quals(ty).bits & ATOMIC != 0;
        let is_plain = (is_recorded || (far && !is_atomic)) && self.bit_field(e).is_none();
        let suffix = || access_suffix(&self.unit.types, ty);
        is_plain.then(suffix).flatten()
    }

    /// Declares a variable with the value of `lvalue`, which `e` has become.
    fn load(
        &mut self,
        out: &mut Rope,
        mode: Mode,
        (e, access): (ExprId, Access),
        lvalue: Rope,
        size: &Rope,
        n: u32,
    ) {
        if let (Some(wait), 0) = (mode.wait, self.emission.function.addresses) {
            out.text(&format!("upcr_flag_read(&upcr_w{wait}, upcr_a{n}, "));
            out.append(size.clone());
            out.text("); ");
        }
        self.edge(out, mode, ("get_begin", "before_read"), size, n, e);
        let visible = self.visible_access(mode.reads, mode.far, e);
        let mut value = lvalue;
        match visible {
            Some(suffix) => value = Rope::from_text(&format!("upcr_read_{suffix}(upcr_a{n})")),
            None if mode.far => value = self.far_value(out, e, size, n),
            None => {}
        }
        out.append(self.value_decl(mode, (e, access), &format!("upcr_v{n}")));
        out.text(" = ");
        out.append(value);
        out.text("; ");
        self.edge(out, mode, ("get_end", "after_read"), size, n, e);
    }

    /// Stores `upcr_v<n>`; returns the name of the variable with the value that is stored.
    fn store(
        &mut self,
        out: &mut Rope,
        mode: Mode,
        lvalue: Rope,
        size: &Rope,
        n: u32,
        e: ExprId,
    ) -> String {
        let mut result = format!("upcr_v{n}");
        self.edge(out, mode, ("put_begin", "before_write"), size, n, e);
        if mode.counts && mode.writes {
            self.announce_write(out, size, n);
        }
        match self.visible_access(mode.writes, mode.far, e) {
            Some(suffix) => out.text(&format!("upcr_write_{suffix}(upcr_a{n}, upcr_v{n}); ")),
            None if mode.far => result = self.emit_far_store(out, e, lvalue, size, n),
            None => {
                out.append(lvalue);
                out.text(&format!(" = upcr_v{n}; "));
            }
        }
        self.edge(out, mode, ("put_end", "after_write"), size, n, e);
        result
    }

    /// Reads, changes and stores the shared lvalue `e`. `change` writes the statement that computes
    /// the new value in the variable whose name it is given; `old` asks for the value before.
    pub(crate) fn emit_update(
        &mut self,
        out: &mut Rope,
        e: ExprId,
        old: bool,
        change: &mut dyn FnMut(&mut Self, &mut Rope, &str),
    ) {
        let mode = self.mode(e);
        let n = self.unique();
        out.text("__extension__ ({ ");
        let (lvalue, size) = self.bind_address(out, e, n, Access::Update);
        self.load(out, mode, (e, Access::Update), lvalue.clone(), &size, n);
        if old {
            out.append(self.value_decl(mode, (e, Access::Update), &format!("upcr_o{n}")));
            out.text(&format!(" = upcr_v{n}; "));
        }
        change(self, out, &format!("upcr_v{n}"));
        out.text("; ");
        let result = self.store(out, mode, lvalue, &size, n, e);
        match old {
            true => out.text(&format!("upcr_o{n}; }})")),
            false => out.text(&format!("{result}; }})")),
        }
    }

    /// Whether updates of `e` need more than a C lvalue.
    pub(crate) fn needs_update(&mut self, e: ExprId) -> bool {
        let mode = self.mode(e);
        self.is_split(mode, mode.reads || mode.writes, e)
    }
}

/// The end of the names of `upcr_read_...` and `upcr_write_...` for a type.
fn access_suffix(types: &Types, ty: QualTy) -> Option<&'static str> {
    let Type::Basic { arithmetic, .. } = types.kind(ty) else {
        return None;
    };
    Some(match (*arithmetic)? {
        Arithmetic::Integer(rank, sign) => match (rank, sign) {
            (Rank::Bool, _) => "bool",
            (Rank::Char, Sign::Signed) => "char",
            (Rank::Char, Sign::Unsigned) => "uchar",
            (Rank::Short, Sign::Signed) => "short",
            (Rank::Short, Sign::Unsigned) => "ushort",
            (Rank::Int, Sign::Signed) => "int",
            (Rank::Int, Sign::Unsigned) => "uint",
            (Rank::Long, Sign::Signed) => "long",
            (Rank::Long, Sign::Unsigned) => "ulong",
            (Rank::LongLong, Sign::Signed) => "longlong",
            (Rank::LongLong, Sign::Unsigned) => "ulonglong",
            (Rank::Int128, _) => return None,
        },
        Arithmetic::Real(Precision::Single) => "float",
        Arithmetic::Real(Precision::Double) => "double",
        Arithmetic::Real(Precision::Extended) => "longdouble",
        Arithmetic::Complex(_) => return None,
    })
}
