//! Ends of streams, where a collector appends after their process is gone.

use std::path::Path;
use std::sync::Arc;

use super::map::{MappedFile, StreamFile};
use super::{extents, scan};
use crate::error::Error;
use crate::format::header::{BlockHeader, FileHeader};

/// A stream as far as it was written.
#[derive(Debug)]
pub(crate) struct StreamEnd {
    pub(crate) header: FileHeader,
    /// It has an index: there is nothing to add.
    pub(crate) is_complete: bool,
    /// Bytes up to the end of the last whole block.
    pub(crate) length: u64,
    /// Offsets and headers.
    pub(crate) blocks: Vec<(u64, BlockHeader)>,
    /// Extents in the file of a node, else 0.
    pub(crate) extents: u32,
}

/// The stream that a file consists of; `None` if it ends within its header.
pub(crate) fn of_file(path: &Path) -> Result<Option<StreamEnd>, Error> {
    let Some(mapped) = MappedFile::open(path)?.map(Arc::new) else {
        return Ok(None);
    };
    let file = StreamFile::whole(&mapped)?;
    file.map(|file| end_of(&file, 0)).transpose()
}

/// A stream in the file of a node; `None` if the process has not begun it.
pub(crate) fn of_thread(
    path: &Path,
    thread: u32,
    process: u32,
    opened: u64,
) -> Result<Option<StreamEnd>, Error> {
    let Some(mapped) = MappedFile::open(path)?.map(Arc::new) else {
        return Ok(None);
    };
    let found = extents::stream_of(&mapped, thread, process, opened)?;
    found
        .map(|(file, extents)| end_of(&file, extents))
        .transpose()
}

fn end_of(file: &StreamFile, extents: u32) -> Result<StreamEnd, Error> {
    let (blocks, is_complete, length) = scan::blocks(file)?;
    Ok(StreamEnd {
        header: file.header,
        is_complete,
        length,
        blocks,
        extents,
    })
}

/// The header of a stream; `None` if it is not there, or cannot be read.
pub(crate) fn header(
    path: &Path,
    in_extents: bool,
    thread: u32,
    process: u32,
    opened: u64,
) -> Option<FileHeader> {
    let mapped = Arc::new(MappedFile::open(path).ok()??);
    match in_extents {
        false => Some(StreamFile::whole(&mapped).ok()??.header),
        true => {
            let (file, _) = extents::stream_of(&mapped, thread, process, opened).ok()??;
            Some(file.header)
        }
    }
}
