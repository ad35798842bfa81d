//! `upc_forall` over own elements. Where the loop counts one variable in equal steps and the
//! affinity is that variable plus something that stays the same, as an integer or as an index of a
//! cyclic or blocked array, the thread's own iterations are enumerated directly. Elements of arrays
//! with the same layout that are indexed in the same way are own ones too, and are accessed through
//! a plain private pointer, so that the C compiler can vectorise.

use super::forall::affinity_test;
use super::lowering::Lowering;
use super::own_loop::{Base, OwnLoop};
use super::place::{Origin, Place};
use super::rope::{Part, Rope};
use super::work::Forall;
use crate::sema::ast::{Affinity, ExprKind};
use crate::sema::loops::{CountedLoop, Head, Offset, Step, Until};
use crate::sema::types::*;
use crate::syntax::token::*;

/// Larger bodies are not worth a second copy.
const MAX_BODY: u32 = 1500;

/// In the copy of a larger body that is hardly ever run, addresses are computed by calls. A call
/// there keeps the C compiler from holding a sum in a floating-point register in the other copy,
/// which in a small loop costs most of its time.
const MAX_INLINED_BODY: u32 = 64;

impl Lowering<'_, '_> {
    /// Lowers a `upc_forall` in this way, if it has the form.
    pub(crate) fn lower_own_loop(&mut self, f: &Forall) -> Option<()> {
        let (lo, hi) = (f.close + 1, f.end + 1);
        if f.outside.is_some()
            || f.escapes
            || f.nested
            || hi - lo > MAX_BODY
            || !self.unit.repeatable(lo, hi)
        {
            return None;
        }
        let (variable, step) = self.unit.counted_variable(f.step?)?;
        let body = f.body_exprs;
        let calls = self.unit.calls_user_code(body) || self.unit.calls_may_write(body);
        let mut own = OwnLoop {
            number: 0,
            counted: CountedLoop {
                variable,
                step,
                body,
                calls,
            },
            rows: 1,
            offset: Offset {
                constant: 0,
                variable: None,
            },
            bases: Vec::new(),
            indices: Vec::new(),
            waits: self.unit.may_wait(body),
            quotient: false,
            is_straight: false,
            counted_at_end: Vec::new(),
            has_one_body: false,
            threads: self.unit.options.threads,
        };
        if !self.unit.is_counter(&own.counted) {
            return None;
        }
        let head = self.unit.head(f.condition?, &own.counted)?;
        let mut affinity_base = None;
        match f.affinity {
            Affinity::All => return None,
            Affinity::Integer(e) => self.integer_affinity(e, &mut own)?,
            Affinity::Address(e) => {
                let place = self.place_of_pointer(e);
                let (base, rows, offset, _) = self.own_place(&place, &own.counted)?;
                if place.terms[1..]
                    .iter()
                    .any(|(e, ..)| !self.unit.is_invariant(*e, &own.counted))
                {
                    return None;
                }
                (own.rows, own.offset) = (rows, offset);
                affinity_base = Some((base, place.ty));
            }
        }
        own.number = self.unique();
        self.collect_bases(&mut own);
        if let Some((base, _)) = affinity_base {
            self.note_neighbours(&own, base);
        }
        own.has_one_body = own.rows == 1 && own.bases.is_empty() && self.unit.calls_user_code(body);
        if !own.has_one_body {
            own.is_straight = self.counts_accesses() && self.is_straight((lo, hi), body);
            own = self.lower_body_twice(f, own)?;
        }
        let rope = self.own_rope(f, &own, &head, affinity_base);
        self.emission.edits.replace(f.keyword, hi, rope);
        Some(())
    }

    /// An affinity of `i + offset`, `(i + offset) / B`, or either of them modulo THREADS.
    fn integer_affinity(&self, e: ExprId, own: &mut OwnLoop) -> Option<()> {
        let mut e = self.unit.strip_casts(e);
        if let ExprKind::Binary(P::Percent, x, y) = self.unit.expr(e).kind {
            let is_threads = match self.unit.options.threads {
                Some(n) => self.unit.fold_i128(y) == Some(i128::from(n)),
                None => matches!(
                    self.unit.expr(self.unit.strip_casts(y)).kind,
                    ExprKind::Threads
                ),
            };
            if is_threads && self.is_signed_or_long(e) {
                e = self.unit.strip_casts(x);
            }
        }
        if let ExprKind::Binary(P::Slash, x, y) = self.unit.expr(e).kind {
            let rows = self.unit.fold_i128(y)?;
            if !(2..1 << 40).contains(&rows) || !self.is_signed_or_long(e) {
                return None;
            }
            own.rows = rows as u64;
            own.quotient = true;
            e = x;
        }
        own.offset = self.unit.offset_of(e, false, &own.counted)?;
        Some(())
    }

    /// Whether arithmetic in the type of `e` is that of numbers as long as they fit into 64 bits.
    fn is_signed_or_long(&self, e: ExprId) -> bool {
        let arithmetic = self.unit.types.arithmetic(self.unit.expr(e).ty);
        arithmetic.is_some_and(|a| a.is_exact() && !a.is_unsigned())
    }

    /// If the place is an element whose index is the loop's variable plus an offset: its array, the
    /// number of iterations in a block, the offset, and which of its terms has the variable.
    fn own_place(
        &self,
        place: &Place,
        counted: &CountedLoop,
    ) -> Option<(Base, u64, Offset, usize)> {
        let base = match place.origin {
            Origin::Object(s) => Base::Object(s),
            Origin::Pointer(p) => {
                let s = self.unit.variable_of(p)?;
                // A null or wild pointer must not be touched before the body does it.
                (self.is_invariant_pointer(s, counted)).then_some(Base::Variable(s))?
            }
            Origin::Lvalue(_) => return None,
        };
        let Block::Size(block) = self.unit.types.shared(place.ty)?.block else {
            return None;
        };
        if block == 0 {
            return None;
        }
        let (mut found, mut row) = (None, 1);
        for (n, (e, minus, ty)) in place.terms.iter().enumerate() {
            if let Some(offset) = self.unit.offset_of(*e, *minus, counted) {
                let count = self.unit.count(*ty);
                if found.is_some()
                    || count.threads > 0
                    || !count.exprs.is_empty()
                    || count.open
                    || count.n == 0
                {
                    return None;
                }
                row = count.n;
                found = Some((offset, n));
            }
        }
        let (offset, n) = found?;
        // Only the first index may be the loop's: what follows is within a row.
        if n != 0
            || (row == 1 && place.terms.len() > 1)
            || block % row != 0
            || (row > 1 && !matches!(base, Base::Object(_)))
        {
            return None;
        }
        for (_, minus, ty) in &place.terms[1..] {
            let count = self.unit.count(*ty);
            if *minus || count.threads > 0 || !count.exprs.is_empty() || count.n >= row {
                return None;
            }
        }
        Some((base, block / row, offset, n))
    }

    fn is_invariant_pointer(&self, s: u32, counted: &CountedLoop) -> bool {
        let symbol = self.unit.symbol(s);
        let quals = self.unit.types.quals(symbol.ty);
        quals.shared.is_none()
            && quals.bits & VOLATILE == 0
            && symbol.renamed.is_none()
            && !self.unit.is_changed(s, counted.body)
            && (!counted.calls || self.unit.stays_private(s))
            && (symbol.local || !counted.calls)
    }

    /// Whether an expression is an element of a shared array.
    fn is_element(&self, e: ExprId) -> bool {
        let kind = &self.unit.expr(e).kind;
        matches!(kind, ExprKind::Index(..) | ExprKind::Unary(P::Star, _))
            && self.unit.is_shared(e)
            && self.unit.types.array(self.unit.expr(e).ty).is_none()
    }

    /// Notes the elements of the body that are a fixed distance away from the affinity's, an
    /// element of `base`.
    fn note_neighbours(&mut self, own: &OwnLoop, base: Base) {
        let array = match base {
            Base::Object(s) => Some(self.unit.name(self.unit.symbol(s).name).to_owned()),
            Base::Variable(_) => None,
        };
        for e in own.counted.body.0..own.counted.body.1 {
            if !self.is_element(e) {
                continue;
            }
            let place = self.place_of(e);
            let Some((_, rows, offset, _)) = self.own_place(&place, &own.counted) else {
                continue;
            };
            let from = Offset {
                constant: offset.constant,
                ..own.offset
            };
            if rows != own.rows || !self.unit.same_offset(offset, from) {
                continue;
            }
            let at = self.unit.expr(e).lo;
            let distance = i64::try_from(offset.constant - own.offset.constant).unwrap_or(0);
            if distance != 0 {
                self.note_neighbour(at, distance);
            }
            if let Some(array) = &array {
                self.note_follower(at, array.clone());
            }
        }
    }

    /// Finds the arrays of the body that are indexed like the affinity.
    fn collect_bases(&mut self, own: &mut OwnLoop) {
        if self.unit.options.check {
            return;
        }
        for e in own.counted.body.0..own.counted.body.1 {
            if !self.is_element(e) {
                continue;
            }
            let place = self.place_of(e);
            if let Some((base, rows, offset, n)) = self.own_place(&place, &own.counted) {
                if rows != own.rows || !self.unit.same_offset(offset, own.offset) {
                    continue;
                }
                if self.unit.options.instrument && self.is_flag(base, e, own.counted.body) {
                    continue;
                }
                let index = self.unit.expr(place.terms[n].0);
                own.indices.push((index.lo, index.hi));
                if !own.bases.iter().any(|(b, _)| *b == base) {
                    own.bases.push((base, place.ty));
                }
            }
        }
    }

    /// Whether other threads may wait for an element of `base`, or for the member of it that the
    /// body accesses as part of `e`.
    fn is_flag(&mut self, base: Base, e: ExprId, body: (ExprId, ExprId)) -> bool {
        let (Base::Object(s) | Base::Variable(s)) = base;
        let mut names = vec![self.unit.symbol(s).name];
        for member in self.unit.exprs.range(body) {
            if let ExprKind::Member { base, name, .. } = member.kind {
                if self.unit.strip(base) == e {
                    names.push(name);
                }
            }
        }
        names.into_iter().any(|name| self.may_be_awaited(name))
    }

    fn base_text(&self, base: Base) -> String {
        match base {
            Base::Object(s) => self.object_name(s),
            Base::Variable(s) => self.unit.name(self.unit.symbol(s).name).to_owned(),
        }
    }

    /// Number of elements before a pointer, from the first element of its row of blocks on thread
    /// 0.
    fn origin_text(&self, base: Base, ty: QualTy) -> String {
        match (base, self.unit.types.shared(ty).map(|s| s.block)) {
            (Base::Variable(_), Some(Block::Size(block))) => {
                let p = self.base_text(base);
                format!("((long)upcr_thread_of({p}.addr) * {block}L + (long){p}.phase)")
            }
            _ => "0L".to_owned(),
        }
    }

    fn offset_text(&self, offset: Offset) -> Rope {
        let mut out = Rope::from_text(&format!("{}L", offset.constant));
        if let Some((e, negative)) = offset.variable {
            out.text(if negative { " - (long)(" } else { " + (long)(" });
            out.inline(self.unit.expr(e).lo, self.unit.expr(e).hi);
            out.text(")");
        }
        out
    }

    fn own_rope(
        &mut self,
        f: &Forall,
        own: &OwnLoop,
        head: &Head,
        affinity: Option<(Base, QualTy)>,
    ) -> Rope {
        let n = own.number;
        let variable = self.unit.name(self.unit.symbol(own.counted.variable).name);
        let mut out = Rope::from_text(&format!(
            "{{ int upcr_f{n} __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_depth; \
             upcr_forall_depth = upcr_f{n} + 1; "
        ));
        out.copy(f.init.0, f.init.1);
        out.text(&format!(
            "; const long upcr_b{n} = (long)({variable}), upcr_e{n} = (long)("
        ));
        out.inline(self.unit.expr(head.bound).lo, self.unit.expr(head.bound).hi);
        out.text(match (head.inclusive, head.until) {
            (true, Until::Above) => ") + 1L, ",
            (true, _) => ") - 1L, ",
            (false, _) => "), ",
        });
        out.text(&format!("upcr_s{n} = "));
        match own.counted.step {
            Step::By(s) => out.text(&format!("{s}L")),
            Step::Value(e, negative) => {
                out.text(if negative { "-(long)(" } else { "(long)(" });
                out.inline(self.unit.expr(e).lo, self.unit.expr(e).hi);
                out.text(")");
            }
        }
        out.text(&format!(", upcr_v{n} = upcr_b{n} + "));
        out.append(self.offset_text(own.offset));
        let origin = affinity.map_or("0L".to_owned(), |(base, ty)| self.origin_text(base, ty));
        let until = match head.until {
            Until::Above => "upcr_count_up",
            Until::Below => "upcr_count_down",
            Until::Equal => "upcr_count_to",
        };
        out.text(&format!(
            " + {origin}, upcr_n{n} = {until}(upcr_b{n}, upcr_e{n}, upcr_s{n}), upcr_z{n} = \
             upcr_b{n} + upcr_n{n} * upcr_s{n}; {} (!upcr_f{n} && upcr_n{n} >= 0 && \
             (long)(__typeof__({variable}))upcr_z{n} == upcr_z{n}",
            if own.has_one_body {
                format!("const int upcr_a{n} =")
            } else {
                "if".to_owned()
            }
        ));
        if head.checks_sign {
            let inclusive = i64::from(head.inclusive && head.until == Until::Below);
            out.text(&format!(" && upcr_b{n} >= 0 && upcr_e{n} >= -{inclusive}L"));
        }
        if own.quotient {
            out.text(&format!(
                " && upcr_v{n} >= 0 && upcr_v{n} + (upcr_n{n} - 1L) * upcr_s{n} >= 0"
            ));
        }
        for &(base, ty) in &own.bases {
            let same = self.origin_text(base, ty);
            if same != origin {
                out.text(&format!(" && {same} == {origin}"));
            }
        }
        if own.has_one_body {
            out.append(self.one_body_text(f, own));
            return out;
        }
        out.text(") { ");
        for (k, &(base, ty)) in own.bases.iter().enumerate() {
            let (layout, block) = self.layout_of(ty);
            let Some(Block::Size(size)) = self.unit.types.shared(ty).map(|s| s.block) else {
                continue;
            };
            let element = self.unit.types.ultimate(ty);
            let name = self.base_text(base);
            let mut pointer = Rope::from_text("*const ");
            pointer.text(&format!("upcr_l{n}_{k} __attribute__((unused))"));
            out.append(self.unit.decl_text(self.unit.bare(element), pointer));
            out.text(" = (");
            out.append(self.unit.decl_text(self.unit.bare(element), "*"));
            match base {
                Base::Object(_) => {
                    out.text(&format!(")upcr_elem_mine({name}.addr, 0L, 0UL); "));
                }
                Base::Variable(_) => {
                    out.text(&format!(
                        ")upcr_far_add_{layout}({name}, upcr_mythread * {size}L - {}, ",
                        self.origin_text(base, ty)
                    ));
                    out.append(self.unit.sizeof_text(element));
                    out.append(block);
                    out.text(").addr; ");
                }
            }
        }
        let body = (f.close + 1, f.end + 1);
        out.text(&self.own_loop_text(own, body));
        out.0.push(Part::Own(body.0, body.1));
        out.text(self.own_braces(own, body));
        self.counts_at_end(&mut out, own, body);
        out.text(&format!(
            "{variable} = (__typeof__({variable}))upcr_z{n}; }} else for (; "
        ));
        if let Some(c) = f.condition {
            out.inline(self.unit.expr(c).lo, self.unit.expr(c).hi);
        }
        out.text("; ");
        if let Some(s) = f.step {
            out.inline(self.unit.expr(s).lo, self.unit.expr(s).hi);
        }
        out.text(&format!(") if (upcr_f{n} || "));
        out.append(affinity_test(self.unit, f).inlined());
        out.text(") ");
        out.copy(f.close + 1, f.end + 1);
        out.text(" }");
        out
    }

    /// Lowers the expressions of the body once more, with the own elements accessed directly.
    fn lower_body_twice(&mut self, f: &Forall, own: OwnLoop) -> Option<OwnLoop> {
        let is_straight = own.is_straight;
        let first_site = self.emission.function.counts.sites.len();
        let calls = f.end - f.close > MAX_INLINED_BODY;
        self.emission
            .function
            .cold_roots
            .push((f.body_roots, calls));
        self.emission.function.own = Some(own);
        self.end_groups();
        for i in f.body_roots.0..f.body_roots.1 {
            let root = self.emission.work.roots[i];
            let (lo, hi) = (self.unit.expr(root.expr).lo, self.unit.expr(root.expr).hi);
            let (plain, counted) = self.emit_both(root);
            if let Some(rope) = plain {
                self.emission.edits.replace_own(lo, hi, rope);
            }
            if let Some(rope) = counted {
                let list = self.emission.edits.counted_own.entry(lo).or_default();
                list.push((hi, rope));
            }
        }
        self.end_groups();
        let own = self.emission.function.own.take()?;
        let counts = &mut self.emission.function.counts;
        let is_at_end = |counter| own.counted_at_end.iter().any(|(c, _)| *c == counter);
        let mut sites = counts.sites[first_site..].iter();
        if is_straight && sites.all(|site| is_at_end(site.counter)) {
            counts.counted_at_end.push((f.keyword, f.end + 1));
        }
        Some(own)
    }

    /// Within a loop over own elements: writes the own element as an element of a private array.
    pub(crate) fn emit_own_element(&mut self, out: &mut Rope, e: ExprId) -> bool {
        let Some(own) = self.emission.function.own.take() else {
            return false;
        };
        let element = matches!(
            self.unit.expr(e).kind,
            ExprKind::Index(..) | ExprKind::Unary(P::Star, _)
        ) && self.unit.is_shared(e)
            && self.unit.types.array(self.unit.expr(e).ty).is_none();
        let place = if element {
            Some(self.place_of(e))
        } else {
            None
        };
        let found = place.as_ref().and_then(|place| {
            let (base, rows, offset, _) = self.own_place(place, &own.counted)?;
            let same = rows == own.rows && self.unit.same_offset(offset, own.offset);
            own.bases.iter().position(|(b, _)| same && *b == base)
        });
        let n = own.number;
        self.emission.function.own = Some(own);
        let (Some(k), Some(place)) = (found, place) else {
            return false;
        };
        let waits = self
            .emission
            .function
            .own
            .as_ref()
            .is_some_and(|own| own.waits);
        if waits {
            out.text("(*(volatile __typeof__(");
            out.text(&format!("*upcr_l{n}_{k}) *)&"));
        }
        out.text(&format!("upcr_l{n}_{k}[upcr_x{n}"));
        let row = self.unit.count(place.terms[0].2);
        if !row.is_one() {
            out.text(" * ");
            out.append(self.unit.count_text(&row));
        }
        for term in &place.terms[1..] {
            out.text(" + ");
            self.index_text(out, std::slice::from_ref(term));
        }
        out.text(if waits { "])" } else { "]" });
        true
    }
}
