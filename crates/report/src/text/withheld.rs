//! Advice that is not given since not all accesses were seen: which questions stay open, why, and
//! which run would answer them.

use pgas_result::AnalysisResult;

use super::canvas::{Canvas, Line, Style};

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let all = &result.summary.withheld;
    if all.is_empty() {
        return;
    }
    canvas.heading(
        "NOT JUDGED",
        Line::new().add(Style::Dim, "since not all accesses were seen"),
    );
    for withheld in all {
        let questions = canvas.words.say(&withheld.questions());
        canvas.prose((Style::Plain, ""), 2, Style::Strong, &questions);
        for reason in &withheld.reasons {
            canvas.prose((Style::Plain, "  -"), 4, Style::Plain, &reason.text);
        }
        if let Some(command) = &withheld.command {
            let text = match withheld.needs_compiling() {
                true => format!("compiled like this, the program would show it: {command}"),
                false => format!("would show it: {command}"),
            };
            canvas.prose((Style::Plain, ""), 4, Style::Dim, &text);
        }
    }
}
