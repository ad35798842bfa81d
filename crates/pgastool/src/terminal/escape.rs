//! Escaping of what must not act on a terminal.

use super::environment::unicode_locale;
use pgas_report::printable;

/// Text that may contain names of others, safe for a terminal: control characters show as their
/// pictures. Line feeds and this tool's own colours stay.
pub fn visible(text: &str) -> String {
    let ascii = !unicode_locale();
    let line = |line: &str| {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(at) = rest.find('\x1b') {
            out += &printable(&rest[..at].replace('\t', "    "), ascii);
            rest = &rest[at..];
            // ESC [ numbers m
            let end = rest.strip_prefix("\x1b[").and_then(|colors| {
                let end = colors.find(|c: char| !c.is_ascii_digit() && c != ';')?;
                colors[end..].starts_with('m').then_some(end + 3)
            });
            match end {
                Some(end) => out += &rest[..end],
                None => out += &printable("\x1b", ascii),
            }
            rest = &rest[end.unwrap_or(1)..];
        }
        out + &printable(&rest.replace('\t', "    "), ascii)
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_of_text_act_on_a_terminal() {
        let text = "\x1b[1;31mbold\x1b[0m\ta\r\x1b[2J\x1b]0;title\x07\nnext";
        let shown = visible(text);
        assert!(shown.starts_with("\x1b[1;31mbold\x1b[0m    a"), "{shown:?}");
        assert!(shown.ends_with("\nnext"), "{shown:?}");
        for bad in ["\r", "\x1b[2J", "\x1b]", "\x07"] {
            assert!(!shown.contains(bad), "{shown:?}");
        }
    }
}
