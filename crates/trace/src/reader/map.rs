//! Files in memory, and the streams that lie in them.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::{Advice, Mmap, UncheckedAdvice};

use crate::error::Error;
use crate::format::layout::{self, Piece, Source};

/// A file that was mapped.
#[derive(Debug)]
pub(super) struct MappedFile {
    pub(super) path: PathBuf,
    map: Mmap,
}

impl MappedFile {
    /// Maps a file; `None` if it is empty.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, Error> {
        let failed = |action| move |error| Error::io(path, action, error);
        let file = pgas_files::open(path).map_err(failed("open"))?;
        let length = file.metadata().map_err(failed("examine"))?.len();
        if length == 0 {
            return Ok(None);
        }
        // SAFETY: the mapping is only read. A stream is written by appending and never shortened by
        // us; somebody who truncates it meanwhile ends this process with a signal, but
        // cannot make it read anything else than bytes, each of which is checked.
        let map = unsafe { Mmap::map(&file) }.map_err(failed("map"))?;
        Ok(Some(MappedFile {
            path: path.to_owned(),
            map,
        }))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// How the file will be read. A hint; reading works without it.
    pub(super) fn advise(&self, advice: Advice) {
        let _ = self.map.advise(advice);
    }

    /// States that none of the bytes are needed soon; see [`StreamFile::forget`].
    pub(super) fn forget_all(&self) {
        self.forget(0, self.map.len());
    }

    fn forget(&self, begin: usize, length: usize) {
        if length > 0 {
            // SAFETY: for a shared mapping of a file that nobody writes through it, this only makes
            // the next reading of these pages map them again, with what the file holds.
            // A hint: whether it worked makes no difference.
            let _ = unsafe {
                self.map
                    .unchecked_advise_range(UncheckedAdvice::DontNeed, begin, length)
            };
        }
    }
}

impl Source for MappedFile {
    fn path(&self) -> &Path {
        &self.path
    }

    fn length(&self) -> u64 {
        self.map.len() as u64
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        let begin = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.map.get(begin..).unwrap_or(&[]);
        let length = buffer.len().min(bytes.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        Ok(length)
    }
}

/// A stream in a mapped file. Offsets are bytes from the beginning of the stream.
#[derive(Debug)]
pub(super) struct StreamFile(layout::StreamFile<Arc<MappedFile>>);

impl Deref for StreamFile {
    type Target = layout::StreamFile<Arc<MappedFile>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl StreamFile {
    /// The stream that a file consists of; see [`layout::StreamFile::whole`].
    pub(super) fn whole(file: &Arc<MappedFile>) -> Result<Option<Self>, Error> {
        file.advise(Advice::Sequential);
        let stream = layout::StreamFile::whole(file.clone())?;
        Ok(stream.map(StreamFile))
    }

    /// A stream in pieces; see [`layout::StreamFile::in_pieces`].
    pub(super) fn in_pieces(file: &Arc<MappedFile>, pieces: Vec<Piece>) -> Result<Self, Error> {
        layout::StreamFile::in_pieces(file.clone(), pieces).map(StreamFile)
    }

    pub(super) fn path(&self) -> &Path {
        &self.file.path
    }

    /// The bytes from `offset` on that lie in one piece; none after the end.
    pub(super) fn from(&self, offset: u64) -> &[u8] {
        let rest = usize::try_from(self.rest(offset)).unwrap_or(usize::MAX);
        if rest == 0 {
            return &[];
        }
        let begin = usize::try_from(self.place(offset)).unwrap_or(usize::MAX);
        let bytes = self.file.bytes().get(begin..).unwrap_or(&[]);
        &bytes[..rest.min(bytes.len())]
    }

    /// States that these bytes, which lie in one piece, will be read now: a file of many streams is
    /// not read from front to back, so the system must be told what to read at a time.
    pub(super) fn announce(&self, offset: u64, length: u64) {
        if !self.is_alone() {
            if let Some((begin, length)) = self.range(offset, length) {
                let map = &self.file.map;
                let _ = map.advise_range(Advice::WillNeed, begin, length);
            }
        }
    }

    /// States that these bytes are not needed soon: the process gives the memory back that shows
    /// them. Without this, a reader of a large trace would seem to need as much memory as the
    /// trace is long. They stay readable.
    pub(super) fn forget(&self, offset: u64, length: u64) {
        if let Some((begin, length)) = self.range(offset, length) {
            self.file.forget(begin, length);
        }
    }

    /// Where these bytes lie in the file, as far as they are in one piece: their offset, and how
    /// many.
    fn range(&self, offset: u64, length: u64) -> Option<(usize, usize)> {
        let rest = self.from(offset).len();
        let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest);
        (length > 0).then_some((usize::try_from(self.place(offset)).ok()?, length))
    }
}
