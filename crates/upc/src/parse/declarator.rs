//! Declarators and type names: pointers, arrays, functions and parentheses around a name, read from
//! the inside out into a type.

use super::parser::{Parse, Parser};
use super::specs::{Attributes, QualReader, Specs};
use crate::emit::rope::Rope;
use crate::emit::work::Use;
use crate::sema::ast::TypeName;
use crate::sema::constant::Fold;
use crate::sema::dimensions::DeclaratorKind;
use crate::sema::symbols::{SymKind, Symbol};
use crate::sema::types::*;
use crate::syntax::token::*;
use std::rc::Rc;

/// A declarator applied to its specifiers.
#[derive(Debug)]
pub struct Declarator {
    /// Name with its token.
    pub name: Option<(Name, TokIdx)>,
    /// The type.
    pub ty: QualTy,
    /// `shared` occurs in it.
    pub shared_here: bool,
    /// First token.
    pub lo: TokIdx,
    /// One after the last token, without attributes that follow.
    pub hi: TokIdx,
    /// Attributes and assembler name that follow.
    pub tail: (TokIdx, TokIdx),
    /// The declared thing is a function with these names as its K&R parameter list.
    pub kr_names: Option<Vec<(Name, TokIdx)>>,
    /// Effects of its attributes.
    pub attributes: Attributes,
}

enum Modifier {
    Pointer(QualReader, TokIdx),
    /// With the length's expression if THREADS is not a factor of it as arrays of shared data must
    /// have it.
    Array(Len, Option<ExprId>),
    Func {
        params: Vec<Param>,
        prototype: bool,
        variadic: bool,
        list: (TokIdx, TokIdx),
    },
}

#[derive(Default)]
struct Reading {
    name: Option<(Name, TokIdx)>,
    shared_here: bool,
    kr_names: Option<Vec<(Name, TokIdx)>>,
    attributes: Vec<(TokIdx, TokIdx)>,
}

impl Parser<'_> {
    /// Reads a declarator with the attributes and assembler name that follow it.
    pub(crate) fn declarator(&mut self, base: QualTy, kind: DeclaratorKind) -> Parse<Declarator> {
        let lo = self.pos;
        let mut reading = Reading::default();
        let mut modifiers = Vec::new();
        self.direct(&mut reading, &mut modifiers, kind)?;
        let hi = self.pos;
        let mut ty = base;
        let last = modifiers.len().saturating_sub(1);
        let mut is_function = false;
        for (i, m) in modifiers.into_iter().enumerate() {
            is_function = i == last && matches!(m, Modifier::Func { .. });
            ty = self.apply(ty, m, lo);
        }
        self.unit
            .check_array_types(ty, kind, reading.name.map_or(lo, |(_, t)| t));
        let kr_names = reading.kr_names.filter(|_| is_function);
        let mut tail = (hi, hi);
        let mut attributes = Attributes::default();
        loop {
            let mut keep = Vec::new();
            let found = self.attributes(&mut keep)?;
            attributes.odd_layout |= found.odd_layout;
            attributes.other_type |= found.other_type;
            attributes.no_instrument |= found.no_instrument;
            if self.is_kw(K::Asm) && kind == DeclaratorKind::Named {
                self.advance();
                self.skip_group()?;
            } else if keep.is_empty() {
                break;
            }
            tail.1 = self.pos;
        }
        if attributes.other_type {
            ty = QualTy::plain(UNKNOWN);
        }
        Ok(Declarator {
            name: reading.name,
            ty,
            shared_here: reading.shared_here,
            lo,
            hi,
            tail,
            kr_names,
            attributes,
        })
    }

    fn direct(
        &mut self,
        reading: &mut Reading,
        out: &mut Vec<Modifier>,
        kind: DeclaratorKind,
    ) -> Parse<()> {
        self.enter()?;
        self.attributes(&mut reading.attributes)?;
        while self.is(P::Star) || self.is(P::Caret) {
            let star = self.advance();
            let quals = self.pointer_quals(&mut reading.attributes)?;
            reading.shared_here |= quals.quals().shared.is_some();
            out.push(Modifier::Pointer(quals, star));
        }
        let mut inner = Vec::new();
        if self.kind() == Tok::Ident
            && kind != DeclaratorKind::Abstract
            && !self.parameter_type_ahead(kind, reading)
        {
            let t = self.advance();
            reading.name = Some((self.unit.token(t).name, t));
        } else if self.is(P::LParen) && self.nested_declarator(kind) {
            self.advance();
            self.direct(reading, &mut inner, kind)?;
            self.expect(P::RParen, "to close the declarator")?;
        } else if kind == DeclaratorKind::Named {
            return self.unexpected("a name in the declaration");
        }
        let mut suffixes = Vec::new();
        loop {
            if self.is(P::LBracket) && self.kind_at(1) != Tok::Punct(P::LBracket) {
                suffixes.push(self.array_suffix()?);
            } else if self.is(P::LParen) {
                suffixes.push(self.function_suffix(reading)?);
            } else if self.is(P::LBracket)
                && (kind != DeclaratorKind::Named || self.suffix_after_attribute())
            {
                self.attributes(&mut reading.attributes)?;
            } else {
                break;
            }
        }
        out.extend(suffixes.into_iter().rev());
        out.extend(inner);
        self.leave();
        Ok(())
    }

    /// In a parameter that may have no name, a typedef name in parentheses is a parameter list, not
    /// a name.
    fn parameter_type_ahead(&self, kind: DeclaratorKind, reading: &Reading) -> bool {
        kind == DeclaratorKind::Parameter && reading.name.is_some()
    }

    /// Whether the parenthesis at the current token opens a nested declarator and not a parameter
    /// list.
    fn nested_declarator(&self, kind: DeclaratorKind) -> bool {
        if kind == DeclaratorKind::Named {
            return true;
        }
        let mut ahead = 1;
        while self.kind_at(ahead) == Tok::Kw(K::Attribute) {
            ahead = self.after_group(ahead + 1);
        }
        let next = self.kind_at(ahead);
        next != Tok::Punct(P::RParen)
            && next != Tok::Punct(P::Ellipsis)
            && !self.starts_type_at(ahead)
            && (next != Tok::Ident || kind == DeclaratorKind::Parameter)
            && !self.is_std_attribute_at(ahead)
    }

    /// Whether `[[...]]` stands here between parts of a declarator, and not after it.
    fn suffix_after_attribute(&self) -> bool {
        let mut ahead = 0;
        while self.is_std_attribute_at(ahead) {
            ahead = self.after_group(ahead);
        }
        matches!(
            self.kind_at(ahead),
            Tok::Punct(P::LBracket | P::LParen | P::RParen)
        )
    }

    /// How many tokens ahead the group ends whose opening token is `ahead`.
    fn after_group(&self, mut ahead: u32) -> u32 {
        let mut depth = 0u32;
        loop {
            match self.kind_at(ahead) {
                Tok::Punct(P::LParen | P::LBracket | P::LBrace) => depth += 1,
                Tok::Punct(P::RParen | P::RBracket | P::RBrace) => depth = depth.saturating_sub(1),
                Tok::Eof => return ahead,
                _ => {}
            }
            ahead += 1;
            if depth == 0 {
                return ahead;
            }
        }
    }

    fn array_suffix(&mut self) -> Parse<Modifier> {
        self.advance();
        let mut quals = QualReader::default();
        while self.accept_kw(K::Static) || self.qualifier(&mut quals)? {}
        self.accept_kw(K::Static);
        let mut odd = None;
        let len = if self.is(P::RBracket) {
            Len::None
        } else if self.is(P::Star) && self.kind_at(1) == Tok::Punct(P::RBracket) {
            self.advance();
            Len::None
        } else {
            let e = self.assignment_expr()?;
            self.emission.work.root(e, Use::Value);
            let len = self.array_length(e);
            let threads = matches!(len, Len::Const { threads: true, .. });
            odd = (threads && !self.unit.is_multiple_of_threads(e)).then_some(e);
            len
        };
        self.expect(P::RBracket, "after the array's length")?;
        Ok(Modifier::Array(len, odd))
    }

    fn array_length(&mut self, e: ExprId) -> Len {
        match self.unit.fold(e) {
            Fold::Value(v) if v >= 0 => Len::Const {
                n: v as u64,
                threads: false,
            },
            Fold::Threads(v) if v >= 0 => Len::Const {
                n: v as u64,
                threads: true,
            },
            Fold::Value(_) | Fold::Threads(_) => Len::Expr {
                expr: e,
                factor: None,
            },
            Fold::Opaque | Fold::NotConstant => Len::Expr {
                expr: e,
                factor: self.unit.threads_factor(e),
            },
        }
    }

    fn function_suffix(&mut self, reading: &mut Reading) -> Parse<Modifier> {
        let lo = self.advance();
        let mut params = Vec::new();
        let (mut prototype, mut variadic) = (true, false);
        if self.is(P::RParen) {
            prototype = false;
        } else if self.kind() == Tok::Ident && !self.starts_type() && !self.unknown_type_ahead() {
            prototype = false;
            let mut names = Vec::new();
            loop {
                if self.kind() != Tok::Ident {
                    return self.unexpected("a type or a parameter's name");
                }
                let t = self.advance();
                names.push((self.unit.token(t).name, t));
                if !self.is(P::Comma) && !self.is(P::RParen) {
                    self.pos = t;
                    if !self.unknown_type_ahead() {
                        return self.unexpected("a type or a parameter's name");
                    }
                    // Names alone were types too, then.
                    self.unit.unknown_type(t);
                    self.parameter()?;
                }
                if !self.accept(P::Comma) {
                    break;
                }
            }
            reading.kr_names = Some(names);
        } else {
            self.unit.symbols.open_scope();
            loop {
                if self.accept(P::Ellipsis) {
                    variadic = true;
                    break;
                }
                if let Some(p) = self.parameter()? {
                    params.push(p);
                }
                // GNU C declares parameters beforehand: `(int n; int a[n], int n)`.
                if self.accept(P::Semi) {
                    params.clear();
                } else if !self.accept(P::Comma) {
                    break;
                }
            }
            self.unit.symbols.close_scope();
        }
        self.expect(P::RParen, "or ',' after a parameter")?;
        Ok(Modifier::Func {
            params,
            prototype,
            variadic,
            list: (lo, self.pos),
        })
    }

    /// Whether an unknown name stands at the current token where only a type can: before a name, or
    /// before a `*`.
    pub(super) fn unknown_type_ahead(&self) -> bool {
        self.kind() == Tok::Ident
            && matches!(self.kind_at(1), Tok::Ident | Tok::Punct(P::Star))
            && !self.starts_type()
    }

    fn parameter(&mut self) -> Parse<Option<Param>> {
        if !self.starts_type() && !self.is_std_attribute() {
            if self.kind() != Tok::Ident {
                return self.unexpected("a parameter's type");
            }
            self.unit.unknown_type(self.pos);
        }
        let lo = self.pos;
        let specs = self.specs()?;
        let d = self.declarator(specs.ty, DeclaratorKind::Parameter)?;
        if d.name.is_none()
            && self.unit.types.is_void(d.ty)
            && d.ty.q.shared.is_none()
            && d.lo == d.hi
        {
            return Ok(None);
        }
        let ty = self.adjust_parameter(&d, &specs);
        if specs.shared_here || d.shared_here {
            let mut rope = Rope::default();
            self.keep_text(&mut rope, &specs.keep);
            let name = d.name.map_or("", |(n, _)| self.unit.name(n));
            rope.append(self.unit.decl_text(ty, name));
            rope.copy(d.tail.0, d.tail.1);
            self.replace(lo, self.pos, rope);
        }
        if let Some((name, token)) = d.name {
            self.unit.symbols.declare(Symbol {
                defined: true,
                local: true,
                ..Symbol::new(SymKind::Object, name, token, ty)
            });
        }
        Ok(Some(Param { name: d.name, ty }))
    }

    /// Arrays and functions become pointers; a parameter that is shared itself is an error.
    pub(crate) fn adjust_parameter(&mut self, d: &Declarator, specs: &Specs) -> QualTy {
        if self.unit.types.array(d.ty).is_none() && self.unit.types.func(d.ty).is_none() {
            let value = self.value_of_typeof(d.ty, specs);
            if value != d.ty {
                return value;
            }
        }
        if let Some((elem, _)) = self.unit.types.array(d.ty) {
            if self
                .unit
                .types
                .shared(elem)
                .is_some_and(|s| s.block == Block::Star)
            {
                let t = d.name.map_or(specs.lo, |(_, t)| t);
                self.star_in_pointer(t);
            }
            return self.unit.types.pointer(elem);
        }
        if self.unit.types.func(d.ty).is_some() {
            return self.unit.types.pointer(d.ty);
        }
        if self
            .unit
            .check_lock_object(d.ty, d.name.map_or(specs.lo, |(_, t)| t))
        {
            return d.ty.unqualified();
        }
        if self.unit.types.shared(d.ty).is_some() {
            let (lo, hi) = d.name.map_or((specs.lo, self.pos), |(_, t)| (t, t + 1));
            let hint = "pass a pointer-to-shared, or a private value";
            self.unit.error(
                lo,
                hi,
                "a parameter cannot be shared",
                "UPC 1.3, 6.5.1.1",
                hint,
            );
            return d.ty.unqualified();
        }
        d.ty
    }

    fn star_in_pointer(&mut self, t: TokIdx) {
        self.unit.error(
            t,
            t + 1,
            "[*] in the type of a pointer",
            "UPC 1.3, 6.5.1.1",
            "give a block size, e.g. [1] or []",
        );
    }

    fn apply(&mut self, ty: QualTy, m: Modifier, lo: TokIdx) -> QualTy {
        match m {
            Modifier::Pointer(quals, star) => {
                if self
                    .unit
                    .types
                    .shared(ty)
                    .is_some_and(|s| s.block == Block::Star)
                {
                    self.star_in_pointer(star);
                }
                let pointer = self.unit.types.pointer(ty);
                self.qualify(pointer, &quals, star)
            }
            Modifier::Array(len, odd) => {
                if let Some(e) = odd.filter(|_| self.unit.types.shared(ty).is_some()) {
                    self.unit.threads_not_a_factor(e);
                }
                QualTy::plain(self.unit.types.add(Type::Array(ty, len)))
            }
            Modifier::Func {
                params,
                prototype,
                variadic,
                list,
            } => {
                if self.unit.types.shared(ty).is_some() {
                    let hint = "return a private value, or a pointer-to-shared that is private \
                                itself: 'shared int *f(void)'";
                    self.unit.error(
                        lo,
                        lo + 1,
                        "a function cannot return a shared type",
                        "UPC 1.3, 6.5.1.1",
                        hint,
                    );
                }
                let f = Func {
                    ret: ty,
                    params,
                    prototype,
                    variadic,
                    list,
                };
                QualTy::plain(self.unit.types.add(Type::Func(Rc::new(f))))
            }
        }
    }

    /// Reads a type name; one that says `shared` is replaced by its C type.
    pub(crate) fn type_name(&mut self) -> Parse<TypeName> {
        let lo = self.pos;
        let specs = self.specs()?;
        if !specs.typed && specs.keep.is_empty() && self.pos == lo {
            return self.unexpected("a type");
        }
        let mut d = self.declarator(specs.ty, DeclaratorKind::Abstract)?;
        if self.unit.types.array(d.ty).is_none() && self.unit.types.func(d.ty).is_none() {
            d.ty = self.value_of_typeof(d.ty, &specs);
        }
        let name = TypeName {
            ty: d.ty,
            lo,
            hi: self.pos,
        };
        if specs.shared_here || d.shared_here {
            let mut rope = Rope::default();
            if let Some((lo, hi)) = specs.body {
                rope.copy(lo, hi);
            } else {
                rope.append(self.unit.decl_text(d.ty, Rope::default()));
            }
            self.replace(name.lo, name.hi, rope);
        }
        Ok(name)
    }

    /// Adds storage classes and attributes as they were written.
    pub(crate) fn keep_text(&self, rope: &mut Rope, keep: &[(TokIdx, TokIdx)]) {
        for &(lo, hi) in keep {
            rope.inline(lo, hi);
        }
    }
}
