//! The file in memory that a thread's buffers lie in: memory of it is provided before it is used.

use std::ffi::{CStr, CString};
use std::sync::atomic::{Ordering, compiler_fence};

use pgas_trace_format::buffers::sums::{Sums, TAKEN, Taken};
use pgas_trace_format::encode::MAX_RECORD;

use crate::buffer::{Buffer, Filled};
use crate::signals::without_signals;
use crate::test_kill;

/// The file of a thread's buffers.
pub(crate) struct BufferFile {
    pub(crate) path: CString,
    /// Where the buffers begin.
    pub(crate) offsets: [u64; 2],
}

impl BufferFile {
    /// Makes sure that a block of `size` bytes of records, with `depth` open regions before them,
    /// can be written to a buffer that holds nothing.
    pub(crate) fn provide(&self, index: usize, buffer: &Buffer, size: usize, depth: usize) {
        let needed = needed(size, depth);
        if buffer.provided() >= needed {
            return;
        }
        let needed = needed.min(buffer.capacity());
        match provide_in(&self.path, self.offsets[index], needed) {
            true => buffer.note_provided(needed),
            false => buffer.unshare(),
        }
    }

    /// Nobody else is to read the buffers any more.
    pub(crate) fn remove(&self) {
        // SAFETY: a C string.
        unsafe { libc::unlink(self.path.as_ptr()) };
    }
}

impl BufferFile {
    /// Before sums that were just written into `filled` are set to zero: puts them where they can
    /// be read from outside, instead of the nodes. They may be in no block for a while yet.
    pub(crate) fn put_sums(&self, index: usize, sums: &mut Sums, filled: &Filled) {
        let place = &mut sums.taken[index];
        // The former contents are in the stream.
        place.first = Taken::NONE;
        compiler_fence(Ordering::SeqCst);
        test_kill::point("sums: withdrawn");
        let payloads = [&filled.sums, &filled.counters];
        let [begin, length] = sums.areas[TAKEN + index];
        let all: usize = payloads.iter().map(|payload| payload.len()).sum();
        let is_there = all as u64 <= length
            && write_in(&self.path, begin, payloads[0])
            && write_in(&self.path, begin + payloads[0].len() as u64, payloads[1]);
        test_kill::point("sums: stored");
        let blocks = payloads
            .iter()
            .filter(|payload| !payload.is_empty())
            .count() as u32;
        *place = Taken {
            first: Taken::NONE,
            entries: [filled.sums_entries, filled.counters_entries],
            unused: 0,
            lengths: match is_there {
                true => payloads.map(|payload| payload.len() as u64),
                false => [0; 2],
            },
            span: [filled.sums_span.0, filled.sums_span.1],
        };
        compiler_fence(Ordering::SeqCst);
        test_kill::point("sums: described");
        place.first = sums.blocks;
        compiler_fence(Ordering::SeqCst);
        test_kill::point("sums: numbered");
        // From here on they count, and the nodes do not.
        sums.blocks += blocks;
        compiler_fence(Ordering::SeqCst);
        test_kill::point("sums: counting");
    }
}

/// Bytes of a buffer that a block with `depth` open regions may take.
pub(crate) fn needed(size: usize, depth: usize) -> usize {
    // Five bytes are more than any number of a site takes; one store may go beyond the end of a
    // record.
    5 * depth + 16 + size + 8 * MAX_RECORD
}

/// Provides the first `length` bytes from `offset` on of a file.
pub(crate) fn provide_in(path: &CStr, offset: u64, length: usize) -> bool {
    with_file(path, |file| provide(file, offset, length))
}

/// Writes these bytes at `offset` of a file.
pub(crate) fn write_in(path: &CStr, offset: u64, bytes: &[u8]) -> bool {
    with_file(path, |file| {
        let offset = offset as libc::off_t;
        // SAFETY: the pointer and the length are those of the bytes.
        let written = unsafe { libc::pwrite(file, bytes.as_ptr().cast(), bytes.len(), offset) };
        usize::try_from(written).is_ok_and(|written| written == bytes.len())
    })
}

fn with_file(path: &CStr, work: impl FnOnce(libc::c_int) -> bool) -> bool {
    without_signals(|| {
        let flags = libc::O_RDWR | libc::O_CLOEXEC | libc::O_NOFOLLOW;
        // SAFETY: a C string; the descriptor is closed below and known to nobody else.
        unsafe {
            let file = libc::open(path.as_ptr(), flags);
            if file < 0 {
                return false;
            }
            let is_done = work(file);
            libc::close(file);
            is_done
        }
    })
}

pub(crate) fn provide(file: libc::c_int, offset: u64, length: usize) -> bool {
    // SAFETY: no pointers; at worst the call fails.
    unsafe { libc::fallocate(file, 0, offset as libc::off_t, length as libc::off_t) == 0 }
}
