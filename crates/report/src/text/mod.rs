//! The report for a terminal. It reads top down: what was run, what to know about the measurement,
//! how efficient it was, where the time went, what costs most and why, what was
//! confirmed while the program ran, how iterations develop, how
//! threads, tasks and channels, and call paths compare, which lines computing
//! time goes to, who accesses whose data, what counters counted, what recording
//! cost, and what to do next.

mod bar;
mod call_paths;
mod canvas;
mod causes;
mod communication;
mod comparison;
mod counters;
mod efficiency;
mod excerpt;
pub(crate) mod findings;
mod header;
mod live_findings;
mod locality;
mod metrics;
pub(crate) mod phases;
mod recording;
mod sampling;
mod synchronization;
mod tasks;
mod threads;
mod withheld;

use canvas::{Canvas, Line, Style};
pub use comparison::comparison_text;
use pgas_result::AnalysisResult;
use pgas_result::sources::Sources;

/// Capabilities of the terminal, and the experiment to name in commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOptions {
    /// The experiment's directory, for the commands that the report proposes; without it they say
    /// `DIR`.
    pub experiment: Option<String>,
    /// Colour by ANSI escape sequences.
    pub color: bool,
    /// Bars and signs beyond ASCII. (Names of the program are printed as they are, but for control
    /// characters.)
    pub unicode: bool,
    /// Columns; what is below 60 or above 120 is taken as that.
    pub width: usize,
}

impl Default for TextOptions {
    /// 100 columns without colour.
    fn default() -> Self {
        TextOptions {
            experiment: None,
            color: false,
            unicode: true,
            width: 100,
        }
    }
}

/// The report as text, every line within the width.
///
/// The result must keep the rules of its model, as one that was loaded does. The cube's attribute
/// `started`, if it is there, is shown as the time of the run.
pub fn text(result: &AnalysisResult, options: &TextOptions) -> String {
    text_with_sources(result, &Sources::default(), options)
}

/// The same with the lines of source that findings are about, as far as `sources` has them.
pub fn text_with_sources(
    result: &AnalysisResult,
    sources: &Sources,
    options: &TextOptions,
) -> String {
    let canvas = Canvas::new(options.width.clamp(60, 120), options.unicode, options.color);
    let mut canvas = canvas.with_words(result.summary.words());
    header::write(&mut canvas, result);
    efficiency::write(&mut canvas, result);
    metrics::write(&mut canvas, result);
    findings::write(&mut canvas, result, sources);
    live_findings::write(&mut canvas, result);
    causes::write(&mut canvas, result);
    synchronization::write(&mut canvas, result);
    withheld::write(&mut canvas, result);
    phases::write(&mut canvas, result);
    threads::write(&mut canvas, result);
    tasks::write(&mut canvas, result);
    call_paths::write(&mut canvas, result);
    sampling::write(&mut canvas, result);
    communication::write(&mut canvas, result);
    counters::write(&mut canvas, result);
    recording::write(&mut canvas, result);
    let directory = options.experiment.as_deref().unwrap_or("DIR");
    next_steps(&mut canvas, directory, recording::is_expensive(result));
    canvas.finish()
}

/// `costly`: recording took a notable part of the time.
fn next_steps(canvas: &mut Canvas, experiment: &str, costly: bool) {
    canvas.heading("WHAT NEXT", Line::new());
    let score = (
        format!("pgastool score {experiment}"),
        "what costs most to record, and a filter".to_owned(),
    );
    let report = |format: &str| format!("pgastool report {experiment} --format {format}");
    let steps = [
        (
            report("json"),
            canvas
                .words
                .say("every figure, by call path and thread, for scripts"),
        ),
        (
            report("cube"),
            "the same as a CUBE file, for the Cube browser".to_owned(),
        ),
    ];
    for (command, purpose) in costly.then_some(score).into_iter().chain(steps) {
        let column = (command.chars().count() + 4).max(37);
        // A long name takes the line, and what the command is for goes below.
        let (purpose_column, same_line) = match column + 50 <= canvas.width {
            true => (column, true),
            false => (4, false),
        };
        let room = canvas.width - purpose_column;
        let purpose = canvas.short(&purpose, room);
        let line = Line::new()
            .add(Style::Plain, "  ")
            .add(Style::Strong, canvas.short(&command, canvas.width - 2));
        if same_line {
            canvas.line(line.to(column).add(Style::Dim, purpose));
        } else {
            canvas.line(line);
            canvas.line(Line::new().to(purpose_column).add(Style::Dim, purpose));
        }
    }
}
