//! The replay: steps of all threads in an order in which causes come before effects, from which
//! follow the critical path and the root causes of waiting.
//!
//! Each thread's steps are taken in their order; a thread that has waited for another goes on when
//! that one's arrival, or its release of the lock, has been replayed. There is no order of time
//! between threads. Memory is bounded by threads and call paths, and for steps that cannot be
//! replayed yet by how far threads are apart in the program.

mod blames;
mod comparison;
mod contradictions;
pub mod critical;
mod detector;
mod entries;
mod gains;
mod handovers;
pub mod history;
mod holders;
mod instances;
mod lane;
mod posts;
mod stretches;
mod tally;
mod together;
mod turn;
mod waiting;
mod what_if;

use pgas_earl::{Matched, PathId, PostId};
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use self::blames::Blames;
use self::comparison::Comparison;
pub use self::detector::Delay;
pub use self::gains::Places;
use self::handovers::Handover;
use self::history::Root;
use self::holders::{Holder, Holders};
pub use self::instances::Wait;
use self::instances::{Instances, State};
use self::lane::Lane;
pub use self::stretches::CriticalPath;
use self::stretches::{Forest, StretchId};
pub use self::turn::Turn;
use self::turn::{Handed, PostAwaited};
use self::what_if::WhatIf;
pub use self::what_if::{Loss, PathClass};
pub use super::wait_states::root_causes::{Blame, RootCauses};
use crate::model::steps::{Step, StepKind};

/// Ticks by which the run would be shorter without a loss at a call path, as far as that was
/// followed.
pub type Savings = FxHashMap<(Loss, PathId), f64>;

/// All threads.
#[derive(Debug)]
pub struct Replay {
    lanes: Vec<Lane>,
    forest: Forest,
    barriers: Instances,
    collectives: Instances,
    holders: Holders,
    comparison: Comparison,
    blames: Blames,
    what_if: WhatIf,
    /// Ticks before which all lock hand-overs are known.
    horizon: u64,
    /// Of the thread that ended last.
    ended: Option<(u64, ThreadId, StretchId)>,
    unneeded: Vec<StretchId>,
    /// Memory of waits that are over.
    spare: Vec<Vec<Wait>>,
    ready: Vec<ThreadId>,
    forced: u64,
    /// Waits of the thread at the step that is being replayed, and their root causes.
    waits: Vec<Wait>,
    roots: Vec<Root>,
    /// Activity of a step with waiting, and the part of it after the wait.
    activity: Vec<(PathId, u64)>,
    after: Vec<(PathId, u64)>,
}

impl Replay {
    /// A replay of that number of threads, before the first step of any.
    pub fn new(threads: usize) -> Self {
        let (forest, tips) = Forest::new(threads);
        Replay {
            lanes: tips.into_iter().map(Lane::new).collect(),
            forest,
            barriers: Instances::default(),
            collectives: Instances::default(),
            holders: Holders::default(),
            comparison: Comparison::default(),
            blames: Blames::default(),
            what_if: WhatIf::new(threads),
            horizon: 0,
            ended: None,
            unneeded: Vec::new(),
            spare: Vec::new(),
            ready: Vec::new(),
            forced: 0,
            waits: Vec::new(),
            roots: Vec::new(),
            activity: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Takes what the next stretch of time has brought, and replays what can be replayed. `turn` is
    /// empty afterwards.
    pub fn take(&mut self, turn: &mut Turn) {
        self.what_if.learn(&mut turn.classes);
        for (lane, steps) in self.lanes.iter_mut().zip(&mut turn.steps) {
            lane.add(steps);
        }
        for (matched, number, judged) in turn.judged.drain(..) {
            let (instances, unneeded) = self.instances_and_unneeded(matched);
            instances.judge(number, judged, unneeded);
        }
        for handed in turn.handed.drain(..) {
            self.handover(handed);
        }
        for (thread, number) in turn.wanted.drain(..) {
            self.lanes[thread as usize].posts.want(number);
        }
        for post in turn.unwanted.drain(..) {
            self.release_post(post);
        }
        for awaited in turn.awaited.drain(..) {
            self.awaited(awaited);
        }
        for (matched, decided) in [
            (Matched::Barrier, turn.barriers),
            (Matched::Collective, turn.collectives),
        ] {
            let (instances, unneeded) = self.instances_and_unneeded(matched);
            instances.decide_until(decided.count, decided.exhausted, unneeded);
        }
        self.horizon = turn.horizon;
        self.run(turn.ended);
        turn.spare.append(&mut self.spare);
    }

    /// Takes the hand-over of a lock, and the new owner's wait for the one before.
    fn handover(&mut self, handed: Handed) {
        let (owner, release) = handed.previous;
        if handed.wait.is_none() {
            let lane = &mut self.lanes[owner as usize];
            if release < lane.released {
                let kept = self.holders.take_stretch(handed.lock, handed.previous);
                self.unneeded.extend(kept);
            } else {
                let unwanted = &mut lane.unwanted;
                let place = unwanted.partition_point(|&number| number < release);
                unwanted.insert(place, release);
            }
        }
        if owner != handed.next.0 {
            let (thread, acquisition) = handed.next;
            self.lanes[thread as usize].handovers.add(Handover {
                number: acquisition,
                previous: handed.previous,
                wait: handed.wait,
            });
        }
    }

    /// Takes a wait for a post.
    fn awaited(&mut self, awaited: PostAwaited) {
        let (thread, number) = awaited.next;
        self.lanes[thread as usize].awaited.add(Handover {
            number,
            previous: awaited.post,
            wait: awaited.wait,
        });
    }

    /// A wait that a post was kept for is over.
    fn release_post(&mut self, (thread, number): PostId) {
        if let Some(post) = self.lanes[thread as usize].posts.release(number) {
            self.unneeded.extend(post.stretch);
            self.what_if.drop_kept(Some(post.kept));
        }
    }

    fn instances_and_unneeded(
        &mut self,
        matched: Matched,
    ) -> (&mut Instances, &mut Vec<StretchId>) {
        let instances = match matched {
            Matched::Barrier => &mut self.barriers,
            Matched::Collective => &mut self.collectives,
        };
        (instances, &mut self.unneeded)
    }

    /// Replays what can be replayed; with `ended` all streams have.
    fn run(&mut self, ended: bool) {
        self.ready.extend(0..self.lanes.len() as ThreadId);
        loop {
            while let Some(thread) = self.ready.pop() {
                while self.step(thread) {}
                self.release_unneeded();
            }
            match self.contradiction(ended) {
                Some(thread) => {
                    self.forced += 1;
                    self.lanes[thread as usize].forced = true;
                    self.ready.push(thread);
                }
                None => break,
            }
        }
        if self.holders.are_many() {
            let positions = self.lanes.iter().filter(|lane| lane.tip.is_some());
            let earliest = positions.map(|lane| lane.now.unwrap_or(0)).min();
            let earliest = earliest.unwrap_or(u64::MAX);
            self.holders.forget(earliest, &mut self.unneeded);
        }
        self.release_unneeded();
        self.forest.settle();
    }

    fn release_unneeded(&mut self) {
        for stretch in self.unneeded.drain(..) {
            self.forest.release(stretch);
        }
    }

    /// How many steps were replayed before what they depend on, since clocks contradict each other.
    pub fn forced(&self) -> u64 {
        self.forced
    }

    /// The critical path, what the run would be shorter by without each loss, and the root causes
    /// by the pattern and the call path of the waiting. Only after everything was replayed.
    pub fn finish(
        mut self,
    ) -> (
        CriticalPath,
        Savings,
        impl Iterator<Item = ((usize, PathId), RootCauses)>,
    ) {
        let path = match self.ended {
            Some((time, thread, tip)) => self.forest.finish(tip, thread, time),
            None => CriticalPath::default(),
        };
        (path, self.what_if.finish(), self.blames.into_places())
    }

    fn instances(&mut self, matched: Matched) -> &mut Instances {
        match matched {
            Matched::Barrier => &mut self.barriers,
            Matched::Collective => &mut self.collectives,
        }
    }

    /// Replays the next step of a thread; false if there is none that can be.
    fn step(&mut self, thread: ThreadId) -> bool {
        let Some(&step) = self.lanes[thread as usize].steps.front() else {
            return false;
        };
        let forced = self.lanes[thread as usize].forced;
        self.waits.clear();
        let is_known = match step.kind {
            StepKind::Leave(matched, number) => {
                self.waits_at(thread, step.time, (matched, number), forced)
            }
            StepKind::Acquired { number, .. } => {
                self.waits_for_lock(thread, step.time, number, forced)
            }
            StepKind::Posted { .. } => self.is_settled(step.time, forced),
            StepKind::Awaited { number } => self.waits_for_post(thread, step.time, number, forced),
            _ => true,
        };
        if !is_known {
            return false;
        }
        let lane = &mut self.lanes[thread as usize];
        lane.forced = false;
        lane.waits_for = None;
        lane.steps.pop_front();
        let first = lane.next;
        lane.next = lane.activity.len().min(first + step.entries as usize);
        let activity = &lane.activity[first..lane.next];
        let length: u64 = activity.iter().map(|&(_, ticks)| ticks).sum();
        let begin = lane.now.unwrap_or(step.time.saturating_sub(length));
        lane.now = Some(step.time);
        if self.waits.is_empty() {
            lane.history
                .push((begin, step.time), activity.iter().copied(), 0, &[]);
            if let Some(tip) = lane.tip {
                self.forest.spend(tip, activity);
            }
            self.gain_alone(thread, begin, step, first);
            self.conclude(thread, step, &[]);
        } else {
            self.activity.clear();
            self.activity.extend_from_slice(activity);
            let waits = std::mem::take(&mut self.waits);
            self.wait(thread, begin, step, &waits);
            self.conclude(thread, step, &waits);
            self.waits = waits;
        }
        true
    }

    /// Finds what the thread waited for at an instance that it leaves; false if that is not known
    /// yet, or not replayed.
    fn waits_at(
        &mut self,
        thread: ThreadId,
        time: u64,
        (matched, number): (Matched, u64),
        forced: bool,
    ) -> bool {
        let instances = match matched {
            Matched::Barrier => &mut self.barriers,
            Matched::Collective => &mut self.collectives,
        };
        let instance = match instances.state(number) {
            State::Unknown => return forced,
            State::Free => return true,
            State::Known(instance) => instance,
        };
        let judged = instance.judged.as_ref();
        if judged.is_some_and(|judged| judged.together.is_some()) {
            // One whose arrival was not recorded is there now.
            let now = self.lanes[thread as usize].now;
            let gathered = &mut instance.gathered;
            if !gathered.has(thread) {
                self.what_if.arrive(thread, now.unwrap_or(time), gathered);
                if gathered.count() == self.lanes.len() {
                    self.ready.append(&mut instance.blocked);
                }
            }
            if gathered.count() < self.lanes.len() && !forced {
                self.lanes[thread as usize].waits_for = Some(gathered.missing());
                instance.blocked.push(thread);
                return false;
            }
        }
        let waits = judged.map_or(&[][..], |judged| judged.waits_of(thread));
        let mut come = waits.iter().map(|wait| wait.late);
        let missing = come.find(|late| instance.arrived.get(*late).is_none());
        match missing {
            Some(_) if forced => {}
            Some(late) => {
                instance.blocked.push(thread);
                self.lanes[thread as usize].waits_for = Some(late);
                return false;
            }
            None => self.waits.extend_from_slice(waits),
        }
        true
    }

    /// Whether it is known of locks taken, and of posts, at a time (ticks) who waited for them.
    fn is_settled(&self, time: u64, forced: bool) -> bool {
        time < self.horizon || forced || self.horizon == u64::MAX
    }

    /// The same for a post that the thread waited for.
    fn waits_for_post(&mut self, thread: ThreadId, time: u64, number: u64, forced: bool) -> bool {
        if !self.is_settled(time, forced) {
            return false;
        }
        let Some(awaited) = self.lanes[thread as usize].awaited.get(number) else {
            return true;
        };
        let (other, post) = awaited.previous;
        let wait = awaited.wait;
        let posts = &mut self.lanes[other as usize].posts;
        if posts.replayed > post {
            self.waits.extend(wait);
            return true;
        }
        if forced {
            return true;
        }
        posts.blocked.push((post, thread));
        self.lanes[thread as usize].waits_for = Some(other);
        false
    }

    /// The same for a lock that the thread has got.
    fn waits_for_lock(&mut self, thread: ThreadId, time: u64, number: u64, forced: bool) -> bool {
        if !self.is_settled(time, forced) {
            return false;
        }
        let Some(handover) = self.lanes[thread as usize].handovers.get(number) else {
            return true;
        };
        let (owner, release) = handover.previous;
        let wait = handover.wait;
        let previous = &mut self.lanes[owner as usize];
        if previous.released > release {
            self.waits.extend(wait);
            return true;
        }
        if forced {
            return true;
        }
        previous.blocked.push((release, thread));
        self.lanes[thread as usize].waits_for = Some(owner);
        false
    }

    /// Effects of a step once the time before it is accounted for.
    fn conclude(&mut self, thread: ThreadId, step: Step, waits: &[Wait]) {
        match step.kind {
            StepKind::Begin => {}
            StepKind::Arrive(matched, number) => {
                self.gather(thread, step.time, (matched, number));
                self.arrive(thread, matched, number);
            }
            StepKind::Leave(matched, number) => self.leave(thread, matched, number, waits),
            StepKind::Acquired {
                number,
                lock,
                begin,
            } => {
                let lane = &mut self.lanes[thread as usize];
                lane.held.push((lock, begin));
                for wait in waits {
                    lane.together.add(wait.end, wait.late, None);
                }
                if let Some(handover) = lane.handovers.take(number) {
                    let kept = self.holders.take_stretch(lock, handover.previous);
                    self.unneeded.extend(kept);
                    let kept = self.holders.take_kept(lock, handover.previous);
                    self.what_if.drop_kept(kept);
                }
            }
            StepKind::Released { number, lock, path } => {
                self.release(thread, step.time, number, lock, path);
            }
            StepKind::Posted { number } => self.post(thread, step.time, number),
            StepKind::Awaited { number } => {
                let lane = &mut self.lanes[thread as usize];
                for wait in waits {
                    lane.together.add(wait.end, wait.late, None);
                }
                if let Some(awaited) = lane.awaited.take(number) {
                    self.release_post(awaited.previous);
                }
            }
            StepKind::End => {
                self.what_if.end(thread, step.time);
                let Some(tip) = self.lanes[thread as usize].tip.take() else {
                    return;
                };
                let own = (step.time, thread, tip);
                let later = |(time, other, _): (u64, ThreadId, StretchId)| {
                    step.time > time || (step.time == time && thread < other)
                };
                match self.ended {
                    Some(known) if !later(known) => self.unneeded.push(tip),
                    known => {
                        self.unneeded.extend(known.map(|(_, _, tip)| tip));
                        self.ended = Some(own);
                    }
                }
            }
        }
    }

    /// The thread writes what others may wait for, or posts.
    fn post(&mut self, thread: ThreadId, time: u64, number: u64) {
        let posts = &mut self.lanes[thread as usize].posts;
        posts.replayed = number + 1;
        let ready = &mut self.ready;
        posts.blocked.retain(|&(post, waiting)| {
            if post <= number {
                ready.push(waiting);
            }
            post > number
        });
        if posts.is_wanted(number) {
            let stretch = self.keep_tip(thread);
            let kept = self.what_if.keep(thread, time);
            let posts = &mut self.lanes[thread as usize].posts;
            posts.keep(number, time, stretch, kept);
        }
    }

    /// Keeps the end of the thread's chain for those that may have waited for it.
    fn keep_tip(&mut self, thread: ThreadId) -> Option<StretchId> {
        let tip = self.lanes[thread as usize].tip.as_mut()?;
        let kept = *tip;
        *tip = self.forest.keep(kept);
        Some(kept)
    }

    fn arrive(&mut self, thread: ThreadId, matched: Matched, number: u64) {
        if !self.instances(matched).wants(number, thread) {
            return;
        }
        let Some(kept) = self.keep_tip(thread) else {
            return;
        };
        let (instances, ready) = match matched {
            Matched::Barrier => (&mut self.barriers, &mut self.ready),
            Matched::Collective => (&mut self.collectives, &mut self.ready),
        };
        let instance = instances.get(number);
        let before = instance.arrived.insert(thread, kept);
        let judged = instance.judged.as_ref();
        if judged.is_none_or(|judged| judged.together.is_none()) {
            ready.append(&mut instance.blocked);
        }
        self.unneeded.extend(before);
    }

    fn leave(&mut self, thread: ThreadId, matched: Matched, number: u64, waits: &[Wait]) {
        let threads = self.lanes.len();
        let instances = match matched {
            Matched::Barrier => &mut self.barriers,
            Matched::Collective => &mut self.collectives,
        };
        let State::Known(instance) = instances.state(number) else {
            return;
        };
        instance.left += 1;
        let together = instance.judged.as_ref().and_then(|judged| judged.together);
        let lane = &mut self.lanes[thread as usize];
        match together {
            Some(time) => lane.history.together(time),
            None => {
                for wait in waits {
                    let shared = Some((matched, number));
                    lane.together.add(wait.end, wait.late, shared);
                }
            }
        }
        if instance.left < threads {
            return;
        }
        self.spare
            .extend(instances.close(number, &mut self.unneeded));
        if let Some(time) = together {
            for lane in &mut self.lanes {
                lane.history.forget(time);
                lane.together.forget(time);
            }
        }
    }

    fn release(&mut self, thread: ThreadId, time: u64, number: u64, lock: u64, path: PathId) {
        let lane = &mut self.lanes[thread as usize];
        let place = lane.held.iter().rposition(|&(held, _)| held == lock);
        let asked = place.map_or(time, |place| lane.held.remove(place).1);
        lane.released = number + 1;
        while lane.unwanted.front().is_some_and(|&known| known < number) {
            lane.unwanted.pop_front();
        }
        let wanted = lane.unwanted.front() != Some(&number);
        let ready = &mut self.ready;
        lane.blocked.retain(|&(release, waiting)| {
            if release <= number {
                ready.push(waiting);
            }
            release > number
        });
        let stretch = match wanted {
            true => self.keep_tip(thread),
            false => None,
        };
        let holder = Holder {
            thread,
            number,
            asked,
            released: time,
            path,
            stretch,
            kept: Some(self.what_if.keep(thread, time)),
        };
        self.holders.add(lock, holder, &mut self.unneeded);
    }
}
