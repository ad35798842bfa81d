//! Wait states: applies every pattern to each instance as soon as all threads have left it, and sums up what each thread
//! lost.

pub mod attribution;
mod completion;
pub mod patterns;
pub mod severities;

use pgas_earl::operation::is_collective_allocation;
use pgas_earl::{
    BarrierInstance, BarrierRecord, CollectiveInstance, CollectiveRecord, LockHandover, SyncEvent,
};
use pgas_trace::model::{Operation, ThreadId};
use pgas_trace::Clocks;

use super::batch::Instance;
use crate::model::time_class::Class;
use attribution::Attribution;
use patterns::{Formula, PATTERNS};
use severities::Severities;

/// Applies the patterns, and keeps what they found.
#[derive(Debug)]
pub struct WaitStates {
    severities: Severities,
    attribution: Attribution,
}

impl WaitStates {
    pub fn new(threads: usize, clocks: &Clocks) -> Self {
        WaitStates {
            severities: Severities::new(threads, clocks.clone()),
            attribution: Attribution::default(),
        }
    }

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
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
        match &instance.event {
            SyncEvent::Barrier(barrier) => self.barrier(barrier, tell),
            SyncEvent::Collective(instance) => match instance.operation {
                Operation::CollectiveExit => self.end_of_program(instance, tell),
                _ => self.collective(instance, tell),
            },
            SyncEvent::Disagreement(_) => {}
        }
    }

    fn barrier(&mut self, barrier: &BarrierInstance, tell: impl FnMut(usize, &Attribution, Class)) {
        self.attribution.clear();
        for (thread, m) in barrier.members.iter().enumerate() {
            let thread = thread as ThreadId;
            self.attribution
                .member(thread, m.path, m.span, &m.nested, &m.no_core);
        }
        let judge = |formula, attribution: &mut Attribution| {
            if let Formula::Barrier(judge) = formula {
                judge(barrier, attribution);
            }
        };
        self.apply(Class::Barrier, judge, tell);
    }

    fn collective(
        &mut self,
        instance: &CollectiveInstance,
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
        self.attribution.clear();
        for (thread, m) in instance.members.iter().enumerate() {
            let thread = thread as ThreadId;
            self.attribution
                .member(thread, m.path, m.span, &m.nested, &m.no_core);
        }
        let allocation = is_collective_allocation(instance.operation);
        let judge = |formula, attribution: &mut Attribution| match formula {
            Formula::Collective(judge) if !allocation => judge(instance, attribution),
            Formula::Allocation(judge) if allocation => judge(instance, attribution),
            _ => {}
        };
        self.apply(Class::of(Some(instance.operation)), judge, tell);
    }

    /// The end of the program is a barrier, unless the runtime reported the barrier that it holds by itself.
    fn end_of_program(
        &mut self,
        instance: &CollectiveInstance,
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
        if instance.members.iter().any(|m| m.contains_barrier) {
            return;
        }
        let as_barrier = |member: &CollectiveRecord| BarrierRecord {
            path: member.path,
            span: member.span,
            notify: None,
            value: None,
            nested: member.nested.clone(),
            no_core: member.no_core.clone(),
        };
        let barrier = BarrierInstance {
            number: instance.number,
            members: instance.members.iter().map(as_barrier).collect(),
        };
        self.barrier(&barrier, tell);
    }

    /// Applies the patterns to the hand-over of a lock.
    pub(crate) fn handover(
        &mut self,
        handover: &LockHandover,
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
        let own = &handover.acquisition;
        if own.attempt {
            return;
        }
        self.attribution.clear();
        self.attribution.member(
            handover.thread,
            own.path,
            own.span,
            &own.nested,
            &own.no_core,
        );
        let judge = |formula, attribution: &mut Attribution| {
            if let Formula::Lock(judge) = formula {
                judge(handover, attribution);
            }
        };
        self.apply(Class::Lock, judge, tell);
    }

    /// Applies the patterns to an event, which is about operations of this class.
    fn apply(
        &mut self,
        class: Class,
        judge: impl Fn(Formula, &mut Attribution),
        mut tell: impl FnMut(usize, &Attribution, Class),
    ) {
        let attribution = &mut self.attribution;
        for (number, pattern) in PATTERNS.iter().enumerate() {
            attribution.next_pattern();
            match pattern.formula {
                Formula::Any(judge) => judge(attribution),
                formula => judge(formula, attribution),
            }
            if !attribution.charges().is_empty() {
                self.severities.add(number, attribution);
                tell(number, attribution, class);
            }
        }
    }
}
