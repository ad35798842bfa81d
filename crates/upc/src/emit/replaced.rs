//! Names that only our headers have declared and that a program defines itself: functions of
//! Berkeley UPC's library, and of C's, since our headers include `<stdlib.h>` for programs that
//! rely on it. The program must not notice, so the header's declaration gets another name.

use super::lowering::Lowering;
use crate::sema::symbols::SymKind;
use crate::sema::types::*;
use crate::syntax::token::*;

impl Lowering<'_, '_> {
    /// A program's own declaration of `name`, at `token` in file scope, takes the place of the
    /// library's: that gets another name wherever it stands before. Berkeley UPC's names always
    /// give way, because programs for several compilers define them for those that lack them;
    /// others where `differs` says that both cannot stand side by side.
    pub(crate) fn give_way(&mut self, name: Name, token: TokIdx, differs: bool) {
        let Some(old) = self
            .unit
            .lookup(name)
            .filter(|_| self.unit.symbols.at_file_scope())
        else {
            return;
        };
        let ours = |u: &Self, t: TokIdx| u.unit.token(t).flags & OURS != 0;
        let text = self.unit.name(name);
        let berkeley = text.starts_with("bupc_");
        if !ours(self, self.unit.symbol(old).token)
            || ours(self, token)
            || !(berkeley || differs && text.starts_with("upc_"))
        {
            return;
        }
        for t in 0..token {
            let it = self.unit.token(t);
            if it.name == name && it.kind == Tok::Ident && it.flags & OURS != 0 {
                let other = format!("upcr_replaced_{text}");
                self.emission.edits.replace(t, t + 1, other);
            }
        }
        self.unit.symbols.forget(name);
    }

    /// A program's own declaration of `name` at `token` in file scope takes the place of C's
    /// library's if both cannot stand side by side: that gets another name in all headers
    /// before.
    pub(crate) fn c_library_gives_way(
        &mut self,
        name: Name,
        token: TokIdx,
        kind: SymKind,
        ty: QualTy,
        internal: bool,
    ) {
        let Some(old) = self
            .unit
            .lookup(name)
            .filter(|_| self.unit.symbols.at_file_scope())
        else {
            return;
        };
        let system = |u: &Self, t: TokIdx| u.unit.token(t).flags & (SYSTEM | OURS);
        let symbol = self.unit.symbol(old);
        if system(self, symbol.token) != SYSTEM
            || system(self, token) != 0
            || !self.is_included_by_ours(symbol.token)
            || (symbol.kind == kind && !internal && self.agrees(symbol.ty, ty))
        {
            return;
        }
        let other = format!("upcr_replaced_{}", self.unit.name(name));
        for t in 0..token {
            let it = self.unit.token(t);
            if it.name == name && it.kind == Tok::Ident && it.flags & (SYSTEM | OURS) != 0 {
                self.emission.edits.replace(t, t + 1, other.as_str());
            }
        }
        self.unit.symbols.forget(name);
    }

    /// Whether one of our headers, or a header that it includes, has included what stands at a
    /// token.
    fn is_included_by_ours(&self, token: TokIdx) -> bool {
        let Some(dir) = self.unit.src.own_dir else {
            return false;
        };
        let around = |i: &&crate::syntax::lex::Include| (i.first..i.end).contains(&token);
        let mut includes = self.unit.src.includes.iter().filter(around);
        includes.any(|i| self.unit.src.files[i.parent as usize].starts_with(dir))
    }

    /// Whether two declarations can be of the same thing. A function without a prototype agrees
    /// with any parameters.
    fn agrees(&self, a: QualTy, b: QualTy) -> bool {
        let same = |x: QualTy, y: QualTy| {
            self.unit.types.is_unknown(x)
                || self.unit.types.is_unknown(y)
                || self.unit.same_type(x, y)
        };
        match (self.unit.types.func(a), self.unit.types.func(b)) {
            (Some(f), Some(g)) => {
                let either = !f.prototype || !g.prototype;
                let parameters = f.params.iter().zip(&g.params);
                same(f.ret, g.ret)
                    && (either
                        || (f.variadic == g.variadic
                            && f.params.len() == g.params.len()
                            && parameters.into_iter().all(|(p, q)| same(p.ty, q.ty))))
            }
            (None, None) => same(a, b),
            _ => false,
        }
    }
}
