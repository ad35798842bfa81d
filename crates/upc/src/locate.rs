//! Finds the places of messages in the user's files. The compiler reads the preprocessor's output,
//! where macros are expanded and white space is gone, so each line of it is aligned, token
//! by token, with the line of the file that it came from. A token without counterpart came out of a
//! macro: the message points at its use and notes its definition.

use crate::diagnostic::{Diagnostic, Note, Place};
use crate::sema::messages::Pending;
use crate::syntax::lex::{Source, lex};
use crate::syntax::token::{OURS, P, SYSTEM, Tok, TokIdx, Token};
use std::collections::HashMap;

/// Longer lines are not aligned, nor are more places than this: the column in the preprocessed text
/// is tried.
const MAX_ALIGNED: usize = 600;
const MAX_PLACES: usize = 400;

/// The lines of a file as text, with the bytes of other encodings as characters.
fn read_lines(name: &str) -> Option<Vec<String>> {
    let text = match String::from_utf8(std::fs::read(name).ok()?) {
        Ok(text) => text,
        Err(e) => e.into_bytes().into_iter().map(char::from).collect(),
    };
    Some(text.lines().map(str::to_owned).collect())
}

/// A file's name as the system knows it: line markers escape some characters.
fn unescape(name: &str) -> String {
    name.replace("\\\\", "\\").replace("\\\"", "\"")
}

/// Columns that a character takes on a screen.
fn width(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1f64f
        | 0x1f900..=0x1f9ff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The line with tabs expanded to stops of 8, and the number of columns before byte `at` of it.
fn expand(line: &str, at: usize) -> (String, usize) {
    let (mut out, mut columns, mut before) = (String::new(), 0, None);
    for (i, c) in line.char_indices() {
        if i >= at {
            before.get_or_insert(columns);
        }
        if c == '\t' {
            let n = 8 - columns % 8;
            out.extend(std::iter::repeat_n(' ', n));
            columns += n;
        } else if !c.is_control() {
            out.push(c);
            columns += width(c);
        }
    }
    (out, before.unwrap_or(columns))
}

/// Counterpart of a token of the preprocessed line in the file's line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// These bytes.
    Written(usize, usize),
    /// The macro whose name is these bytes.
    Macro(usize, usize),
    /// Not known.
    Unknown,
}

/// Finds places; keeps the files that it read.
pub struct Locator<'a, 's> {
    src: &'a Source<'s>,
    files: HashMap<u32, Option<Vec<String>>>,
    macros: HashMap<String, Option<Note>>,
    aligned: usize,
}

impl<'a, 's> Locator<'a, 's> {
    /// Finds places of messages about `src`.
    pub fn new(src: &'a Source<'s>) -> Self {
        Locator {
            src,
            files: HashMap::new(),
            macros: HashMap::new(),
            aligned: 0,
        }
    }

    /// A message with its places.
    pub fn finish(&mut self, pending: Pending) -> Diagnostic {
        let mut d = pending.diagnostic;
        let (place, macros) = match pending.at {
            Some((file, line)) => (self.whole_line(file, line), None),
            None => self.place(pending.lo, pending.hi),
        };
        d.file = place.file;
        d.line = place.line;
        d.column = place.column;
        d.length = place.length;
        d.source_line = place.source_line;
        for (note, token) in d.notes.iter_mut().zip(pending.notes) {
            note.place = self.place(token, token + 1).0;
        }
        d.notes.extend(macros);
        if pending.at.is_none() {
            d.included_from = self.included_from(pending.lo);
        }
        d
    }

    /// The place of tokens `lo` to before `hi`, and notes about the macro that they come from.
    pub fn place(&mut self, lo: TokIdx, hi: TokIdx) -> (Place, Option<Note>) {
        let src = self.src;
        let last = src.tokens.len() as TokIdx - 1;
        let lo = lo.min(last);
        let t = src.tokens[lo as usize];
        let mut end = lo;
        for i in lo..hi.min(last) {
            let next = src.tokens[i as usize];
            if next.line != t.line || next.file != t.file {
                break;
            }
            end = i;
        }
        let mut place = Place {
            file: unescape(src.files[t.file as usize]),
            line: t.line,
            column: 0,
            length: 1,
            source_line: None,
        };
        let Some(mut line) = self.line(t.file, t.line).map(str::to_owned) else {
            return (self.preprocessed_place(place, lo, end), None);
        };
        let (shown, _) = expand(&line, 0);
        place.source_line = Some(shown);
        let mut from = self.origin(&line, lo);
        if let Origin::Macro(..) = from {
            if let Some((number, a, b)) = self.argument_below(&line, lo) {
                line = self.line(t.file, number).unwrap_or_default().to_owned();
                from = Origin::Written(a, b);
                end = lo;
                place.line = number;
                place.source_line = Some(expand(&line, 0).0);
            }
        }
        let (start, stop, name) = match from {
            Origin::Unknown => return (place, None),
            Origin::Macro(a, b) => (a, b, Some(line[a..b].to_owned())),
            Origin::Written(a, b) if end == lo => (a, b, None),
            Origin::Written(a, b) => match self.origin(&line, end) {
                Origin::Written(_, c) | Origin::Macro(_, c) if c > b => (a, c, None),
                _ => (a, b, None),
            },
        };
        let before = expand(&line, start).1;
        place.column = before as u32 + 1;
        place.length = (expand(&line, stop).1.saturating_sub(before)).max(1) as u32;
        let note = name.and_then(|name| self.definition(&name));
        (place, note)
    }

    fn whole_line(&mut self, file: u32, line: u32) -> Place {
        let text = self.line(file, line).unwrap_or_default().to_owned();
        let body = text.trim_start();
        let (shown, before) = expand(&text, text.len() - body.len());
        Place {
            file: unescape(self.src.files[file as usize]),
            line,
            column: before as u32 + 1,
            length: (shown.chars().count().saturating_sub(before)).max(1) as u32,
            source_line: Some(shown),
        }
    }

    /// The call of a macro goes on over several lines, and all that comes out of it stands on the
    /// first: finds a name or number in the arguments on the following lines, as line and
    /// bytes.
    fn argument_below(&mut self, line: &str, t: TokIdx) -> Option<(u32, usize, usize)> {
        let token = self.src.tokens[t as usize];
        let text = self.src.text_of(t);
        if !matches!(token.kind, Tok::Ident | Tok::Number | Tok::Str | Tok::Char) {
            return None;
        }
        let mut depth = parentheses(line);
        let mut found = None;
        for number in token.line + 1..token.line + 20 {
            if depth <= 0 {
                break;
            }
            let line = self.line(token.file, number)?;
            depth += parentheses(line);
            let here = lex(line, "");
            for t in here.tokens.iter().filter(|t| t.kind == token.kind) {
                let (a, b) = (t.start as usize, t.end as usize);
                if &line[a..b] == text && found.replace((number, a, b)).is_some() {
                    return None;
                }
            }
        }
        found
    }

    /// Where the file cannot be read, the preprocessed line is shown.
    fn preprocessed_place(&self, mut place: Place, lo: TokIdx, end: TokIdx) -> Place {
        let text = self.src.text;
        let t = self.src.tokens[lo as usize];
        let (a, b) = (t.start as usize, self.src.tokens[end as usize].end as usize);
        let begin = text[..a].rfind('\n').map_or(0, |i| i + 1);
        let stop = text[a..].find('\n').map_or(text.len(), |i| a + i);
        if place.file.starts_with('<') && place.file != "<stdin>" {
            return place;
        }
        let line = &text[begin..stop];
        let (shown, before) = expand(line, a - begin);
        place.source_line = Some(shown);
        place.column = before as u32 + 1;
        let after = expand(line, b.min(stop) - begin).1;
        place.length = after.saturating_sub(before).max(1) as u32;
        place
    }

    fn lines(&mut self, file: u32) -> Option<&[String]> {
        let name = self.src.files[file as usize];
        let read = || match name {
            "" => None,
            _ if name.starts_with('<') => None,
            _ => read_lines(&unescape(name)),
        };
        self.files.entry(file).or_insert_with(read).as_deref()
    }

    fn line(&mut self, file: u32, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        self.lines(file)?.get(index).map(String::as_str)
    }

    /// The tokens of the preprocessed line that `t` is on.
    fn neighbours(&self, t: TokIdx) -> (usize, usize) {
        let tokens = &self.src.tokens;
        let here = tokens[t as usize];
        let same = |x: &Token| x.line == here.line && x.file == here.file && x.kind != Tok::Eof;
        let (mut a, mut b) = (t as usize, t as usize);
        while a > 0 && t as usize - a < MAX_ALIGNED && same(&tokens[a - 1]) {
            a -= 1;
        }
        while b < tokens.len() && b - (t as usize) < MAX_ALIGNED && same(&tokens[b]) {
            b += 1;
        }
        (a, b)
    }

    fn origin(&mut self, line: &str, t: TokIdx) -> Origin {
        let src = self.src;
        let token = src.tokens[t as usize];
        let text = &src.text[token.start as usize..token.end as usize];
        if token.kind == Tok::Eof {
            return Origin::Unknown;
        }
        let written = lex(line, "");
        let written: Vec<(usize, usize)> = written
            .tokens
            .iter()
            .filter(|t| t.kind != Tok::Eof)
            .map(|t| (t.start as usize, t.end as usize))
            .collect();
        let (a, b) = self.neighbours(t);
        let expanded: Vec<&str> = (a..b).map(|i| src.text_of(i as TokIdx)).collect();
        let at = t as usize - a;
        self.aligned += 1;
        if self.aligned > MAX_PLACES || written.len() > MAX_ALIGNED || expanded.len() > MAX_ALIGNED
        {
            let column = token.column as usize - 1;
            return match line
                .get(column..)
                .is_some_and(|rest| rest.starts_with(text))
            {
                true => Origin::Written(column, column + text.len()),
                false => Origin::Unknown,
            };
        }
        let names: Vec<&str> = written.iter().map(|&(a, b)| &line[a..b]).collect();
        let pairs = align(&expanded, &names);
        if let Some(j) = pairs[at] {
            return Origin::Written(written[j].0, written[j].1);
        }
        // An argument that the macro repeats.
        if text.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            let mut same = names.iter().enumerate().filter(|(_, n)| **n == text);
            if let (Some((j, _)), None) = (same.next(), same.next()) {
                return Origin::Written(written[j].0, written[j].1);
            }
        }
        // Between its aligned neighbours stands the macro, with its arguments.
        let before = pairs[..at].iter().rev().find_map(|p| *p);
        let after = pairs[at..].iter().find_map(|p| *p).unwrap_or(names.len());
        let is_name = |j: &usize| names[*j].starts_with(|c: char| c.is_alphabetic() || c == '_');
        let first = before.map_or(0, |j| j + 1);
        let candidate = (first..after).find(is_name).or_else(|| {
            // An argument was aligned with its first use in the expansion: the macro is further
            // left.
            (0..first)
                .rev()
                .filter(is_name)
                .find(|j| !pairs.contains(&Some(*j)) && names.get(j + 1) == Some(&"("))
        });
        candidate.map_or(Origin::Unknown, |j| {
            Origin::Macro(written[j].0, written[j].1)
        })
    }

    /// Where a macro is defined, as a note.
    fn definition(&mut self, name: &str) -> Option<Note> {
        if !self.macros.contains_key(name) {
            let found = self.search_definition(name);
            self.macros.insert(name.to_owned(), found);
        }
        self.macros[name].clone()
    }

    fn search_definition(&mut self, name: &str) -> Option<Note> {
        for file in 0..self.src.files.len() as u32 {
            let Some(lines) = self.lines(file) else {
                continue;
            };
            for (number, line) in lines.iter().enumerate() {
                let Some(rest) = line.trim_start().strip_prefix('#') else {
                    continue;
                };
                let Some(rest) = rest.trim_start().strip_prefix("define") else {
                    continue;
                };
                let Some(after) = rest.trim_start().strip_prefix(name) else {
                    continue;
                };
                if after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                    continue;
                }
                let at = line.len() - rest.trim_start().len();
                let (shown, column) = expand(line, at);
                let place = Place {
                    file: unescape(self.src.files[file as usize]),
                    line: number as u32 + 1,
                    column: column as u32 + 1,
                    length: name.len() as u32,
                    source_line: Some(shown),
                };
                let message = format!("in the expansion of macro '{name}'");
                return Some(Note { place, message });
            }
        }
        None
    }

    fn included_from(&self, t: TokIdx) -> Vec<(String, u32)> {
        let flags = self.src.tokens[(t as usize).min(self.src.tokens.len() - 1)].flags;
        if flags & (SYSTEM | OURS) == SYSTEM | OURS {
            return Vec::new();
        }
        let mut found: Vec<(String, u32)> = self
            .src
            .includes
            .iter()
            .filter(|i| i.first <= t && t < i.end)
            .map(|i| (unescape(self.src.files[i.parent as usize]), i.line))
            .filter(|(file, _)| !file.starts_with('<'))
            .collect();
        found.reverse();
        found
    }
}

/// Opening minus closing parentheses of a line.
fn parentheses(line: &str) -> i32 {
    let count = |p: P| {
        let tokens = lex(line, "").tokens;
        tokens.iter().filter(|t| t.kind == Tok::Punct(p)).count() as i32
    };
    count(P::LParen) - count(P::RParen)
}

/// For each token of `a`, the one of `b` that it is paired with in a longest common subsequence.
fn align(a: &[&str], b: &[&str]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; a.len()];
    // Beginnings and ends that are equal need no table.
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (ra, rb) = (&a[start..], &b[start..]);
    let end = ra
        .iter()
        .rev()
        .zip(rb.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    for (i, pair) in pairs.iter_mut().enumerate() {
        if i < start {
            *pair = Some(i);
        } else if i >= a.len() - end {
            *pair = Some(b.len() - (a.len() - i));
        }
    }
    let (ra, rb) = (&ra[..ra.len() - end], &rb[..rb.len() - end]);
    let columns = rb.len() + 1;
    let mut table = vec![0u32; (ra.len() + 1) * columns];
    for i in (0..ra.len()).rev() {
        for j in (0..rb.len()).rev() {
            table[i * columns + j] = match ra[i] == rb[j] {
                true => table[(i + 1) * columns + j + 1] + 1,
                false => table[(i + 1) * columns + j].max(table[i * columns + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < ra.len() && j < rb.len() {
        if ra[i] == rb[j] {
            pairs[start + i] = Some(start + j);
            (i, j) = (i + 1, j + 1);
        } else if table[(i + 1) * columns + j] >= table[i * columns + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignment_leaves_out_what_a_macro_made() {
        let a = ["x", "=", "(", "f", "(", "3", ")", ")", ";"];
        let b = ["x", "=", "F", "(", "3", ")", ";"];
        let pairs = align(&a, &b);
        assert_eq!(pairs[0], Some(0));
        assert_eq!(pairs[3], None);
        assert_eq!(pairs[5], Some(4));
        assert_eq!(pairs[8], Some(6));
    }

    #[test]
    fn tabs_and_wide_characters_count_as_they_are_shown() {
        assert_eq!(expand("\tx", 1), ("        x".to_owned(), 8));
        assert_eq!(expand("ab\tx", 3), ("ab      x".to_owned(), 8));
        assert_eq!(expand("\u{e9}x", 2).1, 1);
        assert_eq!(expand("\u{4e2d}x", 3).1, 2);
    }
}
