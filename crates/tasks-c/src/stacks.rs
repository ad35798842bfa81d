//! Stacks of tasks: slots of large mappings, of which only the pages that are used take memory.
//!
//! A mapping of its own for each stack would end at Linux's limit of 65530 mappings. The lowest
//! page of each slot is a guard; from Linux 6.13 on, guards do not split a mapping. Before, there
//! may be about 32000 tasks with a stack at a time.

use std::io;
use std::ptr;

use corosensei::stack::{Stack, StackPointer};
use parking_lot::Mutex;

/// Address space of a stack.
pub(crate) const SLOT: usize = 256 << 10;
/// Stacks in a mapping.
const SLOTS: usize = 256;
/// Unit in which the system gives memory.
pub(crate) const PAGE: usize = 4096;
/// Later than the constants of the `libc` crate that this crate is built with may be.
const MADV_GUARD_INSTALL: i32 = 102;

/// Free slots that keep their pages, so that the next tasks find them there.
const FREE_IN_PAGES: usize = 1 << 14;

/// Lowest addresses of slots that no task has.
static FREE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// The stack of a task. Its slot is used again when this is dropped.
pub(crate) struct Slot {
    lowest: usize,
}

impl Slot {
    pub fn new() -> io::Result<Self> {
        let mut free = FREE.lock();
        if free.is_empty() {
            let mapping = map()?;
            // The lowest is handed out first.
            free.extend((0..SLOTS).rev().map(|slot| mapping + slot * SLOT));
        }
        free.pop()
            .map(|lowest| Self { lowest })
            .ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    /// Its lowest address, that of its guard.
    pub fn lowest(&self) -> usize {
        self.lowest
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if FREE.lock().len() >= FREE_IN_PAGES {
            // SAFETY: its task has ended. If the system does not take them, they stay here.
            let _ = unsafe { give_back(self.lowest + PAGE, SLOT - PAGE) };
        }
        FREE.lock().push(self.lowest);
    }
}

/// Gives pages back to the system: they are zero afterwards.
///
/// # Safety
/// They are pages of a slot, but its guard, and nobody needs what they hold.
pub(crate) unsafe fn give_back(address: usize, bytes: usize) -> io::Result<()> {
    let pages = address as *mut libc::c_void;
    // SAFETY: as promised.
    match unsafe { libc::madvise(pages, bytes, libc::MADV_DONTNEED) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

// SAFETY: a slot is writable memory of `SLOT` bytes, but for the guard at its low end, is aligned
// to pages, and belongs to nobody else while this exists.
unsafe impl Stack for Slot {
    fn base(&self) -> StackPointer {
        pointer(self.lowest + SLOT)
    }

    fn limit(&self) -> StackPointer {
        pointer(self.lowest)
    }
}

fn pointer(address: usize) -> StackPointer {
    // Slots are never at address 0.
    StackPointer::new(address).unwrap_or(StackPointer::MIN)
}

/// Maps slots with their guards: the lowest address.
fn map() -> io::Result<usize> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping touches no other.
    let mapping = unsafe { libc::mmap(ptr::null_mut(), SLOT * SLOTS, access, kind, -1, 0) };
    if mapping == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // A huge page would make whole stacks take memory. Kernels without them refuse.
    // SAFETY: it is this mapping.
    unsafe { libc::madvise(mapping, SLOT * SLOTS, libc::MADV_NOHUGEPAGE) };
    (0..SLOTS).try_for_each(|slot| guard(mapping as usize + slot * SLOT))?;
    Ok(mapping as usize)
}

/// Makes a page one that must not be touched.
fn guard(page: usize) -> io::Result<()> {
    let page = page as *mut libc::c_void;
    // SAFETY: the page is the lowest of a slot, which nobody uses yet.
    let is_guarded = unsafe {
        libc::madvise(page, PAGE, MADV_GUARD_INSTALL) == 0
            || libc::mprotect(page, PAGE, libc::PROT_NONE) == 0
    };
    if is_guarded {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
