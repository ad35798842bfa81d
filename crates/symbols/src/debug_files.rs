//! Files with the debug information of a module that has none itself: by its build id, or by the
//! name that it has of them, as debuggers search for them.

use std::path::{Path, PathBuf};

use object::Object;

use crate::elf::{build_id, check_sizes, has_lines, hexadecimal};
use crate::symbol_table::SymbolTable;

/// Where systems keep separate debug files.
const OF_THE_SYSTEM: &str = "/usr/lib/debug";

/// A separate debug file.
pub(crate) struct DebugFile {
    pub path: PathBuf,
    pub symbols: SymbolTable,
    /// The file that it shares parts of its information with others in.
    pub supplement: Option<PathBuf>,
}

/// The debug file of a module. It must have the same build id, or, if there is none, the checksum
/// that the module states.
pub(crate) fn find(file: &object::File, path: &Path, id: &str) -> Option<DebugFile> {
    let by_id = id.is_char_boundary(2).then(|| id.split_at(2));
    let by_id = by_id
        .filter(|(_, rest)| !rest.is_empty())
        .map(|(first, rest)| {
            let name = format!("{OF_THE_SYSTEM}/.build-id/{first}/{rest}.debug");
            (PathBuf::from(name), None)
        });
    let link = file.gnu_debuglink().ok().flatten();
    let link = link.and_then(|(name, checksum)| {
        let name = std::str::from_utf8(name).ok()?;
        // A name alone: nothing leads out of the directories below.
        (!name.is_empty() && !name.contains('/')).then_some((name, checksum))
    });
    let beside = link
        .zip(path.parent())
        .map(|((name, checksum), directory)| {
            let inner = directory.strip_prefix("/").unwrap_or(directory);
            let directories = [
                directory.to_owned(),
                directory.join(".debug"),
                Path::new(OF_THE_SYSTEM).join(inner),
            ];
            directories.map(|directory| (directory.join(name), Some(checksum)))
        });
    let candidates = by_id.into_iter().chain(beside.into_iter().flatten());
    candidates
        .filter(|(candidate, _)| candidate != path)
        .find_map(|(candidate, checksum)| open(candidate, id, checksum))
}

fn open(path: PathBuf, id: &str, checksum: Option<u32>) -> Option<DebugFile> {
    let bytes = pgas_files::read(&path).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let is_same = match id {
        "" => checksum.is_some_and(|checksum| crc32(&bytes) == checksum),
        id => build_id(&file) == id,
    };
    let is_usable = is_same && has_lines(&file) && check_sizes(&file).is_ok();
    is_usable.then(|| DebugFile {
        symbols: SymbolTable::of(&file),
        supplement: supplement(&file, &path),
        path,
    })
}

/// The file in which tools like `dwz` put what several debug files share.
pub(crate) fn supplement(file: &object::File, path: &Path) -> Option<PathBuf> {
    let (name, id) = file.gnu_debugaltlink().ok().flatten()?;
    let name = Path::new(std::str::from_utf8(name).ok()?);
    let id = hexadecimal(id);
    let (first, rest) = id.is_char_boundary(2).then(|| id.split_at(2))?;
    let candidates = [
        path.parent()?.join(name),
        PathBuf::from(format!("{OF_THE_SYSTEM}/.build-id/{first}/{rest}.debug")),
    ];
    candidates.into_iter().find(|candidate| {
        let bytes = pgas_files::read(candidate);
        bytes.is_ok_and(|bytes| {
            let file = object::File::parse(&*bytes);
            file.is_ok_and(|file| build_id(&file) == id && check_sizes(&file).is_ok())
        })
    })
}

/// The checksum of `.gnu_debuglink`.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(sum & 1))
        })
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn checksums_are_those_of_debug_links() {
        assert_eq!(super::crc32(b"123456789"), 0xcbf4_3926);
    }
}
