//! Shared objects: their descriptions for the runtime, and the functions that give objects their first values.

use super::rope::Rope;
use crate::sema::types::*;
use crate::syntax::token::*;
use crate::unit::*;

impl Unit<'_> {
    /// The text that takes the place of a declaration of a shared object. `init`: tokens of its initialiser.
    pub(crate) fn shared_object(
        &mut self,
        number: u32,
        defines: bool,
        init: Option<(TokIdx, TokIdx)>,
    ) -> Rope {
        let symbol = self.symbols[number as usize].clone();
        let token = symbol.token;
        let name = self.name(symbol.name);
        let static_in_block = symbol.local && symbol.internal;
        let (suffix, asm) = match static_in_block {
            true => {
                let n = self.unique();
                (format!("{n}_{name}"), format!("{name}.upcr{n}"))
            }
            false => (name.to_owned(), name.to_owned()),
        };
        if static_in_block {
            self.symbols[number as usize].renamed = Some(format!("upcr_obj_{suffix}"));
        }
        self.settle_star(number);
        let ty = self.symbols[number as usize].ty;
        self.check_shared_dimensions(ty, token, defines);
        let mut out = Rope::default();
        if !symbol.object_declared || symbol.local {
            self.symbols[number as usize].object_declared = true;
            let declaration =
                format!("extern const struct upcr_object upcr_obj_{suffix} __asm__(\"{asm}\"); ");
            out.text(&declaration);
            if symbol.local {
                // For functions at the end of the file that initialise other objects of the block with its address.
                self.trailer.quiet(Rope::from_text(&declaration));
            }
        }
        if !defines || self.count(ty).open || self.types.is_void(self.types.ultimate(ty)) {
            return out;
        }
        if !symbol.defined {
            self.symbols[number as usize].defined = true;
            let (class, weak) = match symbol.internal {
                true => ("static ", ""),
                false => ("", " __attribute__((weak))"),
            };
            out.text(&format!(
                "{class}struct upcr_object upcr_def_{suffix} __asm__(\"{asm}\"){weak} = {{ 0, "
            ));
            out.append(self.object_fields(ty));
            let t = self.token(token);
            out.text(&format!(
                ", {}, \"{name}\", \"{}\" }}; ",
                t.line, self.src.files[t.file as usize]
            ));
            // Its type tells debuggers the type of the elements.
            let element = self.bare(self.types.ultimate(ty));
            let reference = Rope::from_text(&format!("*const upcr_ref_{suffix}"));
            out.text("static ");
            out.append(self.decl_text(element, reference));
            out.text(&format!(
                " __attribute__((section(\"upcr_objects\"), used)) = (void *)&upcr_def_{suffix}; "
            ));
        }
        if let Some((lo, hi)) = init {
            self.shared_initialiser(number, &suffix, (lo, hi), &mut out);
        }
        out
    }

    /// Gives `[*]` its number.
    fn settle_star(&mut self, number: u32) {
        let ty = self.symbols[number as usize].ty;
        if !self
            .types
            .shared(ty)
            .is_some_and(|s| s.block == Block::Star)
        {
            return;
        }
        let count = self.count(ty);
        let threads = self.options.threads.map_or(1, u64::from).max(1);
        let block = match self.types.array(ty) {
            None => 1,
            Some(_) if count.threads > 0 => count.n,
            Some(_) => count.n.div_ceil(threads),
        };
        if !count.exprs.is_empty() {
            let t = self.symbols[number as usize].token;
            let hint = "give the number of elements as a plain integer constant";
            self.error(
                t,
                t + 1,
                "[*] on an array whose length cannot be computed here",
                "",
                hint,
            );
        }
        if block > crate::MAX_BLOCK_SIZE {
            let t = self.symbols[number as usize].token;
            let text = format!(
                "[*] makes blocks of {block} elements here, more than UPC_MAX_BLOCK_SIZE, {}",
                crate::MAX_BLOCK_SIZE
            );
            let hint = "declare fewer elements, or use [] for an indefinite block size";
            self.error(t, t + 1, &text, "UPC 1.3, 6.5.1.1", hint);
        }
        let shared = Shared {
            block: Block::Size(block.max(1)),
            explicit: true,
        };
        self.symbols[number as usize].ty = self.with_layout(ty, shared);
    }

    /// The same type with another layout.
    fn with_layout(&mut self, ty: QualTy, shared: Shared) -> QualTy {
        match self.types.array(ty) {
            Some((elem, len)) => {
                let elem = self.with_layout(elem, shared);
                QualTy::plain(self.types.add(Type::Array(elem, len)))
            }
            None => {
                let t = self.types.resolve(ty);
                // A typedef name that says the layout itself cannot be kept.
                let keep = self.types.shared(ty.unqualified()).is_none();
                let id = if keep { ty.id } else { t.id };
                QualTy {
                    id,
                    q: Quals {
                        bits: t.q.bits,
                        shared: Some(shared),
                    },
                }
            }
        }
    }

    fn check_shared_dimensions(&mut self, ty: QualTy, token: TokIdx, defines: bool) {
        if self.types.is_void(self.types.ultimate(ty)) {
            self.error(
                token,
                token + 1,
                "an object of type shared void",
                "C99, 6.7",
                "",
            );
            return;
        }
        if defines
            && self
                .types
                .record(self.types.ultimate(ty))
                .is_some_and(|r| r.members.is_none())
        {
            self.error(
                token,
                token + 1,
                "a shared object of an incomplete type",
                "C99, 6.7",
                "",
            );
            return;
        }
        if self.types.array(ty).is_none() {
            return;
        }
        let mut t = ty;
        while let Some((elem, len)) = self.types.array(t) {
            if let Len::Expr { expr, factor: None } = len {
                use crate::sema::constant::Fold;
                if let Fold::Value(v) | Fold::Threads(v) = self.fold(expr) {
                    let (lo, hi) = (self.expr(expr).lo, self.expr(expr).hi);
                    let text = format!("the length of a shared array is negative: {v}");
                    return self.error(lo, hi, &text, "C99, 6.7.5.2", "");
                }
                if self.fold(expr) == crate::sema::constant::Fold::NotConstant
                    && !self.mentions_threads(expr)
                {
                    let (lo, hi) = (self.expr(expr).lo, self.expr(expr).hi);
                    let hint = "allocate it with upc_all_alloc";
                    return self.error(
                        lo,
                        hi,
                        "the length of a shared array is not an integer constant expression",
                        "UPC 1.3, 6.5.2",
                        hint,
                    );
                }
            }
            t = elem;
        }
        if self.options.threads.is_none() {
            self.check_dynamic_dimensions(ty, token, true);
        }
    }

    pub(crate) fn mentions_threads(&self, e: ExprId) -> bool {
        (self.expr(e).lo..self.expr(e).hi).any(|t| self.token(t).kind == Tok::Kw(K::Threads))
    }

    /// Elements that one thread holds at most, rounded up to whole blocks, as an expression of type long.
    pub(crate) fn local_elements(&self, ty: QualTy) -> Rope {
        let count = self.count(ty);
        if self.types.array(ty).is_none() {
            return Rope::from_text("1L");
        }
        let per_thread = count.threads > 0;
        let threads = match per_thread {
            true => 1,
            false => self.options.threads.map_or(1, u64::from).max(1),
        };
        let block = self.types.shared(ty).map(|s| s.block);
        if let (Some(Block::Size(b)), true) = (block, count.exprs.is_empty()) {
            let n = match b {
                0 => count.n,
                b => count.n.div_ceil(b).div_ceil(threads).saturating_mul(b),
            };
            return Rope::from_text(&format!("{n}L"));
        }
        let mut elements = count.clone();
        elements.threads = 0;
        let n = self.count_text(&elements);
        if block == Some(Block::Size(0)) {
            return n;
        }
        let b = self.block_text(ty);
        let mut out = Rope::from_text("((((");
        out.append(n);
        out.text(" + ");
        out.append(b.clone());
        out.text(" - 1) / ");
        out.append(b.clone());
        out.text(&format!(") + {}) / {threads} * ", threads - 1));
        out.append(b);
        out.text(")");
        out
    }

    fn block_text(&self, ty: QualTy) -> Rope {
        match self.types.shared(ty).map(|s| s.block) {
            Some(Block::Size(n)) => Rope::from_text(&format!("{n}L")),
            Some(Block::Expr(e)) => {
                let mut out = Rope::from_text("(long)(");
                out.inline(self.expr(e).lo, self.expr(e).hi);
                out.text(")");
                out
            }
            _ => Rope::from_text("1L"),
        }
    }

    /// `local_bytes, elem_bytes, block, elements, per_thread`
    fn object_fields(&self, ty: QualTy) -> Rope {
        let element = self.types.ultimate(ty);
        let count = self.count(ty);
        let scalar = self.types.array(ty).is_none();
        let mut out = self.local_elements(ty);
        out.text(" * ");
        out.append(self.sizeof_text(element));
        out.text(", ");
        out.append(self.sizeof_text(element));
        out.text(", ");
        match scalar {
            true => out.text("0"),
            false => out.append(self.block_text(ty)),
        }
        out.text(", ");
        let mut elements = count.clone();
        elements.threads = 0;
        out.append(self.count_text(&elements));
        out.text(if count.threads > 0 { ", 1" } else { ", 0" });
        out
    }

    /// What gives a shared object its first value: a private object with that value, and a note of it for the
    /// runtime; a function at file scope where addresses of shared objects are in it, which are no constants in C.
    fn shared_initialiser(
        &mut self,
        number: u32,
        suffix: &str,
        init: (TokIdx, TokIdx),
        out: &mut Rope,
    ) {
        let ty = self.symbols[number as usize].ty;
        let address = self.value_has_address;
        let inner = self
            .inner_threads(ty)
            .filter(|_| self.initialises_inner(init));
        let flat = inner.is_none() && self.inner_threads(ty).is_some();
        let bound = inner.as_ref().map_or(0, |_| self.inner_bound(init));
        let private = match flat {
            true => {
                let elem = self.bare(self.types.ultimate(ty));
                QualTy::plain(self.types.add(Type::Array(elem, Len::None)))
            }
            false => self.private_type(ty, true, bound),
        };
        let value = match address {
            true => "upcr_v".to_owned(),
            false => format!("upcr_first_{suffix}"),
        };
        let mut object = Rope::default();
        object.append(self.decl_text(private, Rope::from_text(&value)));
        object.text(" = ");
        object.inline(init.0, init.1);
        object.text("; ");
        let mut fields = Rope::from_text(&format!(
            "{{ &upcr_obj_{suffix}, &{value}, sizeof({value}), {bound}, "
        ));
        match inner {
            Some((factor, inner)) => {
                fields.append(factor);
                fields.text(", ");
                fields.append(inner);
                fields.text(" }");
            }
            None => fields.text("0, 0 }"),
        }
        if !address {
            out.text("static const ");
            out.append(object);
            out.text(&format!(
                "static const struct upcr_value upcr_value_{suffix} = "
            ));
            out.append(fields);
            return out.text(&format!(
                "; static const struct upcr_value *const upcr_store_{suffix} \
                 __attribute__((section(\"upcr_values\"), used)) = &upcr_value_{suffix}; "
            ));
        }
        let local = self.symbols[number as usize].local;
        let mut text = Rope::default();
        text.text(&format!(
            " static __attribute__((no_instrument_function)) void upcr_init_{suffix}(void) {{ "
        ));
        text.append(object);
        text.text("upcr_initialise((struct upcr_value)");
        text.append(fields);
        text.text(&format!(
            "); }} static void (*const upcr_run_{suffix})(void) \
             __attribute__((section(\"upcr_init_shared\"), used)) = upcr_init_{suffix}; "
        ));
        match local {
            true => self.trailer.quiet(text),
            false => out.append(text),
        }
    }

    /// Where THREADS is a factor of a dimension that is not the outermost: its other factor, and the number of
    /// ultimate elements in each of its elements.
    fn inner_threads(&self, ty: QualTy) -> Option<(Rope, Rope)> {
        let (mut t, _) = self.types.array(ty)?;
        while let Some((elem, len)) = self.types.array(t) {
            let factor = match len {
                Len::Const { n, threads: true } => Some(Rope::from_text(&format!("{n}L"))),
                Len::Expr {
                    factor: Some(e), ..
                } => {
                    let mut text = Rope::from_text("(long)(");
                    text.inline(self.expr(e).lo, self.expr(e).hi);
                    text.text(")");
                    Some(text)
                }
                _ => None,
            };
            if let Some(factor) = factor {
                return Some((factor, self.count_text(&self.count(elem))));
            }
            t = elem;
        }
        None
    }

    /// Whether an initialiser says which element belongs to which row, by braces, designators or strings.
    fn initialises_inner(&self, (lo, hi): (TokIdx, TokIdx)) -> bool {
        (lo + 1..hi).any(|t| {
            let designator = matches!(
                self.token(t - 1).kind,
                Tok::Punct(P::LBrace | P::Comma | P::RBracket)
            );
            match self.token(t).kind {
                Tok::Punct(P::LBrace) | Tok::Str => true,
                Tok::Punct(P::LBracket | P::Dot) => designator,
                _ => false,
            }
        })
    }

    /// No dimension has more elements than this in the initialiser.
    fn inner_bound(&self, (lo, hi): (TokIdx, TokIdx)) -> u64 {
        let count = |p| {
            (lo..hi)
                .filter(|&t| self.token(t).kind == Tok::Punct(p))
                .count() as u64
        };
        let characters: u64 = (lo..hi)
            .filter(|&t| self.token(t).kind == Tok::Str)
            .map(|t| crate::parse::init::string_length(self.src.text_of(t)) + 1)
            .sum();
        (count(P::Comma) + 1)
            .saturating_add(self.largest_index)
            .max(characters)
    }

    /// The type of a private object with the same value. A length that depends on THREADS is left to the
    /// initialiser if it is the outermost one, otherwise it is `bound`.
    fn private_type(&mut self, ty: QualTy, outermost: bool, bound: u64) -> QualTy {
        match self.types.array(ty) {
            Some((elem, len)) => {
                let len = match len {
                    Len::Const { threads: true, .. }
                    | Len::Expr {
                        factor: Some(_), ..
                    } => match outermost {
                        true => Len::None,
                        false => Len::Const {
                            n: bound,
                            threads: false,
                        },
                    },
                    len => len,
                };
                let elem = self.private_type(elem, false, bound);
                QualTy::plain(self.types.add(Type::Array(elem, len)))
            }
            None => self.bare(ty),
        }
    }

    /// A static object of a block holds addresses of shared ones: gives a function at file scope pointers to where they
    /// belong. `path` is what the paths of the object's parts begin with; `first` is the first of them.
    pub(crate) fn point_to_deferred(&mut self, name: Name, path: &str, first: usize) {
        for k in first..self.deferred.len() {
            let part = match self.deferred[k].path.strip_prefix(path) {
                Some(part) => part.to_owned(),
                None => continue,
            };
            let name = self.name(name).to_owned();
            let pointer = format!("upcr_at{}_{name}", self.unique());
            self.block_pointers.push_str(&format!(
                " static upcr_pts *const {pointer} __asm__(\"{pointer}\") \
                 __attribute__((used)) = (upcr_pts *)&{name}{part};"
            ));
            self.trailer.quiet(Rope::from_text(&format!(
                " extern upcr_pts *const {pointer} __asm__(\"{pointer}\");"
            )));
            self.deferred[k].path = format!("*{pointer}");
        }
    }

    /// Writes the function that sets private static objects before main.
    pub(crate) fn emit_deferred(&mut self) {
        let deferred = std::mem::take(&mut self.deferred);
        if deferred.is_empty() {
            return;
        }
        let n = self.unique();
        let mut out = Rope::default();
        out.text(&format!(
            " static __attribute__((no_instrument_function)) void upcr_private_{n}(void) {{ "
        ));
        for d in deferred {
            // The object may be const for the program.
            out.text(&format!("*(upcr_pts *)&{} = ", d.path));
            let mut value = Rope::default();
            self.emit_converted(&mut value, d.expr, d.ty);
            out.append(value.inlined());
            out.text("; ");
            let (lo, hi) = (self.expr(d.expr).lo, self.expr(d.expr).hi);
            self.edits.replace(lo, hi, Rope::from_text("{0, 0}"));
        }
        out.text(&format!(
            "}} static void (*const upcr_set_{n})(void) \
             __attribute__((section(\"upcr_init_private\"), used)) = upcr_private_{n}; "
        ));
        self.trailer.quiet(out);
    }
}
