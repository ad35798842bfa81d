//! Bottlenecks that the online search confirmed while the program ran, with the times of confirmation.

use pgas_result::AnalysisResult;

use super::canvas::{Canvas, Line, Style};
use crate::live;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let all = &result.summary.live_findings;
    if all.is_empty() {
        return;
    }
    canvas.heading(
        &live::HEADING.to_uppercase(),
        Line::new().add(Style::Dim, "by the online search"),
    );
    for finding in all {
        let share = live::thread_share(finding);
        let share = share.map_or_else(String::new, |share| format!("; {share}"));
        let times = live::times(finding, canvas.ascii);
        let text = format!("{times}: {}{share}", finding.text);
        canvas.prose((Style::Plain, "  -"), 4, Style::Plain, &text);
    }
}
