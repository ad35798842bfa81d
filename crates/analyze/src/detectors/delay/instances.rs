//! Barriers or collective operations that the replay has to do with now: those that some thread has
//! come to, or that are judged and that not all threads have left.

use std::collections::VecDeque;

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;

use super::gains::Places;
use super::stretches::StretchId;
use super::what_if::{Gathered, Kept};

/// A thread waited for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The thread that waited.
    pub thread: ThreadId,
    /// The thread that it waited for.
    pub late: ThreadId,
    /// Number of the pattern.
    pub pattern: usize,
    /// Call path of the operation in which it waited.
    pub path: PathId,
    /// Ticks; when the wait began, and when the other one came.
    pub begin: u64,
    /// Ticks at which the thread that it waited for came.
    pub end: u64,
    /// Ticks that were lost: the measurement may have taken some of the time.
    pub ticks: u64,
    /// Call path at which the thread spent the time, and how many ticks of that are no activity.
    pub spent: (PathId, u64),
}

/// Waits at an instance that all threads have left.
#[derive(Debug, Default)]
pub struct Judged {
    /// In the order of threads.
    pub waits: Vec<Wait>,
    /// When the last thread came, if nobody left before; ticks.
    pub together: Option<u64>,
    /// A thread that others waited for. There may be more; those are in `others`, each once.
    late: Option<ThreadId>,
    others: Vec<ThreadId>,
    /// Call paths of the operation.
    places: Places,
}

impl Judged {
    pub fn new(mut waits: Vec<Wait>, together: Option<u64>, places: Places) -> Self {
        if !waits.is_sorted_by_key(|wait| wait.thread) {
            waits.sort_by_key(|wait| wait.thread);
        }
        let late = waits.first().map(|wait| wait.late);
        let all = waits.iter().map(|wait| wait.late);
        let mut others: Vec<ThreadId> = all.filter(|&thread| Some(thread) != late).collect();
        others.sort_unstable();
        others.dedup();
        Judged {
            waits,
            together,
            late,
            others,
            places,
        }
    }

    pub fn waits_of(&self, thread: ThreadId) -> &[Wait] {
        let first = self.first_of(thread);
        let own = self.waits[first..].iter();
        let count = own.take_while(|wait| wait.thread == thread).count();
        &self.waits[first..first + count]
    }

    /// Place of the first wait of a thread, or of the next one that has waited.
    fn first_of(&self, thread: ThreadId) -> usize {
        let begins_at = |place: usize| {
            let before = place
                .checked_sub(1)
                .and_then(|before| self.waits.get(before));
            self.waits
                .get(place)
                .is_some_and(|wait| wait.thread == thread)
                && before.is_none_or(|wait| wait.thread < thread)
        };
        // Mostly all have waited, once each, but for the one that they waited for.
        let likely = thread as usize;
        if begins_at(likely) {
            return likely;
        }
        match likely.checked_sub(1) {
            Some(likely) if begins_at(likely) => likely,
            _ => self.waits.partition_point(|wait| wait.thread < thread),
        }
    }

    pub fn places(&self) -> impl Iterator<Item = PathId> + Clone + '_ {
        self.places.iter()
    }

    pub fn names(&self, thread: ThreadId) -> bool {
        self.late == Some(thread) || self.others.binary_search(&thread).is_ok()
    }
}

/// Where the chains of threads were when they came to an instance. Mostly one thread is of
/// interest.
#[derive(Debug, Default)]
pub struct Arrived(Vec<(ThreadId, StretchId)>);

impl Arrived {
    pub fn get(&self, thread: ThreadId) -> Option<StretchId> {
        let place = self.place(thread).ok()?;
        Some(self.0[place].1)
    }

    /// Returns what was known of the thread before.
    pub fn insert(&mut self, thread: ThreadId, stretch: StretchId) -> Option<StretchId> {
        match self.place(thread) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, stretch)),
            Err(place) => {
                self.0.insert(place, (thread, stretch));
                None
            }
        }
    }

    /// Takes all stretches out.
    pub fn drain(&mut self) -> impl Iterator<Item = StretchId> + '_ {
        self.0.drain(..).map(|(_, stretch)| stretch)
    }

    fn place(&self, thread: ThreadId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&thread, |&(known, _)| known)
    }
}

/// One instance.
#[derive(Debug, Default)]
pub struct Instance {
    /// `None` as long as it is not known who waited.
    pub judged: Option<Judged>,
    /// Of those that others waited for or may have.
    pub arrived: Arrived,
    /// Threads that cannot go on before others have come.
    pub blocked: Vec<ThreadId>,
    /// How many threads have left it.
    pub left: usize,
    /// Gains and work of the threads that have come, if no thread could leave before the last one.
    pub gathered: Gathered,
    /// Otherwise, of threads that may have been waited for.
    pub kept: Vec<(ThreadId, Kept)>,
}

/// Whether an instance's waits are known.
pub enum State<'a> {
    /// Not yet.
    Unknown,
    /// There are none, and none will come.
    Free,
    Known(&'a mut Instance),
}

/// All open instances of one kind.
#[derive(Debug, Default)]
pub struct Instances {
    /// With their numbers, which ascend.
    open: VecDeque<(u64, Instance)>,
    /// All instances before it are judged, or never will be.
    decided: u64,
    /// No other instance will be judged.
    exhausted: bool,
    /// Instances that were closed, whose memory is used again.
    spare: Vec<Instance>,
}

impl Instances {
    #[inline]
    pub fn state(&mut self, number: u64) -> State<'_> {
        let decided = number < self.decided || self.exhausted;
        match self.place(number) {
            Ok(place) if self.open[place].1.judged.is_some() => {
                State::Known(&mut self.open[place].1)
            }
            _ if decided => State::Free,
            _ => State::Unknown,
        }
    }

    /// Whether others may wait for the thread at this instance; then its arrival is of interest.
    pub fn wants(&mut self, number: u64, thread: ThreadId) -> bool {
        match self.state(number) {
            State::Unknown => true,
            State::Free => false,
            State::Known(instance) => instance.judged.as_ref().is_some_and(|j| j.names(thread)),
        }
    }

    pub fn get(&mut self, number: u64) -> &mut Instance {
        let place = match self.place(number) {
            Ok(place) => place,
            Err(place) => {
                let instance = self.spare.pop().unwrap_or_default();
                self.open.insert(place, (number, instance));
                place
            }
        };
        &mut self.open[place].1
    }

    /// Takes what is known about an instance; the stretches that nobody needs go to `unneeded`.
    pub fn judge(&mut self, number: u64, judged: Judged, unneeded: &mut Vec<StretchId>) {
        self.decide(number, unneeded);
        self.decided = number.saturating_add(1);
        if judged.waits.is_empty() && judged.together.is_none() {
            self.close(number, unneeded);
            return;
        }
        let instance = self.get(number);
        instance.arrived.0.retain(|&(thread, stretch)| {
            let named = judged.names(thread);
            if !named {
                unneeded.push(stretch);
            }
            named
        });
        match judged.together {
            Some(_) => instance.kept.clear(),
            None => {
                instance.gathered.clear();
                instance.kept.retain(|&(thread, _)| judged.names(thread));
            }
        }
        instance.judged = Some(judged);
    }

    /// States that no instance before `number` will be judged any more, and with `exhausted` that
    /// none at all will.
    pub fn decide_until(&mut self, number: u64, exhausted: bool, unneeded: &mut Vec<StretchId>) {
        let number = if exhausted { u64::MAX } else { number };
        self.decide(number, unneeded);
        self.exhausted |= exhausted;
    }

    fn decide(&mut self, number: u64, unneeded: &mut Vec<StretchId>) {
        if number <= self.decided {
            return;
        }
        let first = self.first_from(self.decided);
        while let Some(&(next, _)) = self.open.get(first).filter(|(next, _)| *next < number) {
            self.close(next, unneeded);
        }
        self.decided = number;
    }

    /// Nobody is interested in an instance any more, nor in the stretches that were kept for it.
    /// Returns the memory of its waits.
    pub fn close(&mut self, number: u64, unneeded: &mut Vec<StretchId>) -> Option<Vec<Wait>> {
        let place = self.place(number).ok()?;
        let (_, mut instance) = self.open.remove(place)?;
        unneeded.extend(instance.arrived.drain());
        instance.blocked.clear();
        instance.left = 0;
        instance.gathered.clear();
        instance.kept.clear();
        let mut waits = instance.judged.take()?.waits;
        self.spare.push(instance);
        waits.clear();
        Some(waits)
    }

    /// Where an instance is, or would have to be.
    #[inline]
    fn place(&self, number: u64) -> Result<usize, usize> {
        // Mostly all instances from the first one on are open.
        let first = self.open.front().map_or(number, |&(first, _)| first);
        let likely = number.wrapping_sub(first) as usize;
        match self.open.get(likely) {
            Some(&(found, _)) if found == number => Ok(likely),
            _ => {
                let place = self.first_from(number);
                let found = self.open.get(place).is_some_and(|&(n, _)| n == number);
                found.then_some(place).ok_or(place)
            }
        }
    }

    /// Place of the first instance from a number on.
    fn first_from(&self, number: u64) -> usize {
        self.open.partition_point(|&(open, _)| open < number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(thread: ThreadId, late: ThreadId) -> Wait {
        Wait {
            thread,
            late,
            pattern: 0,
            path: PathId(1),
            begin: 0,
            end: 1,
            ticks: 1,
            spent: (PathId(1), 1),
        }
    }

    #[test]
    fn waits_are_found_by_thread() {
        // All but thread 2; few; several of one thread.
        let all_but_one = vec![wait(0, 2), wait(1, 2), wait(3, 2), wait(4, 2)];
        let few = vec![wait(7, 1), wait(3, 1), wait(900, 0)];
        let several = vec![wait(0, 3), wait(0, 4), wait(1, 5), wait(1, 3), wait(1, 3)];
        for waits in [all_but_one, few, several, Vec::new()] {
            let judged = Judged::new(waits.clone(), None, Places::default());
            for thread in (0..9).chain(898..902) {
                let own = waits.iter().filter(|wait| wait.thread == thread);
                assert!(judged.waits_of(thread).iter().eq(own), "{thread}");
                let is_late = waits.iter().any(|wait| wait.late == thread);
                assert_eq!(judged.names(thread), is_late, "{thread}");
            }
        }
    }

    #[test]
    fn instances_are_found_by_number_whatever_lies_between() {
        let mut instances = Instances::default();
        let mut unneeded = Vec::new();
        for number in [5, 7, 1 << 60, 6, 90] {
            instances.get(number).left = number as usize;
        }
        for number in [5, 6, 7, 90, 1 << 60] {
            assert_eq!(instances.get(number).left, number as usize);
        }
        let judged = Judged::new(vec![wait(0, 1)], Some(3), Places::default());
        instances.judge(90, judged, &mut unneeded);
        // Earlier instances are not judged any more.
        assert!(matches!(instances.state(6), State::Free));
        assert!(matches!(instances.state(90), State::Known(_)));
        assert!(matches!(instances.state(91), State::Unknown));
        assert!(instances.wants(90, 1) && !instances.wants(90, 0));
        assert!(instances.close(90, &mut unneeded).is_some());
        assert!(matches!(instances.state(90), State::Free));
        // The memory of one that was closed holds nothing of it.
        assert_eq!(instances.get(95).left, 0);
        instances.decide_until(0, true, &mut unneeded);
        assert!(matches!(instances.state(u64::MAX), State::Free));
        assert!(unneeded.is_empty());
    }
}
