//! Calls of functions that are no events are counted, where they are made if all of these are known:
//! then a loop counts them in a variable, and those of a straight line have one number together. What
//! a small function calls each time is counted with it.
//! A function that others may call, or by its address, counts its calls itself.

use super::lowering::Lowering;
use super::rope::{Count, CountOf, Part, Rope};
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;
use std::collections::HashSet;

impl Lowering<'_, '_> {
    /// Decides where calls of a small function are counted: `body` are its tokens, and declarations
    /// may stand after token `at`.
    pub(super) fn count_calls_of(&mut self, function: u32, body: (TokIdx, TokIdx), at: TokIdx) {
        if self.declaration_leaves(body) {
            self.emission.leaving_functions.insert(function);
        }
        let symbol = self.unit.symbol(function);
        let (name, internal) = (symbol.name, symbol.internal);
        let is_known = internal
            && !self.unit.called_before.contains(&function)
            && !self.names_of_values().contains(&name);
        self.emission.function.counts.small = Some(function);
        if is_known {
            self.unit.counted_at_calls.insert(function);
            return;
        }
        let mut count = Rope::from_text(" ");
        let counter = self.count_call_of(&mut count, function, body.0, None);
        self.emission.function.counts.entry_counter = Some(counter);
        count.text("(void)0; ");
        self.emission.edits.after_first(at, count);
    }

    /// Names that may be those of functions whose address is taken.
    fn names_of_values(&mut self) -> &HashSet<Name> {
        let unit = &self.unit;
        self.emission.names_of_values.get_or_insert_with(|| {
            let tokens = &unit.src.tokens;
            let pairs = tokens.iter().zip(tokens.iter().skip(1));
            // System headers know nothing of the program's functions.
            let pairs = pairs.filter(|(t, next)| {
                t.kind == Tok::Ident
                    && t.flags & (SYSTEM | OURS) == 0
                    && next.kind != Tok::Punct(P::LParen)
            });
            pairs.map(|(t, _)| t.name).collect()
        })
    }

    /// The count of a call, with a comma behind it.
    fn count_call_of(&mut self, out: &mut Rope, f: u32, at: TokIdx, known: Option<usize>) -> usize {
        let symbol = self.unit.symbol(f);
        let (name, token) = (self.unit.name(symbol.name).to_owned(), symbol.token);
        let site = self.add_site(at, false, known);
        site.called = Some((name, token));
        let counter = site.counter;
        if known.is_none() {
            let table = self.table();
            let of = CountOf::Call;
            out.0.push(Part::Count(Count { table, counter, of }));
        }
        for along in self
            .emission
            .called_along
            .get(&f)
            .cloned()
            .unwrap_or_default()
        {
            self.count_call_of(out, along, at, Some(counter));
        }
        counter
    }

    /// Writes the count of a call of `f`, with a comma behind it, if it is counted where it is made
    /// and not together with one before; whether there is any.
    pub(super) fn count_call(&mut self, out: &mut Rope, f: ExprId) -> bool {
        let ExprKind::Ident(number) = self.unit.expr(self.unit.strip(f)).kind else {
            return false;
        };
        if !self.unit.counted_at_calls.contains(&number) || self.unit.is_unevaluated() {
            return false;
        }
        self.emission.function.counts.sees_access = true;
        if !self.emission.function.counts.is_counting {
            return false;
        }
        let at = self.unit.expr(f).lo;
        let groups = &self.emission.function.counts.groups;
        let is_certain = groups.changed.is_some();
        let known = groups.of_calls.filter(|_| is_certain);
        if let (Some(function), None, true) = (groups.begins, known, is_certain) {
            let along = self.emission.called_along.entry(function).or_default();
            along.push(number);
            return false;
        }
        let mut count = Rope::default();
        let counter = self.count_call_of(&mut count, number, at, known);
        if is_certain {
            self.emission.function.counts.groups.of_calls = Some(counter);
        }
        if known.is_some() {
            return false;
        }
        out.text("(");
        out.append(count);
        true
    }
}
