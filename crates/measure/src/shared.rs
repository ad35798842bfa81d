//! The buffers of a thread in a file in memory, which outlives the process however it ends: whoever
//! started the program, or reads the experiment, appends what is in them to the stream
//! (`pgas_trace_format::buffers`).
//!
//! The file is mapped in place of memory that is there already, so that nothing else changes: the
//! two buffers, the page of variables that say how far they are filled, and beside them the
//! definitions of sites (`journal`), the call tree with its sums and those of counters. Only the
//! thread writes to any of it. The child of a fork must not; it finds that out at the recorder's
//! gate, which is empty in a child.
//!
//! Memory of such a file may run out at any store, which would end the program. So all that is
//! written is provided before; where that is not possible, buffers are memory of the process's own,
//! which a kill takes away.

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;

use pgas_trace_format::buffers::collect::PLACE;
use pgas_trace_format::buffers::page::{LONGEST_PATH, MAGIC, PAGE};
use pgas_trace_format::buffers::sums::{MAX_NODES, Taken};
use pgas_trace_format::buffers::{Identity, Page};
use pgas_trace_format::seal::CompressionLevel;

use crate::buffer::Reserved;
use crate::buffer_file::{BufferFile, needed, provide};
use crate::call_tree::{self, LONGEST_ENTRY};
use crate::config::Config;
use crate::counter_sums;
use crate::journal::{self, Journal};
use crate::recorder::{Gate, Recorder};
use crate::test_clock;

/// Bytes that are provided for the open regions at the beginning of a block; more when more are
/// open.
const PREFIX: usize = 64 << 10;
/// Of the place's room, this part at least stays free for others.
const LEFT_FREE: u64 = 2;

/// Moves a new recorder, which nobody else knows, to its final place, where it stays until the
/// process ends.
pub(crate) fn settle(recorder: Recorder) -> Option<&'static mut Recorder> {
    let alignment = align_of::<Recorder>();
    let memory = Reserved::new(size_of::<Recorder>() + alignment)?;
    let begin = memory.pointer();
    let place = begin
        .wrapping_add(begin.align_offset(alignment))
        .cast::<Recorder>();
    std::mem::forget(memory);
    // SAFETY: the memory is new, large enough with the offset, and is never given back.
    unsafe {
        place.write(recorder);
        Some(&mut *place)
    }
}

impl Recorder {
    /// Puts the buffers into a file, before anything is recorded. If that is not possible, says
    /// why. Called with signals blocked.
    pub(crate) fn share(&mut self, config: &Config, thread: u32) -> Result<(), &'static str> {
        let identity = Identity::of_this_process().ok_or("/proc is not there")?;
        let name = format!("{PLACE}/{}", identity.name_of_buffers(thread));
        let path = CString::new(name).map_err(|_| "no name")?;
        let mut page = self.description(config, thread)?;
        // Without events nothing is ever in the buffers.
        let capacity = match self.has_events {
            true => self.buffers[0].capacity(),
            false => 0,
        };
        let counters = self.state.get_mut().counters.as_deref();
        let [names, rows] = match counters {
            Some(counters) => [counter_sums::NAMES, counters.length()],
            None => [0, 0],
        };
        let taken = LONGEST_ENTRY * MAX_NODES * (1 + rows / MAX_NODES / size_of::<u64>());
        let lengths = [
            capacity,
            capacity,
            journal::LENGTH,
            call_tree::LENGTH,
            names,
            rows,
            taken,
            taken,
        ];
        let mut offset = PAGE as u64;
        let areas = page.areas.iter_mut().chain(&mut page.sums.areas);
        for (area, length) in areas.zip(lengths) {
            *area = [offset, length as u64];
            offset += length.next_multiple_of(PAGE) as u64;
        }
        let provided = (PREFIX + needed(self.size, 0)).min(capacity);
        let of_counters = rows.min(counter_sums::STEP);
        let parts = [
            provided,
            provided,
            journal::STEP,
            call_tree::FIRST,
            names,
            of_counters,
        ];
        if !has_room((PAGE + parts.iter().sum::<usize>()) as u64) {
            return Err("/dev/shm has no room");
        }
        // A child of a fork finds nothing at the gate. The system knows that since Linux 4.14.
        const MADV_WIPEONFORK: libc::c_int = 18;
        let gate = (&raw mut self.gate).cast();
        // SAFETY: the range is that of the gate, which fills its pages.
        if unsafe { libc::madvise(gate, size_of::<Gate>(), MADV_WIPEONFORK) } != 0 {
            return Err("the system is too old");
        }
        let flags =
            libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC | libc::O_NOFOLLOW;
        // SAFETY: a C string.
        let file = unsafe { libc::open(path.as_ptr(), flags, 0o600) };
        if file < 0 {
            return Err("cannot create a file in /dev/shm");
        }
        let areas = page.areas;
        let is_provided = {
            // SAFETY: no pointers.
            let is_long = unsafe { libc::ftruncate(file, offset as libc::off_t) } == 0;
            let begins = areas.iter().chain(&page.sums.areas).map(|area| area[0]);
            let mut parts = parts
                .into_iter()
                .zip(begins)
                .filter(|&(length, _)| length > 0);
            is_long
                && provide(file, 0, PAGE)
                && parts.all(|(length, begin)| provide(file, begin, length))
        };
        let is_shared = is_provided && self.map(file, &path, &mut page, provided);
        // SAFETY: the descriptor is this function's own; what was mapped stays.
        unsafe { libc::close(file) };
        if !is_shared {
            // SAFETY: a C string.
            unsafe { libc::unlink(path.as_ptr()) };
            return Err("no room for the buffers in /dev/shm");
        }
        self.buffer_file = Some(BufferFile {
            path,
            offsets: [areas[0][0], areas[1][0]],
        });
        Ok(())
    }

    /// Description of this thread for a collector.
    fn description(&mut self, config: &Config, thread: u32) -> Result<Page, &'static str> {
        let stream = self.lock_sink().origin();
        let path = std::path::absolute(&stream.path).map_err(|_| "the directory is not known")?;
        let path = path.as_os_str().as_bytes();
        let state = self.state.get_mut();
        let mut page = state.page;
        let place = page
            .path
            .get_mut(..path.len())
            .ok_or("the path is too long")?;
        place.copy_from_slice(path);
        debug_assert!(path.len() <= LONGEST_PATH);
        page.path_length = path.len() as u32;
        page.thread = thread;
        page.process = std::process::id();
        page.clock = state.clock.kind().number();
        page.is_disguised = u8::from(test_clock::of(thread).is_some());
        page.in_extents = u8::from(stream.opened.is_some());
        page.opened = stream.opened.unwrap_or_default();
        page.start_unix = stream.start_unix;
        page.compression = match config.compression {
            CompressionLevel::None => 0,
            CompressionLevel::Zstd(level) => level,
        };
        page.pair_ticks = state.start.ticks;
        page.pair_nanoseconds = state.start.nanoseconds;
        Ok(page)
    }

    /// Maps the file in place of the buffers and the page. If that fails, everything is as it was.
    fn map(&mut self, file: libc::c_int, path: &CStr, page: &mut Page, provided: usize) -> bool {
        let areas = page.areas;
        let Some(journal) = Journal::new(file, path.to_owned(), areas[2][0]) else {
            return false;
        };
        let state = self.state.get_mut();
        // Content of the block so far: the number of open regions, none.
        let begun = page.position.min(64);
        let mut beginning = [0; 64];
        beginning[..begun].copy_from_slice(&state.bytes()[..begun]);
        let has_events = self.has_events;
        let is_shared = !has_events
            || self.buffers[0].share(file, areas[0][0], provided)
                && self.buffers[1].share(file, areas[1][0], provided);
        state.bytes()[..begun].copy_from_slice(&beginning[..begun]);
        if has_events {
            page.buffers[0].block = state.block;
        }
        page.sums.scope = state.scope();
        page.sums.since = state.summed_until.ticks;
        page.sums.taken[0].first = Taken::NONE;
        page.sums.taken[1].first = Taken::NONE;
        let place: *mut Page = &raw mut state.page;
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a page fills its pages of memory, and is plain data that is written again.
        let is_mapped = is_shared
            && unsafe {
                let mapped =
                    libc::mmap(place.cast(), size_of::<Page>(), protection, flags, file, 0);
                mapped != libc::MAP_FAILED
            };
        if !is_mapped {
            for buffer in self.buffers.iter().filter(|buffer| buffer.is_shared()) {
                buffer.unshare();
            }
            state.bytes()[..begun].copy_from_slice(&beginning[..begun]);
            return false;
        }
        // SAFETY: just mapped; the last field that is written makes it valid.
        unsafe {
            place.write(*page);
            std::sync::atomic::compiler_fence(std::sync::atomic::Ordering::SeqCst);
            (&raw mut (*place).magic).write_volatile(MAGIC);
        }
        state.journal = Some(journal);
        // Where they stay the process's own, nothing is in these areas.
        let [nodes, names, rows, ..] = page.sums.areas.map(|area| area[0]);
        if state.tree.share(file, path.to_owned(), nodes) {
            if let Some(counters) = &mut state.counters {
                counters.share(file, path.to_owned(), [names, rows]);
            }
        }
        true
    }
}

/// Whether that number of bytes can be taken there without being in anybody's way.
fn has_room(bytes: u64) -> bool {
    let Ok(place) = CString::new(PLACE) else {
        return false;
    };
    // SAFETY: plain data for which zeros are valid, and valid for writing; a C string.
    let found = unsafe {
        let mut found: libc::statvfs = std::mem::zeroed();
        if libc::statvfs(place.as_ptr(), &mut found) != 0 {
            return false;
        }
        found
    };
    let unit = found.f_frsize as u64;
    let (all, free) = (found.f_blocks as u64 * unit, found.f_bavail as u64 * unit);
    // No limit, or far from it.
    all == 0 || free.saturating_sub(bytes) >= all / LEFT_FREE
}
