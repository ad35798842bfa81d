//! Samples where the recorder's thread computes: a timer interrupts it, and the handler notes the
//! program counter, the return addresses below it, and the innermost open region.
//!
//! The handler runs on the recorder's thread and belongs to the recorder like an event: while BUSY
//! is set it takes no sample, and while it takes one it sets BUSY. It makes no allocation, takes no
//! lock, and calls only what may be called in a handler; everything that needs more is prepared
//! when the recorder opens, or done when the samples are handed over with the thread's buffer.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use pgas_trace_format::stack_samples::{SAMPLE_PERIODS, SAMPLING_STOPPED};

use crate::buffer::Filled;
use crate::clock::monotonic;
use crate::memory;
use crate::message::say;
use crate::recorder::{BUSY, OFF, PAUSED, Recorder};
use crate::registry::recorders;
use crate::signals::without_signals;
use crate::stack_sampling::registers::Registers;
use crate::stack_sampling::small_stack::is_dangerous;
use crate::stack_sampling::stopped::Stopped;
use crate::stack_sampling::{Samples, handler, payload};
use crate::thread_state::ThreadState;

/// Nanoseconds between two blocks of samples, at least: as for sums.
const BETWEEN_BLOCKS: u64 = 900_000_000;
/// Bytes that one sample takes at most while its block is made.
const LARGEST_SAMPLE: usize = 1024;

impl Recorder {
    /// Begins to sample. Called by the recorder's thread, when handlers of signals find it.
    pub(crate) fn begin_sampling(&self) {
        let Some(sampler) = &self.stack_sampler else {
            return;
        };
        // SAFETY: the trigger was not started yet, so no handler looks.
        let samples = unsafe { &mut *sampler.samples.get() };
        // SAFETY: the clock is never changed.
        let clock = unsafe { (&raw const (*self.state.get()).clock).read() };
        samples.since = clock.now();
        samples.last_time = samples.since;
        samples.since_nanoseconds = monotonic();
        sampler.trigger.start();
    }

    /// Ends the sampling; what was sampled is kept.
    pub(crate) fn end_sampling(&self) {
        if let Some(sampler) = &self.stack_sampler {
            sampler.trigger.stop();
        }
    }

    /// A period has ended: takes a sample. `missed` periods ended since the last time that nobody
    /// was called for.
    ///
    /// # Safety
    /// Called by a handler of signals on the recorder's thread, with all signals blocked.
    /// `registers` are those of the code that it interrupted.
    unsafe fn sample_stack(&self, registers: &Registers, missed: u64) {
        let Some(sampler) = &self.stack_sampler else {
            return;
        };
        let flags = self.gate.flags.load(Ordering::Relaxed);
        if flags & (OFF | PAUSED) != 0 || self.is_a_copy() {
            return;
        }
        if flags & BUSY != 0 {
            sampler
                .within_recorder
                .fetch_add(1 + missed, Ordering::Relaxed);
            return;
        }
        self.set_flags(flags | BUSY);
        if !self.has_ended() {
            // SAFETY: this is the recorder's thread, and BUSY keeps out what interrupts it.
            let (state, samples) = unsafe { (&mut *self.state.get(), &mut *sampler.samples.get()) };
            samples.lost += missed;
            if is_dangerous(registers.signal_stack, handler::signal()) {
                // It is said when samples are handed over: in a handler nothing can be written.
                sampler.trigger.stop();
                samples.stopped = Some(Stopped::SmallStack);
            } else if samples.slots.is_wanted() {
                samples.last_time = state.clock.now().max(samples.last_time);
                let node = state.node_of_top();
                let slot = samples.slots.next(samples.last_time, node);
                // SAFETY: promised by the caller.
                slot.count = unsafe { samples.unwinder.unwind(registers, &mut slot.frames) };
            }
        }
        self.set_flags(flags);
    }

    /// Whether samples should be handed over now.
    pub(crate) fn are_samples_due(&self) -> bool {
        self.stack_sampler.as_ref().is_some_and(|sampler| {
            // SAFETY: asked by the recorder's thread while BUSY is set.
            let samples = unsafe { &*sampler.samples.get() };
            !samples.slots.is_empty()
                && monotonic().saturating_sub(samples.since_nanoseconds) >= BETWEEN_BLOCKS
        })
    }

    /// Whether there is anything that was not handed over yet.
    pub(crate) fn has_samples(&self) -> bool {
        self.stack_sampler.as_ref().is_some_and(|sampler| {
            // SAFETY: as above, or the caller ends the stream.
            let samples = unsafe { &*sampler.samples.get() };
            let within = sampler.within_recorder.load(Ordering::Relaxed);
            let stop_is_told = samples.stopped.is_none() || samples.stop_is_told;
            !samples.slots.is_empty() || within > 0 || samples.lost > 0 || !stop_is_told
        })
    }

    /// Hands over the samples since the last time, if there is memory for that.
    pub(crate) fn take_samples(&self, state: &mut ThreadState, filled: &mut Filled) {
        let Some(sampler) = &self.stack_sampler else {
            return;
        };
        // SAFETY: as in `has_samples`.
        let samples = unsafe { &mut *sampler.samples.get() };
        if samples.stopped.is_none() && !handler::is_installed() {
            sampler.trigger.stop();
            samples.stopped = Some(Stopped::Handled);
        }
        if let (Some(stopped), false) = (samples.stopped, samples.stop_is_told) {
            samples.stop_is_told = true;
            say(&format!(
                "{}: thread {} is not sampled any more, the program goes on",
                stopped.reason(),
                state.thread
            ));
        }
        if !memory::has(LARGEST_SAMPLE * samples.slots.len()) {
            return;
        }
        if self.is_mine() {
            let Samples {
                modules, unwinder, ..
            } = samples;
            without_signals(|| modules.update(unwinder));
        }
        let now = state.clock.now().max(samples.last_time);
        samples.lost += samples.slots.skipped();
        let within = sampler.within_recorder.swap(0, Ordering::Relaxed);
        let block = payload::block(samples, &mut state.tree, sampler, within, now);
        filled.stack_samples_span = (block.first_time, block.last_time);
        filled.stack_samples_entries = block.samples.len() as u32;
        pgas_trace_format::stack_samples::push(&mut filled.stack_samples, &block);
        samples.slots.clear();
        samples.lost = 0;
        (samples.since, samples.last_time) = (now, now);
        samples.since_nanoseconds = monotonic();
    }

    /// What the stream is to say about its samples when it ends.
    pub(crate) fn sampling_properties(&self) -> Vec<(&'static str, String)> {
        let Some(sampler) = &self.stack_sampler else {
            return Vec::new();
        };
        let periods = sampler.periods.load(Ordering::Relaxed);
        let mut properties = vec![(SAMPLE_PERIODS, periods.to_string())];
        // SAFETY: the caller ends the stream.
        let stopped = unsafe { &*sampler.samples.get() }.stopped;
        properties.extend(stopped.map(|stopped| (SAMPLING_STOPPED, stopped.reason())));
        properties
    }
}

/// # Safety
/// Called by the system.
pub(crate) unsafe extern "C" fn on_signal(
    _: libc::c_int,
    information: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    // SAFETY: the C library has one for each thread.
    let error = unsafe { *libc::__errno_location() };
    // SAFETY: promised by the system.
    let information = unsafe { &*information };
    let own = recorders().find(|recorder| {
        let trigger = recorder
            .stack_sampler
            .as_ref()
            .map(|sampler| &sampler.trigger);
        trigger.is_some_and(|trigger| trigger.is_of(information)) && recorder.is_mine()
    });
    if let Some((recorder, sampler)) =
        own.and_then(|recorder| Some((recorder, recorder.stack_sampler.as_ref()?)))
    {
        let missed = sampler.trigger.missed(information);
        sampler.periods.fetch_add(1 + missed, Ordering::Relaxed);
        // SAFETY: promised by the system; this is the recorder's thread, and the handler's mask
        // blocks all signals.
        unsafe {
            let registers = Registers::of(context);
            recorder.sample_stack(&registers, missed);
        }
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = error };
}
