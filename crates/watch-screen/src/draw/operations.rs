//! List of operations by share of time, with their places in the source.

use pgas_base::quantity;
use pgas_monitor::{OperationTime, Picture};
use pgas_screen::pencil::{Row, bar, draw_rows, heading, highlight};
use pgas_screen::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Areas;
use crate::state::State;

/// Width of the bar, and end columns of the share, the calls and the bytes per second.
const BAR: usize = 10;
const SHARE: usize = 19;
const CALLS: usize = 31;
const BYTES: usize = 43;

/// The entries of the list.
pub fn entries(picture: &Picture) -> &[OperationTime] {
    &picture.operations
}

pub fn draw(state: &State, picture: &Picture, buffer: &mut Buffer, areas: &Areas) {
    let theme = &state.theme;
    let columns = usize::from(areas.list.width);
    let style = theme.style(Role::Heading);
    let heads = Row::new()
        .add(style, "Share of time")
        .right(style, "calls/s", CALLS)
        .right(style, "bytes/s", BYTES)
        .plain("  ");
    let rest = heading(
        theme,
        "operation",
        columns.saturating_sub(heads.width()),
        true,
    );
    draw_rows(buffer, areas.heading, [heads.append(rest)]);
    let all = picture.period * f64::from(picture.seen);
    let visible = entries(picture).iter().skip(state.top);
    let rows = visible
        .take(usize::from(areas.list.height))
        .map(|entry| line(state, picture.period, all, entry, columns));
    let rows: Vec<Row> = rows.collect();
    if rows.is_empty() {
        let text = Row::new()
            .to(1)
            .add(theme.style(Role::Dim), "no operation took time");
        return draw_rows(buffer, areas.list, [text]);
    }
    draw_rows(buffer, areas.list, rows);
    let shares = Rect {
        width: (SHARE as u16 + 1).min(areas.list.width),
        ..areas.list
    };
    let selected = state.selected.saturating_sub(state.top);
    highlight(buffer, shares, selected, theme.style(Role::Selected));
}

fn line(state: &State, period: f64, all: f64, entry: &OperationTime, columns: usize) -> Row {
    let theme = &state.theme;
    let share = entry.seconds / all.max(f64::MIN_POSITIVE);
    let role = match entry.activity {
        "waiting" => Role::Waiting,
        _ => Role::Communication,
    };
    let per_second = |number: f64| number / period.max(f64::MIN_POSITIVE);
    let calls = quantity::count(per_second(entry.calls).round());
    let bytes = match entry.bytes > 0.0 {
        true => quantity::bytes(per_second(entry.bytes)),
        false => String::new(),
    };
    let plain = theme.style(Role::Plain);
    let row = Row::new()
        .to(1)
        .add(theme.style(role), bar(theme, share.min(1.0), BAR))
        .right(plain, quantity::percent(100.0 * share), SHARE)
        .right(plain, calls, CALLS)
        .right(plain, bytes, BYTES)
        .plain("  ");
    let text = format!("{} ({})", entry.place.shown(), entry.kind.replace('_', " "));
    let room = columns.saturating_sub(row.width() + 1);
    row.add(plain, theme.short(&text, room))
}
