//! Matches what the threads contribute to compound events and applies every pattern to each as soon as it is
//! complete; then the event is forgotten.

use pgas_earl::{
    BarrierInstance, BarrierQueue, BarrierRecord, CollectiveInstance, CollectiveQueue,
    CollectiveRecord, Disagreement, LockHandover, Ownership, PathId, Unmatched,
};
use pgas_trace::model::{Operation, ThreadId};
use pgas_trace::Clocks;

use crate::causality::Violations;
use crate::causes::Comparison;
use crate::claims::Claims;
use crate::ledger::Ledger;
use crate::paths::CallPaths;
use crate::patterns::{Formula, PATTERNS};
use crate::reading::{Batch, LockRecord, Numbered};

/// A barrier to which two threads gave different values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contradiction {
    /// How many barriers there are like that; the rest is about the first.
    pub count: u64,
    pub threads: (ThreadId, ThreadId),
    pub paths: (PathId, PathId),
}

/// Compound events of all threads, and what the patterns found in them.
#[derive(Debug)]
pub struct Judge {
    paths: CallPaths,
    barriers: BarrierQueue,
    collectives: CollectiveQueue,
    ownership: Ownership,
    books: Books,
    barrier: BarrierInstance,
    disagreement: Option<Disagreement>,
    contradiction: Option<Contradiction>,
    clocks: Clocks,
    violations: Violations,
}

/// What applying patterns needs.
#[derive(Debug)]
struct Books {
    ledger: Ledger,
    claims: Claims,
    comparison: Comparison,
}

impl Judge {
    pub fn new(threads: usize, clocks: &Clocks) -> Self {
        Judge {
            paths: CallPaths::new(threads),
            barriers: BarrierQueue::new(threads),
            collectives: CollectiveQueue::new(threads),
            ownership: Ownership::new(clocks.clone()),
            books: Books {
                ledger: Ledger::new(threads, clocks.clone()),
                claims: Claims::default(),
                comparison: Comparison::default(),
            },
            barrier: BarrierInstance::default(),
            disagreement: None,
            contradiction: None,
            clocks: clocks.clone(),
            violations: Violations::default(),
        }
    }

    /// Takes what the threads have contributed; the batches are empty afterwards. No thread can add an event before
    /// `safe` (ticks; `None`: all streams have ended).
    pub fn take(&mut self, batches: &mut [Batch], safe: Option<u64>) {
        for (thread, batch) in batches.iter_mut().enumerate() {
            self.paths.learn(thread, &mut batch.discovered);
            let id = thread as ThreadId;
            for numbered in batch.barriers.drain(..) {
                match numbered {
                    Numbered::Record(mut record) => {
                        self.paths.translate_barrier(thread, &mut record);
                        self.barriers.push(id, record);
                    }
                    Numbered::Skipped(count) => self.barriers.skip(id, count),
                }
            }
            for numbered in batch.collectives.drain(..) {
                match numbered {
                    Numbered::Record(mut record) => {
                        self.paths.translate_collective(thread, &mut record);
                        self.collectives.push(id, record);
                    }
                    Numbered::Skipped(count) => self.collectives.skip(id, count),
                }
            }
            if std::mem::take(&mut batch.numbers_end) {
                self.barriers.end(id);
                self.collectives.end(id);
            }
            for record in batch.locks.drain(..) {
                match record {
                    LockRecord::Acquired(mut record) => {
                        self.paths.translate_acquisition(thread, &mut record);
                        self.ownership.acquired(id, record);
                    }
                    LockRecord::Released(mut record) => {
                        self.paths.translate_release(thread, &mut record);
                        self.ownership.released(id, record);
                    }
                }
            }
        }
        while self.barriers.pop(&mut self.barrier) {
            self.note_contradiction();
            if !self.clocks.are_one() {
                self.violations.barrier(&self.barrier, &self.clocks);
            }
            self.books.barrier(&self.barrier);
        }
        while let Some(instance) = self.collectives.pop() {
            match instance {
                Ok(instance) => {
                    if !self.clocks.are_one() {
                        self.violations.collective(&instance, &self.clocks);
                    }
                    self.books.collective(instance);
                }
                Err(disagreement) => self.disagreement = Some(disagreement),
            }
        }
        let books = &mut self.books;
        self.ownership
            .advance(safe, |handover| books.handover(&handover));
        for take in self.ownership.take_early() {
            self.violations.lock(&take, &self.clocks);
        }
    }

    fn note_contradiction(&mut self) {
        let Some((a, b)) = self.barrier.contradiction() else {
            return;
        };
        let path = |thread: ThreadId| self.barrier.members[thread as usize].path;
        let first = Contradiction {
            count: 0,
            threads: (a, b),
            paths: (path(a), path(b)),
        };
        self.contradiction.get_or_insert(first).count += 1;
    }

    pub fn paths(&self) -> &CallPaths {
        &self.paths
    }

    /// For call paths that no event has.
    pub fn paths_mut(&mut self) -> &mut CallPaths {
        &mut self.paths
    }

    pub fn ledger(&self) -> &Ledger {
        &self.books.ledger
    }

    pub fn disagreement(&self) -> Option<Disagreement> {
        self.disagreement
    }

    pub fn contradiction(&self) -> Option<Contradiction> {
        self.contradiction
    }

    /// Clocks of the threads.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Effects that by the clocks of different nodes came before their causes.
    pub fn violations(&self) -> &Violations {
        &self.violations
    }

    pub fn ownership(&self) -> &Ownership {
        &self.ownership
    }

    /// Barriers that every thread has left.
    pub fn barriers(&self) -> u64 {
        self.barriers.completed()
    }

    /// Collective operations that every thread has left.
    pub fn collectives(&self) -> u64 {
        self.collectives.completed()
    }

    /// Barriers that some threads recorded, while recording was off on others.
    pub fn partial_barriers(&self) -> Unmatched {
        self.barriers.partial()
    }

    /// Collective operations that some threads recorded, while recording was off on others.
    pub fn partial_collectives(&self) -> Unmatched {
        self.collectives.partial()
    }

    /// By thread: barriers that it left and others never reached.
    pub fn unmatched_barriers(&self) -> Vec<Unmatched> {
        self.barriers.unmatched().collect()
    }

    /// By thread: collective operations that it left and others never reached.
    pub fn unmatched_collectives(&self) -> Vec<Unmatched> {
        self.collectives.unmatched().collect()
    }
}

impl Books {
    fn barrier(&mut self, barrier: &BarrierInstance) {
        self.claims.clear();
        for (thread, member) in barrier.members.iter().enumerate() {
            self.claims
                .member(thread as ThreadId, member.path, member.span, &member.nested);
        }
        let activities = barrier.members.iter().map(|m| &*m.activity);
        self.apply(activities, |formula, claims| {
            if let Formula::Barrier(judge) = formula {
                judge(barrier, claims);
            }
        });
    }

    fn collective(&mut self, instance: CollectiveInstance) {
        if instance.operation == Operation::CollectiveExit {
            return self.end_of_program(instance);
        }
        self.claims.clear();
        for (thread, member) in instance.members.iter().enumerate() {
            self.claims
                .member(thread as ThreadId, member.path, member.span, &member.nested);
        }
        let allocation = pgas_earl::operation::is_collective_allocation(instance.operation);
        let activities = instance.members.iter().map(|m| &*m.activity);
        self.apply(activities, |formula, claims| match formula {
            Formula::Collective(judge) if !allocation => judge(&instance, claims),
            Formula::Allocation(judge) if allocation => judge(&instance, claims),
            _ => {}
        });
    }

    /// The end of the program is a barrier, unless the runtime reported the barrier that it holds by itself.
    fn end_of_program(&mut self, instance: CollectiveInstance) {
        if instance.members.iter().any(|m| m.contains_barrier) {
            return;
        }
        let as_barrier = |member: CollectiveRecord| BarrierRecord {
            path: member.path,
            span: member.span,
            notify: None,
            value: None,
            nested: member.nested,
            activity: member.activity,
        };
        let barrier = BarrierInstance {
            number: instance.number,
            members: instance.members.into_iter().map(as_barrier).collect(),
        };
        self.barrier(&barrier);
    }

    fn handover(&mut self, handover: &LockHandover) {
        let acquisition = &handover.acquisition;
        let Some(release) = handover.previous.filter(|_| !acquisition.attempt) else {
            return;
        };
        self.claims.clear();
        self.claims.member(
            handover.thread,
            acquisition.path,
            acquisition.span,
            &acquisition.nested,
        );
        for (number, pattern) in PATTERNS.iter().enumerate() {
            let Formula::Lock(judge) = pattern.formula else {
                continue;
            };
            self.claims.next_pattern();
            judge(handover, &mut self.claims);
            if !self.claims.charges().is_empty() {
                let cause = release.record.busiest;
                self.ledger.book(number, &self.claims, cause.as_slice());
            }
        }
    }

    /// Applies the patterns to an event in which all threads take part.
    fn apply<'a>(
        &mut self,
        activities: impl Iterator<Item = &'a [(PathId, u64)]> + Clone,
        judge: impl Fn(Formula, &mut Claims),
    ) {
        for (number, pattern) in PATTERNS.iter().enumerate() {
            self.claims.next_pattern();
            judge(pattern.formula, &mut self.claims);
            if self.claims.charges().is_empty() {
                continue;
            }
            let cause = match self.claims.culprit() {
                Some(late) if pattern.late_arrival => {
                    self.comparison.delays(late, activities.clone())
                }
                _ => &[],
            };
            self.ledger.book(number, &self.claims, cause);
        }
    }
}
