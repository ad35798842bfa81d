//! The node that a thread runs on: what people call it, and which of its threads read the same
//! clock.

use std::fs::read_to_string;

use crate::test_clock;

/// Set by a runtime that treats parts of this host as nodes: the number of this process's part.
const PART: &str = "PGAS_PART_OF_HOST";

/// Name of the host of a thread; `host/1` if it is the second part of a host whose parts are nodes.
pub(crate) fn host_name(thread: u32) -> String {
    match test_clock::of(thread) {
        Some(test_clock) => test_clock.host.clone(),
        None => with_part(
            word_of("/proc/sys/kernel/hostname").unwrap_or_default(),
            std::env::var(PART).ok(),
        ),
    }
}

fn with_part(host: String, part: Option<String>) -> String {
    match part {
        Some(part) => format!("{host}/{part}"),
        None => host,
    }
}

/// Equal for threads that read the same clock, those of one running kernel: hosts may have equal
/// names, and containers on one host different ones.
pub(crate) fn clock_name(thread: u32) -> String {
    own_kernel(thread).unwrap_or_else(|| host_name(thread))
}

/// Equal for threads that one running kernel serves, and no others; `None` if it does not tell.
pub(crate) fn own_kernel(thread: u32) -> Option<String> {
    match test_clock::of(thread) {
        Some(test_clock) => Some(test_clock.host.clone()),
        None => word_of("/proc/sys/kernel/random/boot_id"),
    }
}

fn word_of(file: &str) -> Option<String> {
    let text = read_to_string(file).ok()?;
    let word = text.trim();
    (!word.is_empty()).then(|| word.to_owned())
}

#[test]
fn parts_of_a_host_have_names_of_their_own() {
    let named = |part: Option<&str>| with_part("a".to_owned(), part.map(str::to_owned));
    assert_eq!(named(None), "a");
    assert_eq!(named(Some("1")), "a/1");
}
