//! Two groups of runs side by side, for a terminal: how long they took, which limits were kept,
//! what became better and worse, and which findings came and went.

use pgas_cube::model::Unit;
use pgas_result::comparison::{
    By, Change, ComparedFinding, ComparedMetric, ComparedPlace, Comparison, FindingStatus, Gate,
    GateResult, Participants, Verdict,
};
use pgas_result::models::Words;
use pgas_result::vocabulary::FACTORS;

use super::TextOptions;
use super::canvas::{Canvas, Line, Style};
use crate::figures::place as source_place;
use crate::quantity::{bytes, count, percent, seconds};

/// Columns behind the label: before, after, change, its uncertainty, percent, verdict.
const COLUMNS: [usize; 6] = [10, 11, 11, 11, 9, 12];

/// Metrics below this share of the largest one are left out, and places whose change is below it
/// are told in sum.
const SHOWN_SHARE: f64 = 0.001;

/// The comparison as text, every line within the width, with at most `top` places and findings.
pub fn comparison_text(comparison: &Comparison, options: &TextOptions, top: usize) -> String {
    let width = options.width.clamp(80, 120);
    let words = comparison.words();
    let mut canvas = Canvas::new(width, options.unicode, options.color).with_words(words);
    header(&mut canvas, comparison);
    limits(&mut canvas, comparison);
    efficiency(&mut canvas, comparison);
    metrics(&mut canvas, comparison);
    places(&mut canvas, comparison, top);
    findings(&mut canvas, comparison, top);
    if !comparison.notes.is_empty() {
        canvas.heading("NOTES", Line::new());
        let sign = canvas.glyphs.remark;
        for note in &comparison.notes {
            canvas.prose((Style::Fair, sign), 2, Style::Plain, &words.say(note));
        }
    }
    canvas.finish()
}

fn header(canvas: &mut Canvas, comparison: &Comparison) {
    for (side, participants) in [("before", &comparison.before), ("after", &comparison.after)] {
        let line = Line::new().add(Style::Dim, format!("{side:8}"));
        let text = canvas.short(&who(participants, &canvas.words), canvas.width - 8);
        canvas.line(line.add(Style::Plain, text));
    }
    canvas.blank();
    let wall = &comparison.wall;
    let (word, style) = verdict_words(wall.verdict);
    let mut line = Line::new()
        .add(Style::Strong, "Run time ")
        .add(Style::Plain, seconds(wall.before, canvas.ascii))
        .add(Style::Dim, if canvas.ascii { " -> " } else { " → " })
        .add(Style::Strong, seconds(wall.after, canvas.ascii))
        .add(Style::Plain, "  ")
        .add(style, signed_percent(wall));
    if let Some(uncertainty) = wall.percent_uncertainty() {
        let text = format!(" {} {}", plus_minus(canvas.ascii), percent(uncertainty));
        line = line.add(Style::Plain, text);
    }
    canvas.line(line.add(Style::Plain, "  ").add(style, word));
    if !comparison.noise_is_known() {
        canvas.prose(
            (Style::Fair, canvas.glyphs.remark),
            2,
            Style::Fair,
            "One run on a side does not tell how much times scatter, so that nothing below is \
             called better or worse. `pgastool run --repeat 5` makes runs that do.",
        );
    } else {
        canvas.prose(
            (Style::Dim, ""),
            0,
            Style::Dim,
            "Means over runs; what is called better or worse is no accident with a confidence of \
             95 %.",
        );
    }
}

fn who(participants: &Participants, words: &Words) -> String {
    let runs = match participants.runs.as_slice() {
        [run] => run.clone(),
        [first, .., last] => {
            format!("{} runs: {first} to {last}", participants.runs.len())
        }
        [] => "no runs".to_owned(),
    };
    let threads = words.count(participants.threads);
    match participants.program.is_empty() {
        true => format!("{threads}, {runs}"),
        false => format!("{} on {threads}, {runs}", participants.program),
    }
}

fn limits(canvas: &mut Canvas, comparison: &Comparison) {
    if comparison.gates.is_empty() {
        return;
    }
    canvas.heading("LIMITS", Line::new());
    for gate in &comparison.gates {
        let Gate { limit, unit, .. } = gate;
        let (word, style) = match gate.result {
            GateResult::Kept => ("kept", Style::Good),
            GateResult::Unclear => ("unclear: above, but perhaps by accident", Style::Fair),
            GateResult::NotJudged => ("not judged: recording cost", Style::Fair),
            GateResult::Exceeded => ("EXCEEDED", Style::Bad),
        };
        let show = |value: f64| quantity(value, *unit, canvas.ascii);
        let text = format!(
            "{} {} {}, allowed {} (+{} %)  ",
            show(gate.before),
            if canvas.ascii { "->" } else { "→" },
            show(gate.after),
            show(gate.allowed),
            limit.percent
        );
        let name = canvas.short(&limit.metric, canvas.width / 3);
        canvas.line(
            Line::new()
                .add(Style::Plain, "  ")
                .add(Style::Strong, format!("{name}  "))
                .add(Style::Plain, text)
                .add(style, word),
        );
    }
}

fn efficiency(canvas: &mut Canvas, comparison: &Comparison) {
    let Some(efficiency) = &comparison.efficiency else {
        return;
    };
    canvas.heading("HOW EFFICIENT", columns(canvas));
    let [parallel, balance, communication] = FACTORS.map(|factor| factor.name);
    for (name, change) in [
        (parallel.to_owned(), &efficiency.parallel_efficiency),
        (format!("  {balance}"), &efficiency.load_balance),
        (
            format!("  {communication}"),
            &efficiency.communication_efficiency,
        ),
    ] {
        // Percentages differ by points.
        let show = |value: f64| percent(100.0 * value);
        let points = |value: f64| format!("{:.1} pt", 100.0 * value);
        row(canvas, &name, change, show, points, false);
    }
}

fn metrics(canvas: &mut Canvas, comparison: &Comparison) {
    let largest = comparison
        .metrics
        .iter()
        .filter(|m| m.unit == Unit::Seconds);
    let largest = largest.map(|m| m.change.size()).fold(0.0, f64::max);
    let matters = |metric: &&ComparedMetric| match metric.unit {
        Unit::Seconds => metric.change.size() > SHOWN_SHARE * largest,
        _ => metric.change.change != 0.0,
    };
    let shown: Vec<&ComparedMetric> = comparison.metrics.iter().filter(matters).collect();
    if shown.is_empty() {
        return;
    }
    let title = match comparison.per_thread {
        true => "METRICS, MEAN OVER THREADS",
        false => "METRICS, ALL THREADS",
    };
    canvas.heading(title, columns(canvas));
    for metric in shown {
        let label = format!("{}{}", "  ".repeat(metric.depth), metric.name);
        let show = |value: f64| quantity(value, metric.unit, false);
        row(canvas, &label, &metric.change, show, show, true);
    }
}

fn places(canvas: &mut Canvas, comparison: &Comparison, top: usize) {
    let largest = comparison.places.iter().map(|place| place.change.size());
    let largest = largest.fold(0.0, f64::max);
    let matters = |place: &&ComparedPlace| place.change.change.abs() > SHOWN_SHARE * largest;
    let by = match comparison.by {
        By::Region => "REGION",
        By::Line => "LINE",
        By::CallPath => "CALL PATH",
        By::Thread => "THREAD",
    };
    let title = format!("{} BY {by}", comparison.metric_name.to_uppercase());
    canvas.heading(&canvas.short(&title, canvas.width / 3), columns(canvas));
    let shown: Vec<&ComparedPlace> = comparison.places.iter().filter(matters).take(top).collect();
    for place in &shown {
        let label = label(canvas, place, comparison.by);
        let show = |value: f64| quantity(value, comparison.unit, false);
        row(canvas, &label, &place.change, show, show, true);
    }
    let rest = comparison.places.len() - shown.len();
    if rest > 0 {
        let sum: f64 = comparison
            .places
            .iter()
            .map(|place| place.change.change)
            .sum();
        let of_shown: f64 = shown.iter().map(|place| place.change.change).sum();
        let text = format!(
            "  and {rest} more, which together changed by {}",
            signed(sum - of_shown, |value| quantity(
                value,
                comparison.unit,
                canvas.ascii
            ))
        );
        canvas.line(Line::new().add(Style::Dim, text));
    }
}

fn label(canvas: &Canvas, place: &ComparedPlace, by: By) -> String {
    let place = &place.place;
    let source = match (place.file.is_empty(), place.gone) {
        (true, _) => String::new(),
        (false, false) => source_place(&place.file, place.line),
        (false, true) => format!("{} (before)", source_place(&place.file, place.line)),
    };
    let arrow = if canvas.ascii { " > " } else { " › " };
    match by {
        By::Thread => canvas.words.name(place.thread.unwrap_or(0) as u32),
        By::Region => match place.line {
            0 => place.region.clone(),
            _ => format!("{}  {source}", place.region),
        },
        By::Line => match source.is_empty() {
            true => place.region.clone(),
            false => format!("{source}  {}", place.region),
        },
        By::CallPath => format!("{}  {source}", place.path.join(arrow)),
    }
}

fn findings(canvas: &mut Canvas, comparison: &Comparison, top: usize) {
    let all = &comparison.findings;
    for (status, title) in [
        (FindingStatus::New, "NEW FINDINGS"),
        (FindingStatus::Gone, "FINDINGS THAT ARE GONE"),
        (FindingStatus::Stays, "FINDINGS THAT STAY"),
    ] {
        let of_status = all.iter().filter(|finding| finding.status == status);
        let (little, much): (Vec<&ComparedFinding>, Vec<&ComparedFinding>) =
            of_status.partition(|finding| finding.change.verdict == Verdict::Negligible);
        if much.is_empty() {
            continue;
        }
        canvas.heading(title, columns(canvas));
        for finding in much.iter().take(top) {
            write_finding(canvas, comparison, finding);
        }
        let rest = much.len().saturating_sub(top) + little.len();
        if rest > 0 {
            let text = format!("  and {rest} that cost less");
            canvas.line(Line::new().add(Style::Dim, text));
        }
    }
}

fn write_finding(canvas: &mut Canvas, comparison: &Comparison, finding: &ComparedFinding) {
    let name = comparison.finding_name(finding);
    let function = match finding.function.is_empty() {
        true => String::new(),
        false => format!(" in {}", finding.function),
    };
    let source = source_place(&finding.file, finding.line);
    let label = format!("{name}: {}{function}  {source}", finding.region);
    let show = |value: f64| seconds(value, false);
    row(canvas, &label, &finding.change, show, show, true);
    let (before, after) = (&comparison.before.runs, &comparison.after.runs);
    let told = [
        ("before", finding.in_before, before.len()),
        ("after", finding.in_after, after.len()),
    ];
    let partly: Vec<String> = told
        .iter()
        .filter(|(_, found, of)| *found > 0 && found < of)
        .map(|(side, found, of)| format!("{side} in {found} of {of} runs"))
        .collect();
    if !partly.is_empty() {
        let text = format!("found {}", partly.join(", "));
        canvas.prose((Style::Plain, ""), 4, Style::Fair, &text);
    }
    if finding.status == FindingStatus::New {
        canvas.prose((Style::Plain, ""), 4, Style::Plain, &finding.cause);
        canvas.prose((Style::Plain, ""), 4, Style::Dim, &finding.advice);
    }
}

/// Heads of the columns, without that of the label.
fn columns(canvas: &Canvas) -> Line {
    let mut line = Line::new();
    let mut end = 0;
    let heads = [
        "before",
        "after",
        "change",
        plus_minus(canvas.ascii),
        "",
        "",
    ];
    for (head, width) in heads.into_iter().zip(COLUMNS) {
        end += width;
        line = line.right(Style::Dim, head, end);
    }
    line.to(end)
}

/// A label and its figures; a label that is too long takes a line of its own.
fn row(
    canvas: &mut Canvas,
    label: &str,
    change: &Change,
    show: impl Fn(f64) -> String,
    show_change: impl Fn(f64) -> String,
    with_percent: bool,
) {
    let figures: usize = COLUMNS.iter().sum();
    let room = canvas.width - figures;
    let own_line = crate::names::width(&canvas.name(label)) + 3 > room;
    let shown = canvas.short(label, if own_line { canvas.width - 2 } else { room - 3 });
    let mut line = Line::new().add(Style::Plain, format!("  {shown}"));
    if own_line {
        canvas.line(line);
        line = Line::new();
    }
    let (word, style) = verdict_words(change.verdict);
    let half = change.interval.map(|(low, high)| (high - low) / 2.0);
    let ascii = canvas.ascii;
    let plain = |text: String| if ascii { text.replace('µ', "u") } else { text };
    let mut end = room;
    let cells = [
        (Style::Plain, plain(show(change.before))),
        (Style::Plain, plain(show(change.after))),
        (style, plain(signed(change.change, &show_change))),
        (
            Style::Dim,
            half.map_or_else(String::new, |half| plain(show_change(half))),
        ),
        (
            style,
            match with_percent {
                true => signed_percent(change),
                false => String::new(),
            },
        ),
        (style, word.to_owned()),
    ];
    for ((style, text), width) in cells.into_iter().zip(COLUMNS) {
        end += width;
        // A figure that is wider than its column does not touch the one before it.
        let begin = end.saturating_sub(crate::names::width(&text));
        if !text.is_empty() && begin > 0 && begin <= line.width() {
            line = line.add(Style::Plain, " ");
        }
        line = line.right(style, text, end);
    }
    canvas.line(line);
}

fn quantity(value: f64, unit: Unit, ascii: bool) -> String {
    match unit {
        Unit::Seconds => seconds(value, ascii),
        Unit::Occurrences => count(value),
        Unit::Bytes => bytes(value),
    }
}

fn signed(value: f64, show: impl Fn(f64) -> String) -> String {
    match value > 0.0 {
        true => format!("+{}", show(value)),
        false => show(value),
    }
}

/// "+12 %", "-3.4 %", "new" where there was nothing, "0 %" for next to nothing.
fn signed_percent(change: &Change) -> String {
    match change.percent {
        None if change.change == 0.0 => String::new(),
        None => "new".to_owned(),
        Some(value) if value.abs() < 0.05 => "0 %".to_owned(),
        Some(value) if value >= 999.5 => format!("x {}", count(1.0 + value / 100.0)),
        Some(value) => signed(value, percent),
    }
}

fn plus_minus(ascii: bool) -> &'static str {
    if ascii { "+-" } else { "±" }
}

fn verdict_words(verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::Better => ("better", Style::Good),
        Verdict::Worse => ("worse", Style::Bad),
        Verdict::Less => ("less", Style::Strong),
        Verdict::More => ("more", Style::Strong),
        Verdict::NoChange => ("no change", Style::Dim),
        Verdict::TooNoisy => ("too noisy", Style::Fair),
        Verdict::NotJudged => ("not judged", Style::Fair),
        Verdict::Negligible => ("negligible", Style::Dim),
        Verdict::Unknown => ("", Style::Plain),
    }
}
