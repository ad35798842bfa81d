//! Types of C and UPC. A type is a number in a table; qualifiers, among them `shared` with its
//! layout, travel beside it. Typedef names are kept as sugar, so that generated text can use the
//! names of the source.

pub use super::arithmetic::{Arithmetic, Precision, Rank, Sign};
use crate::syntax::token::{Name, TokIdx};
use std::cell::Cell;
use std::rc::Rc;

/// Number of a type.
pub type TypeId = u32;
/// Number of an expression.
pub type ExprId = u32;

/// `const`
pub const CONST: u8 = 1;
/// `volatile`
pub const VOLATILE: u8 = 2;
/// `restrict`
pub const RESTRICT: u8 = 4;
/// `_Atomic`
pub const ATOMIC: u8 = 8;
/// Accesses are strict.
pub const STRICT: u8 = 16;
/// Accesses are relaxed.
pub const RELAXED: u8 = 32;

/// How the elements of a shared type are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// Elements per block; 0 is indefinite (all on one thread).
    Size(u64),
    /// `[*]`: as even as possible.
    Star,
    /// An expression that only the C compiler can evaluate.
    Expr(ExprId),
}

/// The shared qualifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shared {
    /// Layout.
    pub block: Block,
    /// Whether the layout was written down.
    pub explicit: bool,
}

/// Qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Quals {
    /// Combination of [`CONST`], [`VOLATILE`], ...
    pub bits: u8,
    /// Set for shared types.
    pub shared: Option<Shared>,
}

impl Quals {
    /// These qualifiers with those of an outer level added.
    pub fn with(self, outer: Quals) -> Quals {
        let shared = match (self.shared, outer.shared) {
            (Some(a), Some(b)) => Some(if b.explicit { b } else { a }),
            (a, b) => a.or(b),
        };
        Quals {
            bits: self.bits | outer.bits,
            shared,
        }
    }
}

/// A type with its qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QualTy {
    /// The type.
    pub id: TypeId,
    /// Its qualifiers.
    pub q: Quals,
}

impl QualTy {
    /// The type without any qualifier at its outermost level.
    pub fn plain(id: TypeId) -> QualTy {
        QualTy {
            id,
            q: Quals::default(),
        }
    }

    /// Without qualifiers.
    pub fn unqualified(self) -> QualTy {
        QualTy::plain(self.id)
    }

    /// With the bits added.
    pub fn with_bits(mut self, bits: u8) -> QualTy {
        self.q.bits |= bits;
        self
    }
}

/// Length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Len {
    /// `[]`
    None,
    /// `n` elements, times THREADS if `threads`.
    Const {
        /// The number or factor.
        n: u64,
        /// Multiplied by a dynamic number of threads.
        threads: bool,
    },
    /// An expression that is not a constant here; `threads`: it has the factor THREADS.
    Expr {
        /// The length.
        expr: ExprId,
        /// The factor beside THREADS, where THREADS is a factor.
        factor: Option<ExprId>,
    },
}

/// One parameter of a function type.
#[derive(Clone, Debug)]
pub struct Param {
    /// Name, if it has one.
    pub name: Option<(Name, TokIdx)>,
    /// Type after the adjustment of arrays and functions.
    pub ty: QualTy,
}

/// A function type.
#[derive(Clone, Debug)]
pub struct Func {
    /// The return type.
    pub ret: QualTy,
    /// Parameters; for a K&R definition as its declarations state them.
    pub params: Vec<Param>,
    /// The parameter list is a prototype.
    pub prototype: bool,
    /// It ends in `...`.
    pub variadic: bool,
    /// Tokens of the parameter list with its parentheses.
    pub list: (TokIdx, TokIdx),
}

/// A type.
#[derive(Clone, Debug)]
pub enum Type {
    /// Not understood; the C compiler knows.
    Unknown,
    /// A basic type.
    Basic {
        /// Spelling in C.
        text: &'static str,
        /// Size in bytes on x86-64; 0 for void.
        size: u8,
        /// Its place among the arithmetic types; `None` for void.
        arithmetic: Option<Arithmetic>,
    },
    /// Something printable that is not understood further, e.g. `__typeof__(x)`.
    Tokens(TokIdx, TokIdx),
    /// A pointer, to private or shared.
    Pointer(QualTy),
    /// An array.
    Array(QualTy, Len),
    /// A function.
    Func(Rc<Func>),
    /// A structure or union.
    Record(u32),
    /// An enumeration.
    Enum(u32),
    /// A name for another type.
    Typedef(Name, QualTy),
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// None for anonymous members and padding.
    pub name: Option<Name>,
    /// Its type.
    pub ty: QualTy,
    /// It is a bit field of this width, where that is known.
    pub bits: Option<Option<u64>>,
}

/// A structure or union; or an enumeration, which has no members.
#[derive(Debug)]
pub struct Record {
    /// `struct`, `union` or `enum`.
    pub keyword: &'static str,
    /// Tag.
    pub tag: Option<Name>,
    /// The token of the keyword where it was defined or first named.
    pub keyword_token: TokIdx,
    /// Members once it is complete.
    pub members: Option<Vec<Member>>,
    /// Attributes change its layout in ways that are not computed here.
    pub odd_layout: bool,
    /// Generated text names it, so an anonymous one needs a tag.
    pub needs_tag: Cell<bool>,
}

/// The table of types.
pub struct Types {
    list: Vec<Type>,
    /// Structures and unions.
    pub records: Vec<Record>,
    /// Enumerations.
    pub enums: Vec<Record>,
}

macro_rules! basics {
    ($($id:ident = $n:literal, $text:literal, $size:literal, $arithmetic:expr;)*) => {
        $(#[allow(dead_code)] pub const $id: TypeId = $n;)*
        const BASICS: &[Type] = &[Type::Unknown, $(Type::Basic { text: $text, size: $size, arithmetic: $arithmetic }),*];
    };
}

/// The type that is not understood.
pub const UNKNOWN: TypeId = 0;
basics! {
    VOID = 1, "void", 0, None;
    BOOL = 2, "_Bool", 1, Some(Arithmetic::Integer(Rank::Bool, Sign::Unsigned));
    CHAR = 3, "char", 1, Some(Arithmetic::Integer(Rank::Char, Sign::Signed));
    SCHAR = 4, "signed char", 1, Some(Arithmetic::Integer(Rank::Char, Sign::Signed));
    UCHAR = 5, "unsigned char", 1, Some(Arithmetic::Integer(Rank::Char, Sign::Unsigned));
    SHORT = 6, "short", 2, Some(Arithmetic::Integer(Rank::Short, Sign::Signed));
    USHORT = 7, "unsigned short", 2, Some(Arithmetic::Integer(Rank::Short, Sign::Unsigned));
    INT = 8, "int", 4, Some(Arithmetic::Integer(Rank::Int, Sign::Signed));
    UINT = 9, "unsigned int", 4, Some(Arithmetic::Integer(Rank::Int, Sign::Unsigned));
    LONG = 10, "long", 8, Some(Arithmetic::Integer(Rank::Long, Sign::Signed));
    ULONG = 11, "unsigned long", 8, Some(Arithmetic::Integer(Rank::Long, Sign::Unsigned));
    LLONG = 12, "long long", 8, Some(Arithmetic::Integer(Rank::LongLong, Sign::Signed));
    ULLONG = 13, "unsigned long long", 8, Some(Arithmetic::Integer(Rank::LongLong, Sign::Unsigned));
    INT128 = 14, "__int128", 16, Some(Arithmetic::Integer(Rank::Int128, Sign::Signed));
    UINT128 = 15, "unsigned __int128", 16, Some(Arithmetic::Integer(Rank::Int128, Sign::Unsigned));
    FLOAT = 16, "float", 4, Some(Arithmetic::Real(Precision::Single));
    DOUBLE = 17, "double", 8, Some(Arithmetic::Real(Precision::Double));
    LDOUBLE = 18, "long double", 16, Some(Arithmetic::Real(Precision::Extended));
    CFLOAT = 19, "float _Complex", 8, Some(Arithmetic::Complex(Precision::Single));
    CDOUBLE = 20, "double _Complex", 16, Some(Arithmetic::Complex(Precision::Double));
    CLDOUBLE = 21, "long double _Complex", 32, Some(Arithmetic::Complex(Precision::Extended));
}

impl Default for Types {
    fn default() -> Self {
        Types {
            list: BASICS.to_vec(),
            records: Vec::new(),
            enums: Vec::new(),
        }
    }
}

impl Types {
    /// Adds a type.
    pub fn add(&mut self, t: Type) -> TypeId {
        self.list.push(t);
        (self.list.len() - 1) as TypeId
    }

    /// The type of that number.
    #[inline]
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id as usize]
    }

    /// A pointer to `to`.
    pub fn pointer(&mut self, to: QualTy) -> QualTy {
        QualTy::plain(self.add(Type::Pointer(to)))
    }

    /// Without typedef names at the outermost level; their qualifiers are added.
    #[inline]
    pub fn resolve(&self, mut t: QualTy) -> QualTy {
        while let Type::Typedef(_, to) = self.get(t.id) {
            t = QualTy {
                id: to.id,
                q: to.q.with(t.q),
            };
        }
        t
    }

    /// The type behind typedef names.
    #[inline]
    pub fn kind(&self, t: QualTy) -> &Type {
        self.get(self.resolve(t).id)
    }

    /// For an array: its element (with the array's qualifiers) and length.
    pub fn array(&self, t: QualTy) -> Option<(QualTy, Len)> {
        let t = self.resolve(t);
        match self.get(t.id) {
            Type::Array(e, len) => Some((
                QualTy {
                    id: e.id,
                    q: e.q.with(t.q),
                },
                *len,
            )),
            _ => None,
        }
    }

    /// For a pointer: what it points to.
    pub fn pointee(&self, t: QualTy) -> Option<QualTy> {
        match self.kind(t) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The element that is no array any more, with all qualifiers.
    pub fn ultimate(&self, mut t: QualTy) -> QualTy {
        while let Some((e, _)) = self.array(t) {
            t = e;
        }
        t
    }

    /// For generated lvalues: arrays of shared elements are accessed through their first ultimate
    /// element.
    pub fn ultimate_if_array(&self, t: QualTy) -> QualTy {
        match self.array(t) {
            Some(_) => self.ultimate(t),
            None => t,
        }
    }

    /// All qualifiers of an object of this type, through arrays and typedef names.
    pub fn quals(&self, t: QualTy) -> Quals {
        self.resolve(self.ultimate(t)).q
    }

    /// The shared qualifier of an object of this type.
    pub fn shared(&self, t: QualTy) -> Option<Shared> {
        self.quals(t).shared
    }

    /// Whether it is a pointer-to-shared.
    pub fn is_pts(&self, t: QualTy) -> bool {
        self.pointee(t).is_some_and(|to| self.shared(to).is_some())
    }

    /// Whether the type, or what it points to or returns, is shared.
    pub fn mentions_shared(&self, mut t: QualTy) -> bool {
        for _ in 0..100 {
            if self.shared(t).is_some() {
                return true;
            }
            t = self.ultimate(t);
            t = match self.kind(t) {
                Type::Pointer(to) => *to,
                Type::Func(f) => f.ret,
                _ => return false,
            };
        }
        false
    }

    /// Whether values of the type hold pointers-to-shared.
    pub fn holds_pts(&self, t: QualTy) -> bool {
        let t = self.ultimate(t);
        self.is_pts(t)
            || self
                .members(t)
                .is_some_and(|m| m.iter().any(|m| self.holds_pts(m.ty)))
    }

    /// For a function: the function.
    pub fn func(&self, t: QualTy) -> Option<&Rc<Func>> {
        match self.kind(t) {
            Type::Func(f) => Some(f),
            _ => None,
        }
    }

    /// For a structure or union: its record.
    pub fn record(&self, t: QualTy) -> Option<&Record> {
        match self.kind(t) {
            Type::Record(r) => Some(&self.records[*r as usize]),
            _ => None,
        }
    }

    /// Members of a complete structure or union.
    pub fn members(&self, t: QualTy) -> Option<&[Member]> {
        self.record(t).and_then(|r| r.members.as_deref())
    }

    /// Finds a member by name, through anonymous ones.
    pub fn member(&self, t: QualTy, name: Name) -> Option<&Member> {
        let members = self.members(t)?;
        members.iter().find(|m| m.name == Some(name)).or_else(|| {
            members
                .iter()
                .filter(|m| m.name.is_none() && m.bits.is_none())
                .find_map(|m| self.member(m.ty, name))
        })
    }

    /// Its place among the arithmetic types, if it is one; enumerations count as `unsigned int`.
    pub fn arithmetic(&self, t: QualTy) -> Option<Arithmetic> {
        match self.kind(t) {
            Type::Basic { arithmetic, .. } => *arithmetic,
            Type::Enum(_) => Some(Arithmetic::Integer(Rank::Int, Sign::Unsigned)),
            _ => None,
        }
    }

    /// Whether it is `_Bool`.
    pub fn is_bool(&self, t: QualTy) -> bool {
        self.arithmetic(t).is_some_and(Arithmetic::is_bool)
    }

    /// Whether it is an integer type for certain.
    pub fn is_integer(&self, t: QualTy) -> bool {
        self.arithmetic(t).is_some_and(Arithmetic::is_integer)
    }

    /// Whether it is a floating type for certain.
    pub fn is_floating(&self, t: QualTy) -> bool {
        self.arithmetic(t).is_some_and(|a| !a.is_integer())
    }

    /// Whether nothing is known about it.
    pub fn is_unknown(&self, t: QualTy) -> bool {
        matches!(self.kind(t), Type::Unknown | Type::Tokens(..))
    }

    /// Whether it is void.
    pub fn is_void(&self, t: QualTy) -> bool {
        self.resolve(t).id == VOID
    }

    /// The number of an enumeration, structure or basic type that two types must share to be the
    /// same.
    pub fn same_leaf(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Basic { text: x, .. }, Type::Basic { text: y, .. }) => x == y,
            (Type::Record(x), Type::Record(y)) | (Type::Enum(x), Type::Enum(y)) => x == y,
            _ => false,
        }
    }

    /// Whether two types have the same size for certain, because they are the same or both sizes
    /// are known.
    pub fn same_size(&self, a: QualTy, b: QualTy) -> bool {
        let (a, b) = (self.ultimate(a), self.ultimate(b));
        self.same_leaf(self.kind(a), self.kind(b))
            || matches!((self.size(a), self.size(b)), (Some((x, _)), Some((y, _))) if x == y)
    }

    /// Size and alignment in bytes, where they can be computed.
    pub fn size(&self, t: QualTy) -> Option<(u64, u64)> {
        match self.kind(t) {
            Type::Basic { size: 0, .. } => None,
            Type::Basic {
                size, arithmetic, ..
            } => {
                let size = u64::from(*size);
                let complex = matches!(arithmetic, Some(Arithmetic::Complex(_)));
                Some((size, if complex { size / 2 } else { size }))
            }
            Type::Pointer(_) => Some(if self.is_pts(t) { (16, 8) } else { (8, 8) }),
            Type::Enum(_) => Some((4, 4)),
            Type::Array(e, Len::Const { n, threads: false }) => {
                let (size, align) = self.size(*e)?;
                Some((size.checked_mul(*n)?, align))
            }
            Type::Record(r) => self.record_size(&self.records[*r as usize]),
            _ => None,
        }
    }

    fn record_size(&self, r: &Record) -> Option<(u64, u64)> {
        let members = r.members.as_ref().filter(|_| !r.odd_layout)?;
        let (mut bits, mut align, mut largest) = (0u64, 1u64, 0u64);
        for m in members {
            let (size, a) = match self.array(m.ty) {
                Some((e, Len::None)) => (0, self.size(e)?.1),
                _ => self.size(m.ty)?,
            };
            let unit = size.checked_mul(8)?;
            match m.bits {
                Some(width) => {
                    let width = width?;
                    if width == 0 {
                        bits = bits.next_multiple_of(a * 8);
                        continue;
                    }
                    if bits / unit != (bits + width - 1) / unit {
                        bits = bits.next_multiple_of(a * 8);
                    }
                    bits = bits.checked_add(width)?;
                }
                None => bits = bits.next_multiple_of(a * 8).checked_add(unit)?,
            }
            align = align.max(a);
            largest = largest.max(bits);
            if r.keyword == "union" {
                bits = 0;
            }
        }
        Some((largest.div_ceil(8).next_multiple_of(align), align))
    }
}
