//! Extents: the pieces of which a file of a whole node consists. Each holds the next bytes of one
//! thread's stream, exactly as a file of that thread alone would have them, between a header and an
//! end mark, so that pieces that were written only in part are told from whole ones and what other
//! threads wrote beside them is found.

use crate::header::{u32_at, u64_at};
use crate::{Problem, checksum};

/// Bytes at the beginning of every extent.
pub const EXTENT_MAGIC: [u8; 8] = *b"\x89PGN\r\n\x1a\n";
/// Bytes at the end of every extent, before the checksum of its header.
pub const EXTENT_END: [u8; 8] = *b"PGNEND\r\n";
/// The version that this module reads and writes.
pub const EXTENT_VERSION: u16 = 1;
/// Bytes of an [`ExtentHeader`].
pub const EXTENT_HEADER: usize = 64;
/// Bytes of the end mark.
pub const EXTENT_TRAILER: usize = 16;
/// Byte of the header at which its checksum begins.
const CHECKSUM: usize = 56;

/// Header of a piece of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExtentHeader {
    /// The thread whose stream it is.
    pub thread: u32,
    /// Identifier of the process that wrote it, on its node.
    pub process: u32,
    /// When the stream was opened, in nanoseconds since 1970-01-01 00:00 UTC: the same in all
    /// extents of a stream, and with the process another one for the stream of a program that
    /// was started a second time.
    pub opened: u64,
    /// Number of the extent among those of its stream, from 0.
    pub number: u32,
    /// Where its first byte lies in the stream.
    pub stream_offset: u64,
    /// Bytes of the stream that it holds.
    pub length: u64,
}

impl ExtentHeader {
    /// The bytes of the header.
    pub fn encode(&self) -> [u8; EXTENT_HEADER] {
        let mut bytes = [0; EXTENT_HEADER];
        bytes[0..8].copy_from_slice(&EXTENT_MAGIC);
        bytes[8..10].copy_from_slice(&EXTENT_VERSION.to_le_bytes());
        bytes[10] = 1;
        bytes[12..16].copy_from_slice(&self.thread.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.process.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.number.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.opened.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.stream_offset.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.length.to_le_bytes());
        let sum = checksum(&bytes[..CHECKSUM]);
        bytes[CHECKSUM..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The end mark that belongs to this header and to no other.
    pub fn end_mark(&self) -> [u8; EXTENT_TRAILER] {
        let mut bytes = [0; EXTENT_TRAILER];
        bytes[..8].copy_from_slice(&EXTENT_END);
        bytes[8..].copy_from_slice(&self.encode()[CHECKSUM..]);
        bytes
    }

    /// Reads a header.
    ///
    /// # Errors
    /// A [`Problem`] if these bytes are none, with the offset in them: that of the version (8) for
    /// one of another version.
    pub fn decode(bytes: &[u8; EXTENT_HEADER]) -> Result<Self, Problem> {
        if bytes[..8] != EXTENT_MAGIC {
            return Err(Problem::new(
                0,
                format!("bytes {:02x?}", &bytes[..8]),
                format!("the beginning of an extent, {EXTENT_MAGIC:02x?}"),
            ));
        }
        let (stored, computed) = (u64_at(bytes, CHECKSUM), checksum(&bytes[..CHECKSUM]));
        if stored != computed {
            return Err(Problem::new(
                CHECKSUM,
                format!("checksum {stored:016x}"),
                format!("{computed:016x}, the checksum of what is there"),
            ));
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != EXTENT_VERSION || bytes[10] != 1 {
            return Err(Problem::new(
                VERSION_OFFSET,
                format!("an extent of version {version}, byte order {}", bytes[10]),
                format!("version {EXTENT_VERSION}, little-endian (1)"),
            ));
        }
        Ok(ExtentHeader {
            thread: u32_at(bytes, 12),
            process: u32_at(bytes, 16),
            number: u32_at(bytes, 20),
            opened: u64_at(bytes, 24),
            stream_offset: u64_at(bytes, 32),
            length: u64_at(bytes, 40),
        })
    }
}

/// Byte of the header at which its version stands.
pub const VERSION_OFFSET: usize = 8;
