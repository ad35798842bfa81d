//! The measured run, and the conditions of the measurement that a reader must know before believing
//! the rest.

use pgas_base::shell::quoted;
use pgas_result::AnalysisResult;
use pgas_result::clocks::ClockSummary;
use pgas_result::models;
use pgas_result::summary::Summary;

use super::canvas::{Canvas, Line, Style};
use crate::inflated;
use crate::quantity::{count, percent, seconds};

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let AnalysisResult { cube, summary } = result;
    let command: Vec<_> = std::iter::once(&summary.program)
        .chain(&summary.arguments)
        .map(|word| quoted(word))
        .collect();
    let room = canvas.width;
    canvas.line(Line::new().add(Style::Strong, canvas.short(&command.join(" "), room)));

    let separator = canvas.glyphs.separator;
    let mut facts = vec![
        participants(summary),
        format!("{} wall time", seconds(summary.wall_seconds, canvas.ascii)),
    ];
    match &cube.nodes[..] {
        [] => {}
        [node] => facts.push(format!("on {}", canvas.short(node, 30))),
        nodes => facts.push(format!("on {} nodes", nodes.len())),
    }
    if let Some(started) = cube.attributes.get("started") {
        facts.push(canvas.short(&date_and_time(started), 30));
    }
    let facts = canvas.short(&facts.join(separator), room);
    canvas.line(Line::new().add(Style::Dim, facts));
    if let Some(clocks) = &summary.clocks {
        let text = canvas.short(&clocks_of(clocks, canvas.ascii), room);
        canvas.line(Line::new().add(Style::Dim, text));
    }

    if let Some(warning) = inflated::warning(result) {
        canvas.blank();
        let warning = canvas.words.say(&warning);
        canvas.prose((Style::Bad, canvas.glyphs.remark), 2, Style::Bad, &warning);
    }
    if !summary.remarks.is_empty() {
        canvas.blank();
        let sign = canvas.glyphs.remark;
        for remark in &summary.remarks {
            canvas.prose((Style::Bad, sign), 2, Style::Fair, remark);
        }
    }
}

/// "4 PEs"; of a program whose models have no word in common, with the models.
fn participants(summary: &Summary) -> String {
    let models = summary.known_models();
    let count = summary.words().count(summary.threads as usize);
    match models.len() {
        0 | 1 => count,
        _ => format!("{count} ({})", models::names(&models)),
    }
}

/// How well times of different nodes compare, and what that means for the waiting.
fn clocks_of(clocks: &ClockSummary, ascii: bool) -> String {
    let known = match clocks.uncertainty_seconds() {
        Some(uncertainty) => {
            let sign = if ascii { "+-" } else { "±" };
            format!(
                "clocks of nodes known to {sign}{}",
                seconds(uncertainty, ascii)
            )
        }
        None => "clocks of nodes not all compared".to_owned(),
    };
    let below = percent(100.0 * clocks.share_below_uncertainty());
    let early = match clocks.violations.count() {
        0 => String::new(),
        1 => "; 1 effect before its cause".to_owned(),
        n => format!("; {} effects before their causes", count(n as f64)),
    };
    format!("{known}; {below} of the waiting is below that{early}")
}

/// RFC 3339 without what a person does not need: the letter between date and time, and the time
/// zone.
fn date_and_time(started: &str) -> String {
    match (started.get(..10), started.get(10..11), started.get(11..19)) {
        (Some(date), Some("T"), Some(time)) => format!("{date} {time}"),
        _ => started.to_owned(),
    }
}
