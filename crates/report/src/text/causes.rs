//! The largest parts of the critical path, and the root causes of waiting, most seconds first.

use pgas_result::AnalysisResult;
use pgas_result::causes::RootCause;

use super::canvas::{Canvas, Line, Style};
use crate::quantity::{count, percent, seconds};

/// Lines of each kind.
const SHOWN: usize = 3;
/// Share of the critical path, or of the time of all threads, that is worth a line.
const LEAST_SHARE: f64 = 0.01;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let Some(causes) = &result.summary.causes else {
        return;
    };
    let path = &causes.critical_path;
    if result.summary.threads < 2 || path.seconds <= 0.0 {
        return;
    }
    let changes = match path.changes {
        0 => "on one thread".to_owned(),
        1 => "changes thread once".to_owned(),
        n => format!("changes thread {} times", count(n as f64)),
    };
    let changes = canvas.words.say(&changes);
    let aside = format!("{changes}; share of the path");
    canvas.heading_with_one_of("CRITICAL PATH", &[&aside, &changes]);
    let notable = |seconds: f64, whole: f64| seconds >= LEAST_SHARE * whole;
    let parts = path.call_paths.iter().take(SHOWN);
    for part in parts.filter(|part| notable(part.seconds, path.seconds)) {
        let mut text = place(result, part.call_path);
        if part.imbalance_seconds >= LEAST_SHARE * path.seconds {
            let balance = seconds(part.imbalance_seconds, canvas.ascii);
            text += &format!("; {balance} less if balanced");
        }
        let share = percent(100.0 * part.seconds / path.seconds);
        line(canvas, &text, part.seconds, &share);
    }
    let time = result.cube.metric("time");
    let all = time.map_or(0.0, |time| result.cube.total(time));
    let waiting = |cause: &RootCause| cause.short_term_seconds + cause.long_term_seconds;
    let mut roots: Vec<&RootCause> = causes.root_causes.iter().collect();
    roots.retain(|root| notable(waiting(root), all));
    roots.sort_by(|a, b| waiting(b).total_cmp(&waiting(a)));
    if !roots.is_empty() {
        let text =
            "Root causes: waiting of all threads that they lead to, share of all threads' time";
        canvas.prose((Style::Dim, ""), 2, Style::Dim, &canvas.words.say(text));
    }
    for root in roots.into_iter().take(SHOWN) {
        let passed_on = match root.long_term_seconds >= root.short_term_seconds {
            true => ", passed on",
            false => "",
        };
        let text = format!(
            "{} in {}{passed_on}",
            canvas.words.name(root.thread),
            place(result, root.call_path)
        );
        let share = percent(100.0 * waiting(root) / all);
        line(canvas, &text, waiting(root), &share);
    }
}

fn line(canvas: &mut Canvas, text: &str, time: f64, share: &str) {
    let text = canvas.short(text, canvas.width - 22);
    canvas.line(
        Line::new()
            .add(Style::Plain, "  ")
            .add(Style::Plain, text)
            .right(Style::Strong, seconds(time, canvas.ascii), canvas.width - 8)
            .right(Style::Plain, share, canvas.width),
    );
}

/// "solve (a.upc:60)".
fn place(result: &AnalysisResult, call_path: usize) -> String {
    let cube = &result.cube;
    let Some(node) = cube.call_paths.get(call_path) else {
        return String::new();
    };
    let region = &cube.regions[node.region.0].name;
    match (node.file.as_str(), node.line) {
        ("", _) => region.clone(),
        (file, 0) => format!("{region} ({file})"),
        (file, line) => format!("{region} ({file}:{line})"),
    }
}
