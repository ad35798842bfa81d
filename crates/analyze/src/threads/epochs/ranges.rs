//! Places in shared memory that were touched, as ranges of addresses by owner. A set of them is
//! bounded: what does not fit is rounded to coarser blocks, so that it covers more than was
//! touched, never less.

use pgas_trace::model::ThreadId;
use serde::{Deserialize, Serialize};

/// Ranges that a set keeps when it has become too large, at most; it may have twice as many before
/// that.
const MOST: usize = 1024;

/// Consecutive bytes with affinity to one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Range {
    /// The thread that the bytes have affinity to.
    pub owner: ThreadId,
    /// The first address, in the owner's shared memory.
    pub begin: u64,
    /// The first address after it.
    pub end: u64,
}

impl Range {
    /// `bytes` bytes from address `begin` of the shared memory of `owner`.
    pub fn new(owner: ThreadId, begin: u64, bytes: u64) -> Self {
        Range {
            owner,
            begin,
            end: begin.saturating_add(bytes),
        }
    }

    /// Whether the two overlap or adjoin.
    fn meets(&self, other: &Range) -> bool {
        self.owner == other.owner && self.begin <= other.end && other.begin <= self.end
    }
}

/// A set of places.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranges {
    ranges: Vec<Range>,
    /// From here on, ranges are as they came; those before are in order and apart from each other.
    tidy: usize,
    /// Number of ranges from which on it is too large.
    room: usize,
    /// It covers more than was touched.
    is_coarse: bool,
}

impl Ranges {
    /// Adds a range; an empty one has no effect.
    #[inline]
    pub fn add(&mut self, range: Range) {
        if range.begin >= range.end {
            return;
        }
        // Loops go through memory in order.
        if let Some(last) = self.ranges[self.tidy..].last_mut() {
            if last.meets(&range) {
                last.begin = last.begin.min(range.begin);
                last.end = last.end.max(range.end);
                return;
            }
        }
        if self.ranges.len() >= self.room.max(2 * MOST) {
            self.shrink();
        }
        self.ranges.push(range);
    }

    /// Adds all of another set.
    pub fn add_all(&mut self, other: &Ranges) {
        self.is_coarse |= other.is_coarse;
        other.ranges.iter().for_each(|&range| self.add(range));
    }

    /// In order and apart from each other.
    pub fn tidy(&mut self) {
        if self.tidy == self.ranges.len() {
            return;
        }
        self.ranges.sort_unstable();
        self.ranges.dedup_by(|next, kept| {
            let meets = kept.meets(next);
            if meets {
                kept.end = kept.end.max(next.end);
            }
            meets
        });
        self.tidy = self.ranges.len();
    }

    /// Makes room. Blocks become coarser until there are few enough, one for each owner at the
    /// worst.
    fn shrink(&mut self) {
        self.tidy();
        let mut bits = 6;
        while self.ranges.len() > MOST && bits < u64::BITS {
            self.is_coarse = true;
            let rest = (1 << bits) - 1;
            for range in &mut self.ranges {
                range.begin &= !rest;
                range.end = range.end.saturating_add(rest) & !rest;
                if range.end <= range.begin {
                    range.end = u64::MAX;
                }
            }
            self.tidy = 0;
            self.tidy();
            bits += 1;
        }
        self.room = 2 * self.ranges.len();
    }

    /// Ranges of the set; in order and apart from each other only after [`Ranges::tidy`].
    pub fn as_slice(&self) -> &[Range] {
        &self.ranges
    }

    /// Whether it is exactly what was touched, rather than more.
    pub fn is_exact(&self) -> bool {
        !self.is_coarse
    }

    /// Empties it; its memory is kept.
    pub fn clear(&mut self) {
        self.ranges.clear();
        self.tidy = 0;
        self.is_coarse = false;
    }
}

/// Places that a thread has read and written in some time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// Places that were read.
    pub reads: Ranges,
    /// Places that were written.
    pub writes: Ranges,
}

impl Touched {
    /// Adds the places that `other` covers.
    pub fn add(&mut self, other: &Touched) {
        self.reads.add_all(&other.reads);
        self.writes.add_all(&other.writes);
    }

    /// Puts the ranges in order and joins those that overlap or adjoin.
    pub fn tidy(&mut self) {
        self.reads.tidy();
        self.writes.tidy();
    }

    /// Empties both sets; their memory is kept.
    pub fn clear(&mut self) {
        self.reads.clear();
        self.writes.clear();
    }
}

/// Finds whether two threads have touched the same place, one before and the other after some
/// moment, one of them writing. Keeps its memory from time to time.
#[derive(Debug, Default)]
pub struct Conflicts {
    all: Vec<(Range, Access, ThreadId)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    is_after: bool,
    is_write: bool,
}

impl Access {
    fn index(self) -> usize {
        usize::from(self.is_after) + 2 * usize::from(self.is_write)
    }
}

/// How far the ranges so far reach: the furthest end, and the furthest of other threads.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    first: (u64, ThreadId),
    second: u64,
}

impl Reach {
    fn extend(&mut self, end: u64, thread: ThreadId) {
        if thread == self.first.1 {
            self.first.0 = self.first.0.max(end);
        } else if end > self.first.0 {
            self.second = self.first.0;
            self.first = (end, thread);
        } else {
            self.second = self.second.max(end);
        }
    }

    /// The furthest end of any thread but one.
    fn of_others(&self, thread: ThreadId) -> u64 {
        match self.first.1 == thread {
            true => self.second,
            false => self.first.0,
        }
    }
}

impl Conflicts {
    /// Index of both is the thread.
    pub fn between(&mut self, before: &[Touched], after: &[Touched]) -> bool {
        self.all.clear();
        for (is_after, threads) in [(false, before), (true, after)] {
            for (thread, touched) in threads.iter().enumerate() {
                for (is_write, ranges) in [(false, &touched.reads), (true, &touched.writes)] {
                    let access = Access { is_after, is_write };
                    let ranges = ranges.as_slice().iter();
                    self.all
                        .extend(ranges.map(|&range| (range, access, thread as ThreadId)));
                }
            }
        }
        self.all.sort_unstable();
        let mut owner = None;
        let mut reaches = [Reach::default(); 4];
        for &(range, access, thread) in &self.all {
            if owner != Some(range.owner) {
                owner = Some(range.owner);
                reaches = [Reach::default(); 4];
            }
            let is_after = !access.is_after;
            let meets = |is_write| {
                let other = Access { is_after, is_write };
                reaches[other.index()].of_others(thread) > range.begin
            };
            if meets(true) || access.is_write && meets(false) {
                return true;
            }
            reaches[access.index()].extend(range.end, thread);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranges(all: &[(u32, u64, u64)]) -> Ranges {
        let mut ranges = Ranges::default();
        for &(owner, begin, bytes) in all {
            ranges.add(Range::new(owner, begin, bytes));
        }
        ranges.tidy();
        ranges
    }

    #[test]
    fn what_adjoins_is_one() {
        let set = ranges(&[
            (0, 8, 8),
            (0, 16, 8),
            (1, 24, 8),
            (0, 40, 1),
            (0, 30, 20),
            (0, 9, 0),
        ]);
        let expected = [(0, 8, 16), (0, 30, 20), (1, 24, 8)];
        assert_eq!(
            set.as_slice(),
            expected.map(|(o, b, n)| Range::new(o, b, n))
        );
        assert!(set.is_exact());
    }

    #[test]
    fn many_places_become_coarser_and_lose_none() {
        let mut set = Ranges::default();
        let places: Vec<Range> = (0..50_000)
            .map(|i| Range::new(i as u32 % 3, i * 100, 4))
            .collect();
        places.iter().for_each(|&range| set.add(range));
        set.tidy();
        assert!(set.as_slice().len() <= 2 * MOST && !set.is_exact());
        for place in places {
            let covers =
                |r: &Range| r.owner == place.owner && r.begin <= place.begin && place.end <= r.end;
            assert!(set.as_slice().iter().any(covers), "{place:?}");
        }
        // As many owners as there can be.
        let mut set = Ranges::default();
        (0..5000).for_each(|owner| set.add(Range::new(owner, u64::MAX - 9, 20)));
        assert!(set.as_slice().len() >= 5000 - 2 * MOST);
    }

    /// By thread: (is_write, owner, begin, bytes).
    type Accesses = Vec<Vec<(bool, u32, u64, u64)>>;

    fn touched(accesses: &Accesses) -> Vec<Touched> {
        let of_thread = |all: &Vec<(bool, u32, u64, u64)>| {
            let mut touched = Touched::default();
            for &(is_write, owner, begin, bytes) in all {
                let set = if is_write {
                    &mut touched.writes
                } else {
                    &mut touched.reads
                };
                set.add(Range::new(owner, begin, bytes));
            }
            touched.tidy();
            touched
        };
        accesses.iter().map(of_thread).collect()
    }

    fn accesses() -> impl Strategy<Value = Accesses> {
        let access = (any::<bool>(), 0u32..2, 0u64..60, 0u64..5);
        prop::collection::vec(prop::collection::vec(access, 0..4), 3)
    }

    proptest! {
        #[test]
        fn conflicts_are_those_of_single_bytes(before in accesses(), after in accesses()) {
            let mut truth = false;
            for (s, first) in before.iter().enumerate() {
                for (t, second) in after.iter().enumerate() {
                    for a in first {
                        for b in second {
                            let overlap = a.1 == b.1 && a.2.max(b.2) < (a.2 + a.3).min(b.2 + b.3);
                            truth |= s != t && (a.0 || b.0) && overlap;
                        }
                    }
                }
            }
            prop_assert_eq!(Conflicts::default().between(&touched(&before), &touched(&after)), truth);
        }
    }
}
