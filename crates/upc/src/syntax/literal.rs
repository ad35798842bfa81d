//! Values of string and character literals.

/// Characters in a string literal, escape sequences counted as one; 0 for other tokens.
pub fn string_length(text: &str) -> u64 {
    let Some(open) = text.find('"') else { return 0 };
    let body = &text.as_bytes()[open + 1..];
    let (mut i, mut n) = (0, 0);
    while i < body.len() && body[i] != b'"' {
        if body[i] == b'\\' {
            i += 1;
            match body.get(i) {
                Some(b'x') => {
                    while body.get(i + 1).is_some_and(u8::is_ascii_hexdigit) {
                        i += 1
                    }
                }
                Some(b'0'..=b'7') => {
                    let limit = i + 2;
                    while i < limit && matches!(body.get(i + 1), Some(b'0'..=b'7')) {
                        i += 1
                    }
                }
                _ => {}
            }
        }
        i += 1;
        n += 1;
    }
    n
}

/// Value of a character constant; None where it is none that is used in constant expressions.
pub fn character(text: &str) -> Option<i128> {
    let body = text.split_once('\'')?.1.strip_suffix('\'')?;
    let mut chars = body.chars();
    let first = chars.next()?;
    let value = if first != '\\' {
        first as i128
    } else {
        let c = chars.next()?;
        let rest: String = chars.by_ref().collect();
        let octal = |s: String| i128::from_str_radix(&s, 8).ok();
        return match c {
            'n' => Some(10),
            't' => Some(9),
            'r' => Some(13),
            'a' => Some(7),
            'b' => Some(8),
            'f' => Some(12),
            'v' => Some(11),
            'e' => Some(27),
            'x' => i128::from_str_radix(&rest, 16).ok(),
            '0'..='7' => octal(format!("{c}{rest}")),
            _ => Some(c as i128),
        };
    };
    chars.next().is_none().then_some(value)
}
