//! The report for a terminal. It reads top down: what was run, what to know about the measurement, how efficient it
//! was, where the time went, what costs most and why, how threads and call paths compare, and what to do next.

mod bar;
mod call_paths;
mod canvas;
mod efficiency;
mod findings;
mod header;
mod metrics;
mod threads;

use canvas::{Canvas, Line, Style};
use pgas_cube::AnalysisResult;

/// What the terminal can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Colour by ANSI escape sequences.
    pub color: bool,
    /// Bars and signs beyond ASCII. (Names of the program are printed as they are, but for control characters.)
    pub unicode: bool,
    /// Columns; what is below 60 or above 120 is taken as that.
    pub width: usize,
}

impl Default for TextOptions {
    /// 100 columns without colour.
    fn default() -> Self {
        TextOptions {
            color: false,
            unicode: true,
            width: 100,
        }
    }
}

/// The report as text, every line within the width.
///
/// The result must keep the rules of its model, as one that was loaded does. The cube's attribute `started`, if it is
/// there, is shown as the time of the run.
pub fn text(result: &AnalysisResult, options: &TextOptions) -> String {
    let mut canvas = Canvas::new(options.width.clamp(60, 120), options.unicode, options.color);
    header::write(&mut canvas, result);
    efficiency::write(&mut canvas, result);
    metrics::write(&mut canvas, result);
    findings::write(&mut canvas, result);
    threads::write(&mut canvas, result);
    call_paths::write(&mut canvas, result);
    next_steps(&mut canvas);
    canvas.finish()
}

fn next_steps(canvas: &mut Canvas) {
    canvas.heading("WHAT NEXT", Line::new());
    for (command, purpose) in [
        (
            "pgastool report DIR --format json",
            "every figure, by call path and thread, for scripts",
        ),
        (
            "pgastool report DIR --format cube",
            "the same as a CUBE file, for the Cube browser",
        ),
    ] {
        canvas.line(
            Line::new()
                .add(Style::Plain, "  ")
                .add(Style::Strong, command)
                .to(37)
                .add(Style::Dim, canvas.short(purpose, canvas.width - 37)),
        );
    }
}
