//! History of one thread since all threads were last together: pieces of work and of waiting, in
//! order of time.
//!
//! There is a piece for each synchronisation point since then, but not more than some thousands:
//! the oldest are then put together, and the time within such a piece counts as evenly spread.

use pgas_earl::PathId;
use pgas_trace::model::ThreadId;
use rustc_hash::FxHashMap;

use super::entries::Entries;
use super::tally::{Tally, proportion};

/// Ticks of waiting that a thread's work at a call path is the root cause of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Root {
    /// The thread whose work others waited for.
    pub thread: ThreadId,
    /// Call path of that work.
    pub path: PathId,
    /// Ticks of waiting that it accounts for.
    pub ticks: u64,
}

/// Pieces of a thread since it was last together with all others.
const MOST_PIECES: usize = 4096;

#[derive(Debug, Clone, Copy)]
struct Piece {
    begin: u64,
    end: u64,
    /// Ticks of waiting for others within.
    waited: u64,
    /// Numbers after its last entries.
    work_end: u64,
    roots_end: u64,
}

/// Time that a thread waited, within an interval.
#[derive(Debug, Clone, Copy)]
pub struct Waited {
    /// Ticks within the interval.
    pub ticks: u64,
    /// Ticks of the whole wait.
    pub whole: u64,
    /// Where its root causes are; see [`History::roots`].
    from: u64,
    to: u64,
}

/// Pieces of work and of waiting of one thread; see the module.
#[derive(Debug, Default)]
pub struct History {
    pieces: Entries<Piece>,
    /// Of all pieces, one after the other.
    work: Entries<(PathId, u64)>,
    roots: Entries<Root>,
    /// Ticks since when the thread is on its own.
    since: u64,
    /// Pieces since then.
    recent: usize,
    /// How often pieces were put together.
    version: u32,
}

impl History {
    /// Adds the next piece: what the thread did between two times in ticks, and how long of it,
    /// why, it waited. Ticks of waiting are not in `work`.
    pub fn push(
        &mut self,
        (begin, end): (u64, u64),
        work: impl Iterator<Item = (PathId, u64)>,
        waited: u64,
        roots: &[Root],
    ) {
        if begin >= end {
            return;
        }
        self.work.extend(work.filter(|&(_, ticks)| ticks > 0));
        self.roots.extend(roots.iter().copied());
        self.pieces.push(Piece {
            begin,
            end,
            waited,
            work_end: self.work.end(),
            roots_end: self.roots.end(),
        });
        self.recent += 1;
        if self.recent > MOST_PIECES {
            self.condense();
        }
    }

    /// All threads were together at `time` (ticks). Earlier pieces are kept for threads that have
    /// not got there.
    pub fn together(&mut self, time: u64) {
        self.since = time;
        // Nearly all pieces are from before.
        let is_later = |piece: &&Piece| piece.end > time;
        let latest = self.pieces.as_slice().iter().rev();
        self.recent = latest.take_while(is_later).count();
    }

    /// Ticks at which the thread was last together with all others.
    pub fn since(&self) -> u64 {
        self.since
    }

    /// Changes when pieces that were there before are not there any more as they were.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Forgets what was before `time` (ticks).
    pub fn forget(&mut self, time: u64) {
        let pieces = self.pieces.as_slice();
        let gone = pieces.iter().take_while(|piece| piece.end <= time);
        let gone = gone.count();
        let Some(&last) = gone.checked_sub(1).and_then(|last| pieces.get(last)) else {
            return;
        };
        self.pieces.drop_until(self.pieces.first() + gone as u64);
        self.work.drop_until(last.work_end);
        self.roots.drop_until(last.roots_end);
    }

    /// Adds up what the thread did between two times. Returns the ticks of waiting.
    pub fn add_up(
        &self,
        from: u64,
        to: u64,
        work: &mut Tally,
        mut wait: impl FnMut(Waited),
    ) -> u64 {
        let (before, pieces) = self.pieces.as_slice().split_at(self.first_after(from));
        let before = before.last();
        let mut work_begin = before.map_or(self.work.first(), |piece| piece.work_end);
        let mut roots_begin = before.map_or(self.roots.first(), |piece| piece.roots_end);
        let mut waited = 0;
        for piece in pieces {
            if piece.begin >= to {
                break;
            }
            let inside = piece.end.min(to) - piece.begin.max(from);
            let whole = piece.end - piece.begin;
            for &(path, ticks) in self.work.range(work_begin, piece.work_end) {
                work.add(path, proportion(ticks, inside, whole));
            }
            let ticks = proportion(piece.waited, inside, whole);
            if ticks > 0 {
                waited += ticks;
                wait(Waited {
                    ticks,
                    whole: piece.waited,
                    from: roots_begin,
                    to: piece.roots_end,
                });
            }
            (work_begin, roots_begin) = (piece.work_end, piece.roots_end);
        }
        waited
    }

    /// Number of the first piece that ends after `time` (ticks).
    fn first_after(&self, time: u64) -> usize {
        // Mostly what is asked for is since all threads were together.
        let pieces = self.pieces.as_slice();
        let likely = pieces.len().saturating_sub(self.recent);
        let ends_after = |index: usize| pieces.get(index).is_none_or(|p| p.end > time);
        let ends_before = |index: usize| pieces.get(index).is_none_or(|p| p.end <= time);
        if ends_after(likely) && (likely == 0 || ends_before(likely - 1)) {
            return likely;
        }
        pieces.partition_point(|piece| piece.end <= time)
    }

    /// Root causes of a wait that [`History::add_up`] has named; the history must have the same
    /// [`History::version`].
    pub fn roots(&self, wait: Waited) -> impl Iterator<Item = &Root> {
        self.roots.range(wait.from, wait.to).iter()
    }

    /// Puts the older half of the recent pieces into one.
    fn condense(&mut self) {
        let pieces = self.pieces.as_slice();
        let first = pieces.len() - self.recent;
        let last = first + self.recent / 2;
        let (begin, end) = (pieces[first].begin, pieces[last].end);
        let mut work = Tally::default();
        let mut waits = Vec::new();
        let waited = self.add_up(begin, end, &mut work, |wait| waits.push(wait));
        let mut roots: Vec<Root> = Vec::new();
        let mut places: FxHashMap<(ThreadId, PathId), usize> = FxHashMap::default();
        for root in waits.into_iter().flat_map(|wait| self.roots(wait)) {
            let place = *places
                .entry((root.thread, root.path))
                .or_insert(roots.len());
            match roots.get_mut(place) {
                Some(known) => known.ticks += root.ticks,
                None => roots.push(*root),
            }
        }
        let mut condensed = History {
            since: self.since,
            work: Entries::starting_at(self.work.first()),
            roots: Entries::starting_at(self.roots.first()),
            version: self.version.wrapping_add(1),
            ..History::default()
        };
        for index in (0..first).chain(last + 1..pieces.len()) {
            if index == last + 1 {
                condensed.push((begin, end), work.iter(), waited, &roots);
            }
            let piece = pieces[index];
            let before = index.checked_sub(1).map(|before| pieces[before]);
            let work_begin = before.map_or(self.work.first(), |piece| piece.work_end);
            let roots_begin = before.map_or(self.roots.first(), |piece| piece.roots_end);
            let own = self.work.range(work_begin, piece.work_end);
            let causes = self.roots.range(roots_begin, piece.roots_end);
            let span = (piece.begin, piece.end);
            condensed.push(span, own.iter().copied(), piece.waited, causes);
        }
        condensed.recent = condensed.pieces.as_slice().len() - first;
        *self = condensed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: PathId = PathId(1);
    const G: PathId = PathId(2);

    fn work(history: &History, from: u64, to: u64) -> (Vec<(PathId, u64)>, u64) {
        let mut tally = Tally::default();
        let waited = history.add_up(from, to, &mut tally, |_| {});
        (tally.iter().collect(), waited)
    }

    fn root(path: PathId, ticks: u64) -> Root {
        Root {
            thread: 3,
            path,
            ticks,
        }
    }

    #[test]
    fn an_interval_has_what_lies_in_it() {
        let mut history = History::default();
        history.push((0, 10), [(F, 10)].into_iter(), 0, &[]);
        history.push((10, 30), [(G, 4)].into_iter(), 16, &[root(F, 16)]);
        history.push((30, 40), [(G, 10)].into_iter(), 0, &[]);
        assert_eq!(work(&history, 0, 30), (vec![(F, 10), (G, 4)], 16));
        assert_eq!(work(&history, 10, 40), (vec![(G, 14)], 16));
        // Half of a piece counts half.
        assert_eq!(work(&history, 20, 35), (vec![(G, 7)], 8));
        history.forget(10);
        assert_eq!(work(&history, 10, 40), (vec![(G, 14)], 16));
        let mut found = Vec::new();
        history.add_up(20, 40, &mut Tally::default(), |wait| {
            found.push((wait.ticks, wait.whole, history.roots(wait).count()));
        });
        assert_eq!(found, [(8, 16, 1)]);
    }

    #[test]
    fn a_long_history_is_put_together() {
        let mut history = History::default();
        history.push((0, 10), [(F, 10)].into_iter(), 0, &[]);
        history.together(10);
        for round in 1..20_000 {
            let begin = 10 * round;
            history.push(
                (begin, begin + 10),
                [(F, 3), (G, 5)].into_iter(),
                2,
                &[root(G, 1), root(F, 1)],
            );
        }
        assert!(history.pieces.as_slice().len() <= MOST_PIECES + 2);
        assert!(history.work.as_slice().len() <= 2 * MOST_PIECES + 4);
        // Nothing is lost.
        let rounds = 19_999;
        assert_eq!(
            work(&history, 10, u64::MAX),
            (vec![(F, 3 * rounds), (G, 5 * rounds)], 2 * rounds)
        );
        assert_eq!(work(&history, 0, 10).0, [(F, 10)]);
        assert_eq!(
            history
                .roots
                .as_slice()
                .iter()
                .map(|root| root.ticks)
                .sum::<u64>(),
            2 * rounds
        );
    }
}
