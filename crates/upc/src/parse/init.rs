//! Initialisers. Where an object holds pointers-to-shared, each element is matched with the part of
//! the object that it initialises, so that null constants and addresses of shared objects become
//! what C needs there.

use super::decl::Storing;
use super::parser::{Parse, Parser};
use crate::emit::rope::Rope;
use crate::emit::work::{Deferred, Use};
use crate::sema::ast::{ExprKind, TypeName};
use crate::sema::types::*;
use crate::syntax::literal::string_length;
use crate::syntax::token::*;

impl Parser<'_> {
    /// Parses an initialiser of an object of type `ty`; `path` names the object in generated code.
    /// Returns the expression, if it is one.
    pub(super) fn initializer(
        &mut self,
        ty: QualTy,
        storing: Storing,
        path: String,
    ) -> Parse<Option<ExprId>> {
        if self.is(P::LBrace) {
            match self.unit.types.holds_pts(ty) {
                true => self.braced(ty, storing, &path).map(|_| ())?,
                false => self.plain_braces()?,
            }
            return Ok(None);
        }
        let e = self.assignment_expr()?;
        self.init_element(e, ty, storing, &path);
        Ok(Some(e))
    }

    /// Parses the initialiser of a shared object, and returns the number of elements of its
    /// outermost array.
    pub(super) fn initializer_elements(&mut self, ty: QualTy, storing: Storing) -> Parse<u64> {
        let open = matches!(self.unit.types.array(ty), Some((_, Len::None)));
        self.largest_index = 0;
        self.value_has_address = false;
        if self.is(P::LBrace) && (open || self.unit.types.holds_pts(ty)) {
            return self.braced(ty, storing, "");
        }
        let lo = self.pos;
        self.initializer(ty, storing, String::new())?;
        let is_string = self.kind_before(self.pos) == Tok::Str;
        Ok(match is_string && open {
            // Every character counts one, an escape sequence too, and the null at the end.
            true => {
                (lo..self.pos)
                    .map(|t| string_length(self.unit.src.text_of(t)))
                    .sum::<u64>()
                    + 1
            }
            false => 0,
        })
    }

    fn kind_before(&self, t: TokIdx) -> Tok {
        self.unit.token(t.saturating_sub(1)).kind
    }

    /// Braces whose elements need no attention beyond being expressions.
    fn plain_braces(&mut self) -> Parse<()> {
        self.enter()?;
        self.expect(P::LBrace, "before the initialisers")?;
        while !self.accept(P::RBrace) {
            self.skip_designators()?;
            if self.is(P::LBrace) {
                self.plain_braces()?;
            } else {
                let e = self.assignment_expr()?;
                self.emission.work.root(e, Use::Value);
            }
            if !self.accept(P::Comma) {
                self.expect(P::RBrace, "or ',' after an initialiser")?;
                break;
            }
        }
        self.leave();
        Ok(())
    }

    fn skip_designators(&mut self) -> Parse<()> {
        self.designators(QualTy::plain(UNKNOWN)).map(|_| ())
    }

    /// Reads designators, if there are any: the type they lead to, their text, and the index of the
    /// outermost.
    fn designators(&mut self, ty: QualTy) -> Parse<Option<(QualTy, String, u64)>> {
        let (mut at, mut path, mut index, mut any) = (ty, String::new(), None, false);
        if self.kind() == Tok::Ident && self.kind_at(1) == Tok::Punct(P::Colon) {
            let name = self.advance_name();
            self.advance();
            let found = self.member_index(at, name);
            return Ok(Some((
                found.1,
                format!(".{}", self.unit.name(name)),
                found.0,
            )));
        }
        loop {
            if self.is(P::Dot) && self.kind_at(1) == Tok::Ident {
                self.advance();
                let name = self.advance_name();
                let found = self.member_index(at, name);
                index.get_or_insert(found.0);
                at = found.1;
                path += &format!(".{}", self.unit.name(name));
            } else if self.is(P::LBracket) {
                self.advance();
                let e = self.assignment_expr()?;
                self.emission.work.root(e, Use::Value);
                let mut value = self.unit.fold_u64(e);
                if self.accept(P::Ellipsis) {
                    let e = self.assignment_expr()?;
                    self.emission.work.root(e, Use::Value);
                    value = self.unit.fold_u64(e);
                }
                self.expect(P::RBracket, "after the index")?;
                self.largest_index = self.largest_index.max(value);
                index.get_or_insert(value);
                at = self
                    .unit
                    .types
                    .array(at)
                    .map_or(QualTy::plain(UNKNOWN), |(e, _)| e);
                path += &format!("[{value}]");
            } else {
                break;
            }
            any = true;
        }
        if any {
            self.accept(P::Assign);
        }
        Ok(any.then_some((at, path, index.unwrap_or(0))))
    }

    fn member_index(&self, ty: QualTy, name: Name) -> (u64, QualTy) {
        let unknown = QualTy::plain(UNKNOWN);
        let Some(members) = self.unit.types.members(ty) else {
            return (0, unknown);
        };
        for (i, m) in members.iter().enumerate() {
            if m.name == Some(name) {
                return (i as u64, m.ty);
            }
            if let Some(inner) = m
                .name
                .is_none()
                .then(|| self.unit.types.member(m.ty, name))
                .flatten()
            {
                return (i as u64, inner.ty);
            }
        }
        (0, unknown)
    }

    /// The `index`th part of an aggregate and how a path goes on to it.
    fn part(&self, ty: QualTy, index: u64) -> Option<(QualTy, String)> {
        if let Some((elem, len)) = self.unit.types.array(ty) {
            return match len {
                Len::Const { n, threads: false } if index >= n => None,
                _ => Some((elem, format!("[{index}]"))),
            };
        }
        let record = self.unit.types.record(ty)?;
        let members = record.members.as_deref()?;
        let m = members
            .iter()
            .filter(|m| m.name.is_some() || m.bits.is_none())
            .nth(index as usize)?;
        if record.keyword == "union" && index > 0 {
            return None;
        }
        Some((
            m.ty,
            m.name
                .map_or(String::new(), |n| format!(".{}", self.unit.name(n))),
        ))
    }

    /// `{ ... }` for an object that holds pointers-to-shared; the number of parts that were
    /// reached.
    fn braced(&mut self, ty: QualTy, storing: Storing, path: &str) -> Parse<u64> {
        self.enter()?;
        let open = self.expect(P::LBrace, "before the initialisers")?;
        let aggregate = self.unit.types.array(ty).is_some() || self.unit.types.record(ty).is_some();
        let (mut index, mut reached) = (0u64, 0u64);
        while !self.accept(P::RBrace) {
            if let Some((target, sub, at)) = self.designators(ty)? {
                index = at;
                self.one(target, storing, &format!("{path}{sub}"))?;
            } else if aggregate {
                let (target, sub) = self
                    .part(ty, index)
                    .unwrap_or((QualTy::plain(UNKNOWN), String::new()));
                self.one(target, storing, &format!("{path}{sub}"))?;
            } else {
                self.one(ty, storing, path)?;
            }
            if self.unit.types.is_pts(ty) {
                self.drop_braces(open);
            }
            index = index.saturating_add(1);
            reached = reached.max(index);
            if !self.accept(P::Comma) {
                self.expect(P::RBrace, "or ',' after an initialiser")?;
                break;
            }
        }
        self.leave();
        Ok(reached)
    }

    /// Takes the braces around the value of a scalar away: a pointer-to-shared is a structure in C,
    /// of which they would begin the members.
    fn drop_braces(&mut self, open: TokIdx) {
        let close = match self.is(P::Comma) {
            true => self.pos + 2,
            false => self.pos + 1,
        };
        if self.unit.token(close - 1).kind != Tok::Punct(P::RBrace) {
            return;
        }
        self.replace(open, open + 1, Rope::default());
        self.replace(self.pos, close, Rope::default());
    }

    /// One initialiser, with the following ones that fill an aggregate whose braces were left out.
    fn one(&mut self, ty: QualTy, storing: Storing, path: &str) -> Parse<()> {
        if self.is(P::LBrace) {
            return match self.unit.types.holds_pts(ty) {
                true => self.braced(ty, storing, path).map(|_| ()),
                false => self.plain_braces(),
            };
        }
        let e = self.assignment_expr()?;
        self.elided(ty, Some(e), storing, path)
    }

    /// Fills `ty` from the list that is being read; `first` is the initialiser that was read
    /// already.
    fn elided(
        &mut self,
        ty: QualTy,
        mut first: Option<ExprId>,
        storing: Storing,
        path: &str,
    ) -> Parse<()> {
        self.enter()?;
        let aggregate =
            self.unit.types.array(ty).is_some() || self.unit.types.members(ty).is_some();
        let whole = first.is_some_and(|e| self.initialises_whole(e, ty));
        if !aggregate || whole {
            if let Some(e) = first {
                self.init_element(e, ty, storing, path);
            }
            self.leave();
            return Ok(());
        }
        let mut index = 0;
        while let Some((target, sub)) = self.part(ty, index) {
            if first.is_none() {
                let more = self.is(P::Comma)
                    && !matches!(
                        self.kind_at(1),
                        Tok::Punct(P::RBrace | P::Dot | P::LBracket)
                    )
                    && !(self.kind_at(1) == Tok::Ident && self.kind_at(2) == Tok::Punct(P::Colon));
                if !more {
                    break;
                }
                self.advance();
                if self.is(P::LBrace) {
                    self.one(target, storing, &format!("{path}{sub}"))?;
                    index += 1;
                    continue;
                }
                first = Some(self.assignment_expr()?);
            }
            self.elided(target, first.take(), storing, &format!("{path}{sub}"))?;
            index += 1;
        }
        self.leave();
        Ok(())
    }

    fn initialises_whole(&self, e: ExprId, ty: QualTy) -> bool {
        if self.unit.types.array(ty).is_some() {
            return matches!(self.unit.expr(self.unit.strip(e)).kind, ExprKind::Str)
                && self
                    .unit
                    .types
                    .size(self.unit.types.ultimate(ty))
                    .is_some_and(|s| s.0 <= 4);
        }
        let from = self.unit.expr(e).ty;
        self.unit.types.record(from).is_some()
            || (self.unit.types.is_unknown(from) && !self.unit.is_null(e))
    }

    /// An expression that initialises one object.
    fn init_element(&mut self, e: ExprId, ty: QualTy, storing: Storing, path: &str) {
        if storing == Storing::Static && self.unit.types.arithmetic(ty).is_some() {
            self.unit.check_constant(e);
        }
        if self.unit.types.is_pts(ty) {
            self.unit.check_conversion(ty, e, "initialise");
            if storing == Storing::Static && !self.unit.is_null(e) {
                self.emission.work.defer(Deferred {
                    path: path.to_owned(),
                    expr: e,
                    ty,
                });
                return;
            }
            let constant = storing != Storing::Automatic && self.unit.is_null(e);
            self.value_has_address |= storing == Storing::Shared && !constant;
            return self.emission.work.root(
                e,
                if constant {
                    Use::Static(ty)
                } else {
                    Use::Convert(ty)
                },
            );
        }
        if !self.unit.types.is_unknown(ty) && self.unit.types.array(ty).is_none() {
            self.unit.check_conversion(ty, e, "initialise");
            return self.emission.work.root(e, Use::Convert(ty));
        }
        self.emission.work.root(e, Use::Value);
    }

    /// The array type with the length that its initialiser gives, where it has none.
    pub(super) fn complete_array(&mut self, ty: QualTy, elements: u64) -> QualTy {
        match self.unit.types.array(ty) {
            Some((elem, Len::None)) => QualTy::plain(self.unit.types.add(Type::Array(
                elem,
                Len::Const {
                    n: elements,
                    threads: false,
                },
            ))),
            _ => ty,
        }
    }

    /// Parses `{ ... }` after a type name in parentheses.
    pub(super) fn compound_literal(&mut self, name: TypeName) -> Parse<()> {
        let ty = name.ty;
        let storing = if self.functions.is_empty() {
            Storing::Static
        } else {
            Storing::Automatic
        };
        let (lo, deferred) = (self.pos, self.emission.work.deferred());
        if !self.unit.types.is_pts(ty) {
            self.initializer(ty, storing, String::new())?;
            self.check_literal(lo, deferred);
            return Ok(());
        }
        // An array of one: its element is an lvalue as the literal is, and can be of any value.
        let text = Rope::from_text("upcr_pts[1]");
        self.replace(name.lo, name.hi, text);
        self.emission
            .edits
            .before(name.lo - 1, Rope::from_text("(*"));
        self.advance();
        let e = self.assignment_expr()?;
        self.init_element(e, ty, storing, "");
        self.accept(P::Comma);
        let end = self.expect(P::RBrace, "after the value")?;
        self.emission.edits.after(end, Rope::from_text(")"));
        self.check_literal(lo, deferred);
        Ok(())
    }

    /// A compound literal at file scope has no name by which its parts could be set before main.
    fn check_literal(&mut self, lo: TokIdx, deferred: usize) {
        if self.emission.work.deferred() > deferred {
            self.emission.work.truncate_deferred(deferred);
            let text = "addresses of shared objects in a compound literal outside of a function";
            let hint = "give the array or structure a name";
            self.unit.error(lo, self.pos, text, "", hint);
        }
    }
}
