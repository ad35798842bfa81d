//! Contextual keywords: `shared`, `strict`, `relaxed`, `THREADS` and `MYTHREAD` are keywords of UPC
//! and identifiers in C. Decides which of the two each one is, and whether a source is UPC at all.

use super::lex::Source;
use super::token::*;

/// Extent to which a source uses UPC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UseOfUpc {
    /// Nothing: it is C.
    Nothing,
    /// Only contextual keywords.
    Contextual,
    /// Constructs that only UPC has.
    Certain,
}

/// Whether C programs use `k` as an identifier.
fn is_contextual(k: K) -> bool {
    matches!(
        k,
        K::Shared | K::Strict | K::Relaxed | K::Threads | K::MyThread
    )
}

/// Use of UPC in a source and the headers that it includes. Headers of the system do not count.
pub fn use_of_upc(src: &Source<'_>) -> UseOfUpc {
    if src.upc_header {
        return UseOfUpc::Certain;
    }
    let mut found = UseOfUpc::Nothing;
    for t in &src.tokens {
        if t.flags & (SYSTEM | OURS) != 0 {
            continue;
        }
        match t.kind {
            Tok::Kw(k) if is_contextual(k) => found = UseOfUpc::Contextual,
            Tok::Kw(
                K::Forall
                | K::Barrier
                | K::Notify
                | K::Wait
                | K::Fence
                | K::LocalSizeof
                | K::BlockSizeof
                | K::ElemSizeof,
            ) => return UseOfUpc::Certain,
            _ => {}
        }
    }
    found
}

/// Makes all of them identifiers.
pub fn demote_all(src: &mut Source<'_>) {
    for t in &mut src.tokens {
        if matches!(t.kind, Tok::Kw(k) if is_contextual(k)) && t.flags & OURS == 0 {
            t.kind = Tok::Ident;
        }
    }
}

/// Makes identifiers of those that can be nothing else: members after `.` and `->`, and in headers
/// those that are declared there (`int shared;`), with all their uses in that header.
pub fn demote_identifiers(src: &mut Source<'_>) {
    let mut declared: Vec<(u32, K)> = Vec::new();
    let contextual: Vec<usize> = (0..src.tokens.len())
        .filter(|&i| matches!(src.tokens[i].kind, Tok::Kw(k) if is_contextual(k)))
        .collect();
    for &i in &contextual {
        let (Tok::Kw(k), file) = (src.tokens[i].kind, src.tokens[i].file) else {
            continue;
        };
        let before = i.checked_sub(1).map_or(Tok::Eof, |b| src.tokens[b].kind);
        if matches!(before, Tok::Punct(P::Dot | P::Arrow)) {
            src.tokens[i].kind = Tok::Ident;
        } else if file != 0 && !declared.contains(&(file, k)) && is_declared(src, i, k, before) {
            declared.push((file, k));
        }
    }
    for i in contextual {
        let t = &mut src.tokens[i];
        if matches!(t.kind, Tok::Kw(k) if declared.contains(&(t.file, k))) {
            t.kind = Tok::Ident;
        }
    }
}

/// Whether the keyword at token `i` stands where only a name that is declared can stand.
fn is_declared(src: &Source<'_>, i: usize, k: K, before: Tok) -> bool {
    let type_before = match before {
        Tok::Kw(t) => matches!(
            t,
            K::Char
                | K::Short
                | K::Int
                | K::Long
                | K::Signed
                | K::Unsigned
                | K::Float
                | K::Double
                | K::Bool
        ),
        Tok::Ident | Tok::Punct(P::Star) => !matches!(k, K::Threads | K::MyThread),
        Tok::Punct(P::LBrace | P::Comma) => matches!(k, K::Threads | K::MyThread),
        _ => false,
    };
    let mut after = i + 1;
    let is = |at: usize, p: P| src.tokens[at].kind == Tok::Punct(p);
    // `int shared[10];`, which without the `;` would be a layout.
    while is(after, P::LBracket) {
        while !is(after, P::RBracket) && src.tokens[after].kind != Tok::Eof {
            after += 1;
        }
        if src.tokens[after].kind == Tok::Eof {
            return false;
        }
        after += 1;
    }
    let enumerator = matches!(before, Tok::Punct(P::LBrace | P::Comma));
    type_before
        && match src.tokens[after].kind {
            Tok::Punct(P::Assign) => true,
            Tok::Punct(P::Semi | P::Comma | P::RParen | P::Colon) => !enumerator,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lex::lex;

    fn kinds(text: &str) -> Vec<bool> {
        let mut src = lex(text, "a.upc");
        demote_identifiers(&mut src);
        src.tokens
            .iter()
            .enumerate()
            .filter(|(i, _)| {
                ["shared", "strict", "relaxed", "THREADS", "MYTHREAD"]
                    .contains(&src.text_of(*i as TokIdx))
            })
            .map(|(_, t)| t.kind == Tok::Ident)
            .collect()
    }

    #[test]
    fn members_are_names_everywhere() {
        assert_eq!(
            kinds("x.shared = p->strict; shared int y;"),
            [true, true, false]
        );
    }

    #[test]
    fn what_a_header_declares_is_a_name_in_it() {
        let text = "# 1 \"h.h\" 1\nstruct s { int shared; T *strict[4]; };\nvoid f(int \
                    relaxed);\nint g() { return shared + MYTHREAD; }\nenum { THREADS = 4 };\n# 2 \
                    \"a.upc\" 2\nshared int x[THREADS]; relaxed shared int y;";
        assert_eq!(
            kinds(text),
            [
                true, true, true, true, false, true, false, false, false, false
            ]
        );
    }

    #[test]
    fn declarations_of_upc_in_headers_stay() {
        let text = "# 1 \"h.h\" 1\nint shared [4] x; shared [] int *f(int shared *, strict shared \
                    int *p);\nextern shared int a[THREADS], b[2 * THREADS];\n# 2 \"a.upc\" 2\n;";
        assert!(kinds(text).iter().all(|name| !name));
    }

    #[test]
    fn what_only_upc_has_is_seen() {
        let of = |text: &str| use_of_upc(&lex(text, "a.c"));
        assert_eq!(of("int main(void) { return 0; }"), UseOfUpc::Nothing);
        assert_eq!(of("int shared;"), UseOfUpc::Contextual);
        assert_eq!(of("void f() { upc_barrier; }"), UseOfUpc::Certain);
    }
}
