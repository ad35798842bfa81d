//! Hardware counters: for the whole program with the extremes over threads, and at the call paths
//! with most.

use pgas_cube::model::{CallPathId, Unit};
use pgas_result::AnalysisResult;

use super::call_paths::add_call_path;
use super::canvas::{Canvas, Line, Style};
use crate::figures::{Ratio, counters, top_call_paths};
use crate::quantity::{count, percent, ratio, seconds};

/// Call paths that have a line.
const SHOWN: usize = 5;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let cube = &result.cube;
    let counters = counters(result);
    let Some(&first) = counters.first() else {
        return;
    };
    let threads = match result.summary.threads {
        1 => format!("of one {}", canvas.words.one),
        n => format!("summed over {}", canvas.words.count(n as usize)),
    };
    canvas.heading("COUNTERS", Line::new().add(Style::Dim, threads));
    for &metric in &counters {
        let per_thread = cube.per_thread(metric);
        let (unit, ascii) = (cube.metrics[metric.0].unit, canvas.ascii);
        let value = |value: f64| amount(value, unit, ascii);
        write_total(
            canvas,
            &cube.metrics[metric.0].display_name,
            &value(per_thread.iter().sum()),
            &per_thread,
            &value,
        );
    }
    let per_cycle = Ratio::instructions_per_cycle(cube, &counters);
    if let Some(per_cycle) = &per_cycle {
        let defined: Vec<f64> = per_cycle.per_thread.iter().flatten().copied().collect();
        let total = per_cycle.total.map_or_else(|| "?".to_owned(), ratio);
        write_total(canvas, "instructions per cycle", &total, &defined, &ratio);
    }

    let top = top_call_paths(cube, first, SHOWN);
    if top.is_empty() {
        return;
    }
    canvas.blank();
    let text = format!(
        "Call paths with most {}, exclusive:",
        cube.metrics[first.0].display_name
    );
    canvas.prose((Style::Plain, ""), 2, Style::Dim, &text);
    let whole = cube.total(first);
    for (call_path, value) in top {
        let per_cycle = per_cycle
            .as_ref()
            .and_then(|ratios| ratios.at(cube, call_path));
        write_call_path(
            canvas,
            result,
            call_path,
            amount(value, cube.metrics[first.0].unit, canvas.ascii),
            value / whole,
            per_cycle,
        );
    }
}

/// "instructions   12.3 billion   thread 3 least with 2.91 billion, thread 0 most with 3.35
/// billion"
fn write_total(
    canvas: &mut Canvas,
    name: &str,
    total: &str,
    per_thread: &[f64],
    value: &dyn Fn(f64) -> String,
) {
    let least = per_thread.iter().copied().fold(f64::INFINITY, f64::min);
    let most = per_thread.iter().copied().fold(0.0, f64::max);
    let words = match per_thread.len() {
        0 | 1 => String::new(),
        _ if least == most => format!("{} on each thread", value(most)),
        _ => format!("from {} to {} a thread", value(least), value(most)),
    };
    let name = canvas.short(name, 26);
    let words = canvas.short(&canvas.words.say(&words), canvas.width - 46);
    let line = Line::new()
        .add(Style::Plain, format!("  {name}"))
        .right(Style::Strong, total, 44)
        .to(46)
        .add(Style::Dim, words);
    canvas.line(line);
}

fn write_call_path(
    canvas: &mut Canvas,
    result: &AnalysisResult,
    call_path: CallPathId,
    value: String,
    share: f64,
    per_cycle: Option<f64>,
) {
    let mut line =
        Line::new()
            .right(Style::Plain, value, 15)
            .right(Style::Plain, percent(share * 100.0), 23);
    let mut path_at = 25;
    if let Some(per_cycle) = per_cycle {
        line = line.right(Style::Plain, format!("{} per cycle", ratio(per_cycle)), 41);
        path_at = 43;
    }
    canvas.line(add_call_path(
        canvas,
        line,
        &result.cube,
        call_path,
        path_at,
    ));
}

fn amount(value: f64, unit: Unit, ascii: bool) -> String {
    match unit {
        Unit::Seconds => seconds(value, ascii),
        _ => count(value),
    }
}
