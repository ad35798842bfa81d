//! The recorder of one thread: the hot path, and how a buffer is exchanged when it is full.
//!
//! Two parties touch a recorder. Its thread alone appends events. Whoever holds the lock of its sink (the helper, the
//! thread itself, or the process's end) writes full buffers. They meet in a few atomics: `limit`, which another party
//! lowers to zero to make the thread look up from the hot path, and `closed`.

use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{
    compiler_fence, fence, AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicU8, AtomicUsize,
    Ordering,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pgas_trace::format::varint;
use pgas_trace::model::Attributes;

use crate::buffer::Buffer;
use crate::clock::Clock;
use crate::dictionary::{same_text, Dictionary, Place};
use crate::helper;
use crate::hot::{self, Hot};
use crate::signals::without_signals;
use crate::sink::Sink;
use crate::stack::{Open, Stack};

/// The thread is inside of the recorder.
const BUSY: u8 = 1;
/// The program has switched recording off.
const PAUSED: u8 = 2;
/// Nothing is recorded any more.
const OFF: u8 = 4;

pub(crate) struct Recorder {
    /// Written by the thread alone.
    flags: AtomicU8,
    /// Position in the current buffer from which on the thread must look up.
    limit: AtomicUsize,
    hot: UnsafeCell<Hot>,
    buffers: [Buffer; 2],
    sink: Mutex<Sink>,
    /// Set for good, by anybody: the thread is to stop.
    closed: AtomicBool,
    /// Blocks handed over, so that the helper sees whether anything moves.
    handed_over: AtomicU32,
    lost: AtomicU64,
    /// Bytes of records in a buffer.
    size: usize,
    /// Kernel's number of the thread.
    owner: libc::pid_t,
    /// Number of the process. A child has another one, also where no handler of forks was run (`_Fork`, `clone`).
    process: u32,
    /// Next recorder of the process.
    pub(crate) next: AtomicPtr<Recorder>,
}

// SAFETY: `hot` is accessed by the recorder's thread only, or after it has been seen outside of the recorder for good
// (`finish_for_other`); everything else is made for sharing.
unsafe impl Sync for Recorder {}

impl Recorder {
    /// A recorder for the calling thread; `None` if there is no memory.
    pub(crate) fn new(sink: Sink, clock: Clock, size: usize) -> Option<Self> {
        let buffers = [Buffer::new(size)?, Buffer::new(size)?];
        let now = clock.now();
        let recorder = Recorder {
            flags: AtomicU8::new(0),
            limit: AtomicUsize::new(0),
            hot: UnsafeCell::new(Hot {
                buffer: buffers[0].pointer(),
                capacity: buffers[0].capacity(),
                position: 0,
                last_time: now,
                clock,
                events: 0,
                block: 0,
                stack: Stack::new()?,
                dictionary: Dictionary::new(),
                first_time: now,
                current: 0,
                sites_before: 0,
            }),
            buffers,
            sink: Mutex::new(sink),
            closed: AtomicBool::new(false),
            handed_over: AtomicU32::new(0),
            lost: AtomicU64::new(0),
            size,
            // SAFETY: no arguments, cannot fail.
            owner: unsafe { libc::gettid() },
            process: std::process::id(),
            next: AtomicPtr::new(std::ptr::null_mut()),
        };
        // SAFETY: nobody else knows the recorder yet.
        let hot = unsafe { &mut *recorder.hot.get() };
        recorder.begin_block(hot, 0, now);
        Some(recorder)
    }

    /// Enter of a region.
    ///
    /// # Safety
    /// For this and all methods that follow, down to `finish`: the caller is the recorder's thread, and strings are
    /// null or end with a zero byte and stay where they are.
    #[inline(always)]
    pub(crate) unsafe fn enter(&self, operation: u8, place: Place, attributes: Attributes) {
        let flags = self.flags.load(Ordering::Relaxed);
        if flags != 0 {
            // SAFETY: promised by the caller.
            unsafe { self.enter_unusually(flags, operation, place) };
            return;
        }
        self.set_flags(BUSY);
        // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
        let hot = unsafe { &mut *self.hot.get() };
        let after = if hot.position < self.limit.load(Ordering::Relaxed) || self.make_room(hot) {
            let site = match hot.dictionary.find(place) {
                Some(site) => Some(site),
                // SAFETY: promised by the caller.
                None => unsafe { hot.dictionary.define(place) },
            };
            match site {
                Some(site) if hot.stack.has_room() => {
                    let time = hot.clock.now();
                    hot.append_enter(time, operation, site, attributes);
                    hot.push(operation, place, site, true);
                }
                Some(_) => hot.stack.go_beyond(),
                // An unknown operation; its Exit will match nothing.
                None => {}
            }
            0
        } else {
            self.count_lost(OFF);
            OFF
        };
        self.set_flags(after);
    }

    /// Exit of the innermost open region of this operation and name.
    #[inline(always)]
    pub(crate) unsafe fn exit(&self, operation: u8, name: *const c_char, attributes: Attributes) {
        let flags = self.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 {
            self.count_lost(flags);
            return;
        }
        self.set_flags(BUSY | flags);
        // SAFETY: as in `enter`.
        let hot = unsafe { &mut *self.hot.get() };
        let time = match hot::waits_for_others(operation) {
            true => hot.clock.now_in_order(),
            false => hot.clock.now(),
        };
        let mut after = flags;
        match hot.stack.top() {
            Some(open)
                if open.operation == operation
                    && open.name == name
                    && open.recorded
                    && hot.stack.has_room() =>
            {
                // There is always room for one record: the limit lies that much before the end.
                hot.append_exit(time, open, attributes);
                hot.stack.pop();
            }
            _ => {
                // SAFETY: promised by the caller.
                unsafe { self.exit_unusually(hot, time, operation, name, attributes) }
            }
        }
        if hot.position >= self.limit.load(Ordering::Relaxed) && !self.make_room(hot) {
            after = OFF;
        }
        self.set_flags(after);
    }

    /// Switches recording on or off; returns whether it was on.
    pub(crate) unsafe fn control(&self, on: bool) -> bool {
        let flags = self.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 {
            return false;
        }
        let was_on = flags & PAUSED == 0;
        if on && !was_on {
            self.set_flags(BUSY);
            // SAFETY: as in `enter`.
            let hot = unsafe { &mut *self.hot.get() };
            let after = if self.enter_what_is_open(hot) { 0 } else { OFF };
            self.set_flags(after);
        } else if !on {
            self.set_flags(PAUSED);
        }
        was_on
    }

    /// Leaves what is open, writes everything, and ends the recording of this thread.
    pub(crate) unsafe fn finish(&self) {
        let flags = self.flags.load(Ordering::Relaxed);
        if flags & BUSY != 0 || !self.is_of_this_process() {
            return;
        }
        self.set_flags(BUSY);
        without_signals(|| {
            let finished = catch_unwind(AssertUnwindSafe(|| {
                // SAFETY: as in `enter`.
                let hot = unsafe { &mut *self.hot.get() };
                if flags & OFF == 0 {
                    self.leave_everything(hot);
                }
                self.close();
                let mut sink = self.lock_sink();
                self.drain(&mut sink);
                if hot.events > 0 {
                    // SAFETY: there are events since the last time that a buffer was handed over, so the current one
                    // is not full, and this is its owner.
                    unsafe { self.fill_current(hot) };
                    self.drain(&mut sink);
                }
                sink.finish(self.lost.load(Ordering::Relaxed));
            }));
            // A panic has already said what it was; what was written before stays readable.
            drop(finished);
        });
        self.set_flags(OFF);
    }

    /// Whether the calling process is the recorder's, and not a child with a copy of it.
    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    /// Whether the calling thread is the recorder's.
    pub(crate) fn is_mine(&self) -> bool {
        // SAFETY: no arguments, cannot fail.
        self.owner == unsafe { libc::gettid() }
    }

    /// Tells the thread to stop at its next event.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.limit.store(0, Ordering::SeqCst);
    }

    /// Whether the thread is inside of the recorder.
    pub(crate) fn is_busy(&self) -> bool {
        self.flags.load(Ordering::Acquire) & BUSY != 0
    }

    /// Writes what a recorder of another thread holds and ends it. Regions that are open stay open in the trace.
    ///
    /// # Safety
    /// The recorder was closed, and its thread was seen outside of it after a barrier on all processors; it does not
    /// touch its buffer any more.
    pub(crate) unsafe fn finish_for_other(&self) {
        let mut sink = self.lock_sink();
        self.drain(&mut sink);
        // SAFETY: promised by the caller.
        let hot = unsafe { &mut *self.hot.get() };
        if hot.events > 0 {
            // SAFETY: as in `finish`; the thread does not touch its buffer any more.
            unsafe { self.fill_current(hot) };
            self.drain(&mut sink);
        }
        sink.finish(self.lost.load(Ordering::Relaxed));
    }

    /// For the child of a fork, which has a copy of everything but must not write: nothing is recorded any more.
    ///
    /// # Safety
    /// The calling thread is the only one of its process.
    pub(crate) unsafe fn abandon(&self) {
        self.close();
        self.flags.store(OFF, Ordering::Relaxed);
    }

    /// Writes the buffers that are full, if nobody else does at this moment. For the helper.
    pub(crate) fn write_full_buffers(&self) {
        if self.buffers.iter().any(Buffer::is_full) {
            self.drain(&mut self.lock_sink());
        }
    }

    /// Number of blocks handed over so far.
    pub(crate) fn handed_over(&self) -> u32 {
        self.handed_over.load(Ordering::Relaxed)
    }

    /// Asks the thread to hand its buffer over at its next event, full or not.
    pub(crate) fn request_block(&self) {
        self.limit.store(0, Ordering::Relaxed);
    }

    #[inline(always)]
    fn set_flags(&self, flags: u8) {
        compiler_fence(Ordering::SeqCst);
        self.flags.store(flags, Ordering::Release);
        compiler_fence(Ordering::SeqCst);
    }

    fn lock_sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// While recording is off, inside of itself, or ended.
    #[cold]
    unsafe fn enter_unusually(&self, flags: u8, operation: u8, place: Place) {
        if flags & (BUSY | OFF) != 0 {
            self.count_lost(flags);
            return;
        }
        self.set_flags(BUSY | PAUSED);
        // SAFETY: as in `enter`.
        let hot = unsafe { &mut *self.hot.get() };
        // SAFETY: promised by the caller.
        let site = hot
            .dictionary
            .find(place)
            .or_else(|| unsafe { hot.dictionary.define(place) });
        match site {
            Some(site) if hot.stack.has_room() => hot.push(operation, place, site, false),
            Some(_) => hot.stack.go_beyond(),
            None => {}
        }
        self.set_flags(PAUSED);
    }

    #[cold]
    fn count_lost(&self, flags: u8) {
        if flags & OFF != 0 {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// An Exit that is not simply that of the innermost region: regions were left without notice, or the Enter was
    /// not recorded.
    #[cold]
    unsafe fn exit_unusually(
        &self,
        hot: &mut Hot,
        time: u64,
        operation: u8,
        name: *const c_char,
        attributes: Attributes,
    ) {
        if hot.stack.come_back() {
            return;
        }
        let matches = |open: &Open| {
            open.operation == operation
                // SAFETY: promised by the caller.
                && (open.name == name || unsafe { same_text(open.name, name) })
        };
        let depth = hot.stack.depth();
        let Some(target) = (0..depth)
            .rev()
            .find(|&index| matches(&hot.stack.at(index)))
        else {
            return;
        };
        for index in (target..depth).rev() {
            let open = hot.stack.at(index);
            if open.recorded {
                if hot.position >= self.limit.load(Ordering::Relaxed) && !self.make_room(hot) {
                    return;
                }
                let attributes = if index == target {
                    attributes
                } else {
                    Attributes::None
                };
                hot.append_exit(time, open, attributes);
            }
            hot.stack.pop();
        }
    }

    /// After a pause: Enter of all regions that were entered meanwhile and are still open.
    fn enter_what_is_open(&self, hot: &mut Hot) -> bool {
        for index in 0..hot.stack.depth() {
            let open = hot.stack.at(index);
            if open.recorded {
                continue;
            }
            if hot.position >= self.limit.load(Ordering::Relaxed) && !self.make_room(hot) {
                return false;
            }
            let time = hot.clock.now();
            hot.append_enter(time, open.operation, open.site, Attributes::None);
            hot.stack.set_recorded(index);
        }
        true
    }

    fn leave_everything(&self, hot: &mut Hot) {
        let time = hot.clock.now();
        while let Some(open) = hot.stack.top() {
            if open.recorded {
                if hot.position >= self.limit.load(Ordering::Relaxed) && !self.make_room(hot) {
                    return;
                }
                hot.append_exit(time, open, Attributes::None);
            }
            hot.stack.pop();
        }
    }

    /// Called where the position has reached the limit: hands the buffer over, or finds out that recording is to
    /// stop: false.
    #[cold]
    fn make_room(&self, hot: &mut Hot) -> bool {
        if self.closed.load(Ordering::SeqCst) || !self.is_of_this_process() {
            return false;
        }
        if hot.events == 0 {
            // The helper asked for a block, but there is nothing in it yet.
            self.set_limit(hot);
            return !self.closed.load(Ordering::SeqCst);
        }
        without_signals(|| catch_unwind(AssertUnwindSafe(|| self.hand_over(hot)))).unwrap_or_else(
            |_| {
                self.close();
                false
            },
        )
    }

    fn hand_over(&self, hot: &mut Hot) -> bool {
        let begin = hot.clock.now().max(hot.last_time);
        // SAFETY: this is the owner of the current buffer, which is not full.
        unsafe { self.fill_current(hot) };
        helper::wake();
        let other = 1 - hot.current;
        let stalled = self.buffers[other].is_full();
        if stalled {
            // Wait for the helper if it is at work on one of them, and do the rest instead of it.
            self.drain(&mut self.lock_sink());
        }
        if self.closed.load(Ordering::SeqCst) {
            return false;
        }
        self.begin_block(hot, other, begin);
        if stalled {
            hot.append_stall(begin);
        }
        true
    }

    /// # Safety
    /// The caller owns the current buffer, which is not full.
    unsafe fn fill_current(&self, hot: &mut Hot) {
        let buffer = &self.buffers[hot.current];
        // SAFETY: promised by the caller.
        unsafe {
            buffer.fill(|filled| {
                filled.length = hot.position;
                filled.events = hot.events;
                filled.first_time = hot.first_time;
                filled.last_time = hot.last_time;
                filled.sites_before = hot.sites_before;
                filled.block = hot.block;
                filled.definitions.clear();
                std::mem::swap(&mut filled.definitions, &mut hot.dictionary.new);
                filled.definition_count = std::mem::take(&mut hot.dictionary.new_count);
            });
        }
        hot.events = 0;
        hot.sites_before = hot.dictionary.defined();
        self.handed_over.fetch_add(1, Ordering::Relaxed);
    }

    /// Begins a block at time `begin` in buffer `index` with the regions that are open.
    fn begin_block(&self, hot: &mut Hot, index: usize, begin: u64) {
        hot.current = index;
        hot.buffer = self.buffers[index].pointer();
        hot.capacity = self.buffers[index].capacity();
        hot.block += 1;
        hot.first_time = begin;
        hot.last_time = begin;
        let open = hot.stack.iter().filter(|open| open.recorded).count();
        hot.position = varint::put(hot.bytes(), 0, open as u64);
        for index in 0..hot.stack.depth() {
            let open = hot.stack.at(index);
            if open.recorded {
                let position = hot.position;
                hot.position = varint::put(hot.bytes(), position, u64::from(open.site));
            }
        }
        self.set_limit(hot);
    }

    /// Sets the limit for a block that holds nothing but its prefix.
    fn set_limit(&self, hot: &Hot) {
        self.limit.store(hot.position + self.size, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if self.closed.load(Ordering::SeqCst) {
            self.limit.store(0, Ordering::SeqCst);
        }
    }

    /// Writes the buffers that are full, the older one first.
    fn drain(&self, sink: &mut Sink) {
        while let Some(buffer) = self.oldest_full() {
            // SAFETY: the caller holds the sink's lock, and the buffer is full.
            unsafe {
                let (filled, bytes) = buffer.filled();
                sink.write(filled, bytes);
                buffer.empty();
            }
            if sink.is_stopped() {
                self.close();
            }
        }
    }

    fn oldest_full(&self) -> Option<&Buffer> {
        self.buffers
            .iter()
            .filter(|buffer| buffer.is_full())
            // SAFETY: called with the sink's lock held, for full buffers.
            .min_by_key(|buffer| unsafe { buffer.filled() }.0.block)
    }
}
