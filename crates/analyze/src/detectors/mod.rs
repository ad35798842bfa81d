//! Detectors: each looks for one kind of cause of lost time in what threads do together.
//!
//! A detector is a module here, with a type that implements [`Detector`], and a line at the end of
//! this file. It gets what each thread contributes, every synchronisation that all threads have
//! left, in the order of the program, every hand-over of a lock, every wait for a post or for own
//! transfers, and the time that wait states attribute to them. The pipeline knows none of them by
//! itself.

pub mod agreement;
pub mod clock_violations;
pub mod delay;
pub mod iterations;
pub mod lengths;
pub mod sync_necessity;
pub mod tasks;
pub mod wait_states;

use pgas_earl::{Completion, EarlyTake, LockHandover, Posting};
use pgas_trace::Clocks;
use pgas_trace::model::ThreadId;

use crate::model::paths::CallPaths;
use crate::model::time_class::Class;
use crate::threads::batch::{Batch, Instance};
use wait_states::WaitStates;
use wait_states::attribution::Attribution;

/// How many instances of a kind all threads have passed, those included that not all threads have a
/// record of; and whether there can be no more.
#[derive(Debug, Clone, Copy, Default)]
pub struct Passed {
    /// Instances that all threads have passed.
    pub count: u64,
    /// No further instance can be passed by all threads.
    pub exhausted: bool,
}

/// How far everything is matched at the end of a stretch of time.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Barrier phases, plain or split.
    pub barriers: Passed,
    /// Collective operations and collective allocations.
    pub collectives: Passed,
    /// Threads have not contradicted each other about the order of synchronisations.
    pub is_in_order: bool,
    /// Ticks before which all hand-overs of locks and all waits for posts are known.
    pub settled: u64,
    /// All streams have ended.
    pub ended: bool,
}

/// Gets what threads do together, as soon as it is known. Call paths are common to all threads.
#[allow(unused_variables)]
pub trait Detector {
    /// A detector for a run of that number of threads, whose times are those of `clocks`.
    fn new(threads: usize, clocks: &Clocks) -> Self
    where
        Self: Sized;

    /// A thread has contributed this in a stretch of time; none of it is matched yet. A detector
    /// may take what it alone uses.
    fn batch(&mut self, thread: usize, batch: &mut Batch, paths: &CallPaths) {}

    /// All threads have left a synchronisation, to which the wait states are applied next.
    fn instance(&mut self, instance: &Instance) {}

    /// A wait state, by its place in [`wait_states::patterns::PATTERNS`], has attributed lost time
    /// in the instance or the hand-over at hand, which is about operations of a class.
    fn attributed(&mut self, pattern: usize, attribution: &Attribution, class: Class) {}

    /// All wait states were applied to the instance.
    fn judged(&mut self, instance: &Instance) {}

    /// A lock went from one thread to another; all wait states were applied.
    fn handover(&mut self, handover: &LockHandover) {}

    /// A wait for a post has ended, and all wait states were applied; or a post may end one.
    fn posting(&mut self, posting: &Posting) {}

    /// A thread has waited for its own transfers, and all wait states were applied.
    fn completion(&mut self, thread: ThreadId, completion: &Completion) {}

    /// A processor was idle, and all wait states were applied; or a post may end such a period.
    fn idle(&mut self, told: &tasks::Told) {}

    /// A thread took a lock before the owner gave it back, by their clocks.
    fn early_take(&mut self, take: &EarlyTake) {}

    /// Everything in this stretch of time that is complete was handed over.
    fn advance(&mut self, progress: &Progress, paths: &CallPaths) {}
}

macro_rules! detectors {
    ($($name:ident: $kind:ty),* $(,)?) => {
        /// All detectors, by name.
        #[derive(Debug)]
        pub struct Detectors {
            /// Wait-state patterns, whose attributions the other detectors get.
            pub wait_states: WaitStates,
            $(
                /// The detector that the list at the end of this module has under this name.
                pub $name: $kind,
            )*
        }

        impl Detectors {
            pub(crate) fn new(threads: usize, clocks: &Clocks) -> Self {
                Detectors {
                    wait_states: WaitStates::new(threads, clocks),
                    $($name: Detector::new(threads, clocks),)*
                }
            }

            pub(crate) fn batch(&mut self, thread: usize, batch: &mut Batch, paths: &CallPaths) {
                $(self.$name.batch(thread, batch, paths);)*
            }

            pub(crate) fn instance(&mut self, instance: &Instance) {
                $(self.$name.instance(instance);)*
                self.wait_states.instance(instance, |pattern, attribution, class| {
                    $(self.$name.attributed(pattern, attribution, class);)*
                });
                $(self.$name.judged(instance);)*
            }

            pub(crate) fn handover(&mut self, handover: &LockHandover) {
                self.wait_states.handover(handover, |pattern, attribution, class| {
                    $(self.$name.attributed(pattern, attribution, class);)*
                });
                $(self.$name.handover(handover);)*
            }

            pub(crate) fn posting(&mut self, posting: &Posting) {
                if let Posting::Awaited(awaited) = posting {
                    self.wait_states.awaited(awaited, |pattern, attribution, class| {
                        $(self.$name.attributed(pattern, attribution, class);)*
                    });
                }
                $(self.$name.posting(posting);)*
            }

            pub(crate) fn completion(&mut self, thread: ThreadId, completion: &Completion) {
                self.wait_states.completion(thread, completion, |pattern, attribution, class| {
                    $(self.$name.attributed(pattern, attribution, class);)*
                });
                $(self.$name.completion(thread, completion);)*
            }

            pub(crate) fn idle(&mut self, told: &tasks::Told) {
                if let tasks::Told::Idle(period) = told {
                    self.wait_states.idle(period, |pattern, attribution, class| {
                        $(self.$name.attributed(pattern, attribution, class);)*
                    });
                }
                $(self.$name.idle(told);)*
            }

            pub(crate) fn early_take(&mut self, take: &EarlyTake) {
                $(self.$name.early_take(take);)*
            }

            pub(crate) fn advance(&mut self, progress: &Progress, paths: &CallPaths) {
                $(self.$name.advance(progress, paths);)*
            }
        }
    };
}

// In the order in which they get everything. The last one takes the steps of each thread.
detectors! {
    agreement: agreement::Agreement,
    clock_violations: clock_violations::ClockViolations,
    sync_necessity: sync_necessity::SyncNecessity,
    lengths: lengths::OperationLengths,
    iterations: iterations::Iterations,
    delay: delay::Delay,
}
