//! Names of the measured program on a terminal: nothing in them may act on it, and what is too long
//! is shortened in the middle, since both ends of a name or path tell it from others.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that `text` takes on a terminal.
pub fn width(text: &str) -> usize {
    text.width()
}

/// `text` without characters that a terminal would obey: control characters become their pictures
/// (or `?`), those that change the direction of writing or are invisible become a replacement
/// character.
pub fn printable(text: &str, ascii: bool) -> String {
    text.chars()
        .map(|c| match c {
            '\0'..='\x1f' | '\x7f' if ascii => '?',
            '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or('?'),
            '\x7f' => '\u{2421}',
            '\u{80}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' => {
                if ascii {
                    '?'
                } else {
                    '\u{fffd}'
                }
            }
            // The signs that our own sentences use.
            'µ' | 'μ' if ascii => 'u',
            '–' | '—' if ascii => '-',
            '×' if ascii => 'x',
            _ => c,
        })
        .collect()
}

/// At most `columns` columns of `text`: if it is longer, the middle is replaced by `ellipsis`.
pub fn shorten(text: &str, columns: usize, ellipsis: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(width(ellipsis)) else {
        return take(text.chars(), columns).into_iter().collect();
    };
    // The end says more: the name of a file, the last part of a qualified name.
    let head = take(text.chars(), room * 2 / 5);
    let head_width: usize = head.iter().map(|&c| c.width().unwrap_or(0)).sum();
    let tail = take(text.chars().rev(), room - head_width);
    let mut out: String = head.into_iter().collect();
    out.push_str(ellipsis);
    out.extend(tail.iter().rev());
    // Sequences (an emoji of several characters) can be wider or narrower than their parts.
    while width(&out) > columns && out.pop().is_some() {}
    out
}

/// As many characters as fit.
fn take(characters: impl Iterator<Item = char>, columns: usize) -> Vec<char> {
    let mut used = 0;
    characters
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= columns
        })
        .collect()
}

/// Lines of at most `columns` columns, broken at spaces, but not between a number and its unit; a
/// word that is too long for a line is shortened.
pub fn wrap(text: &str, columns: usize, ellipsis: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in quantities_and_words(text) {
        let word = shorten(&word, columns, ellipsis);
        if !line.is_empty() && width(&line) + 1 + width(&word) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The words of a text; a number and its unit are one.
fn quantities_and_words(text: &str) -> Vec<String> {
    const UNITS: [&str; 10] = [
        "%", "s", "ms", "µs", "us", "ns", "bytes", "KiB", "MiB", "GiB",
    ];
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let unit = UNITS.contains(&word.trim_end_matches([',', '.', ';', ':', ')']));
        match words.last_mut() {
            Some(number) if unit && number.ends_with(|c: char| c.is_ascii_digit()) => {
                number.push(' ');
                number.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        let path = "/home/somebody/src/application/solver/multigrid/relax.upc";
        assert_eq!(shorten(path, 60, "…"), path);
        assert_eq!(shorten(path, 30, "…"), "/home/someb…ultigrid/relax.upc");
    }

    #[test]
    fn a_number_and_its_unit_stay_together() {
        assert_eq!(
            wrap("about 49 %, or 12.5 ms", 9, "…"),
            ["about", "49 %, or", "12.5 ms"]
        );
        assert_eq!(wrap("in s 4", 4, "…"), ["in s", "4"]);
    }

    #[test]
    fn shortened_names_fit_whatever_they_are_made_of() {
        for text in [
            "数値計算の関数名がとても長い場合の例",
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
            "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
            "abcdefghijklmnopqrstuvwxyz",
        ] {
            for columns in 0..40 {
                let short = shorten(text, columns, "…");
                assert!(width(&short) <= columns, "{short} {columns}");
            }
        }
    }

    #[test]
    fn terminals_do_not_obey_names() {
        assert_eq!(printable("a\x1b[31m\u{202e}b\n", false), "a␛[31m\u{fffd}b␊");
        assert_eq!(printable("a\x1b\u{9b}\x7f", true), "a???");
    }

    #[test]
    fn prose_is_broken_at_spaces() {
        assert_eq!(wrap("one two  three", 8, "…"), ["one two", "three"]);
        assert_eq!(wrap("unbreakable-word x", 10, "…"), ["unb…e-word", "x"]);
        assert!(wrap("  ", 10, "…").is_empty());
    }
}
