//! Types as C text: pointers-to-shared become `upcr_pts`, other shared types lose the qualifier.

use super::rope::Rope;
use crate::sema::layout::Count;
use crate::sema::types::*;
use crate::sema::unit::Unit;
use crate::syntax::token::TokIdx;

fn quals_text(bits: u8) -> String {
    let mut s = String::new();
    for (bit, text) in [
        (CONST, "const "),
        (VOLATILE, "volatile "),
        (RESTRICT, "__restrict "),
        (ATOMIC, "_Atomic "),
    ] {
        if bits & bit != 0 {
            s += text;
        }
    }
    s
}

impl Unit<'_> {
    /// A declaration of `inner`, a declarator without its type, as `ty`.
    pub(crate) fn decl_text(&self, ty: QualTy, inner: impl Into<Rope>) -> Rope {
        let inner = inner.into();
        let mut out = Rope::default();
        let base = |text: &str, bits: u8, inner: Rope| {
            let mut out = Rope::from_text(&format!("{}{text} ", quals_text(bits & !RESTRICT)));
            out.append(inner);
            out
        };
        match self.types.get(ty.id) {
            Type::Unknown => base("int", ty.q.bits, inner),
            Type::Basic { text, .. } => base(text, ty.q.bits, inner),
            Type::Tokens(lo, hi) => {
                out.text(&quals_text(ty.q.bits & !RESTRICT));
                out.inline(*lo, *hi);
                out.text(" ");
                out.append(inner);
                out
            }
            Type::Typedef(name, to) => match self.types.shared(*to) {
                Some(_) if self.types.func(*to).is_none() => self.decl_text(
                    QualTy {
                        id: to.id,
                        q: to.q.with(ty.q),
                    },
                    inner,
                ),
                _ => base(self.name(*name), ty.q.bits, inner),
            },
            Type::Record(n) => base(
                &self.record_name(&self.types.records[*n as usize], *n),
                ty.q.bits,
                inner,
            ),
            Type::Enum(n) => base(
                &self.record_name(&self.types.enums[*n as usize], *n),
                ty.q.bits,
                inner,
            ),
            Type::Pointer(to) => {
                if self.types.shared(*to).is_some() {
                    return base("upcr_pts", ty.q.bits, inner);
                }
                let group = !matches!(self.types.get(to.id), Type::Typedef(..))
                    && (self.types.array(*to).is_some() || self.types.func(*to).is_some());
                out.text(if group { "(*" } else { "*" });
                out.text(&quals_text(ty.q.bits));
                out.append(inner);
                out.text(if group { ")" } else { "" });
                self.decl_text(*to, out)
            }
            Type::Array(elem, len) => {
                out.append(inner);
                out.text("[");
                match len {
                    Len::None => {}
                    Len::Const { n, threads: false } => out.text(&n.to_string()),
                    Len::Const { n, threads: true } => out.text(&format!("{n} * upcr_threads")),
                    Len::Expr { expr, .. } => out.inline(self.expr(*expr).lo, self.expr(*expr).hi),
                }
                out.text("]");
                self.decl_text(
                    QualTy {
                        id: elem.id,
                        q: elem.q.with(ty.q),
                    },
                    out,
                )
            }
            Type::Func(f) => {
                out.append(inner);
                out.inline(f.list.0, f.list.1);
                self.decl_text(f.ret, out)
            }
        }
    }

    fn record_name(&self, r: &Record, number: u32) -> String {
        match r.tag {
            Some(tag) => format!("{} {}", r.keyword, self.name(tag)),
            None => {
                r.needs_tag.set(true);
                format!("{} upcr_{}_{number}", r.keyword, r.keyword)
            }
        }
    }

    /// The definition of a structure, union or enumeration as a declaration of its own, in front of
    /// those that speak of it.
    pub(crate) fn body_text(&self, rope: &mut Rope, ty: QualTy, body: Option<(TokIdx, TokIdx)>) {
        if let Some((lo, hi)) = body {
            rope.copy(lo, hi);
            rope.text("; ");
            // Also where none of them does: the C compiler warns of a declaration of nothing.
            self.decl_text(self.bare(ty), Rope::default());
        }
    }

    /// `sizeof(T)` of an ultimate element.
    pub(crate) fn sizeof_text(&self, ty: QualTy) -> Rope {
        let mut out = Rope::from_text("sizeof(");
        out.append(self.decl_text(self.bare(ty), Rope::default()));
        out.text(")");
        out
    }

    /// The type of a private copy: without qualifiers.
    pub(crate) fn bare(&self, ty: QualTy) -> QualTy {
        match self.types.resolve(ty).q == Quals::default() {
            true => ty,
            false if self.types.quals(ty.unqualified()) == Quals::default() => ty.unqualified(),
            false => self.types.resolve(ty).unqualified(),
        }
    }

    /// The product as a C expression of type long.
    pub(crate) fn count_text(&self, count: &Count) -> Rope {
        let mut out = Rope::from_text(&format!("({}L", count.n));
        for _ in 0..count.threads {
            out.text(" * upcr_threads");
        }
        for &e in &count.exprs {
            out.text(" * (long)(");
            out.inline(self.expr(e).lo, self.expr(e).hi);
            out.text(")");
        }
        out.text(")");
        out
    }

    /// THREADS in C.
    pub(crate) fn threads_text(&self) -> String {
        self.options
            .threads
            .map_or("upcr_threads".to_owned(), |n| n.to_string())
    }
}
