//! Files that hold the streams of all threads of a node: what they are called, and how whole streams become one. The
//! recorder writes such a file piece by piece, as its buffers become full; this is for tests, synthetic traces and whoever
//! wants to put the files of many threads together.

use std::io::{self, Write};

use crate::format::checksum;
use crate::format::extent::ExtentHeader;
use crate::format::header::{BlockHeader, BlockKind, FileHeader, BLOCK_HEADER, FILE_HEADER};

/// Longest part of a host's name in the name of a file, in bytes.
const LONGEST_HOST: usize = 64;

/// Name of the file for the threads of a node. `node` tells it from all others, even of the same name.
pub fn name(host: &str, node: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let host: String = host.chars().filter(is_plain).take(LONGEST_HOST).collect();
    let sum = checksum(node.as_bytes()) as u32;
    format!("node-{host}-{sum:08x}.pgn")
}

/// A part of a stream that becomes an extent.
struct Piece {
    /// Of its last event.
    time: u64,
    stream: usize,
    header: ExtentHeader,
}

/// Writes whole streams, each as it would be the file of its thread, into one file: a piece for each block of events with
/// what comes before it, in the order of time. Streams that are too short for a header are left out.
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
        let end = at + BLOCK_HEADER + block.stored_length as usize;
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

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_tell_nodes_apart_and_are_plain() {
        assert_ne!(name("a", "1"), name("a", "2"));
        let odd = name("../ä b\n", "1");
        assert!(
            odd.starts_with("node-..b-") && odd.ends_with(".pgn"),
            "{odd}"
        );
        assert!(name(&"x".repeat(1000), "1").len() < 128);
    }
}
