//! Declarations of one thing agree: in type and layout, in linkage, and in who gives the first value.

use super::types::*;
use crate::parse::specs::Storage;
use crate::syntax::token::*;
use crate::unit::*;

impl Unit<'_> {
    /// Reports a declaration that differs from an earlier one in its layout, or in its type if it is shared.
    pub(crate) fn check_redeclaration(&mut self, old: u32, ty: QualTy, token: TokIdx) {
        let symbol = &self.symbols[old as usize];
        let (name, before, first) = (self.name(symbol.name), symbol.ty, symbol.token);
        let references = |t| self.types.quals(t).bits & (STRICT | RELAXED);
        let (what, hint) = if !self.same_layout(before, ty, 0) {
            (
                "layout",
                "all declarations of an object or function agree in 'shared' and block sizes",
            )
        } else if self.types.shared(ty).is_none() {
            return;
        } else if self.types_differ(before, ty, 0) {
            (
                "type",
                "all declarations of an object agree in its type and length",
            )
        } else if references(before) | references(ty) == STRICT | RELAXED {
            (
                "reference type",
                "it is strict in all declarations, or relaxed in all",
            )
        } else {
            return;
        };
        let text = format!("'{name}' is declared with another {what} than before");
        let errors = self.errors;
        self.error(token, token + 1, &text, "UPC 1.3, 6.5.1.1", hint);
        if self.errors > errors {
            self.note(first, "the declaration before it");
        }
    }

    /// Whether two types are different for certain. Signed and unsigned count as the same.
    pub(crate) fn types_differ(&self, a: QualTy, b: QualTy, depth: u32) -> bool {
        if depth > 50 || self.types.is_unknown(a) || self.types.is_unknown(b) {
            return false;
        }
        match (self.types.array(a), self.types.array(b)) {
            (Some((x, m)), Some((y, n))) => {
                let lengths = matches!((m, n), (Len::Const { .. }, Len::Const { .. })) && m != n;
                return lengths || self.types_differ(x, y, depth + 1);
            }
            (None, None) => {}
            _ => return true,
        }
        if let (Some(x), Some(y)) = (self.types.pointee(a), self.types.pointee(b)) {
            return self.types_differ(x, y, depth + 1);
        }
        if self.types.func(a).is_some() || self.types.func(b).is_some() {
            return false;
        }
        match (self.types.kind(a), self.types.kind(b)) {
            (Type::Record(x), Type::Record(y)) => x != y,
            (
                Type::Basic { size, rank, .. },
                Type::Basic {
                    size: n, rank: r, ..
                },
            ) => size != n || (*rank >= 100) != (*r >= 100),
            (Type::Enum(_), Type::Basic { size, rank, .. })
            | (Type::Basic { size, rank, .. }, Type::Enum(_)) => *size != 4 || *rank >= 100,
            (Type::Enum(_), Type::Enum(_)) => false,
            _ => true,
        }
    }

    /// Linkage of a shared object that was declared before: static in all declarations or in none.
    pub(crate) fn check_linkage(&mut self, name: Name, token: TokIdx, storage: Storage) {
        let Some(old) = self.lookup(name).map(|s| &self.symbols[s as usize]) else {
            return;
        };
        let first = old.token;
        if old.kind != SymKind::Object || old.local || self.types.shared(old.ty).is_none() {
            return;
        }
        let text = match (old.internal, storage.internal) {
            (true, false) if !storage.external => {
                "is declared without static after a declaration with it"
            }
            (false, true) => "is declared static after a declaration without it",
            _ => return,
        };
        let text = format!("'{}' {text}", self.name(name));
        let errors = self.errors;
        self.error(token, token + 1, &text, "C99, 6.2.2", "");
        if self.errors > errors {
            self.note(first, "the declaration before it");
        }
    }

    /// A shared object has one initialiser; an extern declaration in a block has none.
    pub(crate) fn check_initialised_once(&mut self, number: u32, token: TokIdx, in_block: bool) {
        let symbol = &self.symbols[number as usize];
        let (name, first) = (self.name(symbol.name), symbol.token);
        if in_block {
            let text = format!("'{name}' is extern in a block and has an initialiser");
            return self.error(
                token,
                token + 1,
                &text,
                "C99, 6.7.8",
                "initialise it at file scope",
            );
        }
        if !self.initialised.insert(number) {
            let text = format!("'{name}' is initialised twice");
            self.error(token, token + 1, &text, "C99, 6.9", "");
            self.note(first, "its first declaration");
        }
    }

    fn same_layout(&self, a: QualTy, b: QualTy, depth: u32) -> bool {
        if depth > 50 {
            return true;
        }
        let (x, y) = (self.types.quals(a).shared, self.types.quals(b).shared);
        let block = match (x, y) {
            (None, None) => true,
            (Some(x), Some(y)) => {
                !matches!((x.block, y.block), (Block::Size(m), Block::Size(n)) if m != n)
            }
            _ => {
                self.types.is_unknown(self.types.ultimate(a))
                    || self.types.is_unknown(self.types.ultimate(b))
            }
        };
        if !block {
            return false;
        }
        let (a, b) = (self.types.ultimate(a), self.types.ultimate(b));
        if let (Some(p), Some(q)) = (self.types.pointee(a), self.types.pointee(b)) {
            return self.same_layout(p, q, depth + 1);
        }
        if let (Some(f), Some(g)) = (self.types.func(a), self.types.func(b)) {
            if !self.same_layout(f.ret, g.ret, depth + 1) {
                return false;
            }
            let both = f.prototype && g.prototype && f.params.len() == g.params.len();
            return !both
                || f.params
                    .iter()
                    .zip(&g.params)
                    .all(|(p, q)| self.same_layout(p.ty, q.ty, depth + 1));
        }
        true
    }
}
