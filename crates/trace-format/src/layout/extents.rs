//! Goes through a file of a whole node from extent to extent, and puts those of a thread together.
//! A write that a kill or a full disk cut off leaves an extent without its end; the next one is
//! then found by its first bytes.

use super::source::Source;
use super::stream::{Piece, StreamFile};
use crate::Problem;
use crate::error::Error;
use crate::extent::{
    EXTENT_HEADER, EXTENT_MAGIC, EXTENT_TRAILER, EXTENT_VERSION, ExtentHeader, VERSION_OFFSET,
};

/// A whole extent.
#[derive(Debug)]
pub struct Extent {
    /// Where its header lies in the file.
    pub offset: u64,
    /// The decoded header.
    pub header: ExtentHeader,
}

/// Bytes that are no whole extent.
#[derive(Debug)]
pub struct Torn {
    /// Offset of the first byte in the file.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// The header of the unfinished extent, if it was written whole.
    pub header: Option<ExtentHeader>,
}

/// The extents of a file, and what lies between them.
///
/// # Errors
/// [`Error::Version`], [`Error::Io`].
pub fn walk(file: &impl Source) -> Result<(Vec<Extent>, Vec<Torn>), Error> {
    let (mut extents, mut torn) = (Vec::new(), Vec::new());
    let mut offset = 0;
    while offset < file.length() {
        let header = header_at(file, offset)?;
        if let Some(header) = header {
            if let Some(end) = end_of(file, offset, &header)? {
                extents.push(Extent { offset, header });
                offset = end;
                continue;
            }
        }
        let next = next_header(file, offset + 1)?;
        torn.push(Torn {
            offset,
            length: next - offset,
            header,
        });
        offset = next;
    }
    Ok((extents, torn))
}

/// The header at `offset`, if there is one.
fn header_at(file: &impl Source, offset: u64) -> Result<Option<ExtentHeader>, Error> {
    let Some(bytes) = file.array::<EXTENT_HEADER>(offset)? else {
        return Ok(None);
    };
    match ExtentHeader::decode(&bytes) {
        Ok(header) => Ok(Some(header)),
        // One of a later version, with its checksum right.
        Err(problem) if problem.offset == VERSION_OFFSET => Err(Error::Version {
            path: file.path().to_owned(),
            offset: offset + VERSION_OFFSET as u64,
            found: u16::from_le_bytes([bytes[VERSION_OFFSET], bytes[VERSION_OFFSET + 1]]),
            expected: EXTENT_VERSION,
        }),
        Err(_) => Ok(None),
    }
}

/// Where the extent with this header ends, if it was written to its end.
fn end_of(file: &impl Source, offset: u64, header: &ExtentHeader) -> Result<Option<u64>, Error> {
    let mark = (offset + EXTENT_HEADER as u64).checked_add(header.length);
    let Some(mark) = mark.filter(|&mark| mark < file.length()) else {
        return Ok(None);
    };
    let is_whole = file.array::<EXTENT_TRAILER>(mark)? == Some(header.end_mark());
    Ok(is_whole.then_some(mark + EXTENT_TRAILER as u64))
}

/// Where the next header begins, from `offset` on; the end of the file if there is none.
fn next_header(file: &impl Source, mut offset: u64) -> Result<u64, Error> {
    let mut bytes = vec![0; 1 << 16];
    loop {
        let length = file.read(offset, &mut bytes)?;
        for (at, window) in bytes[..length].windows(EXTENT_MAGIC.len()).enumerate() {
            let found = offset + at as u64;
            if window == EXTENT_MAGIC && header_at(file, found)?.is_some() {
                return Ok(found);
            }
        }
        if length < bytes.len() {
            return Ok(file.length());
        }
        // The magic may begin in the last bytes.
        offset += (length - EXTENT_MAGIC.len() + 1) as u64;
    }
}

/// The stream that a process opened for a thread at that time (nanoseconds since 1970), and its
/// number of extents; `None` if it has none.
///
/// # Errors
/// As [`walk`], [`put_together`] and [`StreamFile::in_pieces`].
pub fn stream_of<S: Source>(
    file: S,
    thread: u32,
    process: u32,
    opened: u64,
) -> Result<Option<(StreamFile<S>, u32)>, Error> {
    let (mut extents, _) = walk(&file)?;
    extents.retain(|extent| {
        let header = &extent.header;
        (header.thread, header.process, header.opened) == (thread, process, opened)
    });
    let (pieces, _) = put_together(&file, &extents)?;
    let count = pieces.len() as u32;
    match count {
        0 => Ok(None),
        _ => Ok(Some((StreamFile::in_pieces(file, pieces)?, count))),
    }
}

/// The pieces of a stream up to the first that is missing, and what is to be said of that.
///
/// # Errors
/// [`Error::Corrupt`] if extents contradict each other.
pub fn put_together(
    file: &impl Source,
    extents: &[Extent],
) -> Result<(Vec<Piece>, Option<String>), Error> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut stream = 0_u64;
    for (index, Extent { offset, header }) in extents.iter().enumerate() {
        if header.number as usize > pieces.len() {
            let missing = header.number as usize - pieces.len();
            return Ok((
                pieces,
                Some(format!(
                    "offset {offset}: {missing} extents before this one are missing; it and {} \
                     behind it are not read",
                    extents.len() - index - 1
                )),
            ));
        }
        if header.number as usize != pieces.len() || header.stream_offset != stream {
            let problem = Problem::new(
                20,
                format!(
                    "extent {} of thread {}, at byte {} of its stream",
                    header.number, header.thread, header.stream_offset
                ),
                format!("extent {}, at byte {stream}", pieces.len()),
            );
            return Err(file.corrupt(*offset, problem));
        }
        pieces.push(Piece {
            stream,
            file: offset + EXTENT_HEADER as u64,
            length: header.length,
        });
        stream += header.length;
    }
    Ok((pieces, None))
}
