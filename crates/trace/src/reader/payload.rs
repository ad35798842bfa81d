//! Gets the payload of a block: checks it against its header, and decompresses it within the length
//! announced.

use super::map::StreamFile;
use super::memory::BlockMemory;
use crate::error::Error;
use crate::format::header::{BLOCK_HEADER, BlockHeader, Compression};
use crate::format::{Problem, checksum};

/// The payload of the block at `offset`, whose header says `header`, before compression, in memory
/// that comes from `memory` if there is one.
pub(super) fn read(
    file: &StreamFile,
    offset: u64,
    header: &BlockHeader,
    memory: Option<&BlockMemory>,
) -> Result<Vec<u8>, Error> {
    let length = BLOCK_HEADER as u64 + u64::from(header.stored_length);
    file.announce(offset, length);
    let payload = read_mapped(file, offset, header, memory);
    file.forget(offset, length);
    payload
}

fn read_mapped(
    file: &StreamFile,
    offset: u64,
    header: &BlockHeader,
    memory: Option<&BlockMemory>,
) -> Result<Vec<u8>, Error> {
    let end = BLOCK_HEADER + header.stored_length as usize;
    let Some(bytes) = file.from(offset).get(..end) else {
        let problem = Problem::new(0, "a block that goes on elsewhere", "a block in one piece");
        return Err(file.corrupt(offset, problem));
    };
    if bytes[..BLOCK_HEADER] != header.encode() {
        return Err(file.corrupt(
            offset,
            Problem::new(
                0,
                "a block header that differs",
                "the header that the index at the end of the file has",
            ),
        ));
    }
    let stored = &bytes[BLOCK_HEADER..];
    let sum = checksum(stored);
    if sum != header.payload_checksum {
        return Err(file.corrupt(
            offset,
            Problem::new(
                BLOCK_HEADER,
                format!("a payload with checksum {sum:016x}"),
                format!("{:016x}, as its header says", header.payload_checksum),
            ),
        ));
    }
    let length = header.raw_length as usize;
    let mut raw = memory.map(BlockMemory::buffer).unwrap_or_default();
    raw.clear();
    raw.reserve_exact(length);
    match header.compression {
        Compression::None => raw.extend_from_slice(stored),
        Compression::Zstd => {
            let unpacked = match memory {
                Some(memory) => memory.decompress(stored, &mut raw),
                None => zstd::bulk::Decompressor::new().and_then(|mut decompressor| {
                    decompressor.decompress_to_buffer(stored, &mut raw)
                }),
            };
            unpacked.map_err(|error| {
                file.corrupt(
                    offset,
                    Problem::new(
                        BLOCK_HEADER,
                        format!("a payload that does not decompress ({error})"),
                        format!("zstd data of {length} bytes"),
                    ),
                )
            })?;
        }
    }
    if raw.len() != length {
        return Err(file.corrupt(
            offset,
            Problem::new(
                BLOCK_HEADER,
                format!("a payload that decompresses to {} bytes", raw.len()),
                format!("{length}, as its header says"),
            ),
        ));
    }
    Ok(raw)
}

/// Like [`Problem`]s of a header, those of a payload are given from the beginning of the block: in
/// compressed data there is no nearer place, so what was found says where in the payload it lies.
pub(super) fn within_payload(
    file: &StreamFile,
    offset: u64,
    header: &BlockHeader,
    problem: Problem,
) -> Error {
    match header.compression {
        Compression::None => file.corrupt(offset + BLOCK_HEADER as u64, problem),
        Compression::Zstd => {
            let found = format!(
                "{} (at byte {} of the decompressed block)",
                problem.found, problem.offset
            );
            file.corrupt(offset, Problem::new(0, found, problem.expected))
        }
    }
}
