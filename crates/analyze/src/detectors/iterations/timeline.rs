//! The run as a sequence of segments, and the loops that may have made it: every synchronisation
//! that recurs is a candidate for the one that an iteration begins or ends with.
//!
//! A segment costs time in proportion to the synchronisations of one iteration. Kept are sums for
//! at most [`SYMBOLS`] synchronisations, for [`CANDIDATES`] of them 512 bins, and for the first
//! [`HEAD`] segments.

use pgas_earl::PathId;
use rustc_hash::FxHashMap;

use super::candidate::{Candidate, Occurrence, Point};
use super::details::Details;
use super::quantities::{self, DURATION};
use super::segment::Segment;
use crate::model::mix::mix;

/// Synchronisations that are distinguished; what comes later is not.
const SYMBOLS: usize = 1024;
/// Candidates at a time.
const CANDIDATES: usize = 64;
/// Segments from the beginning of the run that are known one by one.
const HEAD: usize = 512;

/// Stands in the place of a synchronisation that is missing.
const GAP: u32 = u32::MAX;

/// A synchronisation of all threads, by its call path.
#[derive(Debug)]
pub(crate) struct Symbol {
    pub path: PathId,
    /// Number of the latest segment that it ends.
    last: u64,
    after: Point,
    pub candidate: Option<Box<Candidate>>,
}

#[derive(Debug, Default)]
pub(crate) struct Timeline {
    symbols: Vec<Symbol>,
    known: FxHashMap<u64, u32>,
    /// Symbols, the latest first.
    recent: Vec<u32>,
    candidates: usize,
    head: Vec<(u32, Point)>,
    segments: u64,
    /// Number of the first segment after the latest gap; 0 if there is none.
    behind_gap: u64,
    /// The same of the gap before that.
    behind_earlier_gap: u64,
    before: Point,
    now: Point,
    details: Details,
}

impl Timeline {
    /// Takes the next segment.
    pub fn push(&mut self, mut segment: Segment) {
        let number = self.segments;
        self.segments += 1;
        if number == 0 {
            self.now.time = segment.begin.min(segment.end);
        }
        self.before.set(&self.now);
        let end = segment.end.max(self.now.time);
        segment.quantities[DURATION] = end - self.now.time;
        quantities::add(&mut self.now.quantities, &segment.quantities);
        self.now.time = end;
        let Some(id) = self.intern(&segment, number) else {
            self.remember(GAP);
            self.details.take(&segment);
            return;
        };
        // The time before the first synchronisation, or while recording was off, is no part of a
        // loop.
        let is_whole = self.behind_gap < number;
        self.remember(if is_whole { id } else { GAP });
        let mut candidate = self.symbols[id as usize].candidate.take();
        let place = self.recent.iter().position(|&known| known == id);
        if let (Some(candidate), Some(place)) = (&mut candidate, place) {
            let last = self.symbols[id as usize].last;
            let earlier_gap = match is_whole {
                true => self.behind_gap,
                false => self.behind_earlier_gap,
            };
            let occurrence = Occurrence {
                before: &self.before,
                begin: is_whole.then_some(&self.before),
                after: &self.now,
                broken: last < self.behind_gap,
                broken_before: last < earlier_gap,
                body: &self.recent[..place],
                previous: self.recent.first().copied(),
            };
            let head = |first, body: &[u32], most| self.begin_of_body(first, id, body, most);
            candidate.occurs_before(number, &occurrence, &self.details, head);
        }
        self.details.take(&segment);
        match &mut candidate {
            Some(candidate) => candidate.occurs_after(&self.now, &self.details),
            None => {
                self.make_room(number);
                self.candidates += 1;
                let before = is_whole.then_some(&self.before);
                candidate = Some(Box::new(Candidate::new(number, before, &self.now)));
            }
        }
        let symbol = &mut self.symbols[id as usize];
        symbol.candidate = candidate;
        symbol.last = number;
        symbol.after.set(&self.now);
        match place {
            Some(place) => self.recent[..=place].rotate_right(1),
            None => self.recent.insert(0, id),
        }
    }

    /// Something is missing here.
    pub fn gap(&mut self) {
        if self.behind_gap < self.segments {
            self.behind_earlier_gap = self.behind_gap;
            self.behind_gap = self.segments;
        }
    }

    fn intern(&mut self, segment: &Segment, number: u64) -> Option<u32> {
        if let Some(&id) = self.known.get(&segment.key) {
            return Some(id);
        }
        if self.symbols.len() == SYMBOLS {
            return None;
        }
        let id = self.symbols.len() as u32;
        self.known.insert(segment.key, id);
        self.symbols.push(Symbol {
            path: segment.path,
            last: number,
            after: Point::default(),
            candidate: None,
        });
        Some(id)
    }

    fn remember(&mut self, id: u32) {
        if self.head.len() < HEAD {
            self.head.push((id, self.before.clone()));
        }
    }

    /// The begin of the segments of a body, `most` at most, that lie just before a segment; `None`
    /// if there are none.
    fn begin_of_body(&self, first: u64, own: u32, body: &[u32], most: u64) -> Option<Point> {
        let before = self.head.get(..first as usize)?;
        let belongs = |id: u32| id != own && body.binary_search(&id).is_ok();
        let parts = before.iter().rev().take(most as usize);
        let parts = parts.take_while(|(id, _)| belongs(*id));
        parts.last().map(|(_, begin)| begin.clone())
    }

    /// Drops a candidate if there are too many: one of those that have not recurred, whichever, so
    /// that neither what happens once before a loop nor a loop of very many synchronisations
    /// keeps all others from being found.
    fn make_room(&mut self, number: u64) {
        if self.candidates < CANDIDATES {
            return;
        }
        let iterations = |symbol: &Symbol| {
            let candidate = symbol.candidate.as_ref()?;
            Some(candidate.series.iterations())
        };
        let Some(least) = self.symbols.iter().filter_map(iterations).min() else {
            return;
        };
        let alike: Vec<usize> = (0..self.symbols.len())
            .filter(|&id| iterations(&self.symbols[id]) == Some(least))
            .collect();
        let dropped = alike[(mix(number) % alike.len() as u64) as usize];
        self.symbols[dropped].candidate = None;
        self.candidates -= 1;
    }

    /// Must be called after the last segment: ends iterations that nothing else has ended.
    pub fn finish(&mut self) {
        for id in 0..self.symbols.len() {
            let Some(mut candidate) = self.symbols[id].candidate.take() else {
                continue;
            };
            if let Some(last) = candidate.ends_with() {
                let begun = self.symbols[id].last;
                let end = &self.symbols[last as usize];
                let mut since = self.recent.iter().filter(|&&other| {
                    let when = self.symbols[other as usize].last;
                    begun < when && when <= end.last
                });
                let whole = end.last > begun;
                let alone = since.all(|&other| candidate.contains(other));
                if whole && alone && self.behind_gap <= begun {
                    candidate.finish(&end.after);
                }
            }
            self.symbols[id].candidate = Some(candidate);
        }
    }

    pub fn details(&self) -> &Details {
        &self.details
    }

    /// Those that recur, in the order in which they first occurred.
    pub fn candidates(&self) -> impl Iterator<Item = (PathId, &Candidate)> {
        self.symbols.iter().filter_map(|symbol| {
            let candidate = symbol.candidate.as_deref()?;
            candidate.recurs().then_some((symbol.path, candidate))
        })
    }
}
