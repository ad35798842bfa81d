//! The most expensive findings: what it costs, where it is, who was waited for, why, and what to
//! try.

use pgas_cube::model::CallPathId;
use pgas_result::AnalysisResult;
use pgas_result::recording::WaitStates;
use pgas_result::sources::Sources;
use pgas_result::summary::{Finding, FindingKind, InstanceStatistics, WorstInstance};

use super::canvas::{Canvas, Line, Style};
use super::excerpt;
use crate::figures::names;
use crate::inflated;
use crate::live;
use crate::quantity::{count, percent, seconds};

const SHOWN: usize = 5;
/// Column at which the explanations begin.
const INDENT: usize = 14;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult, sources: &Sources) {
    let findings = &result.summary.findings;
    let threads = match result.summary.threads {
        _ if findings.is_empty() => String::new(),
        1 => format!("time lost on one {}", canvas.words.one),
        n => format!("time lost, summed over {}", canvas.words.count(n as usize)),
    };
    let asides = match findings.len() {
        n if n > SHOWN => [
            format!("the first {SHOWN} of {n}; {threads}"),
            format!("the first {SHOWN} of {n}"),
        ],
        _ => [threads, String::new()],
    };
    canvas.heading_with_one_of("WHAT COSTS MOST", &asides.each_ref().map(String::as_str));
    if findings.is_empty() {
        let text = match result.summary.recording.wait_states {
            WaitStates::None => {
                "Nothing that costs more than 0.1 % of the time: no imbalance or inefficient \
                 access worth a change was found. For waiting, record without --profile."
            }
            _ => {
                "Nothing that costs more than 0.1 % of the time: no waiting, imbalance or \
                 inefficient access worth a change was found."
            }
        };
        canvas.prose((Style::Good, ""), 2, Style::Good, text);
        return;
    }
    for (index, finding) in findings.iter().take(SHOWN).enumerate() {
        if index > 0 {
            canvas.blank();
        }
        write_finding(canvas, result, sources, index + 1, finding);
    }
}

fn write_finding(
    canvas: &mut Canvas,
    result: &AnalysisResult,
    sources: &Sources,
    number: usize,
    finding: &Finding,
) {
    let title = finding.name(&result.cube);
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
    excerpt::write(canvas, sources, finding, INDENT + 2);
    if let Some(path) = distinguishing_path(result, finding) {
        label(canvas, "called as", Style::Dim, &path);
    }
    if let Some(text) = waited_for(result, finding, canvas.ascii) {
        label(canvas, "waited for", Style::Plain, &text);
    }
    if let Some(text) = instances(result, finding, canvas.ascii) {
        label(canvas, "instances", Style::Plain, &text);
    }
    if let Some(text) = saves(result, finding, canvas.ascii) {
        label(canvas, "saves", Style::Plain, &text);
    }
    if let Some(text) = inflated::of_finding(result, finding) {
        label(canvas, "inflated", Style::Fair, &text);
    }
    if let Some(text) = live::known(&result.summary, finding, canvas.ascii) {
        label(canvas, "known", Style::Plain, &text);
    }
    if let Some(text) = overlaps(finding) {
        label(canvas, "overlaps", Style::Plain, &text);
    }
    label(canvas, "why", Style::Plain, &finding.cause);
    label(canvas, "try", Style::Good, &finding.advice);
}

/// Run time that a fix saves: "at most 1.2 s of the 5.0 s that the run takes".
pub fn saves(result: &AnalysisResult, finding: &Finding, ascii: bool) -> Option<String> {
    let saved = finding.saves_seconds?;
    let wall = result.summary.wall_seconds;
    if saved <= 0.0 {
        return Some("nothing: it is not on the critical path".to_owned());
    }
    let recording = result.summary.recording.cost.as_ref();
    let mark = recording.filter(|cost| cost.is_inflating());
    let mark = mark.map_or_else(String::new, |cost| {
        format!(
            "; recording took {} of its {}: a plain run has less to save",
            percent(cost.percent),
            result.summary.words().say(inflated::basis(cost))
        )
    });
    Some(format!(
        "at most {} of the {} that the run takes{mark}",
        seconds(saved, ascii),
        seconds(wall, ascii)
    ))
}

/// Which other findings are about the same seconds: "the same seconds as finding 2".
pub fn overlaps(finding: &Finding) -> Option<String> {
    let others = finding.overlaps.iter().map(|other| (other + 1).to_string());
    let others: Vec<String> = others.collect();
    match &others[..] {
        [] => None,
        [one] => Some(format!("the same seconds as finding {one}")),
        [first @ .., last] => Some(format!(
            "the same seconds as findings {} and {last}",
            first.join(", ")
        )),
    }
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
pub fn distinguishing_path(result: &AnalysisResult, finding: &Finding) -> Option<String> {
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

fn statistics<'a>(result: &'a AnalysisResult, finding: &Finding) -> Option<&'a InstanceStatistics> {
    let mut all = result.summary.instances.iter();
    all.find(|i| i.metric == finding.metric && i.call_path == finding.call_path)
}

/// How the waiting is spread over instances, if there are several.
pub fn instances(result: &AnalysisResult, finding: &Finding, ascii: bool) -> Option<String> {
    let statistics = statistics(result, finding)?;
    let of_instances = statistics.spread.as_ref()?.instances;
    let worst = statistics.worst.as_ref()?;
    if of_instances.count < 2 {
        return None;
    }
    let whom = match finding.culprit_thread {
        _ if !names_late_threads(Some(statistics)) => String::new(),
        Some(thread) if thread == worst.last_thread => String::new(),
        _ => format!(" for {}", result.summary.words().name(worst.last_thread)),
    };
    Some(format!(
        "{}: median {}, worst {}{}{whom}, {} into the run",
        count(of_instances.count as f64),
        seconds(of_instances.median, ascii),
        seconds(of_instances.maximum, ascii),
        over_threads(result, worst, ascii),
        seconds(worst.at_seconds, ascii),
    ))
}

/// Whether instances say which thread the others waited for: not where they waited for none, as
/// without a core after waiting.
fn names_late_threads(statistics: Option<&InstanceStatistics>) -> bool {
    statistics.is_none_or(|statistics| statistics.last_counts.iter().any(|&count| count > 0))
}

/// Says that the time of the worst instance is a sum over threads, and how long the one that lost
/// most lost: " summed over 4 threads, longest 4.00 ms on thread 2". Nothing if only one thread can
/// have lost time.
pub fn over_threads(result: &AnalysisResult, worst: &WorstInstance, ascii: bool) -> String {
    if result.summary.threads < 2 {
        return String::new();
    }
    let words = result.summary.words();
    match (worst.longest_seconds, worst.longest_thread) {
        // One thread lost all of it.
        (Some(longest), Some(thread)) if longest >= 0.9995 * worst.seconds => {
            format!(", all on {}", words.name(thread))
        }
        (Some(longest), Some(thread)) => format!(
            " summed over {} (longest {} on {})",
            words.many,
            seconds(longest, ascii),
            words.name(thread)
        ),
        _ => format!(" summed over {}", words.many),
    }
}

/// Thread that was waited for, how often, and the worst time, if instances were counted.
pub fn waited_for(result: &AnalysisResult, finding: &Finding, ascii: bool) -> Option<String> {
    if matches!(
        finding.kind,
        FindingKind::Mode | FindingKind::RemovableBarrier
    ) {
        return None;
    }
    let words = result.summary.words();
    let statistics = statistics(result, finding);
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
        parts.push(words.name(thread) + &often.unwrap_or_default());
    }
    let worst = finding
        .worst
        .as_ref()
        .or_else(|| statistics.and_then(|s| s.worst.as_ref()));
    // With a distribution, the worst is part of that.
    let distinguished = instances(result, finding, ascii).is_some();
    if let Some(worst) = worst.filter(|_| !distinguished) {
        let whom = match finding.culprit_thread {
            _ if !names_late_threads(statistics) => String::new(),
            Some(thread) if thread == worst.last_thread => String::new(),
            _ => format!(" to {}", words.name(worst.last_thread)),
        };
        parts.push(format!(
            "worst: {} lost{}{whom}, {} into the run",
            seconds(worst.seconds, ascii),
            over_threads(result, worst, ascii),
            seconds(worst.at_seconds, ascii),
        ));
    }
    // Without a wait there is nobody to name; a culprit alone is named in the cause.
    if statistics.is_none() && worst.is_none() {
        return None;
    }
    Some(parts.join("; "))
}
