//! Results as JSON; `docs/schema/timing-1.json` describes it for programs.

use crate::results::Results;

/// The text of a file.
pub fn write(results: &Results) -> String {
    // Every field has a form in JSON.
    serde_json::to_string_pretty(results).unwrap_or_default() + "\n"
}
