//! EPILOG 1.9 itself: a header of ten bytes, then records of a length, a type and a packed body.
//!
//! The length is a byte and counts the body alone. Types from 100 on are events, 60 and 61
//! attributes of events (which EARL does not take, so nobody should write them), all others
//! definitions. Versions 1.0 to 1.9 are read. [`fields`] packs and unpacks bodies in either
//! byte order, [`definition`], [`event`] and [`foreign`] know what is in them, [`writer`] puts
//! records into a file and [`reader`] takes them out of one.

pub mod definition;
pub mod event;
pub mod fields;
pub mod foreign;
pub mod reader;
pub mod writer;

pub use definition::{CallSite, Definition, Location, Region, RegionType};
pub use event::{Event, EventKind};
pub use foreign::{Foreign, ForeignEvent};
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
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
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
    pub const CART_TOPOLOGY: u8 = 16;
    pub const CART_COORDS: u8 = 17;
    pub const MPI_WIN: u8 = 18;
    pub const MPI_COMM_CNT: u8 = 19;
    pub const CALL_PATH: u8 = 20;
    pub const EVENT_TYPES: u8 = 21;
    pub const EVENT_COUNTS: u8 = 22;
    pub const MAP_SECTION: u8 = 23;
    pub const MAP_OFFSET: u8 = 24;
    pub const IDMAP: u8 = 25;
    pub const IDMAP_CNT: u8 = 26;
    pub const MPI_GROUP: u8 = 27;
    pub const MPI_GROUP_CNT: u8 = 28;
    pub const MPI_COMM_REF: u8 = 29;
    pub const MPI_COMM_DIST: u8 = 30;
    pub const ATTR_UI1: u8 = 60;
    pub const ATTR_UI4: u8 = 61;
    pub const ENTER: u8 = 101;
    pub const EXIT: u8 = 102;
    pub const MPI_SEND: u8 = 103;
    pub const MPI_RECV: u8 = 104;
    pub const MPI_COLLEXIT: u8 = 105;
    pub const OMP_FORK: u8 = 106;
    pub const OMP_JOIN: u8 = 107;
    pub const OMP_ALOCK: u8 = 108;
    pub const OMP_RLOCK: u8 = 109;
    pub const OMP_COLLEXIT: u8 = 110;
    pub const ENTER_CS: u8 = 111;
    pub const MPI_PUT_1TS: u8 = 112;
    pub const MPI_PUT_1TE: u8 = 113;
    pub const MPI_GET_1TS: u8 = 114;
    pub const MPI_GET_1TE: u8 = 115;
    pub const MPI_GET_1TO: u8 = 116;
    pub const MPI_WINEXIT: u8 = 117;
    pub const MPI_WINCOLLEXIT: u8 = 118;
    pub const MPI_WIN_LOCK: u8 = 119;
    pub const MPI_WIN_UNLOCK: u8 = 120;
    pub const MPI_PUT_1TE_REMOTE: u8 = 121;
    pub const MPI_GET_1TS_REMOTE: u8 = 122;
    pub const PUT_1TS: u8 = 123;
    pub const PUT_1TE: u8 = 124;
    pub const GET_1TS: u8 = 125;
    pub const GET_1TE: u8 = 126;
    pub const PUT_1TE_REMOTE: u8 = 127;
    pub const GET_1TS_REMOTE: u8 = 128;
    pub const COLLEXIT: u8 = 129;
    pub const ALOCK: u8 = 130;
    pub const RLOCK: u8 = 131;
    pub const MPI_SEND_COMPLETE: u8 = 132;
    pub const MPI_RECV_REQUEST: u8 = 133;
    pub const MPI_REQUEST_TESTED: u8 = 134;
    pub const MPI_CANCELLED: u8 = 135;
    pub const LOG_OFF: u8 = 201;
    pub const LOG_ON: u8 = 202;
    pub const ENTER_TRACING: u8 = 203;
    pub const EXIT_TRACING: u8 = 204;

    const NAMES: [(u8, &str); 71] = [
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
        (CART_TOPOLOGY, "CART_TOPOLOGY"),
        (CART_COORDS, "CART_COORDS"),
        (MPI_WIN, "MPI_WIN"),
        (MPI_COMM_CNT, "MPI_COMM_CNT"),
        (CALL_PATH, "CALL_PATH"),
        (EVENT_TYPES, "EVENT_TYPES"),
        (EVENT_COUNTS, "EVENT_COUNTS"),
        (MAP_SECTION, "MAP_SECTION"),
        (MAP_OFFSET, "MAP_OFFSET"),
        (IDMAP, "IDMAP"),
        (IDMAP_CNT, "IDMAP_CNT"),
        (MPI_GROUP, "MPI_GROUP"),
        (MPI_GROUP_CNT, "MPI_GROUP_CNT"),
        (MPI_COMM_REF, "MPI_COMM_REF"),
        (MPI_COMM_DIST, "MPI_COMM_DIST"),
        (ATTR_UI1, "ATTR_UI1"),
        (ATTR_UI4, "ATTR_UI4"),
        (ENTER, "ENTER"),
        (EXIT, "EXIT"),
        (MPI_SEND, "MPI_SEND"),
        (MPI_RECV, "MPI_RECV"),
        (MPI_COLLEXIT, "MPI_COLLEXIT"),
        (OMP_FORK, "OMP_FORK"),
        (OMP_JOIN, "OMP_JOIN"),
        (OMP_ALOCK, "OMP_ALOCK"),
        (OMP_RLOCK, "OMP_RLOCK"),
        (OMP_COLLEXIT, "OMP_COLLEXIT"),
        (ENTER_CS, "ENTER_CS"),
        (MPI_PUT_1TS, "MPI_PUT_1TS"),
        (MPI_PUT_1TE, "MPI_PUT_1TE"),
        (MPI_GET_1TS, "MPI_GET_1TS"),
        (MPI_GET_1TE, "MPI_GET_1TE"),
        (MPI_GET_1TO, "MPI_GET_1TO"),
        (MPI_WINEXIT, "MPI_WINEXIT"),
        (MPI_WINCOLLEXIT, "MPI_WINCOLLEXIT"),
        (MPI_WIN_LOCK, "MPI_WIN_LOCK"),
        (MPI_WIN_UNLOCK, "MPI_WIN_UNLOCK"),
        (MPI_PUT_1TE_REMOTE, "MPI_PUT_1TE_REMOTE"),
        (MPI_GET_1TS_REMOTE, "MPI_GET_1TS_REMOTE"),
        (PUT_1TS, "PUT_1TS"),
        (PUT_1TE, "PUT_1TE"),
        (GET_1TS, "GET_1TS"),
        (GET_1TE, "GET_1TE"),
        (PUT_1TE_REMOTE, "PUT_1TE_REMOTE"),
        (GET_1TS_REMOTE, "GET_1TS_REMOTE"),
        (COLLEXIT, "COLLEXIT"),
        (ALOCK, "ALOCK"),
        (RLOCK, "RLOCK"),
        (MPI_SEND_COMPLETE, "MPI_SEND_COMPLETE"),
        (MPI_RECV_REQUEST, "MPI_RECV_REQUEST"),
        (MPI_REQUEST_TESTED, "MPI_REQUEST_TESTED"),
        (MPI_CANCELLED, "MPI_CANCELLED"),
        (LOG_OFF, "LOG_OFF"),
        (LOG_ON, "LOG_ON"),
        (ENTER_TRACING, "ENTER_TRACING"),
        (EXIT_TRACING, "EXIT_TRACING"),
    ];

    /// Of an event: bytes after its time, and whether values of counters are among what it has
    /// beside them; `None` if there is no such type.
    pub(super) fn layout(kind: u8) -> Option<(usize, bool)> {
        Some(match kind {
            ENTER | ENTER_CS | MPI_WINCOLLEXIT => (4, true),
            EXIT | OMP_COLLEXIT | LOG_OFF | LOG_ON | ENTER_TRACING | EXIT_TRACING => (0, true),
            MPI_COLLEXIT | COLLEXIT => (16, true),
            MPI_WINEXIT => (9, true),
            OMP_FORK | OMP_JOIN => (0, false),
            OMP_ALOCK | OMP_RLOCK | ALOCK | RLOCK | MPI_GET_1TO => (4, false),
            MPI_SEND_COMPLETE..=MPI_CANCELLED => (4, false),
            PUT_1TE | GET_1TE | PUT_1TE_REMOTE | MPI_WIN_UNLOCK => (8, false),
            MPI_WIN_LOCK => (9, false),
            PUT_1TS | GET_1TS | GET_1TS_REMOTE | MPI_RECV => (12, false),
            MPI_PUT_1TE | MPI_GET_1TE | MPI_PUT_1TE_REMOTE => (12, false),
            MPI_SEND | MPI_PUT_1TS | MPI_GET_1TS | MPI_GET_1TS_REMOTE => (16, false),
            _ => return None,
        })
    }

    /// The name and number of a type, as error messages show it.
    pub fn describe(kind: u8) -> String {
        match NAMES.iter().find(|(number, _)| *number == kind) {
            Some((_, name)) => format!("{name} ({kind})"),
            None if kind == 0 => "end of the file".to_owned(),
            None => format!("record of type {kind}"),
        }
    }
}
