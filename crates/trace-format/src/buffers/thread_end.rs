//! Ends of streams, where the collector appends after their process is gone.

use std::path::Path;

use crate::error::Error;
use crate::header::{BlockHeader, FileHeader};
use crate::layout::{self, FileSource, StreamFile};

/// A stream as far as it was written.
#[derive(Debug)]
pub(super) struct StreamEnd {
    pub(super) header: FileHeader,
    /// Bytes up to the end of the last whole block.
    pub(super) length: u64,
    /// Offsets and headers.
    pub(super) blocks: Vec<(u64, BlockHeader)>,
    /// Extents in the file of a node, else 0.
    pub(super) extents: u32,
}

/// Which stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) path: &'a Path,
    /// Whether the file is that of a node. The following fields are of use only there.
    pub(super) in_extents: bool,
    pub(super) thread: u32,
    pub(super) process: u32,
    /// Nanoseconds since 1970.
    pub(super) opened: u64,
}

impl Name<'_> {
    /// The stream, and its number of extents; `None` if the process has not begun it.
    fn open(&self) -> Result<Option<(StreamFile<FileSource>, u32)>, Error> {
        let Some(file) = FileSource::open(self.path)? else {
            return Ok(None);
        };
        match self.in_extents {
            false => Ok(StreamFile::whole(file)?.map(|stream| (stream, 0))),
            true => layout::stream_of(file, self.thread, self.process, self.opened),
        }
    }

    /// The header of the stream; `None` if it is not there, or cannot be read.
    pub(super) fn header(&self) -> Option<FileHeader> {
        let (stream, _) = self.open().ok()??;
        Some(stream.header)
    }

    /// Where the stream ends; `None` if it has an index: there is nothing to add.
    pub(super) fn end(&self) -> Result<Option<StreamEnd>, String> {
        let failed = |error: Error| error.to_string();
        let Some((file, extents)) = self.open().map_err(failed)? else {
            return Err(format!("{}: the stream is not there", self.path.display()));
        };
        if layout::index(&file).map_err(failed)?.is_some() {
            return Ok(None);
        }
        let found = layout::blocks(&file).map_err(failed)?;
        let header = file.header;
        Ok(Some(StreamEnd {
            header,
            length: found.end_of_blocks(),
            blocks: found.blocks,
            extents,
        }))
    }
}
