//! Findings by cost: the list, and for the selected finding where it is, why, what to try, how it
//! is spread, and the source. Those of the online search follow those of the trace.

use pgas_report::{names, quantity, sentences};
use pgas_result::summary::Finding;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::labelled::{INDENT, Text, excerpt};
use super::{live, quartiles};
use crate::document::Document;
use crate::layout::{self, ListAndDetail};
use crate::state::App;
use pgas_screen::pencil::{Row, bar, draw_rows, heading, highlight, separator};
use pgas_screen::theme::Role;

/// Columns of the saving, in a list of at least `SAVES_FROM` columns.
const SAVES: usize = 9;
const SAVES_FROM: usize = 44;
/// Threads listed with the number of times that they came last.
const LAST_SHOWN: usize = 4;

pub fn finding_areas(body: Rect, findings: usize, reading: bool) -> ListAndDetail {
    // One line more for the heading.
    layout::list_and_detail(body, findings + 1, 46, reading)
}

/// The lines of the list below its heading.
pub fn finding_list(list: Rect) -> Rect {
    layout::tree_lines(list)
}

pub(super) fn draw(app: &App, document: &Document, buffer: &mut Buffer, area: Rect) {
    let entries = document.entries();
    if entries == 0 {
        let text = "Nothing that costs more than 0.1 % of the time: no waiting, imbalance or \
                    inefficient access worth a change was found. The trees (2) show where the \
                    time went.";
        return super::sentence(app, buffer, area, text);
    }
    let areas = finding_areas(area, entries, app.findings.reading);
    if let Some(list) = areas.list {
        draw_list(app, document, buffer, list);
    }
    if let Some(detail) = areas.detail {
        if areas.list.is_some() {
            if areas.side_by_side {
                separator(buffer, &app.theme, detail);
            } else {
                let line = Rect {
                    y: detail.y.saturating_sub(1),
                    height: 1,
                    ..detail
                };
                let title = selected_title(app, document);
                let columns = usize::from(line.width);
                let rule = heading(&app.theme, &title, columns, app.findings.reading);
                draw_rows(buffer, line, [rule]);
            }
        }
        let lines = finding_lines(app, document, usize::from(detail.width));
        draw_rows(
            buffer,
            detail,
            lines.into_iter().skip(app.findings.text_top),
        );
    }
}

/// "finding 2 of 6", above the text of the selected one.
fn selected_title(app: &App, document: &Document) -> String {
    let selected = app.findings.cursor.selected;
    match document.live(selected) {
        Some(_) => pgas_report::live::HEADING.to_lowercase(),
        None => format!("finding {} of {}", selected + 1, document.findings().len()),
    }
}

fn draw_list(app: &App, document: &Document, buffer: &mut Buffer, area: Rect) {
    let theme = &app.theme;
    let columns = usize::from(area.width);
    let cursor = app.findings.cursor;
    let findings = document.findings();
    let digits = findings.len().to_string().len();
    let dim = theme.style(Role::Dim);
    let saves_end = match columns >= SAVES_FROM {
        true => digits + 8 + SAVES,
        false => digits + 8,
    };
    let mut head = Row::new().right(dim, "lost", digits + 8);
    if columns >= SAVES_FROM {
        head = head.right(dim, "saves", saves_end);
    }
    head =
        head.to(saves_end + 1)
            .add(dim, "finding")
            .right(dim, "where", columns.saturating_sub(1));
    draw_rows(buffer, area, [head]);
    let area = finding_list(area);
    let height = usize::from(area.height);
    let visible = findings.iter().enumerate().skip(cursor.top);
    let rows = visible.take(height).map(|(index, finding)| {
        let share = quantity::percent(finding.percent);
        let mut row = Row::new()
            .right(dim, (index + 1).to_string(), digits + 1)
            .right(weight(app, finding.percent), share, digits + 8);
        if columns >= SAVES_FROM {
            let saves = match finding.saves_seconds {
                Some(seconds) if seconds > 0.0 => theme.seconds(seconds),
                Some(_) => "nothing".to_owned(),
                None => String::new(),
            };
            row = row.right(theme.style(Role::Good), saves, saves_end);
        }
        let row = row.to(saves_end + 1);
        let place = pgas_report::figures::place(base(&finding.file), finding.line);
        let room = columns.saturating_sub(row.width() + 1);
        let place = theme.short(&place, room * 2 / 5);
        let title_room = room.saturating_sub(names::width(&place) + 1);
        let title = theme.short(document.title(finding), title_room);
        row.plain(title)
            .right(theme.style(Role::Dim), place, columns.saturating_sub(1))
    });
    let seen = cursor.top..cursor.top + height;
    let found = seen.filter_map(|entry| document.live(entry));
    let columns = live::Columns {
        number: digits + 1,
        share: digits + 8,
        name: saves_end + 1,
        all: columns,
    };
    let found = found.map(|finding| live::row(app, document, finding, &columns));
    draw_rows(buffer, area, rows.chain(found).collect::<Vec<_>>());
    let role = match app.findings.reading {
        true => Role::Marked,
        false => Role::Selected,
    };
    highlight(
        buffer,
        area,
        cursor.selected - cursor.top,
        theme.style(role),
    );
}

/// The last part of a path.
fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn weight(app: &App, percent: f64) -> Style {
    app.theme.style(match percent {
        p if p >= 5.0 => Role::Bad,
        p if p >= 1.0 => Role::Fair,
        _ => Role::Plain,
    })
}

/// The selected finding in full, in lines of at most `columns` columns.
pub fn finding_lines(app: &App, document: &Document, columns: usize) -> Vec<Row> {
    let selected = app.findings.cursor.selected;
    let Some(finding) = document.findings().get(selected) else {
        let live = document.live(selected);
        return live.map_or_else(Vec::new, |live| live::lines(app, document, live, columns));
    };
    let mut text = Text::new(app, columns);
    let theme = &app.theme;
    let cost = format!(
        "{}, {}",
        theme.seconds(finding.seconds),
        quantity::percent(finding.percent)
    );
    let room = columns.saturating_sub(names::width(&cost) + 4);
    let title = theme.short(document.title(finding), room);
    text.rows.push(
        Row::new()
            .to(1)
            .add(theme.style(Role::Strong), title)
            .right(
                weight(app, finding.percent),
                cost,
                columns.saturating_sub(1),
            ),
    );
    text.blank();
    text.label("where", Role::Plain, &place(finding));
    let ascii = theme.ascii();
    if let Some(profile) = &document.profile {
        let said = [
            (
                "called as",
                sentences::distinguishing_path(profile.result, finding),
            ),
            (
                "waited for",
                sentences::waited_for(profile.result, finding, ascii),
            ),
            (
                "instances",
                sentences::instances(profile.result, finding, ascii),
            ),
        ];
        for (label, said) in said {
            if let Some(said) = said {
                text.label(label, Role::Plain, &said);
            }
        }
        last_threads(&mut text, document, finding);
        spread(&mut text, document, finding);
        if let Some(saves) = sentences::saves(profile.result, finding, ascii) {
            text.label("saves", Role::Good, &saves);
        }
    }
    let marks = document.profile.as_ref().map(|profile| &profile.marks);
    if let Some(inflated) = marks.and_then(|m| m.findings.get(&app.findings.cursor.selected)) {
        text.label("inflated", Role::Fair, inflated);
    }
    if let Some(known) = pgas_report::live::known(document.summary, finding, ascii) {
        text.label("known", Role::Plain, &known);
    }
    if let Some(overlaps) = sentences::overlaps(finding) {
        text.label("overlaps", Role::Plain, &overlaps);
    }
    text.label("why", Role::Plain, &finding.cause);
    text.label("try", Role::Good, &finding.advice);
    if let Some(profile) = &document.profile {
        excerpt(&mut text, profile, &finding.file, finding.line);
    }
    text.rows
}

/// "upc_barrier in rank(), is.c:412"
fn place(finding: &Finding) -> String {
    let what = match finding.function.as_str() {
        "" => finding.region.clone(),
        function if function == finding.region => format!("function {function}"),
        function => format!("{} in {function}()", finding.region),
    };
    match pgas_report::figures::place(&finding.file, finding.line) {
        place if place.is_empty() => what,
        place => format!("{what}, {place}"),
    }
}

/// Which threads were waited for how often, if there are several.
fn last_threads(text: &mut Text, document: &Document, finding: &Finding) {
    let Some(statistics) = document.instances(finding) else {
        return;
    };
    let mut counts: Vec<(usize, u64)> =
        statistics.last_counts.iter().copied().enumerate().collect();
    counts.retain(|(_, count)| *count > 0);
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let most = counts.first().map_or(0, |(_, count)| *count);
    if counts.len() < 2 || text.columns < 50 {
        return;
    }
    let theme = &text.app.theme;
    let all = counts.len();
    for (thread, count) in counts.into_iter().take(LAST_SHOWN) {
        let room = (text.columns + 1).saturating_sub(INDENT + 30).min(30);
        let share = count as f64 / most as f64;
        let row = Row::new()
            .to(INDENT + 1)
            .add(theme.style(Role::Dim), text.app.words.name(thread as u32))
            .right(Style::new(), quantity::count(count as f64), INDENT + 24)
            .plain(" ")
            .add(theme.style(Role::Computation), bar(theme, share, room));
        text.rows.push(row);
    }
    if all > LAST_SHOWN {
        let more = format!("and {} more {}", all - LAST_SHOWN, text.app.words.many);
        let row = Row::new().to(INDENT + 1).add(theme.style(Role::Dim), more);
        text.rows.push(row);
    }
}

/// How the waiting is spread over the instances.
fn spread(text: &mut Text, document: &Document, finding: &Finding) {
    let statistics = document.instances(finding);
    let Some(spread) = statistics.and_then(|statistics| statistics.spread.as_ref()) else {
        return;
    };
    let theme = &text.app.theme;
    let of = &spread.instances;
    let columns = (text.columns + 1).saturating_sub(INDENT + 1 + 22).min(48);
    let Some((picture, logarithmic)) = quartiles::picture(theme, of, columns) else {
        return;
    };
    if text.columns < 50 {
        return;
    }
    let dim = theme.style(Role::Dim);
    let (least, most) = (theme.seconds(of.minimum), theme.seconds(of.maximum));
    let row = Row::new()
        .to(1)
        .add(dim, "spread")
        .to(INDENT + 1)
        .add(dim, format!("{least} "))
        .add(theme.style(Role::Waiting), picture)
        .add(dim, format!(" {most}"));
    text.rows.push(row);
    let scale = if logarithmic { ", logarithmic" } else { "" };
    let half = format!(
        "half of them {} to {}{scale}",
        theme.seconds(of.lower_quartile),
        theme.seconds(of.upper_quartile)
    );
    let half = theme.short(&half, (text.columns + 1).saturating_sub(INDENT + 1));
    text.rows.push(Row::new().to(INDENT + 1).add(dim, half));
}
