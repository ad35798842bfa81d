//! The way back: finds the place in the user's source of a message that the C compiler gives about
//! the generated C.

use crate::Output;
use crate::diagnostic::{Note, Place};
use crate::locate::Locator;
use crate::syntax::lex::{Source, lex};
use crate::syntax::token::TokIdx;
use std::collections::HashMap;

/// A piece of generated C that stands in place of tokens of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Its first byte in the C, and one after its last.
    pub c: (u32, u32),
    /// Where the first and the last of those tokens begin in the preprocessed text.
    pub source: (u32, u32),
}

/// Origin of a place in generated C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The place in the user's source.
    pub place: Place,
    /// The macro that it comes out of.
    pub note: Option<Note>,
    /// The line is in C as it is in the source, so that columns are the same.
    pub unchanged: bool,
}

/// Places in generated C and where they come from.
pub struct Origins<'a> {
    src: Source<'a>,
    output: &'a Output,
    /// By file and line as markers give them: where such lines begin in the C.
    lines: HashMap<(&'a str, u32), Vec<usize>>,
}

impl<'a> Origins<'a> {
    /// For the result of compiling `preprocessed`, which was called `name` in the options.
    pub fn new(preprocessed: &'a str, name: &'a str, output: &'a Output) -> Self {
        let mut lines: HashMap<(&str, u32), Vec<usize>> = HashMap::new();
        let (mut file, mut number, mut start) = ("", 1, 0);
        for line in output.c.split_inclusive('\n') {
            match marker(line) {
                Some((n, name)) => {
                    number = n;
                    file = name.unwrap_or(file);
                }
                None => {
                    if line.len() > 1 {
                        lines.entry((file, number)).or_default().push(start);
                    }
                    number = number.saturating_add(1);
                }
            }
            start += line.len();
        }
        Origins {
            src: lex(preprocessed, name),
            output,
            lines,
        }
    }

    /// Where the place comes from that the C compiler gives with file, line and column (from 1; 0:
    /// not known).
    pub fn find(&self, file: &str, line: u32, column: u32) -> Option<Origin> {
        let escaped = file.replace('\\', "\\\\").replace('"', "\\\"");
        let starts = self.lines.get(&(escaped.as_str(), line))?;
        let mut best: Option<(bool, (TokIdx, TokIdx), &str)> = None;
        for &start in starts {
            let text = self.output.c[start..].lines().next().unwrap_or("");
            let Some((at, _)) = text.char_indices().nth((column as usize).saturating_sub(1)) else {
                continue;
            };
            if let Some((exact, tokens)) = self.tokens_at(start, start + at, start + text.len()) {
                if best.is_none_or(|b| exact && !b.0) {
                    best = Some((exact, tokens, text));
                }
            }
        }
        let (_, (lo, hi), text) = best?;
        let (mut place, note) = Locator::new(&self.src).place(lo, hi);
        if column == 0 {
            place.column = 0;
        }
        let unchanged = place.source_line.as_deref() == Some(text) && place.line == line;
        Some(Origin {
            place,
            note,
            unchanged,
        })
    }

    /// The copied token at this offset of the C, else the tokens in whose place it stands, else the
    /// next copied token on its line or the one before; and whether it is at the very place.
    fn tokens_at(&self, line: usize, at: usize, end: usize) -> Option<(bool, (TokIdx, TokIdx))> {
        let copied = &self.output.copied;
        let next = copied.partition_point(|c| c.0 as usize <= at);
        let on_line = |i: usize| {
            let c = copied.get(i)?;
            let inside = (line..end).contains(&(c.0 as usize));
            inside.then_some((c.0 as usize, self.token_from(c.1)?))
        };
        let before = next.checked_sub(1).and_then(on_line);
        if let Some((offset, t)) = before {
            if at < offset + self.src.text_of(t).len() {
                return Some((true, (t, t + 1)));
            }
        }
        let around = |r: &&Replaced| (r.c.0 as usize..=r.c.1 as usize).contains(&at);
        if let Some(r) = self.output.replaced.iter().find(around) {
            if let (Some(lo), Some(last)) =
                (self.token_from(r.source.0), self.token_from(r.source.1))
            {
                return Some((false, (lo, last + 1)));
            }
        }
        let (_, t) = on_line(next).or(before)?;
        Some((false, (t, t + 1)))
    }

    fn token_from(&self, start: u32) -> Option<TokIdx> {
        let t = self.src.tokens.binary_search_by_key(&start, |t| t.start);
        t.ok().map(|t| t as TokIdx)
    }
}

/// Line and file of a line marker.
fn marker(line: &str) -> Option<(u32, Option<&str>)> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once([' ', '\n']).unwrap_or((rest, ""));
    let name = rest.strip_prefix('"');
    Some((
        number.parse().ok()?,
        name.and_then(|n| n.rfind('"').map(|i| &n[..i])),
    ))
}
