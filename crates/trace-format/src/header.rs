//! The fixed-size records: file header, block header, trailer.

use crate::clock::{CalibrationPair, ClockKind};
use crate::tags::table;
use crate::{
    BLOCK_MAGIC, END_MAGIC, MAGIC, MAX_RAW_LENGTH, Problem, READABLE_VERSIONS, VERSION, checksum,
};

/// Bytes of a [`FileHeader`].
pub const FILE_HEADER: usize = 64;
/// Bytes of a [`BlockHeader`].
pub const BLOCK_HEADER: usize = 80;
/// Bytes of the trailer at the end of a complete file.
pub const TRAILER: usize = 24;

/// Fields of the header at the beginning of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHeader {
    /// Clock of all times in the stream.
    pub clock: ClockKind,
    /// The thread that opened the file.
    pub thread: u32,
    /// Threads of the program.
    pub threads: u32,
    /// Process identifier on its node.
    pub process: u32,
    /// When the recorder of this thread started, on both clocks.
    pub start: CalibrationPair,
    /// The same moment in nanoseconds since 1970-01-01 00:00 UTC.
    pub start_unix: u64,
}

impl FileHeader {
    /// The bytes of the header.
    pub fn encode(&self) -> [u8; FILE_HEADER] {
        let mut bytes = [0; FILE_HEADER];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = 1;
        bytes[11] = self.clock.number();
        bytes[12..16].copy_from_slice(&self.thread.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.threads.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.process.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.start.ticks.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.start.nanoseconds.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.start_unix.to_le_bytes());
        let sum = checksum(&bytes[..56]);
        bytes[56..64].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header whose magic and version were checked ([`identify`]).
    ///
    /// # Errors
    /// A [`Problem`] if the checksum or a value is wrong.
    pub fn decode(bytes: &[u8; FILE_HEADER]) -> Result<Self, Problem> {
        expect_checksum(u64_at(bytes, 56), checksum(&bytes[..56]), 56)?;
        if bytes[10] != 1 {
            return Err(Problem::new(
                10,
                format!("byte order {}", bytes[10]),
                "1 (little-endian)",
            ));
        }
        let clock = ClockKind::from_number(bytes[11]).ok_or_else(|| {
            Problem::new(
                11,
                format!("clock {}", bytes[11]),
                "0 (nanoseconds) or 1 (time stamp counter)",
            )
        })?;
        let header = FileHeader {
            clock,
            thread: u32_at(bytes, 12),
            threads: u32_at(bytes, 16),
            process: u32_at(bytes, 20),
            start: CalibrationPair {
                ticks: u64_at(bytes, 24),
                nanoseconds: u64_at(bytes, 32),
            },
            start_unix: u64_at(bytes, 40),
        };
        if header.thread >= header.threads {
            return Err(Problem::new(
                12,
                format!("thread {} of {}", header.thread, header.threads),
                "a thread number below the number of threads",
            ));
        }
        Ok(header)
    }
}

/// Kind of a file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// A stream of this version, which is one of [`READABLE_VERSIONS`].
    Readable(u16),
    /// A stream of another version.
    Version(u16),
    /// Something else.
    Foreign,
}

/// Tells what a file is from its first ten bytes.
pub fn identify(bytes: &[u8]) -> Identity {
    match bytes.strip_prefix(&MAGIC) {
        Some([low, high, ..]) => {
            let version = u16::from_le_bytes([*low, *high]);
            if READABLE_VERSIONS.contains(&version) {
                Identity::Readable(version)
            } else {
                Identity::Version(version)
            }
        }
        _ => Identity::Foreign,
    }
}

/// Content of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// New entries of a thread's site table.
    Definitions,
    /// Events of a thread.
    Events,
    /// Key-value pairs about where a thread ran.
    Properties,
    /// The index at the end of a file.
    Footer,
    /// Sums of calls by call path ([`crate::profile`]). Since version 2.
    Profile,
    /// Comparisons of a thread's clock with another one's ([`crate::comparisons`]). Since version
    /// 2.
    ClockComparisons,
    /// Samples of where a thread computes ([`crate::stack_samples`]). Since version 5.
    StackSamples,
    /// Of a later minor addition (numbers from 128 on); skipped.
    Unknown(u8),
}

/// The kinds of blocks: their numbers in files, and the first version of the format that has them.
const KINDS: [(u8, BlockKind, u16); 7] = [
    (1, BlockKind::Definitions, 1),
    (2, BlockKind::Events, 1),
    (3, BlockKind::Properties, 1),
    (4, BlockKind::Footer, 1),
    (5, BlockKind::Profile, 2),
    (6, BlockKind::ClockComparisons, 2),
    (7, BlockKind::StackSamples, 5),
];
/// Numbers from here on are of kinds that readers pass over.
const SKIPPED_FROM: u8 = 128;

impl BlockKind {
    /// The number that stands for this kind in files.
    pub fn number(self) -> u8 {
        match self {
            BlockKind::Unknown(number) => number,
            kind => KINDS
                .iter()
                .find(|(_, known, _)| *known == kind)
                .map_or(0, |(number, ..)| *number),
        }
    }

    /// The first version of the format that has blocks of this kind.
    pub fn since(self) -> u16 {
        let known = KINDS.iter().find(|(_, known, _)| *known == self);
        known.map_or(1, |(.., since)| *since)
    }

    fn from_number(number: u8) -> Option<Self> {
        match number {
            SKIPPED_FROM.. => Some(BlockKind::Unknown(number)),
            _ => KINDS
                .iter()
                .find(|(known, ..)| *known == number)
                .map(|(_, kind, _)| *kind),
        }
    }
}

table! {
    /// How a payload is stored.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Compression: u8 {
        /// As it is.
        None = 0,
        /// As a frame of Zstandard.
        Zstd = 1,
    }
}

/// Header of a block, before its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    /// Content of the payload.
    pub kind: BlockKind,
    /// Compression of the payload as stored.
    pub compression: Compression,
    /// The thread that the block belongs to.
    pub thread: u32,
    /// Number of the block among those of its thread in this file, from 0. A gap means that blocks
    /// are missing.
    pub sequence: u32,
    /// Ticks: in an events block the differences of time count from here; no event of it is
    /// earlier.
    pub first_time: u64,
    /// Ticks of the last event of an events block.
    pub last_time: u64,
    /// Events, or entries, or pairs in the payload.
    pub entries: u32,
    /// Bytes of the payload before compression.
    pub raw_length: u32,
    /// Bytes of the payload as stored.
    pub stored_length: u32,
    /// Sites of the thread that are defined before this block.
    pub sites: u32,
    /// When the block was written, on both clocks.
    pub written: CalibrationPair,
    /// Of the payload as stored.
    pub payload_checksum: u64,
    /// Events that were not recorded between the block before and this one.
    pub lost_events: u32,
}

impl BlockHeader {
    /// Bytes of the block, header and stored payload.
    pub fn length(&self) -> u64 {
        BLOCK_HEADER as u64 + u64::from(self.stored_length)
    }

    /// The bytes of the header.
    pub fn encode(&self) -> [u8; BLOCK_HEADER] {
        let mut bytes = [0; BLOCK_HEADER];
        bytes[0..4].copy_from_slice(&BLOCK_MAGIC);
        bytes[4] = self.kind.number();
        bytes[5] = self.compression.number();
        bytes[8..12].copy_from_slice(&self.thread.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first_time.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.last_time.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.entries.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.raw_length.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.stored_length.to_le_bytes());
        bytes[44..48].copy_from_slice(&self.sites.to_le_bytes());
        bytes[48..56].copy_from_slice(&self.written.ticks.to_le_bytes());
        bytes[56..64].copy_from_slice(&self.written.nanoseconds.to_le_bytes());
        bytes[64..72].copy_from_slice(&self.payload_checksum.to_le_bytes());
        bytes[72..76].copy_from_slice(&self.lost_events.to_le_bytes());
        let sum = checksum(&bytes[..76]) as u32;
        bytes[76..80].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a block header and checks everything that it says by itself.
    ///
    /// # Errors
    /// A [`Problem`] with the offset in `bytes`.
    pub fn decode(bytes: &[u8; BLOCK_HEADER]) -> Result<Self, Problem> {
        if bytes[0..4] != BLOCK_MAGIC {
            return Err(Problem::new(
                0,
                format!("bytes {:02x?}", &bytes[0..4]),
                format!("the beginning of a block, {BLOCK_MAGIC:02x?}"),
            ));
        }
        let (stored, computed) = (u32_at(bytes, 76), checksum(&bytes[..76]) as u32);
        expect_checksum(u64::from(stored), u64::from(computed), 76)?;
        let kind = BlockKind::from_number(bytes[4]).ok_or_else(|| {
            Problem::new(
                4,
                format!("a block of kind {}", bytes[4]),
                "kind 1 to 7, or 128 and above",
            )
        })?;
        let compression = Compression::from_number(bytes[5]).ok_or_else(|| {
            let found = format!("compression {}", bytes[5]);
            Problem::new(5, found, "0 (none) or 1 (zstd)")
        })?;
        let header = BlockHeader {
            kind,
            compression,
            thread: u32_at(bytes, 8),
            sequence: u32_at(bytes, 12),
            first_time: u64_at(bytes, 16),
            last_time: u64_at(bytes, 24),
            entries: u32_at(bytes, 32),
            raw_length: u32_at(bytes, 36),
            stored_length: u32_at(bytes, 40),
            sites: u32_at(bytes, 44),
            written: CalibrationPair {
                ticks: u64_at(bytes, 48),
                nanoseconds: u64_at(bytes, 56),
            },
            payload_checksum: u64_at(bytes, 64),
            lost_events: u32_at(bytes, 72),
        };
        header.check()?;
        Ok(header)
    }

    fn check(&self) -> Result<(), Problem> {
        if self.raw_length as usize > MAX_RAW_LENGTH {
            return Err(Problem::new(
                36,
                format!("a payload of {} bytes", self.raw_length),
                format!("at most {MAX_RAW_LENGTH}"),
            ));
        }
        let stored_fits = match self.compression {
            Compression::None => self.stored_length == self.raw_length,
            Compression::Zstd => self.stored_length as usize <= MAX_RAW_LENGTH,
        };
        if !stored_fits {
            return Err(Problem::new(
                40,
                format!(
                    "{} bytes stored for a payload of {}",
                    self.stored_length, self.raw_length
                ),
                "as many if it is not compressed, no more than the limit if it is",
            ));
        }
        // Every entry of every kind of block takes at least one byte.
        if self.entries > self.raw_length {
            return Err(Problem::new(
                32,
                format!("{} entries in {} bytes", self.entries, self.raw_length),
                "at most one entry a byte",
            ));
        }
        if self.last_time < self.first_time {
            return Err(Problem::new(
                24,
                format!(
                    "the last time {} before the first {}",
                    self.last_time, self.first_time
                ),
                "times that do not run backwards",
            ));
        }
        Ok(())
    }
}

/// The last bytes of a complete file: where the footer block begins.
pub fn encode_trailer(footer_offset: u64) -> [u8; TRAILER] {
    let mut bytes = [0; TRAILER];
    bytes[0..8].copy_from_slice(&footer_offset.to_le_bytes());
    let sum = checksum(&bytes[..8]);
    bytes[8..16].copy_from_slice(&sum.to_le_bytes());
    bytes[16..24].copy_from_slice(&END_MAGIC);
    bytes
}

/// Offset of the footer block; `None` if these bytes are no trailer.
pub fn decode_trailer(bytes: &[u8; TRAILER]) -> Option<u64> {
    let genuine = bytes[16..24] == END_MAGIC && u64_at(bytes, 8) == checksum(&bytes[..8]);
    genuine.then(|| u64_at(bytes, 0))
}

fn expect_checksum(stored: u64, computed: u64, offset: usize) -> Result<(), Problem> {
    if stored == computed {
        Ok(())
    } else {
        Err(Problem::new(
            offset,
            format!("checksum {stored:016x}"),
            format!("{computed:016x}, the checksum of what is there"),
        ))
    }
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}
