//! Numbers for people: three digits and a unit, never more exact than anybody can use. Everything
//! that people read writes numbers so; the HTML page does the same (`format.js`). The rule:
//!
//! - A value has three digits, also when rounding carries: 9.996 is "10.0", 99.96 is "100".
//! - The unit is the largest of which there is 1 after rounding: 0.9996 s is "1.00 s", 0.9994 s is
//!   "999 ms". Minutes begin at 600 s, since shorter times are easier to compare in seconds.
//! - Percentages have one decimal below ten and none above; little is "<0.1 %", so that it is not
//!   taken for nothing.
//! - Counts below a million are exact, in groups of three digits.
//! - Ties are rounded away from zero. A value that is not finite is "?".

/// "1.23 s", "45.6 ms", "789 µs", "12 ns", "20.6 min", "3.20 h". `ascii` spells the micro sign "u".
pub fn seconds(value: f64, ascii: bool) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    let micro = if ascii { "us" } else { "µs" };
    let magnitude = value.abs();
    // Thresholds lie half a digit below the unit, so that 0.9996 s is not "1000 ms".
    let (scale, unit) = match magnitude {
        0.0 => return "0 s".to_owned(),
        m if m >= 3600.0 * 0.9995 => (1.0 / 3600.0, "h"),
        m if m >= 600.0 => (1.0 / 60.0, "min"),
        m if m >= 0.9995 => (1.0, "s"),
        m if m >= 0.9995e-3 => (1e3, "ms"),
        m if m >= 0.9995e-6 => (1e6, micro),
        _ => (1e9, "ns"),
    };
    format!("{} {unit}", three_digits(value * scale))
}

/// "12 %", "1.2 %", "<0.1 %", "0 %".
pub fn percent(value: f64) -> String {
    if !value.is_finite() {
        return "? %".to_owned();
    }
    let magnitude = value.abs();
    if magnitude == 0.0 {
        "0 %".to_owned()
    } else if magnitude < 0.05 {
        "<0.1 %".to_owned()
    } else if magnitude < 9.95 {
        format!("{} %", fixed(value, 1))
    } else {
        format!("{} %", fixed(value, 0))
    }
}

/// "17 bytes", "3.20 MiB".
pub fn bytes(value: f64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if !value.is_finite() {
        return "?".to_owned();
    }
    if value.abs() < 1024.0 {
        return format!("{} bytes", fixed(value, 0));
    }
    let mut scaled = value / 1024.0;
    let mut unit = 0;
    while scaled.abs() >= 999.5 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    format!("{} {}", three_digits(scaled), UNITS[unit])
}

/// "8", "12,345", "12.3 million", "1.20e21".
pub fn count(value: f64) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    let magnitude = value.abs();
    if magnitude >= 999.5e15 {
        format!("{value:.2e}")
    } else if magnitude >= 999.5e12 {
        format!("{} quadrillion", three_digits(value / 1e15))
    } else if magnitude >= 999.5e9 {
        format!("{} trillion", three_digits(value / 1e12))
    } else if magnitude >= 999.5e6 {
        format!("{} billion", three_digits(value / 1e9))
    } else if magnitude >= 999.5e3 {
        format!("{} million", three_digits(value / 1e6))
    } else {
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}{}", in_groups(&fixed(magnitude, 0)))
    }
}

/// An exact number: "12,345,678".
pub fn exact(value: u64) -> String {
    in_groups(&value.to_string())
}

fn in_groups(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// "1.23".
pub fn ratio(value: f64) -> String {
    if value.is_finite() {
        three_digits(value)
    } else {
        "?".to_owned()
    }
}

fn three_digits(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude < 9.995 {
        fixed(value, 2)
    } else if magnitude < 99.95 {
        fixed(value, 1)
    } else {
        fixed(value, 0)
    }
}

/// Rounds to `decimals` decimals, ties away from zero as JavaScript does, so that the HTML page and
/// the terminal show the same number.
fn fixed(value: f64, decimals: usize) -> String {
    let power = [1.0, 10.0, 100.0][decimals.min(2)];
    let scaled = value * power;
    let is_tie = scaled.fract().abs() == 0.5 && value.mul_add(power, -scaled) == 0.0;
    match is_tie && scaled.abs() < 1e15 {
        true => format!("{:.decimals$}", (scaled + 0.5 * scaled.signum()) / power),
        false => format!("{value:.decimals$}"),
    }
}

/// Functions of this module, values, and how they are written; the page's program is tested with
/// the same.
#[cfg(test)]
const CASES: &str = include_str!("quantities.tsv");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_table_says() {
        for line in CASES.lines() {
            let [function, value, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three columns: {line}");
            };
            let value: f64 = value.parse().unwrap();
            let written = match function {
                "seconds" => seconds(value, false),
                "percent" => percent(value),
                "bytes" => bytes(value),
                "count" => count(value),
                _ => panic!("no such function: {line}"),
            };
            assert_eq!(written, expected, "{line}");
        }
    }

    #[test]
    fn what_the_page_does_not_write() {
        assert_eq!(seconds(2e-6, true), "2.00 us");
        assert_eq!(exact(1_234_567), "1,234,567");
        assert_eq!(exact(0), "0");
        assert_eq!((ratio(0.125), ratio(99.96)), ("0.13".into(), "100".into()));
        for value in [f64::NAN, f64::INFINITY] {
            assert_eq!(seconds(value, false), "?");
            assert_eq!([bytes(value), count(value), ratio(value)], ["?", "?", "?"]);
            assert_eq!(percent(value), "? %");
        }
    }
}
