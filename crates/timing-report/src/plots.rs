//! Plots of a result: time over size and over threads, by thread, launches of a stage, wait patterns.

mod axes;

use crate::models::{OverSize, OverThreads, models};
use crate::names::name;
use crate::plot::{Bar, Plot, Series};
use crate::results::Results;
use crate::rows::{self, Key, Value};
use axes::Scale;
use pgas_base::quantity::{bytes, seconds};
use pgas_timing::record::{Summary, TimerRow, Timing};
use std::collections::{BTreeMap, BTreeSet};

/// Height of the plots but that of launches.
const HEIGHT: u32 = 400;
/// Sizes that a plot over threads shows, so that its lines can be told apart.
const SIZES: usize = 5;
/// Threads that a picture of launches shows.
const THREADS: usize = 32;

/// A plot with a name for its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Such as "size-upc_memget-to-near"; unique in a result.
    pub name: String,
    /// Operation and arguments; empty if it is of none.
    pub what: String,
    /// The whole SVG document.
    pub svg: String,
}

/// A plot that could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw {name}: {problem}")]
pub struct Undrawn {
    name: String,
    problem: String,
}

/// All plots of a result.
///
/// # Errors
/// The first that could not be drawn.
pub fn all(results: &Results) -> Result<Vec<Picture>, Undrawn> {
    let values = rows::values([results]);
    let names: BTreeSet<&str> = values.keys().map(|key| key.what.as_str()).collect();
    let fitted = models(results);
    let mut plots = Vec::new();
    for what in names {
        let own = |key: &Key| key.what == what;
        let rows: Vec<(&Key, &Value)> = values.iter().filter(|(key, _)| own(key)).collect();
        plots.push(("size", what, over_size(what, &rows, &fitted.over_size)));
        plots.push((
            "threads",
            what,
            over_threads(what, &rows, &fitted.over_threads),
        ));
        plots.push(("by-thread", what, by_thread(what, results)));
        plots.push(("launches", what, typical(what, results).and_then(launches)));
    }
    plots.push(("timer", "", wait_patterns(results)));
    let mut names = BTreeSet::new();
    let drawn = plots.into_iter().filter_map(|(kind, what, plot)| {
        let name = match what {
            "" => kind.to_string(),
            what => format!("{kind}-{}", file_name(what)),
        };
        let name = unique(name, &mut names);
        Some(picture(name, what, &plot?))
    });
    drawn.collect()
}

/// Who started and ended when, in the launches of a timing. `None` if they were not recorded.
///
/// # Errors
/// If it could not be drawn.
pub fn of_launches(timing: &Timing) -> Result<Option<Picture>, Undrawn> {
    let what = name(timing);
    let plot = launches(timing);
    plot.map(|plot| picture(format!("launches-{}", file_name(&what)), &what, &plot))
        .transpose()
}

fn picture(name: String, what: &str, plot: &Plot) -> Result<Picture, Undrawn> {
    match plot.svg(&name) {
        Ok(svg) => Ok(Picture {
            name,
            what: what.to_string(),
            svg,
        }),
        Err(problem) => Err(Undrawn { name, problem }),
    }
}

fn file_name(what: &str) -> String {
    let part = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    let name: String = what.chars().map(part).take(80).collect();
    name.trim_matches('-').to_string()
}

fn unique(name: String, names: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2;
    while !names.insert(candidate.clone()) {
        candidate = format!("{name}-{number}");
        number += 1;
    }
    candidate
}

/// Time over size, logarithmic both, a series for each number of threads.
fn over_size(what: &str, rows: &[(&Key, &Value)], fitted: &[OverSize]) -> Option<Plot> {
    let mut by_threads: BTreeMap<usize, Vec<(f64, &Value)>> = BTreeMap::new();
    for (key, value) in rows {
        let series = by_threads.entry(key.threads).or_default();
        series.extend(key.bytes.map(|bytes| (bytes as f64, *value)));
    }
    by_threads.retain(|_, series| series.len() > 1);
    let x = axes::over(
        by_threads.values().flatten().map(|(x, _)| *x),
        Scale::Binary,
    )?;
    let y = axes::over(
        by_threads.values().flatten().flat_map(|(_, v)| ends(v)),
        Scale::Decimal,
    )?;
    let series = by_threads.iter().map(|(threads, values)| {
        let model = fitted
            .iter()
            .find(|m| m.what == what && m.threads == *threads);
        let name = match model {
            Some(model) => format!("{threads} threads: {}", model.formula(false)),
            None => format!("{threads} threads"),
        };
        let places: Vec<f64> = values.iter().map(|(x, _)| *x).collect();
        let curve = model.map(|model| axes::curve(&places, &x, &y, |x| model.fit.at(x)));
        series(name, values, &x, &y, curve)
    });
    let series: Vec<Series> = series.collect();
    Some(Plot {
        title: format!("{what}: time over size"),
        description: in_words("bytes", &by_threads, |threads| format!("{threads} threads")),
        x_label: "bytes".into(),
        y_label: "time".into(),
        x: x.axis(axes::short_bytes),
        y: y.axis(axes::short_time),
        height: HEIGHT,
        series,
        bars: Vec::new(),
    })
}

/// Time over the number of threads, a series for each size, with the model that predicts best.
fn over_threads(what: &str, rows: &[(&Key, &Value)], fitted: &[OverThreads]) -> Option<Plot> {
    let mut by_size: BTreeMap<Option<u64>, Vec<(f64, &Value)>> = BTreeMap::new();
    for (key, value) in rows {
        by_size
            .entry(key.bytes)
            .or_default()
            .push((key.threads as f64, value));
    }
    by_size.retain(|_, series| series.len() > 1);
    let by_size = spread(by_size);
    let x = axes::over(by_size.values().flatten().map(|(x, _)| *x), Scale::Binary)?;
    let all = || {
        by_size
            .values()
            .flatten()
            .flat_map(|(_, value)| ends(value))
    };
    let y = axes::over(all(), axes::for_range(all()))?;
    let series = by_size.iter().map(|(bytes, values)| {
        let model = fitted.iter().find(|m| m.what == what && m.bytes == *bytes);
        let size = size(*bytes);
        let name = match model {
            Some(model) => format!("{size}: {}", model.formula(false)),
            None => size,
        };
        let places: Vec<f64> = values.iter().map(|(x, _)| *x).collect();
        let curve = model.map(|model| axes::curve(&places, &x, &y, |x| model.growth.fit.at(x)));
        series(name, values, &x, &y, curve)
    });
    let series: Vec<Series> = series.collect();
    Some(Plot {
        title: format!("{what}: time over threads"),
        description: in_words("threads", &by_size, |bytes| size(*bytes)),
        x_label: "threads".into(),
        y_label: "time".into(),
        x: x.axis(|value| format!("{value:.0}")),
        y: y.axis(axes::short_time),
        height: HEIGHT,
        series,
        bars: Vec::new(),
    })
}

/// Times of each thread, a series for each size with the most threads.
fn by_thread(what: &str, results: &Results) -> Option<Plot> {
    let timed = || {
        results
            .timings()
            .filter(|t| name(t) == what && !t.per_thread.is_empty())
    };
    let threads = timed().map(|timing| timing.threads).max()?;
    let own = timed().filter(|timing| timing.threads == threads && timing.repetition == 0);
    let by_size: BTreeMap<Option<u64>, &Timing> = own.map(|t| (t.what.bytes, t)).collect();
    let by_size = spread(by_size);
    let x = axes::over((0..threads).map(|thread| thread as f64), Scale::Linear)?;
    let bounds = |summary: &Summary| [summary.interval.0, summary.interval.1];
    let all = || {
        by_size
            .values()
            .flat_map(|t| &t.per_thread)
            .flat_map(bounds)
    };
    let y = axes::over(all(), axes::for_range(all()))?;
    let series = by_size.iter().map(|(bytes, timing)| {
        let points = timing
            .per_thread
            .iter()
            .enumerate()
            .map(|(thread, summary)| {
                let (low, high) = summary.interval;
                (
                    x.place(thread as f64),
                    y.place(summary.mean),
                    (y.place(low), y.place(high)),
                )
            });
        Series {
            name: size(*bytes),
            points: points.collect(),
            curve: Vec::new(),
        }
    });
    let series: Vec<Series> = series.collect();
    let words = by_size.iter().map(|(bytes, timing)| {
        let means = timing
            .per_thread
            .iter()
            .map(|summary| seconds(summary.mean, false));
        format!(
            "{}, thread by thread: {}.",
            size(*bytes),
            means.collect::<Vec<_>>().join(", ")
        )
    });
    Some(Plot {
        title: format!("{what}: time by thread, of {threads}"),
        description: words.collect::<Vec<_>>().join(" "),
        x_label: "thread".into(),
        y_label: "time".into(),
        x: x.axis(|value| format!("{value:.0}")),
        y: y.axis(axes::short_time),
        height: HEIGHT,
        series,
        bars: Vec::new(),
    })
}

/// The timing whose launches are shown: that of the most threads, with the smallest size.
fn typical<'a>(what: &str, results: &'a Results) -> Option<&'a Timing> {
    let shown = |timing: &&Timing| name(timing) == what && !timing.picture.is_empty();
    let order = |timing: &&Timing| (std::cmp::Reverse(timing.threads), timing.what.bytes);
    results.timings().filter(shown).min_by_key(order)
}

fn launches(timing: &Timing) -> Option<Plot> {
    let threads = timing.threads.min(THREADS);
    // One line between launches is left free.
    let band = (threads + 1) as f64;
    let count = timing.picture.len();
    let mut bars = Vec::new();
    for (index, launch) in timing.picture.iter().enumerate() {
        for thread in 0..threads {
            let (from, to) = (*launch.starts.get(thread)?, *launch.ends.get(thread)?);
            bars.push(Bar {
                series: if launch.correct { 0 } else { 5 },
                from,
                to,
                y: -(index as f64 * band + thread as f64),
                height: 0.8,
            });
        }
    }
    let x = axes::over(
        bars.iter().flat_map(|bar| [bar.from, bar.to]).chain([0.0]),
        Scale::Linear,
    )?;
    let lines = count as f64 * band;
    let middle = |index: usize| -(index as f64 * band + (threads as f64 - 1.0) / 2.0);
    let label = |index: usize| match timing.picture[index].correct {
        true => format!("launch {}", index + 1),
        false => format!("{}: late", index + 1),
    };
    let ticks = (0..count).map(|index| (middle(index), label(index)));
    let late = timing
        .picture
        .iter()
        .filter(|launch| !launch.correct)
        .count();
    let hidden = match timing.threads > threads {
        true => format!("; first {threads} threads"),
        false => String::new(),
    };
    let size = timing
        .what
        .bytes
        .map_or(String::new(), |of| format!(", {}", bytes(of as f64)));
    Some(Plot {
        title: format!(
            "{}{size}: launches of one stage, {} threads{hidden}",
            name(timing),
            timing.threads
        ),
        description: spans(timing, late),
        x_label: "time since the scheduled start; each line a thread".into(),
        y_label: String::new(),
        x: x.axis(axes::short_time),
        y: pgas_charts::Axis {
            low: -lines + 0.5,
            high: 1.0,
            ticks: ticks.collect(),
        },
        height: (80 + (lines * 9.0) as u32).clamp(220, 1200),
        series: colours_of_launches(late > 0),
        bars,
    })
}

/// Entries of the legend: bars have the colours of series 0 and 5.
fn colours_of_launches(is_late: bool) -> Vec<Series> {
    let named = |name: &str| Series {
        name: name.to_string(),
        ..Series::default()
    };
    match is_late {
        false => vec![named("launches")],
        true => vec![named("launches; late ones do not count")],
    }
}

fn spans(timing: &Timing, late: usize) -> String {
    let mut text = format!(
        "{} launches, {late} of them incorrect.",
        timing.picture.len()
    );
    for (index, launch) in timing.picture.iter().enumerate() {
        let extremes = |times: &[f64]| {
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            let most = times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            format!("{} to {}", seconds(least, false), seconds(most, false))
        };
        text += &format!(
            " Launch {}: threads start at {} and end at {}.",
            index + 1,
            extremes(&launch.starts),
            extremes(&launch.ends)
        );
    }
    text
}

/// Times of operations of known length by this timer.
fn wait_patterns(results: &Results) -> Option<Plot> {
    let rows = results
        .runs
        .iter()
        .flat_map(|run| &run.timer)
        .flat_map(|timer| &timer.rows);
    let mut patterns: BTreeMap<&str, Vec<&TimerRow>> = BTreeMap::new();
    for row in rows.filter(|row| row.pattern != "rate") {
        patterns.entry(&row.pattern).or_default().push(row);
    }
    let all = || patterns.values().flatten();
    let x = axes::over(all().map(|row| row.threads as f64), Scale::Linear)?;
    let times = all().flat_map(|row| [0.0, row.summary.interval.1, row.expected + row.tolerance]);
    let y = axes::over(times, Scale::Linear)?;
    let mut series = Vec::new();
    let mut words = Vec::new();
    for (pattern, rows) in &mut patterns {
        rows.sort_by_key(|row| row.threads);
        let measured = rows.iter().map(|row| {
            let (low, high) = row.summary.interval;
            (
                x.place(row.threads as f64),
                y.place(row.summary.mean),
                (y.place(low), y.place(high)),
            )
        });
        let expected = rows
            .iter()
            .map(|row| (x.place(row.threads as f64), y.place(row.expected)));
        series.push(Series {
            name: format!("{pattern}: measured, and by definition (line)"),
            points: measured.collect(),
            curve: expected.collect(),
        });
        words.extend(rows.iter().map(|row| {
            let (mean, expected) = (
                seconds(row.summary.mean, false),
                seconds(row.expected, false),
            );
            format!(
                "{pattern}, {} threads: {mean}, expected {expected}.",
                row.threads
            )
        }));
    }
    Some(Plot {
        title: "Wait patterns: what the timer says of known times".into(),
        description: words.join(" "),
        x_label: "threads".into(),
        y_label: "time".into(),
        x: x.axis(|value| format!("{value:.0}")),
        y: y.axis(axes::short_time),
        height: HEIGHT,
        series,
        bars: Vec::new(),
    })
}

fn ends(value: &Value) -> [f64; 3] {
    [value.interval.0, value.mean.value, value.interval.1]
}

fn size(bytes_of: Option<u64>) -> String {
    bytes_of.map_or_else(|| "time".to_string(), |of| bytes(of as f64))
}

/// Some of them, from the first to the last.
fn spread<K: Ord + Copy, V>(all: BTreeMap<K, V>) -> BTreeMap<K, V> {
    let count = all.len();
    if count <= SIZES {
        return all;
    }
    let chosen: BTreeSet<usize> = (0..SIZES).map(|i| i * (count - 1) / (SIZES - 1)).collect();
    let numbered = all.into_iter().enumerate();
    numbered
        .filter(|(index, _)| chosen.contains(index))
        .map(|(_, entry)| entry)
        .collect()
}

fn series(
    name: String,
    values: &[(f64, &Value)],
    x: &axes::Placed,
    y: &axes::Placed,
    curve: Option<Vec<(f64, f64)>>,
) -> Series {
    let points = values.iter().map(|(at, value)| {
        let (low, high) = value.interval;
        (
            x.place(*at),
            y.place(value.mean.value),
            (y.place(low), y.place(high)),
        )
    });
    let points: Vec<_> = points.collect();
    let joined = || points.iter().map(|(x, y, _)| (*x, *y)).collect();
    Series {
        name,
        curve: curve.unwrap_or_else(joined),
        points,
    }
}

fn in_words<K>(
    unit: &str,
    all: &BTreeMap<K, Vec<(f64, &Value)>>,
    name: impl Fn(&K) -> String,
) -> String {
    let words = all.iter().map(|(key, values)| {
        let each = values
            .iter()
            .map(|(x, value)| format!("{x} {unit} {}", seconds(value.mean.value, false)));
        format!("{}: {}.", name(key), each.collect::<Vec<_>>().join(", "))
    });
    words.collect::<Vec<_>>().join(" ")
}
