//! Load per thread: a bar for each, or for groups of neighbours and the extremes if there are many.

use pgas_cube::AnalysisResult;

use super::bar::stacked;
use super::canvas::{Canvas, Glyphs, Line, Style};
use crate::figures::{activities, largest, Activity};
use crate::names::width;
use crate::quantity::seconds;

/// Up to so many threads have a line each.
const MAX_LINES: usize = 32;
/// Lines for more threads than that.
const GROUPS: usize = 16;

/// Widths of the columns of figures: computation, waiting, communication.
const COLUMNS: [usize; 3] = [15, 12, 17];

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let threads = activities(&result.cube);
    let longest = threads.iter().map(Activity::total).fold(0.0, f64::max);
    if longest <= 0.0 {
        return;
    }
    let measured = threads.iter().any(|t| t.measurement > 0.0);
    // On a narrow screen there is no room for the fourth pattern.
    let heads = column_heads(&canvas.glyphs, measured && canvas.width >= 75);
    canvas.heading("LOAD PER THREAD", heads);

    let many = threads.len() > MAX_LINES;
    let mut rows = Vec::new();
    if many {
        for (name, activity) in groups(canvas, &threads) {
            rows.push((format!("threads {name}"), activity));
        }
    } else {
        let digits = (threads.len() - 1).to_string().len();
        for (number, activity) in threads.iter().enumerate() {
            rows.push((format!("thread {number:>digits$}"), *activity));
        }
    }
    let stand_out = if many { extremes(&threads) } else { Vec::new() };
    let labels = rows.iter().chain(&stand_out).map(|(label, _)| width(label));
    let bar_at = 2 + labels.max().unwrap_or(0) + 2;

    for row in &rows {
        write_row(canvas, row, bar_at, longest);
    }
    if many {
        canvas.blank();
        let text = "Groups of threads show their mean. Single threads that stand out:";
        canvas.prose((Style::Plain, ""), 2, Style::Dim, text);
        for row in &stand_out {
            write_row(canvas, row, bar_at, longest);
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
            let first = index * size;
            let last = first + group.len() - 1;
            let mean = |value: fn(&Activity) -> f64| {
                group.iter().map(value).sum::<f64>() / group.len() as f64
            };
            let activity = Activity {
                computation: mean(|a| a.computation),
                waiting: mean(|a| a.waiting),
                communication: mean(|a| a.communication),
                measurement: mean(|a| a.measurement),
            };
            (format!("{first}{}{last}", canvas.glyphs.dash), activity)
        })
        .collect()
}

/// The threads that stand out most.
fn extremes(threads: &[Activity]) -> Vec<(String, Activity)> {
    let extreme = |what: &str, value: fn(&Activity) -> f64| {
        let (thread, _) = largest(threads.iter().map(value))?;
        Some((format!("{what}: {thread}"), threads[thread]))
    };
    [
        extreme("computes most", |a| a.computation),
        extreme("computes least", |a| -a.computation),
        extreme("waits most", |a| a.waiting),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The names of the columns, with the patterns of the bars; they end where the columns end.
fn column_heads(glyphs: &Glyphs, measured: bool) -> Line {
    let heads = [
        (Style::Computation, glyphs.computation, "computation"),
        (Style::Waiting, glyphs.waiting, "waiting"),
        (Style::Communication, glyphs.communication, "communication"),
    ];
    let mut line = Line::new();
    let mut end = 0;
    if measured {
        line = line
            .add(Style::Measurement, glyphs.measurement.to_string())
            .add(Style::Dim, " measurement");
        end = "  measurement".len();
    }
    for ((style, glyph, name), columns) in heads.into_iter().zip(COLUMNS) {
        end += columns;
        line = line
            .to(end - name.len() - 2)
            .add(style, glyph.to_string())
            .add(Style::Dim, format!(" {name}"));
    }
    line
}

fn write_row(canvas: &mut Canvas, row: &(String, Activity), bar_at: usize, longest: f64) {
    let (label, activity) = row;
    let mut end = canvas.width - COLUMNS.iter().sum::<usize>();
    let bar_width = end.saturating_sub(bar_at);
    let mut line = Line::new()
        .add(Style::Plain, format!("  {label}"))
        .to(bar_at)
        .append(stacked(activity, longest, bar_width, &canvas.glyphs));
    let figures = [
        activity.computation,
        activity.waiting,
        activity.communication,
    ];
    for (value, columns) in figures.into_iter().zip(COLUMNS) {
        end += columns;
        line = line.right(Style::Plain, seconds(value, canvas.ascii), end);
    }
    canvas.line(line);
}
