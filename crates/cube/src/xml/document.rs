//! A whole document: its encoding, its size, and errors that name the place in it.

use std::borrow::Cow;
use std::path::Path;

use super::Limits;
use super::build::Document;
use super::dialect::Dialect;
use super::parser::{Parser, Problem};
use crate::Error;

const ADVICE: &str = "if `pgastool` wrote this file, run `pgastool analyze` again";

/// Reads the XML of a CUBE file; `name` is the file's name in errors.
///
/// # Errors
/// [`Error::Malformed`] with line and byte, [`Error::Limit`].
pub(crate) fn parse(
    bytes: &[u8],
    name: &Path,
    limits: &Limits,
    dialect: Dialect,
) -> Result<Document, Error> {
    if bytes.len() as u64 > limits.file_bytes {
        let what = format!("{} bytes", bytes.len());
        return Err(too_much(name, what, limits.file_bytes));
    }
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(at) => {
            let found = format!("byte {:#04x}", bytes.get(at).copied().unwrap_or(0));
            return Err(malformed(name, bytes, at, found, "text in UTF-8".into()));
        }
    };
    let (problem, offset) = match Parser::new(&text, limits, dialect).parse() {
        Ok(document) => return Ok(document),
        Err(problem) => problem,
    };
    match problem {
        Problem::Found { found, expected } => {
            Err(malformed(name, text.as_bytes(), offset, found, expected))
        }
        Problem::TooMuch { what, limit } => Err(too_much(name, what, limit as u64)),
    }
}

/// UTF-8, or the Latin-1 that old files declare. Err is the position of the first bad byte.
fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(e) => {
            let declaration = bytes.split(|&b| b == b'>').next().unwrap_or_default();
            let declaration = String::from_utf8_lossy(declaration).to_ascii_lowercase();
            if declaration.contains("iso-8859-1") || declaration.contains("latin1") {
                Ok(bytes
                    .iter()
                    .map(|&b| char::from(b))
                    .collect::<String>()
                    .into())
            } else {
                Err(e.valid_up_to())
            }
        }
    }
}

fn malformed(path: &Path, bytes: &[u8], offset: usize, found: String, expected: String) -> Error {
    let before = &bytes[..offset.min(bytes.len())];
    Error::Malformed {
        path: path.to_owned(),
        line: before.iter().filter(|&&b| b == b'\n').count() as u64 + 1,
        offset: offset as u64,
        found,
        expected,
        advice: ADVICE,
    }
}

pub(crate) fn too_much(path: &Path, what: String, limit: u64) -> Error {
    Error::Limit {
        path: path.to_owned(),
        what,
        limit,
        advice: "cut the result into smaller ones, or reduce the number of call paths with a \
                 filter",
    }
}
