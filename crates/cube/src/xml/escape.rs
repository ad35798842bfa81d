//! Text in CUBE's XML. CUBE's parsers decode the five named entities and nothing else, so a
//! character that XML forbids, or that a parser would change, cannot be written as itself nor by
//! number: it is replaced by a visible picture of it (U+2400 and following), which keeps different
//! names different.

/// Appends `text` for an element or an attribute that is one line long: a name, a file, a key.
pub(crate) fn push_line(out: &mut String, text: &str) {
    for c in text.chars() {
        push_char(out, c);
    }
}

/// Appends `text` for an element that may have several lines: a description.
pub(crate) fn push_paragraph(out: &mut String, text: &str) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            _ => push_char(out, c),
        }
    }
}

fn push_char(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '\'' => out.push_str("&apos;"),
        '"' => out.push_str("&quot;"),
        _ => out.push(picture(c)),
    }
}

fn picture(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        // No pictures exist for these; a terminal would act on the first group.
        '\u{80}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_as_entities() {
        let mut out = String::new();
        push_line(&mut out, "f<std::pair<int,\"x\">> & 'größe'");
        assert_eq!(
            out,
            "f&lt;std::pair&lt;int,&quot;x&quot;&gt;&gt; &amp; &apos;größe&apos;"
        );
    }

    #[test]
    fn control_characters_become_visible() {
        let mut out = String::new();
        push_line(&mut out, "a\0b\x1b[31m\r\n\t\x7f\u{85}\u{ffff}");
        assert_eq!(out, "a␀b␛[31m␍␊␉␡\u{fffd}\u{fffd}");
        out.clear();
        push_paragraph(&mut out, "one\r\ntwo\tx\ry\x07");
        assert_eq!(out, "one\ntwo\tx␍y␇");
    }
}
