//! C that is passed on as it is, because the compiler need not understand it: only `main` gets the name by which the
//! runtime's start finds it.

use super::rope::{Edits, Rope};
use crate::syntax::lex::Source;
use crate::syntax::token::*;

/// The edits, and whether `main` is defined.
pub(crate) fn edits(src: &Source<'_>) -> (Edits, bool) {
    let mut edits = Edits::default();
    let (mut depth, mut defines_main) = (0u32, false);
    for i in 0..src.tokens.len() as TokIdx {
        match src.tokens[i as usize].kind {
            Tok::Punct(P::LBrace) => depth += 1,
            Tok::Punct(P::RBrace) => depth = depth.saturating_sub(1),
            Tok::Ident if src.text_of(i) == "main" && !is_member(src, i) => {
                edits.replace(i, i + 1, Rope::from_text("user_main"));
                defines_main |= depth == 0 && body_follows(src, i + 1);
            }
            _ => {}
        }
    }
    if defines_main {
        // Whatever parameters it has, it finds these.
        let caller =
            "__attribute__((no_instrument_function)) int upcr_user_main(int argc, char **argv) { \
             extern char **upcr_environment __asm__(\"environ\"); \
             return ((int (*)(int, char **, char **))user_main)(argc, argv, upcr_environment); }";
        let mut quiet = Rope::default();
        quiet.quiet(Rope::from_text(caller));
        edits.before(src.tokens.len() as TokIdx - 1, quiet);
    }
    (edits, defines_main)
}

fn is_member(src: &Source<'_>, i: TokIdx) -> bool {
    i > 0
        && matches!(
            src.tokens[i as usize - 1].kind,
            Tok::Punct(P::Dot | P::Arrow)
        )
}

/// Whether a parameter list stands at `open`, and after it no end of a declaration.
fn body_follows(src: &Source<'_>, open: TokIdx) -> bool {
    let mut depth = 0u32;
    for t in &src.tokens[open as usize..] {
        match t.kind {
            Tok::Punct(P::LParen) => depth += 1,
            Tok::Punct(P::RParen) => depth = depth.saturating_sub(1),
            Tok::Punct(P::Semi | P::Comma) if depth == 0 => return false,
            Tok::Eof => return false,
            _ if depth == 0 => return t.kind != Tok::Punct(P::Assign),
            _ => {}
        }
    }
    false
}
