//! Expressions, by precedence climbing.

use super::parser::{Abort, Parse, Parser};
use crate::sema::ast::{Expr, ExprKind};
use crate::sema::types::*;
use crate::syntax::literal::character;
use crate::syntax::token::*;

/// Precedence of binary operators; `None` for other tokens.
fn precedence(p: P) -> Option<u8> {
    use P::*;
    Some(match p {
        Star | Slash | Percent => 10,
        Plus | Minus => 9,
        Shl | Shr => 8,
        Lt | Gt | Le | Ge => 7,
        EqEq | Ne => 6,
        Amp => 5,
        Caret => 4,
        Pipe => 3,
        AndAnd => 2,
        OrOr => 1,
        _ => return None,
    })
}

fn is_assignment(p: P) -> bool {
    use P::*;
    matches!(
        p,
        Assign
            | PlusAssign
            | MinusAssign
            | StarAssign
            | SlashAssign
            | PercentAssign
            | AmpAssign
            | PipeAssign
            | CaretAssign
            | ShlAssign
            | ShrAssign
    )
}

/// Longest chain of operators in one expression.
const MAX_DEPTH: u32 = 60_000;

impl Parser<'_> {
    /// An expression with commas.
    pub(crate) fn expression(&mut self) -> Parse<ExprId> {
        let mut e = self.assignment_expr()?;
        while self.accept(P::Comma) {
            let right = self.assignment_expr()?;
            e = self.binary(P::Comma, e, right)?;
        }
        Ok(e)
    }

    /// An expression without commas.
    pub(crate) fn assignment_expr(&mut self) -> Parse<ExprId> {
        self.enter()?;
        let left = self.conditional_expr()?;
        let e = match self.kind() {
            Tok::Punct(p) if is_assignment(p) => {
                self.advance();
                let right = self.assignment_expr()?;
                self.unit.build_assign(p, left, right)
            }
            _ => left,
        };
        self.leave();
        Ok(e)
    }

    /// A conditional expression.
    pub(crate) fn conditional_expr(&mut self) -> Parse<ExprId> {
        let condition = self.binary_expr(1)?;
        if !self.accept(P::Question) {
            return Ok(condition);
        }
        self.enter()?;
        let then = if self.is(P::Colon) {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(P::Colon, "after '?' and an expression")?;
        let other = self.conditional_expr()?;
        self.leave();
        Ok(self.unit.build_conditional(condition, then, other))
    }

    fn binary_expr(&mut self, least: u8) -> Parse<ExprId> {
        let mut left = self.unary_expr()?;
        while let Tok::Punct(p) = self.kind() {
            let Some(level) = precedence(p).filter(|level| *level >= least) else {
                break;
            };
            self.advance();
            let right = self.binary_expr(level + 1)?;
            left = self.binary(p, left, right)?;
        }
        Ok(left)
    }

    fn binary(&mut self, p: P, left: ExprId, right: ExprId) -> Parse<ExprId> {
        let e = self.unit.build_binary(p, left, right);
        match self.unit.expr(e).depth > MAX_DEPTH {
            true => self.too_long(),
            false => Ok(e),
        }
    }

    fn unary_expr(&mut self) -> Parse<ExprId> {
        self.enter()?;
        let e = self.unary_inner();
        self.leave();
        e
    }

    fn unary_inner(&mut self) -> Parse<ExprId> {
        let lo = self.pos;
        match self.kind() {
            Tok::Punct(
                p @ (P::Inc | P::Dec | P::Plus | P::Minus | P::Tilde | P::Not | P::Star | P::Amp),
            ) => {
                self.advance();
                let operand = self.unary_expr()?;
                Ok(self.unit.build_unary(p, operand, (lo, self.pos)))
            }
            Tok::Punct(P::AndAnd) => {
                self.advance();
                if self.kind() != Tok::Ident {
                    return self.unexpected("a label after '&&'");
                }
                self.advance();
                let void = self.unit.types.pointer(QualTy::plain(VOID));
                Ok(self.unit.leaf(ExprKind::Other(vec![]), lo, self.pos, void))
            }
            Tok::Kw(k @ (K::Extension | K::Real | K::Imag)) => {
                self.advance();
                let operand = self.unary_expr()?;
                let (needs_lowering, depth) = self.unit.around(&[operand]);
                let ty = match k {
                    K::Extension => self.unit.expr(operand).ty,
                    _ => self.unit.part_of_complex(operand),
                };
                Ok(self.unit.add_expr(
                    ExprKind::Prefix(k, operand),
                    lo,
                    self.pos,
                    ty,
                    needs_lowering,
                    depth,
                ))
            }
            Tok::Kw(
                k @ (K::Sizeof | K::Alignof | K::LocalSizeof | K::BlockSizeof | K::ElemSizeof),
            ) => self.sizeof_expr(k),
            Tok::Punct(P::LParen) if self.starts_type_at(1) => {
                self.advance();
                let name = self.type_name()?;
                self.expect(P::RParen, "after the type in parentheses")?;
                if self.is(P::LBrace) {
                    self.compound_literal(name)?;
                    let e = self
                        .unit
                        .leaf(ExprKind::Other(vec![]), lo, self.pos, name.ty);
                    return self.postfix_operators(e);
                }
                let operand = self.unary_expr()?;
                Ok(self.unit.build_cast(name, operand, (lo, self.pos)))
            }
            _ => {
                let e = self.primary_expr()?;
                self.postfix_operators(e)
            }
        }
    }

    fn sizeof_expr(&mut self, k: K) -> Parse<ExprId> {
        let lo = self.advance();
        if self.is(P::LParen) && self.starts_type_at(1) {
            self.advance();
            let name = self.type_name()?;
            self.expect(P::RParen, "after the type in parentheses")?;
            if !self.is(P::LBrace) {
                return Ok(self.unit.build_sizeof_type(k, name, (lo, self.pos)));
            }
            self.compound_literal(name)?;
            let literal = self
                .unit
                .leaf(ExprKind::Other(vec![]), lo + 1, self.pos, name.ty);
            let operand = self.postfix_operators(literal)?;
            return Ok(self.unit.build_sizeof_expr(k, operand, (lo, self.pos)));
        }
        self.unit.begin_unevaluated();
        let operand = self.unary_expr();
        self.unit.end_unevaluated();
        Ok(self.unit.build_sizeof_expr(k, operand?, (lo, self.pos)))
    }

    fn arguments(&mut self) -> Parse<Vec<ExprId>> {
        let mut args = Vec::new();
        if self.accept(P::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.assignment_expr()?);
            if !self.accept(P::Comma) {
                break;
            }
        }
        self.expect(P::RParen, "or ',' after an argument")?;
        Ok(args)
    }

    fn postfix_operators(&mut self, mut e: ExprId) -> Parse<ExprId> {
        loop {
            match self.kind() {
                Tok::Punct(P::LBracket) => {
                    self.advance();
                    let index = self.expression()?;
                    self.expect(P::RBracket, "after the index")?;
                    e = self.unit.build_index(e, index, self.pos);
                }
                Tok::Punct(P::LParen) => {
                    self.advance();
                    let args = self.arguments()?;
                    e = self.unit.build_call(e, args, self.pos);
                }
                Tok::Punct(p @ (P::Dot | P::Arrow)) => {
                    self.advance();
                    if self.kind() != Tok::Ident {
                        return self.unexpected(&format!("a member's name after '{}'", p.text()));
                    }
                    let name = self.advance_name();
                    e = self.unit.build_member(e, name, p == P::Arrow, self.pos);
                }
                Tok::Punct(p @ (P::Inc | P::Dec)) => {
                    self.advance();
                    e = self.unit.build_postfix(p, e, self.pos);
                }
                _ => break,
            }
            if self.unit.expr(e).depth > MAX_DEPTH {
                return self.too_long();
            }
        }
        Ok(e)
    }

    /// Reports an expression with too many operators in a row.
    fn too_long<T>(&mut self) -> Parse<T> {
        let text = format!("more than {MAX_DEPTH} operators in one expression");
        self.unit.error(
            self.pos,
            self.pos + 1,
            &text,
            "",
            "split it into several statements",
        );
        self.unit.messages.syntax_error = true;
        Err(Abort)
    }

    fn primary_expr(&mut self) -> Parse<ExprId> {
        let lo = self.pos;
        match self.kind() {
            Tok::Ident if self.is_assert_type() => self.assert_type(),
            Tok::Ident => {
                let name = self.advance_name();
                Ok(self.unit.build_ident(name, lo))
            }
            Tok::Number => {
                self.advance();
                let (value, id) = number(self.unit.src.text_of(lo));
                Ok(self
                    .unit
                    .leaf(ExprKind::Const(value), lo, lo + 1, QualTy::plain(id)))
            }
            Tok::Char => {
                self.advance();
                let value = character(self.unit.src.text_of(lo));
                Ok(self
                    .unit
                    .leaf(ExprKind::Const(value), lo, lo + 1, QualTy::plain(INT)))
            }
            Tok::Str => {
                let first = self.unit.src.text_of(lo).as_bytes()[0];
                while self.kind() == Tok::Str {
                    self.advance();
                }
                let elem = if first == b'L' || first == b'U' {
                    INT
                } else {
                    CHAR
                };
                let ty = Type::Array(QualTy::plain(elem), Len::None);
                let ty = QualTy::plain(self.unit.types.add(ty));
                Ok(self.unit.leaf(ExprKind::Str, lo, self.pos, ty))
            }
            Tok::Punct(P::LParen) if self.kind_at(1) == Tok::Punct(P::LBrace) => {
                self.advance();
                let roots = self.emission.work.roots();
                self.last_statement = None;
                let last = self.compound_body()?;
                self.expect(P::RParen, "after '({ ... }'")?;
                let mut ty = QualTy::plain(VOID);
                if let Some(last) = last {
                    ty = self.unit.value_type(last);
                    // The value of the last statement is the value of the whole.
                    if let Some((e, at)) = self
                        .last_statement
                        .filter(|(e, at)| *e == last && *at >= roots)
                    {
                        self.emission.work.use_value(at, e);
                    }
                }
                Ok(self.unit.leaf(ExprKind::Other(vec![]), lo, self.pos, ty))
            }
            Tok::Punct(P::LParen) => {
                self.advance();
                let inner = self.expression()?;
                self.expect(P::RParen, "to close '('")?;
                let Expr {
                    ty,
                    needs_lowering,
                    depth,
                    ..
                } = *self.unit.expr(inner);
                Ok(self.unit.add_expr(
                    ExprKind::Paren(inner),
                    lo,
                    self.pos,
                    ty,
                    needs_lowering,
                    depth + 1,
                ))
            }
            Tok::Kw(K::MyThread) => {
                self.advance();
                self.replace(lo, lo + 1, "upcr_mythread");
                Ok(self
                    .unit
                    .leaf(ExprKind::MyThread, lo, lo + 1, QualTy::plain(INT)))
            }
            Tok::Kw(K::Threads) => {
                self.advance();
                let text = self.unit.threads_text();
                self.replace(lo, lo + 1, text);
                Ok(self
                    .unit
                    .leaf(ExprKind::Threads, lo, lo + 1, QualTy::plain(INT)))
            }
            Tok::Kw(K::MaxBlockSize) => {
                self.advance();
                let text = format!("{}L", crate::MAX_BLOCK_SIZE);
                self.replace(lo, lo + 1, text);
                let kind = ExprKind::Const(Some(i128::from(crate::MAX_BLOCK_SIZE)));
                Ok(self.unit.leaf(kind, lo, lo + 1, QualTy::plain(LONG)))
            }
            Tok::Kw(
                k @ (K::VaArg
                | K::Offsetof
                | K::TypesCompatible
                | K::ChooseExpr
                | K::Generic
                | K::HasAttribute),
            ) => self.builtin(k),
            _ => self.unexpected("an expression"),
        }
    }
}

/// Value and type of a number.
fn number(text: &str) -> (Option<i128>, TypeId) {
    match text {
        "true" => return (Some(1), BOOL),
        "false" => return (Some(0), BOOL),
        "nullptr" => return (Some(0), INT),
        _ => {}
    }
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    let end = digits
        .find(|c: char| !c.is_digit(if radix == 16 { 16 } else { 10 }))
        .unwrap_or(digits.len());
    let suffix = &digits[end..];
    if !suffix.chars().all(|c| c == 'u' || c == 'l') {
        return (None, floating(&lower, radix == 16));
    }
    let value = if end == 0 {
        Some(0)
    } else {
        i128::from_str_radix(&digits[..end], radix).ok()
    };
    let unsigned = suffix.contains('u');
    let longs = suffix.matches('l').count();
    let v = value.unwrap_or(i128::MAX);
    let (int, uint, long) = (
        i128::from(i32::MAX),
        i128::from(u32::MAX),
        i128::from(i64::MAX),
    );
    let id = match longs {
        0 if unsigned && v <= uint => UINT,
        0 if !unsigned && v <= int => INT,
        0 if !unsigned && radix != 10 && v <= uint => UINT,
        0 | 1 if !unsigned && v <= long => LONG,
        0 | 1 => ULONG,
        _ if !unsigned && v <= long => LLONG,
        _ => ULLONG,
    };
    (value, id)
}

fn floating(text: &str, hex: bool) -> TypeId {
    let suffix = text.trim_start_matches(|c: char| {
        c.is_ascii_digit() || ".+-xp".contains(c) || (hex && c.is_ascii_hexdigit()) || c == 'e'
    });
    match suffix {
        "" if hex && text.ends_with('f') && text.contains('p') => FLOAT,
        "" => DOUBLE,
        "f" => FLOAT,
        "l" => LDOUBLE,
        "i" | "j" => CDOUBLE,
        "fi" | "if" | "fj" | "jf" => CFLOAT,
        _ => UNKNOWN,
    }
}
