//! Which calls are iterations: those that all threads made equally often, with the same other calls
//! in between, and which took most of the time from the first to the last.

use pgas_earl::PathId;
use rustc_hash::FxHashMap;

use super::combined::{Calls, Candidate, Longest};
use crate::detectors::iterations::details::{Detail, Details, Moments};
use crate::detectors::iterations::durations::{Durations, Iteration};
use crate::detectors::iterations::quantities::{self, DURATION, IMBALANCE};
use crate::detectors::iterations::series::Series;
use crate::model::paths::CallPaths;
use crate::threads::calls::signatures::are_enough;
use crate::threads::calls::{CountedCalls, LEAST_CALLS, SINGLE, mark_before, next_mark, place};
use crate::threads::profile::ThreadProfile;

/// Share of the time from the first call to the last that these calls, and others that are made as
/// often, must take.
const OWN_SHARE: f64 = 0.5;
/// Where all threads were interrupted, the slowest one must have come so far, as a share of what
/// the fastest one has.
const TOGETHER: f64 = 0.75;

/// Calls that are iterations.
#[derive(Debug)]
pub(crate) struct CallLoop {
    pub path: PathId,
    pub iterations: u64,
    /// Ticks from the first call's begin to the last one's end, of all threads together.
    pub ticks: u64,
    /// Ticks at the begin of the first iteration, and at the end of the last.
    pub span: (u64, u64),
    /// Of all iterations but perhaps a few at the end, which are less than a bin. Durations, too,
    /// are sums over threads.
    pub series: Series,
    /// Means over threads, but the least and the most, which are of single threads.
    pub durations: Durations,
    pub moments: Moments,
    pub details: Details,
    /// Recording was off after these calls.
    pub paused: bool,
}

/// The loops of a run whose iterations are calls. One inside of the other, and one in place of the
/// other, too.
#[derive(Debug, Default)]
pub struct CallLoops {
    loops: Vec<CallLoop>,
}

impl CallLoops {
    /// Must be called when all has been read.
    pub(crate) fn of(calls: &Calls, threads: &[ThreadProfile], paths: &CallPaths) -> Self {
        let mut counted: FxHashMap<PathId, Vec<&CountedCalls>> = FxHashMap::default();
        for call in threads.iter().flat_map(|thread| &thread.calls) {
            counted.entry(call.path).or_default().push(call);
        }
        counted.retain(|_, calls| calls.len() == threads.len());
        let order = paths.order();
        let mut counted: Vec<_> = counted.into_iter().collect();
        counted.sort_unstable_by_key(|(path, _)| order[path.index()]);
        let loops = counted
            .into_iter()
            .filter_map(|(path, counted)| of_path(path, calls.candidate(path)?, &counted));
        CallLoops {
            loops: loops.collect(),
        }
    }

    /// Those that are worth looking at, callers first.
    pub(crate) fn fitting<'a>(
        &'a self,
        threads: &[ThreadProfile],
        paths: &CallPaths,
    ) -> impl Iterator<Item = &'a CallLoop> {
        let visits = match self.loops.is_empty() {
            true => Visits::default(),
            false => Visits::of(threads, paths),
        };
        let throttled = |path: PathId| {
            let mut all = threads.iter().flat_map(|t| &t.summed.throttled);
            all.any(|throttled| throttled.path == path)
        };
        let fitting: Vec<&CallLoop> = self
            .loops
            .iter()
            .filter(|found| {
                let own = visits.of_siblings(found.path, threads.len());
                own as f64 >= OWN_SHARE * found.ticks as f64 && !throttled(found.path)
            })
            .collect();
        fitting.into_iter()
    }
}

/// Visits and inclusive ticks of all threads by call path.
#[derive(Debug, Default)]
struct Visits {
    visits: Vec<u64>,
    ticks: Vec<u64>,
    /// By caller: functions and regions.
    callees: FxHashMap<PathId, Vec<PathId>>,
    callers: Vec<PathId>,
}

impl Visits {
    fn of(threads: &[ThreadProfile], paths: &CallPaths) -> Self {
        let sum = |value: &dyn Fn(&pgas_earl::walker::PathTotals) -> u64| -> Vec<u64> {
            let mut sums = vec![0u64; paths.len()];
            for totals in threads.iter().map(|thread| &thread.totals) {
                for (sum, totals) in sums.iter_mut().zip(totals) {
                    *sum = sum.wrapping_add(value(totals));
                }
            }
            sums
        };
        let mut ticks = sum(&|totals| totals.ticks);
        let callers: Vec<PathId> = paths.nodes().iter().map(|node| node.parent).collect();
        let mut callees: FxHashMap<PathId, Vec<PathId>> = FxHashMap::default();
        for number in (1..paths.len()).rev() {
            let path = PathId(number as u32);
            let caller = callers[number];
            ticks[caller.index()] = ticks[caller.index()].wrapping_add(ticks[number]);
            if paths.operation(path).is_some_and(|op| op.is_user()) {
                callees.entry(caller).or_default().push(path);
            }
        }
        Visits {
            visits: sum(&|totals| totals.visits),
            ticks,
            callees,
            callers,
        }
    }

    /// Ticks of a path and of what its caller calls about as often or more often.
    fn of_siblings(&self, path: PathId, threads: usize) -> u64 {
        let visits = |path: PathId| self.visits[path.index()];
        let siblings = self.callees.get(&self.callers[path.index()]);
        let often = |sibling: &&PathId| {
            visits(**sibling).saturating_add(threads as u64) >= visits(path) || **sibling == path
        };
        let often = siblings.into_iter().flatten().filter(often);
        often.fold(0, |sum, path| sum.wrapping_add(self.ticks[path.index()]))
    }
}

/// The calls of a path as iterations, unless threads disagree about them or they are not alike.
fn of_path(path: PathId, candidate: &Candidate, counted: &[&CountedCalls]) -> Option<CallLoop> {
    let (most, all) = counted.iter().fold((0, 0), |sum, calls| {
        (sum.0 + calls.alike.0, sum.1 + calls.alike.1)
    });
    if !are_enough(most, all) {
        return None;
    }
    let calls = || counted.iter().map(|calls| calls.calls);
    let (fewest, largest) = (calls().min()?, calls().max()?);
    let mut whole = counted.iter().filter(|calls| !calls.cut);
    match whole.next() {
        // All threads that were not interrupted must have the same number of calls, the others no
        // more.
        Some(first) => {
            let same = whole.all(|calls| calls.calls == first.calls);
            if !same || largest > first.calls {
                return None;
            }
        }
        None if (fewest as f64) < TOGETHER * largest as f64 => return None,
        None => {}
    }
    let is_whole = fewest == largest;
    let iterations = if is_whole {
        fewest
    } else {
        mark_before(fewest)
    };
    if iterations < LEAST_CALLS {
        return None;
    }
    let threads = counted.len() as u64;
    let intervals = candidate.intervals.get(..=place(mark_before(iterations)))?;
    let (ticks, end) = match is_whole {
        true => (
            counted.iter().map(|calls| calls.span.length()).sum(),
            counted.iter().map(|calls| calls.span.end).max()?,
        ),
        false => {
            let ticks = intervals.iter().map(|interval| interval.sums[DURATION]);
            let ticks: u64 = ticks.fold(0, u64::wrapping_add);
            let begin: u64 = counted.iter().map(|calls| calls.span.begin / threads).sum();
            (ticks, begin + ticks / threads)
        }
    };
    let begin = counted.iter().map(|calls| calls.span.begin).min()?;
    let (series, longest) = series(candidate, iterations, threads)?;
    let (moments, details) = developments(&series, longest, threads);
    Some(CallLoop {
        path,
        iterations,
        ticks,
        span: (begin, end.max(begin)),
        durations: durations(candidate, &series, counted, iterations),
        series,
        moments,
        details,
        paused: counted.iter().any(|calls| calls.paused),
    })
}

/// Sums by bin, all of the same width, and who computed longest in each of them.
fn series(candidate: &Candidate, iterations: u64, threads: u64) -> Option<(Series, &[Longest])> {
    // As many bins as there can be, of a power of two of iterations each.
    let mut width = 1u64;
    while iterations / width > SINGLE {
        width *= 2;
    }
    let count = (iterations / width) as usize;
    let longest = candidate.longest.get(width.trailing_zeros() as usize)?;
    let longest = longest.get(..count)?;
    let mut bins = vec![quantities::none(); count];
    let mut ends = vec![0; count];
    let mut from = 0;
    let mut place = 0;
    while from < count as u64 * width {
        let interval = candidate.intervals.get(place)?;
        let bin = (from / width) as usize;
        quantities::add(&mut bins[bin], &interval.sums);
        ends[bin] = interval.end.max(ends[bin]);
        from = next_mark(from);
        place += 1;
    }
    for (bin, longest) in bins.iter_mut().zip(longest) {
        bin[IMBALANCE] = longest.excess(threads);
    }
    Some((Series::of_bins(bins, ends, width), longest))
}

/// How it develops who computes longest.
fn developments(series: &Series, longest: &[Longest], threads: u64) -> (Moments, Details) {
    let (mut moments, mut details) = (Moments::default(), Details::default());
    moments.pass(0, &details);
    for (bin, longest) in longest.iter().enumerate() {
        let excess = longest.excess(threads);
        if excess > 0 {
            details.add(Detail::Slowest(longest.thread), excess);
        }
        moments.pass((bin as u64 + 1) * series.width(), &details);
    }
    (moments, details)
}

fn durations(
    candidate: &Candidate,
    series: &Series,
    counted: &[&CountedCalls],
    iterations: u64,
) -> Durations {
    let threads = counted.len().max(1) as u64;
    let single = candidate
        .intervals
        .iter()
        .take(iterations.min(SINGLE) as usize);
    let single = single.enumerate().map(|(number, interval)| Iteration {
        number: number as u64,
        begin: interval.begin,
        ticks: interval.sums[DURATION] / threads,
    });
    let bins = series.values(DURATION).map(|(iterations, ticks)| {
        let each = iterations.max(1) as f64 * threads as f64;
        ticks as f64 / each
    });
    let least = counted.iter().map(|calls| calls.least).min().unwrap_or(0);
    let most = counted.iter().map(|calls| calls.most).max().unwrap_or(0);
    Durations::of_calls(single, bins, (least, most))
}
