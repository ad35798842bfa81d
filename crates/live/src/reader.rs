//! Reads the page of a thread of any program of this user, without trusting what it finds.

use std::fs::{File, OpenOptions};
use std::mem::offset_of;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::AtomicU64;

use pgas_trace_format::buffers::Identity;
use pgas_trace_format::clock::{CalibrationPair, ClockKind, counter_pair, monotonic};
use pgas_trace_format::definitions;
use pgas_trace_format::model::Site;

use crate::page::{self, Header, LENGTH, MAGIC, NAMES, NAMES_AT, Page, VERSION};
use crate::place::own_user;
use crate::problem::Problem;
use crate::snapshot::{Reading, Snapshot};
use crate::words::Words;

/// Nanoseconds that must have passed on a clock before its rate is compared.
const COMPARABLE: u64 = 200_000_000;
/// Share by which the rates of a clock in two stretches may differ, in percent.
const RATE_TOLERANCE: u128 = 2;

/// Gives this machine's time on the clock of a page, and on CLOCK_MONOTONIC.
pub type Source = fn(ClockKind) -> Option<CalibrationPair>;

/// A page that is open for reading.
#[derive(Debug)]
pub struct LivePage {
    name: String,
    memory: Memory,
    header: Header,
    clock: ClockKind,
    source: Source,
    /// When it was opened.
    opened: CalibrationPair,
}

#[derive(Debug)]
enum Memory {
    Mapped(Mapping),
    Owned(Vec<AtomicU64>),
}

#[derive(Debug)]
struct Mapping {
    file: File,
    begin: *const AtomicU64,
}

// SAFETY: the mapping is only read, word by word; it belongs to no thread.
unsafe impl Send for Mapping {}
// SAFETY: the same.
unsafe impl Sync for Mapping {}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and has this length.
        unsafe { libc::munmap(self.begin.cast_mut().cast(), LENGTH) };
    }
}

impl LivePage {
    /// Opens the page in a file of this user.
    ///
    /// # Errors
    /// [`Problem`], but for [`Problem::Stale`]: see [`LivePage::check_process`].
    pub fn open(path: &Path) -> Result<Self, Problem> {
        let name = path.display().to_string();
        let failed = |error| Problem::Io {
            file: path.display().to_string(),
            error,
        };
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
            .open(path)
            .map_err(failed)?;
        let status = file.metadata().map_err(failed)?;
        if status.uid() != own_user() {
            return Err(Problem::OtherUser {
                file: name,
                found: status.uid(),
                expected: own_user(),
            });
        }
        // The recorder may still be about to give it its length.
        if status.len() == 0 {
            return Err(Problem::Beginning { file: name });
        }
        check_length(&name, status.len())?;
        let (protection, descriptor) = (libc::PROT_READ, file.as_raw_fd());
        // SAFETY: a new mapping at an address that the system chooses.
        let begin = unsafe {
            let null = std::ptr::null_mut();
            libc::mmap(null, LENGTH, protection, libc::MAP_SHARED, descriptor, 0)
        };
        if begin == libc::MAP_FAILED {
            return Err(failed(std::io::Error::last_os_error()));
        }
        let begin = begin.cast_const().cast();
        LivePage::of(name, Memory::Mapped(Mapping { file, begin }), system_time)
    }

    /// The page in the bytes of a file, with another clock than this machine's.
    ///
    /// # Errors
    /// As [`LivePage::open`].
    pub fn of_bytes(name: &str, bytes: &[u8], source: Source) -> Result<Self, Problem> {
        check_length(name, bytes.len() as u64)?;
        let words = bytes.chunks_exact(size_of::<u64>()).map(|chunk| {
            let mut word = [0; size_of::<u64>()];
            word.copy_from_slice(chunk);
            AtomicU64::new(u64::from_ne_bytes(word))
        });
        LivePage::of(name.to_owned(), Memory::Owned(words.collect()), source)
    }

    fn of(name: String, memory: Memory, source: Source) -> Result<Self, Problem> {
        let header = header_of(&name, memory.words())?;
        let Some(clock) = header.clock_kind() else {
            return Err(Problem::damaged(
                &name,
                offset_of!(Page, header) + offset_of!(Header, clock),
                format!("clock {}", header.clock),
                "0 (nanoseconds) or 1 (time stamp counter)",
            ));
        };
        let opened = now_on(&name, clock, source)?;
        Ok(LivePage {
            name,
            memory,
            header,
            clock,
            source,
            opened,
        })
    }

    /// Description of the thread.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The process that the thread is of.
    pub fn process(&self) -> Identity {
        Identity {
            process: self.header.process,
            start: self.header.process_start,
            namespace: self.header.namespace,
        }
    }

    /// Whether the page is of a process that is still there, or has ended in good order.
    ///
    /// # Errors
    /// [`Problem::Stale`].
    pub fn check_process(&self) -> Result<(), Problem> {
        let is_over = || self.words().at(offset_of!(Page, state)) == page::ENDED;
        // The end of the process comes after that of its page.
        match self.process().is_alive() || is_over() {
            true => Ok(()),
            false => Err(Problem::Stale {
                file: self.name.clone(),
                process: self.header.process,
            }),
        }
    }

    /// What the thread does now.
    ///
    /// # Errors
    /// [`Problem`]: nothing of a page with anything impossible in it is shown.
    pub fn snapshot(&self) -> Result<Snapshot, Problem> {
        self.check_file()?;
        let now = self.now()?;
        let reading = Reading {
            file: &self.name,
            words: self.words(),
            start: self.header.start(),
            now,
        };
        reading.snapshot()
    }

    /// The definitions of the first `count` places.
    ///
    /// # Errors
    /// [`Problem::Damaged`].
    pub fn places(&self, count: u64) -> Result<Vec<Site>, Problem> {
        self.check_file()?;
        let at = offset_of!(Page, name_bytes);
        let bytes = self.words().at(at);
        let length = usize::try_from(bytes).ok().filter(|&bytes| bytes <= NAMES);
        let Some(length) = length else {
            let found = format!("{bytes} bytes of definitions");
            return Err(Problem::damaged(
                &self.name,
                at,
                found,
                format!("at most {NAMES}"),
            ));
        };
        let payload = self.words().bytes(NAMES_AT, length);
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let end = definitions::end_of(&payload, count);
        let sites = match end {
            Some(end) => definitions::read_sites(&payload[..end], count),
            None => definitions::read_sites(&payload, count),
        };
        sites.map_err(|problem| {
            let offset = NAMES_AT + problem.offset;
            Problem::damaged(&self.name, offset, problem.found, problem.expected)
        })
    }

    /// This machine's time on the thread's clock; it must have gone on as it did.
    fn now(&self) -> Result<CalibrationPair, Problem> {
        let now = now_on(&self.name, self.clock, self.source)?;
        let start = self.header.start();
        let jumped = |found: String, expected: String| Problem::Clock {
            file: self.name.clone(),
            found,
            expected,
        };
        if now.ticks < start.ticks || now.nanoseconds < start.nanoseconds {
            let found = format!("{} ticks at its start", start.ticks);
            return Err(jumped(found, format!("at most {}, now", now.ticks)));
        }
        let [life, own] = [start, self.opened].map(|from| {
            let ticks = now.ticks.saturating_sub(from.ticks);
            (ticks, now.nanoseconds.saturating_sub(from.nanoseconds))
        });
        let is_comparable = life.1 >= COMPARABLE && own.1 >= COMPARABLE;
        if is_comparable && !are_rates_equal(life, own) {
            let found = format!("{} ticks in {} ns", life.0, life.1);
            return Err(jumped(found, format!("{} in {} ns", own.0, own.1)));
        }
        Ok(now)
    }

    /// Whether the file is still as long as it must be.
    fn check_file(&self) -> Result<(), Problem> {
        let Memory::Mapped(mapping) = &self.memory else {
            return Ok(());
        };
        let status = mapping.file.metadata().map_err(|error| Problem::Io {
            file: self.name.clone(),
            error,
        })?;
        check_length(&self.name, status.len())
    }

    fn words(&self) -> Words<'_> {
        self.memory.words()
    }
}

impl Memory {
    fn words(&self) -> Words<'_> {
        Words(match self {
            Memory::Owned(words) => words,
            // SAFETY: the mapping has that many bytes and is there as long as this value. Others
            // may change them, one word at a time.
            Memory::Mapped(mapping) => unsafe {
                std::slice::from_raw_parts(mapping.begin, LENGTH / size_of::<AtomicU64>())
            },
        })
    }
}

fn check_length(name: &str, found: u64) -> Result<(), Problem> {
    match found == LENGTH as u64 {
        true => Ok(()),
        false => Err(Problem::damaged(
            name,
            usize::try_from(found).unwrap_or(usize::MAX).min(LENGTH),
            format!("a file of {found} bytes"),
            format!("{LENGTH}"),
        )),
    }
}

/// The header, if it is one that this module can read.
fn header_of(name: &str, words: Words) -> Result<Header, Problem> {
    const LONG: usize = size_of::<Header>();
    let offset = offset_of!(Page, header);
    let mut bytes = [0; LONG];
    bytes.copy_from_slice(&words.bytes(offset, LONG));
    let header = Header::from_bytes(&bytes);
    if words.at(offset_of!(Page, state)) == page::BEGINNING {
        return Err(Problem::Beginning {
            file: name.to_owned(),
        });
    }
    if header.magic != MAGIC {
        let found = format!("{:02x?}", header.magic);
        return Err(Problem::damaged(
            name,
            offset,
            found,
            format!("the mark of a live page, {MAGIC:02x?}"),
        ));
    }
    if header.version != VERSION {
        return Err(Problem::OtherVersion {
            file: name.to_owned(),
            found: header.version,
            expected: VERSION,
        });
    }
    if header.checksum != header.right_checksum() {
        return Err(Problem::damaged(
            name,
            offset + offset_of!(Header, checksum),
            format!("checksum {:016x}", header.checksum),
            format!("{:016x}, that of the header", header.right_checksum()),
        ));
    }
    Ok(header)
}

fn now_on(name: &str, clock: ClockKind, source: Source) -> Result<CalibrationPair, Problem> {
    source(clock).ok_or_else(|| Problem::Clock {
        file: name.to_owned(),
        found: "the time stamp counter".to_owned(),
        expected: "a clock that this machine has".to_owned(),
    })
}

/// The time of this machine.
fn system_time(clock: ClockKind) -> Option<CalibrationPair> {
    match clock {
        ClockKind::TimeStampCounter => counter_pair(),
        ClockKind::Nanoseconds => {
            let nanoseconds = monotonic()?;
            Some(CalibrationPair {
                ticks: nanoseconds,
                nanoseconds,
            })
        }
    }
}

/// Whether ticks per nanosecond are the same in two stretches.
fn are_rates_equal(a: (u64, u64), b: (u64, u64)) -> bool {
    let [first, second] = [(a.0, b.1), (b.0, a.1)].map(|(x, y)| u128::from(x) * u128::from(y));
    first.abs_diff(second) <= first.max(second) / 100 * RATE_TOLERANCE
}
