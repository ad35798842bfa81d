//! Matches the synchronisations of all threads: every thread executes the barriers and the
//! collective operations of a program in the same order, so the k-th of one thread belongs to the
//! k-th of every other.
//!
//! Records wait until every thread has added its own. Once a thread can add no more, what the
//! others add behind its last record will never be complete and is only counted, so that a stream
//! that ends early does not make the others' records pile up.
//!
//! Threads that come to a barrier and to a collective operation at the same position contradict the
//! language. From there on the order says nothing, and each kind is matched by itself. After a
//! disagreement about a collective operation, no further one is matched.

mod instance;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::mem::take;

use pgas_trace::model::ThreadId;

use crate::syncpoint::Matched;
use instance::ByKind;
pub use instance::{Numbered, SyncCount, SyncEvent, SyncInstance, SyncRecord, Unmatched};

/// Entry of a thread at a position.
#[derive(Debug)]
enum Slot<T> {
    /// With its number among those of its kind.
    Record(u64, SyncRecord, T),
    /// The thread has no records of these.
    Skipped(SyncCount),
}

#[derive(Debug)]
struct Lane<T> {
    waiting: VecDeque<Slot<T>>,
    ended: bool,
    unmatched: ByKind,
}

impl<T> Lane<T> {
    fn front_kind(&self) -> Option<Matched> {
        match self.waiting.front() {
            Some(Slot::Record(_, record, _)) => Some(record.kind()),
            _ => None,
        }
    }
}

/// Records of all threads in order.
#[derive(Debug)]
struct Sequence<T> {
    lanes: Vec<Lane<T>>,
    /// Number of lanes in which nothing waits.
    empty: usize,
    position: u64,
    /// Instances that some threads have no record of, and others have.
    partial: ByKind,
    /// No further instance can be complete.
    exhausted: bool,
}

/// Records of all threads at the next position of a [`Sequence`].
enum Next {
    Complete(Matched),
    /// Threads have records of different kinds.
    Mixed,
}

impl<T> Sequence<T> {
    fn new(threads: usize) -> Self {
        let lane = || Lane {
            waiting: VecDeque::new(),
            ended: false,
            unmatched: ByKind::default(),
        };
        Sequence {
            lanes: (0..threads).map(|_| lane()).collect(),
            empty: threads,
            position: 0,
            partial: ByKind::default(),
            exhausted: threads == 0,
        }
    }

    fn push(&mut self, thread: usize, slot: Slot<T>) {
        let lane = &mut self.lanes[thread];
        if self.exhausted {
            if let Slot::Record(_, record, _) = slot {
                lane.unmatched.note(&record);
            }
            return;
        }
        self.empty -= usize::from(lane.waiting.is_empty());
        lane.waiting.push_back(slot);
    }

    fn end(&mut self, thread: usize) {
        let lane = &mut self.lanes[thread];
        lane.ended = true;
        if lane.waiting.is_empty() {
            self.exhaust();
        }
    }

    /// The next position at which every thread has a record; `None` if there is none. Instances
    /// before it that some thread has skipped are left out.
    fn next(&mut self) -> Option<Next> {
        while self.empty == 0 && !self.exhausted {
            let skipped = self.skipped();
            if skipped.total() > 0 {
                self.leave_out(skipped);
                continue;
            }
            let kind = self.lanes.first()?.front_kind()?;
            let alike = self.lanes.iter().all(|l| l.front_kind() == Some(kind));
            return Some(match alike {
                true => Next::Complete(kind),
                false => Next::Mixed,
            });
        }
        None
    }

    /// Those instances from the next one on that some thread has no record of, as many as are alike
    /// in that.
    fn skipped(&self) -> SyncCount {
        let mut least: Option<SyncCount> = None;
        let mut recorded = None;
        for lane in &self.lanes {
            match lane.waiting.front() {
                Some(Slot::Skipped(count))
                    if least.is_none_or(|least| count.total() < least.total()) =>
                {
                    least = Some(*count);
                }
                Some(Slot::Record(_, record, _)) => recorded = Some(record.kind()),
                Some(Slot::Skipped(_)) | None => {}
            }
        }
        match (least, recorded) {
            (None, _) => SyncCount::default(),
            (Some(_), Some(kind)) => SyncCount::one(kind),
            (Some(least), None) => least,
        }
    }

    /// Passes by the next instances, as [`Sequence::skipped`] gives them.
    fn leave_out(&mut self, count: SyncCount) {
        let mut first = None;
        self.pass(count.total(), |lane| match lane.waiting.front_mut() {
            Some(Slot::Skipped(left)) if left.total() > count.total() => left.remove(count),
            _ => {
                if let Some(Slot::Record(_, record, _)) = lane.waiting.pop_front() {
                    first.get_or_insert(record);
                }
            }
        });
        if let Some(record) = first {
            self.partial.note(&record);
        }
    }

    /// Moves the next instance, of which every thread has a record of this kind, to `instance`.
    fn pop(&mut self, kind: Matched, instance: &mut SyncInstance<T>) {
        instance.kept.clear();
        instance.position = Some(self.position);
        let members = self.lanes.iter_mut();
        let members = members.filter_map(|lane| lane.waiting.pop_front());
        match kind {
            Matched::Barrier => instance.fill_barrier(members),
            Matched::Collective => instance.fill_collective(members),
        }
        self.pass(1, |_| {});
    }

    /// Goes on by `count` positions, where `each` takes from a lane what it has there.
    fn pass(&mut self, count: u64, mut each: impl FnMut(&mut Lane<T>)) {
        let mut last = false;
        for lane in &mut self.lanes {
            each(lane);
            let empty = lane.waiting.is_empty();
            self.empty += usize::from(empty);
            last |= empty && lane.ended;
        }
        self.position = self.position.saturating_add(count);
        if last {
            self.exhaust();
        }
    }

    /// Matches nothing any more; what waits is counted as unmatched.
    fn exhaust(&mut self) {
        // Nothing waits since the first time. Each thread that ends comes here: looking at all lanes
        // again would take the square of their number.
        if std::mem::replace(&mut self.exhausted, true) {
            return;
        }
        for lane in &mut self.lanes {
            for slot in lane.waiting.drain(..) {
                if let Slot::Record(_, record, _) = slot {
                    lane.unmatched.note(&record);
                }
            }
        }
    }

    /// Moves the collective operations that wait, and all that come later, to a sequence of their
    /// own.
    fn split(&mut self) -> Sequence<T> {
        let mut apart = Sequence::new(self.lanes.len());
        apart.exhausted = self.exhausted;
        self.empty = self.lanes.len();
        for thread in 0..self.lanes.len() {
            for slot in take(&mut self.lanes[thread].waiting) {
                self.push_apart(&mut apart, thread, slot);
            }
        }
        for thread in 0..self.lanes.len() {
            if self.lanes[thread].ended {
                self.end(thread);
                apart.end(thread);
            }
        }
        apart
    }

    /// Adds what a thread has to this sequence, or to that of collective operations.
    fn push_apart(&mut self, apart: &mut Sequence<T>, thread: usize, slot: Slot<T>) {
        let (barriers, collectives) = match slot {
            Slot::Skipped(count) => (
                SyncCount {
                    collectives: 0,
                    ..count
                },
                SyncCount {
                    barriers: 0,
                    ..count
                },
            ),
            Slot::Record(_, SyncRecord::Barrier(_), _) => return self.push(thread, slot),
            Slot::Record(_, SyncRecord::Collective(_), _) => return apart.push(thread, slot),
        };
        if barriers.total() > 0 {
            self.push(thread, Slot::Skipped(barriers));
        }
        if collectives.total() > 0 {
            apart.push(thread, Slot::Skipped(collectives));
        }
    }
}

/// Matches the synchronisations of all threads. `T` is what an analysis keeps with each record.
#[derive(Debug)]
pub struct SyncQueue<T> {
    sequence: Sequence<T>,
    /// Collective operations, once the order says nothing any more.
    apart: Option<Sequence<T>>,
    /// By thread: what it left so far.
    reached: Vec<SyncCount>,
    /// Collective operations up to the one about which threads disagree, that one included.
    until_disagreement: Option<u64>,
}

impl<T> SyncQueue<T> {
    /// An empty queue for a program of that number of threads.
    pub fn new(threads: usize) -> Self {
        SyncQueue {
            sequence: Sequence::new(threads),
            apart: None,
            reached: vec![SyncCount::default(); threads],
            until_disagreement: None,
        }
    }

    /// Adds what comes next on a thread.
    pub fn push(&mut self, thread: ThreadId, next: Numbered<T>) {
        let thread = thread as usize;
        let reached = &mut self.reached[thread];
        let slot = match next {
            Numbered::Record(record, kept) => {
                let kind = record.kind();
                let number = reached.of(kind);
                reached.add(SyncCount::one(kind));
                Slot::Record(number, record, kept)
            }
            Numbered::Skipped(count) => {
                reached.add(count);
                if count.total() == 0 {
                    return;
                }
                Slot::Skipped(count)
            }
        };
        match &mut self.apart {
            Some(apart) => self.sequence.push_apart(apart, thread, slot),
            None => self.sequence.push(thread, slot),
        }
    }

    /// States that the thread adds no more.
    pub fn end(&mut self, thread: ThreadId) {
        self.sequence.end(thread as usize);
        if let Some(apart) = &mut self.apart {
            apart.end(thread as usize);
        }
    }

    /// Moves the next instance that every thread has a record of to `instance`; false if there is
    /// none. Those before it that some thread has skipped are left out. A disagreement comes up
    /// once, and no collective operation after it.
    pub fn pop(&mut self, instance: &mut SyncInstance<T>) -> bool {
        loop {
            if let Some(next) = self.sequence.next() {
                match next {
                    Next::Complete(kind) => self.sequence.pop(kind, instance),
                    Next::Mixed => {
                        self.apart = Some(self.sequence.split());
                        continue;
                    }
                }
            } else {
                let Some(apart) = &mut self.apart else {
                    return false;
                };
                match apart.next() {
                    Some(Next::Complete(kind)) => apart.pop(kind, instance),
                    // It has collective operations alone.
                    Some(Next::Mixed) | None => return false,
                }
            }
            if let SyncEvent::Disagreement(disagreement) = &instance.event {
                self.until_disagreement = Some(disagreement.number.saturating_add(1));
                let sequence = &mut self.sequence;
                self.apart.get_or_insert_with(|| sequence.split()).exhaust();
            }
            if self.apart.is_some() {
                instance.position = None;
            }
            return true;
        }
    }

    /// Whether threads have not contradicted each other about the order of synchronisations so far.
    pub fn is_in_order(&self) -> bool {
        self.apart.is_none()
    }

    /// Number of instances of a kind that every thread has left so far: those included that some
    /// have skipped, and the one about which they disagree.
    pub fn completed(&self, kind: Matched) -> u64 {
        let least = self.reached.iter().map(|reached| reached.of(kind)).min();
        match (kind, self.until_disagreement) {
            (Matched::Collective, Some(number)) => number,
            _ => least.unwrap_or(0),
        }
    }

    /// Whether no further instance of a kind can be complete.
    pub fn is_exhausted(&self, kind: Matched) -> bool {
        match (kind, &self.apart) {
            (Matched::Collective, Some(apart)) => apart.exhausted,
            _ => self.sequence.exhausted,
        }
    }

    /// Instances of a kind that some threads have skipped and others have records of, and the path
    /// of the first.
    pub fn partial(&self, kind: Matched) -> Unmatched {
        let known = self.sequence.partial.of(kind);
        let apart = self.apart.as_ref();
        with(known, apart.map(|apart| apart.partial.of(kind)))
    }

    /// By thread: what it left so far, which are the numbers of those that it comes to next.
    pub fn reached(&self) -> &[SyncCount] {
        &self.reached
    }

    /// By thread: records of a kind that others have no counterpart for. Complete once every thread
    /// has ended.
    pub fn unmatched(&self, kind: Matched) -> impl Iterator<Item = Unmatched> + '_ {
        let lanes = self.sequence.lanes.iter().enumerate();
        lanes.map(move |(thread, lane)| {
            let apart = self.apart.as_ref().map(|apart| &apart.lanes[thread]);
            with(lane.unmatched.of(kind), apart.map(|l| l.unmatched.of(kind)))
        })
    }

    /// Records that are kept until they are matched.
    pub fn waiting(&self) -> usize {
        let sequences = std::iter::once(&self.sequence).chain(&self.apart);
        let lanes = sequences.flat_map(|sequence| &sequence.lanes);
        lanes.map(|lane| lane.waiting.len()).sum()
    }
}

/// Sum of earlier and later unmatched records.
fn with(mut known: Unmatched, later: Option<Unmatched>) -> Unmatched {
    if let Some(later) = later {
        known.count += later.count;
        known.first = known.first.or(later.first);
    }
    known
}
