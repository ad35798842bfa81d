//! Names of C's library that only our headers have declared. They include `<stdlib.h>` for programs that rely on it, and a
//! program that does not, with an own function of such a name, must not notice.

use super::rope::Rope;
use crate::sema::types::*;
use crate::syntax::token::*;
use crate::unit::*;

impl Unit<'_> {
    /// A program's own declaration of `name` at `token` in file scope takes the place of C's library's if both cannot stand
    /// side by side: that gets another name in all headers before.
    pub(crate) fn c_library_gives_way(
        &mut self,
        name: Name,
        token: TokIdx,
        kind: SymKind,
        ty: QualTy,
        internal: bool,
    ) {
        let Some(old) = self.lookup(name).filter(|_| self.scopes.is_empty()) else {
            return;
        };
        let system = |u: &Self, t: TokIdx| u.token(t).flags & (SYSTEM | OURS);
        let symbol = &self.symbols[old as usize];
        if system(self, symbol.token) != SYSTEM
            || system(self, token) != 0
            || !self.is_included_by_ours(symbol.token)
            || (symbol.kind == kind && !internal && self.agrees(symbol.ty, ty))
        {
            return;
        }
        let other = format!("upcr_replaced_{}", self.name(name));
        for t in 0..token {
            let it = self.token(t);
            if it.name == name && it.kind == Tok::Ident && it.flags & (SYSTEM | OURS) != 0 {
                self.edits.replace(t, t + 1, Rope::from_text(&other));
            }
        }
        self.visible[name as usize] = 0;
    }

    /// Whether one of our headers, or a header that it includes, has included what stands at a token.
    fn is_included_by_ours(&self, token: TokIdx) -> bool {
        let Some(dir) = self.src.own_dir else {
            return false;
        };
        let around = |i: &&crate::syntax::lex::Include| (i.first..i.end).contains(&token);
        let mut includes = self.src.includes.iter().filter(around);
        includes.any(|i| self.src.files[i.parent as usize].starts_with(dir))
    }

    /// Whether two declarations can be of the same thing. A function without a prototype agrees with any parameters.
    fn agrees(&self, a: QualTy, b: QualTy) -> bool {
        let same = |x: QualTy, y: QualTy| {
            self.types.is_unknown(x) || self.types.is_unknown(y) || self.same_type(x, y)
        };
        match (self.types.func(a), self.types.func(b)) {
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
