//! Accesses of a unit to shared data that an instrumented program does not report: the places of
//! the first access, operation or cast of each kind. Advice that rests on having seen all accesses
//! is withheld if there are any.

use super::library::{is_recorded, operation_of, Operation, VALUES};
use crate::sema::types::ExprId;
use crate::syntax::token::*;
use crate::unit::Unit;

/// See the module. Places are `FILE:LINE`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unseen {
    /// An access or operation that is not instrumented.
    pub uninstrumented: Option<String>,
    /// An access or operation under `#pragma pupc off`.
    pub switched_off: Option<String>,
    /// Operations that the filter leaves out.
    pub filtered: Vec<String>,
    /// An access that is not reported where the data is the thread's own.
    pub own: Option<String>,
    /// A pointer-to-shared whose address becomes a pointer to private, or a number.
    pub cast: Option<String>,
    /// A call of a function that moves shared data and is never reported, and its place.
    pub call: Option<String>,
    /// Accesses to elements at a fixed distance from the one that `upc_forall` goes by, other than 0, and that distance in
    /// iterations, which are elements of a one-dimensional array: as the iteration's thread owns the one, it is close to the other.
    pub neighbours: Vec<(String, i64)>,
}

/// Neighbours that are noted of one unit.
const MOST_NEIGHBOURS: usize = 64;

/// Functions of the library that give the address of shared data.
const CASTS: &[&str] = &["upc_cast", "bupc_cast", "upc_addrfield"];
/// How the names of functions begin that move shared data, or order accesses to it, and are never reported.
const NEVER_REPORTED: &[&str] = &["upc_all_sort", "bupc_sem_", "bupc_memput_signal"];

impl Unit<'_> {
    /// Notes an access to the shared lvalue `e`, which begins at token `t`.
    pub(crate) fn note_access(&mut self, t: TokIdx, e: ExprId) {
        if self.token(t).flags & OURS != 0 {
            return;
        }
        if self.types.is_unknown(self.expr(e).ty) {
            // Only the C compiler knows the type, and with it the size that would be reported.
            let place = self.place_text(t);
            self.unseen.uninstrumented.get_or_insert(place);
            return;
        }
        if self.note_operation(t, &["upc_get", "upc_put"]) && !self.options.instrument_local {
            let place = self.place_text(t);
            self.unseen.own.get_or_insert(place);
        }
    }

    /// Notes a statement or call at token `t` that reports call one of `operations`. Whether it is recorded.
    pub(crate) fn note_operation(&mut self, t: TokIdx, operations: &[&str]) -> bool {
        let place = self.place_text(t);
        let flags = self.token(t).flags;
        if !self.options.instrument || flags & SYSTEM != 0 {
            self.unseen.uninstrumented.get_or_insert(place);
            return false;
        }
        if flags & INST_OFF != 0 {
            self.unseen.switched_off.get_or_insert(place);
            return false;
        }
        let Some(keeps) = &self.options.operation_filter else {
            return true;
        };
        let left_out = operations.iter().filter(|operation| !keeps(operation));
        let left_out: Vec<String> = left_out.map(|name| (*name).to_owned()).collect();
        let sees_all = left_out.is_empty();
        for name in left_out {
            if !self.unseen.filtered.contains(&name) {
                self.unseen.filtered.push(name);
            }
        }
        sees_all
    }

    /// Notes a call of the function `f`.
    pub(crate) fn note_call(&mut self, f: ExprId) {
        if self.unevaluated > 0 {
            return;
        }
        let Some(name) = self.library_call(f) else {
            return;
        };
        let t = self.expr(f).lo;
        if CASTS.contains(&name) {
            self.note_cast(t);
        } else if NEVER_REPORTED.iter().any(|begin| name.starts_with(begin)) {
            let text = format!("{name} ({})", self.place_text(t));
            self.unseen.call.get_or_insert(text);
        } else if is_recorded(name) || name.starts_with(VALUES) {
            match operation_of(name) {
                Some(Operation::Named(operation)) => self.note_operation(t, &[operation]),
                Some(Operation::Atomic) => self.note_operation(t, &["upc_get", "upc_put"]),
                None => true,
            };
        }
    }

    /// Notes that shared data is given a pointer to private, or its address is, at token `t`.
    pub(crate) fn note_cast(&mut self, t: TokIdx) {
        if self.unevaluated == 0 {
            let place = self.place_text(t);
            self.unseen.cast.get_or_insert(place);
        }
    }

    /// Notes an access at token `t` to a neighbour of the element that a `upc_forall` goes by.
    pub(crate) fn note_neighbour(&mut self, t: TokIdx, distance: i64) {
        let neighbour = (self.place_text(t), distance);
        let known = &mut self.unseen.neighbours;
        if known.len() < MOST_NEIGHBOURS && !known.contains(&neighbour) {
            known.push(neighbour);
        }
    }

    /// `FILE:LINE`.
    fn place_text(&self, t: TokIdx) -> String {
        let t = self.token(t);
        format!("{}:{}", self.src.files[t.file as usize], t.line)
    }
}
