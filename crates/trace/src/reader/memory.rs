//! Memory for the blocks of many streams that are read in turns. The streams of a thousand threads
//! cannot all keep a block in memory while the others have their turn: each keeps only as much of
//! it as is its share, and unpacks the block again when it needs more.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Buffers that wait for their next use. As many as threads that read; more would be memory for
/// nothing.
const SPARE: usize = 8;

/// A share is at least this, so that no block has to be unpacked for a few events.
const LEAST: usize = 1 << 16;

/// Bounds what the streams that share it hold between their turns, and keeps buffers for those
/// whose turn it is.
pub struct BlockMemory {
    share: usize,
    spare: Mutex<Spare>,
}

#[derive(Default)]
struct Spare {
    buffers: Vec<Vec<u8>>,
    decompressors: Vec<zstd::bulk::Decompressor<'static>>,
}

impl BlockMemory {
    /// Room for `limit` bytes of `streams` streams' blocks, beside those that are being read at the
    /// moment.
    pub fn new(limit: usize, streams: usize) -> Self {
        BlockMemory {
            share: (limit / streams.max(1)).max(LEAST),
            spare: Mutex::default(),
        }
    }

    /// Bytes that one stream may hold between its turns.
    pub fn share(&self) -> usize {
        self.share
    }

    /// Nothing that is guarded can be left half done, so a panic elsewhere does not matter.
    fn spare(&self) -> MutexGuard<'_, Spare> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A buffer for a block.
    pub(super) fn buffer(&self) -> Vec<u8> {
        self.spare().buffers.pop().unwrap_or_default()
    }

    /// Takes a buffer that is not needed any more.
    pub(super) fn recycle(&self, buffer: Vec<u8>) {
        let mut spare = self.spare();
        if buffer.capacity() > 0 && spare.buffers.len() < SPARE {
            spare.buffers.push(buffer);
        }
    }

    /// Unpacks into the capacity of `raw`.
    pub(super) fn decompress(&self, stored: &[u8], raw: &mut Vec<u8>) -> io::Result<usize> {
        let spare = self.spare().decompressors.pop();
        let mut decompressor = match spare {
            Some(decompressor) => decompressor,
            None => zstd::bulk::Decompressor::new()?,
        };
        let length = decompressor.decompress_to_buffer(stored, raw);
        let mut spare = self.spare();
        if spare.decompressors.len() < SPARE {
            spare.decompressors.push(decompressor);
        }
        length
    }
}

impl std::fmt::Debug for BlockMemory {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("BlockMemory")
            .field("share", &self.share)
            .finish()
    }
}
