//! Accesses that are counted together: those to data of one thread, for certain, in a straight line
//! of full expressions, of which either all are done or none. `p[i].x = q[i]; p[i].y = 0;` with
//! arrays of the same block size takes one number instead of three.

use super::counts::{Groups, ThreadKey};
use super::lowering::Lowering;
use super::place::Origin;
use super::work::Root;
use crate::sema::ast::ExprKind;
use crate::sema::types::*;
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// Before a full expression is written with counts.
    pub(super) fn begin_counted_root(&mut self, root: Root) {
        let changed = self.changed_in(root.expr);
        let is_begin = root.straight == self.emission.work.entry;
        let of_calls = self.emission.function.counts.entry_counter;
        let groups = &mut self.emission.function.counts.groups;
        if groups.straight != root.straight || changed.is_none() {
            groups.known.clear();
            groups.of_calls = None;
            groups.begins = None;
        }
        if groups.straight != root.straight && is_begin && changed.is_some() {
            groups.begins = self.emission.function.counts.small;
            groups.of_calls = of_calls;
        }
        groups.straight = root.straight;
        let is_changed = |key: &ThreadKey| {
            let changed = changed.as_deref().unwrap_or_default();
            key.variables.iter().any(|v| changed.contains(v))
        };
        groups.known.retain(|(key, _)| !is_changed(key));
        groups.changed = changed;
    }

    /// No access that follows is counted together with one before.
    pub(super) fn end_groups(&mut self) {
        self.emission.function.counts.groups = Groups::default();
    }

    /// The number that counts an access to `e` together with others, if one does already; the key
    /// under which it may otherwise be noted.
    pub(super) fn group_of(&mut self, e: ExprId) -> (Option<usize>, Option<ThreadKey>) {
        let key = self.thread_key(e);
        let groups = &self.emission.function.counts.groups;
        let key = key.filter(|key| match &groups.changed {
            Some(changed) => !key.variables.iter().any(|v| changed.contains(v)),
            None => false,
        });
        let known = groups.known.iter().find(|(k, _)| Some(k) == key.as_ref());
        (known.map(|(_, counter)| *counter), key)
    }

    /// Notes that a number counts accesses to the thread of `key`.
    pub(super) fn note_group(&mut self, key: ThreadKey, counter: usize) {
        let groups = &mut self.emission.function.counts.groups;
        groups.known.push((key, counter));
    }

    /// Variables that a full expression assigns to; `None` if not all of it is evaluated for
    /// certain, or more happens in it.
    fn changed_in(&self, root: ExprId) -> Option<Vec<u32>> {
        let (lo, hi) = (self.unit.expr(root).lo, self.unit.expr(root).hi);
        let may_skip = |t: TokIdx| {
            let kind = self.unit.token(t).kind;
            matches!(
                kind,
                Tok::Punct(P::Question | P::AndAnd | P::OrOr | P::LBrace)
                    | Tok::Kw(K::Generic | K::ChooseExpr)
            )
        };
        if (lo..hi).any(may_skip) {
            return None;
        }
        let mut changed = Vec::new();
        // Its parts were built just before it.
        let first = (0..root).rev().find(|&e| self.unit.expr(e).lo < lo);
        for e in self
            .unit
            .exprs
            .range((first.map_or(0, |e| e + 1), root + 1))
        {
            match e.kind {
                ExprKind::Assign(_, x, _)
                | ExprKind::Postfix(_, x)
                | ExprKind::Unary(P::Inc | P::Dec, x) => changed.extend(self.unit.variable_of(x)),
                ExprKind::Call(f, _) if self.may_report(f, u32::MAX) || self.leaves(f) => {
                    return None;
                }
                _ => {}
            }
        }
        Some(changed)
    }

    fn thread_key(&mut self, e: ExprId) -> Option<ThreadKey> {
        let mut e = self.unit.strip(e);
        // Members are where their structure is.
        while let ExprKind::Member { base, arrow, .. } = self.unit.expr(e).kind {
            if arrow {
                let variable = self.unit.variable_of(base)?;
                return self.pointer_key(variable);
            }
            e = self.unit.strip(base);
        }
        let place = self.place_of(e);
        let block = match self.unit.types.shared(place.ty)?.block {
            Block::Size(block) => block,
            _ => return None,
        };
        let mut key = match place.origin {
            Origin::Object(_) => ThreadKey {
                text: format!("block {block}"),
                variables: Vec::new(),
            },
            Origin::Pointer(p) => {
                let variable = self.unit.variable_of(p)?;
                self.pointer_key(variable)?
            }
            Origin::Lvalue(_) => return None,
        };
        if block == 0 {
            return Some(key);
        }
        for (e, minus, ty) in &place.terms {
            let count = self.unit.count(*ty);
            if count.threads > 0 || !count.exprs.is_empty() || count.open {
                return None;
            }
            self.add_variables(*e, &mut key.variables)?;
            let (lo, hi) = (self.unit.expr(*e).lo, self.unit.expr(*e).hi);
            let tokens: Vec<&str> = (lo..hi).map(|t| self.unit.src.text_of(t)).collect();
            let sign = if *minus { '-' } else { '+' };
            key.text += &format!(" {sign} {} * ({})", count.n, tokens.join(" "));
        }
        Some(key)
    }

    fn pointer_key(&self, variable: u32) -> Option<ThreadKey> {
        let symbol = self.unit.symbol(variable);
        let quals = self.unit.types.quals(symbol.ty);
        let is_private = quals.shared.is_none() && quals.bits & VOLATILE == 0;
        (is_private && self.unit.stays_private(variable)).then(|| ThreadKey {
            text: format!("pointer {variable}"),
            variables: vec![variable],
        })
    }

    /// Adds the variables of an expression whose value depends on nothing else.
    fn add_variables(&self, e: ExprId, variables: &mut Vec<u32>) -> Option<()> {
        match self.unit.expr(e).kind {
            ExprKind::Const(_) | ExprKind::Threads | ExprKind::MyThread => Some(()),
            ExprKind::Ident(s) => {
                let symbol = self.unit.symbol(s);
                let quals = self.unit.types.quals(symbol.ty);
                let is_simple = quals.shared.is_none()
                    && quals.bits & VOLATILE == 0
                    && self.unit.stays_private(s);
                variables.push(s);
                is_simple.then_some(())
            }
            ExprKind::Paren(x) | ExprKind::Unary(P::Plus | P::Minus, x) | ExprKind::Cast(_, x) => {
                self.add_variables(x, variables)
            }
            ExprKind::Binary(
                P::Plus | P::Minus | P::Star | P::Slash | P::Percent | P::Shl | P::Shr,
                a,
                b,
            ) => {
                self.add_variables(a, variables)?;
                self.add_variables(b, variables)
            }
            _ => None,
        }
    }
}
