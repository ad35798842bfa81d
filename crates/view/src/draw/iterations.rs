//! The loops of the program: how long their iterations take, and what develops from the first to
//! the last.

use pgas_report::{names, quantity, sentences};
use pgas_result::phases::{Loop, MetricSeries, Shape};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::document::Document;
use crate::layout::{self, ListAndDetail};
use crate::state::App;
use pgas_screen::pencil::{Row, draw_rows, highlight, separator};
use pgas_screen::theme::Role;

/// Lines of the curve of durations, where there is room.
const CURVE: usize = 5;
/// Columns of the names of metrics.
const NAME: usize = 22;

pub fn loop_areas(body: Rect, loops: usize, reading: bool) -> ListAndDetail {
    layout::list_and_detail(body, loops, 34, reading)
}

pub(super) fn draw(app: &App, document: &Document, buffer: &mut Buffer, area: Rect) {
    let loops = &document.summary.phases;
    let Some(found) = loops.get(app.iterations.cursor.selected) else {
        let text = "No loop was found whose iterations all threads run together: the program has \
                    none, or it was recorded without a trace.";
        return super::sentence(app, buffer, area, &app.words.say(text));
    };
    let theme = &app.theme;
    let areas = loop_areas(area, loops.len(), app.iterations.reading);
    if let Some(list) = areas.list {
        let columns = usize::from(list.width);
        let cursor = app.iterations.cursor;
        let visible = loops.iter().skip(cursor.top).take(usize::from(list.height));
        let rows = visible.map(|found| loop_row(app, found, columns));
        draw_rows(buffer, list, rows.collect::<Vec<_>>());
        let role = match app.iterations.reading {
            true => Role::Marked,
            false => Role::Selected,
        };
        highlight(
            buffer,
            list,
            cursor.selected - cursor.top,
            theme.style(role),
        );
    }
    if let Some(detail) = areas.detail {
        if areas.side_by_side {
            separator(buffer, theme, detail);
        }
        let lines = loop_lines(app, document, found, detail);
        let visible = lines.into_iter().skip(app.iterations.text_top);
        draw_rows(buffer, detail, visible);
    }
}

/// "relax() in main()   200 x 5.01 ms   98 %"
fn loop_row(app: &App, found: &Loop, columns: usize) -> Row {
    let theme = &app.theme;
    let name = match (found.body.as_str(), found.function.as_str()) {
        ("", "") => found.region.clone(),
        ("", function) => format!("{} in {function}()", found.region),
        (body, _) => format!("{body}()"),
    };
    let figures = theme.clean(&format!(
        "{} × {}",
        quantity::count(found.iterations as f64),
        theme.seconds(found.mean_seconds)
    ));
    let coverage = quantity::percent(100.0 * found.coverage);
    let end = columns.saturating_sub(1);
    let room = end.saturating_sub(names::width(&figures) + 10);
    Row::new()
        .plain(" ")
        .plain(theme.short(&name, room))
        .right(Style::new(), figures, end.saturating_sub(7))
        .right(theme.style(Role::Dim), coverage, end)
}

/// Title, curve, series, imbalance and oddities of a loop, in lines that fit an area.
pub fn loop_lines(app: &App, document: &Document, found: &Loop, area: Rect) -> Vec<Row> {
    let theme = &app.theme;
    let columns = usize::from(area.width).saturating_sub(2);
    let ascii = theme.ascii();
    let mut rows = Vec::new();
    let prose = |rows: &mut Vec<Row>, role, text: &str| {
        for line in theme.wrap(text, columns) {
            rows.push(Row::new().to(1).add(theme.style(role), line));
        }
    };
    prose(&mut rows, Role::Strong, &sentences::title(found, ascii));
    prose(&mut rows, Role::Dim, &sentences::place(found));
    if let Some(duration) = found.metric("duration") {
        if usize::from(area.height) >= CURVE + 10 {
            rows.push(Row::new());
            rows.extend(tall_curve(app, found, duration, columns));
        }
    }
    rows.push(Row::new());
    for series in sentences::shown(found) {
        let name = match &document.profile {
            _ if series.metric == "duration" => "Duration",
            Some(profile) => profile.metric_name(&series.metric),
            None => &series.metric,
        };
        let style = theme.style(match series.shape {
            Shape::Growing => Role::Bad,
            Shape::Shrinking => Role::Good,
            _ => Role::Plain,
        });
        let curve_columns = columns.saturating_sub(NAME + 2 + 36).min(48);
        let mut row = Row::new().to(1).plain(theme.short(name, NAME)).to(NAME + 2);
        if curve_columns >= 8 {
            let curve = theme.glyphs().curve;
            let curve = sentences::marked_sparkline(found, series, curve_columns, curve, ascii);
            row = row.add(style, curve).to(NAME + 4 + curve_columns);
        }
        let room = (columns + 1).saturating_sub(row.width());
        let words = sentences::development_within(found, series, ascii, room);
        rows.push(row.add(style, theme.short(&words, room)));
    }
    let said = sentences::imbalance(found).map(|said| app.words.say(&said));
    let said = said.into_iter();
    let said: Vec<String> = said.chain(sentences::oddities(found, ascii)).collect();
    if !said.is_empty() {
        rows.push(Row::new());
    }
    for sentence in said {
        prose(&mut rows, Role::Plain, &sentence);
    }
    let cube = document.profile.as_ref().map(|profile| profile.cube());
    for sentence in sentences::marks(found, cube, ascii) {
        prose(&mut rows, Role::Fair, &sentence);
    }
    rows
}

/// The durations of iterations as a curve of several lines, from zero to the longest.
fn tall_curve(app: &App, found: &Loop, duration: &MetricSeries, columns: usize) -> Vec<Row> {
    let theme = &app.theme;
    let steps = theme.glyphs().curve;
    let most = duration.values.iter().copied().fold(0.0, f64::max);
    let label = theme.seconds(most);
    let left = names::width(&label) + 2;
    let width = columns
        .saturating_sub(left)
        .min(duration.values.len().max(1) * 4);
    if width == 0 || duration.values.is_empty() || most <= 0.0 {
        return Vec::new();
    }
    let count = duration.values.len();
    let columns = width.max(1);
    let value = |column: usize| {
        let first = column * count / columns;
        let end = ((column + 1) * count / columns).max(first + 1);
        let part = &duration.values[first..end.min(count)];
        part.iter().copied().fold(0.0, f64::max)
    };
    let cells: Vec<usize> = (0..columns)
        .map(|column| {
            let all = (CURVE * steps.len()) as f64;
            ((value(column) / most * all).round() as usize).max(1)
        })
        .collect();
    let mut rows: Vec<Row> = (0..CURVE)
        .map(|line| {
            let below = (CURVE - 1 - line) * steps.len();
            let text: String = cells
                .iter()
                .map(|cell| match cell.saturating_sub(below) {
                    0 => ' ',
                    part => steps[part.min(steps.len()) - 1],
                })
                .collect();
            let label = match line {
                0 => label.clone(),
                l if l == CURVE - 1 => "0".to_owned(),
                _ => String::new(),
            };
            Row::new()
                .right(theme.style(Role::Dim), label, left - 1)
                .plain(" ")
                .add(theme.style(Role::Computation), text)
        })
        .collect();
    let last = format!("iteration {}", quantity::count(found.iterations as f64));
    let first = "1";
    let dim = theme.style(Role::Dim);
    let end = left + columns;
    rows.push(match columns > last.len() + 4 {
        true => Row::new().to(left).add(dim, first).right(dim, last, end),
        false => Row::new().to(left).add(dim, first),
    });
    rows
}
