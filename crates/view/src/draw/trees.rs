//! The three trees side by side, as many of them as have room.

use pgas_cube::model::{Cube, Unit};
use pgas_report::quantity;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::numbers::{VALUE, scaled, share};
use crate::document::Profile;
use crate::layout;
use crate::state::{App, Order, Pane, Row as TreeRow, Scale};
use pgas_screen::pencil::{Row, bar, draw_rows, heading, highlight, separator};
use pgas_screen::theme::Role;

/// Columns of a bar, where there is room for one.
const BAR: usize = 6;
/// A tree of at least this width has bars. Columns.
const WIDE: usize = 46;
/// A tree with fewer columns is indented less.
const ROOMY: usize = 42;
/// Columns that a name needs to be of use; deeper entries are indented no further.
const NAME: usize = 14;

pub(super) fn draw(app: &App, profile: &Profile, buffer: &mut Buffer, area: Rect) {
    let (panes, selection) = layout::trees(area, app.trees.focus);
    for (index, (pane, area)) in panes.iter().enumerate() {
        if index > 0 {
            let with_space = Rect {
                x: area.x.saturating_sub(1),
                ..*area
            };
            separator(buffer, &app.theme, with_space);
        }
        draw_pane(app, profile, *pane, buffer, *area);
    }
    draw_selection(app, profile, buffer, selection);
}

fn title(app: &App, pane: Pane) -> String {
    let scale = match (app.trees.scale, pane) {
        (Scale::Absolute, _) => "",
        (Scale::OfRoot, _) => " (% of root)",
        (Scale::OfSelection, Pane::Metrics) => " (% of root)",
        (Scale::OfSelection, _) => " (% of selection)",
    };
    let order = match (app.trees.order, pane == app.trees.focus) {
        (Order::ByValue, true) => ", by value",
        (Order::ByName, true) => ", by name",
        _ => "",
    };
    let name = match pane {
        Pane::Metrics => "Metrics",
        Pane::Calls => "Call paths",
        Pane::System => "System",
    };
    format!("{name}{scale}{order}")
}

/// Unit of the values in a tree: each metric has its own, the others have that of the selected
/// metric.
fn unit(cube: &Cube, app: &App, pane: Pane, entry: usize) -> Unit {
    let metric = match pane {
        Pane::Metrics => entry,
        _ => app.trees.metric().0,
    };
    cube.metrics.get(metric).map_or(Unit::Seconds, |m| m.unit)
}

fn draw_pane(app: &App, profile: &Profile, pane: Pane, buffer: &mut Buffer, area: Rect) {
    let theme = &app.theme;
    let columns = usize::from(area.width);
    let focused = pane == app.trees.focus;
    let rule = heading(theme, &title(app, pane), columns, focused);
    draw_rows(buffer, area, [rule]);

    let tree = app.trees.pane(pane);
    let lines = layout::tree_lines(area);
    let visible = tree.rows().iter().skip(tree.cursor.top);
    let visible: Vec<&TreeRow> = visible.take(usize::from(lines.height)).collect();
    let rows = visible
        .iter()
        .map(|row| draw_row(app, profile, pane, row, columns));
    draw_rows(buffer, lines, rows.collect::<Vec<_>>());
    let selected = tree.cursor.selected.checked_sub(tree.cursor.top);
    if let Some(line) = selected.filter(|_| !visible.is_empty()) {
        let role = if focused {
            Role::Selected
        } else {
            Role::Marked
        };
        highlight(buffer, lines, line, theme.style(role));
    }
}

/// "▾ ■  12.3 ms ██▌   upc_barrier        is.c:412"
fn draw_row(app: &App, profile: &Profile, pane: Pane, row: &TreeRow, columns: usize) -> Row {
    let theme = &app.theme;
    let glyphs = theme.glyphs();
    let tree = app.trees.pane(pane);
    let value = tree.value(row.entry);
    let cube = profile.cube();
    let unit = unit(cube, app, pane, row.entry);
    let whole = match pane {
        // Each metric is a part of its own root.
        Pane::Metrics => {
            let path = profile.values.metrics().path(row.entry);
            tree.inclusive(path.first().copied().unwrap_or(row.entry))
        }
        _ => tree.total(profile),
    };
    let part = share(value, whole);
    let scale = app.trees.whole(profile, pane);
    let shown_of = match (pane, scale) {
        (Pane::Metrics, Some(_)) => Some(whole),
        _ => scale,
    };
    let text = scaled(theme, value, unit, shown_of);
    let number = match value == 0.0 {
        true => theme.style(Role::Dim),
        false => Style::new(),
    };
    let mut out = Row::new()
        .add(theme.heat(part), glyphs.heat)
        .right(number, text, 2 + VALUE)
        .plain(" ");
    if columns >= WIDE {
        let end = out.width() + BAR;
        out = out
            .add(theme.heat(part), bar(theme, part, BAR))
            .to(end)
            .plain(" ");
    }
    let deepest = columns.saturating_sub(out.width() + NAME + 2);
    let step = if columns >= ROOMY { 2 } else { 1 };
    let indent = (row.depth * step).min(deepest);
    let marker = match (row.has_children, tree.is_open(row.entry)) {
        (false, _) => glyphs.leaf,
        (true, true) => glyphs.open,
        (true, false) => glyphs.closed,
    };
    out = out
        .plain(" ".repeat(indent))
        .add(theme.style(Role::Dim), marker)
        .plain(" ");
    let room = columns.saturating_sub(out.width());
    let name = match pane.name(profile, row.entry) {
        "" => "(no name)",
        name => name,
    };
    let style = if value == 0.0 {
        theme.style(Role::Dim)
    } else {
        Style::new()
    };
    let name = theme.short(name, room);
    out = out.add(style, name);
    if let Some(share) = inflated(profile, pane, row.entry) {
        let mark = format!(" [{share}]");
        if out.width() + pgas_report::names::width(&mark) <= columns {
            out = out.add(theme.style(Role::Bad), mark);
        }
    }
    if pane == Pane::Calls {
        // Half of a place says nothing.
        let place = theme.clean(&place(profile, row.entry));
        if out.width() + 1 + pgas_report::names::width(&place) <= columns {
            out = out.right(theme.style(Role::Dim), place, columns);
        }
    }
    out
}

/// The share of its time that recording took, where it is worth a mark.
fn inflated<'a>(profile: &'a Profile<'_>, pane: Pane, entry: usize) -> Option<&'a str> {
    let marks = &profile.marks;
    let share = match pane {
        Pane::Metrics => marks.metrics.get(&entry),
        Pane::Calls => marks.call_paths.get(&entry),
        Pane::System => None,
    };
    share.map(String::as_str)
}

/// "is.c:412", without directories.
fn place(profile: &Profile, entry: usize) -> String {
    let Some(path) = profile.cube().call_paths.get(entry) else {
        return String::new();
    };
    let base = path.file.rsplit('/').next().unwrap_or_default();
    pgas_report::figures::place(base, path.line)
}

/// Names of the selected metric and call path, in full, and their value.
fn draw_selection(app: &App, profile: &Profile, buffer: &mut Buffer, area: Rect) {
    let theme = &app.theme;
    let columns = usize::from(area.width);
    let cube = profile.cube();
    let (metric, path) = (app.trees.metric(), app.trees.call_path());
    let Some(of) = cube.metrics.get(metric.0) else {
        return;
    };
    let alone = |pane: Pane| {
        let tree = app.trees.pane(pane);
        let entry = tree.selected();
        match tree.is_open(entry) {
            true => " alone",
            false => "",
        }
    };
    let dim = theme.style(Role::Dim);
    let calls = app.trees.pane(Pane::Calls);
    let value = calls.value(calls.selected());
    let root = profile.values.metrics().path(metric.0).first().copied();
    let whole = app
        .trees
        .pane(Pane::Metrics)
        .inclusive(root.unwrap_or(metric.0));
    let mut amount = format!(
        "{}, {} of all",
        super::numbers::value(theme, value, of.unit),
        quantity::percent(100.0 * share(value, whole)),
    );
    if let (Unit::Seconds, Some(share)) = (of.unit, inflated(profile, Pane::Calls, path.0)) {
        amount += &format!("; of this call path's own time, {share} is what recording took");
    }
    let what = format!("{}{}", of.display_name, alone(Pane::Metrics));
    let mut names = pgas_report::figures::names(cube, path);
    // The root stands for the program; every path begins with it.
    if names.len() > 1 {
        names.remove(0);
    }
    let arrow = format!(" {} ", theme.glyphs().arrow);
    let through = format!("{}{}", names.join(&arrow), alone(Pane::Calls));
    if area.height == 1 {
        let text = format!("{what} {} {through}: {amount}", theme.glyphs().arrow);
        draw_rows(
            buffer,
            area,
            [Row::new().add(dim, theme.short(&text, columns))],
        );
        return;
    }
    let node = cube.call_paths.get(path.0);
    let place = node.map_or(String::new(), |n| {
        pgas_report::figures::place(&n.file, n.line)
    });
    let rule = heading(theme, &format!("{what}: {amount}"), columns, false);
    let rows = [
        rule,
        Row::new().plain(theme.short(&through, columns)),
        Row::new().add(dim, theme.short(&place, columns)),
    ];
    draw_rows(buffer, area, rows);
}
