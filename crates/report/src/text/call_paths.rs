//! The call paths with most exclusive time.

use pgas_cube::model::{CallPathId, Cube};
use pgas_result::{AnalysisResult, Inflation};

use super::bar::stacked;
use super::canvas::{Canvas, Line, Style};
use crate::figures::{activity_in, names, place, time, top_call_paths};
use crate::inflated;
use crate::names::width;
use crate::quantity::{percent, seconds};

const SHOWN: usize = 10;
const BAR: usize = 16;
/// Width of "[94.1 %] ".
const MARK: usize = 9;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let cube = &result.cube;
    let Some(time) = time(cube) else {
        return;
    };
    let top = top_call_paths(cube, time, SHOWN);
    if top.is_empty() {
        return;
    }
    let whole = cube.total(time);
    let inflation = Inflation::of(result);
    let aside = match inflation {
        None => "exclusive time",
        Some(_) => "exclusive time; in brackets: share of recording in it",
    };
    canvas.heading(
        "CALL PATHS WITH MOST TIME",
        Line::new().add(Style::Dim, aside),
    );
    for (call_path, value) in top {
        let bar_width = if canvas.width < 90 { BAR / 2 } else { BAR };
        let path_at = 23 + bar_width;
        let activity = activity_in(cube, call_path);
        let share = if whole > 0.0 { value / whole } else { 0.0 };
        let line = Line::new()
            .right(Style::Plain, seconds(value, canvas.ascii), 11)
            .right(Style::Plain, percent(share * 100.0), 19)
            .to(21)
            .append(stacked(&activity, whole, bar_width, &canvas.glyphs));
        let mark = inflated::of_call_path(inflation.as_ref(), call_path);
        let (line, path_at) = match (mark, &inflation) {
            (Some(share), _) => {
                let line = line.to(path_at).add(Style::Bad, format!("[{share}]"));
                (line, path_at + MARK)
            }
            (None, Some(_)) => (line, path_at + MARK),
            (None, None) => (line, path_at),
        };
        canvas.line(add_call_path(canvas, line, cube, call_path, path_at));
    }
}

/// Adds a call path from a column on, and at the end of the line where that is in the source.
pub(super) fn add_call_path(
    canvas: &Canvas,
    line: Line,
    cube: &Cube,
    call_path: CallPathId,
    column: usize,
) -> Line {
    let node = &cube.call_paths[call_path.0];
    let room = canvas.width - column;
    let place = canvas.short(&place(&node.file, node.line), room * 2 / 5);
    let mut path = names(cube, call_path);
    // The root stands for the program; every path begins with it.
    if path.len() > 1 {
        path.remove(0);
    }
    let path_room = room.saturating_sub(width(&place) + 2);
    line.to(column)
        .add(Style::Plain, canvas.short(&path.join(" > "), path_room))
        .right(Style::Dim, place, canvas.width)
}
