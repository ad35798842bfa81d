//! A file in memory, the stream that lies in it, in one piece or in several, and the stream's header.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::{Advice, Mmap, UncheckedAdvice};

use crate::error::Error;
use crate::format::header::{identify, FileHeader, Identity, FILE_HEADER};
use crate::format::{Problem, MAGIC, VERSION};

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
        // SAFETY: the mapping is only read. A stream is written by appending and never shortened by us; somebody who
        // truncates it meanwhile ends this process with a signal, but cannot make it read anything else than bytes,
        // each of which is checked.
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
            // SAFETY: for a shared mapping of a file that nobody writes through it, this only makes the next reading of
            // these pages map them again, with what the file holds. A hint: whether it worked makes no difference.
            let _ = unsafe {
                self.map
                    .unchecked_advise_range(UncheckedAdvice::DontNeed, begin, length)
            };
        }
    }

    /// An error about what lies `problem.offset` bytes after `offset`.
    pub(super) fn corrupt(&self, offset: u64, problem: Problem) -> Error {
        Error::Corrupt {
            path: self.path.clone(),
            offset: offset + problem.offset as u64,
            found: problem.found,
            expected: problem.expected,
        }
    }

    /// An error: this is something else, which has `expected` at its beginning.
    pub(super) fn foreign(&self, expected: &[u8; 8]) -> Error {
        let shown = &self.map[..self.map.len().min(expected.len())];
        Error::Foreign {
            path: self.path.clone(),
            found: format!("bytes {shown:02x?}"),
            expected: format!("{expected:02x?}"),
        }
    }

    /// Whether the file begins with these bytes, or with as many of them as it has.
    pub(super) fn begins_like(&self, magic: &[u8; 8]) -> bool {
        let compared = self.map.len().min(magic.len());
        self.map[..compared] == magic[..compared]
    }
}

/// Where a piece of a stream lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Offset of its first byte in the stream.
    pub(super) stream: u64,
    /// Offset of its first byte in the file.
    pub(super) file: u64,
    pub(super) length: u64,
}

/// A stream in a file, whose header was read. Offsets are bytes from the beginning of the stream.
#[derive(Debug)]
pub(super) struct StreamFile {
    pub(super) path: PathBuf,
    /// Version of the format.
    pub(super) version: u16,
    pub(super) header: FileHeader,
    file: Arc<MappedFile>,
    /// At least one, in the order of the stream, without gaps, and each within the file.
    pieces: Vec<Piece>,
    length: u64,
}

impl StreamFile {
    /// The stream that a file consists of. `None` if the file ends within its header, as after a kill at the very start.
    pub(super) fn whole(file: &Arc<MappedFile>) -> Result<Option<Self>, Error> {
        file.advise(Advice::Sequential);
        let length = file.bytes().len();
        if length < FILE_HEADER {
            return match file.begins_like(&MAGIC) {
                true => Ok(None),
                false => Err(file.foreign(&MAGIC)),
            };
        }
        let piece = Piece {
            stream: 0,
            file: 0,
            length: length as u64,
        };
        Self::in_pieces(file, vec![piece]).map(Some)
    }

    /// The stream that lies in these pieces of a file, which are as [`StreamFile::pieces`] are to be.
    pub(super) fn in_pieces(file: &Arc<MappedFile>, pieces: Vec<Piece>) -> Result<Self, Error> {
        let first = pieces
            .first()
            .map_or(&[][..], |piece| bytes_of(file, piece));
        let offset = pieces.first().map_or(0, |piece| piece.file);
        let Some(header) = first.first_chunk::<FILE_HEADER>() else {
            let found = format!("a stream that begins with {} bytes", first.len());
            let problem = Problem::new(0, found, format!("a header of {FILE_HEADER} bytes"));
            return Err(file.corrupt(offset, problem));
        };
        let version = match identify(header) {
            Identity::Readable(version) => version,
            Identity::Foreign if offset == 0 => return Err(file.foreign(&MAGIC)),
            Identity::Foreign => {
                let found = format!("bytes {:02x?}", &header[..MAGIC.len()]);
                let problem = Problem::new(0, found, format!("a stream, {MAGIC:02x?}"));
                return Err(file.corrupt(offset, problem));
            }
            Identity::Version(found) => {
                return Err(Error::Version {
                    path: file.path.clone(),
                    offset: offset + MAGIC.len() as u64,
                    found,
                    expected: VERSION,
                })
            }
        };
        let header = FileHeader::decode(header).map_err(|problem| file.corrupt(offset, problem))?;
        let length = pieces.iter().map(|piece| piece.length).sum();
        Ok(StreamFile {
            path: file.path.clone(),
            version,
            header,
            file: file.clone(),
            pieces,
            length,
        })
    }

    /// The bytes from `offset` on that lie in one piece; none behind the end.
    pub(super) fn from(&self, offset: u64) -> &[u8] {
        let Some(piece) = self.piece_with(offset) else {
            return &[];
        };
        let within = usize::try_from(offset - piece.stream).unwrap_or(usize::MAX);
        bytes_of(&self.file, piece).get(within..).unwrap_or(&[])
    }

    fn piece_with(&self, offset: u64) -> Option<&Piece> {
        let behind = self.pieces.partition_point(|piece| piece.stream <= offset);
        self.pieces.get(behind.checked_sub(1)?)
    }

    /// Whether the file holds nothing but this stream.
    pub(super) fn is_alone(&self) -> bool {
        self.length == self.file.bytes().len() as u64
    }

    /// Offset in the file of the byte at `offset` of the stream.
    pub(super) fn place(&self, offset: u64) -> u64 {
        self.piece_with(offset)
            .map_or(0, |piece| piece.file + (offset - piece.stream))
    }

    /// States that these bytes, which lie in one piece, will be read now: a file of many streams is not read from front to
    /// back, so the system must be told what to read at a time.
    pub(super) fn announce(&self, offset: u64, length: u64) {
        if !self.is_alone() {
            if let Some((begin, length)) = self.range(offset, length) {
                let map = &self.file.map;
                let _ = map.advise_range(Advice::WillNeed, begin, length);
            }
        }
    }

    /// States that these bytes are not needed soon: the process gives the memory back that shows them. Without this, a
    /// reader of a large trace would seem to need as much memory as the trace is long. They stay readable.
    pub(super) fn forget(&self, offset: u64, length: u64) {
        if let Some((begin, length)) = self.range(offset, length) {
            self.file.forget(begin, length);
        }
    }

    /// Where these bytes lie in the file, as far as they are in one piece: their offset, and how many.
    fn range(&self, offset: u64, length: u64) -> Option<(usize, usize)> {
        let rest = self.from(offset).len();
        let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest);
        (length > 0).then_some((usize::try_from(self.place(offset)).ok()?, length))
    }

    /// Bytes of the stream.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// An error about what lies `problem.offset` bytes after `offset`.
    pub(super) fn corrupt(&self, offset: u64, problem: Problem) -> Error {
        self.file.corrupt(self.place(offset), problem)
    }
}

fn bytes_of<'a>(file: &'a MappedFile, piece: &Piece) -> &'a [u8] {
    let begin = usize::try_from(piece.file).unwrap_or(usize::MAX);
    let length = usize::try_from(piece.length).unwrap_or(usize::MAX);
    let rest = file.bytes().get(begin..).unwrap_or(&[]);
    &rest[..length.min(rest.len())]
}
