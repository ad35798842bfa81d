//! The parts of sampling where a thread computes: the timer that interrupts it, the signal, memory
//! for samples, modules and unwinding. `stack_samples` puts them together on the recorder's thread.

pub(crate) mod handler;
mod modules;
mod own_stack;
pub(crate) mod payload;
pub(crate) mod registers;
mod slots;
pub(crate) mod small_stack;
pub(crate) mod stopped;
mod trigger;
mod unwind;

use std::cell::UnsafeCell;
use std::sync::atomic::AtomicU64;

use pgas_trace_format::model::SampleClock;

use crate::settings::Sampling;
use crate::signals::without_signals;
use handler::Handler;
use modules::Modules;
use slots::Slots;
use stopped::Stopped;
use trigger::Trigger;
use unwind::StackUnwinder;

/// The sampling of one thread.
pub(crate) struct StackSampler {
    pub(crate) trigger: Trigger,
    /// Periods that ended while the recorder was at work.
    pub(crate) within_recorder: AtomicU64,
    /// Periods that ended in all, also while nothing was recorded.
    pub(crate) periods: AtomicU64,
    /// Accessed by the recorder's thread while BUSY is set, or by the thread that ends its stream.
    pub(crate) samples: UnsafeCell<Samples>,
}

// SAFETY: `samples` follows the rules of the recorder's state; the rest is made for sharing.
unsafe impl Sync for StackSampler {}
// SAFETY: nothing in it is bound to a thread but the trigger, which may be stopped by any.
unsafe impl Send for StackSampler {}

/// The samples of one thread since the last time that they were handed over.
pub(crate) struct Samples {
    pub(crate) slots: Slots,
    pub(crate) unwinder: StackUnwinder,
    pub(crate) modules: Modules,
    /// Periods whose samples found no room.
    pub(crate) lost: u64,
    /// Ticks: the time of the last sample or block.
    pub(crate) last_time: u64,
    /// When the last block was made: ticks, and nanoseconds of the system's clock.
    pub(crate) since: u64,
    pub(crate) since_nanoseconds: u64,
    /// Why there are no more samples from some moment on.
    pub(crate) stopped: Option<Stopped>,
    /// A message has said so.
    pub(crate) stop_is_told: bool,
}

impl StackSampler {
    /// Prepares the sampling of the calling thread, which does not begin yet. Returns what the
    /// stream is to say about it.
    pub(crate) fn prepare(
        settings: Option<Sampling>,
        on_signal: Handler,
    ) -> (Option<Box<Self>>, String) {
        let Some(settings) = settings else {
            return (None, "off".to_owned());
        };
        match without_signals(|| Self::try_prepare(settings, on_signal)) {
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

    fn try_prepare(settings: Sampling, on_signal: Handler) -> Result<Box<Self>, String> {
        handler::install(on_signal)?;
        let slots = Slots::new().ok_or("no memory for samples")?;
        let trigger = Trigger::prepare(settings)?;
        handler::provide_stack();
        let mut modules = Modules::default();
        let mut unwinder = StackUnwinder::of_this_thread();
        modules.update(&mut unwinder);
        Ok(Box::new(StackSampler {
            trigger,
            within_recorder: AtomicU64::new(0),
            periods: AtomicU64::new(0),
            samples: UnsafeCell::new(Samples {
                slots,
                unwinder,
                modules,
                lost: 0,
                last_time: 0,
                since: 0,
                since_nanoseconds: 0,
                stopped: None,
                stop_is_told: false,
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
