//! Arithmetic types: conversion ranks, and the usual arithmetic conversions.

/// Integer types by their conversion rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// `_Bool`
    Bool,
    /// `char`, signed or not
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `long long`
    LongLong,
    /// `__int128`
    Int128,
}

/// Whether an integer type has negative values. Of equal ranks the unsigned type is the common one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sign {
    /// It has.
    Signed,
    /// It has none.
    Unsigned,
}

/// Precision of floating types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Precision {
    /// `float`
    Single,
    /// `double`
    Double,
    /// `long double`
    Extended,
}

/// Arithmetic types in the order of the usual arithmetic conversions: the larger of two types is
/// their common one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arithmetic {
    /// An integer type.
    Integer(Rank, Sign),
    /// A real floating type.
    Real(Precision),
    /// A complex type.
    Complex(Precision),
}

impl Arithmetic {
    /// Whether it is an integer type.
    pub fn is_integer(self) -> bool {
        matches!(self, Arithmetic::Integer(..))
    }

    /// Whether it is an integer type without negative values.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Arithmetic::Integer(_, Sign::Unsigned))
    }

    /// Whether it is `_Bool`.
    pub fn is_bool(self) -> bool {
        matches!(self, Arithmetic::Integer(Rank::Bool, _))
    }

    /// The rank, if it is an integer type of at most 64 bits.
    pub fn rank_to_64(self) -> Option<Rank> {
        match self {
            Arithmetic::Integer(rank, _) if rank < Rank::Int128 => Some(rank),
            _ => None,
        }
    }

    /// Whether sums and products of the type are those of whole numbers as long as they fit into 64
    /// bits: a narrower unsigned type wraps around.
    pub fn is_exact(self) -> bool {
        self.rank_to_64()
            .is_some_and(|r| r > Rank::Int || (r == Rank::Int && !self.is_unsigned()))
    }
}
