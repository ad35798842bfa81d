//! Accesses of a unit to shared data that an instrumented program does not report: the places of
//! the first access, operation or cast of each kind. Advice that rests on having seen all accesses
//! is withheld if there are any.

use super::lowering::Lowering;
use crate::sema::library::{Operation, VALUES, is_recorded, operation_of};
use crate::sema::types::*;
use crate::syntax::token::*;

/// Neighbours that are noted of one unit.
const MOST_NEIGHBOURS: usize = 64;
/// Accesses in loops that go by the elements of arrays which are noted at most.
const MOST_FOLLOWERS: usize = 256;
/// Lines with accesses to own elements alone that are noted at most.
const MOST_DIRECT: usize = 1024;

/// Functions of the library that give the address of shared data.
const CASTS: &[&str] = &["upc_cast", "bupc_cast", "upc_addrfield"];
/// How the names of functions begin that move shared data, or order accesses to it, and are never
/// reported.
const NEVER_REPORTED: &[&str] = &["upc_all_sort"];

impl Lowering<'_, '_> {
    /// Notes an access to the shared lvalue `e`, which begins at token `t`.
    pub(crate) fn note_access(&mut self, t: TokIdx, e: ExprId) {
        if self.unit.token(t).flags & OURS != 0 {
            return;
        }
        if self.unit.types.is_unknown(self.unit.expr(e).ty) {
            // Only the C compiler knows the type, and with it the size that would be reported.
            let place = self.place_text(t);
            self.emission.unseen.uninstrumented.get_or_insert(place);
            return;
        }
        let sees_own = self.unit.options.instrument_local || self.counts_accesses();
        if self.note_operation(t, &["upc_get", "upc_put"]) && !sees_own {
            let place = self.place_text(t);
            self.emission.unseen.own.get_or_insert(place);
        }
    }

    /// Notes a statement or call at token `t` that reports call one of `operations`. Whether it is
    /// recorded.
    pub(crate) fn note_operation(&mut self, t: TokIdx, operations: &[&str]) -> bool {
        let place = self.place_text(t);
        let flags = self.unit.token(t).flags;
        if !self.unit.options.instrument || flags & SYSTEM != 0 {
            self.emission.unseen.uninstrumented.get_or_insert(place);
            return false;
        }
        if flags & INST_OFF != 0 {
            self.emission.unseen.switched_off.get_or_insert(place);
            return false;
        }
        let Some(keeps) = &self.unit.options.operation_filter else {
            return true;
        };
        let left_out = operations.iter().filter(|operation| !keeps(operation));
        let left_out: Vec<String> = left_out.map(|name| (*name).to_owned()).collect();
        let sees_all = left_out.is_empty();
        for name in left_out {
            if !self.emission.unseen.filtered.contains(&name) {
                self.emission.unseen.filtered.push(name);
            }
        }
        sees_all
    }

    /// Notes a call of the function `f`.
    pub(crate) fn note_call(&mut self, f: ExprId) {
        if self.unit.is_unevaluated() {
            return;
        }
        let Some(name) = self.unit.library_call(f) else {
            return;
        };
        let t = self.unit.expr(f).lo;
        if CASTS.contains(&name) {
            self.note_cast(t);
        } else if NEVER_REPORTED.iter().any(|begin| name.starts_with(begin)) {
            let text = format!("{name} ({})", self.place_text(t));
            self.emission.unseen.call.get_or_insert(text);
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
        if !self.unit.is_unevaluated() {
            let place = self.place_text(t);
            self.emission.unseen.cast.get_or_insert(place);
        }
    }

    /// Notes an access at token `t` to a neighbour of the element that a `upc_forall` goes by.
    pub(crate) fn note_neighbour(&mut self, t: TokIdx, distance: i64) {
        let neighbour = (self.place_text(t), distance);
        let known = &mut self.emission.unseen.neighbours;
        if known.len() < MOST_NEIGHBOURS && !known.contains(&neighbour) {
            known.push(neighbour);
        }
    }

    /// Notes an access at token `t` in a `upc_forall` that goes by the elements of an array.
    pub(crate) fn note_follower(&mut self, t: TokIdx, array: String) {
        let follower = (self.place_text(t), array);
        let known = &mut self.emission.unseen.followers;
        if known.len() < MOST_FOLLOWERS && !known.contains(&follower) {
            known.push(follower);
        }
    }

    /// Notes an access at token `t` to an own element, through a pointer to private.
    pub(crate) fn note_direct(&mut self, t: TokIdx) {
        let place = self.place_text(t);
        let known = &mut self.emission.unseen.direct;
        if known.len() < MOST_DIRECT && !known.contains(&place) {
            known.push(place);
        }
    }

    /// Notes how an access to an own element at token `t` is counted.
    pub(crate) fn note_counted(&mut self, t: TokIdx, is_at_end: bool) {
        let place = self.place_text(t);
        if !is_at_end {
            self.emission.counted_each.insert(place);
            return;
        }
        let known = &mut self.emission.unseen.counted_at_end;
        if known.len() < MOST_DIRECT && !known.contains(&place) {
            known.push(place);
        }
    }

    /// Notes an access at token `t` through a pointer-to-shared.
    pub(crate) fn note_indirect(&mut self, t: TokIdx) {
        let place = self.place_text(t);
        self.emission.indirect.insert(place);
    }

    /// `FILE:LINE`.
    fn place_text(&self, t: TokIdx) -> String {
        let t = self.unit.token(t);
        format!("{}:{}", self.unit.src.files[t.file as usize], t.line)
    }
}
