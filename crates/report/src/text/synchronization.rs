//! Synchronisation that the run did not need: a line for each place, what could be done there, and
//! what it would save.

use pgas_result::AnalysisResult;
use pgas_result::synchronization::{AdviceKind, SynchronizationAdvice};

use super::canvas::{Canvas, Line, Style};
use crate::quantity::seconds;

/// Places that have a line.
const SHOWN: usize = 5;
/// Share of the run's time that must be at stake for a line.
const LEAST_SHARE: f64 = 0.001;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let Some(synchronization) = &result.summary.synchronization else {
        return;
    };
    let least = LEAST_SHARE * result.summary.wall_seconds;
    let all = &synchronization.advice;
    let notable: Vec<&SynchronizationAdvice> = all
        .iter()
        .filter(|advice| advice.saves_seconds >= least)
        .collect();
    if notable.is_empty() && !all.is_empty() {
        return;
    }
    let subtitle = match notable.len() {
        n if n > SHOWN => format!("{SHOWN} of {n} places, in this run"),
        _ => "in this run".to_owned(),
    };
    canvas.heading(
        "SYNCHRONIZATION NOT NEEDED",
        Line::new().add(Style::Dim, subtitle),
    );
    for advice in notable.into_iter().take(SHOWN) {
        write_line(canvas, result, advice);
    }
    if let Some(note) = &synchronization.note {
        canvas.prose((Style::Plain, ""), 2, Style::Dim, note);
    }
}

/// "a.upc:12  upc_all_reduce: UPC_IN_NOSYNC is enough          saves at most 12.3 ms"
fn write_line(canvas: &mut Canvas, result: &AnalysisResult, advice: &SynchronizationAdvice) {
    let cube = &result.cube;
    let Some(node) = cube.call_paths.get(advice.call_path) else {
        return;
    };
    let region = &cube.regions[node.region.0].name;
    let place = match node.file.as_str() {
        "" => "?".to_owned(),
        file => format!("{file}:{}", node.line),
    };
    let enough = advice.enough.as_deref().unwrap_or("less");
    let what = match advice.kind {
        AdviceKind::WeakerEntry | AdviceKind::WeakerExit => format!("{enough} is enough"),
        AdviceKind::RepeatedBarrier => "follows another barrier".to_owned(),
        AdviceKind::OwnDataBarrier => "separates work on own data alone".to_owned(),
        AdviceKind::UnrelatedBarrier => "separates work on unrelated data".to_owned(),
        AdviceKind::Other => "may be more than is needed".to_owned(),
    };
    let saves = format!("at most {}", seconds(advice.saves_seconds, canvas.ascii));
    let room = canvas.width - 20;
    let text = canvas.short(&format!("{region}: {what}"), room / 2 + 6);
    let place = canvas.short(&place, room.saturating_sub(crate::names::width(&text) + 4));
    canvas.line(
        Line::new()
            .add(Style::Plain, "  ")
            .add(Style::Plain, place)
            .add(Style::Plain, "  ")
            .add(Style::Good, text)
            .right(Style::Strong, saves, canvas.width),
    );
}
