//! Finds the streams in a file of a whole node: goes from extent to extent, and puts those of each thread together. A write
//! that a kill or a full disk cut off leaves an extent without its end; the next one is then found by its first bytes.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use memmap2::Advice;

use super::map::{MappedFile, Piece, StreamFile};
use crate::error::Error;
use crate::format::extent::{
    ExtentHeader, EXTENT_HEADER, EXTENT_MAGIC, EXTENT_TRAILER, EXTENT_VERSION, VERSION_OFFSET,
};
use crate::format::Problem;

/// Places of one file that a remark is made of.
const MOST_REMARKS: usize = 16;

/// The streams of a file.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) streams: Vec<StreamFile>,
    /// Streams, by their place in `streams`, that cannot be read to their end, and why.
    pub(super) cut: Vec<(usize, String)>,
    /// What a reader must know about the file.
    pub(super) remarks: Vec<String>,
}

/// A whole extent.
#[derive(Debug)]
struct Extent {
    /// Where its header lies in the file.
    offset: u64,
    header: ExtentHeader,
}

/// Bytes that are no whole extent.
#[derive(Debug)]
struct Torn {
    offset: u64,
    length: u64,
    /// What was to be written there, if that much of it is there.
    header: Option<ExtentHeader>,
}

/// The streams in a file of extents.
pub(super) fn streams(file: &Arc<MappedFile>) -> Result<Found, Error> {
    // Pages of headers now, blocks as they are announced.
    file.advise(Advice::Random);
    let (extents, torn) = walk(file)?;
    let nothing = extents.is_empty() && torn.iter().all(|torn| torn.header.is_none());
    if nothing && !file.begins_like(&EXTENT_MAGIC) && file.bytes().iter().any(|&byte| byte != 0) {
        return Err(file.foreign(&EXTENT_MAGIC));
    }
    let mut found = Found::default();
    remark_torn(file, &torn, &extents, &mut found.remarks);
    for (thread, recordings) in by_thread(extents) {
        let mut recordings = recordings.into_iter();
        let Some(first) = recordings.next() else {
            continue;
        };
        for other in recordings {
            found.remarks.push(format!(
                "{}: thread {thread}: process {} recorded it once more; what process {} recorded is read",
                file.path.display(),
                other.process,
                first.process
            ));
        }
        let (pieces, missing) = put_together(file, &first.extents)?;
        let Some(begin) = pieces.first().map(|piece| piece.file) else {
            found.remarks.push(format!(
                "{}: thread {thread}: the beginning of its stream is missing, nothing of it can be read",
                file.path.display()
            ));
            continue;
        };
        let stream = StreamFile::in_pieces(file, pieces)?;
        if stream.header.thread != thread {
            let problem = Problem::new(
                12,
                format!("the stream of thread {}", stream.header.thread),
                format!("that of thread {thread}, as its extent says"),
            );
            return Err(file.corrupt(begin, problem));
        }
        if let Some(missing) = missing {
            found.cut.push((found.streams.len(), missing));
        }
        found.streams.push(stream);
    }
    Ok(found)
}

/// The stream that a process opened for a thread at that time (nanoseconds since 1970), and its number of extents; `None` if
/// it has none.
pub(super) fn stream_of(
    file: &Arc<MappedFile>,
    thread: u32,
    process: u32,
    opened: u64,
) -> Result<Option<(StreamFile, u32)>, Error> {
    let (mut extents, _) = walk(file)?;
    extents.retain(|extent| {
        let header = &extent.header;
        (header.thread, header.process, header.opened) == (thread, process, opened)
    });
    let (pieces, _) = put_together(file, &extents)?;
    let count = pieces.len() as u32;
    match count {
        0 => Ok(None),
        _ => Ok(Some((StreamFile::in_pieces(file, pieces)?, count))),
    }
}

/// From extent to extent.
fn walk(file: &MappedFile) -> Result<(Vec<Extent>, Vec<Torn>), Error> {
    let bytes = file.bytes();
    let (mut extents, mut torn) = (Vec::new(), Vec::new());
    let mut offset = 0;
    while offset < bytes.len() {
        let header = header_at(file, offset)?;
        if let Some((header, end)) = header.and_then(|header| end_of(bytes, offset, header)) {
            extents.push(Extent {
                offset: offset as u64,
                header,
            });
            offset = end;
            continue;
        }
        let next = next_header(file, offset + 1)?;
        torn.push(Torn {
            offset: offset as u64,
            length: (next - offset) as u64,
            header,
        });
        offset = next;
    }
    Ok((extents, torn))
}

/// The header at `offset`, if there is one.
fn header_at(file: &MappedFile, offset: usize) -> Result<Option<ExtentHeader>, Error> {
    let rest = file.bytes().get(offset..).unwrap_or(&[]);
    let Some(bytes) = rest.first_chunk::<EXTENT_HEADER>() else {
        return Ok(None);
    };
    match ExtentHeader::decode(bytes) {
        Ok(header) => Ok(Some(header)),
        // One of a later version, with its checksum right.
        Err(problem) if problem.offset == VERSION_OFFSET => Err(Error::Version {
            path: file.path.clone(),
            offset: (offset + VERSION_OFFSET) as u64,
            found: u16::from_le_bytes([bytes[VERSION_OFFSET], bytes[VERSION_OFFSET + 1]]),
            expected: EXTENT_VERSION,
        }),
        Err(_) => Ok(None),
    }
}

/// Where the extent with this header ends, if it was written to its end.
fn end_of(bytes: &[u8], offset: usize, header: ExtentHeader) -> Option<(ExtentHeader, usize)> {
    let mark = offset
        .checked_add(EXTENT_HEADER)?
        .checked_add(usize::try_from(header.length).ok()?)?;
    let end = mark.checked_add(EXTENT_TRAILER)?;
    (bytes.get(mark..end)? == header.end_mark()).then_some((header, end))
}

/// Where the next header begins, from `offset` on; the end of the file if there is none.
fn next_header(file: &MappedFile, mut offset: usize) -> Result<usize, Error> {
    let bytes = file.bytes();
    while let Some(rest) = bytes.get(offset..) {
        let found = rest
            .windows(EXTENT_MAGIC.len())
            .position(|window| window == EXTENT_MAGIC);
        let Some(found) = found else { break };
        offset += found;
        if header_at(file, offset)?.is_some() {
            return Ok(offset);
        }
        offset += 1;
    }
    Ok(bytes.len())
}

/// What one process wrote of a thread.
#[derive(Debug)]
struct Recording {
    process: u32,
    extents: Vec<Extent>,
}

/// The recordings of each thread, in the order in which they were begun.
fn by_thread(extents: Vec<Extent>) -> BTreeMap<u32, Vec<Recording>> {
    let mut recordings: BTreeMap<(u32, u32, u64), Vec<Extent>> = BTreeMap::new();
    for extent in extents {
        let ExtentHeader {
            thread,
            process,
            opened,
            ..
        } = extent.header;
        let recording = recordings.entry((thread, process, opened));
        recording.or_default().push(extent);
    }
    let mut threads: BTreeMap<u32, Vec<Recording>> = BTreeMap::new();
    for ((thread, process, _), extents) in recordings {
        let recording = Recording { process, extents };
        threads.entry(thread).or_default().push(recording);
    }
    for recordings in threads.values_mut() {
        recordings.sort_by_key(|recording| recording.extents.first().map(|extent| extent.offset));
    }
    threads
}

/// The pieces of a stream up to the first that is missing, and what is to be said of that.
fn put_together(
    file: &MappedFile,
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
                    "offset {offset}: {missing} extents before this one are missing; it and {} behind it are not read",
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

/// Says what was not written to its end, except where the same was written once more.
fn remark_torn(file: &MappedFile, torn: &[Torn], extents: &[Extent], remarks: &mut Vec<String>) {
    if torn.is_empty() {
        return;
    }
    let whole: HashSet<&ExtentHeader> = extents.iter().map(|extent| &extent.header).collect();
    let again = |torn: &&Torn| torn.header.is_none_or(|header| !whole.contains(&header));
    let lost: Vec<&Torn> = torn.iter().filter(again).collect();
    for torn in lost.iter().take(MOST_REMARKS) {
        let what = match torn.header {
            Some(header) => format!(
                "the writing of {} bytes of thread {} was cut off",
                header.length, header.thread
            ),
            None => format!("{} bytes that are no extent are passed over", torn.length),
        };
        remarks.push(format!(
            "{}: offset {}: {what}",
            file.path.display(),
            torn.offset
        ));
    }
    if lost.len() > MOST_REMARKS {
        remarks.push(format!(
            "{}: likewise at {} more places",
            file.path.display(),
            lost.len() - MOST_REMARKS
        ));
    }
}
