//! Indices of shared arrays. Whole multiples of THREADS and of the block size are taken out of a
//! sum, so that `i * THREADS + j` needs no division of what `i` contributes. Where a loop walks
//! through blocks in small steps, the block is remembered from one access to the next, so that only
//! a step into another block computes an address; and where it goes through a cyclic array in steps
//! of THREADS, the last element is.

use super::lowering::{Lowering, Run};
use super::place::{Origin, Place};
use super::rope::Rope;
use crate::sema::ast::ExprKind;
use crate::sema::flow::{Changes, Stride};
use crate::sema::types::*;
use crate::syntax::token::*;

/// Accesses that must fall into a block, on average, for it to be worth remembering.
const MIN_VISITS: i128 = 8;
/// Largest step through an array whose block size is not known here.
const MAX_UNKNOWN_STEP: i128 = 2;
/// Functions with more such accesses have no registers left for them.
const MAX_RUNS: usize = 200;

/// How an access goes on from one iteration to the next.
#[derive(Clone, Copy)]
enum Walk {
    /// By a multiple of THREADS elements of a cyclic array.
    Rows(i128),
    /// Within a block most of the time; by at most this number of elements.
    Blocks(i128),
}

/// A product of expressions and a number.
struct Product {
    factor: i128,
    /// How often THREADS is a factor besides.
    threads: u32,
    /// Expressions, and those that stand in array dimensions.
    exprs: Vec<ExprId>,
    dimensions: Vec<ExprId>,
}

/// An index as `rows * THREADS * B + blocks * B + rest`, B being the block size.
struct Split {
    block: u64,
    rows: Vec<Product>,
    blocks: Vec<Product>,
    rest: Vec<Product>,
}

impl Split {
    /// Whether it says more than the index as one number does.
    fn is_useful(&self) -> bool {
        !self.rows.is_empty() || (self.block > 1 && !self.blocks.is_empty())
    }
}

impl Lowering<'_, '_> {
    /// Whether sums and products of this type are those of whole numbers: a narrower unsigned type
    /// wraps around.
    fn is_exact(&self, e: ExprId) -> bool {
        let arithmetic = self.unit.types.arithmetic(self.unit.expr(e).ty);
        arithmetic.is_some_and(Arithmetic::is_exact)
    }

    /// Without parentheses and casts that keep the value modulo 2^64.
    fn strip_widening(&self, mut e: ExprId) -> ExprId {
        loop {
            e = self.unit.strip(e);
            match self.unit.expr(e).kind {
                ExprKind::Cast(name, x)
                    if self
                        .unit
                        .types
                        .arithmetic(name.ty)
                        .and_then(Arithmetic::rank_to_64)
                        .is_some_and(|r| r > Rank::Int)
                        && self
                            .unit
                            .types
                            .arithmetic(self.unit.expr(x).ty)
                            .and_then(Arithmetic::rank_to_64)
                            .is_some() =>
                {
                    e = x
                }
                _ => return e,
            }
        }
    }

    fn add_factors(&self, e: ExprId, product: &mut Product) {
        let e = self.strip_widening(e);
        match self.unit.expr(e).kind {
            ExprKind::Threads if self.unit.options.threads.is_none() => product.threads += 1,
            ExprKind::Binary(P::Star, a, b) if self.is_exact(e) => {
                self.add_factors(a, product);
                self.add_factors(b, product);
            }
            _ => {
                let value = self.unit.fold_i128(e).filter(|v| v.abs() < 1 << 40);
                match value.and_then(|v| product.factor.checked_mul(v)) {
                    Some(v) => product.factor = v,
                    None => product.exprs.push(e),
                }
            }
        }
    }

    fn add_products(&self, e: ExprId, minus: bool, ty: QualTy, depth: u32, out: &mut Vec<Product>) {
        let inner = self.strip_widening(e);
        if let ExprKind::Binary(p @ (P::Plus | P::Minus), a, b) = self.unit.expr(inner).kind {
            let numbers = self.unit.types.is_integer(self.unit.expr(a).ty)
                && self.unit.types.is_integer(self.unit.expr(b).ty);
            if depth < 16 && numbers && self.is_exact(inner) {
                self.add_products(a, minus, ty, depth + 1, out);
                self.add_products(b, minus != (p == P::Minus), ty, depth + 1, out);
                return;
            }
        }
        let count = self.unit.count(ty);
        let mut product = Product {
            factor: i128::from(count.n) * if minus { -1 } else { 1 },
            threads: count.threads,
            exprs: Vec::new(),
            dimensions: count.exprs,
        };
        self.add_factors(inner, &mut product);
        out.push(product);
    }

    /// Takes the sum of indices apart; `None` if the layout has no block size that is known here.
    fn split(&self, terms: &[(ExprId, bool, QualTy)], ty: QualTy) -> Option<Split> {
        let Some(Block::Size(block)) = self.unit.types.shared(ty).map(|s| s.block) else {
            return None;
        };
        if block == 0 || self.unit.options.check || self.emission.function.cold {
            return None;
        }
        let mut products = Vec::new();
        for (e, minus, ty) in terms {
            if !self.unit.types.is_integer(self.unit.expr(*e).ty) {
                return None;
            }
            self.add_products(*e, *minus, *ty, 0, &mut products);
        }
        let size = i128::from(block);
        let static_row = self.unit.options.threads.map(|t| i128::from(t) * size);
        let mut split = Split {
            block,
            rows: Vec::new(),
            blocks: Vec::new(),
            rest: Vec::new(),
        };
        for mut product in products {
            if product.threads > 0 && product.factor % size == 0 {
                product.threads -= 1;
                product.factor /= size;
                split.rows.push(product);
            } else if let Some(row) = static_row.filter(|r| product.factor % r == 0) {
                product.factor /= row;
                split.rows.push(product);
            } else if product.factor % size == 0 {
                product.factor /= size;
                split.blocks.push(product);
            } else {
                split.rest.push(product);
            }
        }
        Some(split)
    }

    /// Whether a sum is MYTHREAD.
    fn is_my_thread(&self, products: &[Product]) -> bool {
        let [p] = products else {
            return false;
        };
        let alone = p.factor == 1 && p.threads == 0 && p.dimensions.is_empty();
        alone && matches!(p.exprs[..], [e] if matches!(self.unit.expr(e).kind, ExprKind::MyThread))
    }

    fn sum_text(&mut self, products: &[Product]) -> Rope {
        if products.is_empty() {
            return Rope::from_text("0L");
        }
        let mut out = Rope::default();
        for product in products {
            if !out.is_empty() {
                out.text(" + ");
            }
            out.text(&format!("{}L", product.factor));
            for &e in &product.exprs {
                out.text(" * (long)(");
                self.emit(&mut out, e);
                out.text(")");
            }
            for _ in 0..product.threads {
                out.text(" * upcr_threads");
            }
            for &e in &product.dimensions {
                out.text(" * (long)(");
                out.inline(self.unit.expr(e).lo, self.unit.expr(e).hi);
                out.text(")");
            }
        }
        out
    }

    /// Writes the address of an element whose index could be split; false if there is nothing to
    /// split.
    pub(crate) fn emit_split_address(&mut self, out: &mut Rope, place: &Place) -> bool {
        let Some(split) = self.split(&place.terms, place.ty) else {
            return false;
        };
        if !split.is_useful() {
            return false;
        }
        let block = split.block;
        let element = self.unit.sizeof_text(self.unit.types.ultimate(place.ty));
        match place.origin {
            Origin::Object(s) => {
                let name = self.object_name(s);
                if split.rest.is_empty() && self.is_my_thread(&split.blocks) {
                    out.text(&format!("upcr_elem_mine({name}.addr, "));
                    out.append(self.sum_text(&split.rows));
                    out.text(", ");
                    out.append(element);
                    out.text(&format!(" * {block}UL)"));
                    return true;
                }
                out.text(&format!("upcr_elem_split({name}.addr, "));
            }
            Origin::Pointer(p) => {
                let base = &mut |unit: &mut Self, out: &mut Rope| unit.emit(out, p);
                let done = self.emit_add_split(out, &place.terms, place.ty, base);
                out.text(if done { ".addr" } else { "" });
                return done;
            }
            Origin::Lvalue(_) => return false,
        }
        self.split_arguments(out, &split, element);
        true
    }

    fn split_arguments(&mut self, out: &mut Rope, split: &Split, element: Rope) {
        for part in [&split.rows, &split.blocks, &split.rest] {
            out.append(self.sum_text(part));
            out.text(", ");
        }
        out.append(element);
        out.text(&format!(", {}L)", split.block));
    }

    /// Writes a pointer-to-shared plus a sum in which THREADS is a factor; false if it is none.
    pub(crate) fn emit_add_split(
        &mut self,
        out: &mut Rope,
        terms: &[(ExprId, bool, QualTy)],
        ty: QualTy,
        base: &mut dyn FnMut(&mut Self, &mut Rope),
    ) -> bool {
        let Some(split) = self.split(terms, ty).filter(|s| !s.rows.is_empty()) else {
            return false;
        };
        out.text("upcr_add_split(");
        base(self, out);
        out.text(", ");
        let element = self.unit.sizeof_text(self.unit.types.ultimate(ty));
        self.split_arguments(out, &split, element);
        true
    }

    /// How an expression changes from one iteration of a loop to the next, as far as that is easily
    /// seen.
    fn step_of(&self, e: ExprId, changes: &Changes, depth: u32) -> Option<Stride> {
        let e = self.unit.strip(e);
        if depth > 12 {
            return None;
        }
        let none = Stride::default();
        match &self.unit.expr(e).kind {
            ExprKind::Const(_) | ExprKind::MyThread | ExprKind::Threads => Some(none),
            // Where an own loop goes from one own iteration to the next, its variable does not
            // change by its step.
            ExprKind::Ident(s) => {
                match (
                    self.emission
                        .function
                        .own
                        .as_ref()
                        .and_then(|o| o.stride(*s)),
                    changes.get(s),
                ) {
                    (Some(stride), _) => stride,
                    (None, None) => Some(none),
                    (None, Some(step)) => *step,
                }
            }
            ExprKind::Cast(_, x) => self.step_of(*x, changes, depth + 1),
            ExprKind::Unary(P::Minus, x) => self.step_of(*x, changes, depth + 1)?.times(-1),
            ExprKind::Binary(p, a, b) => {
                let x = self.step_of(*a, changes, depth + 1)?;
                let y = self.step_of(*b, changes, depth + 1)?;
                match p {
                    _ if x.is_zero() && y.is_zero() => Some(none),
                    P::Plus => x.plus(y),
                    P::Minus => x.plus(y.times(-1)?),
                    P::Star if y.is_zero() => self.scaled(x, *b),
                    P::Star if x.is_zero() => self.scaled(y, *a),
                    _ => None,
                }
            }
            ExprKind::Index(a, i) => {
                let x = self.step_of(*a, changes, depth + 1)?;
                let y = self.step_of(*i, changes, depth + 1)?;
                (x.is_zero() && y.is_zero()).then_some(none)
            }
            ExprKind::Member { base, .. } => {
                let x = self.step_of(*base, changes, depth + 1)?;
                x.is_zero().then_some(none)
            }
            _ => None,
        }
    }

    fn scaled(&self, step: Stride, by: ExprId) -> Option<Stride> {
        match self.unit.fold_i128(by) {
            Some(factor) => step.times(factor),
            None if matches!(self.unit.expr(self.unit.strip(by)).kind, ExprKind::Threads) => {
                (step.threads == 0).then_some(Stride {
                    number: 0,
                    threads: step.number,
                })
            }
            None => None,
        }
    }

    /// How the access `e` goes on from one iteration to the next, and in which loop.
    fn walk_of(&mut self, e: ExprId, place: &Place) -> Option<(Walk, usize)> {
        let block = match self.unit.types.shared(place.ty).map(|s| s.block)? {
            Block::Size(0) => return None,
            Block::Size(n) => Some(i128::from(n)),
            Block::Expr(_) => None,
            Block::Star => return None,
        };
        if self.unit.returns_twice() {
            return None;
        }
        let (at, changes) = self.unit.changes_around(e)?;
        let mut step = Stride::default();
        for (term, minus, ty) in &place.terms {
            let count = self.unit.count(*ty);
            let by = self.step_of(*term, &changes, 0)?;
            if by.is_zero() {
                continue;
            }
            if !count.exprs.is_empty() || count.threads > 1 {
                return None;
            }
            let mut by = by.times(i128::from(count.n))?;
            if count.threads == 1 {
                if by.threads != 0 {
                    return None;
                }
                by = Stride {
                    number: 0,
                    threads: by.number,
                };
            }
            step = step.plus(by.times(if *minus { -1 } else { 1 })?)?;
        }
        let walk = match block {
            Some(1) => {
                let threads = i128::from(self.unit.options.threads.unwrap_or(0));
                match (step.number, step.threads) {
                    (0, rows) if rows != 0 => Walk::Rows(rows),
                    (n, 0) if n != 0 && threads > 0 && n % threads == 0 => Walk::Rows(n / threads),
                    _ => return None,
                }
            }
            _ => {
                let most = block.map_or(MAX_UNKNOWN_STEP, |n| n / MIN_VISITS);
                let small = step.threads == 0 && step.number != 0 && step.number.abs() <= most;
                small.then_some(Walk::Blocks(most))?
            }
        };
        Some((walk, at))
    }

    /// The sum of indices but for its constant part, as text that is equal for equal sums, and that
    /// part.
    fn sum_key(&self, place: &Place) -> (String, i128) {
        let mut products = Vec::new();
        for (e, minus, ty) in &place.terms {
            self.add_products(*e, *minus, *ty, 0, &mut products);
        }
        let mut constant = 0;
        let mut texts = Vec::new();
        for p in &products {
            if p.exprs.is_empty() && p.dimensions.is_empty() && p.threads == 0 {
                constant += p.factor;
                continue;
            }
            let mut text = format!("{}*{}", p.factor, p.threads);
            for &e in p.exprs.iter().chain(&p.dimensions) {
                text.push('*');
                for t in self.unit.expr(e).lo..self.unit.expr(e).hi {
                    text.push(' ');
                    text.push_str(self.unit.src.text_of(t));
                }
            }
            texts.push(text);
        }
        texts.sort();
        (texts.join("+"), constant)
    }

    /// Writes the address of the element `e` so that it follows from the one before, if that is
    /// worthwhile.
    pub(crate) fn emit_run_address(&mut self, out: &mut Rope, e: ExprId, place: &Place) -> bool {
        // Checks need the index, and the pointer before anything is added to it.
        if self.unit.options.check
            || self.emission.function.cold
            || self.emission.function.runs.len() >= MAX_RUNS
            || self.emission.function.begin.is_none()
        {
            return false;
        }
        let base = match place.origin {
            Origin::Object(s) => (false, s),
            Origin::Pointer(p) if self.is_simple_variable(p) => match self.unit.variable_of(p) {
                Some(s) => (true, s),
                None => return false,
            },
            _ => return false,
        };
        let Some((walk, at)) = self.walk_of(e, place) else {
            return false;
        };
        if matches!(walk, Walk::Rows(_)) {
            // Where the steps are a part of the sum, the rest stays the same, and C compilers see
            // that.
            let split = self.split(&place.terms, place.ty);
            if base.0 || split.is_some_and(|s| !s.rows.is_empty()) {
                return false;
            }
        }
        // Neighbours share what they remember.
        let (sum, constant) = self.sum_key(place);
        let near = if let Walk::Blocks(most) = walk {
            most
        } else {
            0
        };
        let shared = |r: &&Run| {
            r.at == at && r.base == base && r.sum == sum && (r.constant - constant).abs() <= near
        };
        let n = match self.emission.function.runs.iter().find(shared) {
            Some(run) => run.number,
            None => {
                let number = self.unique();
                self.emission.function.runs.push(Run {
                    number,
                    at,
                    base,
                    sum,
                    constant,
                });
                number
            }
        };
        out.text(match (walk, base.0) {
            (Walk::Rows(_), _) => "upcr_walk_cyclic",
            (_, false) => "upcr_run_elem",
            (_, true) => "upcr_run_add",
        });
        out.text(&format!("(&upcr_r{n}, "));
        match place.origin {
            Origin::Object(s) => {
                let name = self.object_name(s);
                out.text(&format!("{name}.addr"));
            }
            Origin::Pointer(p) => self.emit(out, p),
            Origin::Lvalue(_) => {}
        }
        out.text(", ");
        self.index_text(out, &place.terms);
        out.text(", ");
        out.append(self.unit.sizeof_text(self.unit.types.ultimate(place.ty)));
        match walk {
            Walk::Rows(rows) => out.text(&format!(", {rows}L")),
            Walk::Blocks(_) => {
                let (_, block) = self.layout_of(place.ty);
                out.append(block);
            }
        }
        out.text(")");
        true
    }
}
