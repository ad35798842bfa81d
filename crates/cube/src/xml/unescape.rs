//! Text of XML with its entities decoded. Files of older CUBE libraries have names such as
//! `operator&` as they are in C++, so an ampersand with which no entity begins stands for itself.

use std::borrow::Cow;

use quick_xml::escape::unescape as strict;

/// # Errors
/// Bytes that are not UTF-8, unknown entities, and references to what is no character: what was
/// found.
pub(super) fn unescape(raw: &[u8]) -> Result<Cow<'_, str>, String> {
    let raw = std::str::from_utf8(raw).map_err(|e| e.to_string())?;
    strict(raw).or_else(|_| {
        let escaped = with_escaped_ampersands(raw);
        let text = strict(&escaped).map_err(|e| e.to_string())?;
        Ok(Cow::Owned(text.into_owned()))
    })
}

fn with_escaped_ampersands(raw: &str) -> String {
    let mut pieces = raw.split('&');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str(match begins_with_entity(piece) {
            true => "&",
            false => "&amp;",
        });
        out.push_str(piece);
    }
    out
}

/// Whether an ampersand before `text` belongs to an entity.
fn begins_with_entity(text: &str) -> bool {
    let Some((name, _)) = text.split_once(';') else {
        return false;
    };
    let is_digits = |digits: &str, radix| {
        !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
    };
    match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix('x') {
            Some(digits) => is_digits(digits, 16),
            None => is_digits(number, 10),
        },
        None => !name.is_empty() && name.chars().all(char::is_alphanumeric),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ampersand_without_an_entity_stands_for_itself() {
        for (raw, expected) in [
            ("a &lt; b &amp;&amp; c", "a < b && c"),
            ("operator&", "operator&"),
            ("f(int& a; b)", "f(int& a; b)"),
            ("&quot; &lt;--&amp;--&apos; & ggg&gt;", "\" <--&--' & ggg>"),
            ("&& &#65;&#x42; &#; &#x;", "&& AB &#; &#x;"),
            ("&", "&"),
        ] {
            assert_eq!(
                unescape(raw.as_bytes()).as_deref().ok(),
                Some(expected),
                "{raw}"
            );
        }
        assert!(unescape(b"&#0;").is_err());
        assert!(unescape(b"& &what;").is_err());
        assert!(unescape(b"\xff").is_err());
    }
}
