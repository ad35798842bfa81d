//! Files of results are written through a buffer, whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Error;

/// Creates or replaces `path` with what `write` writes. On failure the old file is untouched and no temporary
/// file is left.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> std::io::Result<()>,
) -> Result<(), Error> {
    let written = pgas_files::replace(path, |file| {
        let mut out = BufWriter::with_capacity(1 << 16, &*file);
        write(&mut out)?;
        out.flush()
    });
    written.map_err(Error::io("write", path))
}
