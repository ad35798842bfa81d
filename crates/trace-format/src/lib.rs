//! The event model and the native stream format, versions 1, 2 (which adds kinds of blocks), 3
//! (which adds addresses to transfers), 4 (which adds an operation, time without a core) and 5
//! (which adds stack samples), described byte by byte in `docs/trace-format.md`.
//!
//! This is all that the recorder links of traces: what an event is ([`model`]), how it becomes
//! bytes ([`encode`], [`tags`]), how bytes become blocks ([`seal`]), and the buffers in memory that
//! outlive a process ([`buffers`]). Readers, in the crate `pgas-trace`, are built on it and
//! re-export it.
//!
//! A file is a [`header::FileHeader`], independent blocks ([`header::BlockHeader`] and payload), a
//! last block that is the [`footer`], and a trailer that points to it. All integers are
//! little-endian; inside payloads they are of variable length ([`varint`]). A file of a whole node
//! holds the streams of several threads, in pieces ([`extent`]).

pub mod addresses;
pub mod buffers;
pub mod clock;
pub mod code_address;
pub mod comparisons;
mod core_use;
pub mod decode;
pub mod definitions;
pub mod encode;
pub mod error;
pub mod extent;
pub mod footer;
pub mod functions;
pub mod header;
pub mod layout;
pub mod model;
pub mod names;
mod problem;
pub mod profile;
pub mod properties;
pub mod samples;
pub mod seal;
pub mod stack_samples;
pub mod tags;
pub mod varint;

pub use core_use::CoreUse;
pub use problem::Problem;

/// Bytes at the beginning of every stream. The high bit and the line ends show transfers that were
/// not binary.
pub const MAGIC: [u8; 8] = *b"\x89PGT\r\n\x1a\n";
/// Bytes at the beginning of every block.
pub const BLOCK_MAGIC: [u8; 4] = *b"PGBK";
/// Bytes at the very end of a complete file.
pub const END_MAGIC: [u8; 8] = *b"PGTEND\r\n";
/// The version that this module writes.
pub const VERSION: u16 = 8;
/// The versions that it reads.
pub const READABLE_VERSIONS: std::ops::RangeInclusive<u16> = 1..=VERSION;

/// Largest payload of a block before compression, in bytes. A reader never allocates more for one.
pub const MAX_RAW_LENGTH: usize = 96 << 20;
/// Largest number of regions open at a time on a thread; deeper ones are not recorded.
pub const MAX_DEPTH: usize = 1 << 20;
/// Largest number of sites of one thread.
pub const MAX_SITES: usize = 1 << 20;
/// Largest sum of the payloads of definitions and properties in one file, in bytes. Compressed,
/// they are so small that the size of a file would limit nothing.
pub const MAX_DEFINITION_BYTES: usize = 64 << 20;
/// Largest number of properties of one thread.
pub const MAX_PROPERTIES: usize = 1 << 16;
/// Longest string in a definition, in bytes; longer ones are cut by the writer.
pub const MAX_STRING: usize = 1 << 16;

/// Largest number of entries in one block of sums.
pub const MAX_PROFILE_ENTRIES: usize = 1 << 20;
/// Largest number of counters in one block of sums.
pub const MAX_COUNTERS: usize = 64;

/// Largest number of samples in one block of stack samples.
pub const MAX_STACK_SAMPLES: usize = 1 << 20;
/// Largest number of addresses in one stack sample.
pub const MAX_FRAMES: usize = 64;
/// Largest number of modules in one block of stack samples.
pub const MAX_MODULES: usize = 1 << 16;

/// Largest number of clock comparisons of one thread.
pub const MAX_COMPARISONS: usize = 1 << 16;

/// Checksum of headers and payloads: XXH3, 64 bits, seed 0.
pub fn checksum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}
