//! Structures, unions and enumerations.

use super::parser::{Abort, Parse, Parser};
use crate::emit::rope::Rope;
use crate::emit::work::Use;
use crate::sema::constant::Fold;
use crate::sema::dimensions::DeclaratorKind;
use crate::sema::symbols::{SymKind, Symbol, Tag};
use crate::sema::types::*;
use crate::syntax::token::*;
use std::cell::Cell;

type Body = Option<(TokIdx, TokIdx)>;

impl Parser<'_> {
    /// Reads a `struct` or `union` specifier; also the tokens of its definition, if it is one.
    pub(super) fn record_specifier(&mut self) -> Parse<(QualTy, Body)> {
        let keyword_token = self.pos;
        let keyword = if self.is_kw(K::Union) {
            "union"
        } else {
            "struct"
        };
        self.advance();
        let mut keep = Vec::new();
        let before = self.attributes(&mut keep)?;
        let tag = if self.kind() == Tok::Ident {
            Some(self.advance_name())
        } else {
            None
        };
        let defines = self.is(P::LBrace);
        if !defines && tag.is_none() {
            return self.unexpected(&format!("a tag or '{{' after '{keyword}'"));
        }
        let number = self.record_for(tag, keyword, keyword_token, defines);
        let ty = QualTy::plain(self.unit.types.add(Type::Record(number)));
        if !defines {
            return Ok((ty, None));
        }
        let members = self.members()?;
        let after = self.attributes(&mut keep)?;
        let record = &mut self.unit.types.records[number as usize];
        record.members = Some(members);
        record.odd_layout |= before.odd_layout || after.odd_layout;
        Ok((ty, Some((keyword_token, self.pos))))
    }

    fn record_for(
        &mut self,
        tag: Option<Name>,
        keyword: &'static str,
        keyword_token: TokIdx,
        defines: bool,
    ) -> u32 {
        if let Some(tag) = tag {
            // `struct s;` in a block would declare a new one; this is so rare that the outer one is
            // taken.
            if let Some(Tag::Record(number)) = self.unit.symbols.tag(tag) {
                if !defines
                    || (self.unit.symbols.tag_in_this_scope(tag)
                        && self.unit.types.records[number as usize].members.is_none())
                {
                    return number;
                }
            }
        }
        let number = self.unit.types.records.len() as u32;
        self.unit.types.records.push(Record {
            keyword,
            tag,
            keyword_token,
            members: None,
            odd_layout: self.unit.src.packed.is_some_and(|t| keyword_token >= t),
            needs_tag: Cell::new(false),
        });
        if let Some(tag) = tag {
            self.unit.symbols.declare_tag(tag, Tag::Record(number));
        }
        number
    }

    fn members(&mut self) -> Parse<Vec<Member>> {
        self.enter()?;
        self.expect(P::LBrace, "before the members")?;
        let mut members = Vec::new();
        while !self.accept(P::RBrace) {
            if self.accept(P::Semi) {
                continue;
            }
            if self.is_kw(K::StaticAssert) {
                self.advance();
                self.static_assert_group()?;
                continue;
            }
            while self.accept_kw(K::Extension) {}
            if !self.starts_type() && !self.is_std_attribute() {
                if !self.unknown_type_ahead() {
                    return self.unexpected("a member declaration or '}'");
                }
                self.unit.unknown_type(self.pos);
            }
            let start = self.checkpoint();
            if self.member_declaration(&mut members).is_err() {
                self.recover(&start)?;
                if self.is(P::LBrace) || self.kind() == Tok::Eof {
                    return Err(Abort);
                }
            }
        }
        self.leave();
        Ok(members)
    }

    fn member_declaration(&mut self, members: &mut Vec<Member>) -> Parse<()> {
        let lo = self.pos;
        let specs = self.specs()?;
        let first = members.len();
        let mut tails = Vec::new();
        let mut rewritten = specs.shared_here;
        if self.is(P::Semi) || (self.is(P::RBrace) && specs.typed) {
            // `struct s;` declares no member.
            let incomplete = self
                .unit
                .types
                .record(specs.ty)
                .is_some_and(|r| r.members.is_none());
            if !incomplete {
                members.push(Member {
                    name: None,
                    ty: specs.ty,
                    bits: None,
                });
            }
            if specs.shared_here {
                self.shared_member(lo, lo + 1);
            }
        } else {
            loop {
                let at = self.pos;
                let d = if self.is(P::Colon) {
                    None
                } else {
                    Some(self.declarator(specs.ty, DeclaratorKind::Named)?)
                };
                let ty = d.as_ref().map_or(specs.ty, |d| d.ty);
                let ty = self.value_of_typeof(ty, &specs);
                let bits = self.bit_field_width()?;
                let mut keep = Vec::new();
                self.attributes(&mut keep)?;
                rewritten |= d.as_ref().is_some_and(|d| d.shared_here);
                let name = d.as_ref().and_then(|d| d.name);
                let at_name = name.map_or(lo, |(_, t)| t);
                if !self.unit.check_lock_object(ty, at_name) && self.unit.types.shared(ty).is_some()
                {
                    let hi = if name.is_some() { at_name + 1 } else { at };
                    self.shared_member(at_name, hi);
                }
                self.unit
                    .check_constant_length(ty, name.map_or(lo, |(_, t)| t));
                let ty = self.check_member_complete(ty, at_name);
                tails.push((d.as_ref().map_or(at, |d| d.hi), self.pos));
                members.push(Member {
                    name: name.map(|(n, _)| n),
                    ty,
                    bits,
                });
                if !self.accept(P::Comma) {
                    break;
                }
            }
        }
        if rewritten {
            let mut rope = Rope::default();
            self.unit.body_text(&mut rope, specs.ty, specs.body);
            for (i, (m, tail)) in members[first..].iter().zip(tails).enumerate() {
                rope.text(if i > 0 { "; " } else { "" });
                self.keep_text(&mut rope, &specs.keep);
                rope.append(
                    self.unit
                        .decl_text(m.ty, m.name.map_or("", |n| self.unit.name(n))),
                );
                rope.copy(tail.0, tail.1);
            }
            self.replace(lo, self.pos, rope);
        }
        if !self.is(P::RBrace) {
            self.expect(P::Semi, "after a member")?;
        }
        Ok(())
    }

    /// Reports a member whose type is incomplete, such as the structure itself; gives a type that
    /// can be used.
    fn check_member_complete(&mut self, ty: QualTy, t: TokIdx) -> QualTy {
        let ultimate = self.unit.types.ultimate(ty);
        if self
            .unit
            .types
            .record(ultimate)
            .is_none_or(|r| r.members.is_some())
        {
            return ty;
        }
        // That was reported.
        if self.unit.is_lock(ty) {
            return QualTy::plain(UNKNOWN);
        }
        let text = format!(
            "a member of {}, which is incomplete",
            self.unit.type_text(ultimate)
        );
        let hint = "make it a pointer, or define that type before";
        self.unit.error(t, t + 1, &text, "C99, 6.7.2.1", hint);
        QualTy::plain(UNKNOWN)
    }

    fn bit_field_width(&mut self) -> Parse<Option<Option<u64>>> {
        if !self.accept(P::Colon) {
            return Ok(None);
        }
        let e = self.assignment_expr()?;
        self.emission.work.root(e, Use::Value);
        self.unit.check_constant(e);
        Ok(Some(match self.unit.fold(e) {
            Fold::Value(v) => u64::try_from(v).ok(),
            _ => None,
        }))
    }

    fn shared_member(&mut self, lo: TokIdx, hi: TokIdx) {
        let hint = "make the whole structure shared, or the member a pointer-to-shared";
        self.unit.error(
            lo,
            hi,
            "a member of a structure or union cannot be shared",
            "UPC 1.3, 6.5.1.1",
            hint,
        );
    }

    /// Reads an `enum` specifier; also the tokens of its definition, if it is one.
    pub(super) fn enum_specifier(&mut self) -> Parse<(QualTy, Body)> {
        let keyword_token = self.advance();
        let mut keep = Vec::new();
        self.attributes(&mut keep)?;
        let tag = if self.kind() == Tok::Ident {
            Some(self.advance_name())
        } else {
            None
        };
        let defines = self.is(P::LBrace);
        if !defines && tag.is_none() {
            return self.unexpected("a tag or '{' after 'enum'");
        }
        let known = tag
            .filter(|_| !defines)
            .and_then(|t| self.unit.symbols.tag(t));
        let number = match known {
            Some(Tag::Enum(number)) => number,
            _ => {
                self.unit.types.enums.push(Record {
                    keyword: "enum",
                    tag,
                    keyword_token,
                    members: None,
                    odd_layout: false,
                    needs_tag: Cell::new(false),
                });
                let number = self.unit.types.enums.len() as u32 - 1;
                if let Some(tag) = tag {
                    self.unit.symbols.declare_tag(tag, Tag::Enum(number));
                }
                number
            }
        };
        let ty = QualTy::plain(self.unit.types.add(Type::Enum(number)));
        if !defines {
            return Ok((ty, None));
        }
        self.advance();
        let mut next: Option<i128> = Some(0);
        while !self.accept(P::RBrace) {
            if self.kind() != Tok::Ident {
                return self.unexpected("a name of an enumeration constant or '}'");
            }
            let token = self.advance();
            self.attributes(&mut keep)?;
            if self.accept(P::Assign) {
                let e = self.assignment_expr()?;
                self.emission.work.root(e, Use::Value);
                self.unit.check_constant(e);
                next = match self.unit.fold(e) {
                    Fold::Value(v) => Some(v),
                    _ => None,
                };
            }
            let name = self.unit.token(token).name;
            self.lowering().give_way(name, token, true);
            self.unit.symbols.declare(Symbol {
                defined: true,
                local: !self.unit.symbols.at_file_scope(),
                ..Symbol::new(SymKind::EnumConst(next), name, token, QualTy::plain(INT))
            });
            next = next.and_then(|n| n.checked_add(1));
            if !self.accept(P::Comma) {
                self.expect(P::RBrace, "or ',' after an enumeration constant")?;
                break;
            }
        }
        self.attributes(&mut keep)?;
        Ok((ty, Some((keyword_token, self.pos))))
    }
}
