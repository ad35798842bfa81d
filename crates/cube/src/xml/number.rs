//! Spelling of a severity: the shortest decimal that reads back as the same `f64`.
//!
//! Twelve significant digits, the custom of CUBE's own writer, would lose up to a microsecond of a
//! day, and the sum of thousands of rows would no longer agree with its parent's. The shortest
//! exact form is no longer than that for values that have few digits, and at most 17 otherwise.

use std::fmt::Write;

/// Appends `value`, which must be finite.
pub(crate) fn push(out: &mut String, value: f64) {
    let magnitude = value.abs();
    // A String never fails to take more text.
    let _ = if magnitude == 0.0 {
        // Also for -0.0, which would look like a sign error.
        write!(out, "0")
    } else if (1e-5..1e17).contains(&magnitude) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    };
}

/// The value of a decimal number as C's `strtod` takes it; infinities and NaN are none.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let starts_right = text
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.'));
    if !starts_right {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(value: f64) -> String {
        let mut out = String::new();
        push(&mut out, value);
        out
    }

    #[test]
    fn spelling() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-9, "1e-9"),
            (123456789012345680.0, "1.2345678901234568e17"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        ] {
            assert_eq!(spelled(value), expected);
            assert_eq!(parse(expected), Some(value));
        }
    }

    #[test]
    fn what_is_not_a_number() {
        for text in [
            "", "nan", "NaN", "inf", "-inf", "-", "1e999", "0x10", "1,5", "infinity", "+inf",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
