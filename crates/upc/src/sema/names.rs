//! Names that mean nothing: undeclared identifiers and unknown types, with the declared name that
//! was probably meant.

use super::symbols::{SymKind, Symbol};
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

/// Suggestions cost time in proportion to the number of names.
const MAX_SUGGESTIONS: usize = 30;

impl Unit<'_> {
    /// Reports an identifier that stands where a type is needed, and goes on as if it were one.
    pub(crate) fn unknown_type(&mut self, t: TokIdx) {
        let text = format!("unknown type name '{}'", self.src.text_of(t));
        let name = self.src.text_of(t);
        let meant = self.suggestion(name, |u, s| u.symbol(s).kind == SymKind::Typedef);
        let hint = match meant {
            Some(meant) => format!("did you mean '{meant}'?"),
            None if name.starts_with("upc_") => {
                "include <upc.h> or the header of that library".to_owned()
            }
            None => "is the header included that declares it?".to_owned(),
        };
        self.error(t, t + 1, &text, "", &hint);
        let name = self.token(t).name;
        self.symbols.declare(Symbol {
            defined: true,
            local: !self.symbols.at_file_scope(),
            ..Symbol::new(SymKind::Typedef, name, t, QualTy::plain(UNKNOWN))
        });
    }

    /// Reports an identifier in an expression that is not declared. Functions may be called without
    /// a declaration.
    pub(crate) fn undeclared_identifier(&mut self, name: Name, t: TokIdx) {
        let text = self.src.text_of(t);
        let called = self.token(t + 1).kind == Tok::Punct(P::LParen);
        let system = self.token(t).flags & (SYSTEM | OURS) != 0;
        if text.starts_with("__")
            || system
            || self.messages.syntax_error
            || !self.undeclared.insert(name)
        {
            return;
        }
        let what = |u: &Self, s: u32| u.symbol(s).kind != SymKind::Typedef;
        if called {
            // The C compiler warns about it; that the library's functions return no int is what it
            // cannot know.
            if !text.starts_with("upc_") && !text.starts_with("bupc_") {
                return;
            }
            let hint = match self.suggestion(text, what) {
                Some(meant) => format!("did you mean '{meant}'?"),
                None => "include <upc.h> or the header of that library".to_owned(),
            };
            let message = format!("'{text}' is called and not declared: it is taken to return int");
            return self.warn(t, t + 1, &message, "C99, 6.5.2.2", &hint);
        }
        let hint = match self.suggestion(text, what) {
            Some(meant) => format!("did you mean '{meant}'?"),
            None => String::new(),
        };
        self.error(t, t + 1, &format!("'{text}' is not declared"), "", &hint);
    }

    /// The declared name or keyword that is nearest to one that means nothing, if it is near.
    fn suggestion(&self, text: &str, fits: impl Fn(&Self, u32) -> bool) -> Option<&str> {
        if self.messages.len() > MAX_SUGGESTIONS || text.len() < 3 {
            return None;
        }
        let declared = self.src.names.iter().zip(self.symbols.visible());
        let names = declared
            .filter(|(_, s)| s.is_some_and(|s| fits(self, s)))
            .map(|(n, _)| *n)
            .chain(KEYWORDS.iter().map(|(text, _)| *text))
            .filter(|n| !n.starts_with("__") && !n.starts_with("upcr_"));
        let limit = (text.len() / 3).clamp(1, 3);
        names
            .map(|n| (distance(text, n, limit), n))
            .filter(|(d, _)| *d <= limit)
            .min()
            .map(|(_, n)| n)
    }
}

/// Insertions, deletions, replacements and exchanges of neighbours that turn one name into the
/// other; more than `limit` is not counted further.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > limit || a.len() > 60 {
        return limit + 1;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, first) in rows[0].iter_mut().enumerate() {
        *first = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        assert_eq!(distance("upc_memgett", "upc_memget", 3), 1);
        assert_eq!(distance("dobule", "double", 2), 1);
        assert_eq!(distance("unit", "int", 1), 2);
        assert_eq!(distance("abcdef", "x", 2), 3);
    }
}
