//! Appends what processes that are gone left in their buffer files to their streams, and removes
//! the files. Doing it again changes nothing: blocks that a stream has already are not written once
//! more.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::identity::Identity;
use super::page::{BufferState, MAGIC, PAGE, Page};
use super::records::WholeRecords;
use super::sums::{Counted, MAX_NODES, NAMES, NODES, Node, ROWS, TAKEN, push, repaired};
use super::thread_end::{Name, StreamEnd};
use crate::clock::{CalibrationPair, counter_pair, monotonic};
use crate::definitions::{self, push_property};
use crate::extent::ExtentHeader;
use crate::footer::Footer;
use crate::header::{BlockHeader, BlockKind, FileHeader};
use crate::model::ProfileScope;
use crate::names::STREAMS;
use crate::profile;
use crate::properties::{COLLECTED, SIGNAL, SIGNAL_TIME};
use crate::seal::{BlockDescription, BlockSealer, CompressionLevel};

/// Where buffer files are made: in memory.
pub const PLACE: &str = "/dev/shm";

/// Result of [`collect`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collected {
    /// Threads whose streams were completed.
    pub threads: u32,
    /// Events that were appended.
    pub events: u64,
    /// Threads whose process is still there.
    pub alive: u32,
    /// Failures, each with the file's name.
    pub problems: Vec<String>,
}

/// Completes the streams in the experiment `directory`.
pub fn collect(directory: &Path) -> Collected {
    collect_from(directory, &[Path::new(PLACE)])
}

/// The same, of buffer files in these directories.
pub fn collect_from(directory: &Path, places: &[&Path]) -> Collected {
    let streams = directory.join(STREAMS);
    let mut collected = Collected::default();
    for place in places {
        each_in(place, &mut collected, |page| {
            let name = Path::new(std::ffi::OsStr::from_bytes(page.path())).file_name()?;
            let path = streams.join(name);
            is_of(page, &path).then_some(Target::Stream(path))
        });
    }
    collected
}

/// Completes the streams of all experiments of this user that were recorded on this machine, and
/// removes buffer files whose stream is gone.
pub fn collect_everything() -> Collected {
    let mut collected = Collected::default();
    each_in(Path::new(PLACE), &mut collected, |page| {
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(page.path()));
        Some(match is_of(page, &path) {
            true => Target::Stream(path),
            false => Target::Nothing,
        })
    });
    collected
}

/// Where the contents of a buffer file belong.
enum Target {
    Stream(PathBuf),
    /// The stream is not there any more.
    Nothing,
}

/// Treats all buffer files of this user in a directory whose process is gone and for which `target`
/// has an answer.
fn each_in(place: &Path, collected: &mut Collected, target: impl Fn(&Page) -> Option<Target>) {
    let user = fs::metadata("/proc/self").map(|own| own.uid());
    let (Ok(entries), Ok(user)) = (fs::read_dir(place), user) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(identity) = name.and_then(Identity::from_name_of_buffers) else {
            continue;
        };
        let is_own =
            fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.uid() == user);
        if !is_own {
            continue;
        }
        match one(&path, &identity, &target) {
            Ok(Outcome::Alive) => collected.alive += 1,
            Ok(Outcome::Other) => {}
            Ok(Outcome::Appended(events)) => {
                collected.threads += 1;
                collected.events += events;
            }
            Err(problem) => {
                let path = path.display();
                collected.problems.push(format!("{path}: {problem}"));
            }
        }
    }
}

enum Outcome {
    /// The process still appends to it.
    Alive,
    /// Nothing is to be done with it, or nothing was left.
    Other,
    Appended(u64),
}

fn one(
    path: &Path,
    identity: &Identity,
    target: impl Fn(&Page) -> Option<Target>,
) -> Result<Outcome, String> {
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path);
    let file = match opened {
        Ok(file) => file,
        // Its process has ended well since the directory was read, or another collector was faster.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Outcome::Other),
        Err(error) => return Err(format!("cannot open: {error}")),
    };
    lock(&file).map_err(|error| format!("cannot lock: {error}"))?;
    // Another collector has been faster.
    if file.metadata().is_ok_and(|found| found.nlink() == 0) {
        return Ok(Outcome::Other);
    }
    let mut bytes = vec![0; PAGE];
    let page = match file.read_exact_at(&mut bytes, 0) {
        Ok(()) => Page::read(&bytes),
        Err(_) => None,
    };
    if identity.is_alive() {
        let is_wanted = page.is_some_and(|page| matches!(target(&page), Some(Target::Stream(_))));
        return Ok(if is_wanted {
            Outcome::Alive
        } else {
            Outcome::Other
        });
    }
    let Some(page) = page else {
        let magic = bytes.windows(MAGIC.len()).any(|window| window == MAGIC);
        if magic {
            return Err(
                "made by another version of the recorder; use that version's pgastool".into(),
            );
        }
        // Its process was gone before it had recorded anything.
        remove(path)?;
        return Ok(Outcome::Other);
    };
    let outcome = match target(&page) {
        None => return Ok(Outcome::Other),
        Some(Target::Nothing) => Outcome::Other,
        Some(Target::Stream(_)) if page.closed != 0 => Outcome::Other,
        Some(Target::Stream(stream)) => match append(&file, &page, &stream)? {
            Some(events) => Outcome::Appended(events),
            None => Outcome::Other,
        },
    };
    remove(path)?;
    Ok(outcome)
}

/// Whether the stream at `path` is the one that belongs to these buffers.
fn is_of(page: &Page, path: &Path) -> bool {
    name_of(page, path)
        .header()
        .is_some_and(|header| is_that(&header, page))
}

fn name_of<'a>(page: &Page, path: &'a Path) -> Name<'a> {
    Name {
        path,
        in_extents: page.in_extents != 0,
        thread: page.thread,
        process: page.process,
        opened: page.opened,
    }
}

fn is_that(header: &FileHeader, page: &Page) -> bool {
    (header.thread, header.process, header.start_unix)
        == (page.thread, page.process, page.start_unix)
}

/// One collector at a time.
fn lock(file: &File) -> io::Result<()> {
    // SAFETY: no pointers; the descriptor is open as long as `file` is there.
    match unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(format!("cannot remove: {error}"))
        }
        _ => Ok(()),
    }
}

/// Appends what the stream does not have yet, and its index: how many events that was; `None` if
/// the stream was complete.
fn append(file: &File, page: &Page, path: &Path) -> Result<Option<u64>, String> {
    let Some(end) = name_of(page, path).end()? else {
        return Ok(None);
    };
    let cannot_write = |error: io::Error| format!("{}: cannot write: {error}", path.display());
    let mut tail = Tail::new(page, end).map_err(cannot_write)?;
    tail.add_definitions(file).map_err(cannot_write)?;
    let mut buffers = page.buffers;
    buffers.sort_by_key(|buffer| buffer.block);
    for state in buffers {
        let index = page
            .buffers
            .iter()
            .position(|other| other.block == state.block);
        tail.add_buffer(file, &state, index.unwrap_or(0))
            .map_err(cannot_write)?;
    }
    tail.add_sums(file).map_err(cannot_write)?;
    let events = tail.events;
    tail.finish().map_err(cannot_write)?;
    match page.in_extents {
        0 => write_at_end(path, &tail).map_err(cannot_write)?,
        _ => write_extent(path, page, &tail).map_err(cannot_write)?,
    }
    Ok(Some(events))
}

/// The rest of a stream, to be appended to its file.
struct Tail<'a> {
    page: &'a Page,
    end: StreamEnd,
    sealer: BlockSealer,
    footer: Footer,
    sequence: u32,
    sites: u32,
    /// Blocks of events in the stream, and blocks of sums.
    blocks: u32,
    sums_blocks: u32,
    last_time: u64,
    written: CalibrationPair,
    out: Vec<u8>,
    events: u64,
}

impl<'a> Tail<'a> {
    fn new(page: &'a Page, end: StreamEnd) -> io::Result<Self> {
        let level = match page.compression {
            0 => CompressionLevel::None,
            level => CompressionLevel::Zstd(level),
        };
        let of = |kind: BlockKind| {
            end.blocks
                .iter()
                .filter(move |(_, block)| block.kind == kind)
        };
        let sites = of(BlockKind::Definitions)
            .map(|(_, block)| block.entries)
            .sum();
        let blocks = of(BlockKind::Events).count() as u32;
        let events = of(BlockKind::Events)
            .map(|(_, block)| u64::from(block.entries))
            .sum();
        let last = of(BlockKind::Events)
            .next_back()
            .map(|(_, block)| block.last_time);
        let last_time = last.unwrap_or(end.header.start.ticks);
        let sequence = end.blocks.last().map_or(0, |(_, block)| block.sequence + 1);
        let footer = Footer {
            events,
            blocks: end.blocks.clone(),
            ..Footer::default()
        };
        Ok(Tail {
            page,
            sealer: BlockSealer::new(level)?,
            footer,
            sequence,
            sites,
            blocks,
            sums_blocks: of(BlockKind::Profile).count() as u32,
            last_time,
            written: pair_of(page, last_time),
            out: Vec::new(),
            events: 0,
            end,
        })
    }

    fn seal(
        &mut self,
        kind: BlockKind,
        entries: u32,
        times: (u64, u64),
        payload: &[u8],
    ) -> io::Result<()> {
        let description = BlockDescription {
            kind,
            thread: self.page.thread,
            sequence: self.sequence,
            first_time: times.0,
            last_time: times.1,
            entries,
            sites: if kind == BlockKind::Properties {
                0
            } else {
                self.sites
            },
            written: self.written,
            lost_events: 0,
        };
        let offset = self.end.length + self.out.len() as u64;
        let header: BlockHeader = self.sealer.seal(&mut self.out, &description, payload)?;
        self.footer.blocks.push((offset, header));
        self.sequence += 1;
        Ok(())
    }

    /// Definitions that no block has carried.
    fn add_definitions(&mut self, file: &File) -> io::Result<()> {
        let new = self.page.definition_count.saturating_sub(self.sites);
        if new == 0 {
            return Ok(());
        }
        let area = read_area(file, self.page, 2, self.page.definition_bytes)?;
        // Those that the thread was just writing are not counted yet.
        let range = definitions::end_of(&area, self.sites)
            .zip(definitions::end_of(&area, self.page.definition_count));
        let Some((begin, end)) = range else {
            return Ok(());
        };
        let times = (self.last_time, self.last_time);
        self.seal(BlockKind::Definitions, new, times, &area[begin..end])?;
        self.sites += new;
        Ok(())
    }

    /// The records of a buffer, up to the last whole one.
    fn add_buffer(&mut self, file: &File, state: &BufferState, index: usize) -> io::Result<()> {
        let is_open = state.length == 0;
        let is_there = state.block > 0 && state.blocks_before >= self.blocks;
        if !is_there || is_open && self.page.current as usize != index {
            return Ok(());
        }
        let length = if is_open {
            self.page.position as u64
        } else {
            state.length
        };
        let mut payload = read_area(file, self.page, index, length)?;
        // A record that the thread was just writing is not among them.
        let Some(whole) = WholeRecords::of(&payload, state.first_time, self.sites) else {
            return Ok(());
        };
        let (events, length, last_time) = (whole.events, whole.length, whole.last_time);
        if events == 0 || state.first_time < self.last_time && self.blocks > 0 {
            return Ok(());
        }
        payload.truncate(length);
        // Blocks that were full before and never reached the file: a reader sees the gap in the
        // numbers.
        if state.blocks_before > self.blocks {
            self.sequence += 1;
        }
        self.seal(
            BlockKind::Events,
            events,
            (state.first_time, last_time),
            &payload,
        )?;
        self.blocks = state.blocks_before + 1;
        self.last_time = last_time;
        self.events += u64::from(events);
        self.footer.events += u64::from(events);
        Ok(())
    }

    /// Sums of calls: blocks that were taken and not written, and what was counted since.
    fn add_sums(&mut self, file: &File) -> io::Result<()> {
        let sums = self.page.sums;
        let mut taken = [0, 1].map(|index| (index, sums.taken[index]));
        taken.sort_by_key(|(_, taken)| taken.first);
        for (index, taken) in taken {
            let length: u64 = taken.lengths.iter().sum();
            if taken.first >= sums.blocks || length == 0 {
                continue;
            }
            let payloads = read_at(file, sums.areas[TAKEN + index], length)?;
            let middle = payloads.len().min(taken.lengths[0] as usize);
            let (calls, counters) = payloads.split_at(middle);
            let mut number = taken.first;
            for (payload, entries) in [calls, counters].into_iter().zip(taken.entries) {
                if payload.is_empty() {
                    continue;
                }
                if number >= self.sums_blocks {
                    self.seal_sums(entries, taken.span, payload)?;
                    self.sums_blocks = number + 1;
                }
                number += 1;
            }
        }
        if sums.nodes_after == sums.blocks {
            self.add_nodes(file)?;
        }
        Ok(())
    }

    /// A block of sums, if a reader will understand it: definitions of sites may be missing.
    fn seal_sums(&mut self, entries: u32, span: [u64; 2], payload: &[u8]) -> io::Result<()> {
        let times = (span[0], span[1]);
        let threads = self.end.header.threads;
        match profile::read(payload, entries, times, self.sites, threads) {
            Ok(_) => self.seal(BlockKind::Profile, entries, times, payload),
            Err(_) => Ok(()),
        }
    }

    /// Adds the sums of calls since sums were last taken.
    fn add_nodes(&mut self, file: &File) -> io::Result<()> {
        let sums = self.page.sums;
        let Some(scope) = ProfileScope::from_number(u64::from(sums.scope)) else {
            return Ok(());
        };
        let root = nodes_of(&read_at(file, sums.areas[NODES], size_of::<Node>() as u64)?);
        let used = root.first().map_or(0, |root| root.timed_calls);
        let used = used.min(MAX_NODES as u64);
        if used == 0 {
            return Ok(());
        }
        let bytes = read_at(file, sums.areas[NODES], used * size_of::<Node>() as u64)?;
        let Some(mut nodes) = repaired(nodes_of(&bytes), &sums, self.sites) else {
            return Ok(());
        };
        let names = read_at(file, sums.areas[NAMES], u64::MAX)?;
        let names = names.split(|&byte| byte == 0).next().unwrap_or_default();
        let names = String::from_utf8_lossy(names);
        let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).collect();
        let mut rows = Vec::new();
        if !names.is_empty() {
            let length = nodes.len() * names.len() * size_of::<u64>();
            let bytes = read_at(file, sums.areas[ROWS], length as u64)?;
            let numbers = bytes.chunks_exact(size_of::<u64>());
            rows.extend(numbers.map(|number| number.try_into().map_or(0, u64::from_ne_bytes)));
            rows.resize(nodes.len() * names.len(), 0);
        }
        let counted = || {
            (!names.is_empty()).then(|| Counted {
                names: &names,
                rows: rows.clone(),
            })
        };
        let scopes = match scope {
            ProfileScope::Beyond => vec![(ProfileScope::Beyond, counted())],
            _ => vec![
                (ProfileScope::Within, None),
                (ProfileScope::Counters, counted()),
            ],
        };
        let has_unplaced = nodes.first().is_some_and(|root| root.calls > 0);
        let end = match scope {
            ProfileScope::Beyond => sums.last_time,
            _ => self.page.last_time,
        };
        for (scope, counted) in scopes {
            if scope == ProfileScope::Counters && counted.is_none() {
                continue;
            }
            let mut payload = Vec::new();
            let entries = push(&mut payload, scope, &mut nodes, counted);
            let is_something = entries > 0 || has_unplaced && scope != ProfileScope::Counters;
            if is_something {
                let span = [sums.since, end.max(sums.since)];
                self.seal_sums(entries, span, &payload)?;
            }
        }
        Ok(())
    }

    /// Properties and the index.
    fn finish(&mut self) -> io::Result<()> {
        let mut payload = Vec::new();
        let mut entries = 1;
        push_property(&mut payload, COLLECTED, &self.events.to_string());
        if self.page.signal != 0 {
            entries += 2;
            push_property(&mut payload, SIGNAL, &self.page.signal.to_string());
            push_property(
                &mut payload,
                SIGNAL_TIME,
                &self.page.signal_time.to_string(),
            );
        }
        let times = (self.written.ticks, self.written.ticks);
        self.seal(BlockKind::Properties, entries, times, &payload)?;
        let offset = self.end.length + self.out.len() as u64;
        self.sealer.seal_footer(
            &mut self.out,
            &self.footer,
            offset,
            self.page.thread,
            self.written,
        )
    }
}

/// `length` bytes of an area of the file; fewer if the area is shorter.
fn read_area(file: &File, page: &Page, area: usize, length: u64) -> io::Result<Vec<u8>> {
    read_at(file, page.areas[area], length)
}

/// The first `length` bytes of an area, which is given by its offset and its length.
fn read_at(file: &File, area: [u64; 2], length: u64) -> io::Result<Vec<u8>> {
    let [offset, capacity] = area;
    let there = file.metadata()?.len().saturating_sub(offset);
    let length = length.min(capacity).min(there);
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, offset)?;
    Ok(bytes)
}

fn nodes_of(bytes: &[u8]) -> Vec<Node> {
    // SAFETY: nodes are as long as that, and consist of numbers alone, of which every value is one.
    bytes
        .chunks_exact(size_of::<Node>())
        .map(|bytes| unsafe { bytes.as_ptr().cast::<Node>().read_unaligned() })
        .collect()
}

/// Both clocks now, since the rate of a counter is known the better the later; those that the
/// recorder noted where the clock cannot be read here.
fn pair_of(page: &Page, last_time: u64) -> CalibrationPair {
    let noted = CalibrationPair {
        ticks: page.pair_ticks,
        nanoseconds: page.pair_nanoseconds,
    };
    if page.is_disguised != 0 {
        return noted;
    }
    let now = match page.clock {
        0 => monotonic().map(|now| CalibrationPair {
            ticks: now,
            nanoseconds: now,
        }),
        _ => counter_pair(),
    };
    // Anything else would be another machine's.
    now.filter(|now| now.ticks >= last_time && now.nanoseconds >= noted.nanoseconds)
        .unwrap_or(noted)
}

fn write_at_end(path: &Path, tail: &Tail) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.set_len(tail.end.length)?;
    let written = file.write_all_at(&tail.out, tail.end.length);
    if written.is_err() {
        let _ = file.set_len(tail.end.length);
    }
    written
}

fn write_extent(path: &Path, page: &Page, tail: &Tail) -> io::Result<()> {
    let header = ExtentHeader {
        thread: page.thread,
        process: page.process,
        opened: page.opened,
        number: tail.end.extents,
        stream_offset: tail.end.length,
        length: tail.out.len() as u64,
    };
    let mut bytes = header.encode().to_vec();
    bytes.extend_from_slice(&tail.out);
    bytes.extend_from_slice(&header.end_mark());
    let mut file = OpenOptions::new().append(true).open(path)?;
    match file.write(&bytes)? {
        written if written == bytes.len() => Ok(()),
        _ => Err(io::ErrorKind::WriteZero.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_went_since_the_directory_was_read_is_no_problem() {
        let name = "pgas-buffers-10494-1974658-4026531836-0";
        let identity = Identity::from_name_of_buffers(name).expect("such a name");
        let gone = Path::new("/not there").join(name);
        let outcome = one(&gone, &identity, |_| None);
        assert!(matches!(outcome, Ok(Outcome::Other)));
    }
}
