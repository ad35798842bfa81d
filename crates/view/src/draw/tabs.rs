//! The first line, with the screens there are, and the last one, with what can be done.

use pgas_report::names::width;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::popup_lines;
use crate::document::Document;
use crate::state::{App, Popup, Screen};
use pgas_screen::pencil::{Row, draw_rows};
use pgas_screen::theme::Role;

/// With fewer columns than these, the name of a program is unrecognisable.
const LEAST_OF_A_NAME: usize = 6;

/// Targets of clicks on the first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    Screen(Screen),
    Help,
}

/// Labels with their targets; shortened to numbers where the names do not fit.
fn labels(app: &App) -> Vec<(String, Tab)> {
    let label = |full: bool| {
        let screens = Screen::ALL.iter().enumerate();
        let mut labels: Vec<_> = screens
            .map(|(index, screen)| {
                let number = index + 1;
                let text = match full || *screen == app.screen {
                    true => format!(" {number} {} ", app.words.say(screen.name())),
                    false => format!(" {number} "),
                };
                (text, Tab::Screen(*screen))
            })
            .collect();
        let help = if full { " ? Help " } else { " ? " };
        labels.push((help.to_owned(), Tab::Help));
        labels
    };
    let full = label(true);
    let columns: usize = full.iter().map(|(text, _)| width(text)).sum();
    match columns <= usize::from(app.area.width) {
        true => full,
        false => label(false),
    }
}

pub fn tab_at(app: &App, column: u16) -> Option<Tab> {
    let mut end = 0;
    for (text, tab) in labels(app) {
        end += width(&text);
        if usize::from(column) < end {
            return Some(tab);
        }
    }
    None
}

pub(super) fn draw(app: &App, document: &Document, buffer: &mut Buffer, area: Rect) {
    let mut row = Row::new();
    for (text, tab) in labels(app) {
        let active = match tab {
            Tab::Screen(screen) => screen == app.screen,
            Tab::Help => matches!(app.popup, Some(Popup::Help { .. })),
        };
        let style = match active {
            true => app.theme.style(Role::Selected),
            false => app.theme.style(Role::Plain),
        };
        row = row.add(style, text);
    }
    let columns = usize::from(area.width);
    let summary = document.summary;
    let room = columns.saturating_sub(row.width() + 2);
    let program = summary.program.rsplit('/').next().unwrap_or_default();
    let threads = app.words.count(summary.threads as usize);
    let seconds = app.theme.seconds(summary.wall_seconds);
    // Program, threads and time of the run, as many of them as fit.
    let parts = [program, &threads, &seconds];
    let told = (1..=parts.len())
        .rev()
        .map(|count| parts[..count].join(app.theme.glyphs().separator));
    let least = app.theme.short(program, room);
    let run = told
        .map(|run| app.theme.clean(&run))
        .find(|run| width(run) <= room);
    if room >= LEAST_OF_A_NAME {
        let run = run.unwrap_or(least);
        row = row.right(app.theme.style(Role::Dim), run, columns.saturating_sub(1));
    }
    draw_rows(buffer, area, [row]);
}

/// Keys that matter on a screen, the most important first.
fn keys(app: &App, document: &Document) -> &'static [(&'static str, &'static str)] {
    if let Some(popup) = &app.popup {
        let (lines, height) = popup_lines(app, document, popup);
        return match popup {
            Popup::Chooser(_) => &[("Enter", "choose"), ("Esc", "cancel")],
            _ if lines > height => &[("Esc", "close"), ("PgDn", "further")],
            _ => &[("Esc", "close")],
        };
    }
    match app.screen {
        Screen::Findings => &[
            ("s", "source"),
            ("t", "trees"),
            ("e", "explain"),
            ("Tab", "read"),
            ("/", "search"),
            ("q", "quit"),
        ],
        Screen::Trees => &[
            ("Space", "open"),
            ("Tab", "next tree"),
            ("v", "percent"),
            ("o", "sort"),
            ("z", "zeros"),
            ("s", "source"),
            ("e", "explain"),
            ("/", "search"),
        ],
        Screen::Source => &[
            ("]", "next hot line"),
            ("[", "previous"),
            ("m", "metric"),
            ("f", "file"),
            ("x", "with callees"),
            ("t", "trees"),
        ],
        Screen::Threads => &[("o", "sort"), ("/", "search"), ("q", "quit")],
        Screen::Iterations => &[
            ("s", "source"),
            ("t", "trees"),
            ("Tab", "read"),
            ("q", "quit"),
        ],
        Screen::Matrix if document.summary.communication.is_none() => &[("q", "quit")],
        Screen::Matrix => &[
            ("v", "time, bytes, operations"),
            ("]", "next pair"),
            ("[", "previous"),
            ("q", "quit"),
        ],
    }
}

pub(super) fn draw_footer(app: &App, document: &Document, buffer: &mut Buffer, area: Rect) {
    let columns = usize::from(area.width);
    let row = if let Some(text) = app.typing() {
        let text = app.theme.clean(text);
        let cursor = app.theme.style(Role::Selected);
        let row = Row::new().plain(format!("/{text}")).add(cursor, " ");
        match &app.message {
            Some(message) => row.add(
                app.theme.style(Role::Fair),
                format!("  {}", app.theme.clean(message)),
            ),
            None => row,
        }
    } else if let Some(message) = &app.message {
        let message = app.theme.short(message, columns);
        Row::new().add(app.theme.style(Role::Fair), message)
    } else {
        let mut row = Row::new();
        if document.profile.is_none() {
            row = row.add(app.theme.style(Role::Fair), " reading the profile ...");
        }
        // How to get help is said also where there is no room for the rest.
        let help = ("?", "help");
        let columns_of = |key: &str, what: &str| width(key) + width(what) + 3;
        let mut room = columns.saturating_sub(row.width());
        let ends_with_help = app.popup.is_none();
        if ends_with_help {
            room = room.saturating_sub(columns_of(help.0, help.1));
        }
        let mut shown = Vec::new();
        for (key, what) in keys(app, document) {
            match room.checked_sub(columns_of(key, what)) {
                Some(rest) => room = rest,
                None => break,
            }
            shown.push((*key, *what));
        }
        if ends_with_help {
            shown.push(help);
        }
        for (key, what) in shown {
            row = row
                .add(app.theme.style(Role::Strong), format!(" {key}"))
                .add(app.theme.style(Role::Dim), format!(" {what} "));
        }
        row
    };
    draw_rows(buffer, area, [row]);
}
