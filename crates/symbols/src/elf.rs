//! What files say of themselves: their build id, and whether they have lines.

use object::{Object, ObjectSection};

/// Build id of a file, in hexadecimal digits; empty if it has none.
pub(crate) fn build_id(file: &object::File) -> String {
    let id = file.build_id().ok().flatten();
    id.map_or_else(String::new, hexadecimal)
}

/// Whether a file has the debug information that lines take.
pub(crate) fn has_lines(file: &object::File) -> bool {
    let line_table = file.section_by_name(".debug_line");
    let info = file.section_by_name(".debug_info");
    line_table.is_some_and(|table| table.size() > 0) && info.is_some_and(|info| info.size() > 0)
}

/// Digits of a build id.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
