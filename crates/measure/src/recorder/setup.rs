//! A recorder before its first event.

use std::cell::UnsafeCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize};

use pgas_trace_format::buffers::Page;

use super::flags::flags_of;
use super::{Gate, Recorder, UNKNOWN_CORE};
use crate::buffer::Buffer;
use crate::call_tree::CallTree;
use crate::clock::Clock;
use crate::config::Config;
use crate::counter_sums::CounterSums;
use crate::dictionary::Dictionary;
use crate::excluded_calls::ExcludedCalls;
use crate::left_out::LeftOut;
use crate::live::Live;
use crate::samples::Samples;
use crate::settings::{self, Mode, SMALLEST_BUFFER};
use crate::sink::Sink;
use crate::stack::Stack;
use crate::thread_state::{Skipped, ThreadState};
use crate::throttle::Lots;

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
        let state = first_state(&buffers[0], clock, config, thread, threads)?;
        let recorder = Recorder {
            gate: Gate::default(),
            excluded: ExcludedCalls::default(),
            state: UnsafeCell::new(state),
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
}

/// The state of a thread that has recorded nothing; `None` if there is no memory.
fn first_state(
    buffer: &Buffer,
    clock: Clock,
    config: &Config,
    thread: u32,
    threads: u32,
) -> Option<ThreadState> {
    let start = clock.pair();
    Some(ThreadState {
        buffer: buffer.pointer(),
        capacity: buffer.capacity(),
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
        is_profile: config.mode == Mode::Profile,
        is_paused: false,
        skipped: Skipped::default(),
        left_out: LeftOut::default(),
        set_up: 0,
        set_up_within: 0,
        own_accesses: None,
        began: 0,
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
    })
}
