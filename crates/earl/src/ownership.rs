//! Ownership of locks: who had a lock before the thread that takes it now. Locks have no instance
//! numbers, so their events are matched by time, as soon as every thread's stream has passed that
//! time.

use std::collections::VecDeque;

use pgas_trace::clocks::{Clocks, NodeClock};
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use crate::calltree::PathId;
use crate::record::{LockAcquisition, LockRelease};

/// The release of a lock and the thread that did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// The thread that gave the lock back.
    pub thread: ThreadId,
    /// Lock, call path and time of the release.
    pub record: LockRelease,
}

/// A lock goes from one owner to the next: an Alock and the Rlock before it (its `lockptr`).
#[derive(Debug, Clone, PartialEq)]
pub struct LockHandover {
    /// The new owner.
    pub thread: ThreadId,
    /// When and where the new owner asked for the lock and got it.
    pub acquisition: LockAcquisition,
    /// `None` for the first owner, and where the trace does not hold the release.
    pub previous: Option<Release>,
}

/// Where the record is.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Acquired(Slot),
    Released(Slot),
}

/// A lock event reduced to the fields that order it; moved in place of the record.
#[derive(Debug, Clone, Copy)]
struct LockEvent {
    time: u64,
    lock: u64,
    thread: ThreadId,
    kind: Kind,
}

impl LockEvent {
    fn is_release(&self) -> bool {
        matches!(self.kind, Kind::Released(_))
    }
}

type Slot = u32;

/// Records that stay where they are until they are taken.
#[derive(Debug)]
struct Slots<R> {
    records: Vec<Option<R>>,
    free: Vec<Slot>,
}

impl<R> Default for Slots<R> {
    fn default() -> Self {
        Slots {
            records: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<R> Slots<R> {
    #[inline]
    fn put(&mut self, record: R) -> Slot {
        match self.free.pop() {
            Some(slot) => {
                self.records[slot as usize] = Some(record);
                slot
            }
            None => {
                self.records.push(Some(record));
                (self.records.len() - 1) as Slot
            }
        }
    }

    #[inline]
    fn take(&mut self, slot: Slot) -> Option<R> {
        self.free.push(slot);
        self.records.get_mut(slot as usize)?.take()
    }
}

#[derive(Debug, Default)]
struct LockState {
    owner: Option<ThreadId>,
    /// Where and when in ticks it was taken last.
    taken: Option<(PathId, u64)>,
    previous: Option<Release>,
}

/// A thread took a lock that by the trace belonged to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreleased {
    /// The lock that changed its owner without a release.
    pub lock: u64,
    /// Owner until then.
    pub owner: ThreadId,
    /// Call path and ticks of the owner's acquisition.
    pub taken: (PathId, u64),
    /// Thread that took it then.
    pub taker: ThreadId,
    /// Call path on which it was taken the second time.
    pub path: PathId,
    /// Ticks of the second acquisition.
    pub time: u64,
}

/// A thread gave back a lock that by the trace belonged to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForeignRelease {
    /// The lock, which its owner keeps.
    pub lock: u64,
    /// Owner of the lock.
    pub owner: ThreadId,
    /// Call path and ticks of the owner's acquisition.
    pub taken: (PathId, u64),
    /// The release by another thread.
    pub release: Release,
}

/// A lock that belongs to a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    /// The thread that has the lock.
    pub owner: ThreadId,
    /// Call path and ticks of the acquisition.
    pub path: PathId,
    /// Ticks of the acquisition.
    pub time: u64,
}

/// A thread took a lock before its owner on another node gave it back, by their clocks: these
/// differ by at least the time between the two events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlyTake {
    /// Previous owner, and ticks of its release.
    pub release: (ThreadId, u64),
    /// New owner, and ticks of its acquisition.
    pub acquisition: (ThreadId, u64),
}

/// Lock events of all threads, and the state of every lock.
#[derive(Debug)]
pub struct Ownership {
    clocks: Clocks,
    pending: Vec<LockEvent>,
    acquisitions: Slots<LockAcquisition>,
    releases: Slots<LockRelease>,
    locks: FxHashMap<u64, LockState>,
    unreleased: Option<Unreleased>,
    foreign_release: Option<ForeignRelease>,
    early_takes: Vec<EarlyTake>,
    horizon: u64,
}

/// Max ticks by which the order of events may differ from that of their times. Events that are
/// later by more are not waited for, whatever the clocks' uncertainty.
const LARGEST_TOLERANCE: f64 = (1 << 26) as f64;

/// Events of the same time are put in an order that makes sense, unless there are implausibly many.
const ORDERED_AT_MOST: usize = 1024;

impl Default for Ownership {
    /// With one clock for all threads.
    fn default() -> Self {
        Ownership::new(Clocks::one())
    }
}

impl Ownership {
    /// Of threads with these clocks: events of different nodes may have happened in another order
    /// than that of their times.
    pub fn new(clocks: Clocks) -> Self {
        Ownership {
            clocks,
            pending: Vec::new(),
            acquisitions: Slots::default(),
            releases: Slots::default(),
            locks: FxHashMap::default(),
            unreleased: None,
            foreign_release: None,
            early_takes: Vec::new(),
            horizon: 0,
        }
    }

    /// Ticks before which every lock that was taken has been matched.
    pub fn horizon(&self) -> u64 {
        self.horizon
    }

    /// Times of one thread must not decrease from call to call.
    pub fn acquired(&mut self, thread: ThreadId, record: LockAcquisition) {
        self.pending.push(LockEvent {
            time: record.span.end,
            thread,
            lock: record.lock,
            kind: Kind::Acquired(self.acquisitions.put(record)),
        });
    }

    /// Times of one thread must not decrease from call to call.
    pub fn released(&mut self, thread: ThreadId, record: LockRelease) {
        self.pending.push(LockEvent {
            time: record.time,
            thread,
            lock: record.lock,
            kind: Kind::Released(self.releases.put(record)),
        });
    }

    /// Matches the events before `time` (ticks; `None`: all), which no thread can add to any more.
    pub fn advance(&mut self, time: Option<u64>, mut handover: impl FnMut(LockHandover)) {
        // Stable, so that a thread's own events stay in order; nearly linear on runs that are
        // sorted already. By thread, too: of simultaneous events of several threads, the order
        // must not depend on which stream was read first.
        self.pending
            .sort_by_key(|event| (event.time, event.lock, event.thread));
        let until = time.map(|time| time.saturating_sub(largest_tolerance(&self.clocks, time)));
        self.horizon = self.horizon.max(until.unwrap_or(u64::MAX));
        let ready = until.map_or(self.pending.len(), |until| {
            self.pending.partition_point(|event| event.time < until)
        });
        let later = self.pending.split_off(ready);
        let mut events = VecDeque::from(std::mem::replace(&mut self.pending, later));
        let mut together = Vec::new();
        while let Some(event) = events.pop_front() {
            let key = (event.time, event.lock);
            let is_same = |next: &LockEvent| (next.time, next.lock) == key;
            if !events.front().is_some_and(is_same) {
                self.apply_in_order(event, &mut events, &mut handover);
                continue;
            }
            together.push(event);
            while events.front().is_some_and(is_same) {
                together.extend(events.pop_front());
            }
            self.apply_simultaneous(&mut together, &mut events, &mut handover);
        }
    }

    /// Locks that were taken before they were given back, by the clocks of their threads, since the
    /// last call.
    pub fn take_early(&mut self) -> Vec<EarlyTake> {
        std::mem::take(&mut self.early_takes)
    }

    /// Applies an event, and before it what must have come before, though by the clocks it did not:
    /// the release by the thread of another node that has the lock.
    fn apply_in_order(
        &mut self,
        event: LockEvent,
        later: &mut VecDeque<LockEvent>,
        handover: &mut impl FnMut(LockHandover),
    ) {
        if !self.clocks.are_one() && !event.is_release() {
            let owner = self.locks.get(&event.lock).and_then(|state| state.owner);
            if let Some(owner) = owner.filter(|&owner| owner != event.thread) {
                if let Some(release) = self.release_after(&event, owner, later) {
                    self.early_takes.push(EarlyTake {
                        release: (owner, release.time),
                        acquisition: (event.thread, event.time),
                    });
                    self.apply(release, handover);
                }
            }
        }
        self.apply(event, handover);
    }

    /// Takes out the next release by the owner that may have been before `event`.
    fn release_after(
        &mut self,
        event: &LockEvent,
        owner: ThreadId,
        later: &mut VecDeque<LockEvent>,
    ) -> Option<LockEvent> {
        let uncertainty = self
            .clocks
            .uncertainty_between(owner, event.thread, event.time);
        let tolerance = uncertainty.min(LARGEST_TOLERANCE).ceil() as u64;
        let until = event.time.saturating_add(tolerance);
        let is_wanted = |other: &LockEvent| {
            other.lock == event.lock && other.thread == owner && other.is_release()
        };
        let soon = |other: &&LockEvent| other.time <= until;
        if let Some(index) = later.iter().take_while(soon).position(is_wanted) {
            return later.remove(index);
        }
        let index = self.pending.iter().take_while(soon).position(is_wanted)?;
        Some(self.pending.remove(index))
    }

    /// The first lock that was taken though its owner had not released it (lost events, a truncated
    /// stream).
    pub fn unreleased(&self) -> Option<Unreleased> {
        self.unreleased
    }

    /// The first lock that was given back by a thread that did not have it (an error of the
    /// program, or lost events).
    pub fn foreign_release(&self) -> Option<ForeignRelease> {
        self.foreign_release
    }

    /// Owner of a lock after all events so far; `None` if no thread has it.
    pub fn holding(&self, lock: u64) -> Option<Holding> {
        let state = self.locks.get(&lock)?;
        let (owner, (path, time)) = (state.owner?, state.taken?);
        Some(Holding { owner, path, time })
    }

    /// The locks that belong to a thread after all events so far, in the order in which they were
    /// taken.
    pub fn held(&self) -> Vec<Holding> {
        let mut held: Vec<_> = self
            .locks
            .keys()
            .filter_map(|&lock| self.holding(lock))
            .collect();
        held.sort_by_key(|holding| (holding.time, holding.owner, holding.path.0));
        held
    }

    /// Events of one lock with the same time: a release lets the next thread take it, and so on.
    fn apply_simultaneous(
        &mut self,
        events: &mut Vec<LockEvent>,
        later: &mut VecDeque<LockEvent>,
        handover: &mut impl FnMut(LockHandover),
    ) {
        while events.len() > 1 && events.len() <= ORDERED_AT_MOST {
            let lock = events[0].lock;
            let owner = self.locks.get(&lock).and_then(|state| state.owner);
            let next = next_of_simultaneous(events, owner);
            let event = events.remove(next);
            self.apply_in_order(event, later, handover);
        }
        for event in events.drain(..) {
            self.apply_in_order(event, later, handover);
        }
    }

    fn apply(&mut self, event: LockEvent, handover: &mut impl FnMut(LockHandover)) {
        let state = self.locks.entry(event.lock).or_default();
        match event.kind {
            Kind::Acquired(slot) => {
                let Some(acquisition) = self.acquisitions.take(slot) else {
                    return;
                };
                let previous = state.previous.take();
                if let Some(owner) = state.owner.filter(|&owner| owner != event.thread) {
                    self.unreleased.get_or_insert(Unreleased {
                        lock: event.lock,
                        owner,
                        taken: state.taken.unwrap_or((acquisition.path, event.time)),
                        taker: event.thread,
                        path: acquisition.path,
                        time: event.time,
                    });
                }
                state.owner = Some(event.thread);
                state.taken = Some((acquisition.path, event.time));
                handover(LockHandover {
                    thread: event.thread,
                    acquisition,
                    previous,
                });
            }
            Kind::Released(slot) => {
                let Some(record) = self.releases.take(slot) else {
                    return;
                };
                let release = Release {
                    thread: event.thread,
                    record,
                };
                match (
                    state.owner.filter(|&owner| owner != event.thread),
                    state.taken,
                ) {
                    // Somebody else has it: events were lost, or the program is wrong. The next
                    // owner did not wait for this release.
                    (Some(owner), Some(taken)) => {
                        self.foreign_release.get_or_insert(ForeignRelease {
                            lock: event.lock,
                            owner,
                            taken,
                            release,
                        });
                    }
                    _ => {
                        state.owner = None;
                        state.previous = Some(release);
                    }
                }
            }
        }
    }
}

/// By how many ticks the order of two events may differ from that of their times.
pub(crate) fn largest_tolerance(clocks: &Clocks, time: u64) -> u64 {
    if clocks.are_one() {
        return 0;
    }
    // Largest at one of the ends of any span of time.
    let earlier = time.saturating_sub(LARGEST_TOLERANCE as u64);
    let both = |node: &NodeClock| node.uncertainty(time).max(node.uncertainty(earlier));
    let largest = clocks.nodes().iter().map(both).fold(0.0, f64::max);
    (2.0 * largest).min(LARGEST_TOLERANCE).ceil() as u64
}

/// Which of several events of one lock and time comes first, given the owner before.
fn next_of_simultaneous(events: &[LockEvent], owner: Option<ThreadId>) -> usize {
    let is_first_of_thread = |i: usize| {
        events[..i]
            .iter()
            .all(|earlier| earlier.thread != events[i].thread)
    };
    let is_release = |i: usize| events[i].is_release();
    let releases_again = |i: usize| {
        events[i + 1..]
            .iter()
            .any(|e| e.thread == events[i].thread && e.is_release())
    };
    let heads = || (0..events.len()).filter(|&i| is_first_of_thread(i));
    let choice = match owner {
        Some(owner) => heads().find(|&i| is_release(i) && events[i].thread == owner),
        // A thread that gives the lock back in the same tick precedes one that keeps it.
        None => heads()
            .find(|&i| !is_release(i) && releases_again(i))
            .or_else(|| heads().find(|&i| !is_release(i))),
    };
    choice.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calltree::PathId;
    use crate::record::Span;

    fn take(lock: u64, begin: u64, end: u64) -> LockAcquisition {
        LockAcquisition {
            number: 0,
            lock,
            path: PathId(1),
            span: Span::new(begin, end),
            attempt: false,
            nested: Vec::new(),
            no_core: Vec::new(),
        }
    }

    fn give(lock: u64, time: u64) -> LockRelease {
        LockRelease {
            number: 0,
            lock,
            path: PathId(2),
            time,
            held: None,
        }
    }

    /// (new owner, (previous owner, time of its release)) in order.
    type Chain = Vec<(ThreadId, Option<(ThreadId, u64)>)>;

    fn chain(ownership: &mut Ownership, until: Option<u64>) -> Chain {
        let mut chain = Vec::new();
        ownership.advance(until, |h| {
            chain.push((h.thread, h.previous.map(|p| (p.thread, p.record.time))))
        });
        chain
    }

    #[test]
    fn an_acquisition_points_to_the_release_before_it() {
        let mut o = Ownership::default();
        o.acquired(0, take(7, 0, 1));
        o.released(0, give(7, 10));
        o.acquired(0, take(8, 10, 11));
        o.acquired(1, take(7, 2, 12));
        o.released(1, give(7, 20));
        o.acquired(2, take(7, 3, 21));
        assert_eq!(
            chain(&mut o, None),
            [(0, None), (0, None), (1, Some((0, 10))), (2, Some((1, 20)))]
        );
        assert_eq!(o.unreleased(), None);
    }

    #[test]
    fn events_wait_until_all_threads_have_passed() {
        let mut o = Ownership::default();
        o.acquired(1, take(7, 2, 12));
        assert_eq!(chain(&mut o, Some(12)), []);
        o.acquired(0, take(7, 0, 1));
        o.released(0, give(7, 12));
        assert_eq!(chain(&mut o, Some(12)), [(0, None)]);
        assert_eq!(chain(&mut o, Some(13)), [(1, Some((0, 12)))]);
    }

    #[test]
    fn a_chain_within_one_tick_is_put_in_order() {
        let mut o = Ownership::default();
        o.acquired(2, take(7, 0, 5));
        o.acquired(1, take(7, 1, 5));
        o.released(1, give(7, 5));
        o.acquired(0, take(7, 0, 3));
        o.released(0, give(7, 5));
        assert_eq!(
            chain(&mut o, None),
            [(0, None), (1, Some((0, 5))), (2, Some((1, 5)))]
        );
        assert_eq!(o.unreleased(), None);
    }

    #[test]
    fn a_lock_that_was_never_released_is_noticed() {
        let mut o = Ownership::default();
        o.acquired(0, take(7, 0, 1));
        o.acquired(1, take(7, 2, 9));
        assert_eq!(chain(&mut o, None), [(0, None), (1, None)]);
        let unreleased = o.unreleased().unwrap();
        assert_eq!((unreleased.owner, unreleased.taker), (0, 1));
    }
}
