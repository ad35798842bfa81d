//! Tests that a machine does not allow: `scripts/test` repeats them in its last lines.

use std::fs::OpenOptions;
use std::io::Write;

/// Says that something was not tested, and why. `NOT_TESTED_LIST` names a file that gets the line,
/// too: output of tests that pass is not shown.
pub fn not_tested(reason: &str) {
    eprintln!("not tested: {reason}");
    if let Some(path) = std::env::var_os("NOT_TESTED_LIST") {
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let noted = file.and_then(|mut file| file.write_all(format!("{reason}\n").as_bytes()));
        noted.unwrap_or_else(|e| panic!("NOT_TESTED_LIST: {}: {e}", path.to_string_lossy()));
    }
}
