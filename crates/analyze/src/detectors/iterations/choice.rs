//! Which candidates are loops worth reporting: the outermost one with enough iterations that takes
//! most of the time that any loop takes; one inside of it that is nearly all of it, if the outer
//! one has few iterations; and the same again for the time before and after it.
//!
//! A loop in which something is done every tenth time looks like ten iterations of one loop inside
//! of another. Where both would be in the same function, the inner one is taken first: that every
//! tenth iteration is long will be said.
//!
//! Calls of a function are a loop only where no synchronisation of all threads tells as much about
//! the same time.

use pgas_earl::PathId;
use pgas_result::phases::Boundary;

use super::calls::CallLoop;
use super::candidate::{Candidate, Gap};
use super::details::{Detail, Details, Moments};
use super::durations::Durations;
use super::quantities::{self, DURATION};
use super::series::Series;

/// Fewer are no loop.
const ITERATIONS: u64 = 4;
/// Share of the run that a loop takes.
const COVERAGE: f64 = 0.2;
/// Share of what the longest loop takes.
const OF_LONGEST: f64 = 0.75;
/// An outer loop with fewer iterations says little about how things develop.
const FEW_ITERATIONS: u64 = 20;
/// Share of the outer loop that an inner one takes to be reported besides.
const INNER_COVERAGE: f64 = 0.8;
/// Loops one after the other.
const LOOPS: usize = 3;

/// A loop that was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen<'a> {
    /// Call path of the synchronisation, function, or region.
    pub path: PathId,
    pub boundary: Boundary,
    pub iterations: u64,
    /// Ticks of all iterations.
    pub ticks: f64,
    /// Share of the run, 0 to 1.
    pub coverage: f64,
    /// Ticks at the begin of the first iteration, and at the end of the last.
    pub span: (u64, u64),
    pub series: &'a Series,
    pub durations: &'a Durations,
    /// Where iterations are missing between known ones.
    pub gaps: &'a [Gap],
    /// Of calls: recording was off after them.
    pub paused: bool,
    moments: &'a Moments,
    details: &'a Details,
    /// Number of durations that are added up to one of the series.
    summed: usize,
}

impl<'a> Chosen<'a> {
    /// A synchronisation that recurs in a run of `run` ticks; `None` if the segments between are
    /// not alike.
    pub fn synchronised(
        path: PathId,
        candidate: &'a Candidate,
        details: &'a Details,
        run: u64,
    ) -> Option<Self> {
        let ticks = candidate.series.total(DURATION) as f64;
        if !candidate.signatures.are_alike() {
            return None;
        }
        Some(Chosen {
            path,
            boundary: match candidate.begins() {
                true => Boundary::Begins,
                false => Boundary::Ends,
            },
            iterations: candidate.series.iterations(),
            ticks,
            coverage: ticks / run.max(1) as f64,
            span: candidate.span()?,
            series: &candidate.series,
            durations: &candidate.durations,
            gaps: candidate.gaps(),
            paused: false,
            moments: &candidate.moments,
            details,
            summed: 1,
        })
    }

    /// Calls that are iterations.
    pub fn called(found: &'a CallLoop, threads: usize, run: u64) -> Self {
        let ticks = found.ticks as f64 / threads.max(1) as f64;
        Chosen {
            path: found.path,
            boundary: Boundary::Call,
            iterations: found.iterations,
            ticks,
            coverage: ticks / run.max(1) as f64,
            span: found.span,
            series: &found.series,
            durations: &found.durations,
            gaps: &[],
            paused: found.paused,
            moments: &found.moments,
            details: &found.details,
            summed: threads.max(1),
        }
    }

    /// Divisor that makes a quantity one of a thread, or of the run for those that are the same for
    /// all threads.
    pub fn divisor(&self, quantity: usize, threads: usize) -> f64 {
        match quantity {
            DURATION => self.summed as f64,
            quantity => quantities::share_of_thread(quantity, threads),
        }
    }

    /// A detail per iteration, from one moment to the next.
    pub fn rates(&self, detail: Detail) -> Vec<f64> {
        self.rates_of_first(detail, u64::MAX)
    }

    /// The same of the first N iterations.
    pub fn rates_of_first(&self, detail: Detail, iterations: u64) -> Vec<f64> {
        self.moments.rates(self.details, detail, iterations)
    }

    /// The details that there are.
    pub fn known_details(&self) -> impl Iterator<Item = Detail> + 'a {
        Moments::known(self.details)
    }

    fn is_worth_a_word(&self) -> bool {
        self.iterations >= ITERATIONS && self.coverage >= COVERAGE
    }

    /// Whether a synchronisation's iterations tell as much about these calls: they are as many, or
    /// enough.
    fn is_told_by(&self, other: &Chosen) -> bool {
        self.overlaps(other)
            && other.coverage >= OF_LONGEST * self.coverage
            && (other.iterations >= FEW_ITERATIONS || 2 * other.iterations > self.iterations)
    }

    fn overlaps(&self, other: &Chosen) -> bool {
        self.span.0 < other.span.1 && other.span.0 < self.span.1
    }
}

/// The loops of a run: those that take more of it first, then what is inside or around each. `home`
/// is the function that a loop with a boundary at this call path and this number of iterations is
/// in.
pub(crate) fn choose<'a>(
    synchronised: impl Iterator<Item = Chosen<'a>>,
    called: impl Iterator<Item = Chosen<'a>>,
    home: impl Fn(PathId, u64) -> PathId,
) -> Vec<Chosen<'a>> {
    let mut fitting: Vec<Chosen> = synchronised.filter(Chosen::is_worth_a_word).collect();
    let called: Vec<Chosen> = called
        .filter(Chosen::is_worth_a_word)
        .filter(|calls| !fitting.iter().any(|other| calls.is_told_by(other)))
        .collect();
    fitting.extend(called);
    let mut loops = Vec::new();
    for _ in 0..LOOPS {
        let by_coverage = |a: &&Chosen, b: &&Chosen| a.coverage.total_cmp(&b.coverage);
        let Some(longest) = fitting.iter().max_by(by_coverage) else {
            break;
        };
        let around =
            |c: &&Chosen| c.overlaps(longest) && c.coverage >= OF_LONGEST * longest.coverage;
        let Some(outer) = outermost(fitting.iter().filter(around)) else {
            break;
        };
        let inside = |c: &&Chosen| {
            c.overlaps(&outer)
                && c.iterations >= 2 * outer.iterations
                && c.coverage >= INNER_COVERAGE * outer.coverage
        };
        let home = |c: &Chosen| home(c.path, c.iterations);
        match outermost(fitting.iter().filter(inside)) {
            Some(inner) if home(&inner) == home(&outer) => loops.extend([inner, outer]),
            Some(inner) if outer.iterations < FEW_ITERATIONS => loops.extend([outer, inner]),
            _ => loops.push(outer),
        }
        fitting.retain(|c| !c.overlaps(&outer));
    }
    loops
}

/// The loop with the fewest iterations. Several synchronisations of its body tell it apart equally
/// well; the one that misses least of the run is taken, of several the first in the body.
fn outermost<'a: 'b, 'b>(
    fitting: impl Iterator<Item = &'b Chosen<'a>> + Clone,
) -> Option<Chosen<'a>> {
    let fewest = fitting.clone().map(|c| c.iterations).min()?;
    // At its ends, a loop may lose an iteration to what is around it.
    let same = fitting.filter(|c| c.iterations <= fewest + 1);
    same.copied().reduce(|best, next| {
        if next.coverage > best.coverage {
            next
        } else {
            best
        }
    })
}
