//! Times and durations as users type them: `1.5s`, `300ms`, `20us`, `100ns`, or seconds without a
//! unit.

use std::str::FromStr;

/// A time or duration in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seconds(pub f64);

/// A number and its unit, which is empty if there is none.
fn number_and_unit(text: &str) -> (&str, &str) {
    let is_unit = |c: char| c.is_alphabetic() && c != 'e' && c != 'E';
    let (number, unit) = text.split_at(text.find(is_unit).unwrap_or(text.len()));
    (number.trim(), unit.trim())
}

/// How many of a unit a second has.
fn per_second(unit: &str) -> Option<f64> {
    match unit {
        "s" => Some(1.0),
        "ms" => Some(1e3),
        // The micro sign, the Greek letter, and what keyboards have.
        "us" | "\u{b5}s" | "\u{3bc}s" => Some(1e6),
        "ns" => Some(1e9),
        "min" => Some(1.0 / 60.0),
        "h" => Some(1.0 / 3600.0),
        _ => None,
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a time, such as 1.5s, 300ms, 20us, 100ns or 12.3".to_string();
        let (number, unit) = number_and_unit(text);
        let scale = match unit {
            "" => 1.0,
            unit => per_second(unit).ok_or_else(expected)?,
        };
        let value: f64 = number.parse().map_err(|_| expected())?;
        match value.is_finite() {
            // Dividing is exact to the last digit, where multiplying by 0.001 is not.
            true => Ok(Seconds(value / scale)),
            false => Err(expected()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [
            ("1.5s", 1.5),
            ("300ms", 0.3),
            ("12.3", 12.3),
            ("20us", 20e-6),
            ("20\u{b5}s", 20e-6),
            ("20 \u{3bc}s", 20e-6),
            ("7 ns", 7e-9),
            ("2min", 120.0),
            ("1e-3", 1e-3),
            ("-1", -1.0),
        ] {
            assert_eq!(text.parse(), Ok(Seconds(seconds)), "{text}");
        }
        for text in [
            "", "s", "1.5m", "soon", "1.2.3", "inf", "NaN", "1ss", "µs", "3µ",
        ] {
            assert!(text.parse::<Seconds>().is_err(), "{text}");
        }
    }
}
