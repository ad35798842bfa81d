//! Samples where the recorder's thread computes: a timer interrupts it, and the handler notes the
//! program counter, the return addresses below it, and the innermost open region.
//!
//! The handler runs on the recorder's thread and belongs to the recorder like an event: while BUSY
//! is set it takes no sample, and while it takes one it sets BUSY. It makes no allocation, takes no
//! lock, and calls only what may be called in a handler; everything that needs more is prepared
//! when the recorder opens, or done when the samples are handed over with the thread's buffer.

mod handler;
mod modules;
mod payload;
mod registers;
mod slots;
mod trigger;
mod unwind;

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

use pgas_trace_format::model::SampleClock;

use crate::buffer::Filled;
use crate::clock::monotonic;
use crate::memory;
use crate::message::say;
use crate::recorder::{BUSY, OFF, PAUSED, Recorder};
use crate::settings::Sampling;
use crate::signals::without_signals;
use crate::thread_state::ThreadState;
use modules::Modules;
use registers::Registers;
use slots::Slots;
use trigger::Trigger;
use unwind::StackUnwinder;

/// Nanoseconds between two blocks of samples, at least: as for sums.
const BETWEEN_BLOCKS: u64 = 900_000_000;
/// Bytes that one sample takes at most while its block is made.
const LARGEST_SAMPLE: usize = 1024;

/// The sampling of one thread.
pub(crate) struct StackSampler {
    trigger: Trigger,
    /// Periods that ended while the recorder was at work.
    within_recorder: AtomicU64,
    /// Touched by the recorder's thread while BUSY is set, or by whoever ends its stream.
    samples: UnsafeCell<Samples>,
}

// SAFETY: `samples` follows the rules of the recorder's state; the rest is made for sharing.
unsafe impl Sync for StackSampler {}
// SAFETY: nothing in it is bound to a thread but the trigger, which may be stopped by any.
unsafe impl Send for StackSampler {}

struct Samples {
    slots: Slots,
    unwinder: StackUnwinder,
    modules: Modules,
    /// Periods whose samples found no room.
    lost: u64,
    /// Ticks: the time of the last sample or block.
    last_time: u64,
    /// When the last block was made: ticks, and nanoseconds of the system's clock.
    since: u64,
    since_nanoseconds: u64,
    /// Why there are no more samples from some moment on.
    stopped: Option<&'static str>,
}

impl StackSampler {
    /// Prepares the sampling of the calling thread, which does not begin yet. Returns what the
    /// stream is to say about it.
    pub(crate) fn prepare(settings: Option<Sampling>) -> (Option<Box<Self>>, String) {
        let Some(settings) = settings else {
            return (None, "off".to_owned());
        };
        match without_signals(|| Self::try_prepare(settings)) {
            Ok(mut sampler) => {
                if settings.is_limited {
                    sampler.trigger.limit_cost();
                }
                let text = sampler.trigger.description();
                (Some(sampler), text)
            }
            Err(reason) => (None, format!("none: {reason}")),
        }
    }

    fn try_prepare(settings: Sampling) -> Result<Box<Self>, String> {
        handler::install()?;
        let slots = Slots::new().ok_or("no memory for samples")?;
        let trigger = Trigger::prepare(settings)?;
        handler::provide_stack();
        let mut modules = Modules::default();
        let mut unwinder = StackUnwinder::of_this_thread();
        modules.update(&mut unwinder);
        Ok(Box::new(StackSampler {
            trigger,
            within_recorder: AtomicU64::new(0),
            samples: UnsafeCell::new(Samples {
                slots,
                unwinder,
                modules,
                lost: 0,
                last_time: 0,
                since: 0,
                since_nanoseconds: 0,
                stopped: None,
            }),
        }))
    }

    fn period_nanoseconds(&self) -> u64 {
        self.trigger.period_nanoseconds()
    }

    fn clock(&self) -> SampleClock {
        self.trigger.clock()
    }
}

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
            if samples.slots.is_wanted() {
                samples.last_time = state.clock.now().max(samples.last_time);
                let node = state.node_of_top();
                let slot = samples.slots.next(samples.last_time, node);
                slot.count = samples.unwinder.unwind(registers, &mut slot.frames);
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
            // SAFETY: as above, or asked by whoever ends the stream.
            let samples = unsafe { &*sampler.samples.get() };
            let within = sampler.within_recorder.load(Ordering::Relaxed);
            !samples.slots.is_empty() || within > 0 || samples.lost > 0
        })
    }

    /// Hands over the samples since the last time, if there is memory for that.
    pub(crate) fn take_samples(&self, state: &mut ThreadState, filled: &mut Filled) {
        let Some(sampler) = &self.stack_sampler else {
            return;
        };
        // SAFETY: as in `has_samples`.
        let samples = unsafe { &mut *sampler.samples.get() };
        let unreported = samples.stopped.is_none() && !handler::is_installed();
        if unreported {
            sampler.trigger.stop();
            samples.stopped = Some("the program handles the signal by itself");
            say(&format!(
                "the program handles {} by itself: thread {} is not sampled any more, the \
                 program goes on",
                handler::signal_name(),
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

    /// Why sampling has ended before the recording, if it has.
    pub(crate) fn sampling_stopped(&self) -> Option<&'static str> {
        let sampler = self.stack_sampler.as_ref()?;
        // SAFETY: asked by whoever ends the stream.
        unsafe { &*sampler.samples.get() }.stopped
    }
}
