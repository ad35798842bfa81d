//! How places, times and amounts are written in sentences for people.

use pgas_trace::model::Site;

/// "a.upc:12", or what is known of it.
pub fn line(site: &Site) -> String {
    match (site.file.is_empty(), site.line) {
        (true, _) => "unknown line".into(),
        (false, 0) => site.file.clone(),
        (false, line) => format!("{}:{line}", site.file),
    }
}

/// "upc_wait (a.upc:12)".
pub fn place(site: &Site) -> String {
    format!("{} ({})", site.region_name(), line(site))
}

/// "1.23 s", "45.6 ms", "7.89 µs".
pub fn seconds(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "µs"),
        s => (s * 1e9, "ns"),
    };
    let decimals = match value {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} {unit}")
}

/// "17 bytes", "4.1 KiB", "3.0 MiB".
pub fn bytes(bytes: f64) -> String {
    let kib = 1024.0;
    match bytes {
        b if b < 10.0 && b.fract() != 0.0 => format!("{b:.1} bytes"),
        b if b < kib => format!("{b:.0} bytes"),
        b if b < kib * kib => format!("{:.1} KiB", b / kib),
        b if b < kib * kib * kib => format!("{:.1} MiB", b / kib / kib),
        b => format!("{:.1} GiB", b / kib / kib / kib),
    }
}

/// "34 %"; "<1 %" for little, so that it is not taken for nothing.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 0.5 => "<1 %".into(),
        p => format!("{p:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_three_digits_and_a_fitting_unit() {
        assert_eq!(seconds(123.4), "123 s");
        assert_eq!(seconds(0.0456), "45.6 ms");
        assert_eq!(seconds(7.891e-6), "7.89 µs");
        assert_eq!(seconds(12e-9), "12.0 ns");
        assert_eq!(bytes(8.0), "8 bytes");
        assert_eq!(bytes(2.5), "2.5 bytes");
        assert_eq!(bytes(4200.0), "4.1 KiB");
        assert_eq!(percent(0.001), "<1 %");
        assert_eq!(percent(0.336), "34 %");
    }
}
