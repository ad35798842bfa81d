//! Writes exported files, compressed if their names say so.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use pgas_earl::access::AccessError;
use pgas_files::NewFile;

use crate::error::Error;

/// Creates or replaces `path` with what `write` writes; compressed if its name ends in `.gz`. On
/// failure the old file is untouched and nothing is left behind.
pub(super) fn write<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, WriteError>,
) -> Result<T, Error> {
    let failed = |source: io::Error| Error::Io {
        action: "write",
        path: path.to_owned(),
        source,
    };
    let mut file = NewFile::beside(path).map_err(failed)?;
    let out = file.file();
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
    file.finish().map_err(failed)?;
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

impl From<pgas_trace::Error> for WriteError {
    fn from(error: pgas_trace::Error) -> Self {
        WriteError::Other(error.into())
    }
}

impl From<AccessError> for WriteError {
    fn from(error: AccessError) -> Self {
        WriteError::Other(error.into())
    }
}
