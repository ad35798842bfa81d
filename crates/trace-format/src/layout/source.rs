//! Files whose bytes are read in any order, and errors about places in them.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Problem;
use crate::error::Error;

/// Bytes of a file.
pub trait Source {
    /// Path of the file, for messages.
    fn path(&self) -> &Path;

    /// Bytes of the file.
    fn length(&self) -> u64;

    /// Fills `buffer` with the bytes from `offset` on, and returns how many there were: fewer only
    /// at the file's end.
    ///
    /// # Errors
    /// [`Error::Io`].
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error>;

    /// The `N` bytes at `offset`; `None` if the file ends before them.
    ///
    /// # Errors
    /// [`Error::Io`].
    fn array<const N: usize>(&self, offset: u64) -> Result<Option<[u8; N]>, Error> {
        let mut bytes = [0; N];
        Ok((self.read(offset, &mut bytes)? == N).then_some(bytes))
    }

    /// Whether the file begins with these bytes, or with as many of them as it has.
    ///
    /// # Errors
    /// [`Error::Io`].
    fn begins_like(&self, magic: &[u8; 8]) -> Result<bool, Error> {
        let mut bytes = [0; 8];
        let length = self.read(0, &mut bytes)?;
        Ok(bytes[..length] == magic[..length])
    }

    /// Whether all bytes from `begin` to `end` (exclusive) are zero.
    ///
    /// # Errors
    /// [`Error::Io`].
    fn is_zero(&self, begin: u64, end: u64) -> Result<bool, Error> {
        let mut bytes = [0; 4096];
        let mut at = begin;
        while at < end {
            let wanted = bytes
                .len()
                .min(usize::try_from(end - at).unwrap_or(usize::MAX));
            let length = self.read(at, &mut bytes[..wanted])?;
            if length == 0 {
                break;
            }
            if bytes[..length].iter().any(|&byte| byte != 0) {
                return Ok(false);
            }
            at += length as u64;
        }
        Ok(true)
    }

    /// An error about what lies `problem.offset` bytes after `offset`.
    fn corrupt(&self, offset: u64, problem: Problem) -> Error {
        Error::Corrupt {
            path: self.path().to_owned(),
            offset: offset + problem.offset as u64,
            found: problem.found,
            expected: problem.expected,
        }
    }

    /// An error: this is something else, which does not have `expected` at its beginning.
    fn foreign(&self, expected: &[u8; 8]) -> Error {
        let mut bytes = [0; 8];
        match self.read(0, &mut bytes) {
            Err(error) => error,
            Ok(length) => Error::Foreign {
                path: self.path().to_owned(),
                found: format!("bytes {:02x?}", &bytes[..length]),
                expected: format!("{expected:02x?}"),
            },
        }
    }
}

impl<S: Source> Source for Arc<S> {
    fn path(&self) -> &Path {
        S::path(self)
    }

    fn length(&self) -> u64 {
        S::length(self)
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        S::read(self, offset, buffer)
    }
}

/// A file that is read by system calls.
#[derive(Debug)]
pub struct FileSource {
    path: PathBuf,
    file: File,
    length: u64,
}

impl FileSource {
    /// Opens a regular file; `None` if it is empty.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn open(path: &Path) -> Result<Option<Self>, Error> {
        let failed = |action| move |error| Error::io(path, action, error);
        let file = pgas_files::open(path).map_err(failed("open"))?;
        let length = file.metadata().map_err(failed("examine"))?.len();
        let path = path.to_owned();
        Ok((length > 0).then_some(FileSource { path, file, length }))
    }
}

impl Source for FileSource {
    fn path(&self) -> &Path {
        &self.path
    }

    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        // Others may append meanwhile.
        let there = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(there);
        let mut length = 0;
        while length < wanted {
            match self
                .file
                .read_at(&mut buffer[length..wanted], offset + length as u64)
            {
                Ok(0) => break,
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(&self.path, "read", error)),
            }
        }
        Ok(length)
    }
}
