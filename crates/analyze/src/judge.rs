//! Matches what the threads contribute to compound events and applies every pattern to each as soon as it is
//! complete; then the event is forgotten.

use pgas_earl::{
    BarrierInstance, BarrierRecord, CollectiveInstance, CollectiveRecord, Disagreement,
    LockHandover, Matched, Numbered, Ownership, PathId, SyncCount, SyncEvent, SyncQueue,
    SyncRecord, Unmatched, ValueGroup,
};
use pgas_trace::model::{Operation, SyncMode, ThreadId};
use pgas_trace::Clocks;

use crate::causality::Violations;
use crate::claims::Claims;
use crate::class::Class;
use crate::ledger::Ledger;
use crate::paths::CallPaths;
use crate::patterns::{Formula, PATTERNS};
use crate::phases::{Passed, Phases};
use crate::reading::{Batch, Instance, LockRecord};
use crate::replay::{CriticalPath, Decided, PathClass, Places, Replay, Savings, Turn, Wait};
use crate::surroundings::{Epochs, Surroundings};

/// A barrier to which threads gave different values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// How many barriers there are like that; the rest is about the first.
    pub count: u64,
    /// Its number, from 0.
    pub number: u64,
    pub groups: Vec<ValueGroup>,
}

/// Compound events of all threads, and what the patterns found in them.
#[derive(Debug)]
pub struct Judge {
    paths: CallPaths,
    synchronisations: SyncQueue<Epochs>,
    ownership: Ownership,
    books: Books,
    instance: Instance,
    disagreement: Option<Disagreement>,
    contradiction: Option<Contradiction>,
    clocks: Clocks,
    violations: Violations,
    surroundings: Surroundings,
    forced_steps: u64,
    /// Call paths that the replay knows.
    classified: usize,
}

/// What applying patterns needs.
#[derive(Debug)]
struct Books {
    ledger: Ledger,
    claims: Claims,
    /// Who waited for whom in the event that is being judged.
    waits: Vec<Wait>,
    /// What the replay is told of the stretch that is being judged.
    turn: Turn,
    phases: Phases,
}

impl Judge {
    pub fn new(threads: usize, clocks: &Clocks) -> Self {
        Judge {
            paths: CallPaths::new(threads),
            synchronisations: SyncQueue::new(threads),
            ownership: Ownership::new(clocks.clone()),
            books: Books {
                ledger: Ledger::new(threads, clocks.clone()),
                claims: Claims::default(),
                waits: Vec::new(),
                turn: Turn::default(),
                phases: Phases::new(threads),
            },
            instance: Instance::default(),
            disagreement: None,
            contradiction: None,
            clocks: clocks.clone(),
            violations: Violations::default(),
            surroundings: Surroundings::new(threads),
            forced_steps: 0,
            classified: 0,
        }
    }

    /// Takes what the threads have contributed; the batches are empty afterwards. No thread can add an event before
    /// `safe` (ticks; `None`: all streams have ended). Returns what is to be replayed next; `turn` is an empty one.
    pub fn take(&mut self, batches: &mut [Batch], safe: Option<u64>, turn: Turn) -> Turn {
        self.books.turn = turn;
        for (thread, batch) in batches.iter_mut().enumerate() {
            self.paths.learn(thread, &mut batch.discovered);
            let id = thread as ThreadId;
            for mut next in batch.synchronisations.drain(..) {
                if let Numbered::Record(record, _) = &mut next {
                    self.paths.translate_synchronisation(thread, record);
                    if let SyncRecord::Collective(record) = record {
                        self.books.phases.collective_record(thread, record);
                    }
                }
                self.synchronisations.push(id, next);
            }
            self.books
                .phases
                .marks(thread, &mut batch.marks, &self.paths);
            batch.steps.translate(thread, &self.paths);
            self.books.phases.steps(thread, &batch.steps);
            self.books.turn.steps(id, &mut batch.steps);
            if std::mem::take(&mut batch.numbers_end) {
                self.synchronisations.end(id);
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
        while self.synchronisations.pop(&mut self.instance) {
            self.surroundings.instance(&self.instance);
            let position = self.instance.position;
            match &self.instance.event {
                SyncEvent::Barrier(barrier) => {
                    if barrier.is_contradictory() {
                        let first = self.contradiction.get_or_insert_with(|| Contradiction {
                            count: 0,
                            number: barrier.number,
                            groups: barrier.by_value(),
                        });
                        first.count += 1;
                    }
                    if !self.clocks.are_one() {
                        self.violations.barrier(barrier, &self.clocks);
                    }
                    self.books.phases.barrier(position, barrier);
                    self.books.barrier(barrier);
                }
                SyncEvent::Collective(instance) => {
                    if !self.clocks.are_one() {
                        self.violations.collective(instance, &self.clocks);
                    }
                    self.books.phases.collective(position, instance);
                    self.books.collective(instance);
                }
                SyncEvent::Disagreement(found) => {
                    self.disagreement = Some(found.clone());
                    self.books.phases.gap();
                }
            }
        }
        if !self.synchronisations.is_in_order() {
            self.surroundings.contradict();
        }
        let books = &mut self.books;
        self.ownership
            .advance(safe, |handover| books.handover(&handover));
        for take in self.ownership.take_early() {
            self.violations.lock(&take, &self.clocks);
        }
        let horizon = self.ownership.horizon();
        let queue = &self.synchronisations;
        let passed = |kind| Passed {
            count: queue.completed(kind),
            exhausted: queue.is_exhausted(kind),
        };
        let (barriers, collectives) = (passed(Matched::Barrier), passed(Matched::Collective));
        let is_over = !queue.is_in_order() || barriers.exhausted;
        let phases = &mut self.books.phases;
        phases.advance(horizon, is_over, &self.paths);
        phases.settle(horizon, barriers, collectives);
        let decided = |passed: Passed| Decided {
            number: passed.count,
            exhausted: passed.exhausted,
        };
        let mut turn = std::mem::take(&mut self.books.turn);
        for number in self.classified..self.paths.len() {
            let operation = self.paths.operation(PathId(number as u32));
            turn.learn(match Class::of(operation) {
                Class::Computation => PathClass::Computation,
                Class::Barrier => PathClass::Barrier,
                _ => PathClass::Other,
            });
        }
        self.classified = self.paths.len();
        let ended = safe.is_none();
        turn.end(decided(barriers), decided(collectives), horizon, ended);
        turn
    }

    /// Takes what the replay of all turns has found. Returns the critical path, and what the run would be shorter by
    /// without each loss.
    pub fn conclude(&mut self, replay: Replay) -> (CriticalPath, Savings) {
        self.forced_steps = replay.forced();
        let (path, savings, causes) = replay.finish();
        for ((pattern, at), causes) in causes {
            self.books.ledger.blame(pattern, at, causes);
        }
        (path, savings)
    }

    /// How many steps were replayed before what they depend on, since clocks contradict each other, or streams their ends.
    pub fn forced_steps(&self) -> u64 {
        self.forced_steps
    }

    pub fn paths(&self) -> &CallPaths {
        &self.paths
    }

    /// For call paths that no event has.
    pub fn paths_mut(&mut self) -> &mut CallPaths {
        &mut self.paths
    }

    pub fn phases(&self) -> &Phases {
        &self.books.phases
    }

    pub fn ledger(&self) -> &Ledger {
        &self.books.ledger
    }

    pub fn disagreement(&self) -> Option<&Disagreement> {
        self.disagreement.as_ref()
    }

    pub fn contradiction(&self) -> Option<&Contradiction> {
        self.contradiction.as_ref()
    }

    /// By thread: how many barriers and collective operations it has left.
    pub fn reached(&self) -> &[SyncCount] {
        self.synchronisations.reached()
    }

    /// Clocks of the threads.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Effects that by the clocks of different nodes came before their causes.
    pub fn violations(&self) -> &Violations {
        &self.violations
    }

    /// What surrounds barriers and collective operations.
    pub fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    pub fn ownership(&self) -> &Ownership {
        &self.ownership
    }

    /// Synchronisations of a kind that every thread has left.
    pub fn completed(&self, kind: Matched) -> u64 {
        self.synchronisations.completed(kind)
    }

    /// Synchronisations of a kind that some threads recorded, while recording was off on others.
    pub fn partial(&self, kind: Matched) -> Unmatched {
        self.synchronisations.partial(kind)
    }

    /// By thread: synchronisations of a kind that it left and others never reached.
    pub fn unmatched(&self, kind: Matched) -> Vec<Unmatched> {
        self.synchronisations.unmatched(kind).collect()
    }
}

impl Books {
    fn barrier(&mut self, barrier: &BarrierInstance) {
        self.judge_barrier(barrier);
        let (_, together) = barrier.last_arrival();
        let places = Places::of(barrier.members.iter().map(|member| member.path));
        self.hand_on((Matched::Barrier, barrier.number), Some(together), places);
    }

    /// Tells the replay who waited at an instance. `together` is when the last thread came, in ticks, if nobody could
    /// leave before; `places` are the call paths of the operation.
    fn hand_on(&mut self, instance: (Matched, u64), together: Option<u64>, places: Places) {
        self.turn.judge(instance, &self.waits, together, places);
        self.waits.clear();
    }

    fn judge_barrier(&mut self, barrier: &BarrierInstance) {
        self.claims.clear();
        for (thread, member) in barrier.members.iter().enumerate() {
            self.claims.member(
                thread as ThreadId,
                member.path,
                member.span,
                &member.nested,
                &member.no_core,
            );
        }
        self.apply(Class::Barrier, |formula, claims| {
            if let Formula::Barrier(judge) = formula {
                judge(barrier, claims);
            }
        });
    }

    fn collective(&mut self, instance: &CollectiveInstance) {
        if instance.operation == Operation::CollectiveExit {
            return self.end_of_program(instance);
        }
        self.claims.clear();
        for (thread, member) in instance.members.iter().enumerate() {
            self.claims.member(
                thread as ThreadId,
                member.path,
                member.span,
                &member.nested,
                &member.no_core,
            );
        }
        let allocation = pgas_earl::operation::is_collective_allocation(instance.operation);
        let class = Class::of(Some(instance.operation));
        self.apply(class, |formula, claims| match formula {
            Formula::Collective(judge) if !allocation => judge(instance, claims),
            Formula::Allocation(judge) if allocation => judge(instance, claims),
            _ => {}
        });
        let together = nobody_leaves_early(instance).then(|| instance.last_enter().1);
        let places = Places::of(instance.members.iter().map(|member| member.path));
        self.hand_on((Matched::Collective, instance.number), together, places);
    }

    /// The end of the program is a barrier, unless the runtime reported the barrier that it holds by itself.
    fn end_of_program(&mut self, instance: &CollectiveInstance) {
        let number = instance.number;
        let places = Places::of(instance.members.iter().map(|member| member.path));
        if instance.members.iter().any(|m| m.contains_barrier) {
            return self.hand_on((Matched::Collective, number), None, places);
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
        self.judge_barrier(&barrier);
        let (_, together) = barrier.last_arrival();
        self.hand_on((Matched::Collective, number), Some(together), places);
    }

    fn handover(&mut self, handover: &LockHandover) {
        self.judge_handover(handover);
        self.turn.handover(handover, self.waits.pop());
        self.waits.clear();
    }

    fn judge_handover(&mut self, handover: &LockHandover) {
        let acquisition = &handover.acquisition;
        if acquisition.attempt {
            return;
        }
        self.claims.clear();
        self.claims.member(
            handover.thread,
            acquisition.path,
            acquisition.span,
            &acquisition.nested,
            &acquisition.no_core,
        );
        self.apply(Class::Lock, |formula, claims| {
            if let Formula::Lock(judge) = formula {
                judge(handover, claims);
            }
        });
    }

    /// Applies the patterns to an event, which is about operations of this class.
    fn apply(&mut self, class: Class, judge: impl Fn(Formula, &mut Claims)) {
        for (number, pattern) in PATTERNS.iter().enumerate() {
            self.claims.next_pattern();
            match pattern.formula {
                Formula::Any(judge) => judge(&mut self.claims),
                formula => judge(formula, &mut self.claims),
            }
            if self.claims.charges().is_empty() {
                continue;
            }
            self.ledger.book(number, &self.claims);
            self.phases.charged(number, &self.claims, class);
            if pattern.waits_for_one() {
                let waits = self.claims.charges().iter().filter_map(|charge| {
                    Some(Wait {
                        thread: charge.thread,
                        late: charge.against?,
                        pattern: number,
                        path: charge.path,
                        begin: charge.begin,
                        end: charge.end,
                        ticks: charge.ticks,
                    })
                });
                self.waits.extend(waits);
            }
        }
    }
}

/// Whether every thread was in the operation when the last one came.
fn nobody_leaves_early(instance: &CollectiveInstance) -> bool {
    let all_to_all = matches!(
        instance.operation,
        Operation::GatherAll | Operation::Exchange
    );
    instance.sync_in == SyncMode::All
        || instance.sync_out == SyncMode::All
        || (all_to_all && instance.sync_in == SyncMode::Mine)
}
