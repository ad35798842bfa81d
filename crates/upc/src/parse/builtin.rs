//! Operators that look like functions but take types: `va_arg`, `offsetof`, `_Generic` and others.
//! Where they tell pointers-to-shared apart, which are all of one type in C, the answer is found
//! here.

use super::parser::{Parse, Parser};
use crate::emit::rope::Rope;
use crate::sema::ast::{Expr, ExprKind};
use crate::sema::types::*;
use crate::syntax::token::*;

/// One association of `_Generic`.
struct Association {
    /// `None` for `default`.
    ty: Option<QualTy>,
    /// The comma before it.
    comma: TokIdx,
    expr: ExprId,
}

impl Parser<'_> {
    /// Operators that look like functions but take types.
    pub(super) fn builtin(&mut self, k: K) -> Parse<ExprId> {
        let lo = self.advance();
        let spelled = self.unit.src.text_of(lo);
        self.expect(P::LParen, &format!("after '{spelled}'"))?;
        let mut children = Vec::new();
        let ty = match k {
            K::VaArg => {
                children.push(self.assignment_expr()?);
                self.expect(P::Comma, "after the first argument")?;
                self.type_name()?.ty
            }
            K::Offsetof => {
                self.type_name()?;
                self.expect(P::Comma, "after the type")?;
                let mut depth = 0;
                while depth > 0 || !self.is(P::RParen) {
                    match self.kind() {
                        Tok::Punct(P::LParen) => depth += 1,
                        Tok::Punct(P::RParen) => depth -= 1,
                        Tok::Eof => return self.unexpected("')' after '__builtin_offsetof'"),
                        Tok::Punct(P::LBracket) => {
                            self.advance();
                            children.push(self.expression()?);
                            self.expect(P::RBracket, "after the index")?;
                            continue;
                        }
                        _ => {}
                    }
                    self.advance();
                }
                QualTy::plain(ULONG)
            }
            K::HasAttribute => {
                if self.starts_type() {
                    self.type_name()?;
                } else {
                    children.push(self.assignment_expr()?);
                }
                self.expect(P::Comma, "after the first argument")?;
                while !self.is(P::RParen) {
                    match self.kind() {
                        Tok::Punct(P::LParen) => self.skip_group()?,
                        Tok::Eof => return self.unexpected("')' after '__builtin_has_attribute'"),
                        _ => drop(self.advance()),
                    }
                }
                QualTy::plain(INT)
            }
            K::TypesCompatible => {
                let first = self.type_name()?.ty;
                self.expect(P::Comma, "after the first type")?;
                let second = self.type_name()?.ty;
                if self.unit.types.is_pts(first) || self.unit.types.is_pts(second) {
                    self.expect(P::RParen, "at the end of '__builtin_types_compatible_p'")?;
                    let same = self.unit.same_type(first, second);
                    return Ok(self.known(lo, same));
                }
                QualTy::plain(INT)
            }
            K::ChooseExpr => {
                for i in 0..3 {
                    children.push(self.assignment_expr()?);
                    if i < 2 {
                        self.expect(P::Comma, "after an argument of '__builtin_choose_expr'")?;
                    }
                }
                match self.unit.fold_i128(children[0]) {
                    Some(v) => self.unit.value_type(children[if v != 0 { 1 } else { 2 }]),
                    None => QualTy::plain(UNKNOWN),
                }
            }
            _ => return self.generic(lo),
        };
        self.expect(P::RParen, &format!("at the end of '{spelled}'"))?;
        let (needs_lowering, depth) = self.unit.around(&children);
        Ok(self.unit.add_expr(
            ExprKind::Other(children),
            lo,
            self.pos,
            ty,
            needs_lowering,
            depth,
        ))
    }

    /// Whether Berkeley UPC's operator stands here and not a function of the program.
    pub(super) fn is_assert_type(&self) -> bool {
        self.unit.src.text_of(self.pos) == "bupc_assert_type"
            && self.kind_at(1) == Tok::Punct(P::LParen)
            && self.unit.lookup(self.unit.token(self.pos).name).is_none()
    }

    /// `bupc_assert_type(a, b)` of types or expressions: 1 if their types are the same, with
    /// qualifiers and layouts. As there, what differs gets a warning.
    pub(super) fn assert_type(&mut self) -> Parse<ExprId> {
        let lo = self.advance();
        self.expect(P::LParen, "after 'bupc_assert_type'")?;
        let first = self.type_or_operand()?;
        self.expect(P::Comma, "after the first argument of 'bupc_assert_type'")?;
        let second = self.type_or_operand()?;
        self.expect(P::RParen, "at the end of 'bupc_assert_type'")?;
        let same = self.unit.same_target(first, second);
        if !same {
            let text = "the types of bupc_assert_type differ";
            self.unit.warn(lo, self.pos, text, "Berkeley UPC", "");
        }
        Ok(self.known(lo, same))
    }

    /// A type name's type, or that of an expression that is not evaluated.
    fn type_or_operand(&mut self) -> Parse<QualTy> {
        if self.starts_type() {
            return Ok(self.type_name()?.ty);
        }
        self.unit.begin_unevaluated();
        let e = self.assignment_expr();
        self.unit.end_unevaluated();
        Ok(self.unit.expr(e?).ty)
    }

    /// A truth value that is known here.
    fn known(&mut self, lo: TokIdx, value: bool) -> ExprId {
        let value = i128::from(value);
        self.replace(lo, self.pos, value.to_string());
        self.unit.leaf(
            ExprKind::Const(Some(value)),
            lo,
            self.pos,
            QualTy::plain(INT),
        )
    }

    /// `_Generic` after its parenthesis.
    fn generic(&mut self, lo: TokIdx) -> Parse<ExprId> {
        self.unit.begin_unevaluated();
        let control = self.assignment_expr();
        self.unit.end_unevaluated();
        let control = control?;
        let mut list = Vec::new();
        while self.is(P::Comma) {
            let comma = self.advance();
            let ty = match self.accept_kw(K::Default) {
                true => None,
                false => Some(self.type_name()?.ty),
            };
            self.expect(P::Colon, "after the type in '_Generic'")?;
            let expr = self.assignment_expr()?;
            list.push(Association { ty, comma, expr });
        }
        self.expect(P::RParen, "at the end of '_Generic'")?;
        let found = self.unit.value_type(control);
        let mut chosen = list
            .iter()
            .find(|a| a.ty.is_some_and(|ty| self.unit.same_type(ty, found)));
        let pts = |ty: QualTy| self.unit.types.is_pts(ty);
        if pts(found) && chosen.is_none() {
            chosen = list.iter().find(|a| a.ty.is_none());
        }
        if let Some(chosen) = chosen.map(|a| a.expr).filter(|_| pts(found)) {
            // The chosen expression stands alone, in parentheses.
            let Expr {
                lo: inner_lo,
                hi: inner_hi,
                ty,
                needs_lowering,
                depth,
                ..
            } = *self.unit.expr(chosen);
            self.replace(lo, inner_lo, "(");
            self.replace(inner_hi, self.pos, ")");
            let kind = ExprKind::Paren(chosen);
            return Ok(self
                .unit
                .add_expr(kind, lo, self.pos, ty, needs_lowering, depth + 1));
        }
        let ty = match chosen {
            Some(a) => self.unit.value_type(a.expr),
            None => QualTy::plain(UNKNOWN),
        };
        let mut children = vec![control];
        for a in list {
            // C would take several for the same.
            if a.ty.is_some_and(|ty| self.unit.types.is_pts(ty)) {
                let hi = self.unit.expr(a.expr).hi;
                self.replace(a.comma, hi, Rope::default());
            } else {
                children.push(a.expr);
            }
        }
        let (needs_lowering, depth) = self.unit.around(&children);
        Ok(self.unit.add_expr(
            ExprKind::Other(children),
            lo,
            self.pos,
            ty,
            needs_lowering,
            depth,
        ))
    }
}
