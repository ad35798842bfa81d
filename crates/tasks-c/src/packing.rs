//! Packs stacks of tasks that wait for long: what they hold goes into a block that is as long as
//! that, and the pages back to the system.
//!
//! A stack in use takes a page at least, most of it empty, which is too much for a million tasks.
//! Packing and unpacking cost some microseconds, so stacks are packed only as long as more than
//! [`MOST_IN_PAGES`] of the process are in pages, and the next one is found by a clock: a hand
//! goes round the stacks of its processor, and packs those that nobody used since its last turn.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use slab::Slab;

use crate::stacks::{PAGE, SLOT, Slot, give_back};

/// Stacks of the process that may be in pages before others are packed.
const MOST_IN_PAGES: usize = 1 << 17;
/// Most stacks that the hand passes in search of one to pack.
const STEPS: usize = 64;

/// Stacks of the process that are in pages.
static IN_PAGES: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static STACKS: RefCell<Clock> = const { RefCell::new(Clock::new()) };
}

/// The stacks of a processor.
struct Clock {
    stacks: Slab<Entry>,
    hand: usize,
}

struct Entry {
    lowest: usize,
    state: State,
}

enum State {
    /// Its task runs.
    Runs,
    /// Its task waits, and has run since the hand passed.
    Used,
    /// Its task waits, and has not run since the hand passed.
    Unused,
    /// The upper end of what it holds; all below is zero.
    Packed(Box<[u8]>),
}

/// Takes up a stack, in pages, whose task runs next: its key on this processor.
pub(crate) fn add(slot: &Slot) -> usize {
    IN_PAGES.fetch_add(1, Ordering::Relaxed);
    let entry = Entry {
        lowest: slot.lowest(),
        state: State::Runs,
    };
    STACKS.with_borrow_mut(|clock| clock.stacks.insert(entry))
}

/// The task of a stack is about to run.
#[inline]
pub(crate) fn use_stack(key: usize) {
    STACKS.with_borrow_mut(|clock| {
        let entry = &mut clock.stacks[key];
        if let State::Packed(contents) = std::mem::replace(&mut entry.state, State::Runs) {
            // SAFETY: it is what the stack of a task that waits held.
            unsafe { unpack(entry.lowest, &contents) };
        }
    });
}

/// The task of a stack begins to wait.
#[inline]
pub(crate) fn leave_stack(key: usize) {
    STACKS.with_borrow_mut(|clock| {
        clock.stacks[key].state = State::Used;
        if IN_PAGES.load(Ordering::Relaxed) > MOST_IN_PAGES {
            clock.turn();
        }
    });
}

/// A stack ends. What it holds is lost.
pub(crate) fn remove(key: usize) {
    let entry = STACKS.with_borrow_mut(|clock| clock.stacks.remove(key));
    if !matches!(entry.state, State::Packed(_)) {
        IN_PAGES.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Clock {
    const fn new() -> Self {
        Self {
            stacks: Slab::new(),
            hand: 0,
        }
    }

    #[cold]
    fn turn(&mut self) {
        for _ in 0..STEPS {
            self.hand = (self.hand + 1) % self.stacks.capacity();
            let entry = self.stacks.get_mut(self.hand);
            if entry.is_some_and(Entry::pass) {
                return;
            }
        }
    }
}

impl Entry {
    /// The hand passes: whether the stack was packed.
    fn pass(&mut self) -> bool {
        match self.state {
            State::Used => self.state = State::Unused,
            State::Unused => return self.pack(),
            State::Runs | State::Packed(_) => {}
        }
        false
    }

    fn pack(&mut self) -> bool {
        // SAFETY: its task waits, and only this thread runs it.
        let contents = unsafe { pack(self.lowest) };
        // If the system does not allow it, it stays in its pages.
        let is_packed = contents.is_ok();
        if is_packed {
            IN_PAGES.fetch_sub(1, Ordering::Relaxed);
        }
        self.state = contents.map_or(State::Used, State::Packed);
        is_packed
    }
}

/// Takes what a stack holds, and gives its pages back: they are zero afterwards.
///
/// # Safety
/// It is the lowest address of a slot that nobody uses.
unsafe fn pack(lowest: usize) -> io::Result<Box<[u8]>> {
    let first = first_used(lowest)?;
    let bytes = lowest + SLOT - first;
    // SAFETY: as promised; the guard is never present.
    let contents = unsafe { std::slice::from_raw_parts(first as *const u8, bytes) };
    let zeros = contents.iter().take_while(|&&byte| byte == 0).count();
    let contents = Box::from(&contents[zeros..]);
    // SAFETY: whole pages of the slot, whose contents are kept.
    unsafe { give_back(first, bytes) }?;
    Ok(contents)
}

/// Puts back what a stack held.
///
/// # Safety
/// `contents` are of the slot with this lowest address, which is zero and which nobody uses.
unsafe fn unpack(lowest: usize, contents: &[u8]) {
    IN_PAGES.fetch_add(1, Ordering::Relaxed);
    let begin = (lowest + SLOT - contents.len()) as *mut u8;
    // SAFETY: as promised; a slot is writable memory.
    unsafe { begin.copy_from_nonoverlapping(contents.as_ptr(), contents.len()) };
}

/// Address of the lowest page of a slot that was ever used: in memory or swapped out. (The system
/// call that says what is in memory leaves out what is swapped out.)
fn first_used(lowest: usize) -> io::Result<usize> {
    const PRESENT_OR_SWAPPED: u64 = 3 << 62;
    let mut entries = [[0; 8]; SLOT / PAGE];
    let at = (lowest / PAGE * size_of::<u64>()) as u64;
    page_map()?.read_exact_at(entries.as_flattened_mut(), at)?;
    let is_used = |entry: &[u8; 8]| u64::from_ne_bytes(*entry) & PRESENT_OR_SWAPPED != 0;
    // The first page is the guard.
    let used = entries.iter().skip(1).position(is_used);
    Ok(lowest + used.map_or(SLOT, |page| (page + 1) * PAGE))
}

/// The pages of this process: 8 bytes for each.
fn page_map() -> io::Result<&'static File> {
    static PAGE_MAP: OnceLock<io::Result<File>> = OnceLock::new();
    let file = PAGE_MAP.get_or_init(|| File::open("/proc/self/pagemap"));
    file.as_ref().map_err(|error| error.kind().into())
}
