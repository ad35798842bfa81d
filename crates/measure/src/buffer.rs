//! Memory of the recorder: reserved address space, and the two buffers that a thread and its helper
//! pass to and fro.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pgas_trace_format::MAX_DEPTH;
use pgas_trace_format::buffers::page::PAGE;
use pgas_trace_format::encode::MAX_RECORD;

/// Anonymous memory that takes no room until it is touched, and never moves.
pub(crate) struct Reserved {
    pointer: *mut u8,
    length: usize,
}

impl Reserved {
    /// `None` if there is no address space left.
    pub(crate) fn new(length: usize) -> Option<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at an address that the system chooses touches nothing that exists.
        let pointer = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0) };
        (pointer != libc::MAP_FAILED).then_some(Reserved {
            pointer: pointer.cast(),
            length,
        })
    }

    #[inline(always)]
    pub(crate) fn pointer(&self) -> *mut u8 {
        self.pointer
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Puts the bytes of a file in place of the memory, which has the same length: at the same
    /// address, for whoever has the file, too. If that fails, the memory is as new.
    pub(crate) fn map(&self, file: libc::c_int, offset: u64) -> bool {
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        self.replace(flags, file, offset as libc::off_t) || {
            self.map_anew();
            false
        }
    }

    /// Likewise in place of the first `length` bytes.
    pub(crate) fn map_beginning(&self, file: libc::c_int, offset: u64, length: usize) -> bool {
        debug_assert!(length <= self.length);
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let (at, offset) = (self.pointer.cast(), offset as libc::off_t);
        // SAFETY: the range is part of this value's own mapping; callers keep no references into
        // it.
        let mapped = unsafe { libc::mmap(at, length, protection, flags, file, offset) };
        mapped != libc::MAP_FAILED
    }

    /// Puts new memory in its place.
    pub(crate) fn map_anew(&self) {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
        self.replace(flags, -1, 0);
    }

    /// Takes memory of the process's own in place of a file's, and keeps the first `length` bytes.
    /// If that fails, nothing has changed.
    pub(crate) fn take_back(&self, length: usize) -> bool {
        let Some(own) = Reserved::new(self.length) else {
            return false;
        };
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: both ranges are as long and this module's own; callers keep no references into
        // them.
        let moved = unsafe {
            let length = length.min(self.length);
            std::ptr::copy_nonoverlapping(self.pointer, own.pointer, length);
            let (from, to): (_, *mut libc::c_void) = (own.pointer.cast(), self.pointer.cast());
            libc::mremap(from, own.length, own.length, flags, to)
        };
        let is_moved = moved != libc::MAP_FAILED;
        if is_moved {
            // Its range is this one's now.
            std::mem::forget(own);
        }
        is_moved
    }

    fn replace(&self, flags: libc::c_int, file: libc::c_int, offset: libc::off_t) -> bool {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let (at, length) = (self.pointer.cast(), self.length);
        // SAFETY: the range is this value's own mapping; callers keep no references into it.
        let mapped = unsafe { libc::mmap(at, length, protection, flags, file, offset) };
        mapped != libc::MAP_FAILED
    }

    /// Makes the system provide the first `length` bytes now rather than page by page in the
    /// program's time, piece by piece as long as they are `wanted`.
    fn populate(&self, length: usize, wanted: impl Fn() -> bool) {
        // Since Linux 5.14; on older systems pages come one by one.
        const MADV_POPULATE_WRITE: i32 = 23;
        const PIECE: usize = 256 << 10;
        let length = length.min(self.length);
        for begin in (0..length).step_by(PIECE).take_while(|_| wanted()) {
            // SAFETY: the range lies within the mapping; populating changes no contents.
            unsafe {
                libc::madvise(
                    self.pointer.add(begin).cast(),
                    PIECE.min(length - begin),
                    MADV_POPULATE_WRITE,
                )
            };
        }
    }

    /// Returns the pages to the system, but for those of the first `kept` bytes. The range stays
    /// mapped, but its contents are lost, in all processes that map it.
    fn release_beyond(&self, kept: usize, is_shared: bool) {
        let advice = match is_shared {
            true => libc::MADV_REMOVE,
            false => libc::MADV_DONTNEED,
        };
        let kept = kept.next_multiple_of(PAGE);
        if kept >= self.length {
            return;
        }
        // SAFETY: the range is part of this value's own mapping, and stays accessible; at worst
        // nothing is given back.
        unsafe { libc::madvise(self.pointer.add(kept).cast(), self.length - kept, advice) };
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and nothing refers to it any more.
        unsafe { libc::munmap(self.pointer.cast(), self.length) };
    }
}

/// Description of the contents of a full buffer.
#[derive(Default)]
pub(crate) struct Filled {
    /// Bytes from the beginning of the memory.
    pub(crate) length: usize,
    pub(crate) events: u32,
    pub(crate) first_time: u64,
    pub(crate) last_time: u64,
    /// Sites defined before this block, and the definitions to be written ahead of it.
    pub(crate) sites_before: u32,
    pub(crate) definitions: Vec<u8>,
    pub(crate) definition_count: u32,
    /// Number of the block on its thread, from 1.
    pub(crate) block: u32,
    /// Sums to be written after the events: the payload of a block, none if it is empty, and how
    /// many entries.
    pub(crate) sums: Vec<u8>,
    pub(crate) sums_entries: u32,
    /// Likewise sums of counters that belong to the events.
    pub(crate) counters: Vec<u8>,
    pub(crate) counters_entries: u32,
    /// Ticks: the span that the sums are of.
    pub(crate) sums_span: (u64, u64),
    /// Likewise samples of where the thread computed.
    pub(crate) stack_samples: Vec<u8>,
    pub(crate) stack_samples_entries: u32,
    pub(crate) stack_samples_span: (u64, u64),
}

/// One of a thread's two buffers. It belongs to the thread while it is not full, and to whoever
/// holds the sink's lock while it is.
pub(crate) struct Buffer {
    memory: Reserved,
    full: AtomicBool,
    filled: UnsafeCell<Filled>,
    /// It can be read from outside.
    shared: AtomicBool,
    /// Bytes that are provided for certain, if it is shared.
    provided: AtomicUsize,
}

/// Bytes that the stack of open regions takes at most at the beginning of a block: a varint each,
/// and their number.
const LONGEST_PREFIX: usize = 5 * MAX_DEPTH + 16;

// SAFETY: `filled` and the memory are accessed by the owner of the buffer only, and ownership
// passes through `full` with release and acquire.
unsafe impl Sync for Buffer {}
// SAFETY: the memory is not bound to a thread.
unsafe impl Send for Buffer {}

impl Buffer {
    /// A buffer for `size` bytes of records after a stack of any depth.
    pub(crate) fn new(size: usize) -> Option<Self> {
        let memory = Reserved::new(LONGEST_PREFIX + size + 8 * MAX_RECORD)?;
        Some(Buffer {
            memory,
            full: AtomicBool::new(false),
            filled: UnsafeCell::new(Filled::default()),
            shared: AtomicBool::new(false),
            provided: AtomicUsize::new(usize::MAX),
        })
    }

    /// Puts the bytes of a file in place of the memory, `provided` of which are there for certain.
    /// The former contents are lost.
    pub(crate) fn share(&self, file: libc::c_int, offset: u64, provided: usize) -> bool {
        let is_mapped = self.memory.map(file, offset);
        self.shared.store(is_mapped, Ordering::Relaxed);
        if is_mapped {
            self.provided.store(provided, Ordering::Relaxed);
        }
        is_mapped
    }

    /// Takes memory of the process's own again.
    pub(crate) fn unshare(&self) {
        self.memory.map_anew();
        self.shared.store(false, Ordering::Relaxed);
        self.provided.store(usize::MAX, Ordering::Relaxed);
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Relaxed)
    }

    /// Bytes that can be written without the system having to find room for them.
    pub(crate) fn provided(&self) -> usize {
        self.provided.load(Ordering::Relaxed)
    }

    pub(crate) fn note_provided(&self, bytes: usize) {
        self.provided.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn pointer(&self) -> *mut u8 {
        self.memory.pointer()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.memory.length()
    }

    /// Makes the system provide the memory of `size` bytes of records. Any thread may do that at
    /// any time.
    pub(crate) fn populate(&self, size: usize, wanted: impl Fn() -> bool) {
        self.memory.populate(size, wanted);
    }

    /// Gives the memory back when nothing will be written to it any more: what that takes is the
    /// recorder's, and at the end of the process could not be distinguished from the program's.
    pub(crate) fn release(&self) {
        self.release_beyond(0);
    }

    /// The same, but for the first `kept` bytes.
    pub(crate) fn release_beyond(&self, kept: usize) {
        self.memory.release_beyond(kept, self.is_shared());
    }

    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Acquire)
    }

    /// Passes the buffer on.
    ///
    /// # Safety
    /// Only the owner of a buffer that is not full may do this, and must not use it afterwards.
    pub(crate) unsafe fn fill(&self, describe: impl FnOnce(&mut Filled)) {
        debug_assert!(!self.is_full());
        // SAFETY: the buffer is not full, so nobody else looks at `filled`.
        describe(unsafe { &mut *self.filled.get() });
        self.full.store(true, Ordering::Release);
    }

    /// Contents of a full buffer: its description and its bytes.
    ///
    /// # Safety
    /// Only the holder of the sink's lock may look, and only while the buffer is full.
    pub(crate) unsafe fn filled(&self) -> (&Filled, &[u8]) {
        debug_assert!(self.is_full());
        // SAFETY: the buffer is full, so its thread does not touch it; `length` bytes were written.
        unsafe {
            let filled = &*self.filled.get();
            (
                filled,
                std::slice::from_raw_parts(self.pointer(), filled.length),
            )
        }
    }

    /// Gives a full buffer back to its thread.
    ///
    /// # Safety
    /// Only the holder of the sink's lock may do this, after its last look.
    pub(crate) unsafe fn empty(&self) {
        self.full.store(false, Ordering::Release);
    }
}
