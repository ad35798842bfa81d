//! `pgastool time --list`: the operations of a driver, for people and for scripts.

use super::Format;
use super::catalogue::Operation;
use crate::failure::Failure;

/// The list as text: name, help, and the arguments with their values.
pub fn text(operations: &[&Operation]) -> String {
    let mut text = String::new();
    for operation in operations {
        text += &format!("{}\n    {}\n", operation.name, operation.help);
        let size = operation.sized.then(|| "--size LIST".to_string());
        let arguments = operation
            .arguments()
            .map(|(name, values)| format!("{name}={}", values.join("|")));
        let takes: Vec<String> = size.into_iter().chain(arguments).collect();
        if !takes.is_empty() {
            text += &format!("    takes {}\n", takes.join(", "));
        }
    }
    text
}

/// The list in the format that is asked for.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn in_format(operations: &[&Operation], format: Format) -> Result<String, Failure> {
    Ok(match format {
        Format::Text => text(operations),
        Format::Json => serde_json::to_string_pretty(operations)?,
    })
}
