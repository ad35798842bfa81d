//! The first page of a thread's buffer file: what a collector must know to read the rest. The
//! recorder keeps it in place of its own variables, so that an event costs no more stores than
//! without it.
//!
//! Both sides run on the same machine, so numbers have its byte order. A collector reads them by
//! their offsets, of a process that is gone: every store that it made is there, in the order in
//! which it was made.

use std::mem::offset_of;

use super::sums::Sums;

/// Size of the page, with everything before the areas, and alignment of areas, in bytes: a multiple
/// of the size of the system's pages.
#[cfg(target_arch = "x86_64")]
pub const PAGE: usize = 4096;
#[cfg(not(target_arch = "x86_64"))]
pub const PAGE: usize = 65536;

/// First bytes of a page that is set up.
pub const MAGIC: [u8; 8] = *b"\x89PGB\r\n\x1a\n";
/// The version that this module writes. It reads the earlier one, too, which has no sums: the
/// recorder in a program may be older than the tool.
pub const VERSION: u32 = 2;
/// The first version with [`Page::sums`].
const WITH_SUMS: u32 = 2;
/// Longest path of a stream's file, in bytes. With a longer one a thread has no buffer file.
pub const LONGEST_PATH: usize = 3072;

/// A buffer as a collector sees it.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct BufferState {
    /// Number of its block on the thread, from 1; 0 while there is none that is to be read.
    pub block: u32,
    /// Blocks of events that the stream has before this one.
    pub blocks_before: u32,
    /// Bytes of a block that is full; 0 while the thread appends to it.
    pub length: u64,
    /// Ticks.
    pub first_time: u64,
}

/// The page. Fields that an event changes come first, in one line of the processor's cache.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
#[cfg_attr(target_arch = "x86_64", repr(align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(align(65536)))]
pub struct Page {
    /// Bytes in the current buffer. Stored after the record that ends there.
    pub position: usize,
    /// Ticks of the last event.
    pub last_time: u64,
    /// Events in the current block.
    pub events: u32,
    /// Which buffer is current.
    pub current: u32,
    /// The two buffers, which the thread fills in turn.
    pub buffers: [BufferState; 2],
    /// Bytes and number of the definitions in their area, all of the thread.
    pub definition_bytes: u64,
    /// Number of definitions in their area, all of the thread.
    pub definition_count: u32,
    /// Not all definitions are there: what refers to others cannot be read.
    pub definitions_cut: u32,
    /// Nothing more is to be written: because of an error, or since the stream is complete.
    pub closed: u32,
    /// The signal that asked the process to end, 0 for none, and when it came, in ticks.
    pub signal: u32,
    /// When that signal came, in ticks; 0 for none.
    pub signal_time: u64,
    /// Both clocks when they were last compared.
    pub pair_ticks: u64,
    /// Nanoseconds of CLOCK_MONOTONIC at `pair_ticks`.
    pub pair_nanoseconds: u64,

    /// Set when everything else is.
    pub magic: [u8; 8],
    /// Version of the page's layout: [`VERSION`].
    pub version: u32,
    /// Number of the thread in the program.
    pub thread: u32,
    /// The process, as in the file header of the stream.
    pub process: u32,
    /// As in the file header of the stream: 0 nanoseconds, 1 counter.
    pub clock: u8,
    /// The clock is not that of the machine.
    pub is_disguised: u8,
    /// Whether the stream lies in a file of a node, in extents.
    pub in_extents: u8,
    /// Padding.
    pub unused: u8,
    /// Zstd level, 0 for none.
    pub compression: i32,
    /// Bytes of `path` that are in use.
    pub path_length: u32,
    /// Nanoseconds since 1970: when the stream began, and when its file was opened.
    pub start_unix: u64,
    /// When the stream's file was opened, in nanoseconds since 1970.
    pub opened: u64,
    /// Where the areas lie in the file, and how long they are: the two buffers, the definitions.
    pub areas: [[u64; 2]; 3],
    /// Of the stream's file.
    pub path: [u8; LONGEST_PATH],
    /// Where sums are, and how far they were written.
    pub sums: Sums,
}

const _: () = assert!(size_of::<Page>() == PAGE);

impl Default for Page {
    fn default() -> Self {
        Page {
            position: 0,
            last_time: 0,
            events: 0,
            current: 0,
            buffers: [BufferState::default(); 2],
            definition_bytes: 0,
            definition_count: 0,
            definitions_cut: 0,
            closed: 0,
            signal: 0,
            signal_time: 0,
            pair_ticks: 0,
            pair_nanoseconds: 0,
            magic: [0; 8],
            version: VERSION,
            thread: 0,
            process: 0,
            clock: 0,
            is_disguised: 0,
            in_extents: 0,
            unused: 0,
            compression: 0,
            path_length: 0,
            start_unix: 0,
            opened: 0,
            areas: [[0; 2]; 3],
            path: [0; LONGEST_PATH],
            sums: Sums::default(),
        }
    }
}

/// Reads fields of a page that lies in bytes of a file.
macro_rules! field {
    ($bytes:expr, $field:ident, $type:ty) => {
        <$type>::from_ne_bytes(word($bytes, offset_of!(Page, $field)))
    };
}

impl Page {
    /// The page in the first bytes of a file; `None` if it is none, or of another version.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; PAGE] = bytes.first_chunk()?;
        let magic = word(bytes, offset_of!(Page, magic));
        let version = field!(bytes, version, u32);
        if magic != MAGIC || !(1..=VERSION).contains(&version) {
            return None;
        }
        let sums = match version {
            WITH_SUMS.. => sums_of(bytes),
            _ => Sums::default(),
        };
        let buffer = |index: usize| {
            let at = offset_of!(Page, buffers) + index * size_of::<BufferState>();
            BufferState {
                block: u32::from_ne_bytes(word(bytes, at + offset_of!(BufferState, block))),
                blocks_before: u32::from_ne_bytes(word(
                    bytes,
                    at + offset_of!(BufferState, blocks_before),
                )),
                length: u64::from_ne_bytes(word(bytes, at + offset_of!(BufferState, length))),
                first_time: u64::from_ne_bytes(word(
                    bytes,
                    at + offset_of!(BufferState, first_time),
                )),
            }
        };
        let area = |index: usize| {
            let at = offset_of!(Page, areas) + 16 * index;
            [at, at + 8].map(|at| u64::from_ne_bytes(word(bytes, at)))
        };
        Some(Page {
            position: field!(bytes, position, usize),
            last_time: field!(bytes, last_time, u64),
            events: field!(bytes, events, u32),
            current: field!(bytes, current, u32),
            buffers: [buffer(0), buffer(1)],
            definition_bytes: field!(bytes, definition_bytes, u64),
            definition_count: field!(bytes, definition_count, u32),
            definitions_cut: field!(bytes, definitions_cut, u32),
            closed: field!(bytes, closed, u32),
            signal: field!(bytes, signal, u32),
            signal_time: field!(bytes, signal_time, u64),
            pair_ticks: field!(bytes, pair_ticks, u64),
            pair_nanoseconds: field!(bytes, pair_nanoseconds, u64),
            magic,
            version,
            thread: field!(bytes, thread, u32),
            process: field!(bytes, process, u32),
            clock: bytes[offset_of!(Page, clock)],
            is_disguised: bytes[offset_of!(Page, is_disguised)],
            in_extents: bytes[offset_of!(Page, in_extents)],
            unused: 0,
            compression: field!(bytes, compression, i32),
            path_length: field!(bytes, path_length, u32),
            start_unix: field!(bytes, start_unix, u64),
            opened: field!(bytes, opened, u64),
            areas: [area(0), area(1), area(2)],
            path: word(bytes, offset_of!(Page, path)),
            sums,
        })
    }

    /// The path of the stream's file.
    pub fn path(&self) -> &[u8] {
        let length = (self.path_length as usize).min(LONGEST_PATH);
        &self.path[..length]
    }
}

fn sums_of(bytes: &[u8; PAGE]) -> Sums {
    // SAFETY: the page has room for them where they are, and they consist of numbers alone, of
    // which every value is one.
    unsafe {
        let place = bytes.as_ptr().add(offset_of!(Page, sums));
        place.cast::<Sums>().read_unaligned()
    }
}

fn word<const N: usize>(bytes: &[u8; PAGE], at: usize) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(&bytes[at..at + N]);
    word
}
