//! Files that appear whole or not at all: written beside their place under a name that is no user's, then renamed.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flate2::write::GzEncoder;
use flate2::Compression;
use pgas_earl::access::AccessError;
use pgas_files::without_temporary_name;

use crate::error::Error;

/// Creates or replaces `path` with what `write` writes; compressed if its name ends in `.gz`. On failure the old file is
/// untouched and nothing is left behind.
pub(super) fn write<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, WriteError>,
) -> Result<T, Error> {
    let failed = |source: io::Error| Error::Io {
        action: "write",
        path: path.to_owned(),
        source: without_temporary_name(source),
    };
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".pgastool-")
        .suffix(".pgas-tmp")
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(directory)
        .map_err(failed)?;
    let out = file.as_file_mut();
    let told = |error: WriteError| match error {
        WriteError::Io(error) => failed(error),
        WriteError::Other(error) => error,
    };
    let written = if path.extension().is_some_and(|extension| extension == "gz") {
        let mut out = BufWriter::with_capacity(1 << 16, GzEncoder::new(out, Compression::fast()));
        let written = write(&mut out).map_err(told)?;
        let encoder = out
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        encoder.finish().map_err(failed)?;
        written
    } else {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let written = write(&mut out).map_err(told)?;
        out.flush().map_err(failed)?;
        written
    };
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(written)
}

/// Why writing stopped.
pub(super) enum WriteError {
    Io(io::Error),
    Other(Error),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        WriteError::Io(error)
    }
}

impl From<Error> for WriteError {
    fn from(error: Error) -> Self {
        WriteError::Other(error)
    }
}

impl From<AccessError> for WriteError {
    fn from(error: AccessError) -> Self {
        WriteError::Other(error.into())
    }
}
