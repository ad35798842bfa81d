//! The stream of a thread in a file, in one piece or in several.

use super::source::Source;
use crate::error::Error;
use crate::header::{FILE_HEADER, FileHeader, Identity, identify};
use crate::{MAGIC, Problem, VERSION};

/// Where a piece of a stream lies.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// Offset of its first byte in the stream.
    pub stream: u64,
    /// Offset of its first byte in the file.
    pub file: u64,
    /// Number of bytes.
    pub length: u64,
}

/// A stream in a file, whose header was read. Offsets are bytes from the beginning of the stream.
#[derive(Debug)]
pub struct StreamFile<S> {
    /// The file that the stream lies in.
    pub file: S,
    /// Version of the format.
    pub version: u16,
    /// The decoded header of the stream.
    pub header: FileHeader,
    /// At least one, in the order of the stream, without gaps, and each within the file.
    pieces: Vec<Piece>,
    length: u64,
}

impl<S: Source> StreamFile<S> {
    /// The stream that a file consists of. `None` if the file ends within its header, as after a
    /// kill at the very start.
    ///
    /// # Errors
    /// As [`StreamFile::in_pieces`].
    pub fn whole(file: S) -> Result<Option<Self>, Error> {
        let length = file.length();
        if length < FILE_HEADER as u64 {
            return match file.begins_like(&MAGIC)? {
                true => Ok(None),
                false => Err(file.foreign(&MAGIC)),
            };
        }
        let piece = Piece {
            stream: 0,
            file: 0,
            length,
        };
        Self::in_pieces(file, vec![piece]).map(Some)
    }

    /// A stream in pieces: at least one, in the order of the stream, without gaps, and each within
    /// the file.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Version`], [`Error::Corrupt`], [`Error::Io`].
    pub fn in_pieces(file: S, pieces: Vec<Piece>) -> Result<Self, Error> {
        let (offset, first) = pieces
            .first()
            .map_or((0, 0), |piece| (piece.file, piece.length));
        let header = match first < FILE_HEADER as u64 {
            true => None,
            false => file.array::<FILE_HEADER>(offset)?,
        };
        let Some(header) = header else {
            let found = format!("a stream that begins with {first} bytes");
            let problem = Problem::new(0, found, format!("a header of {FILE_HEADER} bytes"));
            return Err(file.corrupt(offset, problem));
        };
        let version = match identify(&header) {
            Identity::Readable(version) => version,
            Identity::Foreign if offset == 0 => return Err(file.foreign(&MAGIC)),
            Identity::Foreign => {
                let found = format!("bytes {:02x?}", &header[..MAGIC.len()]);
                let problem = Problem::new(0, found, format!("a stream, {MAGIC:02x?}"));
                return Err(file.corrupt(offset, problem));
            }
            Identity::Version(found) => {
                return Err(Error::Version {
                    path: file.path().to_owned(),
                    offset: offset + MAGIC.len() as u64,
                    found,
                    expected: VERSION,
                });
            }
        };
        let header =
            FileHeader::decode(&header).map_err(|problem| file.corrupt(offset, problem))?;
        let length = pieces.iter().map(|piece| piece.length).sum();
        Ok(StreamFile {
            file,
            version,
            header,
            pieces,
            length,
        })
    }

    fn piece_with(&self, offset: u64) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.stream <= offset);
        self.pieces.get(after.checked_sub(1)?)
    }

    /// Bytes of the stream.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Bytes from `offset` on that lie in one piece; 0 after the end.
    pub fn rest(&self, offset: u64) -> u64 {
        self.piece_with(offset).map_or(0, |piece| {
            (piece.stream + piece.length).saturating_sub(offset)
        })
    }

    /// Whether the file holds nothing but this stream.
    pub fn is_alone(&self) -> bool {
        self.length == self.file.length()
    }

    /// Offset in the file of the byte at `offset` of the stream.
    pub fn place(&self, offset: u64) -> u64 {
        self.piece_with(offset)
            .map_or(0, |piece| piece.file + (offset - piece.stream))
    }

    /// The `N` bytes at `offset`; `None` if they do not lie in one piece.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn array<const N: usize>(&self, offset: u64) -> Result<Option<[u8; N]>, Error> {
        match self.rest(offset) < N as u64 {
            true => Ok(None),
            false => self.file.array(self.place(offset)),
        }
    }

    /// Whether the bytes from `offset` on that lie in one piece are all zero.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn is_zero(&self, offset: u64) -> Result<bool, Error> {
        match self.rest(offset) {
            0 => Ok(true),
            rest => {
                let begin = self.place(offset);
                self.file.is_zero(begin, begin + rest)
            }
        }
    }

    /// An error about what lies `problem.offset` bytes after `offset`.
    pub fn corrupt(&self, offset: u64, problem: Problem) -> Error {
        self.file.corrupt(self.place(offset), problem)
    }
}
