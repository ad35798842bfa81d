//! The tree of time metrics with seconds, share and bar, and beside it the transferred bytes.

use pgas_cube::model::{Cube, MetricId, Unit};
use pgas_result::{AnalysisResult, Inflation};

use super::bar::bar;
use super::canvas::{Canvas, Line, Style};
use crate::figures::{counters, is_wait_state, time};
use crate::inflated;
use crate::quantity::{bytes, count, percent, seconds};

/// Metrics that have a section of their own, or mean nothing as a sum.
const ELSEWHERE: [&str; 2] = ["visits", "critical_path"];

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let cube = &result.cube;
    let Some(time) = time(cube) else {
        return;
    };
    let totals: Vec<f64> = (0..cube.metrics.len())
        .map(|index| cube.total(MetricId(index)))
        .collect();
    let threads = match result.summary.threads {
        1 => format!("of one {}", canvas.words.one),
        n => format!("summed over {}", canvas.words.count(n as usize)),
    };
    canvas.heading("WHERE THE TIME WENT", Line::new().add(Style::Dim, threads));
    let inflation = Inflation::of(result);
    let mark = |metric| inflated::of_metric(inflation.as_ref(), result, metric);
    tree(canvas, cube, time, &totals, &mark);
    let mut first = true;
    // They have a section of their own.
    let elsewhere = counters(result);
    for (index, metric) in cube.metrics.iter().enumerate() {
        let beside = metric.parent.is_none()
            && index != time.0
            && !ELSEWHERE.contains(&metric.unique_name.as_str())
            && !elsewhere.contains(&MetricId(index));
        if beside && totals[index] != 0.0 {
            if first {
                canvas.blank();
                first = false;
            }
            other(canvas, cube, index, &totals, totals[time.0]);
        }
    }
}

/// Widths of the names and of the bars; between them are 20 columns of figures.
fn columns(canvas: &Canvas) -> (usize, usize) {
    let bar = canvas.width.saturating_sub(52).clamp(8, 32);
    (canvas.width - 20 - bar, bar)
}

/// The metrics below `root`, in their own order; what is zero is left out.
/// `mark` says which share of a metric recording took, if it is notable.
fn tree(
    canvas: &mut Canvas,
    cube: &Cube,
    root: MetricId,
    totals: &[f64],
    mark: &dyn Fn(MetricId) -> Option<String>,
) {
    let whole = totals[root.0];
    let (name_width, bar_width) = columns(canvas);
    // A stack of metrics to print; children are pushed in reverse, so that they come out in order.
    let mut open = vec![(root.0, 0)];
    while let Some((index, depth)) = open.pop() {
        let metric = &cube.metrics[index];
        let value = totals[index];
        let style = match metric.unique_name.as_str() {
            "computation" => Style::Computation,
            "measurement" => Style::Measurement,
            "no_core" => Style::NoCore,
            _ if is_wait_state(cube, MetricId(index)) => Style::Waiting,
            _ if depth == 0 => Style::Dim,
            _ => Style::Communication,
        };
        let name_style = if depth < 2 {
            Style::Strong
        } else {
            Style::Plain
        };
        let indent = 2 + 2 * depth.min(8);
        let share = if whole > 0.0 { value / whole } else { 0.0 };
        let mark = mark(MetricId(index)).map(|share| format!(" ({share} recording)"));
        let mark = mark.unwrap_or_default();
        let room = (name_width - indent).saturating_sub(mark.chars().count());
        let name = canvas.short(&metric.display_name, room);
        canvas.line(
            Line::new()
                .to(indent)
                .add(name_style, name)
                .add(Style::Bad, mark)
                .right(Style::Plain, seconds(value, canvas.ascii), name_width + 10)
                .right(Style::Plain, percent(share * 100.0), name_width + 18)
                .to(name_width + 20)
                .add(style, bar(share, bar_width, &canvas.glyphs)),
        );
        for (child, metric) in cube.metrics.iter().enumerate().rev() {
            if metric.parent == Some(MetricId(index)) && totals[child] != 0.0 {
                open.push((child, depth + 1));
            }
        }
    }
}

/// One line for a metric that is no part of the time, with its parts in words.
fn other(canvas: &mut Canvas, cube: &Cube, index: usize, totals: &[f64], whole: f64) {
    let metric = &cube.metrics[index];
    let amount = |value| match metric.unit {
        Unit::Seconds => seconds(value, canvas.ascii),
        Unit::Bytes => bytes(value),
        Unit::Occurrences => count(value),
    };
    let parts: Vec<_> = (index + 1..cube.metrics.len())
        .filter(|&c| cube.metrics[c].parent == Some(MetricId(index)) && totals[c] != 0.0)
        .map(|c| {
            // "Bytes put, local" below "Bytes put" is "local".
            let name = cube.metrics[c].display_name.as_str();
            let own = name.strip_prefix(&metric.display_name).unwrap_or(name);
            format!(
                "{} {}",
                own.trim_start_matches([',', ' ']),
                amount(totals[c])
            )
        })
        .collect();
    let (name_width, words_width) = columns(canvas);
    let mut line = Line::new()
        .add(Style::Plain, "  ")
        .add(
            Style::Plain,
            canvas.short(&metric.display_name, name_width - 2),
        )
        .right(Style::Plain, amount(totals[index]), name_width + 10);
    if metric.unit == Unit::Seconds && whole > 0.0 {
        let share = percent(totals[index] / whole * 100.0);
        line = line.right(Style::Plain, share, name_width + 18);
    }
    let words = parts.join(canvas.glyphs.separator);
    if words.chars().count() <= words_width {
        canvas.line(line.to(name_width + 20).add(Style::Dim, words));
        return;
    }
    canvas.line(line);
    let words = canvas.short(&words, canvas.width - 4);
    let indent = canvas.width.saturating_sub(words.chars().count()).max(4);
    canvas.line(Line::new().to(indent).add(Style::Dim, words));
}
