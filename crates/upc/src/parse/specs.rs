//! Declaration specifiers: storage classes, type specifiers and qualifiers, among them `shared`
//! with its layout, in any order; and attributes, which are kept as they are.

use super::parser::{Parse, Parser};
use crate::emit::work::Use;
use crate::sema::constant::Fold;
use crate::sema::symbols::{Storage, SymKind};
use crate::sema::types::*;
use crate::syntax::token::*;

/// Effects of attributes that matter here.
#[derive(Clone, Copy, Default, Debug)]
pub struct Attributes {
    /// Layout of structures differs from the plain one.
    pub odd_layout: bool,
    /// The type is another one than it seems (`vector_size`, `mode`).
    pub other_type: bool,
    /// `no_instrument_function`, `naked`, `always_inline` with `gnu_inline`.
    pub no_instrument: bool,
}

/// Declaration specifiers.
#[derive(Clone, Debug)]
pub struct Specs {
    /// First token.
    pub lo: TokIdx,
    /// The type.
    pub ty: QualTy,
    /// Storage.
    pub storage: Storage,
    /// Tokens that are copied when the declaration is rewritten.
    pub keep: Vec<(TokIdx, TokIdx)>,
    /// The type is shared, by keyword or typedef name.
    pub shared_here: bool,
    /// The definition of a structure, union or enumeration.
    pub body: Option<(TokIdx, TokIdx)>,
    /// A type specifier was there.
    pub typed: bool,
    /// The type is that of an expression: `typeof(x)`.
    pub of_expression: bool,
}

/// Qualifiers as they are read.
#[derive(Default)]
pub(super) struct QualReader {
    q: Quals,
    seen: Option<TokIdx>,
    bracket: Option<(TokIdx, TokIdx)>,
}

#[derive(Default)]
struct Basic {
    void: bool,
    boolean: bool,
    char: bool,
    short: bool,
    int: bool,
    long: u32,
    signed: bool,
    unsigned: bool,
    float: bool,
    double: bool,
    complex: bool,
    int128: bool,
}

impl Basic {
    fn id(&self) -> Option<TypeId> {
        let u = u32::from(self.unsigned);
        Some(match self {
            _ if self.complex && self.float => CFLOAT,
            _ if self.complex && self.long > 0 => CLDOUBLE,
            _ if self.complex && (self.double || !self.int && !self.char) => CDOUBLE,
            _ if self.complex => UNKNOWN,
            _ if self.void => VOID,
            _ if self.boolean => BOOL,
            _ if self.float => FLOAT,
            _ if self.double => DOUBLE + u32::from(self.long > 0),
            _ if self.int128 => INT128 + u,
            _ if self.char => {
                CHAR + if self.unsigned {
                    2
                } else {
                    u32::from(self.signed)
                }
            }
            _ if self.short => SHORT + u,
            _ if self.long > 1 => LLONG + u,
            _ if self.long > 0 => LONG + u,
            _ if self.int || self.signed || self.unsigned => INT + u,
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// Whether the current token can begin declaration specifiers.
    pub(crate) fn starts_type(&self) -> bool {
        self.starts_type_at(0)
    }

    pub(crate) fn starts_type_at(&self, ahead: u32) -> bool {
        match self.kind_at(ahead) {
            Tok::Ident => {
                let name = self.unit.token(self.pos + ahead).name;
                self.unit
                    .lookup(name)
                    .is_some_and(|s| self.unit.symbol(s).kind == SymKind::Typedef)
            }
            Tok::Kw(k) => match k {
                K::Extension => {
                    self.starts_type_at(ahead + 1) || self.is_std_attribute_at(ahead + 1)
                }
                _ => is_specifier(k),
            },
            _ => false,
        }
    }

    /// Skips a group in parentheses, brackets or braces whose opening token is the current one.
    pub(crate) fn skip_group(&mut self) -> Parse<()> {
        let open = self.pos;
        if !matches!(self.kind(), Tok::Punct(P::LParen | P::LBracket | P::LBrace)) {
            let before = self.unit.src.text_of(open.saturating_sub(1));
            return self.unexpected(&format!("'(' after '{before}'"));
        }
        let mut depth = 0u32;
        loop {
            match self.kind() {
                Tok::Punct(P::LParen | P::LBracket | P::LBrace) => depth += 1,
                Tok::Punct(P::RParen | P::RBracket | P::RBrace) => depth -= 1,
                Tok::Eof => {
                    let text = format!("'{}' is never closed", self.unit.src.text_of(open));
                    self.unit.error(open, open + 1, &text, "", "");
                    return self.give_up();
                }
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips attributes, if there are any, and notes their tokens.
    pub(crate) fn attributes(&mut self, keep: &mut Vec<(TokIdx, TokIdx)>) -> Parse<Attributes> {
        let mut found = Attributes::default();
        while self.is_kw(K::Attribute) || self.is_std_attribute() {
            let lo = self.pos;
            if self.is_kw(K::Attribute) {
                self.advance();
            }
            if !self.is(P::LParen) && !self.is(P::LBracket) {
                return self.unexpected("'(' after '__attribute__'");
            }
            self.skip_group()?;
            for t in lo..self.pos {
                match self.unit.src.text_of(t).trim_matches('_') {
                    "packed" | "aligned" | "scalar_storage_order" | "ms_struct" => {
                        found.odd_layout = true
                    }
                    "vector_size" | "mode" => found.other_type = true,
                    "no_instrument_function" | "naked" | "ifunc" => found.no_instrument = true,
                    _ => {}
                }
            }
            keep.push((lo, self.pos));
        }
        Ok(found)
    }

    /// Whether `[[...]]` stands here.
    pub(super) fn is_std_attribute(&self) -> bool {
        self.is_std_attribute_at(0)
    }

    pub(super) fn is_std_attribute_at(&self, ahead: u32) -> bool {
        self.kind_at(ahead) == Tok::Punct(P::LBracket)
            && self.kind_at(ahead + 1) == Tok::Punct(P::LBracket)
    }

    /// Reads declaration specifiers. Without any type specifier the type is int.
    pub(crate) fn specs(&mut self) -> Parse<Specs> {
        let mut s = Specs {
            lo: self.pos,
            ty: QualTy::plain(INT),
            storage: Storage::default(),
            keep: Vec::new(),
            shared_here: false,
            body: None,
            typed: false,
            of_expression: false,
        };
        let mut basic = Basic::default();
        let mut quals = QualReader::default();
        let mut ty: Option<QualTy> = None;
        let mut other_type = false;
        loop {
            let t = self.pos;
            if ty.is_none()
                && basic.id().is_none()
                && !basic.complex
                && self.unknown_type_ahead()
                && (self.pos > s.lo
                    || self.unit.symbols.at_file_scope()
                    || self.kind_at(1) == Tok::Ident)
            {
                self.unit.unknown_type(t);
            }
            let k = match self.kind() {
                Tok::Kw(k) => k,
                Tok::Ident
                    if ty.is_none()
                        && basic.id().is_none()
                        && !basic.complex
                        && self.starts_type() =>
                {
                    let name = self.unit.token(t).name;
                    let symbol = self
                        .unit
                        .lookup(name)
                        .map(|s| self.unit.symbol(s).ty)
                        .unwrap_or(QualTy::plain(INT));
                    ty = Some(symbol);
                    self.advance();
                    continue;
                }
                Tok::Punct(P::LBracket) if self.is_std_attribute() => {
                    self.attributes(&mut s.keep)?;
                    continue;
                }
                _ => break,
            };
            match k {
                K::Typedef => s.storage.typedef = true,
                K::Extern => s.storage.external = true,
                K::Static => s.storage.internal = true,
                K::Auto | K::Register | K::ThreadLocal | K::Inline | K::Noreturn | K::Extension => {
                }
                K::AutoType => ty = Some(QualTy::plain(UNKNOWN)),
                K::Alignas => {
                    self.advance();
                    self.skip_group()?;
                    s.keep.push((t, self.pos));
                    continue;
                }
                K::Attribute => {
                    let found = self.attributes(&mut s.keep)?;
                    other_type |= found.other_type;
                    s.storage.no_instrument |= found.no_instrument;
                    continue;
                }
                K::Void => basic.void = true,
                K::Bool => basic.boolean = true,
                K::Char => basic.char = true,
                K::Short => basic.short = true,
                K::Int => basic.int = true,
                K::Long => basic.long += 1,
                K::Signed => basic.signed = true,
                K::Unsigned => basic.unsigned = true,
                K::Float => basic.float = true,
                K::Double => basic.double = true,
                K::Complex | K::Imaginary => basic.complex = true,
                K::Int128 => basic.int128 = true,
                K::FloatN | K::VaList => {
                    // `_Complex _Float128` is two tokens, in either order.
                    let lo = if basic.complex && t > 0 { t - 1 } else { t };
                    let hi = if self.kind_at(1) == Tok::Kw(K::Complex) {
                        t + 2
                    } else {
                        t + 1
                    };
                    ty = Some(QualTy::plain(self.unit.types.add(Type::Tokens(lo, hi))));
                    basic.complex = false;
                }
                K::Struct | K::Union => {
                    let (found, body) = self.record_specifier()?;
                    ty = Some(found);
                    s.body = body.or(s.body);
                    continue;
                }
                K::Enum => {
                    let (found, body) = self.enum_specifier()?;
                    ty = Some(found);
                    s.body = body.or(s.body);
                    continue;
                }
                K::Typeof => {
                    let found = self.typeof_specifier()?;
                    ty = Some(found.0);
                    s.of_expression = found.1;
                    continue;
                }
                K::Atomic if self.kind_at(1) == Tok::Punct(P::LParen) => {
                    self.advance();
                    self.skip_group()?;
                    ty = Some(QualTy::plain(
                        self.unit.types.add(Type::Tokens(t, self.pos)),
                    ));
                    continue;
                }
                _ => match self.qualifier(&mut quals)? {
                    true => continue,
                    false => break,
                },
            }
            self.advance();
            if matches!(
                k,
                K::Typedef
                    | K::Extern
                    | K::Static
                    | K::Auto
                    | K::Register
                    | K::ThreadLocal
                    | K::Inline
                    | K::Noreturn
            ) {
                s.keep.push((t, t + 1));
            }
        }
        let base = ty.or(basic.id().map(QualTy::plain));
        s.typed = base.is_some();
        let mut base = base.unwrap_or(QualTy::plain(INT));
        if other_type {
            base = QualTy::plain(UNKNOWN);
        }
        s.ty = self.qualify(base, &quals, s.lo);
        s.shared_here = self.unit.types.shared(s.ty).is_some();
        Ok(s)
    }

    /// Reads one qualifier, if the current token is one.
    pub(super) fn qualifier(&mut self, quals: &mut QualReader) -> Parse<bool> {
        let t = self.pos;
        let bit = match self.kind() {
            Tok::Kw(K::Const) => CONST,
            Tok::Kw(K::Volatile) => VOLATILE,
            Tok::Kw(K::Restrict) => RESTRICT,
            Tok::Kw(K::Atomic) => ATOMIC,
            Tok::Kw(K::Strict) => STRICT,
            Tok::Kw(K::Relaxed) => RELAXED,
            Tok::Kw(K::Shared) => {
                self.advance();
                self.shared_qualifier(quals, t)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        if bit & (STRICT | RELAXED) != 0 {
            quals.seen.get_or_insert(t);
            if (quals.q.bits | bit) & (STRICT | RELAXED) == STRICT | RELAXED {
                self.unit.error(
                    t,
                    t + 1,
                    "strict and relaxed at once",
                    "UPC 1.3, 6.5.1.1",
                    "keep one of the two",
                );
            }
        }
        quals.q.bits |= bit;
        self.advance();
        Ok(true)
    }

    /// After `shared`: the layout, if there is one. Several bracket pairs are a constraint
    /// violation.
    fn shared_qualifier(&mut self, quals: &mut QualReader, keyword: TokIdx) -> Parse<()> {
        let mut shared = quals.q.shared.unwrap_or(Shared {
            block: Block::Size(1),
            explicit: false,
        });
        quals.seen.get_or_insert(keyword);
        while self.is(P::LBracket) {
            let lo = self.advance();
            let block = if self.is(P::RBracket) {
                Block::Size(0)
            } else if self.is(P::Star) && self.kind_at(1) == Tok::Punct(P::RBracket) {
                self.advance();
                Block::Star
            } else {
                let e = self.assignment_expr()?;
                self.emission.work.root(e, Use::Unevaluated);
                self.block_size(e)
            };
            self.expect(P::RBracket, "after the block size")?;
            if shared.explicit {
                self.two_layouts(lo, self.pos);
            }
            shared = Shared {
                block,
                explicit: true,
            };
            quals.bracket = Some((lo, self.pos));
        }
        quals.q.shared = Some(shared);
        Ok(())
    }

    fn two_layouts(&mut self, lo: TokIdx, hi: TokIdx) {
        self.unit.error(
            lo,
            hi,
            "two layout qualifiers on one type",
            "UPC 1.3, 6.5.1.1",
            "a shared type has one block size",
        );
    }

    fn block_size(&mut self, e: ExprId) -> Block {
        let (lo, hi) = (self.unit.expr(e).lo, self.unit.expr(e).hi);
        const RULE: &str = "UPC 1.3, 6.5.1.1";
        let ty = self.unit.value_type(e);
        let fold = match self.unit.types.is_integer(ty) || self.unit.types.is_unknown(ty) {
            true => self.unit.fold(e),
            false => Fold::NotConstant,
        };
        match fold {
            Fold::Value(v) if v < 0 => {
                self.unit.error(
                    lo,
                    hi,
                    &format!("the block size {v} is negative"),
                    RULE,
                    "use [] for an indefinite block size",
                );
                Block::Size(1)
            }
            Fold::Value(v) if v > crate::MAX_BLOCK_SIZE as i128 => {
                let text = format!(
                    "the block size {v} is larger than UPC_MAX_BLOCK_SIZE, {}",
                    crate::MAX_BLOCK_SIZE
                );
                self.unit.error(
                    lo,
                    hi,
                    &text,
                    RULE,
                    "use a smaller block size, or [] for an indefinite one",
                );
                Block::Size(1)
            }
            Fold::Value(v) => Block::Size(v as u64),
            Fold::Threads(_) => {
                let hint = "use [*], or compile for a static number of threads";
                self.unit.error(
                    lo,
                    hi,
                    "THREADS in a block size while the number of threads is dynamic",
                    RULE,
                    hint,
                );
                Block::Size(1)
            }
            Fold::Opaque => Block::Expr(e),
            Fold::NotConstant => {
                self.unit.error(
                    lo,
                    hi,
                    "the block size is not an integer constant expression",
                    RULE,
                    "",
                );
                Block::Size(1)
            }
        }
    }

    /// Adds qualifiers to a type and checks what they may qualify.
    pub(super) fn qualify(&mut self, base: QualTy, quals: &QualReader, lo: TokIdx) -> QualTy {
        let inner = self.unit.types.quals(base);
        if let (Some(a), Some(b), Some((lo, hi))) = (inner.shared, quals.q.shared, quals.bracket) {
            if a.explicit && b.explicit {
                self.two_layouts(lo, hi);
            }
        }
        let result = QualTy {
            id: base.id,
            q: base.q.with(quals.q),
        };
        let all = self.unit.types.quals(result);
        let at = quals.seen.unwrap_or(lo);
        if quals.q.bits & (STRICT | RELAXED) != 0 && all.shared.is_none() {
            let hint = "add 'shared', or leave the qualifier out";
            self.unit.error(
                at,
                at + 1,
                "strict or relaxed on a type that is not shared",
                "UPC 1.3, 6.5.1.1",
                hint,
            );
        }
        if inner.bits & quals.q.bits & (STRICT | RELAXED) == 0
            && (inner.bits | quals.q.bits) & (STRICT | RELAXED) == STRICT | RELAXED
            && quals.q.bits & (STRICT | RELAXED) != STRICT | RELAXED
        {
            self.unit.error(
                at,
                at + 1,
                "strict and relaxed at once",
                "UPC 1.3, 6.5.1.1",
                "keep one of the two",
            );
        }
        if let (Some(_), Some((lo, hi))) = (quals.q.shared, quals.bracket) {
            if self.unit.types.is_void(result) && all.shared.is_some_and(|s| s.explicit) {
                let hint = "write 'shared void *': it takes pointers of every block size";
                self.unit.error(
                    lo,
                    hi,
                    "a layout qualifier on shared void",
                    "UPC 1.3, 6.5.1.1",
                    hint,
                );
            }
        }
        if quals.q.shared.is_some() && self.unit.types.func(result).is_some() {
            self.unit.error(
                at,
                at + 1,
                "a function type cannot be shared",
                "UPC 1.3, 6.5.1.1",
                "",
            );
        }
        result
    }

    /// Reads qualifiers after `*`, and applies them to the pointer.
    pub(super) fn pointer_quals(&mut self, keep: &mut Vec<(TokIdx, TokIdx)>) -> Parse<QualReader> {
        let mut quals = QualReader::default();
        loop {
            self.attributes(keep)?;
            if !self.qualifier(&mut quals)? {
                return Ok(quals);
            }
        }
    }

    /// The type, and whether it is that of an expression.
    fn typeof_specifier(&mut self) -> Parse<(QualTy, bool)> {
        let lo = self.advance();
        self.expect(P::LParen, "after 'typeof'")?;
        let of_type = self.starts_type();
        let ty = if of_type {
            self.type_name()?.ty
        } else {
            self.unit.begin_unevaluated();
            let e = self.expression();
            self.unit.end_unevaluated();
            let e = e?;
            self.emission.work.root(e, Use::Unevaluated);
            self.unit.expr(e).ty
        };
        self.expect(P::RParen, "to close 'typeof ('")?;
        let ty = match self.unit.types.is_unknown(ty) {
            true => QualTy::plain(self.unit.types.add(Type::Tokens(lo, self.pos))),
            false => ty,
        };
        Ok((ty, !of_type))
    }

    /// The type of an automatic variable, a parameter, a member or a cast: where `typeof(x)` makes
    /// it shared, it is meant to hold the value of an access to `x`, which is private.
    pub(super) fn value_of_typeof(&mut self, ty: QualTy, specs: &Specs) -> QualTy {
        if !specs.of_expression || self.unit.types.shared(ty).is_none() {
            return ty;
        }
        if let Some((elem, len)) = self.unit.types.array(ty) {
            let elem = self.value_of_typeof(elem, specs);
            return QualTy::plain(self.unit.types.add(Type::Array(elem, len)));
        }
        let ty = self.unit.types.resolve(ty);
        QualTy {
            id: ty.id,
            q: Quals {
                bits: ty.q.bits & (CONST | VOLATILE),
                shared: None,
            },
        }
    }
}

impl QualReader {
    pub(super) fn quals(&self) -> Quals {
        self.q
    }
}

fn is_specifier(k: K) -> bool {
    use K::*;
    matches!(
        k,
        Auto | AutoType
            | Char
            | Const
            | Double
            | Enum
            | Extern
            | Float
            | Inline
            | Int
            | Long
            | Register
            | Restrict
            | Short
            | Signed
            | Static
            | Struct
            | Typedef
            | Union
            | Unsigned
            | Void
            | Volatile
            | Bool
            | Complex
            | Imaginary
            | Alignas
            | Atomic
            | Noreturn
            | ThreadLocal
            | Typeof
            | Attribute
            | Int128
            | FloatN
            | VaList
            | Shared
            | Strict
            | Relaxed
    )
}
