//! A shared lvalue taken apart, and the ways to access it.

use crate::sema::types::*;

/// Where an lvalue is found.
pub(crate) enum Origin {
    /// A declared object.
    Object(u32),
    /// Behind a pointer-to-shared.
    Pointer(ExprId),
    /// A member: nothing simpler than the C lvalue.
    Lvalue(ExprId),
}

/// A shared lvalue taken apart: an origin and a sum of indices.
pub(crate) struct Place {
    pub(crate) origin: Origin,
    /// Index, whether it is subtracted, and the type whose number of ultimate elements it is
    /// multiplied with.
    pub(crate) terms: Vec<(ExprId, bool, QualTy)>,
    /// Type at the origin, for its layout and ultimate element.
    pub(crate) ty: QualTy,
}

/// How an access is done.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    pub(super) strict: bool,
    /// The data may be on another node.
    pub(super) far: bool,
    /// Whether reading and writing are recorded.
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Accesses that would be recorded are counted instead.
    pub(super) counts: bool,
    /// A read in a loop that waits: the number of its variable.
    pub(super) wait: Option<u32>,
}

/// Kind of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
    Update,
}

impl Access {
    /// The runtime's constant.
    pub(super) fn number(self) -> &'static str {
        match self {
            Access::Read => "0",
            Access::Write => "1",
            Access::Update => "2",
        }
    }
}
