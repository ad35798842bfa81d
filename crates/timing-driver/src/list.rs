//! The operations of a driver, as `--list` prints them: one JSON object a line.

use crate::interface::{Operation, text};
use serde_json::json;

/// Lines about all operations.
///
/// # Safety
/// The operations are filled in as `pgas_operation.h` says.
pub unsafe fn lines(operations: &[&Operation]) -> String {
    // SAFETY: the strings of an operation are strings of C or null.
    let line = |o: &&Operation| unsafe {
        let listed = json!({
            "name": text(o.name),
            "help": text(o.help),
            "arguments": text(o.arguments),
            "sized": o.sized != 0,
        });
        format!("{listed}\n")
    };
    operations.iter().map(line).collect()
}
