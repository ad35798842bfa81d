//! Effects before their causes, by clocks of different nodes: a thread left a barrier before the
//! last one came, or took a lock before it was given back. They show by how much the clocks are
//! wrong at least.

use pgas_earl::{BarrierInstance, CollectiveInstance, EarlyTake, SyncEvent};
use pgas_trace::Clocks;
use pgas_trace::model::{Operation, SyncMode, ThreadId};

use super::Detector;
use crate::threads::batch::Instance;

/// A thread and a time in ticks.
pub type Moment = (ThreadId, u64);

/// How often effects came before their causes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Violations {
    /// Exits of barriers before the last thread's arrival.
    pub barriers: u64,
    /// Exits of collective operations in which all wait for all, before the last thread's entry.
    pub collectives: u64,
    /// Locks that were taken before the owner gave them back.
    pub locks: u64,
    /// How many of these are by more than the clocks' uncertainty.
    pub unexplained: u64,
    /// The largest one in ticks, and when it was.
    pub worst: Option<(u64, u64)>,
}

/// Looks for violations where threads have several clocks.
#[derive(Debug)]
pub struct ClockViolations {
    clocks: Clocks,
    found: Violations,
}

impl ClockViolations {
    /// Violations among the events that were matched so far.
    pub fn found(&self) -> &Violations {
        &self.found
    }
}

impl Detector for ClockViolations {
    fn new(_threads: usize, clocks: &Clocks) -> Self {
        ClockViolations {
            clocks: clocks.clone(),
            found: Violations::default(),
        }
    }

    fn instance(&mut self, instance: &Instance) {
        if self.clocks.are_one() {
            return;
        }
        match &instance.event {
            SyncEvent::Barrier(barrier) => self.found.barrier(barrier, &self.clocks),
            SyncEvent::Collective(instance) => self.found.collective(instance, &self.clocks),
            SyncEvent::Disagreement(_) => {}
        }
    }

    fn early_take(&mut self, take: &EarlyTake) {
        self.found.lock(take, &self.clocks);
    }
}

impl Violations {
    /// Looks at a barrier that all threads have left.
    pub fn barrier(&mut self, barrier: &BarrierInstance, clocks: &Clocks) {
        let cause = barrier.last_arrival();
        for (thread, member) in barrier.members.iter().enumerate() {
            let effect = (thread as ThreadId, member.span.end);
            self.barriers += self.compare(cause, effect, clocks);
        }
    }

    /// Looks at a collective operation that all threads have left.
    pub fn collective(&mut self, collective: &CollectiveInstance, clocks: &Clocks) {
        // In other modes a thread may leave as soon as its own part is done.
        let all_wait_for_all = collective.sync_in == SyncMode::All
            || collective.sync_out == SyncMode::All
            || collective.operation == Operation::CollectiveExit;
        if !all_wait_for_all {
            return;
        }
        let cause = collective.last_enter();
        for (thread, member) in collective.members.iter().enumerate() {
            let effect = (thread as ThreadId, member.span.end);
            self.collectives += self.compare(cause, effect, clocks);
        }
    }

    /// Looks at a lock that was taken early.
    pub fn lock(&mut self, take: &EarlyTake, clocks: &Clocks) {
        self.locks += self.compare(take.release, take.acquisition, clocks);
    }

    /// 1 if the effect comes before its cause, which happened on another node.
    fn compare(&mut self, cause: Moment, effect: Moment, clocks: &Clocks) -> u64 {
        let early = cause.1.saturating_sub(effect.1);
        if early == 0 || clocks.node_of(cause.0) == clocks.node_of(effect.0) {
            return 0;
        }
        if early as f64 > clocks.uncertainty_between(cause.0, effect.0, cause.1) {
            self.unexplained += 1;
        }
        if self.worst.is_none_or(|(worst, _)| early > worst) {
            self.worst = Some((early, effect.1));
        }
        1
    }
}
