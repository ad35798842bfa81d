//! Turns payloads into blocks, compressed where that makes them smaller, and writes the index at
//! the end.

use std::io;

use zstd::zstd_safe::{CCtx, CParameter};

use crate::clock::CalibrationPair;
use crate::footer::Footer;
use crate::header::{BLOCK_HEADER, BlockHeader, BlockKind, Compression, encode_trailer};
use crate::{MAX_RAW_LENGTH, checksum};

/// How payloads are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompressionLevel {
    /// Payloads are stored as they are.
    None,
    /// A zstd level, usually 1.
    Zstd(i32),
}

/// Everything of a block's header that does not follow from its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockDescription {
    /// Content of the payload.
    pub kind: BlockKind,
    /// The thread that the block belongs to.
    pub thread: u32,
    /// Number of the block among those of its thread in this file, from 0.
    pub sequence: u32,
    /// Ticks that differences of time in an events block count from.
    pub first_time: u64,
    /// Ticks of the last event of an events block.
    pub last_time: u64,
    /// Events, or entries, or pairs in the payload.
    pub entries: u32,
    /// Sites of the thread that are defined before this block.
    pub sites: u32,
    /// When the block was written, on both clocks.
    pub written: CalibrationPair,
    /// Events that were not recorded between the block before and this one.
    pub lost_events: u32,
}

fn of_zstd(code: usize) -> io::Error {
    io::Error::other(zstd::zstd_safe::get_error_name(code))
}

/// Turns payloads into blocks.
pub struct BlockSealer {
    compressor: Option<CCtx<'static>>,
}

impl BlockSealer {
    /// # Errors
    /// If there is no memory for the compressor, or no such level.
    pub fn new(level: CompressionLevel) -> io::Result<Self> {
        let compressor = match level {
            CompressionLevel::None => None,
            CompressionLevel::Zstd(level) => {
                // Not `bulk::Compressor`, which panics where there is no memory.
                let mut context = CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
                let level = CParameter::CompressionLevel(level);
                context.set_parameter(level).map_err(of_zstd)?;
                Some(context)
            }
        };
        Ok(BlockSealer { compressor })
    }

    /// Appends the block (header and payload, compressed where that makes it smaller) to `out` and
    /// returns its header.
    ///
    /// # Errors
    /// If the compressor fails, or the payload is longer than a block can hold.
    pub fn seal(
        &mut self,
        out: &mut Vec<u8>,
        description: &BlockDescription,
        payload: &[u8],
    ) -> io::Result<BlockHeader> {
        if payload.len() > MAX_RAW_LENGTH {
            return Err(io::Error::other(
                "the payload is longer than a block can hold",
            ));
        }
        let begin = out.len();
        let body = begin + BLOCK_HEADER;
        let stored = match &mut self.compressor {
            Some(compressor) => {
                out.resize(body + zstd::zstd_safe::compress_bound(payload.len()), 0);
                let compressed = compressor.compress2(&mut out[body..], payload);
                Some(compressed.map_err(of_zstd)?)
            }
            None => None,
        };
        let (compression, stored_length) = match stored {
            Some(length) if length < payload.len() => (Compression::Zstd, length),
            _ => {
                out.resize(body + payload.len(), 0);
                out[body..].copy_from_slice(payload);
                (Compression::None, payload.len())
            }
        };
        out.truncate(body + stored_length);
        let header = BlockHeader {
            kind: description.kind,
            compression,
            thread: description.thread,
            sequence: description.sequence,
            first_time: description.first_time,
            last_time: description.last_time,
            entries: description.entries,
            raw_length: payload.len() as u32,
            stored_length: stored_length as u32,
            sites: description.sites,
            written: description.written,
            payload_checksum: checksum(&out[body..]),
            lost_events: description.lost_events,
        };
        out[begin..body].copy_from_slice(&header.encode());
        Ok(header)
    }

    /// The end of a file: the footer block at offset `footer_offset`, and the trailer.
    ///
    /// # Errors
    /// As for [`BlockSealer::seal`].
    pub fn seal_footer(
        &mut self,
        out: &mut Vec<u8>,
        footer: &Footer,
        footer_offset: u64,
        thread: u32,
        written: CalibrationPair,
    ) -> io::Result<()> {
        let description = BlockDescription {
            kind: BlockKind::Footer,
            thread,
            sequence: footer
                .blocks
                .iter()
                .rev()
                .find(|(_, header)| header.thread == thread)
                .map_or(0, |(_, header)| header.sequence + 1),
            first_time: written.ticks,
            last_time: written.ticks,
            entries: footer.blocks.len() as u32,
            sites: 0,
            written,
            lost_events: 0,
        };
        self.seal(out, &description, &footer.encode())?;
        out.extend_from_slice(&encode_trailer(footer_offset));
        Ok(())
    }
}

impl std::fmt::Debug for BlockSealer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("BlockSealer")
            .field("compresses", &self.compressor.is_some())
            .finish()
    }
}
