//! Collects, for each stretch of time, what the replay has to know of it.

use pgas_earl::{CollectiveInstance, LockHandover, Matched, PathId, Posting, SyncEvent};
use pgas_trace::Clocks;
use pgas_trace::model::{Operation, SyncMode, ThreadId};

use super::{CriticalPath, PathClass, Places, Replay, Savings, Turn, Wait};
use crate::detectors::tasks::Told;
use crate::detectors::wait_states::attribution::Attribution;
use crate::detectors::wait_states::patterns::{Formula, PATTERNS};
use crate::detectors::wait_states::severities::Severities;
use crate::detectors::{Detector, Progress};
use crate::model::paths::CallPaths;
use crate::model::time_class::Class;
use crate::threads::batch::{Batch, Instance};

/// Collects the input of the replay.
#[derive(Debug)]
pub struct Delay {
    /// Of the stretch that is being matched.
    turn: Turn,
    /// Waits in the current event: each with the thread that waited and the one it waited for.
    waits: Vec<Wait>,
    /// Call paths that the replay knows.
    classified: usize,
    forced_steps: u64,
}

impl Delay {
    /// Begins with a stretch of time; `turn` is an empty one.
    pub(crate) fn begin(&mut self, turn: Turn) {
        self.turn = turn;
    }

    /// The next stretch to replay.
    pub(crate) fn take_turn(&mut self) -> Turn {
        std::mem::take(&mut self.turn)
    }

    /// Takes the results of the replay of all turns. Returns the critical path, and by how many
    /// ticks the run would be shorter without each loss.
    pub(crate) fn conclude(
        &mut self,
        replay: Replay,
        severities: &mut Severities,
    ) -> (CriticalPath, Savings) {
        self.forced_steps = replay.forced();
        let (path, savings, causes) = replay.finish();
        for ((pattern, at), causes) in causes {
            severities.blame(pattern, at, causes);
        }
        (path, savings)
    }

    /// Number of steps that were replayed before the steps that they depend on, since clocks
    /// contradict each other, or streams their ends.
    pub fn forced_steps(&self) -> u64 {
        self.forced_steps
    }
}

impl Detector for Delay {
    fn new(_threads: usize, _clocks: &Clocks) -> Self {
        Delay {
            turn: Turn::default(),
            waits: Vec::new(),
            classified: 0,
            forced_steps: 0,
        }
    }

    fn batch(&mut self, thread: usize, batch: &mut Batch, _paths: &CallPaths) {
        self.turn.steps(thread as ThreadId, &mut batch.steps);
    }

    fn attributed(&mut self, pattern: usize, attribution: &Attribution, _class: Class) {
        let pattern_is_idle = matches!(PATTERNS[pattern].formula, Formula::Idle(_));
        if !PATTERNS[pattern].waits_for_one() && !pattern_is_idle {
            return;
        }
        let waits = attribution.charges().iter().filter_map(|charge| {
            Some(Wait {
                thread: charge.thread,
                late: charge.against?,
                pattern,
                path: charge.path,
                begin: charge.begin,
                end: charge.end,
                ticks: charge.ticks,
                spent: (charge.path, charge.ticks),
            })
        });
        self.waits.extend(waits);
    }

    fn judged(&mut self, instance: &Instance) {
        let (id, together) = match &instance.event {
            SyncEvent::Barrier(barrier) => {
                let (_, together) = barrier.last_arrival();
                ((Matched::Barrier, barrier.number), Some(together))
            }
            SyncEvent::Collective(instance) => {
                let together = nobody_leaves_early(instance).then(|| instance.last_enter().1);
                ((Matched::Collective, instance.number), together)
            }
            SyncEvent::Disagreement(_) => return,
        };
        let places = Places::of(instance.members().map(|(path, _)| path));
        self.turn.judge(id, &self.waits, together, places);
        self.waits.clear();
    }

    fn handover(&mut self, handover: &LockHandover) {
        self.turn.handover(handover, self.waits.pop());
        self.waits.clear();
    }

    fn posting(&mut self, posting: &Posting) {
        match *posting {
            Posting::Awaited(awaited) => {
                self.turn.awaited(awaited, self.waits.pop());
                self.waits.clear();
            }
            Posting::Kept(post) => self.turn.want(post),
            Posting::Dropped(post) => self.turn.drop_post(post),
        }
    }

    fn idle(&mut self, told: &Told) {
        match *told {
            Told::Idle(period) => {
                self.turn.idle(period, self.waits.pop());
                self.waits.clear();
            }
            Told::Kept(post) => self.turn.want(post),
            Told::Dropped(post) => self.turn.drop_post(post),
        }
    }

    fn advance(&mut self, progress: &Progress, paths: &CallPaths) {
        for number in self.classified..paths.len() {
            let operation = paths.operation(PathId(number as u32));
            self.turn.learn(match Class::of(operation) {
                Class::Computation => PathClass::Computation,
                Class::Barrier => PathClass::Barrier,
                _ => PathClass::Other,
            });
        }
        self.classified = paths.len();
        self.turn.end(progress);
    }
}

/// Whether every thread was in the operation when the last one came.
fn nobody_leaves_early(instance: &CollectiveInstance) -> bool {
    if instance.operation == Operation::CollectiveExit {
        return !instance.members.iter().any(|m| m.contains_barrier);
    }
    let all_to_all = matches!(
        instance.operation,
        Operation::GatherAll | Operation::Exchange
    );
    instance.sync_in == SyncMode::All
        || instance.sync_out == SyncMode::All
        || (all_to_all && instance.sync_in == SyncMode::Mine)
}
