//! Wait states: applies every pattern to each instance as soon as all threads have left it, and
//! sums up what each thread lost.

pub mod application;
pub mod attribution;
mod completion;
pub mod patterns;
pub mod root_causes;
pub mod severities;

use pgas_earl::{Awaited, Completion, LockHandover};
use pgas_trace::Clocks;
use pgas_trace::model::ThreadId;

use crate::detectors::tasks::idle::IdlePeriod;
use crate::model::time_class::Class;
use crate::threads::batch::Instance;
use application::Patterns;
use attribution::Attribution;
use severities::Severities;

/// Applies the patterns, and keeps what they found.
#[derive(Debug)]
pub struct WaitStates {
    severities: Severities,
    patterns: Patterns,
}

impl WaitStates {
    /// No wait states yet, for a run of that number of threads.
    pub fn new(threads: usize, clocks: &Clocks) -> Self {
        WaitStates {
            severities: Severities::new(threads, clocks.clone()),
            patterns: Patterns::new(clocks.clone()),
        }
    }

    /// Time lost by pattern, call path and thread so far.
    pub fn severities(&self) -> &Severities {
        &self.severities
    }

    pub(crate) fn severities_mut(&mut self) -> &mut Severities {
        &mut self.severities
    }

    /// Applies the patterns to a synchronisation. `tell` gets what each of them attributes.
    pub(crate) fn instance(
        &mut self,
        instance: &Instance,
        mut tell: impl FnMut(usize, &Attribution, Class),
    ) {
        let severities = &mut self.severities;
        self.patterns
            .synchronisation(&instance.event, |pattern, attribution, class| {
                severities.add(pattern, attribution);
                tell(pattern, attribution, class);
            });
    }

    /// Applies the patterns to the hand-over of a lock.
    pub(crate) fn handover(
        &mut self,
        handover: &LockHandover,
        mut tell: impl FnMut(usize, &Attribution, Class),
    ) {
        let severities = &mut self.severities;
        self.patterns
            .handover(handover, |pattern, attribution, class| {
                severities.add(pattern, attribution);
                tell(pattern, attribution, class);
            });
    }

    /// Applies the patterns to a wait for a post.
    pub(crate) fn awaited(
        &mut self,
        awaited: &Awaited,
        mut tell: impl FnMut(usize, &Attribution, Class),
    ) {
        let severities = &mut self.severities;
        self.patterns
            .awaited(awaited, |pattern, attribution, class| {
                severities.add(pattern, attribution);
                tell(pattern, attribution, class);
            });
    }

    /// Applies the patterns to an idle period of a processor.
    pub(crate) fn idle(
        &mut self,
        period: &IdlePeriod,
        mut tell: impl FnMut(usize, &Attribution, Class),
    ) {
        let severities = &mut self.severities;
        self.patterns.idle(period, |pattern, attribution, class| {
            severities.add(pattern, attribution);
            tell(pattern, attribution, class);
        });
    }

    /// Applies the patterns to a wait of a thread for its own transfers.
    pub(crate) fn completion(
        &mut self,
        thread: ThreadId,
        completion: &Completion,
        mut tell: impl FnMut(usize, &Attribution, Class),
    ) {
        let severities = &mut self.severities;
        self.patterns
            .completion(thread, completion, |pattern, attribution, class| {
                severities.add(pattern, attribution);
                tell(pattern, attribution, class);
            });
    }
}
