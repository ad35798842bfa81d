//! Pieces of XML as both writers spell them.

use std::io::{self, Write};

use super::escape;

/// One line: an element with text that is already escaped.
pub(crate) fn element(out: &mut dyn Write, name: &str, escaped: &str) -> io::Result<()> {
    writeln!(out, "<{name}>{escaped}</{name}>")
}

/// A name, a file, a key, for an element or an attribute.
pub(crate) fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape::push_line(&mut out, text);
    out
}

/// A description, which may have several lines.
pub(crate) fn paragraph(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape::push_paragraph(&mut out, text);
    out
}

/// CUBE's spelling of a line number that may be unknown.
pub(crate) fn line_number(line: u32) -> i64 {
    match line {
        0 => -1,
        _ => i64::from(line),
    }
}
