//! EPILOG 1.9 itself: a header of ten bytes, then records of a length, a type and a packed body.
//!
//! The length is a byte and counts the body alone. Types from 100 on are events, 60 and 61 attributes of events (which
//! EARL does not take, so nobody should write them), all others definitions. [`fields`] packs and unpacks bodies in either
//! byte order, [`definition`] and [`event`] know what is in them, [`writer`] puts records into a file and [`reader`] takes
//! them out of one.

pub mod definition;
pub mod event;
pub mod fields;
pub mod reader;
pub mod writer;

pub use definition::{CallSite, Definition, Location, Region, RegionType};
pub use event::{Event, EventKind};
pub use reader::{Record, RecordReader};
pub use writer::RecordWriter;

/// The first bytes of a file.
pub const MAGIC: [u8; 7] = *b"EPILOG\0";
pub const MAJOR: u8 = 1;
pub const MINOR: u8 = 9;
/// Bytes of the header: the magic, two of the version, one of the byte order.
pub const HEADER: usize = MAGIC.len() + 3;
/// "None" for an id, a line or a number.
pub const NONE: u32 = u32::MAX;
/// Types from here on are events.
pub const FIRST_EVENT: u8 = 100;

/// Bytes of text in the first record of a long string.
pub const STRING_HEAD: usize = 250;
/// Bytes of text or of a group in a continuation.
pub const CONTINUATION: usize = 255;
/// Bytes of a group in the first record of a communicator.
pub const GROUP_HEAD: usize = 246;
/// Longest string in bytes, without its NUL.
pub const MAX_STRING: usize = STRING_HEAD + 255 * CONTINUATION - 1;

/// In which order the bytes of a number stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ByteOrder {
    #[default]
    Little,
    Big,
}

/// The types of records.
pub mod kind {
    pub const STRING: u8 = 1;
    pub const STRING_CNT: u8 = 2;
    pub const MACHINE: u8 = 3;
    pub const NODE: u8 = 4;
    pub const PROCESS: u8 = 5;
    pub const THREAD: u8 = 6;
    pub const LOCATION: u8 = 7;
    pub const FILE: u8 = 8;
    pub const REGION: u8 = 9;
    pub const METRIC: u8 = 10;
    pub const MPI_COMM: u8 = 11;
    pub const OFFSET: u8 = 12;
    pub const LAST_DEF: u8 = 13;
    pub const NUM_EVENTS: u8 = 14;
    pub const CALL_SITE: u8 = 15;
    pub const MPI_COMM_CNT: u8 = 19;
    pub const ENTER: u8 = 101;
    pub const EXIT: u8 = 102;
    pub const ENTER_CS: u8 = 111;
    pub const PUT_1TS: u8 = 123;
    pub const PUT_1TE: u8 = 124;
    pub const GET_1TS: u8 = 125;
    pub const GET_1TE: u8 = 126;
    pub const COLLEXIT: u8 = 129;
    pub const ALOCK: u8 = 130;
    pub const RLOCK: u8 = 131;
    pub const LOG_OFF: u8 = 201;
    pub const LOG_ON: u8 = 202;

    const NAMES: [(u8, &str); 28] = [
        (STRING, "STRING"),
        (STRING_CNT, "STRING_CNT"),
        (MACHINE, "MACHINE"),
        (NODE, "NODE"),
        (PROCESS, "PROCESS"),
        (THREAD, "THREAD"),
        (LOCATION, "LOCATION"),
        (FILE, "FILE"),
        (REGION, "REGION"),
        (METRIC, "METRIC"),
        (MPI_COMM, "MPI_COMM"),
        (OFFSET, "OFFSET"),
        (LAST_DEF, "LAST_DEF"),
        (NUM_EVENTS, "NUM_EVENTS"),
        (CALL_SITE, "CALL_SITE"),
        (MPI_COMM_CNT, "MPI_COMM_CNT"),
        (ENTER, "ENTER"),
        (EXIT, "EXIT"),
        (ENTER_CS, "ENTER_CS"),
        (PUT_1TS, "PUT_1TS"),
        (PUT_1TE, "PUT_1TE"),
        (GET_1TS, "GET_1TS"),
        (GET_1TE, "GET_1TE"),
        (COLLEXIT, "COLLEXIT"),
        (ALOCK, "ALOCK"),
        (RLOCK, "RLOCK"),
        (LOG_OFF, "LOG_OFF"),
        (LOG_ON, "LOG_ON"),
    ];

    /// The name and number of a type, as error messages show it.
    pub fn describe(kind: u8) -> String {
        match NAMES.iter().find(|(number, _)| *number == kind) {
            Some((_, name)) => format!("{name} ({kind})"),
            None if kind == 0 => "end of the file".to_owned(),
            None => format!("record of type {kind}"),
        }
    }
}
