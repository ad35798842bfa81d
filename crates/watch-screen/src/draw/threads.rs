//! List of threads: a bar of the period and the current activity of each; below it the call path of
//! the selected thread.

use pgas_base::quantity;
use pgas_monitor::{Now, Times};
use pgas_screen::pencil::{Row, draw_rows, heading, highlight};
use pgas_screen::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Areas;
use crate::state::State;

/// Columns of the bars, on a narrow screen and on a wide one.
const BAR: usize = 16;
const WIDE_BAR: usize = 32;
/// Columns from which on a screen is wide.
const WIDE: usize = 110;
/// Columns of a share.
const SHARE: usize = 7;

pub fn draw(state: &State, buffer: &mut Buffer, areas: &Areas) {
    let theme = &state.theme;
    let columns = usize::from(areas.list.width);
    let title = format!("What each {} does, {}", state.words.one, state.order.name());
    draw_rows(
        buffer,
        areas.heading,
        [heading(theme, &title, columns, true)],
    );
    let threads = state.threads();
    let label = label_columns(state, &threads);
    let visible = threads.iter().skip(state.top);
    let rows = visible
        .take(usize::from(areas.list.height))
        .map(|now| line(state, now, label, columns));
    draw_rows(buffer, areas.list, rows.collect::<Vec<_>>());
    if threads.is_empty() {
        return;
    }
    // A reversed line would hide the colours of its bar.
    let labels = Rect {
        width: (label as u16).min(areas.list.width),
        ..areas.list
    };
    let selected = state.selected.saturating_sub(state.top);
    highlight(buffer, labels, selected, theme.style(Role::Selected));
    if let Some(now) = threads.get(state.selected) {
        draw_detail(state, now, buffer, areas.detail);
    }
}

fn label_columns(state: &State, threads: &[&Now]) -> usize {
    let names = threads.iter().map(|now| state.words.name(now.thread).len());
    names.max().unwrap_or(0) + 2
}

fn line(state: &State, now: &Now, label: usize, columns: usize) -> Row {
    let theme = &state.theme;
    let width = match columns >= WIDE {
        true => WIDE_BAR,
        false => BAR,
    };
    let times = now.times.clone().unwrap_or_default();
    let mut row = Row::new()
        .to(1)
        .plain(state.words.name(now.thread))
        .to(label)
        .append(stacked(theme, &times, width))
        .to(label + width);
    let share = now.efficiency.map(|share| quantity::percent(100.0 * share));
    row = row.right(
        theme.style(Role::Plain),
        share.unwrap_or_default(),
        label + width + SHARE,
    );
    let text = activity(state, now);
    let room = columns.saturating_sub(row.width() + 3);
    row.plain("  ")
        .add(theme.style(role(now)), theme.beginning(&text, room))
}

fn role(now: &Now) -> Role {
    match now.activity {
        "waiting" => Role::Waiting,
        "communicating" => Role::Communication,
        "computing" => Role::Plain,
        _ => Role::Dim,
    }
}

/// "waits 812 ms in upc_barrier at heat.upc:41", "waits 3.2 s for lock 0x2 of thread 1 in ...".
pub fn activity(state: &State, now: &Now) -> String {
    let time = state.theme.seconds(now.seconds);
    let place = now.place.as_ref().map(|place| place.shown());
    let place = place.map_or_else(String::new, |place| format!(" in {place}"));
    match now.activity {
        "waiting" => format!("waits {time}{}{place}", lock(state, now)),
        "communicating" => format!("communicates {time}{place}"),
        "computing" => format!("computes {time}{place}"),
        other => other.to_owned(),
    }
}

fn lock(state: &State, now: &Now) -> String {
    let Some(lock) = now.wanted else {
        return String::new();
    };
    let picture = state.picture.as_ref();
    let holder = picture.and_then(|picture| picture.holder(lock));
    let of = holder.map_or_else(String::new, |holder| {
        format!(" of {}", state.words.name(holder.thread))
    });
    format!(" for lock {lock:#x}{of}")
}

/// A bar that stands for the whole period.
fn stacked(theme: &Theme, times: &Times, columns: usize) -> Row {
    let glyphs = theme.glyphs();
    let parts = [
        (Role::Computation, glyphs.computation, times.computing),
        (Role::Waiting, glyphs.waiting, times.all_waiting()),
        (
            Role::Communication,
            glyphs.communication,
            times.all_communicating(),
        ),
        (
            Role::Measurement,
            glyphs.measurement,
            times.recording + times.paused,
        ),
    ];
    let all: f64 = parts.iter().map(|part| part.2).sum();
    let (mut row, mut before, mut drawn) = (Row::new(), 0.0, 0);
    for (role, glyph, seconds) in parts {
        before += seconds;
        // Rounding the sum, not the parts, keeps the total right.
        let end = (before / all.max(f64::MIN_POSITIVE) * columns as f64).round() as usize;
        let cells: String = std::iter::repeat_n(glyph, end.saturating_sub(drawn)).collect();
        row = row.add(theme.style(role), cells);
        drawn = drawn.max(end);
    }
    row
}

/// The call path and the locks of a thread.
fn draw_detail(state: &State, now: &Now, buffer: &mut Buffer, area: Rect) {
    let theme = &state.theme;
    let columns = usize::from(area.width.saturating_sub(2));
    let arrow = format!(" {} ", theme.glyphs().arrow);
    let path: Vec<String> = now.path.iter().map(|place| place.shown()).collect();
    let mut path = path.join(&arrow);
    if now.deeper > 0 {
        path += &format!("{arrow}{} more", now.deeper);
    }
    if path.is_empty() {
        path = "no open region is known".to_owned();
    }
    let mut lines = theme.wrap(&path, columns);
    if !now.held.is_empty() {
        let held: Vec<String> = now.held.iter().map(|lock| format!("{lock:#x}")).collect();
        lines.push(theme.short(&format!("holds lock {}", held.join(", ")), columns));
    }
    let title = state.words.title(now.thread);
    let rows = lines.into_iter().map(|line| Row::new().to(1).plain(line));
    let title = heading(theme, &title, usize::from(area.width), false);
    draw_rows(buffer, area, std::iter::once(title).chain(rows));
}
