//! Control flow that the checks and the lowering ask about: the last synchronisation, and the loops
//! of the current external declaration.

use super::types::*;
use crate::syntax::token::*;
use std::collections::HashMap;
use std::rc::Rc;

/// The last synchronisation on the way to here, where that is certain.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastSync {
    pub(super) keyword: K,
    pub(super) token: TokIdx,
    /// Its value, if it has one that is constant.
    pub(super) value: Option<i128>,
}

/// By variable: the steps that a loop adds to it, or `None` if it is changed in another way.
pub(crate) type Changes = HashMap<u32, Option<Stride>>;

/// `number + threads * THREADS`; where the number of threads is static, all is in `number`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Stride {
    pub(crate) number: i128,
    pub(crate) threads: i128,
}

impl Stride {
    pub(crate) fn is_zero(self) -> bool {
        self == Stride::default()
    }

    pub(crate) fn plus(self, other: Stride) -> Option<Stride> {
        Some(Stride {
            number: self.number.checked_add(other.number)?,
            threads: self.threads.checked_add(other.threads)?,
        })
    }

    pub(crate) fn times(self, factor: i128) -> Option<Stride> {
        Some(Stride {
            number: self.number.checked_mul(factor)?,
            threads: self.threads.checked_mul(factor)?,
        })
    }
}

/// A loop: its expressions without those of its first part, and what is known about them once
/// someone asked.
pub(super) struct Loop {
    pub(super) exprs: (ExprId, ExprId),
    /// It may run until another thread writes something.
    pub(super) waits: bool,
    pub(super) changes: Option<Rc<Changes>>,
}

/// See the module.
#[derive(Default)]
pub(super) struct Flow {
    /// The last synchronisation statement on the straight way to here.
    pub(super) last_sync: Option<LastSync>,
    /// Loops of the current external declaration, inner ones first.
    pub(super) loops: Vec<Loop>,
    /// Whether the current external declaration calls a function that returns twice, once that is
    /// known.
    pub(super) returns_twice: Option<bool>,
}
