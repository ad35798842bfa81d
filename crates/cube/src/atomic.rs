//! Files that appear whole or not at all: written under a temporary name beside their place, then renamed. A
//! reader, or a run that is interrupted, never sees half of one.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Error;

/// Creates or replaces `path` with what `write` writes. On failure the old file is untouched and no temporary
/// file is left.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Error> {
    let temporary = temporary_name(path);
    let written = File::create(&temporary)
        .and_then(|file| {
            let mut out = BufWriter::with_capacity(1 << 16, file);
            write(&mut out)?;
            out.flush()?;
            out.get_ref().sync_all()
        })
        .and_then(|()| fs::rename(&temporary, path));
    written.map_err(|source| {
        // The first failure is the one to report; the file may not even have been created.
        let _ = fs::remove_file(&temporary);
        Error::io("write", path)(source)
    })
}

/// Unique among the processes of a machine, and hidden.
fn temporary_name(path: &Path) -> PathBuf {
    let name = path
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}
