//! Memory of the recorder while the program has none left. A program may run out of memory and cope
//! with it, so the recorder must, too: what is small comes out of a reserve then, what is large is
//! asked for with [`has`] before, and what cannot be had is not recorded.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Bytes of the reserve. They are part of the program from its start, and no memory is used for
/// them before they are.
const RESERVE: usize = 4 << 20;
/// Bytes of it that are kept for what is small, such as messages and the end of a stream.
const KEPT: usize = 512 << 10;

#[cfg_attr(feature = "allocator", global_allocator)]
static ALLOCATOR: Allocator = Allocator {
    is_locked: AtomicBool::new(false),
    top: AtomicUsize::new(0),
    taken: AtomicUsize::new(0),
    reserve: UnsafeCell::new([0; RESERVE]),
};

/// The system's memory, and a reserve for when there is none.
struct Allocator {
    is_locked: AtomicBool,
    /// Bytes of the reserve from its beginning to the end of the last piece that is taken.
    top: AtomicUsize,
    /// Pieces that are taken. Without any, all of it is free.
    taken: AtomicUsize,
    reserve: UnsafeCell<[u8; RESERVE]>,
}

// SAFETY: pieces of the reserve are given to one caller each, under the lock.
unsafe impl Sync for Allocator {}

/// Whether `bytes` can be allocated now without the reserve. If so, collections that grow by less
/// than half as much right after it will not fail.
pub(crate) fn has(bytes: usize) -> bool {
    let Ok(layout) = Layout::from_size_align(bytes.max(1), 16) else {
        return false;
    };
    // SAFETY: the layout has a size, and the memory is given back as it was taken.
    unsafe {
        let memory = System.alloc(layout);
        if memory.is_null() {
            return false;
        }
        // It must not be found out that nobody looks at it.
        std::hint::black_box(memory);
        System.dealloc(memory, layout);
    }
    true
}

/// Whether the reserve has room for what is small.
pub(crate) fn has_reserve() -> bool {
    ALLOCATOR.top.load(Ordering::Relaxed) <= RESERVE - KEPT
}

impl Allocator {
    fn locked<T>(&self, work: impl FnOnce() -> T) -> T {
        while self.is_locked.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        let result = work();
        self.is_locked.store(false, Ordering::Release);
        result
    }

    fn begin(&self) -> usize {
        self.reserve.get() as usize
    }

    fn owns(&self, memory: *mut u8) -> bool {
        (self.begin()..self.begin() + RESERVE).contains(&(memory as usize))
    }

    #[cold]
    fn take(&self, layout: Layout) -> *mut u8 {
        self.locked(|| {
            let top = self.begin() + self.top.load(Ordering::Relaxed);
            let Some(place) = top.checked_next_multiple_of(layout.align()) else {
                return null_mut();
            };
            let used = place - self.begin();
            match used.checked_add(layout.size()) {
                Some(end) if end <= RESERVE => {
                    self.top.store(end, Ordering::Relaxed);
                    self.taken.fetch_add(1, Ordering::Relaxed);
                    self.reserve.get().cast::<u8>().wrapping_add(used)
                }
                _ => null_mut(),
            }
        })
    }

    #[cold]
    fn give_back(&self, memory: *mut u8, layout: Layout) {
        self.locked(|| {
            let begin = memory as usize - self.begin();
            if self.taken.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.top.store(0, Ordering::Relaxed);
            } else if begin + layout.size() == self.top.load(Ordering::Relaxed) {
                self.top.store(begin, Ordering::Relaxed);
            }
        });
    }
}

// SAFETY: memory is the system's, or a piece of the reserve that nobody else has until it is given
// back.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: promised by the caller.
        let memory = unsafe { System.alloc(layout) };
        match memory.is_null() {
            true => self.take(layout),
            false => memory,
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        match self.owns(memory) {
            true => self.give_back(memory, layout),
            // SAFETY: what is not of the reserve is the system's.
            false => unsafe { System.dealloc(memory, layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: promised by the caller.
        let memory = unsafe { System.alloc_zeroed(layout) };
        if !memory.is_null() {
            return memory;
        }
        let memory = self.take(layout);
        if !memory.is_null() {
            // SAFETY: the piece is as long as the layout says.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !self.owns(memory) {
            // SAFETY: what is not of the reserve is the system's.
            let larger = unsafe { System.realloc(memory, layout, size) };
            if !larger.is_null() {
                return larger;
            }
        }
        let Ok(new_layout) = Layout::from_size_align(size, layout.align()) else {
            return null_mut();
        };
        // SAFETY: both pieces are as long as their layouts say, and are two.
        unsafe {
            let other = self.alloc(new_layout);
            if !other.is_null() {
                other.copy_from_nonoverlapping(memory, layout.size().min(size));
                self.dealloc(memory, layout);
            }
            other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reserve() -> Allocator {
        Allocator {
            is_locked: AtomicBool::new(false),
            top: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
            reserve: UnsafeCell::new([0; RESERVE]),
        }
    }

    #[test]
    fn pieces_of_the_reserve_are_aligned_apart_and_come_back() {
        let all = Box::new(reserve());
        let layout = |size, align| Layout::from_size_align(size, align).unwrap();
        let (a, b) = (layout(3, 1), layout(64, 64));
        let (first, second) = (all.take(a), all.take(b));
        assert!(all.owns(first) && all.owns(second));
        assert_eq!(second as usize % 64, 0);
        assert!(second as usize >= first as usize + 3);
        assert!(all.take(layout(RESERVE, 1)).is_null());
        all.give_back(first, a);
        all.give_back(second, b);
        assert_eq!(all.top.load(Ordering::Relaxed), 0);
        assert!(!all.take(layout(RESERVE, 1)).is_null());
        assert!(all.take(layout(1, 1)).is_null());
    }

    #[test]
    fn what_nobody_has_cannot_be_had() {
        assert!(has(1) && has(1 << 20) && has_reserve());
        assert!(!has(usize::MAX) && !has(1 << 60));
    }
}
