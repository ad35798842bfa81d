//! Takes a stream file apart into headers and payloads, and puts one together from them, with
//! lengths, checksums, numbers, index and trailer that are right: no fuzzer gets past them
//! otherwise. `docs/trace-format.md` describes the bytes.

use pgas_trace::format::checksum;
use pgas_trace::format::header::{BLOCK_HEADER, FILE_HEADER, TRAILER};
use pgas_trace::format::{BLOCK_MAGIC, END_MAGIC};

pub const DEFINITIONS: u8 = 1;
pub const EVENTS: u8 = 2;
const FOOTER: u8 = 4;
/// Payloads that are larger than this when decompressed stay as they are.
const LARGEST: usize = 1 << 20;

/// Fields of a block header, by their offset and size in bytes, that are not made right in any
/// case.
pub const HEADER_FIELDS: [(usize, usize); 10] = [
    (4, 1),
    (6, 2),
    (8, 4),
    (12, 4),
    (16, 8),
    (24, 8),
    (32, 4),
    (44, 4),
    (48, 8),
    (72, 4),
];

/// One block.
#[derive(Debug, Clone)]
pub struct Part {
    /// As in the file; lengths, compression and checksums are made right by
    /// [`Assembly::assemble`].
    pub header: [u8; BLOCK_HEADER],
    /// Before compression.
    pub payload: Vec<u8>,
    pub compressed: bool,
    /// Length of the payload as the header claims it, if that is wrong.
    pub claimed_length: Option<u32>,
}

impl Part {
    pub fn kind(&self) -> u8 {
        self.header[4]
    }

    pub fn u32(&self, at: usize) -> u32 {
        u32_at(&self.header, at)
    }

    pub fn set_u32(&mut self, at: usize, value: u32) {
        self.header[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    pub fn u64(&self, at: usize) -> u64 {
        u64::from(self.u32(at)) | u64::from(self.u32(at + 4)) << 32
    }

    pub fn set_u64(&mut self, at: usize, value: u64) {
        self.header[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
}

/// A file in parts.
#[derive(Debug, Clone)]
pub struct Assembly {
    pub header: [u8; FILE_HEADER],
    pub parts: Vec<Part>,
    /// The first bytes of the footer's payload, if there is one.
    pub footer: Option<[u8; 32]>,
    /// Bytes after the last whole block.
    pub rest: Vec<u8>,
}

impl Assembly {
    /// `None` if there is not even a header.
    pub fn take_apart(bytes: &[u8]) -> Option<Self> {
        let mut assembly = Assembly {
            header: *bytes.first_chunk()?,
            parts: Vec::new(),
            footer: None,
            rest: Vec::new(),
        };
        let mut at = FILE_HEADER;
        while let Some(header) = bytes
            .get(at..)
            .and_then(<[u8]>::first_chunk::<BLOCK_HEADER>)
        {
            let stored = bytes.get(at + BLOCK_HEADER..).and_then(|rest| {
                let length = u32_at(header, 40) as usize;
                rest.get(..length)
            });
            let Some(stored) = stored.filter(|_| header[..4] == BLOCK_MAGIC) else {
                break;
            };
            at += BLOCK_HEADER + stored.len();
            if header[4] == FOOTER {
                assembly.footer = stored.first_chunk().copied();
                return Some(assembly);
            }
            let raw = match header[5] {
                1 => zstd::bulk::decompress(stored, LARGEST).ok(),
                _ => None,
            };
            let claimed = u32_at(header, 36);
            let compressed = raw.is_some();
            let payload = raw.unwrap_or_else(|| stored.to_vec());
            assembly.parts.push(Part {
                header: *header,
                claimed_length: Some(claimed).filter(|&length| length as usize != payload.len()),
                payload,
                compressed,
            });
        }
        assembly.rest = bytes[at.min(bytes.len())..].to_vec();
        Some(assembly)
    }

    /// Numbers the blocks of each thread from 0, and says how many sites were defined before each.
    pub fn renumber(&mut self) {
        let mut seen: Vec<(u32, u32, u32)> = Vec::new();
        for part in &mut self.parts {
            let thread = part.u32(8);
            let index = match seen.iter().position(|known| known.0 == thread) {
                Some(index) => index,
                None => {
                    seen.push((thread, 0, 0));
                    seen.len() - 1
                }
            };
            let (_, sequence, sites) = &mut seen[index];
            part.set_u32(12, *sequence);
            part.set_u32(44, *sites);
            *sequence += 1;
            if part.kind() == DEFINITIONS {
                *sites = sites.wrapping_add(u32_at(&part.header, 32));
            }
        }
    }

    /// The bytes of the file.
    pub fn assemble(&self) -> Vec<u8> {
        let mut bytes = self.header.to_vec();
        let sum = checksum(&bytes[..56]);
        bytes[56..64].copy_from_slice(&sum.to_le_bytes());
        let mut index = Vec::new();
        let mut events = 0_u64;
        for part in &self.parts {
            let stored = match part.compressed {
                true => zstd::bulk::compress(&part.payload, 1).expect("compressed in memory"),
                false => part.payload.clone(),
            };
            let raw = part.claimed_length.unwrap_or(part.payload.len() as u32);
            let header = seal(part.header, u8::from(part.compressed), raw, &stored);
            index.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            index.extend_from_slice(&header);
            bytes.extend_from_slice(&header);
            bytes.extend_from_slice(&stored);
            if part.kind() == EVENTS {
                events += u64::from(u32_at(&header, 32));
            }
        }
        let Some(totals) = self.footer else {
            bytes.extend_from_slice(&self.rest);
            return bytes;
        };
        let mut payload = totals.to_vec();
        payload[..8].copy_from_slice(&events.to_le_bytes());
        payload.extend_from_slice(&index);
        let mut header = [0; BLOCK_HEADER];
        header[..4].copy_from_slice(&BLOCK_MAGIC);
        header[4] = FOOTER;
        header[8..12].copy_from_slice(&self.header[12..16]);
        header[32..36].copy_from_slice(&(self.parts.len() as u32).to_le_bytes());
        let header = seal(header, 0, payload.len() as u32, &payload);
        let offset = (bytes.len() as u64).to_le_bytes();
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&payload);
        bytes.extend_from_slice(&offset);
        bytes.extend_from_slice(&checksum(&offset).to_le_bytes());
        bytes.extend_from_slice(&END_MAGIC);
        bytes
    }
}

/// The file without what follows its last block of another kind than the footer: what a killed
/// program leaves.
pub fn without_index(bytes: &[u8]) -> Option<&[u8]> {
    let trailer = bytes.last_chunk::<TRAILER>()?;
    let offset = trailer
        .first_chunk()
        .map(|&bytes| u64::from_le_bytes(bytes))?;
    bytes.get(..usize::try_from(offset).ok()?)
}

fn seal(
    mut header: [u8; BLOCK_HEADER],
    compression: u8,
    raw: u32,
    stored: &[u8],
) -> [u8; BLOCK_HEADER] {
    header[5] = compression;
    header[36..40].copy_from_slice(&raw.to_le_bytes());
    header[40..44].copy_from_slice(&(stored.len() as u32).to_le_bytes());
    header[64..72].copy_from_slice(&checksum(stored).to_le_bytes());
    let sum = checksum(&header[..76]) as u32;
    header[76..80].copy_from_slice(&sum.to_le_bytes());
    header
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
