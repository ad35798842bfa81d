//! The keywords of UPC 1.0, which had no prefix: `forall`, `barrier`, `notify`, `wait`, `fence` and
//! the size operators. They are taken for keywords on request, where they stand as such and the
//! program declares nothing of that name.

use super::lex::Source;
use super::token::*;

const UPC10_KEYWORDS: [(&str, K); 10] = [
    ("forall", K::Forall),
    ("barrier", K::Barrier),
    ("notify", K::Notify),
    ("barrier_notify", K::Notify),
    ("wait", K::Wait),
    ("barrier_wait", K::Wait),
    ("fence", K::Fence),
    ("localsizeof", K::LocalSizeof),
    ("blocksizeof", K::BlockSizeof),
    ("elemsizeof", K::ElemSizeof),
];

/// Makes these identifiers keywords.
pub fn promote(src: &mut Source<'_>) {
    let found: Vec<(usize, K)> = (0..src.tokens.len())
        .filter(|&i| src.tokens[i].kind == Tok::Ident && src.tokens[i].flags & OURS == 0)
        .filter_map(|i| {
            let text = src.text_of(i as TokIdx);
            let word = UPC10_KEYWORDS.iter().find(|(word, _)| *word == text);
            Some((i, word?.1))
        })
        .collect();
    let mut declared: Vec<Name> = found
        .iter()
        .filter(|(i, _)| is_declared(src, *i))
        .map(|(i, _)| src.tokens[*i].name)
        .collect();
    declared.sort_unstable();
    declared.dedup();
    for (i, k) in found {
        let plain_use = src.tokens[i].flags & SYSTEM != 0 || !stands_as(src, i, k);
        // A declaration, such as that of the system's wait(), does not hide `wait;` and `wait 1;`,
        // which are no use of it.
        let ambiguous = matches!(src.tokens[i + 1].kind, Tok::Punct(p) if p != P::Semi);
        let hidden = ambiguous && declared.contains(&src.tokens[i].name);
        if !plain_use && !hidden {
            src.tokens[i].kind = Tok::Kw(k);
        }
    }
}

/// Whether the word at token `i` is declared there.
fn is_declared(src: &Source<'_>, i: usize) -> bool {
    match i.checked_sub(1).map(|before| src.tokens[before].kind) {
        Some(Tok::Ident | Tok::Punct(P::Star)) => true,
        Some(Tok::Kw(k)) => !matches!(k, K::Else | K::Do | K::Return | K::Sizeof),
        _ => false,
    }
}

/// Whether the word at token `i` stands where this keyword can.
fn stands_as(src: &Source<'_>, i: usize, k: K) -> bool {
    let before = i.checked_sub(1).map_or(Tok::Eof, |b| src.tokens[b].kind);
    let after = src.tokens[i + 1].kind;
    match k {
        K::LocalSizeof | K::BlockSizeof | K::ElemSizeof => {
            matches!(after, Tok::Ident | Tok::Punct(P::LParen))
                && !matches!(before, Tok::Punct(P::Dot | P::Arrow))
        }
        _ => {
            let begins = matches!(
                before,
                Tok::Punct(P::Semi | P::LBrace | P::RBrace | P::RParen | P::Colon)
                    | Tok::Kw(K::Else | K::Do)
            );
            let goes_on = match k {
                K::Forall => after == Tok::Punct(P::LParen),
                K::Fence => after == Tok::Punct(P::Semi),
                _ => matches!(
                    after,
                    Tok::Punct(P::Semi | P::LParen | P::Plus | P::Minus | P::Not | P::Tilde)
                        | Tok::Number
                        | Tok::Char
                        | Tok::Ident
                        | Tok::Kw(_)
                ),
            };
            begins && goes_on
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lex::lex;

    /// The words that become keywords.
    fn promoted(text: &str) -> Vec<String> {
        let mut src = lex(text, "a.upc");
        promote(&mut src);
        (0..src.tokens.len() as TokIdx)
            .filter(|&i| {
                matches!(src.tokens[i as usize].kind, Tok::Kw(_))
                    && UPC10_KEYWORDS
                        .iter()
                        .any(|(word, _)| *word == src.text_of(i))
            })
            .map(|i| src.text_of(i).to_owned())
            .collect()
    }

    #[test]
    fn statements_and_operators_are_keywords() {
        assert_eq!(
            promoted(
                "{ forall (;;;) x; barrier; barrier 1; notify i; wait (i); if (x) fence; else \
                 barrier; n = localsizeof a; }"
            ),
            [
                "forall",
                "barrier",
                "barrier",
                "notify",
                "wait",
                "fence",
                "barrier",
                "localsizeof"
            ]
        );
    }

    #[test]
    fn names_of_the_program_stay_names() {
        for text in [
            "int barrier; int main() { barrier = 1; barrier++; s.wait = 1; return barrier; }",
            "extern int wait(int *); int f() { wait(0); x = wait(0); }",
            "struct s { int notify; }; f(fence); g(s->localsizeof (x));",
            "void forall(int); void f() { forall(1); }",
        ] {
            assert!(promoted(text).is_empty(), "{text}: {:?}", promoted(text));
        }
        // The system's function, and the statement.
        assert_eq!(
            promoted("extern int wait(int *); void f() { wait(0); wait; }"),
            ["wait"]
        );
    }
}
