//! The loops of a run as the result has them.

mod growth;
mod marks;
pub(crate) mod throttling;

use pgas_base::quantile::median;
use pgas_cube::model::CallPathId;
use pgas_earl::PathId;
use pgas_earl::walker::PathTotals;
use pgas_result::phases::{
    Boundary, Loop, MetricSeries, Outlier, Recurring, Shape, Slowest, WarmUp,
};
use pgas_trace::model::Operation;

use crate::detectors::iterations::choice::{Chosen, choose};
use crate::detectors::iterations::details::Detail;
use crate::detectors::iterations::durations::Iteration;
use crate::detectors::iterations::quantities::{self, DURATION, IMBALANCE, TIME};
use crate::detectors::iterations::series::Series;
use crate::detectors::iterations::shape::{Development, goes_on};
use crate::detectors::iterations::statistics::mean;
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::clock::Times;
use crate::model::time_class::Class;
use crate::pipeline::search::Found;

pub use self::growth::Growth;
use self::marks::marks;
use self::throttling::Ends;

/// A change by less than this share of an iteration is none.
const LEAST_CHANGE: f64 = 0.01;

/// The loops of a run, the outer one first. `places` are the call paths in the cube.
pub(crate) fn loops(found: &Found, times: &Times, places: &[CallPathId]) -> Vec<Loop> {
    let ends = Ends::of(found);
    chosen(found)
        .into_iter()
        .map(|chosen| summary(found, times, places, chosen, &ends))
        .collect()
}

/// The loops that were found.
pub(super) fn chosen(found: &Found) -> Vec<Chosen<'_>> {
    let spans = || found.threads.iter().filter_map(|thread| thread.span);
    let begin = spans().map(|span| span.begin).min().unwrap_or(0);
    let end = spans().map(|span| span.end).max().unwrap_or(0);
    let home = |path, iterations| {
        found
            .matcher
            .paths()
            .node(step_of(found, path, iterations))
            .parent
    };
    let run = end - begin;
    let timeline = &found.matcher.detectors().iterations.timeline;
    let synchronised = timeline.candidates().filter_map(|(path, candidate)| {
        Chosen::synchronised(path, candidate, timeline.details(), run)
    });
    let threads = found.threads.len();
    let called = found
        .call_loops
        .fitting(&found.threads, found.matcher.paths())
        .map(|calls| Chosen::called(calls, threads, run));
    choose(synchronised, called, home)
}

/// The call path that each iteration of a loop calls, at the end of which is `path`: its caller is
/// visited less often than the loop has iterations, so the loop is in that.
fn step_of(found: &Found, path: PathId, iterations: u64) -> PathId {
    let paths = found.matcher.paths();
    let visits = |path: PathId| {
        let of_thread = found.threads.iter().map(|t| t.totals[path.index()].visits);
        of_thread.max().unwrap_or(0)
    };
    let mut step = path;
    while step != PathId::PROGRAM {
        let caller = paths.node(step).parent;
        if caller == PathId::PROGRAM || visits(caller).saturating_mul(2) <= iterations {
            break;
        }
        step = caller;
    }
    step
}

fn summary(
    found: &Found,
    times: &Times,
    places: &[CallPathId],
    chosen: Chosen,
    ends: &Ends,
) -> Loop {
    let (path, iterations) = (chosen.path, chosen.iterations);
    let paths = found.matcher.paths();
    let site = paths.site(path);
    let home = Home::of(found, &chosen);
    let (begin, end) = chosen.span;
    let duration = |ticks: u64| times.length(ticks as f64);
    let durations = Durations::of(&chosen, times);
    let series = series(found, times, &chosen, &durations, ends);
    let imbalance = series
        .iter()
        .find(|series| series.metric == quantities::name(IMBALANCE));
    Loop {
        call_path: places[path.index()].0,
        boundary: chosen.boundary,
        region: site.map_or_else(|| "program".into(), |site| site.region_name().into()),
        file: site.map_or_else(String::new, |site| site.file.clone()),
        line: site.map_or(0, |site| site.line),
        function: home.function,
        body: home.body,
        iterations,
        begin_seconds: times.at(begin),
        end_seconds: times.at(end),
        coverage: chosen.coverage.min(1.0),
        mean_seconds: times.length(chosen.ticks) / iterations.max(1) as f64,
        median_seconds: times.length(chosen.durations.median()),
        min_seconds: duration(chosen.durations.least()),
        max_seconds: duration(chosen.durations.most()),
        warm_up: durations.warm_up,
        recurring: durations.recurring,
        outliers: durations.outliers,
        slowest: imbalance.and_then(|imbalance| slowest(found, places, &chosen, imbalance)),
        iterations_per_value: chosen.series.width(),
        marks: marks(found, times, &chosen, ends),
        series,
    }
}

/// Where a loop is.
struct Home {
    function: String,
    body: String,
}

impl Home {
    fn of(found: &Found, chosen: &Chosen) -> Self {
        let paths = found.matcher.paths();
        let path = chosen.path;
        let is_function = paths.operation(path) == Some(Operation::Function);
        let step = match chosen.boundary {
            Boundary::Call => path,
            _ => step_of(found, path, chosen.iterations),
        };
        let name = |path| paths.site(path).map(|site| site.region_name().to_owned());
        let function = paths.function(paths.node(step).parent);
        Home {
            function: function.map_or_else(String::new, |site| site.region_name().into()),
            body: match step == path && !is_function {
                true => String::new(),
                false => name(step).unwrap_or_default(),
            },
        }
    }
}

/// Iterations of unusual duration: the warm-up, long ones at regular distances, and outliers.
struct Durations {
    warm_up: Option<WarmUp>,
    recurring: Option<Recurring>,
    outliers: Vec<Outlier>,
}

impl Durations {
    fn of(chosen: &Chosen, times: &Times) -> Self {
        let seconds =
            |ticks: &[u64]| -> Vec<f64> { ticks.iter().map(|&t| times.length(t as f64)).collect() };
        let durations = chosen.durations;
        let first = seconds(durations.first());
        let (last_from, last) = durations.last();
        let last = seconds(&last);
        let median_seconds = times.length(durations.median());
        let start = Development::of(&first);
        let warm_up = (start.slow > 0).then(|| WarmUp {
            iterations: start.slow as u64,
            seconds: mean(&first[..start.slow]),
            others_seconds: median_seconds,
        });
        // A pattern that is regular only at the beginning does not count as regular.
        let enough = |distance: usize| last.len() >= 3 * distance;
        let every = start
            .every
            .filter(|&every| !enough(every.0) || goes_on(&last, last_from, every));
        let recurring = every.map(|(distance, number)| {
            let numbered = first.iter().enumerate().skip(start.slow);
            let (long, others): (Vec<_>, Vec<_>) =
                numbered.partition(|(i, _)| i % distance == number % distance);
            let typical = |part: Vec<(usize, &f64)>| {
                let values: Vec<f64> = part.into_iter().map(|(_, &value)| value).collect();
                median(&values).unwrap_or(0.0)
            };
            Recurring {
                every: distance as u64,
                first: number as u64,
                seconds: typical(long),
                others_seconds: typical(others),
            }
        });
        // The trend of all iterations, not only of the first ones, says which are too long.
        let width = chosen.series.width() as f64;
        let each = chosen.divisor(DURATION, 1);
        let bins = per_iteration(chosen.series, DURATION, each, times);
        let all = if width > 1.0 {
            Development::of(&bins)
        } else {
            start.clone()
        };
        let is_expected = |number: u64| {
            number < start.slow as u64
                || every.is_some_and(|(distance, first)| {
                    number % distance as u64 == first as u64 % distance as u64
                })
        };
        // Of values that scatter, means of several scatter less.
        let limit = start.outlying().zip(all.outlying()).map(|(a, b)| a.max(b));
        let is_outlier = |iteration: &&Iteration| {
            let place = (iteration.number as f64 + 0.5) / width - 0.5;
            let above = all.above_trend(place, times.length(iteration.ticks as f64));
            !is_expected(iteration.number) && limit.is_some_and(|limit| above > limit)
        };
        let outliers = durations.longest().iter().filter(is_outlier);
        let outliers = outliers
            .map(|iteration| Outlier {
                iteration: iteration.number,
                at_seconds: times.at(iteration.begin),
                seconds: times.length(iteration.ticks as f64),
            })
            .collect();
        Durations {
            warm_up,
            recurring,
            outliers,
        }
    }
}

/// A quantity of one iteration, by bin, in seconds; of a thread, if it is divided by `threads`.
fn per_iteration(series: &Series, quantity: usize, divisor: f64, times: &Times) -> Vec<f64> {
    let values = series.values(quantity);
    values
        .map(|(iterations, ticks)| times.length(ticks as f64) / iterations.max(1) as f64 / divisor)
        .collect()
}

fn series(
    found: &Found,
    times: &Times,
    chosen: &Chosen,
    durations: &Durations,
    ends: &Ends,
) -> Vec<MetricSeries> {
    let threads = found.threads.len();
    let iterations = chosen.series.iterations().max(1);
    let total = |quantity| times.length(chosen.series.total(quantity) as f64);
    let mean_duration = total(DURATION) / iterations as f64 / chosen.divisor(DURATION, threads);
    // A wait in a call is placed by its time.
    let knows_locks =
        chosen.boundary == Boundary::Call || found.matcher.detectors().iterations.knows_locks();
    let is_known = |quantity: usize| {
        quantity != TIME && (knows_locks || !is_of_some_threads(quantities::name(quantity)))
    };
    (0..quantities::count())
        .filter(|&quantity| is_known(quantity))
        .filter(|&quantity| quantity == DURATION || chosen.series.total(quantity) > 0)
        .filter_map(|quantity| {
            let divisor = chosen.divisor(quantity, threads);
            let mut values = per_iteration(chosen.series, quantity, divisor, times);
            // Iterations that were not recorded in full are not zero: the values end before them.
            let recorded = ends
                .of_quantity(quantity)
                .map(|missing| chosen.series.bins_before(missing.since))
                .filter(|&bins| bins < values.len());
            if recorded == Some(0) {
                return None;
            }
            values.truncate(recorded.unwrap_or(values.len()));
            let recorded = recorded.map(|bins| bins as u64 * chosen.series.width());
            let development = Development::of(&values);
            let (first, last) = quarters(&values);
            let mut shape = development.shape;
            let change = development.trend.slope.abs() * values.len() as f64;
            if change < LEAST_CHANGE * mean_duration
                && matches!(shape, Shape::Growing | Shape::Shrinking)
            {
                shape = Shape::Steady;
            }
            if quantity == DURATION && !matches!(shape, Shape::Growing | Shape::Shrinking) {
                // Single iterations tell more than means of several.
                shape = match durations {
                    d if d.recurring.is_some() => Shape::Alternating,
                    d if d.warm_up.is_some() => Shape::WarmUp,
                    d if !d.outliers.is_empty() => Shape::Outliers,
                    _ => Shape::Steady,
                };
            }
            Some(MetricSeries {
                metric: quantities::name(quantity).into(),
                mean: match recorded {
                    Some(_) => mean(&values),
                    None => total(quantity) / iterations as f64 / divisor,
                },
                first_quarter: first,
                last_quarter: last,
                change_percent: (first > 0.0).then(|| 100.0 * (last - first) / first),
                slope: development.trend.slope / chosen.series.width() as f64,
                probability: development.trend.probability,
                shape,
                values,
                recorded_iterations: recorded,
            })
        })
        .collect()
}

/// Means of the first and of the last quarter.
pub(super) fn quarters(values: &[f64]) -> (f64, f64) {
    let quarter = (values.len() / 4).max(1).min(values.len());
    (
        mean(&values[..quarter]),
        mean(&values[values.len() - quarter..]),
    )
}

/// The slowest thread, and its call path, in the iterations that `imbalance` describes.
fn slowest(
    found: &Found,
    places: &[CallPathId],
    chosen: &Chosen,
    imbalance: &MetricSeries,
) -> Option<Slowest> {
    let changes = matches!(imbalance.shape, Shape::Growing | Shape::Shrinking);
    let recorded = imbalance.recorded_iterations.unwrap_or(u64::MAX);
    let rates = |detail| quarters(&chosen.rates_of_first(detail, recorded));
    let threads = 0..found.threads.len() as u32;
    let by_thread: Vec<(f64, f64)> = threads
        .map(|thread| rates(Detail::Slowest(thread)))
        .collect();
    let first: f64 = by_thread.iter().map(|rate| rate.0).sum();
    let last: f64 = by_thread.iter().map(|rate| rate.1).sum();
    let share = |part: f64, all: f64| if all > 0.0 { part / all } else { 0.0 };
    let thread = largest(by_thread.iter().map(|&(first, last)| match changes {
        true => (last - first).abs(),
        false => first + last,
    }))?;
    let mut excess: Vec<(PathId, f64)> = chosen
        .known_details()
        .filter_map(|detail| match detail {
            Detail::Excess(path) => {
                let (first, last) = rates(detail);
                let weight = if changes {
                    (last - first).abs()
                } else {
                    first + last
                };
                Some((path, weight))
            }
            _ => None,
        })
        .filter(|&(_, weight)| weight > 0.0)
        .collect();
    excess.sort_by(|a, b| {
        let by_weight = b.1.total_cmp(&a.1);
        by_weight.then_with(|| places[a.0.index()].cmp(&places[b.0.index()]))
    });
    let path = match chosen.boundary {
        Boundary::Call => longest_in_call(found, places, chosen.path, thread),
        _ => excess.first().map(|&(path, _)| path),
    };
    let site = path.and_then(|path| found.matcher.paths().site(path));
    Some(Slowest {
        thread: thread as u32,
        first_share: share(by_thread[thread].0, first),
        last_share: share(by_thread[thread].1, last),
        call_path: path.map(|path| places[path.index()].0),
        region: site.map_or_else(String::new, |site| site.region_name().into()),
    })
}

/// In the calls of a path, where a thread computed most beyond the mean of all threads, over the
/// whole run.
fn longest_in_call(
    found: &Found,
    places: &[CallPathId],
    call: PathId,
    thread: usize,
) -> Option<PathId> {
    let paths = found.matcher.paths();
    // Callers have smaller numbers than callees.
    let mut inside = vec![false; paths.len()];
    inside[call.index()] = true;
    for number in call.index() + 1..inside.len() {
        inside[number] = inside[paths.node(PathId(number as u32)).parent.index()];
    }
    let computing = (0..inside.len())
        .filter(|&number| inside[number])
        .map(|number| PathId(number as u32))
        .filter(|&path| Class::of(paths.operation(path)) == Class::Computation);
    let mut computing: Vec<PathId> = computing.collect();
    computing.sort_by_key(|path| places[path.index()]);
    let excess = computing.iter().map(|path| {
        let ticks = |totals: &[PathTotals]| totals[path.index()].ticks as f64;
        let all: f64 = found.threads.iter().map(|t| ticks(&t.totals)).sum();
        ticks(&found.threads[thread].totals) - all / found.threads.len() as f64
    });
    largest(excess).map(|place| computing[place])
}

/// The place of the largest value, of several the first; `None` if none is more than 0.
fn largest(values: impl Iterator<Item = f64>) -> Option<usize> {
    let positive = values.enumerate().filter(|(_, value)| *value > 0.0);
    positive
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .map(|(place, _)| place)
}
/// Whether a metric is of waits for single threads, which do not belong to an instance of all.
fn is_of_some_threads(metric: &str) -> bool {
    let pattern = PATTERNS.iter().find(|pattern| pattern.id == metric);
    pattern.is_some_and(|pattern| pattern.formula.is_of_some_threads())
}
