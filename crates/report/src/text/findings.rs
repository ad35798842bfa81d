//! The most expensive findings: what it costs, where it is, who was waited for, why, and what to try.

use pgas_cube::model::CallPathId;
use pgas_cube::recording::WaitStates;
use pgas_cube::summary::{Finding, InstanceStatistics};
use pgas_cube::AnalysisResult;

use super::canvas::{Canvas, Line, Style};
use crate::figures::names;
use crate::quantity::{count, percent, seconds};

const SHOWN: usize = 5;
/// Column at which the explanations begin.
const INDENT: usize = 14;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let findings = &result.summary.findings;
    let total = match findings.len() {
        n if n > SHOWN => format!("the first {SHOWN} of {n} findings"),
        _ => String::new(),
    };
    canvas.heading("WHAT COSTS MOST", Line::new().add(Style::Dim, total));
    if findings.is_empty() {
        let text = match result.summary.recording.wait_states {
            WaitStates::None => {
                "Nothing that costs more than 0.1 % of the time: no imbalance or inefficient access worth a change was \
                 found. For waiting, record without --profile."
            }
            _ => {
                "Nothing that costs more than 0.1 % of the time: no waiting, imbalance or inefficient access worth a \
                 change was found."
            }
        };
        canvas.prose((Style::Good, ""), 2, Style::Good, text);
        return;
    }
    for (index, finding) in findings.iter().take(SHOWN).enumerate() {
        if index > 0 {
            canvas.blank();
        }
        write_finding(canvas, result, index + 1, finding);
    }
}

fn write_finding(canvas: &mut Canvas, result: &AnalysisResult, number: usize, finding: &Finding) {
    let title = match result.cube.metric(&finding.metric) {
        Some(metric) => &result.cube.metrics[metric.0].display_name,
        None => &finding.metric,
    };
    let title = canvas.short(title, canvas.width - 30);
    let share = percent(finding.percent);
    canvas.line(
        Line::new()
            .right(Style::Strong, format!("{number}"), 2)
            .to(4)
            .add(Style::Strong, title)
            .right(
                Style::Strong,
                seconds(finding.seconds, canvas.ascii),
                canvas.width - 8,
            )
            .right(weight(finding.percent), share, canvas.width),
    );
    label(canvas, "where", Style::Plain, &place(canvas, finding));
    if let Some(path) = distinguishing_path(result, finding) {
        label(canvas, "called as", Style::Dim, &path);
    }
    if let Some(text) = last(canvas, result, finding) {
        label(canvas, "waited for", Style::Plain, &text);
    }
    label(canvas, "why", Style::Plain, &finding.cause);
    label(canvas, "try", Style::Good, &finding.advice);
}

/// How loud a share is printed.
fn weight(percent: f64) -> Style {
    match percent {
        p if p >= 5.0 => Style::Bad,
        p if p >= 1.0 => Style::Fair,
        _ => Style::Plain,
    }
}

fn label(canvas: &mut Canvas, label: &str, style: Style, text: &str) {
    canvas.prose(
        (Style::Dim, &format!("    {label}")),
        INDENT + 2,
        style,
        text,
    );
}

/// "upc_barrier in rank(), is.c:412", on one line.
fn place(canvas: &Canvas, finding: &Finding) -> String {
    let room = canvas.width - INDENT - 2;
    let region = canvas.short(&finding.region, room / 4);
    let what = match finding.function.as_str() {
        "" => region,
        function if function == finding.region => format!("function {region}"),
        function => format!("{region} in {}()", canvas.short(function, room / 3)),
    };
    let file = match (finding.file.as_str(), finding.line) {
        ("", _) => return what,
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    };
    let left = room.saturating_sub(crate::names::width(&what) + 2);
    // Wrapping is at spaces; a path with some would fall apart there.
    let file = canvas.short(&file, left).replace(' ', "\u{a0}");
    format!("{}, {file}", what)
}

/// The call path of a finding whose place alone does not tell it from another finding.
fn distinguishing_path(result: &AnalysisResult, finding: &Finding) -> Option<String> {
    let place = |f: &Finding| {
        (
            f.metric.clone(),
            f.region.clone(),
            f.function.clone(),
            f.file.clone(),
            f.line,
        )
    };
    let own = place(finding);
    let others = &result.summary.findings;
    others
        .iter()
        .find(|other| other.call_path != finding.call_path && place(other) == own)?;
    if finding.call_path >= result.cube.call_paths.len() {
        return None;
    }
    let path = names(&result.cube, CallPathId(finding.call_path));
    // The root stands for the program; every path begins with it.
    Some(path[1.min(path.len() - 1)..].join(" > "))
}

/// Who was waited for how often, and the worst time, if instances were counted.
fn last(canvas: &Canvas, result: &AnalysisResult, finding: &Finding) -> Option<String> {
    let statistics: Option<&InstanceStatistics> = result
        .summary
        .instances
        .iter()
        .find(|i| i.metric == finding.metric && i.call_path == finding.call_path);
    let mut parts = Vec::new();
    if let Some(thread) = finding.culprit_thread {
        let often = statistics.and_then(|s| {
            let times = *s.last_counts.get(thread as usize)?;
            Some(format!(
                ", {} of {} times",
                count(times as f64),
                count(s.instances as f64)
            ))
        });
        parts.push(format!("thread {thread}{}", often.unwrap_or_default()));
    }
    let worst = finding
        .worst
        .as_ref()
        .or_else(|| statistics.and_then(|s| s.worst.as_ref()));
    if let Some(worst) = worst {
        let whom = match finding.culprit_thread {
            Some(thread) if thread == worst.last_thread => String::new(),
            _ => format!(" to thread {}", worst.last_thread),
        };
        parts.push(format!(
            "worst: {} lost{whom}, {} into the run",
            seconds(worst.seconds, canvas.ascii),
            seconds(worst.at_seconds, canvas.ascii),
        ));
    }
    // Without a wait there is nobody to name; a culprit alone is named in the cause.
    if statistics.is_none() && worst.is_none() {
        return None;
    }
    Some(parts.join("; "))
}
