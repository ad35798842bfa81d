//! Load of the threads: a bar for each, the efficiency factors above, and what the selected thread
//! does most below.

use pgas_cube::model::CallPathId;
use pgas_report::figures::Activity;
use pgas_report::quantity;
use pgas_result::recording::WaitStates;
use pgas_result::vocabulary::FACTORS;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::numbers::share;
use crate::document::{Document, Profile};
use crate::layout;
use crate::state::{App, ThreadOrder};
use pgas_screen::pencil::{Row, draw_rows, heading, highlight};
use pgas_screen::theme::{Role, Theme};

/// Lines above the list, and about the selected thread.
const HEADING: u16 = 3;
const DETAIL: u16 = 7;
/// Columns of a figure, on a narrow screen and on a wide one.
const FIGURE: usize = 10;
const WIDE_FIGURE: usize = 15;

fn figure_columns(columns: usize) -> usize {
    match columns >= 100 {
        true => WIDE_FIGURE,
        false => FIGURE,
    }
}

/// The heading, the list, and what is said about the selected thread.
pub fn thread_areas(body: Rect) -> (Rect, Rect, Option<Rect>) {
    layout::heading_list_detail(body, HEADING, DETAIL)
}

struct Part {
    name: &'static str,
    /// Where there are few columns.
    short: &'static str,
    role: Role,
    glyph: char,
    value: fn(&Activity) -> f64,
    order: Option<ThreadOrder>,
}

fn parts(theme: &Theme) -> [Part; 5] {
    let glyphs = theme.glyphs();
    [
        Part {
            name: "computation",
            short: "compute",
            role: Role::Computation,
            glyph: glyphs.computation,
            value: |a| a.computation,
            order: Some(ThreadOrder::Computation),
        },
        Part {
            name: "waiting",
            short: "wait",
            role: Role::Waiting,
            glyph: glyphs.waiting,
            value: |a| a.waiting,
            order: Some(ThreadOrder::Waiting),
        },
        Part {
            name: "communication",
            short: "communic.",
            role: Role::Communication,
            glyph: glyphs.communication,
            value: |a| a.communication,
            order: Some(ThreadOrder::Communication),
        },
        Part {
            name: "no core",
            short: "no core",
            role: Role::Measurement,
            glyph: glyphs.no_core,
            value: |a| a.no_core,
            order: None,
        },
        Part {
            name: "measurement",
            short: "measure",
            role: Role::Measurement,
            glyph: glyphs.measurement,
            value: |a| a.measurement,
            order: None,
        },
    ]
}

/// Those of the parts that have figures beside the bar.
fn figures(theme: &Theme, document: &Document, columns: usize) -> Vec<Part> {
    let waits = document.summary.recording.wait_states != WaitStates::None;
    let room = columns.saturating_sub(30) / figure_columns(columns);
    parts(theme)
        .into_iter()
        .filter(|part| part.order.is_some() && (waits || part.name != "waiting"))
        .take(room)
        .collect()
}

pub(super) fn draw(
    app: &App,
    document: &Document,
    profile: &Profile,
    buffer: &mut Buffer,
    area: Rect,
) {
    let theme = &app.theme;
    let (top, list, below) = thread_areas(area);
    let columns = usize::from(area.width);
    let threads = &profile.activities;
    let figure = figure_columns(columns);
    let label = threads.len().saturating_sub(1).to_string().len() + 8;
    let figures = figures(theme, document, columns);
    let bar_columns = columns.saturating_sub(label + 1 + figures.len() * figure);
    draw_heading(app, document, &figures, columns, buffer, top);

    let longest = threads.iter().map(Activity::total).fold(0.0, f64::max);
    let cursor = app.threads.cursor;
    let visible = app.threads.rows().iter().skip(cursor.top);
    let rows = visible.take(usize::from(list.height)).map(|&thread| {
        let activity = threads.get(thread).copied().unwrap_or_default();
        let mut row = Row::new()
            .right(Style::new(), app.words.name(thread as u32), label)
            .plain(" ")
            .append(stacked(theme, &activity, longest, bar_columns))
            .to(label + 1 + bar_columns);
        for part in &figures {
            let end = row.width() + figure;
            row = row.right(Style::new(), theme.seconds((part.value)(&activity)), end);
        }
        row
    });
    draw_rows(buffer, list, rows.collect::<Vec<_>>());
    if !threads.is_empty() {
        // A reversed line would hide the colours of its bar.
        let label_area = Rect {
            width: (label as u16).min(list.width),
            ..list
        };
        let line = cursor.selected - cursor.top;
        highlight(buffer, label_area, line, theme.style(Role::Selected));
    }
    if let Some(below) = below {
        draw_thread(app, profile, buffer, below);
    }
}

fn draw_heading(
    app: &App,
    document: &Document,
    figures: &[Part],
    columns: usize,
    buffer: &mut Buffer,
    area: Rect,
) {
    let theme = &app.theme;
    let efficiency = &document.summary.efficiency;
    let percent = |factor: f64| quantity::percent(100.0 * factor);
    let [of_all, of_balance, of_communication] = FACTORS.map(|factor| factor.name.to_lowercase());
    let factors = format!(
        "{of_all} {} = {of_balance} {} × {of_communication} {}",
        percent(efficiency.parallel_efficiency),
        percent(efficiency.load_balance),
        percent(efficiency.communication_efficiency),
    );
    let short = format!(
        "efficiency {} = {} × {}",
        percent(efficiency.parallel_efficiency),
        percent(efficiency.load_balance),
        percent(efficiency.communication_efficiency),
    );
    let factors = match pgas_report::names::width(&factors) + 2 <= columns {
        true => factors,
        false => short,
    };
    let order = match app.threads.order {
        ThreadOrder::Number => "by number",
        ThreadOrder::Computation => "most computation first",
        ThreadOrder::Waiting => "most waiting first",
        ThreadOrder::Communication => "most communication first",
    };
    let mut legend = Row::new().to(1);
    let profile = document.profile.as_ref();
    let lost = profile.is_some_and(|p| p.activities.iter().any(|a| a.no_core > 0.0));
    for part in parts(theme) {
        if part.name == "no core" && !lost {
            continue;
        }
        legend = legend
            .add(theme.style(part.role), part.glyph.to_string())
            .add(theme.style(Role::Dim), format!(" {}  ", part.name));
    }
    let figure = figure_columns(columns);
    let title = format!("Load per {}, {order}", app.words.one);
    let mut heads = heading(theme, &title, columns, true);
    if !figures.is_empty() {
        let start = columns.saturating_sub(figures.len() * figure);
        let title = theme.short(&title, start);
        heads = Row::new().add(theme.style(Role::Heading), title).to(start);
        for (index, part) in figures.iter().enumerate() {
            let end = start + (index + 1) * figure;
            let name = match figure {
                FIGURE => part.short,
                _ => part.name,
            };
            heads = heads.right(theme.style(part.role), name, end);
        }
    }
    let factors = Row::new()
        .to(1)
        .plain(theme.short(&factors, columns.saturating_sub(1)));
    let rows = match area.height {
        0 => vec![],
        1 => vec![heads],
        2 => vec![legend, heads],
        _ => vec![factors, legend, heads],
    };
    draw_rows(buffer, area, rows);
}

/// A bar of the parts of `activity`, in which `longest` seconds fill `columns`.
fn stacked(theme: &Theme, activity: &Activity, longest: f64, columns: usize) -> Row {
    let mut row = Row::new();
    let mut sum = 0.0;
    let mut drawn = 0;
    for part in parts(theme) {
        sum += (part.value)(activity).max(0.0);
        // Rounding the sum, not the parts, keeps the total right.
        let end = (share(sum, longest).clamp(0.0, 1.0) * columns as f64).round() as usize;
        let cells: String = std::iter::repeat_n(part.glyph, end.saturating_sub(drawn)).collect();
        row = row.add(theme.style(part.role), cells);
        drawn = drawn.max(end);
    }
    row
}

/// The call paths with most time of the selected thread.
fn draw_thread(app: &App, profile: &Profile, buffer: &mut Buffer, area: Rect) {
    let theme = &app.theme;
    let Some(thread) = app.threads.selected() else {
        return;
    };
    let columns = usize::from(area.width);
    let cube = profile.cube();
    let host = cube
        .threads
        .get(thread)
        .and_then(|t| cube.nodes.get(t.node));
    let name = app.words.name(thread as u32);
    let title = match host {
        Some(host) => format!("{name} on {host}: most time, without callees"),
        None => format!("{name}: most time, without callees"),
    };
    let mut rows = vec![heading(theme, &title, columns, false)];
    let Some(time) = pgas_report::figures::time(cube) else {
        return;
    };
    let mut paths: Vec<(CallPathId, f64)> = cube
        .rows_of(time)
        .filter_map(|(path, values)| Some((path, *values.get(thread)?)))
        .collect();
    let total: f64 = paths.iter().map(|(_, value)| value).sum();
    paths.sort_by(|a, b| b.1.total_cmp(&a.1));
    let arrow = format!(" {} ", theme.glyphs().arrow);
    for (path, seconds) in paths.into_iter().take(usize::from(area.height)) {
        if seconds <= 0.0 {
            break;
        }
        let row = Row::new()
            .right(Style::new(), theme.seconds(seconds), FIGURE)
            .right(
                theme.style(Role::Dim),
                quantity::percent(100.0 * share(seconds, total)),
                FIGURE + 8,
            )
            .plain("  ");
        let mut names = pgas_report::figures::names(cube, path);
        if names.len() > 1 {
            names.remove(0);
        }
        let room = columns.saturating_sub(row.width());
        rows.push(row.plain(theme.short(&names.join(&arrow), room)));
    }
    draw_rows(buffer, area, rows);
}
