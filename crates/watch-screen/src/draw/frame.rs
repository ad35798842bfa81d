//! First line (tabs and program) and last line (keys) of the screen.

use pgas_report::names::width;
use pgas_screen::pencil::{Row, draw_rows};
use pgas_screen::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::state::State;

/// Keys, the most important first.
const KEYS: [(&str, &str); 5] = [
    ("q", "quit"),
    ("Tab", "next list"),
    ("o", "order"),
    ("Space", "hold"),
    ("?", "help"),
];

pub fn draw_tabs(state: &State, buffer: &mut Buffer, area: Rect) {
    let theme = &state.theme;
    let style = |is_active| match is_active {
        true => theme.style(Role::Selected),
        false => theme.style(Role::Plain),
    };
    let mut row = Row::new();
    for (index, tab) in state.tabs().iter().enumerate() {
        let name = state.words.say(tab.name());
        let is_active = *tab == state.tab && !state.is_help;
        row = row.add(style(is_active), format!(" {} {name} ", index + 1));
    }
    row = row.add(style(state.is_help), " ? Help ");
    let columns = usize::from(area.width);
    let room = columns.saturating_sub(row.width() + 2);
    let mut parts = vec![state.program.clone()];
    if let Some(picture) = &state.picture {
        parts.push(state.words.count(picture.threads as usize));
        parts.push(theme.seconds(picture.elapsed));
    }
    if state.is_held {
        parts.push("held".to_owned());
    }
    let text = theme.clean(&parts.join(theme.glyphs().separator));
    let text = match width(&text) <= room {
        true => text,
        false => theme.short(&state.program, room),
    };
    let style = match state.is_held {
        true => Role::Fair,
        false => Role::Dim,
    };
    row = row.right(theme.style(style), text, columns.saturating_sub(1));
    draw_rows(buffer, area, [row]);
}

pub fn draw_keys(state: &State, buffer: &mut Buffer, area: Rect) {
    let theme = &state.theme;
    let mut row = Row::new();
    for (key, what) in KEYS {
        if row.width() + width(key) + width(what) + 3 > usize::from(area.width) {
            break;
        }
        row = row
            .add(theme.style(Role::Strong), format!(" {key}"))
            .add(theme.style(Role::Dim), format!(" {what} "));
    }
    draw_rows(buffer, area, [row]);
}
