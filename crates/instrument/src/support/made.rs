//! Compiler options common to all wrappers, and the lists kept beside them.

use std::path::Path;

/// Options that they are compiled with.
pub(super) const FLAGS: [&str; 5] = ["-O2", "-g0", "-fno-lto", "-fPIC", "-I."];

/// The lines of a file of a set.
pub(super) fn lines(made: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(made.join(name)).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(String::from).collect()
}
