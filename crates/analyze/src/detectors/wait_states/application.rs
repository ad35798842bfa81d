//! Application of all patterns to one compound event, in their order.

use pgas_earl::operation::is_collective_allocation;
use pgas_earl::{
    Awaited, BarrierInstance, BarrierRecord, CollectiveInstance, CollectiveRecord, Completion,
    LockHandover, SyncEvent,
};
use pgas_trace::Clocks;
use pgas_trace::model::{Operation, ThreadId};

use super::attribution::Attribution;
use super::patterns::{Formula, PATTERNS};
use crate::detectors::tasks::idle::IdlePeriod;
use crate::model::time_class::Class;

/// The patterns, and the attribution that they share. Each method calls `tell` for every pattern
/// that finds lost time, with its place in [`PATTERNS`].
#[derive(Debug)]
pub struct Patterns {
    attribution: Attribution,
    clocks: Clocks,
}

impl Patterns {
    /// For threads with these clocks.
    pub fn new(clocks: Clocks) -> Self {
        Patterns {
            attribution: Attribution::default(),
            clocks,
        }
    }

    /// Applies them to a synchronisation.
    pub fn synchronisation(
        &mut self,
        event: &SyncEvent,
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
        match event {
            SyncEvent::Barrier(barrier) => self.barrier(barrier, tell),
            SyncEvent::Collective(instance) => self.collective(instance, tell),
            SyncEvent::Disagreement(_) => {}
        }
    }

    /// Applies them to a barrier.
    pub fn barrier(
        &mut self,
        barrier: &BarrierInstance,
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
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
        apply(&mut self.attribution, Class::Barrier, judge, tell);
    }

    /// Applies them to a collective operation or allocation, or to the end of the program.
    pub fn collective(
        &mut self,
        instance: &CollectiveInstance,
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
        if instance.operation == Operation::CollectiveExit {
            return self.end_of_program(instance, tell);
        }
        self.attribution.clear();
        for (thread, m) in instance.members.iter().enumerate() {
            let thread = thread as ThreadId;
            self.attribution
                .member(thread, m.path, m.span, &m.nested, &m.no_core);
        }
        let allocation = is_collective_allocation(instance.operation);
        let clocks = &self.clocks;
        let judge = |formula, attribution: &mut Attribution| match formula {
            Formula::Collective(judge) if !allocation => judge(instance, attribution),
            Formula::Allocation(judge) if allocation => judge(instance, clocks, attribution),
            _ => {}
        };
        apply(
            &mut self.attribution,
            Class::of(Some(instance.operation)),
            judge,
            tell,
        );
    }

    /// The end of the program is a barrier, unless the runtime reported the barrier that it holds
    /// by itself.
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

    /// Applies them to the hand-over of a lock.
    pub fn handover(
        &mut self,
        handover: &LockHandover,
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
        let own = &handover.acquisition;
        if own.attempt {
            return;
        }
        self.attribution.clear_for_some_threads();
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
        apply(&mut self.attribution, Class::Lock, judge, tell);
    }

    /// Applies them to a wait for a post.
    pub fn awaited(&mut self, awaited: &Awaited, tell: impl FnMut(usize, &Attribution, Class)) {
        let own = &awaited.wait;
        self.attribution.clear_for_some_threads();
        self.attribution.member(
            awaited.thread,
            own.path,
            own.span,
            &own.nested,
            &own.no_core,
        );
        let judge = |formula, attribution: &mut Attribution| {
            if let Formula::Post(operation, judge) = formula {
                if operation == own.operation {
                    judge(awaited, attribution);
                }
            }
        };
        let class = Class::of(Some(own.operation));
        apply(&mut self.attribution, class, judge, tell);
    }

    /// Applies them to an idle period of a processor. The first member of the attribution is the
    /// idle time itself, the second one the operation in which the task waited that ended it, of
    /// which the time is part in which others could have been helped.
    pub fn idle(&mut self, period: &IdlePeriod, tell: impl FnMut(usize, &Attribution, Class)) {
        let own = &period.wait;
        self.attribution.clear_for_some_threads();
        self.attribution
            .member(period.thread, own.path, own.span, &own.nested, &[]);
        if let Some(waited) = period.waited_in {
            let taken = [&own.nested[..], &period.others_ready[..]].concat();
            self.attribution
                .member(period.thread, waited.path, own.span, &taken, &[]);
        }
        let judge = |formula, attribution: &mut Attribution| {
            if let Formula::Idle(judge) = formula {
                judge(period, attribution);
            }
        };
        apply(&mut self.attribution, Class::Message, judge, tell);
    }

    /// Applies them to a wait of a thread for its own transfers.
    pub fn completion(
        &mut self,
        thread: ThreadId,
        own: &Completion,
        tell: impl FnMut(usize, &Attribution, Class),
    ) {
        self.attribution.clear_for_some_threads();
        self.attribution
            .member(thread, own.path, own.span, &own.nested, &own.no_core);
        let judge = |formula, attribution: &mut Attribution| {
            if let Formula::Completion(operation, judge) = formula {
                if operation == own.operation {
                    judge(own, attribution);
                }
            }
        };
        let class = Class::of(Some(own.operation));
        apply(&mut self.attribution, class, judge, tell);
    }
}

/// Applies all patterns to an event, which is about operations of this class.
fn apply(
    attribution: &mut Attribution,
    class: Class,
    judge: impl Fn(Formula, &mut Attribution),
    mut tell: impl FnMut(usize, &Attribution, Class),
) {
    for (number, pattern) in PATTERNS.iter().enumerate() {
        attribution.next_pattern();
        match pattern.formula {
            Formula::Any(judge) => judge(attribution),
            formula => judge(formula, attribution),
        }
        if !attribution.charges().is_empty() {
            tell(number, attribution, class);
        }
    }
}
