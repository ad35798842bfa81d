//! The first page of a thread's live file: words that the thread stores, and a header that says
//! whose they are and never changes.
//!
//! A file has five areas, each a multiple of [`PAGE`] long: this page, the open regions
//! ([`crate::StackEntry`]), the rows ([`crate::Row`]), the definitions of places in the form of a
//! definition block ([`pgas_trace_format::definitions`]), which grow while the program runs, and
//! tasks and channels ([`crate::tasks`]).

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

pub use pgas_trace_format::buffers::page::PAGE;
use pgas_trace_format::clock::{CalibrationPair, ClockKind};
use xxhash_rust::xxh3::xxh3_64;

use crate::metric::{METRICS, Metric};
use crate::row::{ROWS, Row};
use crate::stack::StackEntry;

/// First bytes of a header that is set up.
pub const MAGIC: [u8; 8] = *b"\x89PGL\r\n\x1a\n";
/// Version of the layout. There is one reader for each: programs may be older than the tool.
pub const VERSION: u32 = 3;
/// Longest path of an experiment, in bytes; a longer one is left out.
pub const LONGEST_PATH: usize = 1024;
/// Longest name of a host, of a node's kernel, of a runtime; longer ones are cut.
pub const LONGEST_NAME: usize = 64;
/// Locks that a thread may hold at once; those beyond are only counted.
pub const LOCKS: usize = 16;

/// Bytes of the area of open regions.
pub const STACK: usize = PAGE;
/// Bytes of the area of rows.
pub const ROW_AREA: usize = (ROWS * size_of::<Row>()).next_multiple_of(PAGE);
/// Bytes of the area of definitions, of which the system provides what is used.
pub const NAMES: usize = 1 << 20;
/// Bytes of definitions that are provided at a time.
pub const NAMES_STEP: usize = if PAGE > 8192 { PAGE } else { 8192 };
/// Bytes before each area.
pub const STACK_AT: usize = PAGE;
/// Where rows begin.
pub const ROWS_AT: usize = STACK_AT + STACK;
/// Where definitions begin.
pub const NAMES_AT: usize = ROWS_AT + ROW_AREA;
/// Where tasks and channels begin.
pub const TASK_AREA_AT: usize = NAMES_AT + NAMES;
/// Bytes of the file.
pub const LENGTH: usize = TASK_AREA_AT + crate::tasks::AREA;
/// Bytes of the file that the system provides from the beginning.
pub const PROVIDED: usize = NAMES_AT + NAMES_STEP;
/// Open regions that the area of regions has room for, after the entry of its bottom.
pub const SHOWN_REGIONS: usize = STACK / size_of::<StackEntry>() - 1;

/// Nobody has set the page up yet.
pub const BEGINNING: u64 = 0;
/// The thread stores to the page.
pub const RUNNING: u64 = 1;
/// The thread's recording has ended, and the page will not change any more.
pub const ENDED: u64 = 2;

/// The page. Words that change come first.
#[derive(Debug)]
#[repr(C)]
#[cfg_attr(target_arch = "x86_64", repr(align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(align(65536)))]
pub struct Page {
    /// Number of open regions, of which the first [`SHOWN_REGIONS`] can be read. Stored after the
    /// region.
    pub depth: AtomicU64,
    /// Ticks: when the thread left its last operation, or began.
    pub computes_since: AtomicU64,
    /// The lock that the thread waits for, plus 1; 0 if there is none.
    pub wanted: AtomicU64,
    /// Ticks in which the recorder held the thread up, outside of operations; as [`Row::time`].
    pub stalled: AtomicI64,
    /// Ticks in which the program had switched recording off; as [`Row::time`].
    pub paused: AtomicI64,
    /// [`BEGINNING`], [`RUNNING`] or [`ENDED`].
    pub state: AtomicU64,
    /// Rows of places that are in use.
    pub site_rows: AtomicU64,
    /// Rows of operations that are in use.
    pub operation_rows: AtomicU64,
    /// Bytes of definitions. Stored after these.
    pub name_bytes: AtomicU64,
    /// Number of definitions. Stored after their bytes.
    pub name_count: AtomicU64,
    /// 1 if definitions are missing after those: there was no room.
    pub names_cut: AtomicU64,
    /// Locks that the thread holds, each plus 1; 0 in places that are free.
    pub held: [AtomicU64; LOCKS],
    /// Locks that it holds beyond those.
    pub held_beyond: AtomicU64,
    /// For each row: calls that were only counted, not timed.
    pub untimed: [AtomicU64; ROWS],
    /// Description of the thread. It begins at the same byte in every version.
    pub header: Header,
    /// 1 if tasks and channels can be read ([`crate::tasks`]).
    pub has_tasks: AtomicU64,
    /// Metrics of the program that are in use. Stored after these.
    pub metric_count: AtomicU64,
    /// Metrics of the program.
    pub metrics: [Metric; METRICS],
}

const _: () = assert!(size_of::<Page>() == PAGE);

/// Whose page it is. It does not change while the thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// Number of the thread in the program.
    pub thread: u32,
    /// Threads of the program.
    pub threads: u32,
    /// Number of the process, in its namespace.
    pub process: u32,
    /// When the process began, in units of the system.
    pub process_start: u64,
    /// Number of its namespace of process numbers, 0 if unknown.
    pub namespace: u64,
    /// When the thread began to record: ticks.
    pub start_ticks: u64,
    /// The same in nanoseconds of CLOCK_MONOTONIC.
    pub start_nanoseconds: u64,
    /// The same in nanoseconds since 1970.
    pub start_unix: u64,
    /// Bytes of the file.
    pub length: u64,
    /// Clock of the ticks: 0 nanoseconds, 1 time stamp counter.
    pub clock: u32,
    /// Bytes of `path` that are in use.
    pub path_length: u32,
    /// Identifier of the run, with zeros after it.
    pub run: [u8; LONGEST_NAME],
    /// Name of the host, likewise.
    pub host: [u8; LONGEST_NAME],
    /// Equal for threads on one running kernel, likewise.
    pub node: [u8; LONGEST_NAME],
    /// What the program's runtime calls itself, likewise; empty if it does not say.
    pub runtime: [u8; LONGEST_NAME],
    /// The directory of the experiment.
    pub path: [u8; LONGEST_PATH],
    /// XXH3 of all bytes before it.
    pub checksum: u64,
}

impl Header {
    /// Moment at which the thread began to record, on both clocks.
    pub fn start(&self) -> CalibrationPair {
        CalibrationPair {
            ticks: self.start_ticks,
            nanoseconds: self.start_nanoseconds,
        }
    }

    /// The clock of the ticks; `None` if its number is unknown.
    pub fn clock_kind(&self) -> Option<ClockKind> {
        let number = u8::try_from(self.clock).ok()?;
        ClockKind::from_number(number)
    }

    /// The directory of the experiment; empty if its path is too long.
    pub fn path(&self) -> &[u8] {
        let length = (self.path_length as usize).min(LONGEST_PATH);
        &self.path[..length]
    }

    /// The header's bytes.
    pub fn bytes(&self) -> &[u8; size_of::<Header>()] {
        // SAFETY: the header has no padding (its fields lie one after the other, checked below), so
        // all of its bytes are set.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    /// The header in these bytes, whatever they say.
    pub fn from_bytes(bytes: &[u8; size_of::<Header>()]) -> Self {
        // SAFETY: the bytes are as many, and every value of them is a header: it consists of
        // integers.
        unsafe { bytes.as_ptr().cast::<Header>().read_unaligned() }
    }

    /// The checksum that the header should have.
    pub fn right_checksum(&self) -> u64 {
        let bytes = self.bytes();
        xxh3_64(&bytes[..bytes.len() - size_of::<u64>()])
    }
}

const _: () = {
    const WORDS: usize = size_of::<[u64; 8]>() + size_of::<[u32; 6]>();
    assert!(size_of::<Header>() == WORDS + 4 * LONGEST_NAME + LONGEST_PATH);
};

/// A name with zeros after it, cut if it is too long.
pub fn name(text: &str) -> [u8; LONGEST_NAME] {
    let mut name = [0; LONGEST_NAME];
    let kept = text.len().min(LONGEST_NAME);
    name[..kept].copy_from_slice(&text.as_bytes()[..kept]);
    name
}

/// The reverse of [`name`].
pub fn text(name: &[u8; LONGEST_NAME]) -> String {
    let end = name.iter().position(|&byte| byte == 0);
    String::from_utf8_lossy(&name[..end.unwrap_or(name.len())]).into_owned()
}

impl Page {
    /// A page of nobody.
    pub fn new() -> Self {
        // SAFETY: the page consists of integers, for which zeros are valid.
        unsafe { std::mem::zeroed() }
    }

    /// Sets all words back that a thread stores, but for its open regions.
    pub fn reset(&self) {
        for word in [&self.computes_since, &self.wanted, &self.site_rows] {
            word.store(0, Ordering::Relaxed);
        }
        for word in [&self.operation_rows, &self.name_bytes, &self.name_count] {
            word.store(0, Ordering::Relaxed);
        }
        for word in [&self.names_cut, &self.held_beyond, &self.metric_count] {
            word.store(0, Ordering::Relaxed);
        }
        self.has_tasks.store(0, Ordering::Relaxed);
        for word in self.held.iter().chain(&self.untimed) {
            word.store(0, Ordering::Relaxed);
        }
        for word in [&self.stalled, &self.paused] {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Adds a lock to those that are held.
    pub fn hold(&self, lock: u64) {
        let free = |place: &&AtomicU64| place.load(Ordering::Relaxed) == 0;
        match self.held.iter().find(free) {
            Some(place) => place.store(lock.wrapping_add(1), Ordering::Release),
            None => crate::row::add(&self.held_beyond, 1),
        }
    }

    /// Takes a lock off those that are held.
    pub fn release(&self, lock: u64) {
        let word = lock.wrapping_add(1);
        let mut places = self.held.iter();
        match places.find(|place| place.load(Ordering::Relaxed) == word) {
            Some(place) => place.store(0, Ordering::Release),
            None => {
                let beyond = self.held_beyond.load(Ordering::Relaxed);
                let left = beyond.saturating_sub(1);
                self.held_beyond.store(left, Ordering::Relaxed);
            }
        }
    }
}

impl Default for Page {
    fn default() -> Self {
        Page::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn areas_follow_each_other_in_whole_pages() {
        for at in [STACK_AT, ROWS_AT, NAMES_AT, TASK_AREA_AT, LENGTH] {
            assert_eq!(at % PAGE, 0);
        }
        assert!(ROWS * size_of::<Row>() <= ROW_AREA);
        assert_eq!(align_of::<Page>(), PAGE);
    }

    #[test]
    fn what_an_event_stores_is_in_one_line_of_the_cache() {
        assert!(offset_of!(Page, paused) < 64);
        assert_eq!(offset_of!(Page, depth), 0);
    }

    #[test]
    fn locks_come_and_go_in_any_order() {
        let page = Page::new();
        let held = || {
            let words = page.held.iter().map(|word| word.load(Ordering::Relaxed));
            words.filter(|&word| word != 0).count() as u64
        };
        for lock in 0..LOCKS as u64 + 2 {
            page.hold(lock);
        }
        assert_eq!(held(), LOCKS as u64);
        assert_eq!(page.held_beyond.load(Ordering::Relaxed), 2);
        for lock in (0..LOCKS as u64 + 2).rev() {
            page.release(lock);
        }
        assert_eq!((held(), page.held_beyond.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn names_are_cut_not_refused() {
        assert_eq!(text(&name("node17")), "node17");
        assert_eq!(text(&name(&"x".repeat(70))).len(), LONGEST_NAME);
    }
}
