//! Bottlenecks that `pgastool watch` confirmed while the program ran, with the times of confirmation.

use pgas_base::quantity;
use pgas_result::AnalysisResult;

use super::canvas::{Canvas, Line, Style};

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let all = &result.summary.live_findings;
    if all.is_empty() {
        return;
    }
    canvas.heading(
        "CONFIRMED WHILE IT RAN",
        Line::new().add(Style::Dim, "by pgastool watch"),
    );
    for finding in all {
        let seconds = |value| quantity::seconds(value, canvas.ascii);
        let known = format!("after {}", seconds(finding.known_after_seconds));
        let times = match finding.gone_after_seconds {
            Some(gone) => format!("{known}, until {}", seconds(gone)),
            None => known,
        };
        let text = format!("{times}: {}", finding.text);
        canvas.prose((Style::Plain, "  -"), 4, Style::Plain, &text);
    }
}
