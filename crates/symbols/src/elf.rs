//! Properties of executable files: their build id, and whether they have lines.

use object::{CompressionFormat, Object, ObjectSection};

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

/// Compressed sections are no larger than this many times their size in the file, and this many bytes:
/// zlib can not do more than the former.
const MOST_TIMES: u64 = 1032;
const AND_BYTES: u64 = 1 << 20;

/// Looks at what compressed sections say they are, for which memory is allocated before anything of
/// them is read.
///
/// # Errors
/// In words, if a size cannot be true.
pub(crate) fn check_sizes(file: &object::File) -> Result<(), String> {
    for section in file.sections() {
        let range = section.compressed_file_range();
        let range = range.map_err(|error| error.to_string())?;
        let most = range.compressed_size.saturating_mul(MOST_TIMES);
        if range.format != CompressionFormat::None
            && range.uncompressed_size > most.saturating_add(AND_BYTES)
        {
            return Err(format!(
                "section {} has {} bytes and says that they become {}",
                section.name().unwrap_or("without a name"),
                range.compressed_size,
                range.uncompressed_size
            ));
        }
    }
    Ok(())
}

/// Digits of a build id.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
