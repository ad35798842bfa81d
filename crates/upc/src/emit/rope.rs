//! Pieces of output: generated text, and ranges of the user's tokens that are to be copied. Edits
//! say which ranges of tokens are replaced by what; they are applied when a range is printed,
//! nested ones too.

use crate::syntax::token::*;
use std::collections::HashMap;

/// One piece of output.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Generated text.
    Text(String),
    /// Tokens from the first to before the second, each on its line of the source.
    Copy(TokIdx, TokIdx),
    /// The same without regard to their lines.
    Inline(TokIdx, TokIdx),
    /// As `Copy`, with the edits for loops over own elements.
    Own(TokIdx, TokIdx),
    /// Declarations of the compiler's own at file scope: the C compiler does not warn about them.
    Quiet(Rope),
    /// The count of an access.
    Count(Count),
    /// Text that is left out where nothing is recorded.
    Recorded(Rope),
}

/// The count of an access to shared data, whose text depends on where it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// Number of the table.
    pub table: u32,
    /// Which of its numbers.
    pub counter: usize,
    /// Which data it is.
    pub of: CountOf,
}

/// The data of a [`Count`].
#[derive(Clone, Debug, PartialEq)]
pub enum CountOf {
    /// At the address in the variable `upcr_a` with this number; the count is a statement.
    Address(u32),
    /// The thread's own; the C for the bytes of an access. The count is the first part of an
    /// expression, with a comma behind it.
    Own(Rope),
    /// None: it is a call of a function. The count is the first part of an expression, too.
    Call,
    /// Nothing is counted: a statement that sets the site with this number, since the access that
    /// follows may be to another node.
    Site(usize),
    /// At the address in the variable `upcr_a` with this number, about to be written; the C for its
    /// size. Nothing is counted: a statement that reports the write, whose site has the number
    /// `counter`, if another thread waits for it.
    Write(u32, Rope),
    /// The thread's own, accessed once in each iteration of a loop that has ended: how often that
    /// is, and the C for the bytes of an access. The count is a statement.
    Iterations(String, Rope),
}

/// A loop, or the body of a function, that is printed twice: with counts, and without.
#[derive(Clone, Debug)]
pub struct Version {
    /// The token behind it.
    pub end: TokIdx,
    /// Number of the table of its counts, if it has any.
    pub table: Option<u32>,
    /// Code that reports the begin and end of a function in the form with counts; else empty.
    pub call: String,
    /// Numbers that are variables in the loop: of accesses to own data, with the C for the bytes of
    /// an access, and of calls.
    pub own: Vec<(usize, Option<Rope>)>,
}

/// Pieces in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rope(pub Vec<Part>);

impl Rope {
    /// Adds generated text.
    pub fn text(&mut self, s: &str) {
        match self.0.last_mut() {
            Some(Part::Text(t)) => t.push_str(s),
            _ => self.0.push(Part::Text(s.to_owned())),
        }
    }

    /// Adds tokens of the source.
    pub fn copy(&mut self, lo: TokIdx, hi: TokIdx) {
        if lo < hi {
            self.0.push(Part::Copy(lo, hi));
        }
    }

    /// Adds tokens of the source whose lines do not matter.
    pub fn inline(&mut self, lo: TokIdx, hi: TokIdx) {
        if lo < hi {
            self.0.push(Part::Inline(lo, hi));
        }
    }

    /// Adds another rope.
    pub fn append(&mut self, other: Rope) {
        for part in other.0 {
            match part {
                Part::Text(t) => self.text(&t),
                part => self.0.push(part),
            }
        }
    }

    /// Adds declarations of the compiler's own at file scope.
    pub fn quiet(&mut self, declarations: Rope) {
        self.0.push(Part::Quiet(declarations));
    }

    /// The same pieces without regard to lines.
    pub fn inlined(self) -> Rope {
        let inline = |part| match part {
            Part::Copy(lo, hi) | Part::Own(lo, hi) => Part::Inline(lo, hi),
            part => part,
        };
        Rope(self.0.into_iter().map(inline).collect())
    }

    /// A rope of one text.
    pub fn from_text(s: &str) -> Rope {
        Rope(vec![Part::Text(s.to_owned())])
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Rope {
    fn from(text: &str) -> Self {
        Rope::from_text(text)
    }
}

impl From<String> for Rope {
    fn from(text: String) -> Self {
        Rope(vec![Part::Text(text)])
    }
}

/// All changes of the token stream.
#[derive(Default)]
pub struct Edits {
    /// By first token: one after the last token, and what takes their place.
    pub replace: HashMap<TokIdx, Vec<(TokIdx, Rope)>>,
    /// The same where a `upc_forall` runs over own elements; elsewhere these do not count.
    pub own: HashMap<TokIdx, Vec<(TokIdx, Rope)>>,
    /// As `replace`, with counts of accesses: instead of that where accesses are counted.
    pub counted: HashMap<TokIdx, Vec<(TokIdx, Rope)>>,
    /// As `own`, with counts.
    pub counted_own: HashMap<TokIdx, Vec<(TokIdx, Rope)>>,
    /// Loops that are printed twice, by their first token.
    pub versions: HashMap<TokIdx, Version>,
    /// Inserted before a token.
    pub before: HashMap<TokIdx, Rope>,
    /// Inserted after a token.
    pub after: HashMap<TokIdx, Rope>,
}

impl Edits {
    /// Replaces tokens `lo` to before `hi`.
    pub fn replace(&mut self, lo: TokIdx, hi: TokIdx, by: impl Into<Rope>) {
        let rope = by.into();
        let list = self.replace.entry(lo).or_default();
        match list.iter_mut().find(|(h, _)| *h == hi) {
            Some(found) => found.1 = rope,
            None => list.push((hi, rope)),
        }
    }

    /// Takes a replacement back.
    pub fn take(&mut self, lo: TokIdx, hi: TokIdx) -> Option<Rope> {
        let list = self.replace.get_mut(&lo)?;
        let at = list.iter().position(|(h, _)| *h == hi)?;
        Some(list.swap_remove(at).1)
    }

    /// Replaces tokens `lo` to before `hi` where a `upc_forall` runs over own elements.
    pub fn replace_own(&mut self, lo: TokIdx, hi: TokIdx, rope: Rope) {
        self.own.entry(lo).or_default().push((hi, rope));
    }

    /// Inserts before a token, after what was inserted there already.
    pub fn before(&mut self, at: TokIdx, rope: Rope) {
        self.before.entry(at).or_default().append(rope);
    }

    /// Inserts after a token, after what was inserted there already.
    pub fn after(&mut self, at: TokIdx, rope: Rope) {
        self.after.entry(at).or_default().append(rope);
    }

    /// Inserts after a token, before what was inserted there already.
    pub fn after_first(&mut self, at: TokIdx, mut rope: Rope) {
        if let Some(old) = self.after.remove(&at) {
            rope.append(old);
        }
        self.after.insert(at, rope);
    }
}
