//! `upc_forall` over own elements. Where the loop counts one variable in equal steps and the affinity is that variable
//! plus something that stays the same, as an integer or as an index of a cyclic or blocked array, the thread's own
//! iterations are enumerated directly. Elements of arrays with the same layout that are indexed in the same way
//! are own ones too, and are accessed through a plain private pointer, so that the C compiler can vectorise.

use super::access::{Origin, Place};
use super::forall::{Affinity, Forall};
use super::rope::{Part, Rope};
use crate::sema::ast::ExprKind;
use crate::sema::changes::Stride;
use crate::sema::loops::{CountedLoop, Head, Offset, Step, Until};
use crate::sema::types::*;
use crate::syntax::token::*;
use crate::unit::*;

/// Larger bodies are not worth a second copy.
const MAX_BODY: u32 = 1500;

/// In the copy of a larger body that is hardly ever run, addresses are computed by calls. A call there keeps the C
/// compiler from holding a sum in a floating-point register in the other copy, which in a small loop costs most of its
/// time.
const MAX_INLINED_BODY: u32 = 64;

/// Where an array begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    /// A shared object; the symbol.
    Object(u32),
    /// A pointer-to-shared in a private variable; the symbol.
    Variable(u32),
}

/// Arrays of the body whose elements are own ones.
pub(crate) struct OwnLoop {
    pub(super) number: u32,
    pub(super) counted: CountedLoop,
    pub(super) rows: u64,
    offset: Offset,
    bases: Vec<(Base, QualTy)>,
    /// Tokens of the indices of own elements.
    pub(super) indices: Vec<(TokIdx, TokIdx)>,
    /// The body has a loop that may wait for another thread: every access must be one.
    waits: bool,
    /// Static number of threads.
    threads: Option<u32>,
    /// The affinity is a quotient, which C rounds towards zero.
    quotient: bool,
    /// The body calls functions and accesses no own elements: one copy of it does for all cases, so that a function that
    /// is called nowhere else is still inlined.
    has_one_body: bool,
}

impl OwnLoop {
    /// By how much the variable `s`, if it is the loop's, differs from one own iteration to the next.
    pub(crate) fn stride(&self, s: u32) -> Option<Option<Stride>> {
        (s == self.counted.variable).then_some(match (self.counted.step, self.rows) {
            (Step::By(by @ (1 | -1)), 1) => Some(self.threads.map_or(
                Stride {
                    number: 0,
                    threads: by,
                },
                |n| Stride {
                    number: by * i128::from(n),
                    threads: 0,
                },
            )),
            (Step::By(number), rows) if rows > 1 => Some(Stride { number, threads: 0 }),
            _ => None,
        })
    }
}

impl Unit<'_> {
    /// Lowers a `upc_forall` in this way, if it has the form.
    pub(crate) fn lower_own_loop(&mut self, f: &Forall) -> Option<()> {
        let (lo, hi) = (f.close + 1, f.end + 1);
        if f.outside.is_some()
            || f.escapes
            || f.nested
            || hi - lo > MAX_BODY
            || !self.repeatable(lo, hi)
        {
            return None;
        }
        let (variable, step) = self.counted_variable(f.step?)?;
        let body = f.body_exprs;
        let calls = self.calls_user_code(body) || self.calls_may_write(body);
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
            waits: self.may_wait(body),
            quotient: false,
            has_one_body: false,
            threads: self.options.threads,
        };
        if !self.is_counter(&own.counted) {
            return None;
        }
        let head = self.head(f.condition?, &own.counted)?;
        let mut affinity_base = None;
        match f.affinity {
            Affinity::All => return None,
            Affinity::Integer(e) => self.integer_affinity(e, &mut own)?,
            Affinity::Address(e) => {
                let place = self.place_of_pointer(e);
                let (base, rows, offset, _) = self.own_place(&place, &own.counted)?;
                if place.terms[1..]
                    .iter()
                    .any(|(e, ..)| !self.is_invariant(*e, &own.counted))
                {
                    return None;
                }
                (own.rows, own.offset) = (rows, offset);
                affinity_base = Some((base, place.ty));
            }
        }
        own.number = self.unique();
        self.collect_bases(&mut own);
        if affinity_base.is_some() {
            self.note_neighbours(&own);
        }
        own.has_one_body = own.rows == 1 && own.bases.is_empty() && self.calls_user_code(body);
        let rope = self.own_rope(f, &own, &head, affinity_base);
        if !own.has_one_body {
            self.lower_body_twice(f, own);
        }
        self.edits.replace(f.keyword, hi, rope);
        Some(())
    }

    /// An affinity of `i + offset`, `(i + offset) / B`, or either of them modulo THREADS.
    fn integer_affinity(&self, e: ExprId, own: &mut OwnLoop) -> Option<()> {
        let mut e = self.strip_casts(e);
        if let ExprKind::Binary(P::Percent, x, y) = self.expr(e).kind {
            let is_threads = match self.options.threads {
                Some(n) => self.fold_i128(y) == Some(i128::from(n)),
                None => matches!(self.expr(self.strip_casts(y)).kind, ExprKind::Threads),
            };
            if is_threads && self.is_signed_or_long(e) {
                e = self.strip_casts(x);
            }
        }
        if let ExprKind::Binary(P::Slash, x, y) = self.expr(e).kind {
            let rows = self.fold_i128(y)?;
            if !(2..1 << 40).contains(&rows) || !self.is_signed_or_long(e) {
                return None;
            }
            own.rows = rows as u64;
            own.quotient = true;
            e = x;
        }
        own.offset = self.offset_of(e, false, &own.counted)?;
        Some(())
    }

    /// Whether arithmetic in the type of `e` is that of numbers as long as they fit into 64 bits.
    fn is_signed_or_long(&self, e: ExprId) -> bool {
        let rank = self.types.rank(self.expr(e).ty);
        rank.is_some_and(|r| r == 8 || r == 10 || r == 12)
    }

    /// If the place is an element whose index is the loop's variable plus an offset: its array, the number of
    /// iterations in a block, the offset, and which of its terms has the variable.
    fn own_place(
        &self,
        place: &Place,
        counted: &CountedLoop,
    ) -> Option<(Base, u64, Offset, usize)> {
        let base = match place.origin {
            Origin::Object(s) => Base::Object(s),
            Origin::Pointer(p) => {
                let s = self.variable_of(p)?;
                // A null or wild pointer must not be touched before the body does it.
                (self.is_invariant_pointer(s, counted)).then_some(Base::Variable(s))?
            }
            Origin::Lvalue(_) => return None,
        };
        let Block::Size(block) = self.types.shared(place.ty)?.block else {
            return None;
        };
        if block == 0 {
            return None;
        }
        let (mut found, mut row) = (None, 1);
        for (n, (e, minus, ty)) in place.terms.iter().enumerate() {
            if let Some(offset) = self.offset_of(*e, *minus, counted) {
                let count = self.count(*ty);
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
            let count = self.count(*ty);
            if *minus || count.threads > 0 || !count.exprs.is_empty() || count.n >= row {
                return None;
            }
        }
        Some((base, block / row, offset, n))
    }

    fn is_invariant_pointer(&self, s: u32, counted: &CountedLoop) -> bool {
        let symbol = &self.symbols[s as usize];
        let quals = self.types.quals(symbol.ty);
        quals.shared.is_none()
            && quals.bits & VOLATILE == 0
            && symbol.renamed.is_none()
            && !self.is_changed(s, counted.body)
            && (!counted.calls || self.stays_private(s))
            && (symbol.local || !counted.calls)
    }

    /// Whether an expression is an element of a shared array.
    fn is_element(&self, e: ExprId) -> bool {
        let kind = &self.expr(e).kind;
        matches!(kind, ExprKind::Index(..) | ExprKind::Unary(P::Star, _))
            && self.is_shared(e)
            && self.types.array(self.expr(e).ty).is_none()
    }

    /// Notes the elements of the body that are a fixed distance away from the affinity's.
    fn note_neighbours(&mut self, own: &OwnLoop) {
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
            let distance = i64::try_from(offset.constant - own.offset.constant).unwrap_or(0);
            if rows == own.rows && distance != 0 && self.same_offset(offset, from) {
                self.note_neighbour(self.expr(e).lo, distance);
            }
        }
    }

    /// Finds the arrays of the body that are indexed like the affinity.
    fn collect_bases(&mut self, own: &mut OwnLoop) {
        if self.options.check {
            return;
        }
        for e in own.counted.body.0..own.counted.body.1 {
            if !self.is_element(e) {
                continue;
            }
            let place = self.place_of(e);
            if let Some((base, rows, offset, n)) = self.own_place(&place, &own.counted) {
                if rows != own.rows || !self.same_offset(offset, own.offset) {
                    continue;
                }
                let index = self.expr(place.terms[n].0);
                own.indices.push((index.lo, index.hi));
                if !own.bases.iter().any(|(b, _)| *b == base) {
                    own.bases.push((base, place.ty));
                }
            }
        }
    }

    fn base_text(&self, base: Base) -> String {
        match base {
            Base::Object(s) => self.object_name(s),
            Base::Variable(s) => self.name(self.symbols[s as usize].name).to_owned(),
        }
    }

    /// Number of elements before a pointer, from the first element of its row of blocks on thread 0.
    fn origin_text(&self, base: Base, ty: QualTy) -> String {
        match (base, self.types.shared(ty).map(|s| s.block)) {
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
            out.inline(self.expr(e).lo, self.expr(e).hi);
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
        let variable = self.name(self.symbols[own.counted.variable as usize].name);
        let mut out = Rope::from_text(&format!(
            "{{ int upcr_f{n} __attribute__((cleanup(upcr_forall_leave))) = upcr_forall_depth; upcr_forall_depth = upcr_f{n} + 1; "
        ));
        out.copy(f.init.0, f.init.1);
        out.text(&format!(
            "; const long upcr_b{n} = (long)({variable}), upcr_e{n} = (long)("
        ));
        out.inline(self.expr(head.bound).lo, self.expr(head.bound).hi);
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
                out.inline(self.expr(e).lo, self.expr(e).hi);
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
            " + {origin}, upcr_n{n} = {until}(upcr_b{n}, upcr_e{n}, upcr_s{n}), \
             upcr_z{n} = upcr_b{n} + upcr_n{n} * upcr_s{n}; \
             {} (!upcr_f{n} && upcr_n{n} >= 0 && (long)(__typeof__({variable}))upcr_z{n} == upcr_z{n}",
            if own.has_one_body { format!("const int upcr_a{n} =") } else { "if".to_owned() }
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
            let Some(Block::Size(size)) = self.types.shared(ty).map(|s| s.block) else {
                continue;
            };
            let element = self.types.ultimate(ty);
            let name = self.base_text(base);
            let mut pointer = Rope::from_text("*const ");
            pointer.text(&format!("upcr_l{n}_{k} __attribute__((unused))"));
            out.append(self.decl_text(self.bare(element), pointer));
            out.text(" = (");
            out.append(self.decl_text(self.bare(element), Rope::from_text("*")));
            match base {
                Base::Object(_) => {
                    out.text(&format!(")upcr_elem_mine({name}.addr, 0L, 0UL); "));
                }
                Base::Variable(_) => {
                    out.text(&format!(
                        ")upcr_far_add_{layout}({name}, upcr_mythread * {size}L - {}, ",
                        self.origin_text(base, ty)
                    ));
                    out.append(self.sizeof_text(element));
                    out.append(block);
                    out.text(").addr; ");
                }
            }
        }
        let body = (f.close + 1, f.end + 1);
        out.text(&self.own_loop_text(own, body));
        out.0.push(Part::Own(body.0, body.1));
        out.text(self.own_braces(own, body));
        out.text(&format!(
            "{variable} = (__typeof__({variable}))upcr_z{n}; }} else for (; "
        ));
        if let Some(c) = f.condition {
            out.inline(self.expr(c).lo, self.expr(c).hi);
        }
        out.text("; ");
        if let Some(s) = f.step {
            out.inline(self.expr(s).lo, self.expr(s).hi);
        }
        out.text(&format!(") if (upcr_f{n} || "));
        out.append(super::forall::affinity_test(self, f).inlined());
        out.text(") ");
        out.copy(f.close + 1, f.end + 1);
        out.text(" }");
        out
    }

    /// Lowers the expressions of the body once more, with the own elements accessed directly.
    fn lower_body_twice(&mut self, f: &Forall, own: OwnLoop) {
        let calls = f.end - f.close > MAX_INLINED_BODY;
        self.far_roots.push((f.body_roots, calls));
        self.own = Some(own);
        for i in f.body_roots.0..f.body_roots.1 {
            let root = self.roots[i];
            if let Some(rope) = self.emit_root(root) {
                let (lo, hi) = (self.expr(root.expr).lo, self.expr(root.expr).hi);
                self.edits.replace_own(lo, hi, rope);
            }
        }
        self.own = None;
    }

    /// Within a loop over own elements: writes the own element as an element of a private array.
    pub(crate) fn emit_own_element(&mut self, out: &mut Rope, e: ExprId) -> bool {
        let Some(own) = self.own.take() else {
            return false;
        };
        let element = matches!(
            self.expr(e).kind,
            ExprKind::Index(..) | ExprKind::Unary(P::Star, _)
        ) && self.is_shared(e)
            && self.types.array(self.expr(e).ty).is_none();
        let place = if element {
            Some(self.place_of(e))
        } else {
            None
        };
        let found = place.as_ref().and_then(|place| {
            let (base, rows, offset, _) = self.own_place(place, &own.counted)?;
            let same = rows == own.rows && self.same_offset(offset, own.offset);
            own.bases.iter().position(|(b, _)| same && *b == base)
        });
        let n = own.number;
        self.own = Some(own);
        let (Some(k), Some(place)) = (found, place) else {
            return false;
        };
        let waits = self.own.as_ref().is_some_and(|own| own.waits);
        if waits {
            out.text("(*(volatile __typeof__(");
            out.text(&format!("*upcr_l{n}_{k}) *)&"));
        }
        out.text(&format!("upcr_l{n}_{k}[upcr_x{n}"));
        let row = self.count(place.terms[0].2);
        if !row.is_one() {
            out.text(" * ");
            out.append(self.count_text(&row));
        }
        for term in &place.terms[1..] {
            out.text(" + ");
            self.index_text(out, std::slice::from_ref(term));
        }
        out.text(if waits { "])" } else { "]" });
        true
    }
}
