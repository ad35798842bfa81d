//! A source file with a column that says how much of the selected metric each line has.

use pgas_cube::model::Unit;
use pgas_cube::values::Extent;
use pgas_report::quantity;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::labelled::cut;
use super::numbers::{VALUE, share, value};
use crate::document::Profile;
use crate::layout;
use crate::state::App;
use pgas_screen::pencil::{Row, bar, draw_rows, heading, highlight};
use pgas_screen::theme::Role;

/// Columns of a bar.
const BAR: usize = 6;
/// On a narrower screen there are no bars.
const WIDE: usize = 60;
/// Lines about the selected line.
const DETAIL: u16 = 5;

/// The heading, the lines, and what is said about the selected one.
pub fn source_areas(body: Rect) -> (Rect, Rect, Option<Rect>) {
    layout::heading_list_detail(body, 1, DETAIL)
}

pub(super) fn draw(app: &App, profile: &Profile, buffer: &mut Buffer, area: Rect) {
    let theme = &app.theme;
    let Some(file) = profile.files.get(app.source.file) else {
        let text = "No call path of this run says where it stands in the source.";
        return super::sentence(app, buffer, area, text);
    };
    let metric = profile.cube().metrics.get(app.trees.metric().0);
    let (metric_name, unit) = match metric {
        Some(metric) => (metric.display_name.as_str(), metric.unit),
        None => ("", Unit::Seconds),
    };
    let extent = match app.source.extent {
        Extent::Exclusive => "",
        Extent::Inclusive => " with callees",
    };
    let (top, list, below) = source_areas(area);
    let columns = usize::from(area.width);
    let separator = theme.glyphs().separator;
    let right = format!("{metric_name}{extent}");
    let right_columns = pgas_report::names::width(&right) + pgas_report::names::width(separator);
    let name = theme.short(&file.name, columns.saturating_sub(right_columns));
    let title = format!("{name}{separator}{right}");
    draw_rows(buffer, top, [heading(theme, &title, columns, true)]);

    let count = crate::state::source_lines(file);
    let cursor = app.source.cursor;
    let values = app.source.values();
    let most = values.values().copied().fold(0.0, f64::max);
    let last = (cursor.top + usize::from(list.height)).min(count);
    let digits = count.to_string().len();
    let rows = (cursor.top..last).map(|index| {
        let amount = u32::try_from(index + 1)
            .ok()
            .and_then(|line| values.get(&line));
        let mut row = Row::new();
        if let Some(amount) = amount {
            let part = share(*amount, most);
            row = row.right(Style::new(), value(theme, *amount, unit), VALUE);
            if columns >= WIDE {
                row = row.plain(" ").add(theme.heat(part), bar(theme, part, BAR));
            }
        }
        let gutter = VALUE + 1 + if columns >= WIDE { BAR + 1 } else { 0 };
        row = row
            .to(gutter)
            .right(
                theme.style(Role::Dim),
                (index + 1).to_string(),
                gutter + digits,
            )
            .plain("  ");
        let room = columns.saturating_sub(row.width());
        let text = match &file.text {
            Ok(lines) => lines.get(index).map(String::as_str).unwrap_or_default(),
            Err(_) => "",
        };
        let style = match amount {
            Some(_) => theme.style(Role::Strong),
            None => Style::new(),
        };
        row.add(style, cut(&theme.clean(text), room))
    });
    draw_rows(buffer, list, rows.collect::<Vec<_>>());
    if count > 0 {
        let style = theme.style(Role::Selected);
        highlight(buffer, list, cursor.selected - cursor.top, style);
    }
    if let Some(below) = below {
        draw_calls(app, profile, unit, buffer, below);
    }
}

/// The call paths that stand at the selected line.
fn draw_calls(app: &App, profile: &Profile, unit: Unit, buffer: &mut Buffer, area: Rect) {
    let theme = &app.theme;
    let columns = usize::from(area.width);
    let calls = app.calls_of_line(profile);
    let total: f64 = calls.iter().map(|(_, value)| value).sum();
    let line = app.source.line();
    let title = match calls.len() {
        0 => format!("line {line}: nothing was recorded here"),
        1 => format!("line {line}"),
        count => format!("line {line}: {} call paths", quantity::count(count as f64)),
    };
    let mut rows = vec![heading(theme, &title, columns, false)];
    let file = profile.files.get(app.source.file);
    if let Some(Err(why)) = file.map(|file| &file.text) {
        let why = theme.short(why, columns);
        rows.push(Row::new().add(theme.style(Role::Fair), why));
    }
    for note in file.iter().flat_map(|file| &file.notes) {
        let note = theme.short(note, columns);
        rows.push(Row::new().add(theme.style(Role::Fair), note));
    }
    for (path, amount) in calls {
        if rows.len() >= usize::from(area.height) {
            break;
        }
        let mut names = pgas_report::figures::names(profile.cube(), path);
        if names.len() > 1 {
            names.remove(0);
        }
        let arrow = format!(" {} ", theme.glyphs().arrow);
        let row = Row::new()
            .right(Style::new(), value(theme, amount, unit), VALUE)
            .right(
                theme.style(Role::Dim),
                quantity::percent(100.0 * share(amount, total)),
                VALUE + 8,
            )
            .plain("  ");
        let room = columns.saturating_sub(row.width());
        rows.push(row.plain(theme.short(&names.join(&arrow), room)));
    }
    draw_rows(buffer, area, rows);
}
