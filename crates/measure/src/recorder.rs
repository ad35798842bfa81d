//! The recorder of one thread: what happens at an Enter and at an Exit that do not go the short way
//! of `fast_path`. How buffers are exchanged is in `handover`.
//!
//! Two parties touch a recorder. Its thread alone appends events. The holder of its sink's lock
//! (the helper, the thread itself, or the process's end) writes full buffers. They meet in a few
//! atomics: `limit`, which another party lowers to zero to make the thread look up from the hot
//! path, and `closed`.
//!
//! As long as all flags are zero, events become records on the short way. Everything else (sums
//! instead of events, recording switched off, calls that do not nest) goes the long way, and the
//! flags say so.

use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence,
};

use pgas_trace_format::buffers::Page;
use pgas_trace_format::model::Operation;

use crate::attributes::Packed;
use crate::buffer::Buffer;
use crate::buffer_file::BufferFile;
use crate::call_tree::CallTree;
use crate::clock::Clock;
use crate::config::Config;
use crate::counter_sums::CounterSums;
use crate::dictionary::{Dictionary, FILTERED, Place, SITE_MASK, THROTTLED, same_text};
use crate::excluded_calls::ExcludedCalls;
use crate::left_out::LeftOut;
use crate::live::Live;
use crate::samples::Samples;
use crate::settings::{self, Mode, SMALLEST_BUFFER};
use crate::signals::without_signals;
use crate::sink::Sink;
use crate::stack::{Open, Stack, State};
use crate::stack_sampling::StackSampler;
use crate::thread_state::{Skipped, ThreadState};
use crate::throttle::Lots;

/// The thread is inside of the recorder.
pub(crate) const BUSY: u8 = 1;
/// The program has switched recording off.
pub(crate) const PAUSED: u8 = 2;
/// Nothing is recorded any more.
pub(crate) const OFF: u8 = 4;
/// Sums are all that is kept.
const PROFILE: u8 = 8;
/// A call is open that is only counted: what is recorded now needs it in the trace first.
pub(crate) const COUNTED: u8 = 16;
/// More regions are open than the stack holds.
const BEYOND: u8 = 32;
/// The clock is not the time stamp counter. The cost of reading it makes a short path pointless.
const OTHER_CLOCK: u8 = 64;
/// Counters are read, or conditions of metrics evaluated, at every event.
const EVERY_EVENT: u8 = 128;

pub(crate) const UNKNOWN_CORE: usize = usize::MAX;

/// Fields that an event reads before it touches anything. Where buffers are shared with others, the
/// child of a fork finds zeros here: it looks up, and finds out that nothing of this is its own.
#[derive(Default)]
#[cfg_attr(target_arch = "x86_64", repr(align(4096)))]
#[cfg_attr(not(target_arch = "x86_64"), repr(align(65536)))]
pub(crate) struct Gate {
    /// Written by the thread alone.
    pub(crate) flags: AtomicU8,
    /// Position in the current buffer from which on the thread must look up.
    pub(crate) limit: AtomicUsize,
}

pub(crate) struct Recorder {
    pub(crate) gate: Gate,
    pub(crate) state: UnsafeCell<ThreadState>,
    /// Touched by the recorder's thread only, as `state` is.
    pub(crate) excluded: ExcludedCalls,
    pub(crate) buffers: [Buffer; 2],
    pub(crate) sink: Mutex<Sink>,
    /// Set for good, by anybody: the thread is to stop.
    pub(crate) closed: AtomicBool,
    /// Blocks handed over, so that the helper sees whether anything moves.
    pub(crate) handed_over: AtomicU32,
    pub(crate) lost: AtomicU64,
    /// Events that came while another one was being recorded, as in handlers of signals.
    pub(crate) ignored: AtomicU64,
    /// Bytes of records in a buffer.
    pub(crate) size: usize,
    /// Bytes in the stream so far, and how many of them end the trace.
    pub(crate) written: AtomicU64,
    pub(crate) trace_limit: u64,
    /// The trace has ended there.
    pub(crate) limit_reached: AtomicBool,
    /// There is no helper: the thread writes by itself.
    pub(crate) is_synchronous: bool,
    /// There is a trace, at least at the beginning.
    pub(crate) has_events: bool,
    /// Transfers are to have addresses.
    addresses: bool,
    /// Time without a core is to be recorded.
    pub(crate) wants_no_core: bool,
    /// Threads of the program.
    threads: u32,
    /// The core on which the thread last handed over a buffer, or [`UNKNOWN_CORE`].
    pub(crate) core: AtomicUsize,
    /// Kernel's number of the thread.
    pub(crate) owner: libc::pid_t,
    /// Number of the process. A child has another one, also where no handler of forks was run
    /// (`_Fork`, `clone`).
    process: u32,
    /// The file that the buffers lie in; `None` if nobody else can read them.
    pub(crate) buffer_file: Option<BufferFile>,
    /// Samples where the thread computes; `None` if nobody wants to know, or it cannot be done.
    pub(crate) stack_sampler: Option<Box<StackSampler>>,
    /// Next recorder of the process.
    pub(crate) next: AtomicPtr<Recorder>,
}

// SAFETY: `state` is accessed by the recorder's thread only, or after it has been seen outside of
// the recorder for good (`finish_for_other`); everything else is made for sharing.
unsafe impl Sync for Recorder {}

impl Recorder {
    /// A recorder for the calling thread, number `thread` of `threads`; `None` if there is no
    /// memory.
    pub(crate) fn new(
        sink: Sink,
        clock: Clock,
        config: &Config,
        thread: u32,
        threads: u32,
    ) -> Option<Self> {
        let is_profile = config.mode == Mode::Profile;
        let trace_limit = config
            .trace_limit
            .map_or(u64::MAX, |limit| limit / u64::from(threads.max(1)));
        // The limit is looked at when a buffer is full, so full buffers must be much smaller.
        let size = usize::try_from(trace_limit / 2).unwrap_or(usize::MAX);
        let size = config.buffer.min(size.max(SMALLEST_BUFFER));
        let buffers = [Buffer::new(size)?, Buffer::new(size)?];
        let start = clock.pair();
        let recorder = Recorder {
            gate: Gate::default(),
            excluded: ExcludedCalls::default(),
            state: UnsafeCell::new(ThreadState {
                buffer: buffers[0].pointer(),
                capacity: buffers[0].capacity(),
                page: Page {
                    last_time: start.ticks,
                    ..Page::default()
                },
                journal: None,
                clock,
                block: 0,
                stack: Stack::new()?,
                // Its cost is measured first, whatever the filter.
                dictionary: Dictionary::new(0, None),
                first_time: start.ticks,
                current: 0,
                blocks_before: 0,
                sites_before: 0,
                tree: CallTree::new()?,
                counters: None,
                looks_at_every_event: false,
                is_profile,
                is_paused: false,
                skipped: Skipped::default(),
                left_out: LeftOut::default(),
                set_up: 0,
                set_up_within: 0,
                own_accesses: None,
                elsewhere: None,
                unmatched_ends: 0,
                interrupted_after: None,
                counted: 0,
                throttle: config.throttle,
                filter: config.filter.clone(),
                lots: Lots::new(thread),
                samples: Samples::new(thread, threads),
                arrays: Vec::new(),
                empty_call: 0,
                long_call: u64::MAX,
                thread,
                threads,
                start,
                summed_until: start,
                core_use_before: None,
                run_queue: None,
                live: match config.live {
                    settings::Live::Off => None,
                    _ => Some(Box::new(Live::new(thread, threads)?)),
                },
                is_only_live: config.live == settings::Live::Only,
                long_gap: u64::MAX,
            }),
            buffers,
            sink: Mutex::new(sink),
            closed: AtomicBool::new(false),
            handed_over: AtomicU32::new(0),
            lost: AtomicU64::new(0),
            ignored: AtomicU64::new(0),
            size,
            written: AtomicU64::new(0),
            trace_limit,
            limit_reached: AtomicBool::new(false),
            is_synchronous: config.synchronous,
            has_events: !is_profile,
            addresses: config.addresses && !is_profile,
            wants_no_core: config.no_core,
            threads,
            core: AtomicUsize::new(UNKNOWN_CORE),
            // SAFETY: no arguments, cannot fail.
            owner: unsafe { libc::gettid() },
            process: std::process::id(),
            buffer_file: None,
            stack_sampler: None,
            next: AtomicPtr::new(std::ptr::null_mut()),
        };
        // SAFETY: nobody else knows the recorder yet.
        let state = unsafe { &mut *recorder.state.get() };
        recorder.begin_block(state, 0, start.ticks);
        recorder.set_flags(flags_of(state));
        Some(recorder)
    }

    /// An Exit with attributes: that of an operation for many threads, or of an attempt to take a
    /// lock.
    ///
    /// # Safety
    /// As for [`Recorder::enter`].
    pub(crate) unsafe fn exit_with(&self, operation: u8, name: *const c_char, attributes: Packed) {
        // SAFETY: promised by the caller.
        unsafe { self.exit_the_long_way(operation, name, attributes) };
    }

    /// An Enter that is not simply recorded.
    #[inline(never)]
    pub(crate) unsafe fn enter_the_long_way(
        &self,
        operation: u8,
        place: Place,
        attributes: Packed,
    ) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 {
            self.count_lost(flags);
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if state.page.position >= self.gate.limit.load(Ordering::Relaxed) && !self.make_room(state)
        {
            self.count_lost(OFF);
            self.set_flags(OFF);
            return;
        }
        // SAFETY: promised by the caller.
        let after = match unsafe { state.site_of(place) } {
            Some(FILTERED) if self.is_left_out_for_good(place) => flags_of(state),
            Some(site) if state.stack.has_room() => {
                if self.enter_site(state, operation, place.name, site, attributes) {
                    flags_of(state)
                } else {
                    OFF
                }
            }
            Some(_) => {
                state.stack.go_beyond();
                state.tree.count_unplaced();
                flags_of(state)
            }
            // An unknown operation; its Exit will match nothing.
            None => flags_of(state),
        };
        self.set_flags(after);
    }

    /// Whether later calls of an excluded function are left out before anything else is done, from
    /// this one on.
    fn is_left_out_for_good(&self, place: Place) -> bool {
        let function = place.function();
        function.is_some_and(|function| self.excluded.add(function))
    }

    /// Enter of a site (with its marks), whatever is to be done with it; false if recording must
    /// end.
    #[inline(always)]
    pub(crate) fn enter_site(
        &self,
        state: &mut ThreadState,
        operation: u8,
        name: *const c_char,
        marked: u32,
        attributes: Packed,
    ) -> bool {
        if marked == FILTERED {
            state.enter_filtered(operation, name);
            return true;
        }
        let site = marked & SITE_MASK;
        if state.is_paused {
            state.skipped.count(operation);
            state.left_out.count_paused(operation);
            let open = Open::new(State::Unrecorded, operation, name, site, 0);
            state.stack.push(open);
        } else if state.is_profile {
            state.charge_counters();
            state.enter_profiled(operation, name, site, attributes);
        } else if marked & THROTTLED != 0 {
            state.enter_throttled(operation, name, site, attributes);
        } else {
            state.charge_counters();
            let time = state.clock.now();
            state.after_gap(time);
            if state.counted > 0 && !self.record_what_is_open(state, time) {
                return false;
            }
            // Room for the record itself there is, as in `exit`; but the trace may just have
            // reached its limit.
            if state.is_profile {
                state.enter_profiled(operation, name, site, attributes);
            } else {
                state.record_enter(time, operation, name, site, attributes);
            }
        }
        if state.looks_at_every_event {
            state.observe_enter(site, attributes);
        }
        true
    }

    /// An Exit that is not simply that of the innermost region, or of one that is not recorded.
    #[inline(never)]
    pub(crate) unsafe fn exit_the_long_way(
        &self,
        operation: u8,
        name: *const c_char,
        attributes: Packed,
    ) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 {
            self.count_lost(flags);
            return;
        }
        if self.is_a_copy() {
            self.set_flags(OFF);
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if self.has_ended() {
            self.count_lost(OFF);
            self.set_flags(OFF);
            return;
        }
        let depth = state.stack.depth();
        let target = if state.stack.come_back() {
            None
        } else {
            let matches = |open: &Open| open.operation() == operation && open.name == name;
            let target = match state.stack.top() {
                Some(open) if matches(open) => Some(depth - 1),
                // SAFETY: promised by the caller.
                _ => unsafe { find_open(&state.stack, operation, name) },
            };
            if target.is_none() && operation == Operation::UserRegion as u8 {
                state.unmatched_ends += 1;
            }
            target
        };
        let mut goes_on = true;
        if let Some(target) = target {
            // Regions that were left without notice are left now.
            while goes_on && state.stack.depth() > target + 1 {
                goes_on = self.leave(state, Packed::NONE);
            }
            goes_on = goes_on && self.leave(state, attributes);
        }
        let is_due = state.page.position >= self.gate.limit.load(Ordering::Relaxed);
        let after = match goes_on {
            true if is_due => self.look_up(state),
            true => flags_of(state),
            false => OFF,
        };
        self.set_flags(after);
    }

    /// The number of open regions; none are ever left beyond it by [`Recorder::return_to`] where
    /// that is not known.
    pub(crate) unsafe fn depth(&self) -> usize {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 || self.is_a_copy() {
            return usize::MAX;
        }
        // SAFETY: as in `enter`.
        unsafe { &*self.state.get() }.stack.depth()
    }

    /// Exits of all regions beyond a number of them: they were left without notice.
    pub(crate) unsafe fn return_to(&self, depth: usize) {
        let mut flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & OFF != 0 || self.is_a_copy() {
            return;
        }
        if flags & BUSY != 0 {
            // Outside of the recorder then, and inside of it now: the jump has left it. Else a
            // handler that has interrupted the recorder jumps within itself.
            // SAFETY: what lay above the place on the stack is gone.
            if depth == usize::MAX || !unsafe { self.recover() } {
                return;
            }
            flags = self.gate.flags.load(Ordering::Relaxed);
        }
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if state.stack.depth() <= depth {
            return;
        }
        self.set_flags(flags | BUSY);
        if self.has_ended() {
            self.count_lost(OFF);
            self.set_flags(OFF);
            return;
        }
        state.stack.forget_beyond();
        let mut goes_on = true;
        while goes_on && state.stack.depth() > depth {
            goes_on = self.leave(state, Packed::NONE);
        }
        let is_due = state.page.position >= self.gate.limit.load(Ordering::Relaxed);
        let after = match goes_on {
            true if is_due => self.look_up(state),
            true => flags_of(state),
            false => OFF,
        };
        self.set_flags(after);
    }

    /// Exit of the innermost open region, whatever is to be done with it; false if recording must
    /// end.
    #[inline(always)]
    fn leave(&self, state: &mut ThreadState, attributes: Packed) -> bool {
        let Some(&open) = state.stack.top() else {
            return true;
        };
        if state.looks_at_every_event {
            state.observe_exit(open.site, attributes);
        }
        match open.state() {
            State::Counted | State::Sampled => state.exit_throttled(open),
            State::Shown => {
                let time = state.exit_time(open.operation());
                state.show_exit(open.operation(), attributes, time);
                state.stack.pop();
            }
            State::Profiled => {
                let time = state.exit_time(open.operation());
                state.charge_counters();
                state.show_exit(open.operation(), attributes, time);
                state.exit_profiled(time, open, attributes);
            }
            State::Unrecorded | State::Filtered => state.stack.pop(),
            State::Recorded => {
                let time = state.exit_time(open.operation());
                state.charge_counters();
                state.after_gap(time);
                if state.page.position >= self.gate.limit.load(Ordering::Relaxed)
                    && !self.make_room(state)
                {
                    return false;
                }
                state.show_exit(open.operation(), attributes, time);
                // The trace may just have reached its limit; then the region is not what it was.
                match state.stack.top() {
                    Some(&open) if open.is_recorded() => state.record_exit(time, open, attributes),
                    Some(&open) => state.exit_profiled(time, open, attributes),
                    None => {}
                }
            }
        }
        if state.looks_at_every_event {
            state.observe_left(open.site);
        }
        true
    }

    /// Switches recording on or off; returns whether it was on.
    pub(crate) unsafe fn control(&self, on: bool) -> bool {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF) != 0 || self.is_a_copy() {
            return false;
        }
        let was_on = flags & PAUSED == 0;
        if on == was_on {
            return was_on;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        if self.has_ended() {
            self.set_flags(OFF);
            return was_on;
        }
        state.show_pause(!on);
        let mut goes_on = true;
        if !on {
            state.pause();
        } else if state.is_profile {
            state.resume_profile();
        } else {
            state.is_paused = false;
            goes_on = self.record_skipped(state);
            // Regions that were entered meanwhile and are still open.
            if goes_on
                && state
                    .stack
                    .iter()
                    .any(|open| open.state() == State::Unrecorded)
            {
                let time = state.clock.now();
                goes_on = self.record_what_is_open(state, time);
                if state.is_profile {
                    state.resume_profile();
                }
            }
        }
        if on {
            state.skip_counters();
            state.skip_no_core();
        }
        self.set_flags(if goes_on { flags_of(state) } else { OFF });
        was_on
    }

    /// Records that the thread has done something for the measurement since `begin`.
    pub(crate) unsafe fn stood_still(&self, begin: u64) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (BUSY | OFF | PAUSED) != 0 || self.is_a_copy() {
            return;
        }
        self.set_flags(flags | BUSY);
        // SAFETY: as in `enter`.
        let state = unsafe { &mut *self.state.get() };
        let has_room =
            state.page.position < self.gate.limit.load(Ordering::Relaxed) || self.make_room(state);
        // Calls that are only counted may be open if this was not called at an event that is
        // recorded.
        let goes_on = has_room && (state.is_profile || self.record_what_is_open(state, begin));
        if goes_on {
            self.note_stall(state, begin);
        }
        // Counts of that time are not the program's either.
        state.skip_counters();
        self.set_flags(if goes_on { flags_of(state) } else { OFF });
    }

    /// Sets the flags by the state. Nobody else knows the recorder yet.
    pub(crate) fn refresh_flags(&mut self) {
        let flags = flags_of(self.state.get_mut());
        self.set_flags(flags);
    }

    /// Reads these counters at every event from now on. Nobody else knows the recorder yet.
    pub(crate) fn count(&mut self, counters: CounterSums) {
        let state = self.state.get_mut();
        state.counters = Some(Box::new(counters));
        state.looks_at_every_event = true;
        self.refresh_flags();
    }

    /// Says in the trace what is missing in it since recording was off; false if recording must
    /// end.
    #[cold]
    fn record_skipped(&self, state: &mut ThreadState) -> bool {
        if state.page.position >= self.gate.limit.load(Ordering::Relaxed) && !self.make_room(state)
        {
            return false;
        }
        if !state.is_profile {
            state.append_skipped();
        }
        true
    }

    /// Enter of all open regions that are not in the trace, because something inside of them is
    /// about to be recorded, at `time`. Calls of throttled sites become events like all others.
    /// False if recording must end.
    #[inline(never)]
    fn record_what_is_open(&self, state: &mut ThreadState, time: u64) -> bool {
        let recorded = state.stack.iter().rev();
        let missing = recorded.take_while(|open| !open.is_recorded()).count();
        for index in state.stack.depth() - missing..state.stack.depth() {
            if state.page.position >= self.gate.limit.load(Ordering::Relaxed)
                && !self.make_room(state)
            {
                return false;
            }
            let mut open = *state.stack.at(index);
            let (entered, attributes) = match open.state() {
                State::Counted | State::Sampled => {
                    state.counted -= 1;
                    // A site whose calls turn out to have something inside keeps true times.
                    state.dictionary.watch(open.site).until_timed = 1;
                    let entered = match open.state() {
                        State::Sampled => open.begin,
                        _ => time,
                    };
                    let attributes =
                        match open.operation() < crate::attributes::FIRST_WITH_ATTRIBUTES {
                            true => Packed::NONE,
                            // SAFETY: operations that have attributes were entered with them.
                            false => unsafe { state.stack.attributes(index) },
                        };
                    (entered, attributes)
                }
                State::Unrecorded => (time, Packed::NONE),
                State::Filtered => continue,
                // The trace has just reached its limit.
                State::Profiled | State::Recorded | State::Shown => return true,
            };
            state.append_enter(entered, open.operation(), open.site, attributes);
            open.set_state(State::Recorded);
            open.begin = state.page.last_time;
            *state.stack.at_mut(index) = open;
        }
        true
    }

    /// Leaves what is open, writes everything, and ends the recording of this thread.
    pub(crate) unsafe fn finish(&self) {
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & BUSY != 0 || !self.is_of_this_process() {
            return;
        }
        self.set_flags(BUSY);
        without_signals(|| {
            let finished = catch_unwind(AssertUnwindSafe(|| {
                // SAFETY: as in `enter`.
                let state = unsafe { &mut *self.state.get() };
                if flags & OFF == 0 && (!state.is_paused || self.record_skipped(state)) {
                    self.leave_everything(state);
                }
                self.close();
                self.write_the_rest(state);
            }));
            // A panic has already said what it was; what was written before stays readable.
            drop(finished);
        });
        self.set_flags(OFF);
    }

    fn leave_everything(&self, state: &mut ThreadState) {
        let is_operation = |open: &Open| {
            open.is_recorded() && open.operation() >= crate::attributes::FIRST_WITH_ATTRIBUTES
        };
        if state.stack.iter().any(is_operation) {
            state.interrupted_after = Some(state.page.last_time);
        }
        let mut goes_on = true;
        while goes_on && state.stack.depth() > 0 {
            goes_on = self.leave(state, Packed::NONE);
        }
    }

    /// Whether what is in the buffers can be collected when the process is gone.
    pub(crate) fn survives_a_kill(&self) -> bool {
        self.buffers.iter().all(Buffer::is_shared)
    }

    /// Whether the calling process is the recorder's, and not a child with a copy of it.
    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    /// Whether this is the copy in the child of a fork that ran no handlers: its buffers are still
    /// those of the parent.
    pub(crate) fn is_a_copy(&self) -> bool {
        self.gate.limit.load(Ordering::Relaxed) == 0 && !self.is_of_this_process()
    }

    /// Whether the calling thread is the recorder's.
    pub(crate) fn is_mine(&self) -> bool {
        // SAFETY: no arguments, cannot fail.
        self.owner == unsafe { libc::gettid() }
    }

    /// The process was asked to end, now. Called by a handler of signals, perhaps in the midst of
    /// an event.
    pub(crate) fn note_signal(&self, signal: u32) {
        // SAFETY: the clock is never changed, and the two fields of the page by nobody else; no
        // reference is made.
        unsafe {
            let state = self.state.get();
            let time = (&raw mut (*state).page.signal_time).cast::<AtomicU64>();
            let clock = (&raw const (*state).clock).read();
            if (*time).load(Ordering::Relaxed) == 0 {
                (&raw mut (*state).page.signal).write_volatile(signal);
                (*time).store(clock.now(), Ordering::Release);
            }
        }
    }

    /// Whether the thread is inside of the recorder.
    pub(crate) fn is_busy(&self) -> bool {
        self.gate.flags.load(Ordering::Acquire) & BUSY != 0
    }

    /// Writes what a recorder of another thread holds and ends it. Regions that are open stay open
    /// in the trace.
    ///
    /// # Safety
    /// The recorder was closed, and its thread was seen outside of it after a barrier on all
    /// processors; it does not touch its buffer any more.
    pub(crate) unsafe fn finish_for_other(&self) {
        // SAFETY: promised by the caller.
        let state = unsafe { &mut *self.state.get() };
        self.write_the_rest(state);
    }

    /// For the child of a fork, which has a copy of everything but must not write: nothing is
    /// recorded any more.
    ///
    /// # Safety
    /// The calling thread is the only one of its process.
    pub(crate) unsafe fn abandon(&self) {
        self.close();
        self.gate.flags.store(OFF, Ordering::Relaxed);
    }

    /// Whether addresses of transfers are wanted: sums have none.
    pub(crate) fn wants_addresses(&self) -> bool {
        self.addresses
    }

    /// Threads of the program.
    pub(crate) fn threads(&self) -> u32 {
        self.threads
    }

    /// Events that the program had after recording ended.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(crate) fn set_flags(&self, flags: u8) {
        compiler_fence(Ordering::SeqCst);
        self.gate.flags.store(flags, Ordering::Release);
        compiler_fence(Ordering::SeqCst);
    }

    /// After an event, where the position has reached the limit: hands the buffer over. Returns the
    /// flags to go on with.
    #[cold]
    pub(crate) fn look_up(&self, state: &mut ThreadState) -> u8 {
        if self.make_room(state) {
            flags_of(state)
        } else {
            OFF
        }
    }

    #[cold]
    fn count_lost(&self, flags: u8) {
        let counter = match flags & OFF {
            0 => &self.ignored,
            _ => &self.lost,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// The flags of a recorder whose thread is outside of it.
#[inline(always)]
pub(crate) fn flags_of(state: &ThreadState) -> u8 {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    flag(state.is_paused, PAUSED)
        | flag(state.is_profile, PROFILE)
        | flag(state.counted > 0, COUNTED)
        | flag(state.stack.is_beyond(), BEYOND)
        | flag(!state.clock.is_counter(), OTHER_CLOCK)
        | flag(state.looks_at_every_event, EVERY_EVENT)
}

/// The innermost open region of this operation and name, where names with the same text at other
/// addresses count.
///
/// # Safety
/// As for [`Recorder::exit`].
#[cold]
unsafe fn find_open(stack: &Stack, operation: u8, name: *const c_char) -> Option<usize> {
    (0..stack.depth()).rev().find(|&index| {
        let open = stack.at(index);
        open.operation() == operation
            // SAFETY: promised by the caller.
            && (open.name == name || unsafe { same_text(open.name, name) })
    })
}
