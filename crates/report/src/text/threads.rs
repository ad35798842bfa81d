//! Load per thread: a bar for each, or for groups of neighbours and the extremes if there are many.

use pgas_result::AnalysisResult;
use pgas_result::models::Words;
use pgas_result::recording::WaitStates;

use super::bar::stacked;
use super::canvas::{Canvas, Glyphs, Line, Style};
use crate::figures::{Activity, activities, largest};
use crate::names::width;
use crate::quantity::seconds;

/// Threads up to which each has a line of its own.
const MAX_LINES: usize = 32;
/// Lines for more threads than that.
const GROUPS: usize = 16;

/// A column of figures.
struct Column {
    width: usize,
    style: Style,
    glyph: fn(&Glyphs) -> char,
    name: &'static str,
    value: fn(&Activity) -> f64,
}

const COLUMNS: [Column; 3] = [
    Column {
        width: 15,
        style: Style::Computation,
        glyph: |glyphs| glyphs.computation,
        name: "computation",
        value: |activity| activity.computation,
    },
    Column {
        width: 12,
        style: Style::Waiting,
        glyph: |glyphs| glyphs.waiting,
        name: "waiting",
        value: |activity| activity.waiting,
    },
    Column {
        width: 17,
        style: Style::Communication,
        glyph: |glyphs| glyphs.communication,
        name: "communication",
        value: |activity| activity.communication,
    },
];

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let threads = activities(&result.cube);
    let longest = threads.iter().map(Activity::total).fold(0.0, f64::max);
    if longest <= 0.0 {
        return;
    }
    // Less than that of the run is no part of a bar that could be seen.
    let least = 0.01 * result.summary.wall_seconds;
    let is_there = |value: fn(&Activity) -> f64| threads.iter().any(|t| value(t) > least);
    let others: Vec<_> = [
        (
            Style::NoCore,
            canvas.glyphs.no_core,
            "no core",
            is_there(|a| a.no_core),
        ),
        (
            Style::Measurement,
            canvas.glyphs.measurement,
            "measurement",
            is_there(|a| a.measurement),
        ),
    ]
    .into_iter()
    .filter(|other| other.3)
    .collect();
    // Where waiting was not distinguished, it has no figures.
    let waits = result.summary.recording.wait_states != WaitStates::None;
    let columns: Vec<&Column> = COLUMNS
        .iter()
        .filter(|column| waits || column.name != "waiting")
        .collect();
    // On a narrow screen there is no room for more patterns.
    let room = match canvas.width {
        0..75 => 0,
        75..90 => 1,
        _ => 2,
    };
    let others = others.iter().take(room);
    let heads = column_heads(
        &canvas.glyphs,
        &columns,
        others.map(|&(style, glyph, name, _)| (style, glyph, name)),
    );
    let words = canvas.words;
    let title = format!("LOAD PER {}", words.one.to_uppercase());
    canvas.heading(&title, heads);

    let many = threads.len() > MAX_LINES;
    let mut rows = Vec::new();
    if many {
        for (name, activity) in groups(canvas, &threads) {
            rows.push((format!("{} {name}", words.many), activity));
        }
    } else {
        let last = words.number((threads.len() - 1) as u32);
        let digits = last.to_string().len();
        for (number, activity) in threads.iter().enumerate() {
            let number = words.number(number as u32);
            rows.push((format!("{} {number:>digits$}", words.one), *activity));
        }
    }
    let stand_out = match many {
        true => extremes(&threads, waits, &words),
        false => Vec::new(),
    };
    let labels = rows.iter().chain(&stand_out).map(|(label, _)| width(label));
    let bar_at = 2 + labels.max().unwrap_or(0) + 2;

    for row in &rows {
        write_row(canvas, row, bar_at, longest, &columns);
    }
    if many {
        canvas.blank();
        let text = "Groups of threads show their mean. Single threads that stand out:";
        canvas.prose((Style::Plain, ""), 2, Style::Dim, &words.say(text));
        for row in &stand_out {
            write_row(canvas, row, bar_at, longest, &columns);
        }
    }
}

/// Means of up to [`GROUPS`] groups of neighbouring threads.
fn groups(canvas: &Canvas, threads: &[Activity]) -> Vec<(String, Activity)> {
    let size = threads.len().div_ceil(GROUPS);
    threads
        .chunks(size)
        .enumerate()
        .map(|(index, group)| {
            let first = canvas.words.number((index * size) as u32);
            let last = first + group.len() as u32 - 1;
            let mean = |value: fn(&Activity) -> f64| {
                group.iter().map(value).sum::<f64>() / group.len() as f64
            };
            let activity = Activity {
                computation: mean(|a| a.computation),
                waiting: mean(|a| a.waiting),
                communication: mean(|a| a.communication),
                no_core: mean(|a| a.no_core),
                measurement: mean(|a| a.measurement),
            };
            (format!("{first}{}{last}", canvas.glyphs.dash), activity)
        })
        .collect()
}

/// The threads that stand out most.
fn extremes(threads: &[Activity], waits: bool, words: &Words) -> Vec<(String, Activity)> {
    let extreme = |what: &str, value: fn(&Activity) -> f64| {
        let (thread, _) = largest(threads.iter().map(value))?;
        let number = words.number(thread as u32);
        Some((format!("{what}: {number}"), threads[thread]))
    };
    [
        extreme("computes most", |a| a.computation),
        extreme("computes least", |a| -a.computation),
        waits
            .then(|| extreme("waits most", |a| a.waiting))
            .flatten(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The names of the columns, with the patterns of the bars; they end where the columns end. Before
/// them, the patterns of what has no column.
fn column_heads(
    glyphs: &Glyphs,
    columns: &[&Column],
    others: impl Iterator<Item = (Style, char, &'static str)>,
) -> Line {
    let mut line = Line::new();
    let mut end = 0;
    for (style, glyph, name) in others {
        if end > 0 {
            end += 2;
            line = line.to(end);
        }
        line = line
            .add(style, glyph.to_string())
            .add(Style::Dim, format!(" {name}"));
        end += 2 + name.len();
    }
    for column in columns {
        end += column.width;
        line = line
            .to(end - column.name.len() - 2)
            .add(column.style, (column.glyph)(glyphs).to_string())
            .add(Style::Dim, format!(" {}", column.name));
    }
    line
}

fn write_row(
    canvas: &mut Canvas,
    row: &(String, Activity),
    bar_at: usize,
    longest: f64,
    columns: &[&Column],
) {
    let (label, activity) = row;
    let widths: usize = columns.iter().map(|column| column.width).sum();
    let mut end = canvas.width - widths;
    let bar_width = end.saturating_sub(bar_at);
    let mut line = Line::new()
        .add(Style::Plain, format!("  {label}"))
        .to(bar_at)
        .append(stacked(activity, longest, bar_width, &canvas.glyphs));
    for column in columns {
        end += column.width;
        let value = (column.value)(activity);
        line = line.right(Style::Plain, seconds(value, canvas.ascii), end);
    }
    canvas.line(line);
}
