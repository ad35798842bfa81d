//! A step in which the thread waited: what of its time was waiting, why, and from where its chain
//! goes on.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;

use super::comparison::Delayed;
use super::stretches::StretchId;
use super::{Replay, Wait};
use crate::model::steps::{Step, StepKind};

impl Replay {
    /// The thread did something, for which it needed nobody.
    fn spend(&mut self, thread: ThreadId, begin: u64, end: u64) {
        self.what_if.spend(thread, &self.activity);
        let lane = &mut self.lanes[thread as usize];
        let work = self.activity.iter().copied();
        lane.history.push((begin, end), work, 0, &[]);
        if let Some(tip) = lane.tip {
            self.forest.spend(tip, &self.activity);
        }
    }

    /// The thread was in an operation in which it waited.
    pub(super) fn wait(&mut self, thread: ThreadId, begin: u64, step: Step, waits: &[Wait]) {
        self.roots.clear();
        for wait in waits {
            self.blame(step, wait);
            self.roots.extend_from_slice(self.comparison.roots());
        }
        // The one that came last decided when the thread could go on.
        let Some(last) = waits.iter().max_by_key(|wait| wait.end) else {
            return;
        };
        let end = last.end.min(step.time);
        if end <= begin {
            // It waited before an operation within this one; what came since is not this wait's.
            return self.spend(thread, begin, step.time);
        }
        let waited: u64 = waits.iter().map(|wait| wait.spent.1).sum();
        let waited = self.split(last.spent.0, step.time - end, waited);
        self.gain_waiting(thread, (end, waited), step, waits);
        let lane = &mut self.lanes[thread as usize];
        let work = self.activity.iter().copied();
        lane.history.push((begin, end), work, waited, &self.roots);
        let after = self.after.iter().copied();
        lane.history.push((end, step.time), after, 0, &[]);
        let from = self.stretch_of(step, last);
        let lane = &mut self.lanes[thread as usize];
        if let Some(tip) = lane.tip.as_mut() {
            if let Some(from) = from {
                *tip = self.forest.follow(*tip, from);
            } else {
                self.forest.spend(*tip, &self.activity);
            }
            self.forest.spend(*tip, &self.after);
        }
    }

    /// Splits the activity in an operation: the last `after` ticks are moved away, and up to
    /// `waited` ticks of waiting, which are all at `path`, are taken from what is before.
    /// Returns how many were.
    fn split(&mut self, path: PathId, after: u64, waited: u64) -> u64 {
        self.after.clear();
        let own = self.activity.iter_mut().find(|(other, _)| *other == path);
        let mut left = after;
        let mut taken = 0;
        if let Some((_, ticks)) = own {
            let behind = ticks.saturating_sub(waited).min(left);
            taken = waited.min(*ticks - behind);
            *ticks -= behind + taken;
            left -= behind;
            self.after.push((path, behind));
        }
        // The rest of the time after the wait: regions inside of the operation, the last ones
        // first.
        for (path, ticks) in self.activity.iter_mut().rev() {
            let behind = (*ticks).min(left);
            *ticks -= behind;
            left -= behind;
            if behind > 0 {
                self.after.push((*path, behind));
            }
        }
        taken
    }

    /// Where the chain of the thread was that was waited for.
    fn stretch_of(&mut self, step: Step, wait: &Wait) -> Option<StretchId> {
        match step.kind {
            StepKind::Leave(matched, number) => {
                let instance = self.instances(matched).get(number);
                instance.arrived.get(wait.late)
            }
            StepKind::Acquired { number, lock, .. } => {
                let handover = self.lanes[wait.thread as usize].handovers.get(number)?;
                let mut before = self.holders.before(lock, handover.previous);
                before.next()?.stretch
            }
            StepKind::Awaited { number } => {
                let awaited = self.lanes[wait.thread as usize].awaited.get(number)?;
                let (other, post) = awaited.previous;
                self.lanes[other as usize].posts.get(post)?.stretch
            }
            _ => None,
        }
    }

    /// Finds the root causes of a wait, and notes them.
    fn blame(&mut self, step: Step, wait: &Wait) {
        let lanes = &self.lanes;
        let history = |thread: ThreadId| &lanes[thread as usize].history;
        let own = &lanes[wait.thread as usize];
        match step.kind {
            StepKind::Acquired { number, lock, .. } => {
                let Some(handover) = own.handovers.get(number) else {
                    return;
                };
                let holders = self.holders.before(lock, handover.previous);
                let span = (wait.begin, wait.end, wait.ticks);
                self.comparison.hold(span, holders, history);
            }
            _ => {
                let other = &lanes[wait.late as usize].together;
                let latest = own.together.latest(wait.thread, other, wait.late);
                let delayed = Delayed {
                    waiting: wait.thread,
                    late: wait.late,
                    since: latest.unwrap_or(0).max(own.history.since()),
                    begin: wait.begin,
                    end: wait.end,
                    ticks: wait.ticks,
                };
                self.comparison.compare(delayed, history);
            }
        }
        let (direct, passed_on) = (self.comparison.direct(), self.comparison.passed_on());
        self.blames
            .add((wait.pattern, wait.path), direct, passed_on);
    }
}
