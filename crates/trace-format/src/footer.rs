//! The payload of the last block: totals, why recording stopped, and the index of all blocks.

use crate::Problem;
use crate::header::{BLOCK_HEADER, BlockHeader, u32_at, u64_at};

/// Bytes before the index.
const FIXED: usize = 32;
/// Bytes of one index entry: an offset and a copy of the block's header.
const ENTRY: usize = 8 + BLOCK_HEADER;

/// Fields of the footer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Footer {
    /// Events in the file.
    pub events: u64,
    /// Events that happened but are not in the file.
    pub lost_events: u64,
    /// Why recording stopped before the program ended: an error number of the operating system; 0
    /// if it did not.
    pub stopped: u32,
    /// Whether the trace ends early because it had reached the size that it was limited to. Since
    /// version 2.
    pub limit_reached: bool,
    /// Offset in the file and header of every block before the footer, in the order of offsets.
    pub blocks: Vec<(u64, BlockHeader)>,
}

impl Footer {
    /// The payload.
    pub fn encode(&self) -> Vec<u8> {
        let mut payload = Vec::with_capacity(FIXED + ENTRY * self.blocks.len());
        payload.extend_from_slice(&self.events.to_le_bytes());
        payload.extend_from_slice(&self.lost_events.to_le_bytes());
        payload.extend_from_slice(&self.stopped.to_le_bytes());
        payload.extend_from_slice(&u32::from(self.limit_reached).to_le_bytes());
        payload.extend_from_slice(&[0; 8]);
        for (offset, header) in &self.blocks {
            payload.extend_from_slice(&offset.to_le_bytes());
            payload.extend_from_slice(&header.encode());
        }
        payload
    }

    /// Reads a payload.
    ///
    /// # Errors
    /// A [`Problem`] with the offset in `payload`.
    pub fn decode(payload: &[u8]) -> Result<Self, Problem> {
        if payload.len() < FIXED || (payload.len() - FIXED) % ENTRY != 0 {
            return Err(Problem::new(
                0,
                format!("an index of {} bytes", payload.len()),
                format!("{FIXED} bytes and {ENTRY} for each block"),
            ));
        }
        let (fixed, index) = payload.split_at(FIXED);
        let mut blocks = Vec::with_capacity(index.len() / ENTRY);
        for (number, entry) in index.chunks_exact(ENTRY).enumerate() {
            let mut bytes = [0; BLOCK_HEADER];
            bytes.copy_from_slice(&entry[8..]);
            let header = BlockHeader::decode(&bytes).map_err(|problem| Problem {
                offset: FIXED + number * ENTRY + 8 + problem.offset,
                ..problem
            })?;
            blocks.push((u64_at(entry, 0), header));
        }
        Ok(Footer {
            events: u64_at(fixed, 0),
            lost_events: u64_at(fixed, 8),
            stopped: u32_at(fixed, 16),
            limit_reached: u32_at(fixed, 20) != 0,
            blocks,
        })
    }
}
