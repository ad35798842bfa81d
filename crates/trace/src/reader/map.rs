//! A stream file in memory, and its header.

use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::{Advice, Mmap};

use crate::error::Error;
use crate::format::header::{identify, FileHeader, Identity, FILE_HEADER};
use crate::format::{Problem, MAGIC, VERSION};

/// A mapped file whose header was read.
#[derive(Debug)]
pub(super) struct StreamFile {
    pub(super) path: PathBuf,
    /// Version of the format.
    pub(super) version: u16,
    pub(super) header: FileHeader,
    map: Mmap,
}

impl StreamFile {
    /// Maps a file. `None` if it ends within its header, as after a kill at the very start.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, Error> {
        let failed = |action| move |error| Error::io(path, action, error);
        let file = File::open(path).map_err(failed("open"))?;
        let length = file.metadata().map_err(failed("examine"))?.len();
        if length == 0 {
            return Ok(None);
        }
        // SAFETY: the mapping is only read. A stream is written by appending and never shortened by us; somebody who
        // truncates it meanwhile ends this process with a signal, but cannot make it read anything else than bytes,
        // each of which is checked.
        let map = unsafe { Mmap::map(&file) }.map_err(failed("map"))?;
        // A hint; reading works without it.
        let _ = map.advise(Advice::Sequential);
        let Some(header) = map.first_chunk::<FILE_HEADER>() else {
            return if begins_like_a_stream(&map) {
                Ok(None)
            } else {
                Err(foreign(path, &map))
            };
        };
        let version = match identify(header) {
            Identity::Readable(version) => version,
            Identity::Foreign => return Err(foreign(path, header)),
            Identity::Version(found) => {
                return Err(Error::Version {
                    path: path.to_owned(),
                    offset: MAGIC.len() as u64,
                    found,
                    expected: VERSION,
                })
            }
        };
        let header = FileHeader::decode(header).map_err(|problem| corrupt(path, 0, problem))?;
        Ok(Some(StreamFile {
            path: path.to_owned(),
            version,
            header,
            map,
        }))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// An error about what lies `problem.offset` bytes after `offset`.
    pub(super) fn corrupt(&self, offset: u64, problem: Problem) -> Error {
        corrupt(&self.path, offset, problem)
    }
}

fn corrupt(path: &Path, offset: u64, problem: Problem) -> Error {
    Error::Corrupt {
        path: path.to_owned(),
        offset: offset + problem.offset as u64,
        found: problem.found,
        expected: problem.expected,
    }
}

fn begins_like_a_stream(bytes: &[u8]) -> bool {
    let compared = bytes.len().min(MAGIC.len());
    bytes[..compared] == MAGIC[..compared]
}

fn foreign(path: &Path, bytes: &[u8]) -> Error {
    let shown = &bytes[..bytes.len().min(MAGIC.len())];
    Error::Foreign {
        path: path.to_owned(),
        found: format!("bytes {shown:02x?}"),
        expected: format!("{MAGIC:02x?}"),
    }
}
