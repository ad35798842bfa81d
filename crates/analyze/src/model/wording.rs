//! How places, times and amounts are written in sentences for people.

use pgas_base::quantity;
use pgas_trace::model::{Site, ThreadId};

/// Ranges of threads that are written out.
const RANGES: usize = 6;

/// "a.upc:12", or what is known of it.
pub fn line(site: &Site) -> String {
    line_of(&site.file, site.line)
}

/// The same of a file, which may be unknown (empty), and a line, which may be (0).
pub fn line_of(file: &str, line: u32) -> String {
    match (file.is_empty(), line) {
        (true, _) => "unknown line".into(),
        (false, 0) => file.into(),
        (false, line) => format!("{file}:{line}"),
    }
}

/// "upc_wait (a.upc:12)".
pub fn place(site: &Site) -> String {
    format!("{} ({})", site.region_name(), line(site))
}

/// "thread 3", "threads 0-2, 5 and 7-9"; of ascending threads. Of many pieces, how many threads
/// more there are.
pub fn threads(threads: &[ThreadId]) -> String {
    let mut ranges: Vec<(ThreadId, ThreadId)> = Vec::new();
    for &thread in threads {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(thread) => *last = thread,
            _ => ranges.push((thread, thread)),
        }
    }
    let count = |ranges: &[(ThreadId, ThreadId)]| -> u64 {
        let lengths = ranges
            .iter()
            .map(|(first, last)| u64::from(last - first) + 1);
        lengths.sum()
    };
    let shown = match ranges.len() {
        0..=RANGES => ranges.len(),
        _ => RANGES - 1,
    };
    let mut pieces: Vec<String> = Vec::new();
    for &(first, last) in &ranges[..shown] {
        match last - first {
            0 => pieces.push(first.to_string()),
            1 => pieces.extend([first.to_string(), last.to_string()]),
            _ => pieces.push(format!("{first}-{last}")),
        }
    }
    if shown < ranges.len() {
        pieces.push(format!("{} more", count(&ranges[shown..])));
    }
    let last = pieces.pop().unwrap_or_default();
    let noun = if threads.len() == 1 {
        "thread"
    } else {
        "threads"
    };
    match pieces.is_empty() {
        true => format!("{noun} {last}"),
        false => format!("{noun} {} and {last}", pieces.join(", ")),
    }
}

/// "1.23 s", "45.6 ms", "7.89 µs", as in all reports.
pub fn seconds(seconds: f64) -> String {
    quantity::seconds(seconds, false)
}

/// "17 bytes", "4.10 KiB", "3.00 MiB"; of a mean, "2.5 bytes".
pub fn bytes(bytes: f64) -> String {
    match bytes {
        b if b < 10.0 && b.fract() != 0.0 => format!("{b:.1} bytes"),
        b => quantity::bytes(b),
    }
}

/// "34 %", "8.6 %"; "<0.1 %" for little, so that it is not taken for nothing.
pub fn percent(share: f64) -> String {
    quantity::percent(100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_named_in_ranges() {
        assert_eq!(threads(&[3]), "thread 3");
        assert_eq!(threads(&[0, 1]), "threads 0 and 1");
        assert_eq!(threads(&[0, 1, 2, 5, 7, 8, 9]), "threads 0-2, 5 and 7-9");
        let odd: Vec<ThreadId> = (0..1024).filter(|t| t % 2 == 1).collect();
        assert_eq!(threads(&odd), "threads 1, 3, 5, 7, 9 and 507 more");
        let most: Vec<ThreadId> = (0..1024).filter(|&t| t != 77).collect();
        assert_eq!(threads(&most), "threads 0-76 and 78-1023");
    }

    #[test]
    fn amounts_have_three_digits_and_a_fitting_unit() {
        assert_eq!(seconds(123.4), "123 s");
        assert_eq!(seconds(0.0456), "45.6 ms");
        assert_eq!(seconds(7.891e-6), "7.89 µs");
        assert_eq!(seconds(12e-9), "12.0 ns");
        assert_eq!(bytes(8.0), "8 bytes");
        assert_eq!(bytes(2.5), "2.5 bytes");
        assert_eq!(bytes(4200.0), "4.10 KiB");
        assert_eq!(percent(0.0001), "<0.1 %");
        assert_eq!(seconds(0.9996), "1.00 s");
        assert_eq!(percent(0.336), "34 %");
    }
}
