//! The iterations of the program: how many, how long, and what changes from the first to the last.
//! Only what there is to say is said: a metric has a line if it develops or if it is what
//! iterations mostly lose.

use pgas_cube::model::Cube;
use pgas_result::AnalysisResult;
use pgas_result::phases::{Boundary, Loop, Mark, MarkReason, MetricSeries, Shape};

use super::canvas::{Canvas, Line, Style};
use crate::quantity::{count, percent, ratio, seconds};

/// Lines for metrics besides the duration.
const METRICS: usize = 4;
/// A metric without a trend has a line if it takes this share of an iteration.
const NOTABLE: f64 = 0.05;
/// The same of one with a trend, in one of its quarters.
const NOTABLE_TREND: f64 = 0.02;
/// Iterations named one by one.
const OUTLIERS: usize = 3;
/// A wait state that takes this share of what it is part of says the same.
const SAME: f64 = 0.9;
/// The largest of steady values is at most this many times the smallest.
const LEVEL: f64 = 1.5;
/// Column at which the curves begin, and their width on a wide and on a narrow screen.
const CURVE: usize = 24;
const WIDE: usize = 32;
const NARROW: usize = 16;
/// Columns that the figures beside a curve need.
const FIGURES: usize = 44;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let loops = &result.summary.phases;
    if loops.is_empty() {
        return;
    }
    canvas.heading(
        "ITERATIONS",
        Line::new().add(Style::Dim, "from the first to the last"),
    );
    for (number, found) in loops.iter().enumerate() {
        if number > 0 {
            canvas.blank();
        }
        let seen = loops[..number].iter().any(|other| overlap(other, found));
        write_loop(canvas, result, found, seen);
    }
}

fn overlap(a: &Loop, b: &Loop) -> bool {
    a.begin_seconds < b.end_seconds && b.begin_seconds < a.end_seconds
}

/// `seen`: the same time was shown as another loop's, so that only its own iterations are new.
fn write_loop(canvas: &mut Canvas, result: &AnalysisResult, found: &Loop, seen: bool) {
    canvas.prose(
        (Style::Strong, ""),
        2,
        Style::Strong,
        &title(found, canvas.ascii),
    );
    canvas.prose((Style::Dim, ""), 2, Style::Dim, &place(found));
    for series in shown(found) {
        if seen && series.metric != "duration" {
            continue;
        }
        curve(canvas, result, found, series);
    }
    let imbalance = if seen { None } else { imbalance(found) };
    for sentence in imbalance.into_iter().chain(oddities(found, canvas.ascii)) {
        let sentence = canvas.words.say(&sentence);
        canvas.prose((Style::Plain, ""), 4, Style::Plain, &sentence);
    }
    for sentence in marks(found, Some(&result.cube), canvas.ascii) {
        canvas.prose((Style::Fair, ""), 4, Style::Fair, &sentence);
    }
}

/// Where less was recorded, and which iterations or metrics are not known for that.
pub fn marks(found: &Loop, cube: Option<&Cube>, ascii: bool) -> Vec<String> {
    let sentence = |mark: &Mark| mark_in_words(found, mark, cube, ascii);
    found.marks.iter().map(sentence).collect()
}

fn mark_in_words(found: &Loop, mark: &Mark, cube: Option<&Cube>, ascii: bool) -> String {
    let at = seconds(mark.at_seconds, ascii);
    let number = count(mark.after_iteration as f64);
    match mark.reason {
        MarkReason::Throttled => {
            let place = crate::figures::place(&mark.file, mark.line);
            let place = match place.is_empty() {
                true => String::new(),
                false => format!(" ({place})"),
            };
            let names: Vec<String> = mark
                .metrics
                .iter()
                .filter(|id| !cube.is_some_and(|cube| is_zero(cube, id)))
                .map(|id| metric_name(cube, id))
                .collect();
            let known = match mark.after_iteration {
                0 => "not known for single iterations".to_owned(),
                n if n < found.iterations => format!("shown up to iteration {number}"),
                _ => "shown".to_owned(),
            };
            format!(
                "Throttled: calls of {}{place} are missing from {at} into the run on, and their \
                 time is in their callers'. {}: {known}.",
                mark.region,
                names.join(", "),
            )
        }
        MarkReason::TraceEnds => format!(
            "The trace ends {at} into the run: iterations after number {number} are not known."
        ),
        MarkReason::Paused => match mark.until_seconds {
            Some(until) => format!(
                "Recording was off after iteration {number}, {at} into the run: what came until \
                 {} is not counted.",
                seconds(until, ascii)
            ),
            None => format!(
                "Recording was off after iteration {number}, {at} into the run: later ones are \
                 not known."
            ),
        },
        MarkReason::Other => {
            format!("Less was recorded after iteration {number}, {at} into the run.")
        }
    }
}

fn is_zero(cube: &Cube, id: &str) -> bool {
    cube.metric(id)
        .is_some_and(|metric| cube.total(metric) == 0.0)
}

/// Name of a metric of a series.
fn metric_name(cube: Option<&Cube>, id: &str) -> String {
    match cube.and_then(|cube| Some(&cube.metrics[cube.metric(id)?.0])) {
        Some(metric) => metric.display_name.clone(),
        None if id == "duration" => "Duration".to_owned(),
        None => id.to_owned(),
    }
}

/// "Loop in main() with relax(): 200 iterations of 5.01 ms, 98 % of the run".
pub fn title(found: &Loop, ascii: bool) -> String {
    let home = match found.function.as_str() {
        "" => "Loop".into(),
        function => format!("Loop in {function}()"),
    };
    let body = match (found.boundary, found.body.as_str()) {
        (Boundary::Call, "") => format!(" with {}", found.region),
        (_, "") => String::new(),
        (_, body) => format!(" with {body}()"),
    };
    format!(
        "{home}{body}: {} iterations of {}, {} of the run",
        count(found.iterations as f64),
        seconds(found.mean_seconds, ascii),
        percent(100.0 * found.coverage),
    )
}

/// "Each ends with upc_barrier, jacobi.upc:42.", "Each ends with a call of step, jacobi.upc:12."
pub fn place(found: &Loop) -> String {
    let place = match (found.file.as_str(), found.line) {
        ("", _) => String::new(),
        (file, 0) => format!(", {file}"),
        (file, line) => format!(", {file}:{line}"),
    };
    match found.boundary {
        Boundary::Begins => format!(
            "The first synchronisation of each is {}{place}.",
            found.region
        ),
        Boundary::Ends => format!("Each ends with {}{place}.", found.region),
        Boundary::Call if found.body.is_empty() => {
            format!("Each ends with the region {}{place}.", found.region)
        }
        Boundary::Call => format!("Each ends with a call of {}{place}.", found.region),
    }
}

fn has_trend(series: &MetricSeries) -> bool {
    matches!(series.shape, Shape::Growing | Shape::Shrinking)
}

/// The duration, then the metrics that matter, most time first.
pub fn shown(found: &Loop) -> Vec<&MetricSeries> {
    let duration = found.mean_seconds.max(f64::MIN_POSITIVE);
    let weight = |s: &MetricSeries| match has_trend(s) {
        true => s.first_quarter.max(s.last_quarter) / duration,
        false => s.mean / duration,
    };
    let mut metrics: Vec<&MetricSeries> = found
        .series
        .iter()
        .filter(|s| s.metric != "duration")
        .filter(|s| weight(s) >= if has_trend(s) { NOTABLE_TREND } else { NOTABLE })
        .filter(|s| match class_of(&s.metric) {
            // A wait state has a line if it is nearly all of its class, which then has none, or
            // develops otherwise.
            Some(class) => found
                .metric(class)
                .is_none_or(|c| is_same(s, c) || (has_trend(s) && s.shape != c.shape)),
            None => !found
                .series
                .iter()
                .any(|w| class_of(&w.metric) == Some(&s.metric) && is_same(w, s)),
        })
        .collect();
    metrics.sort_by(|a, b| {
        let by_trend = has_trend(b).cmp(&has_trend(a));
        by_trend.then_with(|| weight(b).total_cmp(&weight(a)))
    });
    metrics.truncate(METRICS);
    metrics.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let duration = found.metric("duration");
    duration.into_iter().chain(metrics).collect()
}

/// Whether a wait state is nearly all of its class.
fn is_same(wait: &MetricSeries, class: &MetricSeries) -> bool {
    wait.mean >= SAME * class.mean
}

/// The class of operations that a wait state is in.
fn class_of(metric: &str) -> Option<&'static str> {
    Some(match metric {
        "wait_at_barrier" | "split_phase_wait" | "barrier_completion" => "barrier",
        "lock_contention" => "lock",
        "wait_at_alloc" => "allocation",
        "late_broadcast"
        | "early_gather_receiver"
        | "early_gather_sender"
        | "early_prefix_reduce"
        | "wait_at_nxn"
        | "nxn_completion"
        | "collective_sync_in"
        | "collective_sync_out"
        | "wait_inside_collective" => "collective",
        _ => return None,
    })
}

fn curve(canvas: &mut Canvas, result: &AnalysisResult, found: &Loop, series: &MetricSeries) {
    let name = metric_name(Some(&result.cube), &series.metric);
    let columns = match canvas.width >= CURVE + WIDE + FIGURES {
        true => WIDE,
        false => NARROW,
    };
    let figures = CURVE + columns + 2;
    let words = development_within(found, series, canvas.ascii, canvas.width - figures);
    let style = match series.shape {
        Shape::Growing => Style::Bad,
        Shape::Shrinking => Style::Good,
        _ => Style::Plain,
    };
    let name = canvas.short(&name, CURVE - 6);
    let words = canvas.short(&words, canvas.width - figures);
    canvas.line(
        Line::new()
            .add(Style::Plain, format!("    {name}"))
            .to(CURVE)
            .add(
                style,
                marked_sparkline(found, series, columns, canvas.glyphs.curve, canvas.ascii),
            )
            .to(figures)
            .add(style, words),
    );
}

/// "4.1 ms to 8.3 ms, grows by 102 %"; of what has no trend the share of the duration: "17 %,
/// steady".
pub fn development(found: &Loop, series: &MetricSeries, ascii: bool) -> String {
    let range =
        |from: f64, until: f64| format!("{} to {}", seconds(from, ascii), seconds(until, ascii));
    let by = match series.change_percent {
        Some(change) if change >= 1000.0 => {
            format!(" to {} times as much", ratio(1.0 + change / 100.0))
        }
        Some(change) => format!(" by {}", percent(change.abs())),
        None => String::new(),
    };
    let quarters = || range(series.first_quarter, series.last_quarter);
    let word = if is_level(&series.values) {
        "steady"
    } else {
        "no trend"
    };
    let words = match series.shape {
        Shape::Growing => format!("{}, grows{by}", quarters()),
        Shape::Shrinking => format!("{}, shrinks{by}", quarters()),
        _ if series.metric == "duration" => {
            format!("{}, {word}", range(found.min_seconds, found.max_seconds))
        }
        _ => {
            let duration = duration_of(found, series).max(f64::MIN_POSITIVE);
            let share = percent(100.0 * series.mean / duration);
            format!("{share} of it, {word}")
        }
    };
    match series.recorded_iterations {
        Some(number) => format!("{words}, up to iteration {}", count(number as f64)),
        None => words,
    }
}

/// The same without the number of the last iteration where there is no room for that: a sentence
/// about the mark has it.
pub fn development_within(
    found: &Loop,
    series: &MetricSeries,
    ascii: bool,
    columns: usize,
) -> String {
    let words = development(found, series, ascii);
    match (
        words.split_once(", up to iteration"),
        crate::names::width(&words),
    ) {
        (Some((short, _)), width) if width > columns => short.to_owned(),
        _ => words,
    }
}

/// Mean duration of the iterations that a series is of.
fn duration_of(found: &Loop, series: &MetricSeries) -> f64 {
    let recorded = series.recorded_iterations.map(|_| series.values.len());
    match found.metric("duration").zip(recorded) {
        Some((duration, values)) if values > 0 && values <= duration.values.len() => {
            duration.values[..values].iter().sum::<f64>() / values as f64
        }
        _ => found.mean_seconds,
    }
}

/// Whether the largest value is hardly more than the smallest.
fn is_level(values: &[f64]) -> bool {
    let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = values.iter().copied().fold(0.0, f64::max);
    largest <= LEVEL * smallest
}

/// Sentence about the slowest thread, if the threads' loads differ.
pub fn imbalance(found: &Loop) -> Option<String> {
    let imbalance = found.metric("imbalance")?;
    let slowest = found.slowest.as_ref()?;
    let largest = imbalance.first_quarter.max(imbalance.last_quarter);
    if largest < NOTABLE * found.mean_seconds {
        return None;
    }
    let place = match slowest.region.as_str() {
        "" => String::new(),
        region => format!(", in {region}"),
    };
    let thread = slowest.thread;
    let (first, last) = (slowest.first_share, slowest.last_share);
    let shares = format!(
        "{} of it at first, {} at the end",
        percent(100.0 * first),
        percent(100.0 * last)
    );
    Some(match imbalance.shape {
        Shape::Growing => {
            format!("The imbalance grows most with thread {thread}{place}: {shares}.")
        }
        Shape::Shrinking => {
            format!("The imbalance shrinks most with thread {thread}{place}: {shares}.")
        }
        _ if first.min(last) >= 0.5 => {
            format!("Thread {thread} is the slowest one throughout{place}.")
        }
        _ if first.max(last) >= 0.5 => {
            format!(
                "The imbalance is due to thread {thread} for a part of the time{place}: {shares}."
            )
        }
        _ => format!(
            "The slowest thread changes{}.",
            place.replace(", in", ", mostly in")
        ),
    })
}

/// Sentences about single iterations that stand out.
pub fn oddities(found: &Loop, ascii: bool) -> Vec<String> {
    let time = |value: f64| seconds(value, ascii);
    let times = |long: f64, others: f64| match others > 0.0 {
        true => format!("{} times as long as the others", ratio(long / others)),
        false => time(long),
    };
    let mut sentences = Vec::new();
    if let Some(warm_up) = &found.warm_up {
        let which = match warm_up.iterations {
            1 => "The first iteration takes".to_owned(),
            n => format!("The first {n} iterations take"),
        };
        let times = times(warm_up.seconds, warm_up.others_seconds);
        sentences.push(format!("{which} {times}."));
    }
    if let Some(recurring) = &found.recurring {
        sentences.push(format!(
            "Every {} iteration, from number {} on, takes {}.",
            ordinal(recurring.every),
            recurring.first + 1,
            times(recurring.seconds, recurring.others_seconds)
        ));
    }
    if !found.outliers.is_empty() {
        let named: Vec<String> = found
            .outliers
            .iter()
            .take(OUTLIERS)
            .map(|o| {
                format!(
                    "number {} took {}, {} into the run",
                    o.iteration + 1,
                    time(o.seconds),
                    time(o.at_seconds)
                )
            })
            .collect();
        sentences.push(format!("Much longer than others: {}.", named.join("; ")));
    }
    sentences
}

/// "2nd", "13th".
fn ordinal(number: u64) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

/// A curve of the values from 0 to the largest, averaged or repeated to fill the columns.
pub fn sparkline(values: &[f64], columns: usize, steps: &[char]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let columns = columns.min(values.len());
    let bounds = |column: usize| column * values.len() / columns;
    let means: Vec<f64> = (0..columns)
        .map(|column| {
            let part = &values[bounds(column)..bounds(column + 1)];
            part.iter().sum::<f64>() / part.len().max(1) as f64
        })
        .collect();
    let largest = means.iter().copied().fold(0.0, f64::max);
    let step = |value: f64| {
        let share = if largest > 0.0 { value / largest } else { 0.0 };
        let place = (share * steps.len() as f64).ceil() as usize;
        steps[place.clamp(1, steps.len()) - 1]
    };
    means.into_iter().map(step).collect()
}

/// The curve of a series in its part of the columns that all iterations have, with a line where its
/// recording ends.
pub fn marked_sparkline(
    found: &Loop,
    series: &MetricSeries,
    columns: usize,
    steps: &[char],
    ascii: bool,
) -> String {
    let all = found.metric("duration").map_or(0, |d| d.values.len());
    if series.recorded_iterations.is_none() || all <= series.values.len() {
        return sparkline(&series.values, columns, steps);
    }
    let columns = columns.min(all + 1).saturating_sub(1).max(1);
    let part = (columns * series.values.len() / all).max(1);
    let mut curve = sparkline(&series.values, part, steps);
    curve.push(if ascii { '|' } else { '┊' });
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_from_nothing_to_the_largest() {
        let steps = ['1', '2', '3', '4'];
        assert_eq!(sparkline(&[0.0, 1.0, 2.0, 3.0, 4.0], 8, &steps), "11234");
        assert_eq!(sparkline(&[1.0, 3.0, 5.0, 7.0], 2, &steps), "24");
        assert_eq!(sparkline(&[0.0; 3], 8, &steps), "111");
        assert_eq!(sparkline(&[], 8, &steps), "");
    }

    #[test]
    fn ordinals() {
        let words: Vec<String> = [2, 3, 10, 11, 21, 112].map(ordinal).into();
        assert_eq!(words, ["2nd", "3rd", "10th", "11th", "21st", "112th"]);
    }
}
