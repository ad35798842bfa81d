//! A synchronisation that recurs, and the time between its occurrences: perhaps the iterations of a
//! loop.
//!
//! An iteration either begins with the segment that the synchronisation ends (it is the first one
//! of a loop's body), or ends with it. Which of the two is decided at its second occurrence: if
//! what came just before the first one belongs to the body too, the body ends with it, and begins
//! with that. If there is no other in the body, it ends it.

use super::details::{Details, Moments};
use super::durations::Durations;
use super::quantities::{self, Quantities};
use super::series::Series;
use crate::threads::calls::signatures::Signatures;

/// Sums since the beginning of the run, and when that was.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    pub quantities: Quantities,
    /// Ticks.
    pub time: u64,
}

impl Default for Point {
    fn default() -> Self {
        Point {
            quantities: quantities::none(),
            time: 0,
        }
    }
}

impl Point {
    /// Becomes equal to `other`.
    pub fn set(&mut self, other: &Point) {
        self.quantities.copy_from_slice(&other.quantities);
        self.time = other.time;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It occurred once.
    Undecided,
    /// An iteration begins with its segment.
    Opening,
    /// An iteration ends with its segment.
    Closing,
}

/// An occurrence in the sequence of segments.
pub(crate) struct Occurrence<'a> {
    /// At the end of the segment before.
    pub before: &'a Point,
    /// At the begin of the segment: the same, unless something is missing there.
    pub begin: Option<&'a Point>,
    /// At its end.
    pub after: &'a Point,
    /// Something is missing since the occurrence before it.
    pub broken: bool,
    /// Something is missing since then, but before this segment.
    pub broken_before: bool,
    /// Synchronisations since the occurrence before it, the latest first.
    pub body: &'a [u32],
    /// The synchronisation just before it.
    pub previous: Option<u32>,
}

/// Gaps of a candidate that are kept.
const GAPS: usize = 16;

/// Iterations that are missing between known ones, since recording was off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gap {
    /// Number of known iterations before it.
    pub after: u64,
    /// Ticks: the end of the last known iteration before it, and the begin of the first one after
    /// it.
    pub begin: u64,
    pub end: u64,
}

#[derive(Debug)]
pub(crate) struct Candidate {
    kind: Kind,
    /// Number of the segment of the first occurrence.
    first: u64,
    /// Unless it is unknown.
    first_before: Option<Point>,
    first_after: Point,
    /// At the begin of the iteration that is not over yet, unless that is unknown.
    lap: Option<Point>,
    /// Ticks at the begin of the first iteration, and at the end of the last.
    span: Option<(u64, u64)>,
    /// Synchronisations of the first iteration, sorted.
    body: Vec<u32>,
    /// With which the body ends, if it begins with this one.
    last_of_body: Option<u32>,
    pub series: Series,
    pub durations: Durations,
    gaps: Vec<Gap>,
    pub signatures: Signatures,
    pub moments: Moments,
}

impl Candidate {
    /// `segment` is the number of the first occurrence's, `before` its begin, unless that is
    /// unknown.
    pub fn new(segment: u64, before: Option<&Point>, after: &Point) -> Self {
        Candidate {
            kind: Kind::Undecided,
            first: segment,
            first_before: before.cloned(),
            first_after: after.clone(),
            lap: None,
            span: None,
            body: Vec::new(),
            last_of_body: None,
            series: Series::default(),
            durations: Durations::default(),
            gaps: Vec::new(),
            signatures: Signatures::default(),
            moments: Moments::default(),
        }
    }

    /// Whether it occurred more than once.
    pub fn recurs(&self) -> bool {
        self.kind != Kind::Undecided
    }

    /// Whether an iteration begins with its segment; else it ends with that.
    pub fn begins(&self) -> bool {
        self.kind == Kind::Opening
    }

    /// Ticks at the begin of the first iteration, and at the end of the last.
    pub fn span(&self) -> Option<(u64, u64)> {
        self.span
    }

    /// Whether `other` is a synchronisation of the body.
    pub fn contains(&self, other: u32) -> bool {
        self.body.binary_search(&other).is_ok()
    }

    /// Takes an occurrence but the first, before `details` have the segment that ends with it.
    /// `head(segment, body, most)` is the begin of the segments of the body, but at most so
    /// many, that lie just before a segment, if there are any.
    pub fn occurs_before(
        &mut self,
        segment: u64,
        occurrence: &Occurrence,
        details: &Details,
        head: impl FnOnce(u64, &[u32], u64) -> Option<Point>,
    ) {
        match self.kind {
            Kind::Undecided if occurrence.broken => {
                *self = Candidate::new(segment, occurrence.begin, occurrence.after);
                return;
            }
            Kind::Undecided => {
                self.body = occurrence.body.to_vec();
                self.body.sort_unstable();
                self.last_of_body = occurrence.previous;
                let between = segment - self.first - 1;
                let first = self.first_before.take();
                let begin = match self.body.is_empty() {
                    // There is nothing else in it: what may come in some iterations comes before.
                    true => first.clone(),
                    false => head(self.first, &self.body, between),
                };
                if self.body.is_empty() || begin.is_some() {
                    self.kind = Kind::Closing;
                    // Something may be missing between these and the first occurrence.
                    self.lap = first.and(begin);
                    let end = self.first_after.clone();
                    self.complete(&end);
                } else {
                    self.kind = Kind::Opening;
                    self.lap = first;
                    self.complete(occurrence.before);
                }
                self.moments.pass(self.series.iterations(), details);
            }
            Kind::Opening => {
                if occurrence.broken_before {
                    self.lap = None;
                }
                self.complete(occurrence.before);
                self.moments.pass(self.series.iterations(), details);
                if occurrence.begin.is_none() {
                    self.lap = None;
                }
            }
            Kind::Closing => {
                if occurrence.broken {
                    self.lap = None;
                }
            }
        }
        if !occurrence.broken {
            let mut body = occurrence.body.len() as u64;
            for &symbol in occurrence.body {
                body = crate::model::mix::mix(body ^ u64::from(symbol));
            }
            self.signatures.note(body);
        }
    }

    /// The same once `details` have the segment.
    pub fn occurs_after(&mut self, after: &Point, details: &Details) {
        if self.kind == Kind::Closing {
            self.complete(after);
            self.moments.pass(self.series.iterations(), details);
        }
    }

    /// Iterations are known again from a time (ticks) on: notes that some are missing before it.
    fn resumes(&mut self, time: u64) {
        let Some((_, end)) = self.span else {
            return;
        };
        let after = self.series.iterations();
        let known = self.gaps.last_mut().filter(|last| last.after == after);
        if let Some(last) = known {
            last.end = time;
        } else if self.gaps.len() < GAPS {
            self.gaps.push(Gap {
                after,
                begin: end,
                end: time,
            });
        }
    }

    /// Where iterations are missing between known ones; the first of them, if there are many.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Ends an iteration and begins the next.
    fn complete(&mut self, until: &Point) {
        let Some(lap) = &mut self.lap else {
            self.lap = Some(until.clone());
            self.resumes(until.time);
            return;
        };
        let begin = lap.time;
        for (sum, value) in lap.quantities.iter_mut().zip(&until.quantities) {
            *sum = value.wrapping_sub(*sum);
        }
        self.series.push(&lap.quantities, until.time);
        self.durations.push(begin, until.time - begin);
        let first = self.span.map_or(begin, |(first, _)| first);
        self.span = Some((first, until.time));
        lap.set(until);
    }

    /// The last synchronisation of the last iteration, if the body begins with this one.
    pub fn ends_with(&self) -> Option<u32> {
        self.last_of_body.filter(|_| self.kind == Kind::Opening)
    }

    /// Ends the last iteration.
    pub fn finish(&mut self, end: &Point) {
        if self.lap.is_some() {
            self.complete(end);
        }
        self.lap = None;
    }
}
