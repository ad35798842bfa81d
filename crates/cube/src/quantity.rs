//! Numbers for people: three digits and a unit, never more exact than anybody can use. All reports and all sentences of
//! the analysis write numbers so; the HTML page does the same (`format.js`).

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
        let digits = fixed(magnitude, 0);
        let mut out = if value < 0.0 { "-" } else { "" }.to_owned();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index) % 3 == 0 {
                out.push(',');
            }
            out.push(digit);
        }
        out
    }
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

/// Rounds to `decimals` decimals, ties upwards as JavaScript does, so that the HTML page and the terminal show the same
/// number.
fn fixed(value: f64, decimals: usize) -> String {
    let power = [1.0, 10.0, 100.0][decimals.min(2)];
    let scaled = value * power;
    let is_tie = scaled.fract().abs() == 0.5 && value.mul_add(power, -scaled) == 0.0;
    match is_tie && scaled.abs() < 1e15 {
        true => format!("{:.decimals$}", (scaled + 0.5 * scaled.signum()) / power),
        false => format!("{value:.decimals$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (value, expected) in [
            (0.0, "0 s"),
            (1.234, "1.23 s"),
            (0.9999, "1.00 s"),
            (0.999_4, "999 ms"),
            (0.045_6, "45.6 ms"),
            (0.000_789, "789 µs"),
            (12e-9, "12.0 ns"),
            (99.96, "100 s"),
            (599.0, "599 s"),
            (1236.0, "20.6 min"),
            (3599.0, "1.00 h"),
            (1e7, "2778 h"),
            (-1.5, "-1.50 s"),
            (f64::NAN, "?"),
        ] {
            assert_eq!(seconds(value, false), expected);
        }
        assert_eq!(seconds(2e-6, true), "2.00 us");
    }

    #[test]
    fn shares() {
        for (value, expected) in [
            (0.0, "0 %"),
            (0.01, "<0.1 %"),
            (0.06, "0.1 %"),
            (1.24, "1.2 %"),
            (9.96, "10 %"),
            (71.4, "71 %"),
            (12.5, "13 %"),
            (2.25, "2.3 %"),
            (-12.5, "-13 %"),
            (4.35, "4.3 %"),
            (100.0, "100 %"),
        ] {
            assert_eq!(percent(value), expected);
        }
    }

    #[test]
    fn amounts() {
        assert_eq!(bytes(17.0), "17 bytes");
        assert_eq!(bytes(3.2 * 1024.0 * 1024.0), "3.20 MiB");
        assert_eq!(bytes(1023.9 * 1024.0), "1.00 MiB");
        assert_eq!(bytes(1e22), "8674 EiB");
        assert_eq!(count(8.0), "8");
        assert_eq!(count(12_345.0), "12,345");
        assert_eq!(count(999_499.0), "999,499");
        assert_eq!(count(12_345_678.0), "12.3 million");
        assert_eq!(count(5e9), "5.00 billion");
        assert_eq!(count(5.2e12), "5.20 trillion");
        assert_eq!(count(999.6e12), "1.00 quadrillion");
        assert_eq!(count(1.2e21), "1.20e21");
    }
}
