//! The node that a thread runs on: what people call it, and which of its threads read the same
//! clock.

use std::fs::read_to_string;

use crate::test_clock;

/// Name of the host of a thread.
pub(crate) fn host_name(thread: u32) -> String {
    match test_clock::of(thread) {
        Some(test_clock) => test_clock.host.clone(),
        None => word_of("/proc/sys/kernel/hostname").unwrap_or_default(),
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
