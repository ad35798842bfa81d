//! Names of locks, places in the source and sets of threads, for a person.

use pgas_base::models::Words;
use pgas_report::printable;
use pgas_trace::model::{Site, ThreadId};

/// "lock 3"; numbers that were addresses once are shown as such.
pub fn lock_name(lock: u64) -> String {
    match lock {
        0..=9999 => format!("lock {lock}"),
        _ => format!("lock {lock:#x}"),
    }
}

/// "heat.upc:12", with the last part of the path alone; empty if it is not known.
pub fn place(site: &Site) -> String {
    let file = site.file.rsplit('/').next().unwrap_or_default();
    match (file, site.line) {
        ("", _) => String::new(),
        (file, 0) => printable(file, true),
        (file, line) => format!("{}:{line}", printable(file, true)),
    }
}

/// "0, 2-5, 7", in the numbers that people know threads by.
pub fn list(threads: &[ThreadId], words: &Words) -> String {
    let mut sorted: Vec<u32> = threads.iter().map(|&thread| words.number(thread)).collect();
    sorted.sort_unstable();
    let mut parts: Vec<(ThreadId, ThreadId)> = Vec::new();
    for thread in sorted {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == thread => *last = thread,
            _ => parts.push((thread, thread)),
        }
    }
    let parts: Vec<String> = parts
        .iter()
        .map(|&(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first}-{last}"),
        })
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_threads_are_a_range() {
        let threads = Words::default();
        assert_eq!(list(&[7, 0, 3, 2, 4], &threads), "0, 2-4, 7");
        assert_eq!(list(&[1, 0], &threads), "0, 1");
        assert_eq!(list(&[], &threads), "");
        assert_eq!(list(&[0, 1, 2], &Words::of_first_name("image 1")), "1-3");
    }
}
