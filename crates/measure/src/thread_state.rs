//! State that only the recorder's thread touches on its way: the buffer that it appends to, the
//! clock, the open regions, the dictionary, the call tree; and how events become records. How calls
//! are summed instead is in `summing`.

use std::ffi::c_char;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};

use pgas_trace_format::CoreUse;
use pgas_trace_format::addresses::Tracks;
use pgas_trace_format::buffers::Page;
use pgas_trace_format::clock::CalibrationPair;
use pgas_trace_format::encode;
use pgas_trace_format::model::{Attributes, Operation};

use crate::attributes::{FIRST_WITH_ATTRIBUTES, Packed};
use crate::call_tree::CallTree;
use crate::clock::Clock;
use crate::counter_sums::CounterSums;
use crate::dictionary::{Dictionary, FIRST_MARK, NOT_FOUND, Place, SITE_MASK};
use crate::exclusions::Exclusions;
use crate::journal::Journal;
use crate::left_out::LeftOut;
use crate::live::Live;
use crate::run_queue::RunQueue;
use crate::samples::Samples;
use crate::settings::Throttle;
use crate::signals::without_signals;
use crate::stack::{Open, Stack, State};
use crate::throttle::Lots;
use pgas_trace_format::samples::SharedArray;

/// State that only the thread touches.
pub(crate) struct ThreadState {
    pub(crate) buffer: *mut u8,
    pub(crate) capacity: usize,
    /// How far the buffers are filled: what can be read from outside.
    pub(crate) page: Page,
    /// Where the definitions of sites can be read from outside.
    pub(crate) journal: Option<Journal>,
    pub(crate) clock: Clock,
    /// Number of the current block, from 1.
    pub(crate) block: u32,
    pub(crate) stack: Stack,
    pub(crate) dictionary: Dictionary,
    pub(crate) first_time: u64,
    /// Which of the two buffers is in use.
    pub(crate) current: usize,
    /// Blocks of events before the current block.
    pub(crate) blocks_before: u32,
    pub(crate) sites_before: u32,
    pub(crate) tree: CallTree,
    pub(crate) counters: Option<Box<CounterSums>>,
    /// Counters are read, or conditions of metrics evaluated, at every event.
    pub(crate) looks_at_every_event: bool,
    /// Sums are all that is kept: from the beginning, or since the trace has reached its limit.
    pub(crate) is_profile: bool,
    /// The program has switched recording off.
    pub(crate) is_paused: bool,
    /// Operations skipped while paused that other threads may have recorded.
    pub(crate) skipped: Skipped,
    /// Calls that a filter or a pause has left out.
    pub(crate) left_out: LeftOut,
    /// CPU time of the thread that its recorder took until the program began, in nanoseconds.
    pub(crate) set_up: u64,
    /// Of these, those since the thread's time on a core counts.
    pub(crate) set_up_within: u64,
    /// Where the runtime counts accesses to own data that it does not report.
    pub(crate) own_accesses: Option<NonNull<AtomicU64>>,
    /// Where the runtime notes that other threads of the process, or children of it, did
    /// something.
    pub(crate) elsewhere: Option<NonNull<AtomicU64>>,
    /// When the operation began that is entered next, if it is recorded when it is over; 0 if it is
    /// entered as it begins.
    pub(crate) began: u64,
    /// Ends of regions of the program that found none that was open.
    pub(crate) unmatched_ends: u64,
    /// The thread was ended in the midst of an operation of the runtime: exits behind this time
    /// (ticks) are not real.
    pub(crate) interrupted_after: Option<u64>,
    /// Open regions of throttled sites that are not in the trace. There is none that is recorded
    /// inside of them.
    pub(crate) counted: usize,
    pub(crate) throttle: Option<Throttle>,
    pub(crate) filter: Option<Arc<Exclusions>>,
    pub(crate) lots: Lots,
    pub(crate) samples: Samples,
    /// Shared arrays that the thread knows of.
    pub(crate) arrays: Vec<SharedArray>,
    /// Ticks that the time of an empty call seems to be when it is sampled.
    pub(crate) empty_call: u64,
    /// From how many ticks on a throttled call is not typical.
    pub(crate) long_call: u64,
    /// The number of this thread, and of all.
    pub(crate) thread: u32,
    pub(crate) threads: u32,
    /// Both clocks when the recorder began: what the ticks are in nanoseconds.
    pub(crate) start: CalibrationPair,
    /// When sums were taken last: ticks, and nanoseconds of the system's clock.
    pub(crate) summed_until: CalibrationPair,
    /// Core use of the thread when it began to record, if the kernel reports it.
    pub(crate) core_use_before: Option<CoreUse>,
    /// Where the kernel says how long the thread had no core; `None` if it does not, or nobody
    /// wants to know.
    pub(crate) run_queue: Option<RunQueue>,
    /// What others can see of the thread; `None` if they cannot.
    pub(crate) live: Option<Box<Live>>,
    /// That is all that is kept.
    pub(crate) is_only_live: bool,
    /// Ticks between two events from which on it is asked; the largest number if it never is.
    pub(crate) long_gap: u64,
}

/// Operations that were not recorded because the program had switched recording off: how many of
/// all threads together, and whether there were any that others can notice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Skipped {
    barriers: u64,
    collectives: u64,
    /// The first half of a barrier was among them, and the second was not met yet.
    is_split: bool,
    /// Accesses to shared data, locks, allocations: without them, nothing that links threads is
    /// missing.
    others: bool,
}

impl Skipped {
    #[cold]
    pub(crate) fn count(&mut self, operation: u8) {
        use Operation::*;
        match Operation::from_number(operation) {
            Some(Notify) => {
                self.barriers += 1;
                self.is_split = true;
            }
            // Its first half was recorded, so that nobody has counted it yet.
            Some(Wait) if !self.is_split => self.barriers += 1,
            Some(Wait) => self.is_split = false,
            Some(Barrier) => self.barriers += 1,
            Some(
                Broadcast | Scatter | Gather | GatherAll | Exchange | Permute | Reduce
                | PrefixReduce | CollectiveExit | AllAlloc | AllLockAlloc | AllFree | AllLockFree,
            ) => self.collectives += 1,
            Some(other) => self.others |= other > Forall,
            None => {}
        }
    }
}

impl ThreadState {
    #[inline(always)]
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the current buffer is the thread's own, of that capacity, and zeroed by the
        // system at first.
        unsafe { std::slice::from_raw_parts_mut(self.buffer, self.capacity) }
    }

    /// Takes back all that was learned about the program: its places and its calls. From here on,
    /// the filter counts.
    pub(crate) fn forget_everything(&mut self) {
        let calls_watched = self.throttle.map_or(0, |throttle| throttle.calls);
        self.dictionary = Dictionary::new(calls_watched, self.filter.clone());
        if let Some(counters) = &mut self.counters {
            counters.clear(self.tree.used());
        }
        self.tree.forget_everything();
        self.sites_before = 0;
        if let Some(live) = &mut self.live {
            live.reset(self.stack.page());
        }
        self.looks_at_every_event = self.counters.is_some();
    }

    /// Ticks since the last event. Counters of different cores may differ by some ticks, so time
    /// could seem to run backwards when a thread moves.
    #[inline(always)]
    pub(crate) fn advance(&mut self, time: u64) -> u64 {
        let difference = time.saturating_sub(self.page.last_time);
        self.page.last_time += difference;
        self.page.events += 1;
        difference
    }

    pub(crate) fn append_enter(&mut self, time: u64, operation: u8, site: u32, attributes: Packed) {
        let block = self.block;
        let is_known = operation < FIRST_WITH_ATTRIBUTES
            || repeats(&mut self.dictionary.last_of(site).enter, block, attributes);
        if is_known {
            let difference = self.advance(time);
            let position = self.page.position;
            let end = encode::enter(self.bytes(), position, difference, site);
            self.end_record(end);
        } else {
            self.put_enter_with(time, site, attributes);
        }
    }

    /// Appends an Enter whose attributes a reader does not know yet, or whose addresses it may not
    /// predict.
    pub(crate) fn put_enter_with(&mut self, time: u64, site: u32, attributes: Packed) {
        if attributes.has_addresses() {
            self.put_enter_at(time, site, attributes);
            return;
        }
        let difference = self.advance(time);
        let position = self.page.position;
        let attributes = attributes.unpacked();
        let tracks = &mut Tracks::default();
        let end = encode::enter_with(
            self.bytes(),
            position,
            difference,
            site,
            &attributes,
            tracks,
        );
        self.end_record(end);
    }

    pub(crate) fn append_exit(&mut self, time: u64, site: u32, operation: u8, attributes: Packed) {
        let difference = self.advance(time);
        let position = self.page.position;
        let repeats = !has_exit_attributes(operation) || {
            let block = self.block;
            repeats(&mut self.dictionary.last_of(site).exit, block, attributes)
        };
        let end = if repeats {
            encode::exit(self.bytes(), position, difference)
        } else {
            encode::exit_with(self.bytes(), position, difference, &attributes.unpacked())
        };
        self.end_record(end);
    }

    /// Enter of a region that is recorded.
    #[inline(always)]
    pub(crate) fn record_enter(
        &mut self,
        time: u64,
        operation: u8,
        name: *const c_char,
        site: u32,
        attributes: Packed,
    ) {
        self.append_enter(time, operation, site, attributes);
        self.stack.push(Open::new(
            State::Recorded,
            operation,
            name,
            site,
            self.page.last_time,
        ));
        self.show_enter(operation, site, attributes, self.page.last_time);
    }

    /// Exit of the innermost region, which is recorded.
    #[inline(always)]
    pub(crate) fn record_exit(&mut self, time: u64, open: Open, attributes: Packed) {
        self.append_exit(time, open.site, open.operation(), attributes);
        self.stack.pop();
        let took = self.page.last_time.wrapping_sub(open.begin);
        if self.dictionary.watch(open.site).note(took) {
            self.look_at(open.site, open.operation());
        }
    }

    /// The time of an Exit.
    #[inline(always)]
    pub(crate) fn exit_time(&self, operation: u8) -> u64 {
        match waits_for_others(operation) {
            true => self.clock.now_in_order(),
            false => self.clock.now(),
        }
    }

    /// The site of a place with its marks; `None` if there is none.
    ///
    /// # Safety
    /// The place's strings are null or end with a zero byte.
    #[inline(always)]
    pub(crate) unsafe fn site_of(&mut self, place: Place) -> Option<u32> {
        match self.dictionary.find(place).site {
            // SAFETY: promised by the caller.
            NOT_FOUND => unsafe { self.define(place) },
            site => Some(site),
        }
    }

    /// # Safety
    /// As for [`ThreadState::site_of`].
    #[cold]
    unsafe fn define(&mut self, place: Place) -> Option<u32> {
        let before = self.dictionary.new.len();
        // It allocates, so a handler that left it for good would leave the program without an
        // allocator.
        // SAFETY: promised by the caller.
        let site = without_signals(|| unsafe { self.dictionary.define(place) });
        let new = &self.dictionary.new[before..];
        if let (Some(journal), false) = (&mut self.journal, new.is_empty()) {
            journal.push(&mut self.page, new);
        }
        if let (Some(live), false) = (&mut self.live, new.is_empty()) {
            without_signals(|| {
                live.define(self.stack.page(), place.number(), new);
                live.metrics.note_place(new);
            });
        }
        site
    }

    /// The record that was just written ends at `position`. From here on it can be read from
    /// outside: not before its bytes are there.
    #[inline(always)]
    pub(crate) fn end_record(&mut self, position: usize) {
        compiler_fence(Ordering::Release);
        self.page.position = position;
    }

    /// The time from `begin` to now, in which the thread had to wait for a buffer.
    pub(crate) fn append_stall(&mut self, begin: u64) {
        let operation = Operation::MeasurementStall.number();
        if let Some(site) = self.stall_site() {
            self.append_enter(begin, operation, site, Packed::NONE);
            let now = self.clock.now();
            self.append_exit(now, site, operation, Packed::NONE);
        }
    }

    /// That operations of all threads together are missing here. There is room for two records.
    pub(crate) fn append_skipped(&mut self) {
        let skipped = std::mem::take(&mut self.skipped);
        if (skipped.barriers, skipped.collectives, skipped.others) == (0, 0, false) {
            return;
        }
        let operation = Operation::MeasurementStall.number();
        // A site of its own: no other Exit is to take over its attributes.
        let place = Place::new(operation, std::ptr::null(), 0, c"recording off".as_ptr());
        // SAFETY: null, and a C string that stays where it is.
        if let Some(site) = unsafe { self.site_of(place) } {
            let now = self.clock.now();
            self.append_enter(now, operation, site & SITE_MASK, Packed::NONE);
            let difference = self.advance(now);
            let position = self.page.position;
            let attributes = Attributes::Skipped {
                barriers: skipped.barriers,
                collectives: skipped.collectives,
            };
            let end = encode::exit_with(self.bytes(), position, difference, &attributes);
            self.end_record(end);
        }
    }

    /// The site of waiting for a buffer.
    pub(crate) fn stall_site(&mut self) -> Option<u32> {
        let operation = Operation::MeasurementStall.number();
        let place = Place::new(operation, std::ptr::null(), 0, std::ptr::null());
        // SAFETY: null strings are allowed.
        let site = unsafe { self.site_of(place) }?;
        debug_assert!(site < FIRST_MARK);
        Some(site & SITE_MASK)
    }

    /// Properties of the stream: how many calls were left out, how many accesses were never
    /// reported, and whether there were operations outside of the UPC thread. None is zero.
    pub(crate) fn what_was_left_out(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let load = |count: Option<NonNull<AtomicU64>>| {
            count.map_or(0, |count| {
                // SAFETY: the runtime's counters are there as long as the process. The program adds
                // to them without locking, and a number that is off by one is as
                // good.
                unsafe { count.as_ref() }.load(Ordering::Relaxed)
            })
        };
        let own = load(self.own_accesses);
        let elsewhere = load(self.elsewhere);
        let calls = self.left_out.properties().into_iter();
        calls
            .chain([("own_accesses", own), ("elsewhere", elsewhere)])
            .filter(|(_, number)| *number > 0)
    }
}

/// Whether a reader assumes these attributes without being told; if not, they are noted as the last
/// ones. Those with addresses are for [`ThreadState::put_enter_at`] to find out about and to note.
#[inline(always)]
pub(crate) fn repeats(last: &mut (u32, Packed), block: u32, attributes: Packed) -> bool {
    let same = if last.0 == block {
        last.1 == attributes
    } else {
        attributes == Packed::NONE
    };
    if !same && !attributes.has_addresses() {
        *last = (block, attributes);
    }
    same
}

/// Whether the end of an operation may be an answer to what another thread has done.
#[inline(always)]
pub(crate) fn waits_for_others(operation: u8) -> bool {
    operation >= Operation::Notify as u8
        && !(operation >= Operation::Memcpy as u8 && operation <= Operation::NonBlockingPut as u8)
}

#[inline(always)]
pub(crate) fn has_exit_attributes(operation: u8) -> bool {
    const BROADCAST: u8 = Operation::Broadcast as u8;
    const GROUP_COLLECTIVE: u8 = Operation::GroupCollective as u8;
    const SEND: u8 = Operation::Send as u8;
    const TASK: u8 = Operation::Task as u8;
    operation == Operation::LockAttempt as u8
        || matches!(operation, BROADCAST..=GROUP_COLLECTIVE | SEND..=TASK)
}
