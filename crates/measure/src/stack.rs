//! The regions that are open on a thread, in memory that is reserved once and touched only as deep
//! as calls go.

use std::ffi::c_char;

use std::sync::atomic::Ordering;

use pgas_live::{Page, StackEntry};
use pgas_trace_format::MAX_DEPTH;

use crate::attributes::Packed;
use crate::buffer::Reserved;
use crate::node_id::{NodeId, ROOT};

/// Treatment of a region when it was entered, which decides what its end means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum State {
    /// Its Enter is in the trace.
    Recorded,
    /// Recording was off.
    Unrecorded,
    /// Its calls are throttled: this one is only counted.
    Counted,
    /// Likewise, but this call is one of those that are timed.
    Sampled,
    /// There is no trace, or none any more: it is counted, and its time is summed.
    Profiled,
    /// A filter excludes it: what happens inside counts as its caller's.
    Filtered,
    /// Nothing is kept of it. Other processes can see it while it is open.
    Shown,
}

// Readers of live pages know the entries, these two numbers, and that time 0 is none.
const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<Open>() == size_of::<StackEntry>());
    assert!(offset_of!(Open, begin) == offset_of!(StackEntry, begin));
    assert!(offset_of!(Open, site) == offset_of!(StackEntry, site));
    assert!(offset_of!(Open, kind) == offset_of!(StackEntry, kind));
    assert!(State::Filtered as u8 == pgas_live::FILTERED);
};

/// Stands for the operation of what lies below all regions: no operation has this number.
const BOTTOM: u8 = u8::MAX;

/// An open region.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Open {
    pub(crate) name: *const c_char,
    /// Ticks: of its Enter; if it is profiled, the time since which nothing was summed yet.
    /// Meaningless for what is only counted.
    pub(crate) begin: u64,
    pub(crate) site: u32,
    /// Its call path in the call tree, [`ROOT`] as long as nobody has asked for it; that of its
    /// caller if it is filtered.
    pub(crate) node: NodeId,
    /// Operation and state, written and compared as one: a processor waits where it reads at once
    /// what was written in parts a moment ago.
    kind: u16,
}

impl Open {
    #[inline(always)]
    pub(crate) fn new(
        state: State,
        operation: u8,
        name: *const c_char,
        site: u32,
        begin: u64,
    ) -> Self {
        Open {
            name,
            begin,
            site,
            node: ROOT,
            kind: kind(operation, state),
        }
    }

    #[inline(always)]
    pub(crate) fn operation(&self) -> u8 {
        self.kind as u8
    }

    #[inline(always)]
    pub(crate) fn state(&self) -> State {
        const STATES: [State; 8] = [
            State::Recorded,
            State::Unrecorded,
            State::Counted,
            State::Sampled,
            State::Profiled,
            State::Filtered,
            State::Shown,
            State::Unrecorded,
        ];
        STATES[usize::from(self.kind >> 8) % STATES.len()]
    }

    pub(crate) fn set_state(&mut self, state: State) {
        self.kind = kind(self.operation(), state);
    }

    #[inline(always)]
    pub(crate) fn is_recorded(&self) -> bool {
        self.state() == State::Recorded
    }

    /// Whether it is a region of this operation in this state.
    #[inline(always)]
    pub(crate) fn is(&self, operation: u8, state: State) -> bool {
        self.kind == kind(operation, state)
    }
}

#[inline(always)]
fn kind(operation: u8, state: State) -> u16 {
    u16::from(operation) | (state as u16) << 8
}

/// A stack of open regions. Regions beyond its depth are only counted.
pub(crate) struct Stack {
    /// The bottom, which is no region, and then the regions.
    memory: Reserved,
    /// Attributes of the Enter of regions that are not recorded but may have to be, at the same
    /// indices.
    attributes: Reserved,
    beyond: u64,
    /// Has the number of open regions, and what else others may read.
    page: Page,
}

impl Stack {
    pub(crate) fn new() -> Option<Self> {
        let stack = Stack {
            memory: Reserved::new((MAX_DEPTH + 1) * size_of::<Open>())?,
            attributes: Reserved::new(MAX_DEPTH * size_of::<Packed>())?,
            beyond: 0,
            page: Page::new(),
        };
        let bottom = Open::new(State::Unrecorded, BOTTOM, std::ptr::null(), 0, 0);
        // SAFETY: the memory has room for it, and `Open` is plain data.
        unsafe { stack.memory.pointer().cast::<Open>().write(bottom) };
        Some(stack)
    }

    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.page.depth.load(Ordering::Relaxed) as usize
    }

    /// Not before the regions up to that depth are there.
    #[inline(always)]
    fn set_depth(&mut self, depth: usize) {
        self.page.depth.store(depth as u64, Ordering::Release);
    }

    /// What others may read of the thread.
    #[inline(always)]
    pub(crate) fn page(&self) -> &Page {
        &self.page
    }

    /// Puts a file's pages in place of the page and of the first regions, of which none is open. If
    /// that fails, nothing has changed.
    pub(crate) fn share(&mut self, file: libc::c_int) -> bool {
        let bottom = *self.top_or_bottom();
        let (at, length) = (pgas_live::page::STACK_AT, pgas_live::page::STACK);
        if !self.memory.map_beginning(file, at as u64, length) {
            return false;
        }
        // SAFETY: the memory has room for it, and `Open` is plain data.
        unsafe { self.memory.pointer().cast::<Open>().write(bottom) };
        let (flags, protection) = (
            libc::MAP_SHARED | libc::MAP_FIXED,
            libc::PROT_READ | libc::PROT_WRITE,
        );
        let place: *mut Page = &raw mut self.page;
        // SAFETY: a page fills its pages of memory, and is plain data for which zeros are valid.
        let mapped =
            unsafe { libc::mmap(place.cast(), size_of::<Page>(), protection, flags, file, 0) };
        mapped != libc::MAP_FAILED
    }

    /// Nothing of the page changes any more.
    ///
    /// # Safety
    /// The stack is there. Its thread may be using it: no reference to it is made.
    pub(crate) unsafe fn note_end(stack: *const Stack) {
        let ended = pgas_live::page::ENDED;
        // SAFETY: promised by the caller; the word is made for sharing.
        unsafe { (*stack).page.state.store(ended, Ordering::Release) };
    }

    /// Writes the description of the thread where others read it.
    pub(crate) fn describe(&mut self, header: pgas_live::Header) {
        self.page.header = header;
    }

    /// Whether one more region can be entered. If not, the caller records nothing and calls
    /// [`Stack::go_beyond`].
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        // One is left for a stall of the recorder itself.
        self.depth() < MAX_DEPTH - 1
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, open: Open) {
        assert!(self.depth() < MAX_DEPTH);
        // SAFETY: just checked.
        unsafe { self.push_unchecked(open) };
    }

    /// # Safety
    /// There is room for one more.
    #[inline(always)]
    pub(crate) unsafe fn push_unchecked(&mut self, open: Open) {
        let depth = self.depth();
        // SAFETY: promised by the caller: the memory holds MAX_DEPTH entries, and `Open` is plain
        // data.
        unsafe { self.opens().add(depth).write(open) };
        self.set_depth(depth + 1);
    }

    /// Like [`Stack::push`], for a region whose attributes may be asked for.
    #[inline(always)]
    pub(crate) fn push_with(&mut self, open: Open, attributes: Packed) {
        assert!(self.depth() < MAX_DEPTH);
        // SAFETY: just checked.
        unsafe { self.push_with_unchecked(open, attributes) };
    }

    /// # Safety
    /// There is room for one more.
    #[inline(always)]
    pub(crate) unsafe fn push_with_unchecked(&mut self, open: Open, attributes: Packed) {
        // SAFETY: promised by the caller; there are as many attributes as regions, and `Packed` is
        // plain data.
        unsafe {
            self.push_unchecked(open);
            self.attributes
                .pointer()
                .cast::<Packed>()
                .add(self.depth() - 1)
                .write(attributes)
        };
    }

    /// The attributes that the region at `index` was entered with.
    ///
    /// # Safety
    /// That region was entered by [`Stack::push_with`].
    #[inline(always)]
    pub(crate) unsafe fn attributes(&self, index: usize) -> Packed {
        assert!(index < self.depth());
        // SAFETY: promised by the caller: `push_with` has written it.
        unsafe { self.attributes.pointer().cast::<Packed>().add(index).read() }
    }

    /// Those of the innermost region.
    ///
    /// # Safety
    /// There is one, and it was entered by [`Stack::push_with`].
    #[inline(always)]
    pub(crate) unsafe fn top_attributes(&self) -> Packed {
        let attributes = self.attributes.pointer().cast::<Packed>();
        // SAFETY: promised by the caller.
        unsafe { attributes.add(self.depth() - 1).read() }
    }

    #[inline(always)]
    pub(crate) fn top(&self) -> Option<&Open> {
        if self.depth() == 0 {
            return None;
        }
        Some(self.top_or_bottom())
    }

    /// The innermost region, or something that no region is like.
    #[inline(always)]
    pub(crate) fn top_or_bottom(&self) -> &Open {
        // SAFETY: the entry before the first region is the bottom; `push` has written all others.
        unsafe { &*self.opens().offset(self.depth() as isize - 1) }
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.set_depth(self.depth().saturating_sub(1));
    }

    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> &Open {
        assert!(index < self.depth());
        // SAFETY: every entry below the depth was written by `push`.
        unsafe { &*self.opens().add(index) }
    }

    #[inline(always)]
    pub(crate) fn at_mut(&mut self, index: usize) -> &mut Open {
        assert!(index < self.depth());
        // SAFETY: as in `at`; nobody else refers to the stack.
        unsafe { &mut *self.opens().add(index) }
    }

    /// All open regions, outermost first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Open> + '_ {
        (0..self.depth()).map(|index| self.at(index))
    }

    #[cold]
    pub(crate) fn go_beyond(&mut self) {
        self.beyond += 1;
    }

    /// Whether there are regions that are only counted.
    #[inline(always)]
    pub(crate) fn is_beyond(&self) -> bool {
        self.beyond > 0
    }

    /// All regions that are only counted are left.
    pub(crate) fn forget_beyond(&mut self) {
        self.beyond = 0;
    }

    /// Whether an Exit belongs to a region that was only counted; it is then taken off.
    #[inline(always)]
    pub(crate) fn come_back(&mut self) -> bool {
        let beyond = self.beyond > 0 && !self.has_room();
        if beyond {
            self.beyond -= 1;
        }
        beyond
    }

    /// The outermost region. Before it lies the bottom.
    #[inline(always)]
    fn opens(&self) -> *mut Open {
        // SAFETY: the memory begins with the bottom.
        unsafe { self.memory.pointer().cast::<Open>().add(1) }
    }
}
