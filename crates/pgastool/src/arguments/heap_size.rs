//! Sizes of shared memory, such as `512MB`.

/// A size as the runtimes of the UPC compilers take it from the environment.
pub fn heap_size(text: &str) -> Result<String, String> {
    let unit = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(unit.unwrap_or(text.len()));
    let known = ["", "KB", "MB", "GB", "TB", "K", "M", "G", "T"];
    let positive = number.parse::<u64>().is_ok_and(|n| n > 0);
    match positive && known.contains(&unit.to_ascii_uppercase().as_str()) {
        // One form for all runtimes.
        true if unit.is_empty() => Ok(format!("{number}MB")),
        true => Ok(format!("{number}{}B", unit[..1].to_ascii_uppercase())),
        false => Err("expected a size, such as 512MB or 4GB".to_string()),
    }
}
