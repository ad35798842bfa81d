//! Help, over all else on the screen.

use pgas_screen::pencil::{Row, draw_rows, heading};
use pgas_screen::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::state::State;

/// Column of the descriptions.
const KEYS: usize = 20;

const HELP: [(&str, &str); 8] = [
    (
        "1 to 5, Tab",
        "what each thread does, who waits for whom, operations, metrics, tasks",
    ),
    (
        "Up Down, j k",
        "one line; the wheel of the mouse moves, too",
    ),
    ("PgUp PgDn, ^B ^F", "one page; Home End, g G the ends"),
    (
        "o",
        "order of threads: by number, efficiency, time in the activity",
    ),
    ("Space, p", "hold the picture; once more: go on"),
    ("Esc", "close this"),
    ("q, ^C", "quit; the program goes on. ^Z suspends"),
    (
        "",
        "Bars: computing, waiting, communicating, and the recorder's time, of the period.",
    ),
];

pub fn draw(state: &State, buffer: &mut Buffer) {
    let whole = state.area;
    let area = Rect {
        y: whole.y + 1.min(whole.height),
        height: whole.height.saturating_sub(2),
        ..whole
    };
    Clear.render(area, buffer);
    let theme = &state.theme;
    let columns = usize::from(area.width);
    let title = heading(theme, "Keys", columns, true);
    let rows = HELP.iter().flat_map(|(keys, what)| {
        let column = if keys.is_empty() { 1 } else { KEYS };
        let lines = theme.wrap(what, columns.saturating_sub(column + 1));
        lines.into_iter().enumerate().map(move |(number, line)| {
            let keys = if number == 0 { *keys } else { "" };
            Row::new()
                .to(1)
                .add(theme.style(Role::Strong), keys)
                .to(column)
                .plain(line)
        })
    });
    draw_rows(buffer, area, std::iter::once(title).chain(rows));
}
