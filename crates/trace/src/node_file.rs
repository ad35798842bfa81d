//! Puts whole streams into one file, as that of a node. The recorder writes such a file piece by
//! piece, as its buffers become full; this is for tests and synthetic traces.

use std::io::{self, Write};

use crate::format::extent::ExtentHeader;
use crate::format::header::{BLOCK_HEADER, BlockHeader, BlockKind, FILE_HEADER, FileHeader};

/// A part of a stream that becomes an extent.
struct Piece {
    /// Of its last event.
    time: u64,
    stream: usize,
    header: ExtentHeader,
}

/// Writes whole streams, each as it would be the file of its thread, into one file: a piece for
/// each block of events with what comes before it, in the order of time. Streams that are too short
/// for a header are left out.
///
/// # Errors
/// Of `out`; [`io::ErrorKind::InvalidData`] if something is no stream.
pub fn write(out: &mut impl Write, streams: &[&[u8]]) -> io::Result<()> {
    let mut pieces = Vec::new();
    for (index, bytes) in streams.iter().enumerate() {
        let Some(header) = bytes.first_chunk::<FILE_HEADER>() else {
            continue;
        };
        let header = FileHeader::decode(header).map_err(|problem| {
            let text = format!("found {}, expected {}", problem.found, problem.expected);
            io::Error::new(io::ErrorKind::InvalidData, text)
        })?;
        cut(bytes, index, &header, &mut pieces);
    }
    // Stable, and times of a stream do not decrease: its pieces stay in their order.
    pieces.sort_by_key(|piece| piece.time);
    for Piece { stream, header, .. } in pieces {
        let begin = header.stream_offset as usize;
        out.write_all(&header.encode())?;
        out.write_all(&streams[stream][begin..begin + header.length as usize])?;
        out.write_all(&header.end_mark())?;
    }
    Ok(())
}

/// Cuts a stream behind each block of events; what follows the last one is a piece of its own.
fn cut(bytes: &[u8], stream: usize, header: &FileHeader, pieces: &mut Vec<Piece>) {
    let mut next = ExtentHeader {
        thread: header.thread,
        process: header.process,
        opened: header.start_unix,
        number: 0,
        stream_offset: 0,
        length: 0,
    };
    let mut add = |end: usize, time: u64| {
        next.length = end as u64 - next.stream_offset;
        if next.length > 0 {
            pieces.push(Piece {
                time,
                stream,
                header: next,
            });
            next.number += 1;
            next.stream_offset = end as u64;
        }
    };
    let (mut at, mut time) = (FILE_HEADER, header.start.ticks);
    while let Some(Ok(block)) = bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk::<BLOCK_HEADER>())
        .map(BlockHeader::decode)
    {
        let end = at + block.length() as usize;
        if end > bytes.len() || block.kind == BlockKind::Footer {
            break;
        }
        at = end;
        if block.kind == BlockKind::Events {
            time = time.max(block.last_time);
            add(at, time);
        }
    }
    add(bytes.len(), time);
}
