//! Windows over a screen: help, explanations, and lists to choose from.

use pgas_cube::model::Unit;
use pgas_report::names::width;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::numbers::{VALUE, value};
use crate::document::{Document, Profile};
use crate::layout;
use crate::state::{App, Choice, Chooser, Popup};
use pgas_screen::pencil::{Row, draw_rows, highlight};
use pgas_screen::theme::{Role, Theme};

/// Columns of a window with text, where there is room.
const TEXT: u16 = 76;
/// Columns of a window to choose from.
const CHOOSER: u16 = 60;
/// Column of what keys do.
const KEYS: usize = 20;

/// Keys and what they do; a line without keys is a heading.
const HELP: &[(&str, &str)] = &[
    ("", "Everywhere"),
    (
        "1 ... 6",
        "findings, trees, source, threads, iterations, matrix",
    ),
    (
        "Up Down, j k",
        "one line; the wheel of the mouse moves, a click selects",
    ),
    (
        "PgUp PgDn, ^B ^F",
        "one page; ^U ^D half a page; Home End, g G the ends",
    ),
    ("Tab", "the next part of the screen"),
    ("/", "search; n N the next and the previous match"),
    ("m", "choose the metric that trees and source show"),
    ("e", "explain the metric or the finding"),
    ("s, t", "show the same place in the source, in the trees"),
    ("Esc", "back; out of a window, a search, a text"),
    ("q, ^C", "quit; ^Z suspends"),
    ("", "Findings"),
    (
        "Enter",
        "read the finding; once more: its line in the source",
    ),
    ("", "Trees"),
    (
        "Space, Enter",
        "open or close. A closed entry stands for all below it, an open one for itself alone",
    ),
    (
        "Right, Left",
        "open, further in, to the next tree; close, out",
    ),
    ("+ -", "open all below that has a value; close all below"),
    (
        "v",
        "values: absolute, percent of the root, percent of what is selected to the left",
    ),
    ("o", "order: as measured, by value, by name"),
    ("z", "hide what is zero"),
    (
        "",
        "Each tree shows figures of the selection in the trees to its left.",
    ),
    ("", "Source"),
    ("] [", "the next and the previous line that costs something"),
    ("f", "choose the file"),
    ("x", "each line alone, or with all that is called from it"),
    ("Enter", "the line's most expensive call path in the trees"),
    ("", "Threads"),
    ("o", "order: by number, computation, waiting, communication"),
    ("", "Matrix"),
    ("v", "time, bytes, operations"),
    ("] [", "the next smaller and the next larger pair"),
];

/// Where a chooser is, and where its entries are.
pub fn chooser_window(screen: Rect, chooser: &Chooser) -> (Rect, Rect) {
    let entries = u16::try_from(chooser.entries.len()).unwrap_or(u16::MAX);
    layout::window(screen, CHOOSER, entries.max(1))
}

/// Lines of a popup's text, and how many of them are visible.
pub fn popup_lines(app: &App, document: &Document, popup: &Popup) -> (usize, usize) {
    if let Popup::Chooser(chooser) = popup {
        let (_, inner) = chooser_window(app.area, chooser);
        return (chooser.entries.len(), usize::from(inner.height));
    }
    let (_, _, inner, lines) = text_window(app, document, popup);
    (lines.len(), usize::from(inner.height))
}

pub(super) fn draw(app: &App, document: &Document, buffer: &mut Buffer) {
    let Some(popup) = &app.popup else {
        return;
    };
    if let Popup::Chooser(chooser) = popup {
        return draw_chooser(app, document, chooser, buffer);
    }
    let (title, outer, inner, lines) = text_window(app, document, popup);
    let top = match popup {
        Popup::Help { top } | Popup::Explanation { top, .. } => *top,
        Popup::Chooser(_) => 0,
    };
    let height = usize::from(inner.height);
    let top = top.min(lines.len().saturating_sub(height));
    let more = lines.len() > top + height;
    draw_frame(&app.theme, buffer, outer, &title, more);
    draw_rows(buffer, inner, lines.into_iter().skip(top));
}

/// Title, window, its inside, and its text.
fn text_window(app: &App, document: &Document, popup: &Popup) -> (String, Rect, Rect, Vec<Row>) {
    let (_, widest) = layout::window(app.area, TEXT, app.area.height);
    let columns = usize::from(widest.width);
    let (title, lines) = match popup {
        Popup::Explanation { metric, .. } => explanation(app, document, metric, columns),
        _ => ("Keys".to_owned(), help(app, columns)),
    };
    let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let (outer, inner) = layout::window(app.area, TEXT, rows);
    (title, outer, inner, lines)
}

fn help(app: &App, columns: usize) -> Vec<Row> {
    let theme = &app.theme;
    let indent = if columns >= 50 { KEYS } else { 4 };
    let mut rows = Vec::new();
    for (keys, what) in HELP {
        if keys.is_empty() {
            let is_heading = what.split(' ').count() == 1;
            if is_heading && !rows.is_empty() {
                rows.push(Row::new());
            }
            let role = if is_heading {
                Role::Heading
            } else {
                Role::Plain
            };
            for line in theme.wrap(&app.words.say(what), columns) {
                rows.push(Row::new().add(theme.style(role), line));
            }
            continue;
        }
        let mut row = Row::new().add(theme.style(Role::Strong), *keys);
        if width(keys) + 1 > indent {
            rows.push(std::mem::take(&mut row));
        }
        for line in theme.wrap(&app.words.say(what), columns.saturating_sub(indent)) {
            rows.push(std::mem::take(&mut row).to(indent).plain(line));
        }
    }
    rows
}

/// Title and text that explain a metric.
fn explanation(app: &App, document: &Document, id: &str, columns: usize) -> (String, Vec<Row>) {
    let theme = &app.theme;
    let cube = document.profile.as_ref().map(Profile::cube);
    let metric = cube.and_then(|cube| Some(&cube.metrics[cube.metric(id)?.0]));
    let title = metric.map_or_else(|| id.to_owned(), |m| m.display_name.clone());
    if let Some(page) = pgas_report::reference::page_of(id) {
        let text = page.text(columns, theme.ascii());
        let rows = text.lines().map(|line| Row::new().plain(theme.clean(line)));
        return (title, rows.collect());
    }
    let text = match metric {
        Some(metric) if !metric.description.is_empty() => metric.description.clone(),
        _ => "There is no explanation for this one here.".to_owned(),
    };
    let rows = theme.wrap(&text, columns).into_iter();
    (title, rows.map(|line| Row::new().plain(line)).collect())
}

fn draw_chooser(app: &App, document: &Document, chooser: &Chooser, buffer: &mut Buffer) {
    let Some(profile) = &document.profile else {
        return;
    };
    let theme = &app.theme;
    let (outer, inner) = chooser_window(app.area, chooser);
    let title = match chooser.choice {
        Choice::Metric => "Metric",
        Choice::File => "File",
    };
    let height = usize::from(inner.height);
    let more = chooser.entries.len() > chooser.cursor.top + height;
    draw_frame(theme, buffer, outer, title, more);
    let columns = usize::from(inner.width);
    let cube = profile.cube();
    let of_source = cube.metrics.get(app.trees.metric().0);
    let visible = chooser.entries.iter().skip(chooser.cursor.top).take(height);
    let rows = visible.map(|(index, amount)| {
        let (name, unit, depth) = match chooser.choice {
            Choice::Metric => {
                let metric = cube.metrics.get(*index);
                let name = metric.map_or("", |m| m.display_name.as_str());
                let unit = metric.map_or(Unit::Seconds, |m| m.unit);
                (name, unit, profile.values.metrics().depth(*index))
            }
            Choice::File => {
                let name = profile.files.get(*index).map_or("", |f| f.name.as_str());
                (name, of_source.map_or(Unit::Seconds, |m| m.unit), 0)
            }
        };
        let row = Row::new()
            .right(Style::new(), value(theme, *amount, unit), VALUE)
            .plain("  ")
            .plain("  ".repeat(depth));
        let room = columns.saturating_sub(row.width());
        row.plain(theme.short(name, room))
    });
    draw_rows(buffer, inner, rows.collect::<Vec<_>>());
    if chooser.entries.is_empty() {
        let row = Row::new().add(theme.style(Role::Dim), "there is none");
        draw_rows(buffer, inner, [row]);
    } else {
        let line = chooser.cursor.selected - chooser.cursor.top;
        highlight(buffer, inner, line, theme.style(Role::Selected));
    }
}

/// An empty window with a frame.
fn draw_frame(theme: &Theme, buffer: &mut Buffer, area: Rect, title: &str, more: bool) {
    if area.width < 2 || area.height < 2 {
        return;
    }
    let glyphs = theme.glyphs();
    let [top_left, top_right, bottom_left, bottom_right] = glyphs.corners;
    let inside = usize::from(area.width) - 2;
    let dim = theme.style(Role::Dim);
    let rule =
        |columns: usize| -> String { std::iter::repeat_n(glyphs.horizontal, columns).collect() };
    let title = theme.short(&format!(" {title} "), inside.saturating_sub(1));
    let rest = inside.saturating_sub(width(&title) + 1);
    let mut rows = vec![
        Row::new()
            .add(dim, format!("{top_left}{}", rule(1.min(inside))))
            .add(theme.style(Role::Heading), title)
            .add(dim, format!("{}{top_right}", rule(rest))),
    ];
    for _ in 2..area.height {
        rows.push(
            Row::new()
                .add(dim, glyphs.vertical)
                .plain(" ".repeat(inside))
                .add(dim, glyphs.vertical),
        );
    }
    let hint = if more { " more below " } else { "" };
    let hint = if width(hint) < inside { hint } else { "" };
    let rest = inside - width(hint);
    rows.push(Row::new().add(
        dim,
        format!("{bottom_left}{}{hint}{bottom_right}", rule(rest)),
    ));
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.reset();
            }
        }
    }
    draw_rows(buffer, area, rows);
}
