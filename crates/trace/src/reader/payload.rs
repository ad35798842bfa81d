//! Gets the payload of a block: checks it against its header, and decompresses it within the length announced.

use super::map::StreamFile;
use crate::error::Error;
use crate::format::header::{BlockHeader, Compression, BLOCK_HEADER};
use crate::format::{checksum, Problem};

/// The payload of the block at `offset`, whose header says `header`, before compression.
///
/// The caller has checked that the block lies within the file.
pub(super) fn read(file: &StreamFile, offset: u64, header: &BlockHeader) -> Result<Vec<u8>, Error> {
    let begin = offset as usize;
    let body = begin + BLOCK_HEADER;
    let bytes = file.bytes();
    if bytes[begin..body] != header.encode() {
        return Err(file.corrupt(
            offset,
            Problem::new(
                0,
                "a block header that differs",
                "the header that the index at the end of the file has",
            ),
        ));
    }
    let stored = &bytes[body..body + header.stored_length as usize];
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
    match header.compression {
        Compression::None => Ok(stored.to_vec()),
        Compression::Zstd => {
            let length = header.raw_length as usize;
            let raw = zstd::bulk::decompress(stored, length).map_err(|error| {
                file.corrupt(
                    offset,
                    Problem::new(
                        BLOCK_HEADER,
                        format!("a payload that does not decompress ({error})"),
                        format!("zstd data of {length} bytes"),
                    ),
                )
            })?;
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
    }
}

/// Like [`Problem`]s of a header, those of a payload are given from the beginning of the block: in compressed data
/// there is no nearer place, so what was found says where in the payload it lies.
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
