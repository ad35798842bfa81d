//! Files that are written over where there is no room for a second one beside them.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Replaces `path` as [`crate::replace`] does. If the disk is full, the old file, as far as it has
/// room for `bytes` in the blocks that it occupies, is written over; it is as before if that fails.
///
/// # Errors
/// The first one of the operating system.
pub fn replace_or_overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let replaced = crate::replace(path, |file| file.write_all_at(bytes, 0));
    match replaced {
        Err(full) if is_full(&full) => overwrite(path, bytes).map_err(|_| full),
        other => other,
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = crate::read(path)?;
    let file = OpenOptions::new().write(true).open(path)?;
    put(&file, bytes).inspect_err(|_| {
        // Its own bytes have room.
        let _ = put(&file, &old);
    })
}

fn put(file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all_at(bytes, 0)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_over_whatever_its_length_was() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("file");
        for (old, new) in [("long text", "short"), ("short", "long text")] {
            std::fs::write(&path, old).unwrap();
            overwrite(&path, new.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), new);
            replace_or_overwrite(&path, old.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), old);
        }
        assert!(overwrite(&here.path().join("none"), b"text").is_err());
    }
}
