//! Payloads of definition blocks (new entries of a thread's site table) and of property blocks.

use crate::model::{Operation, Site};
use crate::{MAX_STRING, Problem, varint};

/// Appends the definition of a site. Its number is the number of definitions of the thread before
/// it.
///
/// Strings longer than [`MAX_STRING`] bytes are cut.
pub fn push_site(payload: &mut Vec<u8>, operation: Operation, file: &[u8], line: u32, name: &[u8]) {
    varint::push(payload, u64::from(operation.number()));
    varint::push(payload, u64::from(line));
    push_string(payload, file);
    push_string(payload, name);
}

/// Reads the `entries` sites of a payload.
///
/// # Errors
/// A [`Problem`] with the offset in `payload`.
pub fn read_sites(payload: &[u8], entries: u32) -> Result<Vec<Site>, Problem> {
    let mut sites = Vec::new();
    let mut at = 0;
    for _ in 0..entries {
        let (number, next) = integer(payload, at)?;
        let operation = u8::try_from(number)
            .ok()
            .and_then(Operation::from_number)
            .ok_or_else(|| {
                Problem::new(
                    at,
                    format!("operation {number}"),
                    "the number of a known operation",
                )
            })?;
        let (line, after) = integer(payload, next)?;
        let line = u32::try_from(line)
            .map_err(|_| Problem::new(next, format!("line {line}"), "a line number"))?;
        let (file, after) = string(payload, after)?;
        let (name, after) = string(payload, after)?;
        sites.push(Site {
            operation,
            file,
            line,
            name,
        });
        at = after;
    }
    expect_end(payload, at)?;
    Ok(sites)
}

/// Where the first `entries` sites of a payload end; `None` if there are fewer, or something else.
pub fn end_of(payload: &[u8], entries: u32) -> Option<usize> {
    let mut at = 0;
    for _ in 0..entries {
        let (_, after) = integer(payload, at).ok()?;
        let (_, after) = integer(payload, after).ok()?;
        let (_, after) = string(payload, after).ok()?;
        (_, at) = string(payload, after).ok()?;
    }
    Some(at)
}

/// Appends a key-value pair.
pub fn push_property(payload: &mut Vec<u8>, key: &str, value: &str) {
    push_string(payload, key.as_bytes());
    push_string(payload, value.as_bytes());
}

/// Reads the `entries` pairs of a payload.
///
/// # Errors
/// A [`Problem`] with the offset in `payload`.
pub fn read_properties(payload: &[u8], entries: u32) -> Result<Vec<(String, String)>, Problem> {
    let mut pairs = Vec::new();
    let mut at = 0;
    for _ in 0..entries {
        let (key, after) = string(payload, at)?;
        let (value, after) = string(payload, after)?;
        pairs.push((key, value));
        at = after;
    }
    expect_end(payload, at)?;
    Ok(pairs)
}

pub(super) fn push_string(payload: &mut Vec<u8>, text: &[u8]) {
    let kept = &text[..text.len().min(MAX_STRING)];
    varint::push(payload, kept.len() as u64);
    payload.extend_from_slice(kept);
}

pub(super) fn integer(payload: &[u8], at: usize) -> Result<(u64, usize), Problem> {
    varint::get(payload, at).ok_or_else(|| Problem::new(at, "the end of the payload", "an integer"))
}

/// Names come from programs in any encoding, so what is not UTF-8 is replaced, not refused.
pub(super) fn string(payload: &[u8], at: usize) -> Result<(String, usize), Problem> {
    let (length, after) = integer(payload, at)?;
    let text = usize::try_from(length)
        .ok()
        .filter(|&length| length <= MAX_STRING)
        .and_then(|length| payload.get(after..after + length))
        .ok_or_else(|| {
            Problem::new(
                at,
                format!("a string of {length} bytes"),
                format!("at most {MAX_STRING} and no more than the payload has left"),
            )
        })?;
    Ok((
        String::from_utf8_lossy(text).into_owned(),
        after + text.len(),
    ))
}

pub(super) fn expect_end(payload: &[u8], at: usize) -> Result<(), Problem> {
    if at == payload.len() {
        Ok(())
    } else {
        Err(Problem::new(
            at,
            format!("{} more bytes", payload.len() - at),
            "the end of the payload after its last entry",
        ))
    }
}
