//! Declarations of one thing agree: in type and layout, in linkage, and in who gives the first
//! value.

use super::symbols::{Storage, SymKind};
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

impl Unit<'_> {
    /// Reports a declaration that differs from an earlier one in its layout, or in its type if it
    /// is shared.
    pub(crate) fn check_redeclaration(&mut self, old: u32, ty: QualTy, token: TokIdx) {
        let symbol = self.symbol(old);
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
        let errors = self.messages.errors();
        self.error(token, token + 1, &text, "UPC 1.3, 6.5.1.1", hint);
        if self.messages.errors() > errors {
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
            (Type::Basic { size, .. }, Type::Basic { size: n, .. }) => {
                size != n || self.types.is_floating(a) != self.types.is_floating(b)
            }
            (Type::Enum(_), Type::Basic { size, .. }) => *size != 4 || self.types.is_floating(b),
            (Type::Basic { size, .. }, Type::Enum(_)) => *size != 4 || self.types.is_floating(a),
            (Type::Enum(_), Type::Enum(_)) => false,
            _ => true,
        }
    }

    /// Linkage of a shared object that was declared before: static in all declarations or in none.
    pub(crate) fn check_linkage(&mut self, name: Name, token: TokIdx, storage: Storage) {
        let Some(old) = self.lookup(name).map(|s| self.symbol(s)) else {
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
        let errors = self.messages.errors();
        self.error(token, token + 1, &text, "C99, 6.2.2", "");
        if self.messages.errors() > errors {
            self.note(first, "the declaration before it");
        }
    }

    /// A shared object has one initialiser; an extern declaration in a block has none.
    pub(crate) fn check_initialised_once(&mut self, number: u32, token: TokIdx, in_block: bool) {
        let symbol = self.symbol(number);
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
        if std::mem::replace(&mut self.symbols.get_mut(number).initialised, true) {
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

    /// Whether two types are the same for certain, apart from qualifiers at the top.
    pub(crate) fn same_type(&self, a: QualTy, b: QualTy) -> bool {
        if let (Some((x, _)), Some((y, _))) = (self.types.array(a), self.types.array(b)) {
            return self.same_target(x, y);
        }
        match (self.types.pointee(a), self.types.pointee(b)) {
            (Some(x), Some(y)) => self.same_target(x, y),
            (None, None) if self.types.func(a).is_some() && self.types.func(b).is_some() => {
                self.same_function(a, b)
            }
            (None, None) => self.types.same_leaf(self.types.kind(a), self.types.kind(b)),
            _ => false,
        }
    }

    fn same_function(&self, a: QualTy, b: QualTy) -> bool {
        let (Some(f), Some(g)) = (self.types.func(a), self.types.func(b)) else {
            return false;
        };
        f.prototype == g.prototype
            && f.variadic == g.variadic
            && f.params.len() == g.params.len()
            && self.same_target(f.ret, g.ret)
            && f.params
                .iter()
                .zip(&g.params)
                .all(|(p, q)| self.same_target(p.ty, q.ty))
    }

    /// Whether what two pointers point to is the same, with its qualifiers and layout.
    pub(crate) fn same_target(&self, a: QualTy, b: QualTy) -> bool {
        let (p, q) = (self.types.quals(a), self.types.quals(b));
        p.bits == q.bits
            && p.shared.map(|s| s.block) == q.shared.map(|s| s.block)
            && self.same_type(a, b)
    }
}
