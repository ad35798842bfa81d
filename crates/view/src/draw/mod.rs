//! Drawing of the state. Every screen is a module; each draws what fits into its area and nothing
//! else, so that the cost of a screen does not depend on the size of the result.

mod findings;
mod iterations;
mod labelled;
mod live;
mod matrix;
mod numbers;
mod popup;
mod quartiles;
mod source;
mod tabs;
mod tasks;
mod threads;
mod trees;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::document::Document;
use crate::layout;
use crate::state::{App, Screen};
use pgas_screen::pencil::{Row, draw_rows};
use pgas_screen::theme::Role;

pub use findings::{finding_areas, finding_lines, finding_list};
pub use iterations::{loop_areas, loop_lines};
pub use matrix::matrix_cells;
pub use popup::{chooser_window, popup_lines};
pub use source::source_areas;
pub use tabs::{Tab, tab_at};
pub use tasks::lines as task_lines;
pub use threads::thread_areas;

/// Draws the whole screen.
pub fn draw(app: &App, document: &Document, buffer: &mut Buffer) {
    let frame = layout::frame(app.area.intersection(buffer.area));
    tabs::draw(app, document, buffer, frame.tabs);
    body(app, document, buffer, frame.body);
    tabs::draw_footer(app, document, buffer, frame.footer);
    popup::draw(app, document, buffer);
}

fn body(app: &App, document: &Document, buffer: &mut Buffer, area: Rect) {
    match (app.screen, &document.profile) {
        (Screen::Findings, _) => findings::draw(app, document, buffer, area),
        (Screen::Iterations, _) => iterations::draw(app, document, buffer, area),
        (Screen::Matrix, _) => matrix::draw(app, document, buffer, area),
        (Screen::Trees, Some(profile)) => trees::draw(app, profile, buffer, area),
        (Screen::Source, Some(profile)) => source::draw(app, profile, buffer, area),
        (Screen::Threads, Some(profile)) => threads::draw(app, document, profile, buffer, area),
        (_, None) => sentence(app, buffer, area, "Reading the profile ..."),
    }
}

/// Says why there is nothing to see.
fn sentence(app: &App, buffer: &mut Buffer, area: Rect, text: &str) {
    let columns = usize::from(area.width.saturating_sub(2));
    let lines = app.theme.wrap(text, columns);
    let style = app.theme.style(Role::Dim);
    let rows = lines
        .into_iter()
        .map(|line| Row::new().to(1).add(style, line));
    draw_rows(buffer, area, std::iter::once(Row::new()).chain(rows));
}
