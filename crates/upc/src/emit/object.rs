//! Shared objects: their descriptions for the runtime, and the functions that give objects their
//! first values.

use super::lowering::Lowering;
use super::rope::Rope;
use super::work::Initialiser;
use crate::sema::types::*;
use crate::syntax::literal::string_length;
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// The text that takes the place of a declaration of a shared object. `init`: tokens of its
    /// initialiser.
    pub(crate) fn shared_object(
        &mut self,
        number: u32,
        defines: bool,
        init: Option<Initialiser>,
    ) -> Rope {
        let symbol = self.unit.symbol(number).clone();
        let token = symbol.token;
        let name = self.unit.name(symbol.name);
        let static_in_block = symbol.local && symbol.internal;
        let (suffix, asm) = match static_in_block {
            true => {
                let n = self.unique();
                (format!("{n}_{name}"), format!("{name}.upcr{n}"))
            }
            false => (name.to_owned(), name.to_owned()),
        };
        if static_in_block {
            self.unit.symbols.get_mut(number).renamed = Some(format!("upcr_obj_{suffix}"));
        }
        let ty = self.unit.symbol(number).ty;
        let mut out = Rope::default();
        if !symbol.object_declared || symbol.local {
            self.unit.symbols.get_mut(number).object_declared = true;
            let declaration =
                format!("extern const struct upcr_object upcr_obj_{suffix} __asm__(\"{asm}\"); ");
            out.text(&declaration);
            if symbol.local {
                // For functions at the end of the file that initialise other objects of the block
                // with its address.
                self.emission.trailer.quiet(Rope::from_text(&declaration));
            }
        }
        if !defines
            || self.unit.count(ty).open
            || self.unit.types.is_void(self.unit.types.ultimate(ty))
        {
            return out;
        }
        if !symbol.defined {
            self.unit.symbols.get_mut(number).defined = true;
            let (class, weak) = match symbol.internal {
                true => ("static ", ""),
                false => ("", " __attribute__((weak))"),
            };
            out.text(&format!(
                "{class}struct upcr_object upcr_def_{suffix} __asm__(\"{asm}\"){weak} = {{ 0, "
            ));
            out.append(self.object_fields(ty));
            let t = self.unit.token(token);
            out.text(&format!(
                ", {}, \"{name}\", \"{}\" }}; ",
                t.line, self.unit.src.files[t.file as usize]
            ));
            // Its type tells debuggers the type of the elements.
            let element = self.unit.bare(self.unit.types.ultimate(ty));
            let reference = Rope::from_text(&format!("*const upcr_ref_{suffix}"));
            out.text("static ");
            out.append(self.unit.decl_text(element, reference));
            let listed = self.listed_in("upcr_objects");
            out.text(&format!(" {listed} = (void *)&upcr_def_{suffix}; "));
        }
        if let Some(init) = init {
            self.shared_initialiser(number, &suffix, init, &mut out);
        }
        out
    }

    /// Elements that one thread holds at most, rounded up to whole blocks, as an expression of type
    /// long.
    pub(crate) fn local_elements(&self, ty: QualTy) -> Rope {
        let count = self.unit.count(ty);
        if self.unit.types.array(ty).is_none() {
            return Rope::from_text("1L");
        }
        let per_thread = count.threads > 0;
        let threads = match per_thread {
            true => 1,
            false => self.unit.options.threads.map_or(1, u64::from).max(1),
        };
        let block = self.unit.types.shared(ty).map(|s| s.block);
        if let (Some(Block::Size(b)), true) = (block, count.exprs.is_empty()) {
            let n = match b {
                0 => count.n,
                b => count.n.div_ceil(b).div_ceil(threads).saturating_mul(b),
            };
            return Rope::from_text(&format!("{n}L"));
        }
        let mut elements = count.clone();
        elements.threads = 0;
        let n = self.unit.count_text(&elements);
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
        match self.unit.types.shared(ty).map(|s| s.block) {
            Some(Block::Size(n)) => Rope::from_text(&format!("{n}L")),
            Some(Block::Expr(e)) => {
                let mut out = Rope::from_text("(long)(");
                out.inline(self.unit.expr(e).lo, self.unit.expr(e).hi);
                out.text(")");
                out
            }
            _ => Rope::from_text("1L"),
        }
    }

    /// `local_bytes, elem_bytes, block, elements, per_thread`
    fn object_fields(&self, ty: QualTy) -> Rope {
        let element = self.unit.types.ultimate(ty);
        let count = self.unit.count(ty);
        let scalar = self.unit.types.array(ty).is_none();
        let mut out = self.local_elements(ty);
        out.text(" * ");
        out.append(self.unit.sizeof_text(element));
        out.text(", ");
        out.append(self.unit.sizeof_text(element));
        out.text(", ");
        match scalar {
            true => out.text("0"),
            false => out.append(self.block_text(ty)),
        }
        out.text(", ");
        let mut elements = count.clone();
        elements.threads = 0;
        out.append(self.unit.count_text(&elements));
        out.text(if count.threads > 0 { ", 1" } else { ", 0" });
        out
    }

    /// Gives a shared object its first value: a private object with that value, and a note of it
    /// for the runtime; a function at file scope where addresses of shared objects are in it,
    /// which are no constants in C.
    fn shared_initialiser(&mut self, number: u32, suffix: &str, init: Initialiser, out: &mut Rope) {
        let ty = self.unit.symbol(number).ty;
        let address = init.has_address;
        let inner = self
            .inner_threads(ty)
            .filter(|_| self.initialises_inner(init.tokens));
        let flat = inner.is_none() && self.inner_threads(ty).is_some();
        let bound = inner.as_ref().map_or(0, |_| self.inner_bound(init));
        let private = match flat {
            true => {
                let elem = self.unit.bare(self.unit.types.ultimate(ty));
                QualTy::plain(self.unit.types.add(Type::Array(elem, Len::None)))
            }
            false => self.private_type(ty, true, bound),
        };
        let value = match address {
            true => "upcr_v".to_owned(),
            false => format!("upcr_first_{suffix}"),
        };
        let mut object = Rope::default();
        object.append(self.unit.decl_text(private, value.as_str()));
        object.text(" = ");
        object.inline(init.tokens.0, init.tokens.1);
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
            let listed = self.listed_in("upcr_values");
            return out.text(&format!(
                "; static const struct upcr_value *const upcr_store_{suffix} {listed} = \
                 &upcr_value_{suffix}; "
            ));
        }
        let local = self.unit.symbol(number).local;
        let mut text = Rope::default();
        text.text(&format!(
            " static __attribute__((no_instrument_function)) void upcr_init_{suffix}(void) {{ "
        ));
        text.append(object);
        text.text("upcr_initialise((struct upcr_value)");
        text.append(fields);
        let listed = self.listed_in("upcr_init_shared");
        text.text(&format!(
            "); }} static void (*const upcr_run_{suffix})(void) {listed} = upcr_init_{suffix}; "
        ));
        match local {
            true => self.emission.trailer.quiet(text),
            false => out.append(text),
        }
    }

    /// Where THREADS is a factor of a dimension that is not the outermost: its other factor, and
    /// the number of ultimate elements in each of its elements.
    fn inner_threads(&self, ty: QualTy) -> Option<(Rope, Rope)> {
        let (mut t, _) = self.unit.types.array(ty)?;
        while let Some((elem, len)) = self.unit.types.array(t) {
            let factor = match len {
                Len::Const { n, threads: true } => Some(Rope::from_text(&format!("{n}L"))),
                Len::Expr {
                    factor: Some(e), ..
                } => {
                    let mut text = Rope::from_text("(long)(");
                    text.inline(self.unit.expr(e).lo, self.unit.expr(e).hi);
                    text.text(")");
                    Some(text)
                }
                _ => None,
            };
            if let Some(factor) = factor {
                return Some((factor, self.unit.count_text(&self.unit.count(elem))));
            }
            t = elem;
        }
        None
    }

    /// Whether an initialiser says which element belongs to which row, by braces, designators or
    /// strings.
    fn initialises_inner(&self, (lo, hi): (TokIdx, TokIdx)) -> bool {
        (lo + 1..hi).any(|t| {
            let designator = matches!(
                self.unit.token(t - 1).kind,
                Tok::Punct(P::LBrace | P::Comma | P::RBracket)
            );
            match self.unit.token(t).kind {
                Tok::Punct(P::LBrace) | Tok::Str => true,
                Tok::Punct(P::LBracket | P::Dot) => designator,
                _ => false,
            }
        })
    }

    /// No dimension has more elements than this in the initialiser.
    fn inner_bound(&self, init: Initialiser) -> u64 {
        let (lo, hi) = init.tokens;
        let count = |p| {
            (lo..hi)
                .filter(|&t| self.unit.token(t).kind == Tok::Punct(p))
                .count() as u64
        };
        let characters: u64 = (lo..hi)
            .filter(|&t| self.unit.token(t).kind == Tok::Str)
            .map(|t| string_length(self.unit.src.text_of(t)) + 1)
            .sum();
        (count(P::Comma) + 1)
            .saturating_add(init.largest_index)
            .max(characters)
    }

    /// The type of a private object with the same value. A length that depends on THREADS is left
    /// to the initialiser if it is the outermost one, otherwise it is `bound`.
    fn private_type(&mut self, ty: QualTy, outermost: bool, bound: u64) -> QualTy {
        match self.unit.types.array(ty) {
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
                QualTy::plain(self.unit.types.add(Type::Array(elem, len)))
            }
            None => self.unit.bare(ty),
        }
    }

    /// A static object of a block holds addresses of shared ones: gives a function at file scope
    /// pointers to where they belong. `path` is what the paths of the object's parts begin
    /// with; `first` is the first of them.
    pub(crate) fn point_to_deferred(&mut self, name: Name, path: &str, first: usize) {
        for k in first..self.emission.work.deferred.len() {
            let part = match self.emission.work.deferred[k].path.strip_prefix(path) {
                Some(part) => part.to_owned(),
                None => continue,
            };
            let name = self.unit.name(name).to_owned();
            let pointer = format!("upcr_at{}_{name}", self.unique());
            self.emission.block_pointers.push_str(&format!(
                " static upcr_pts *const {pointer} __asm__(\"{pointer}\") __attribute__((used)) = \
                 (upcr_pts *)&{name}{part};"
            ));
            self.emission.trailer.quiet(Rope::from_text(&format!(
                " extern upcr_pts *const {pointer} __asm__(\"{pointer}\");"
            )));
            self.emission.work.deferred[k].path = format!("*{pointer}");
        }
    }

    /// Writes the function that sets private static objects before main.
    pub(crate) fn emit_deferred(&mut self) {
        let deferred = std::mem::take(&mut self.emission.work.deferred);
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
            let (lo, hi) = (self.unit.expr(d.expr).lo, self.unit.expr(d.expr).hi);
            self.emission.edits.replace(lo, hi, "{0, 0}");
        }
        let listed = self.listed_in("upcr_init_private");
        out.text(&format!(
            "}} static void (*const upcr_set_{n})(void) {listed} = upcr_private_{n}; "
        ));
        self.emission.trailer.quiet(out);
    }
}
