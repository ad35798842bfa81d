//! Declarations and function definitions, at file scope and in blocks. A declaration that says
//! `shared` is rewritten, declarator by declarator; every other one is copied.

use super::declarator::Declarator;
use super::parser::{Abort, Function, Parse, Parser};
use super::specs::Specs;
use crate::emit::rope::Rope;
use crate::emit::work::{Initialiser, Use};
use crate::sema::dimensions::DeclaratorKind;
use crate::sema::symbols::{SymKind, Symbol};
use crate::sema::types::*;
use crate::syntax::token::*;

/// The text of one declarator with its type, written only if the declaration is rewritten.
enum Rewritten {
    /// Known already.
    Text(Rope),
    /// To be written.
    Plain {
        ty: QualTy,
        name: Name,
        tail: (TokIdx, TokIdx),
        init: (TokIdx, TokIdx),
    },
}

/// How an object's initialiser is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storing {
    /// On the stack: any expression will do.
    Automatic,
    /// Static: addresses of shared objects are set before main.
    Static,
    /// Shared: stored by one thread before main.
    Shared,
}

impl Parser<'_> {
    /// Parses the whole unit.
    pub(crate) fn translation_unit(&mut self) {
        while self.kind() != Tok::Eof && !self.hopeless {
            let lo = self.pos;
            self.unit.begin_external_declaration();
            let start = self.checkpoint();
            match self.external_declaration() {
                Ok(()) => self.lost = false,
                Err(Abort) => {
                    self.lost = true;
                    self.recover_at_file_scope(&start);
                    if self.pos == lo {
                        self.advance();
                    }
                }
            }
            self.lowering().lower_pending();
            self.unit.end_external_declaration();
            self.emission.end_external_declaration(lo, self.pos);
            self.labels.clear();
            self.gotos.clear();
        }
    }

    fn external_declaration(&mut self) -> Parse<()> {
        if self.accept(P::Semi) {
            return Ok(());
        }
        if self.is_kw(K::Extension) && self.kind_at(1) == Tok::Kw(K::StaticAssert) {
            self.advance();
        }
        if self.is_kw(K::Asm) {
            self.advance();
            while !self.is(P::LParen) && matches!(self.kind(), Tok::Kw(_)) {
                self.advance();
            }
            self.skip_group()?;
            self.accept(P::Semi);
            return Ok(());
        }
        if self.is_kw(K::StaticAssert) {
            return self.static_assert();
        }
        if self.is(P::RBrace) {
            let t = self.advance();
            self.unit.messages.syntax_error = true;
            if !self.lost {
                self.unit
                    .error(t, t + 1, "'}' without '{' before it", "", "");
                // The following text was to be the rest of a function.
                self.lost = true;
            }
            return match self.kind() {
                Tok::Eof => Ok(()),
                _ => Err(Abort),
            };
        }
        self.declaration(true)
    }

    pub(super) fn static_assert(&mut self) -> Parse<()> {
        self.advance();
        self.static_assert_group()?;
        self.expect(P::Semi, "after '_Static_assert(...)'")?;
        Ok(())
    }

    /// The parentheses after `_Static_assert`.
    pub(super) fn static_assert_group(&mut self) -> Parse<()> {
        self.expect(P::LParen, "after '_Static_assert'")?;
        let e = self.assignment_expr()?;
        self.emission.work.root(e, Use::Value);
        self.unit.check_constant(e);
        if self.accept(P::Comma) {
            if self.kind() != Tok::Str {
                return self.unexpected("a string with the message of '_Static_assert'");
            }
            while self.kind() == Tok::Str {
                self.advance();
            }
        }
        self.expect(P::RParen, "to close '_Static_assert ('")?;
        Ok(())
    }

    /// Parses a declaration, at file scope also a function definition.
    pub(super) fn declaration(&mut self, file_scope: bool) -> Parse<()> {
        let lo = self.pos;
        self.rewritten_parts = 0;
        while self.accept_kw(K::Extension) {}
        let specs = self.specs()?;
        if !specs.typed && specs.keep.is_empty() && !specs.shared_here {
            self.check_declaration_start(lo, file_scope)?;
        }
        let mut parts = Vec::new();
        let mut rewritten = specs.shared_here;
        if self.is(P::Semi) {
            if rewritten {
                self.rewrite_declaration(lo, self.pos, &specs, parts);
            }
            self.advance();
            return Ok(());
        }
        let mut first = true;
        loop {
            let d = self.declarator(specs.ty, DeclaratorKind::Named)?;
            if first && self.function_body_follows(&d) {
                return self.function_definition(lo, specs, d);
            }
            first = false;
            rewritten |= d.shared_here;
            parts.push(self.init_declarator(&specs, d, file_scope)?);
            if !self.accept(P::Comma) {
                break;
            }
            let mut keep = Vec::new();
            self.attributes(&mut keep)?;
        }
        let end = self.pos;
        self.expect(P::Semi, "after the declaration")?;
        let pointers = self.emission.take_block_pointers();
        if rewritten {
            self.rewritten_parts = parts.len() + usize::from(specs.body.is_some());
            parts.push(Rewritten::Text(pointers));
            self.rewrite_declaration(lo, end + 1, &specs, parts);
        } else if !pointers.is_empty() {
            self.emission.edits.after(end, pointers);
        }
        Ok(())
    }

    /// Replaces a declaration by one declaration for each declarator.
    fn rewrite_declaration(
        &mut self,
        lo: TokIdx,
        hi: TokIdx,
        specs: &Specs,
        parts: Vec<Rewritten>,
    ) {
        let mut rope = Rope::default();
        self.unit.body_text(&mut rope, specs.ty, specs.body);
        for part in parts {
            match part {
                Rewritten::Text(text) => rope.append(text),
                Rewritten::Plain {
                    ty,
                    name,
                    tail,
                    init,
                } => {
                    self.keep_text(&mut rope, &specs.keep);
                    rope.append(self.unit.decl_text(ty, self.unit.name(name)));
                    rope.copy(tail.0, tail.1);
                    rope.copy(init.0, init.1);
                    rope.text("; ");
                }
            }
        }
        self.replace(lo, hi, rope);
    }

    /// A declaration without a type: `main() {` is old C, an unknown word in front of a name is a
    /// mistake.
    fn check_declaration_start(&mut self, lo: TokIdx, file_scope: bool) -> Parse<()> {
        if self.kind() == Tok::Ident {
            return Ok(());
        }
        // `(f)();` at file scope, `const *p;` anywhere.
        let qualified =
            self.pos > lo && self.unit.token(self.pos - 1).kind != Tok::Kw(K::Extension);
        if matches!(self.kind(), Tok::Punct(P::Star | P::LParen)) && (file_scope || qualified) {
            return Ok(());
        }
        self.pos = lo;
        let statement = matches!(
            self.kind(),
            Tok::Kw(
                K::If
                    | K::For
                    | K::While
                    | K::Do
                    | K::Switch
                    | K::Return
                    | K::Break
                    | K::Goto
                    | K::Forall
                    | K::Barrier
                    | K::Notify
                    | K::Wait
                    | K::Fence
                    | K::Else
                    | K::Case
            )
        );
        let hint = match statement {
            true => "a statement belongs into a function: is there a '}' too many before it?",
            false => "",
        };
        self.unexpected_because("a declaration", hint)
    }

    fn function_body_follows(&self, d: &Declarator) -> bool {
        self.unit.types.func(d.ty).is_some()
            && (self.is(P::LBrace) || (d.kr_names.is_some() && self.starts_type()))
    }

    /// The storage-class specifiers of a shared object, which are not left for the C compiler to
    /// see.
    fn check_storage(&mut self, specs: &Specs) {
        for &(lo, hi) in &specs.keep {
            let (text, hint) = match self.unit.token(lo).kind {
                Tok::Kw(K::Auto | K::Register) => (
                    "an automatic variable cannot be shared",
                    "leave the storage class out",
                ),
                Tok::Kw(K::ThreadLocal) => (
                    "an object of one thread alone cannot be shared",
                    "leave one of the two out",
                ),
                Tok::Kw(K::Inline | K::Noreturn) => ("this belongs to functions only", ""),
                _ => continue,
            };
            self.unit.error(lo, hi, text, "C99, 6.7", hint);
        }
        if specs.storage.internal && specs.storage.external {
            let text = "static and extern in one declaration";
            self.unit.error(
                specs.lo,
                specs.lo + 1,
                text,
                "C99, 6.7.1",
                "keep one of the two",
            );
        }
    }

    /// After a declarator: declares the name, parses its initialiser, and returns its text in C.
    fn init_declarator(
        &mut self,
        specs: &Specs,
        d: Declarator,
        file_scope: bool,
    ) -> Parse<Rewritten> {
        let Some((name, token)) = d.name else {
            return self.unexpected("a name in the declaration");
        };
        let storage = specs.storage;
        let mut ty = d.ty;
        if storage.typedef {
            return Ok(self.typedef(&d, name, token));
        }
        let is_function = self.unit.types.func(ty).is_some();
        if !is_function && !file_scope && !storage.internal && !storage.external {
            ty = self.value_of_typeof(ty, specs);
        }
        let shared = !is_function
            && self.unit.types.shared(ty).is_some()
            && !self.unit.check_lock_object(ty, token);
        let initialised = self.is(P::Assign);
        if shared && !file_scope && !storage.internal && !storage.external {
            let hint = "declare it static, at file scope, or allocate it with upc_all_alloc";
            self.unit.error(
                token,
                token + 1,
                "an automatic variable cannot be shared",
                "UPC 1.3, 6.5.1.1",
                hint,
            );
            if initialised {
                self.advance();
                self.initializer(ty.unqualified(), Storing::Automatic, String::new())?;
            }
            self.declare_object(name, token, ty.unqualified(), storage.internal, !file_scope);
            return Ok(Rewritten::Text(Rope::default()));
        }
        if shared {
            self.check_storage(specs);
        }
        if shared && file_scope {
            self.unit.check_linkage(name, token, storage);
        }
        let number = match is_function {
            true => self.declare_function(name, token, ty, storage.internal),
            false => self.declare_object(name, token, ty, storage.internal, !file_scope),
        };
        if !is_function && self.unit.types.is_unknown(ty) && initialised {
            // `__auto_type p = &x;`: the initialiser gives the type; pointers-to-shared are
            // understood.
            self.advance();
            let e = self.initializer(ty, Storing::Automatic, String::new())?;
            if let Some(e) = e {
                let value = self.unit.value_type(e);
                if matches!(self.unit.types.get(ty.id), Type::Unknown)
                    && self.unit.types.is_pts(value)
                {
                    self.unit.symbols.get_mut(number).ty = value;
                }
            }
            return Ok(Rewritten::Text(Rope::default()));
        }
        let static_storage = file_scope || storage.internal || storage.external;
        if shared {
            let mut init = None;
            if initialised {
                self.unit
                    .check_initialised_once(number, token, !file_scope && storage.external);
                let lo = self.advance() + 1;
                let elements = self.initializer_elements(ty, Storing::Shared)?;
                init = Some(Initialiser {
                    tokens: (lo, self.pos),
                    has_address: self.value_has_address,
                    largest_index: self.largest_index,
                });
                ty = self.complete_array(ty, elements);
                self.unit.symbols.get_mut(number).ty = ty;
            }
            let defines = initialised || !storage.external;
            self.unit.settle_layout(number, defines);
            return Ok(Rewritten::Text(
                self.lowering().shared_object(number, defines, init),
            ));
        }
        if static_storage && !is_function {
            self.unit.check_constant_length(ty, token);
        }
        let storing = if static_storage {
            Storing::Static
        } else {
            Storing::Automatic
        };
        let init_lo = self.pos;
        let deferred_before = self.emission.work.deferred();
        if initialised {
            self.advance();
            let path = match (static_storage, file_scope) {
                (true, true) => self.unit.name(name).to_owned(),
                (true, false) => format!(
                    "upcr_static{}_{}",
                    self.emission.unique(),
                    self.unit.name(name)
                ),
                _ => String::new(),
            };
            self.initializer(ty, storing, path.clone())?;
            if self.emission.work.deferred() > deferred_before {
                self.drop_const(specs.lo, init_lo);
                ty = self.without_const(ty);
                self.unit.symbols.get_mut(number).ty = ty;
                if !file_scope {
                    self.lowering()
                        .point_to_deferred(name, &path, deferred_before);
                }
            }
        }
        Ok(Rewritten::Plain {
            ty,
            name,
            tail: d.tail,
            init: (init_lo, self.pos),
        })
    }

    /// Takes `const` out of a declaration: an object that is set before main cannot lie in
    /// read-only memory.
    fn drop_const(&mut self, lo: TokIdx, hi: TokIdx) {
        let mut depth = 0;
        for t in lo..hi {
            match self.unit.token(t).kind {
                Tok::Punct(P::LParen | P::LBrace | P::LBracket) => depth += 1,
                Tok::Punct(P::RParen | P::RBrace | P::RBracket) => depth -= 1,
                Tok::Kw(K::Const) if depth == 0 => self.replace(t, t + 1, Rope::default()),
                _ => {}
            }
        }
    }

    fn without_const(&mut self, ty: QualTy) -> QualTy {
        let mut t = match self.unit.types.array(ty) {
            Some((elem, len)) => {
                let elem = self.without_const(elem);
                QualTy::plain(self.unit.types.add(Type::Array(elem, len)))
            }
            None if self.unit.types.quals(ty.unqualified()).bits & CONST != 0 => {
                self.unit.types.resolve(ty)
            }
            None => ty,
        };
        t.q.bits &= !CONST;
        t
    }

    fn typedef(&mut self, d: &Declarator, name: Name, token: TokIdx) -> Rewritten {
        if self
            .unit
            .types
            .shared(d.ty)
            .is_some_and(|s| s.block == Block::Star)
        {
            self.unit.error(
                token,
                token + 1,
                "[*] in a typedef",
                "UPC 1.3, 6.5.1.1",
                "give a block size",
            );
        }
        if self.unit.options.threads.is_none()
            && self.unit.types.shared(d.ty).is_some()
            && self.unit.types.array(d.ty).is_some()
        {
            self.unit.check_dynamic_dimensions(d.ty, token, false);
        }
        self.lowering().give_way(name, token, false);
        self.lowering()
            .c_library_gives_way(name, token, SymKind::Typedef, d.ty, false);
        let sugar = QualTy::plain(self.unit.types.add(Type::Typedef(name, d.ty)));
        self.unit.symbols.declare(Symbol {
            defined: true,
            local: !self.unit.symbols.at_file_scope(),
            ..Symbol::new(SymKind::Typedef, name, token, sugar)
        });
        if self.unit.symbols.at_file_scope() && self.unit.types.shared(d.ty).is_none() {
            self.unit.check_constant_length(d.ty, token);
        }
        // A shared array whose length depends on THREADS has no counterpart in C, and needs none.
        match self.unit.types.shared(d.ty).is_some() && self.unit.types.array(d.ty).is_some() {
            true => Rewritten::Text(Rope::default()),
            false => Rewritten::Plain {
                ty: d.ty,
                name,
                tail: d.tail,
                init: (d.tail.1, d.tail.1),
            },
        }
    }

    fn declare_object(
        &mut self,
        name: Name,
        token: TokIdx,
        ty: QualTy,
        internal: bool,
        local: bool,
    ) -> u32 {
        if !local {
            self.lowering().give_way(name, token, true);
            self.lowering()
                .c_library_gives_way(name, token, SymKind::Object, ty, internal);
            if let Some(old) = self
                .unit
                .lookup(name)
                .filter(|&s| self.unit.symbol(s).kind == SymKind::Object)
            {
                self.unit.check_redeclaration(old, ty, token);
                let known = self.unit.symbol(old).ty;
                if !matches!(self.unit.types.array(known), Some((_, len)) if len != Len::None) {
                    self.unit.symbols.get_mut(old).ty = ty;
                }
                return old;
            }
        }
        self.unit.symbols.declare(Symbol {
            internal,
            local,
            ..Symbol::new(SymKind::Object, name, token, ty)
        })
    }

    fn declare_function(&mut self, name: Name, token: TokIdx, ty: QualTy, internal: bool) -> u32 {
        self.lowering().give_way(name, token, internal);
        self.lowering()
            .c_library_gives_way(name, token, SymKind::Function, ty, internal);
        if let Some(old) = self
            .unit
            .lookup(name)
            .filter(|&s| self.unit.symbol(s).kind == SymKind::Function)
        {
            if !self.unit.symbol(old).local {
                self.unit.check_redeclaration(old, ty, token);
                // A prototype says more than `f()`, and stays in force.
                let keep = self
                    .unit
                    .types
                    .func(self.unit.symbol(old).ty)
                    .is_some_and(|f| f.prototype);
                if !keep || self.unit.types.func(ty).is_some_and(|f| f.prototype) {
                    self.unit.symbols.get_mut(old).ty = ty;
                    self.unit.symbols.get_mut(old).token = token;
                }
                return old;
            }
        }
        self.unit.symbols.declare(Symbol {
            internal,
            local: !self.functions.is_empty(),
            ..Symbol::new(SymKind::Function, name, token, ty)
        })
    }

    fn function_definition(&mut self, lo: TokIdx, specs: Specs, d: Declarator) -> Parse<()> {
        let Some((name, token)) = d.name else {
            return self.unexpected("a function's name");
        };
        self.lowering().give_way(name, token, true);
        let number = self.declare_function(name, token, d.ty, specs.storage.internal);
        self.unit.symbols.get_mut(number).defined = true;
        self.unit.symbols.open_scope();
        let mut ty = d.ty;
        if let Some(names) = &d.kr_names {
            ty = self.kr_parameters(ty, names)?;
            self.unit.symbols.get_mut(number).ty = ty;
        }
        let Some(func) = self.unit.types.func(ty).cloned() else {
            return self.unexpected("';' after the declaration");
        };
        for p in &func.params {
            if let (Some((name, token)), None) = (p.name, &d.kr_names) {
                self.declare_object(name, token, p.ty, false, true);
            }
        }
        if specs.shared_here || d.shared_here {
            let mut rope = Rope::default();
            self.unit.body_text(&mut rope, specs.ty, specs.body);
            self.keep_text(&mut rope, &specs.keep);
            rope.append(self.unit.decl_text(d.ty, self.unit.name(name)));
            rope.copy(d.tail.0, self.pos);
            self.replace(lo, self.pos, rope);
        }
        if !self.is(P::LBrace) {
            return self.unexpected("'{' before the function's body");
        }
        self.unit.forget_synchronisation();
        self.functions.push(Function {
            ret: func.ret,
            forall_depth: 0,
            breakable: 0,
        });
        let begin = self.pos;
        // The body begins a new one.
        let straight = self.emission.work.straight() + 1;
        self.compound_body()?;
        self.functions.pop();
        self.unit.forget_synchronisation();
        let quiet = specs.storage.no_instrument || d.attributes.no_instrument;
        let end = self.pos - 1;
        self.emission.work.entered(straight);
        self.lowering().finish_function(number, begin, end, quiet);
        self.unit.symbols.close_scope();
        Ok(())
    }

    /// Reads the declarations between a K&R parameter list and the body.
    fn kr_parameters(&mut self, ty: QualTy, names: &[(Name, TokIdx)]) -> Parse<QualTy> {
        let mut params: Vec<Param> = names
            .iter()
            .map(|&(n, t)| Param {
                name: Some((n, t)),
                ty: QualTy::plain(INT),
            })
            .collect();
        while !self.is(P::LBrace) {
            if !self.starts_type() {
                return self.unexpected("a declaration of a parameter or '{'");
            }
            let lo = self.pos;
            let specs = self.specs()?;
            let mut rope = Rope::default();
            let mut rewritten = specs.shared_here;
            while !self.is(P::Semi) {
                let d = self.declarator(specs.ty, DeclaratorKind::Named)?;
                rewritten |= d.shared_here;
                let adjusted = self.adjust_parameter(&d, &specs);
                self.keep_text(&mut rope, &specs.keep);
                rope.append(
                    self.unit
                        .decl_text(adjusted, d.name.map_or("", |(n, _)| self.unit.name(n))),
                );
                rope.text("; ");
                if let Some(p) = params
                    .iter_mut()
                    .find(|p| p.name.map(|(n, _)| n) == d.name.map(|(n, _)| n))
                {
                    p.ty = adjusted;
                }
                if !self.accept(P::Comma) {
                    break;
                }
            }
            self.expect(P::Semi, "after the declaration of a parameter")?;
            if rewritten {
                self.replace(lo, self.pos, rope);
            }
        }
        for p in &params {
            if let Some((name, token)) = p.name {
                self.declare_object(name, token, p.ty, false, true);
            }
        }
        let Some(func) = self.unit.types.func(ty).cloned() else {
            return Ok(ty);
        };
        let full = Func {
            params,
            ..(*func).clone()
        };
        Ok(QualTy::plain(
            self.unit.types.add(Type::Func(std::rc::Rc::new(full))),
        ))
    }
}
