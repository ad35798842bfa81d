//! Effects of each replayed step on the run without its losses ([`super::what_if`]).

use pgas_earl::{Matched, PathId};
use pgas_trace::model::ThreadId;

use super::instances::State;
use super::{Replay, Wait};
use crate::model::steps::{Step, StepKind};

impl Replay {
    /// A step in which the thread waited for nobody; `first` is the number of the first entry of
    /// its activity. It may depend on others nevertheless, and would have waited had it come
    /// earlier.
    pub(super) fn gain_alone(&mut self, thread: ThreadId, begin: u64, step: Step, first: usize) {
        let since = self.depends_since(thread, step);
        let since = since.filter(|&since| since <= step.time);
        if since.is_some_and(|since| since <= begin) {
            self.depend(thread, step, (begin, begin), &[]);
        }
        let lane = &self.lanes[thread as usize];
        self.what_if.spend(thread, &lane.activity[first..lane.next]);
        if since.is_some_and(|since| since > begin) {
            self.depend(thread, step, (step.time, step.time), &[]);
        }
    }

    /// A step in which the thread waited for `waited` ticks until `end`; its activity before and
    /// after that is kept apart.
    pub(super) fn gain_waiting(
        &mut self,
        thread: ThreadId,
        (end, waited): (u64, u64),
        step: Step,
        waits: &[Wait],
    ) {
        let since = self.depends_since(thread, step);
        self.what_if.spend(thread, &self.activity);
        match since {
            // It waited for one thread, went on, and could not leave before the last one had come.
            Some(since) if since > end => {
                self.what_if.spend(thread, &self.after);
                if since <= step.time {
                    let ready = step.time.saturating_sub(waited);
                    self.depend(thread, step, (ready, step.time), waits);
                }
            }
            _ => {
                let ready = end.saturating_sub(waited);
                self.depend(thread, step, (ready, end), waits);
                self.what_if.spend(thread, &self.after);
            }
        }
    }

    /// When those had come that a thread depends on at a step, in ticks; `None` if it depends on
    /// nobody, or that is not known.
    fn depends_since(&mut self, thread: ThreadId, step: Step) -> Option<u64> {
        match step.kind {
            StepKind::Leave(matched, number) => {
                let threads = self.lanes.len();
                match self.instances(matched).state(number) {
                    State::Known(instance) => {
                        instance.judged.as_ref()?.together?;
                        let gathered = &instance.gathered;
                        (gathered.count() == threads).then(|| gathered.latest())
                    }
                    _ => None,
                }
            }
            StepKind::Acquired { number, lock, .. } => {
                let previous = self.lanes[thread as usize].handovers.get(number)?.previous;
                let holder = self.holders.before(lock, previous).next()?;
                Some(holder.released)
            }
            StepKind::Awaited { number } => {
                let (other, post) = self.lanes[thread as usize].awaited.get(number)?.previous;
                Some(self.lanes[other as usize].posts.get(post)?.time)
            }
            _ => None,
        }
    }

    /// The thread was ready at one time, and went on at another (ticks), when those were there whom
    /// it depends on.
    pub(super) fn depend(
        &mut self,
        thread: ThreadId,
        step: Step,
        times: (u64, u64),
        waits: &[Wait],
    ) {
        let threads = self.lanes.len();
        let what_if = &mut self.what_if;
        match step.kind {
            StepKind::Leave(matched, number) => {
                let instances = match matched {
                    Matched::Barrier => &mut self.barriers,
                    Matched::Collective => &mut self.collectives,
                };
                let State::Known(instance) = instances.state(number) else {
                    return;
                };
                let Some(judged) = &instance.judged else {
                    return;
                };
                if judged.together.is_some() {
                    if instance.gathered.count() == threads {
                        let gathered = &mut instance.gathered;
                        what_if.follow_all(thread, times, gathered, judged.places());
                    }
                    return;
                }
                let kept = &instance.kept;
                let late = waits.iter().filter_map(|wait| {
                    let (_, kept) = kept.iter().find(|(late, _)| *late == wait.late)?;
                    Some(kept)
                });
                let places = waits.iter().map(|wait| wait.path);
                what_if.follow(thread, times, late, places, None);
            }
            StepKind::Acquired { number, lock, .. } => {
                let Some(handover) = self.lanes[thread as usize].handovers.get(number) else {
                    return;
                };
                let holder = self.holders.before(lock, handover.previous).next();
                let kept = holder.and_then(|holder| holder.kept.as_ref());
                let place = waits.iter().map(|wait| wait.path);
                what_if.follow(thread, times, kept.into_iter(), place, Some(lock));
            }
            StepKind::Awaited { number } => {
                let lanes = &self.lanes;
                let Some(awaited) = lanes[thread as usize].awaited.get(number) else {
                    return;
                };
                let (other, post) = awaited.previous;
                let kept = lanes[other as usize].posts.get(post).map(|post| &post.kept);
                let place = waits.iter().map(|wait| wait.path);
                what_if.follow(thread, times, kept.into_iter(), place, None);
            }
            _ => {}
        }
    }

    /// A thread comes to an instance at `time` (ticks), with what others will depend on.
    pub(super) fn gather(
        &mut self,
        thread: ThreadId,
        time: u64,
        (matched, number): (Matched, u64),
    ) {
        let threads = self.lanes.len();
        let instances = match matched {
            Matched::Barrier => &mut self.barriers,
            Matched::Collective => &mut self.collectives,
        };
        let instance = match instances.state(number) {
            State::Free => return,
            State::Unknown => {
                let instance = instances.get(number);
                let kept = self.what_if.keep(thread, time);
                instance.kept.push((thread, kept));
                instance
            }
            State::Known(instance) => {
                let judged = instance.judged.as_ref();
                if judged.is_some_and(|judged| judged.together.is_none()) {
                    if judged.is_some_and(|judged| judged.names(thread)) {
                        let kept = self.what_if.keep(thread, time);
                        instance.kept.push((thread, kept));
                    }
                    return;
                }
                instance
            }
        };
        self.what_if.arrive(thread, time, &mut instance.gathered);
        if instance.gathered.count() == threads {
            self.ready.append(&mut instance.blocked);
        }
    }
}

/// Different call paths of one operation, mostly one.
#[derive(Debug, Default, Clone)]
pub struct Places {
    first: Option<PathId>,
    others: Vec<PathId>,
}

impl Places {
    /// The distinct ones of `paths`, in the order in which they come first.
    pub fn of(paths: impl Iterator<Item = PathId>) -> Self {
        let mut places = Places::default();
        for path in paths {
            match places.first {
                None => places.first = Some(path),
                Some(first) if first == path || places.others.contains(&path) => {}
                Some(_) => places.others.push(path),
            }
        }
        places
    }

    /// The distinct call paths, in the order in which they came first.
    pub fn iter(&self) -> impl Iterator<Item = PathId> + Clone + '_ {
        self.first.into_iter().chain(self.others.iter().copied())
    }
}
