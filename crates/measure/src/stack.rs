//! The regions that are open on a thread, in memory that is reserved once and touched only as deep as calls go.

use std::ffi::c_char;

use pgas_trace::format::MAX_DEPTH;

use crate::buffer::Reserved;

/// An open region.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    pub(crate) name: *const c_char,
    pub(crate) site: u32,
    pub(crate) operation: u8,
    /// Whether its Enter is in the trace: not if recording was off then.
    pub(crate) recorded: bool,
    /// Whether its Exit may have attributes.
    pub(crate) exit_attributes: bool,
}

/// A stack of open regions. What goes deeper than it holds is only counted.
pub(crate) struct Stack {
    memory: Reserved,
    depth: usize,
    beyond: u64,
}

impl Stack {
    pub(crate) fn new() -> Option<Self> {
        Some(Stack {
            memory: Reserved::new(MAX_DEPTH * size_of::<Open>())?,
            depth: 0,
            beyond: 0,
        })
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether one more region can be entered. If not, the caller records nothing and calls [`Stack::go_beyond`].
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        // One is left for a stall of the recorder itself.
        self.depth < MAX_DEPTH - 1
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, open: Open) {
        assert!(self.depth < MAX_DEPTH);
        // SAFETY: the memory holds MAX_DEPTH entries, and `Open` is plain data.
        unsafe {
            self.memory
                .pointer()
                .cast::<Open>()
                .add(self.depth)
                .write(open)
        };
        self.depth += 1;
    }

    #[inline(always)]
    pub(crate) fn top(&self) -> Option<Open> {
        if self.depth == 0 {
            return None;
        }
        Some(self.at(self.depth - 1))
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> Open {
        assert!(index < self.depth);
        // SAFETY: every entry below the depth was written by `push`.
        unsafe { self.memory.pointer().cast::<Open>().add(index).read() }
    }

    pub(crate) fn set_recorded(&mut self, index: usize) {
        let open = Open {
            recorded: true,
            ..self.at(index)
        };
        // SAFETY: `at` has checked the index.
        unsafe { self.memory.pointer().cast::<Open>().add(index).write(open) };
    }

    /// All open regions, outermost first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = Open> + '_ {
        (0..self.depth).map(|index| self.at(index))
    }

    #[cold]
    pub(crate) fn go_beyond(&mut self) {
        self.beyond += 1;
    }

    /// Whether an Exit belongs to a region that was only counted; it is then taken off.
    #[cold]
    pub(crate) fn come_back(&mut self) -> bool {
        let beyond = self.beyond > 0 && !self.has_room();
        if beyond {
            self.beyond -= 1;
        }
        beyond
    }
}
