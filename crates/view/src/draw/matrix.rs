//! Matrix of communication: a row for each thread that accesses, a column for each whose data it
//! is. A program of tasks that has no such communication has tables of tasks and channels there.

use pgas_cube::model::Unit;
use pgas_report::quantity;
use pgas_result::communication::{Communication, Flow};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::numbers::{share, value};
use crate::document::Document;
use crate::layout;
use crate::state::{Amount, App};
use pgas_screen::pencil::{Row, draw_rows, heading};
use pgas_screen::theme::Role;

/// Lines about the selected pair.
const DETAIL: u16 = 4;
/// Lines above the cells: what they tell, and the numbers of columns.
const HEADING: u16 = 2;

/// Where the cells are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    /// All of it: numbers of rows, cells.
    area: Rect,
    /// Columns of the numbers of rows.
    labels: u16,
    /// Columns of one cell.
    cell: u16,
    /// Visible ones.
    pub rows: usize,
    pub columns: usize,
}

impl Cells {
    /// The visible cell at a place of the screen: across and down.
    pub fn at(&self, column: u16, row: u16) -> Option<(usize, usize)> {
        let down = layout::line_at(self.area, column, row)?;
        let across = column.checked_sub(self.area.x + self.labels)? / self.cell;
        let (across, down) = (usize::from(across), down);
        (across < self.columns && down < self.rows).then_some((across, down))
    }
}

pub fn matrix_cells(body: Rect, threads: usize) -> Cells {
    let (_, cells, _) = layout::heading_list_detail(body, HEADING, DETAIL);
    let digits = threads.saturating_sub(1).to_string().len() as u16;
    let labels = digits + 9;
    let room = cells.width.saturating_sub(labels + 1);
    // Figures if all fit with figures, else as many cells as fit.
    let cell = match usize::from(room) >= threads * 5 {
        true => 5,
        false => digits + 1,
    };
    Cells {
        area: cells,
        labels,
        cell,
        rows: usize::from(cells.height).min(threads),
        columns: usize::from(room / cell).min(threads),
    }
}

pub(super) fn draw(app: &App, document: &Document, buffer: &mut Buffer, area: Rect) {
    let Some(communication) = &document.summary.communication else {
        if let Some(tasks) = &document.summary.tasks {
            return super::tasks::draw(app, tasks, buffer, area);
        }
        let text = "No thread accesses shared data with one-sided operations, or it was not \
                    recorded who does. (What collective operations move is not known by partner.)";
        return super::sentence(app, buffer, area, &app.words.say(text));
    };
    let theme = &app.theme;
    let threads = communication.by_thread.len();
    let (top, list, below) = layout::heading_list_detail(area, HEADING, DETAIL);
    let cells = matrix_cells(area, threads);
    let amount = app.matrix.amount;
    let amounts = Visible::new(app, communication, &cells);

    let what = match amount {
        Amount::Time => "time in one-sided operations",
        Amount::Bytes => "bytes moved by one-sided operations",
        Amount::Operations => "one-sided operations",
    };
    let partly = match communication.complete {
        true => "",
        false => " (only the largest pairs are known)",
    };
    let title = app.words.say(&format!(
        "Percent of {what}, by thread (lines) with data of thread (columns){partly}"
    ));
    let columns = usize::from(area.width);
    let mut numbers = Row::new();
    let labels = usize::from(cells.labels);
    let cell = usize::from(cells.cell);
    for column in 0..cells.columns {
        let owner = app.matrix.column.top + column;
        let style = match owner == app.matrix.column.selected {
            true => theme.style(Role::Selected),
            false => theme.style(Role::Dim),
        };
        let end = labels + (column + 1) * cell;
        numbers = numbers.right(style, app.words.number(owner as u32).to_string(), end);
    }
    draw_rows(
        buffer,
        top,
        [heading(theme, &title, columns, true), numbers],
    );

    let rows = (0..cells.rows).map(|line| {
        let thread = app.matrix.row.top + line;
        let style = match thread == app.matrix.row.selected {
            true => theme.style(Role::Selected),
            false => theme.style(Role::Dim),
        };
        let mut row = Row::new()
            .right(style, app.words.name(thread as u32), labels - 1)
            .to(labels);
        for column in 0..cells.columns {
            let owner = app.matrix.column.top + column;
            let here = (thread, owner) == (app.matrix.row.selected, app.matrix.column.selected);
            let amount = amounts.at(line, column);
            row = row.append(draw_cell(app, amount, &amounts, cell, here));
        }
        row
    });
    draw_rows(buffer, list, rows.collect::<Vec<_>>());
    if let Some(below) = below {
        draw_pair(app, communication, amounts.total, buffer, below);
    }
}

/// Amounts of the visible cells.
struct Visible {
    columns: usize,
    values: Vec<f64>,
    /// Of all pairs, visible or not.
    most: f64,
    total: f64,
}

impl Visible {
    fn new(app: &App, communication: &Communication, cells: &Cells) -> Self {
        let amount = app.matrix.amount;
        let (top, left) = (app.matrix.row.top, app.matrix.column.top);
        let mut values = vec![0.0; cells.rows * cells.columns];
        let mut most: f64 = 0.0;
        for pair in &communication.pairs {
            let value = amount.of(&pair.flow);
            most = most.max(value);
            let row = (pair.thread as usize).checked_sub(top);
            let column = (pair.owner as usize).checked_sub(left);
            if let (Some(row), Some(column)) = (row, column) {
                if row < cells.rows && column < cells.columns {
                    values[row * cells.columns + column] = value;
                }
            }
        }
        let sums = communication.by_thread.iter().map(|flow| amount.of(flow));
        Visible {
            columns: cells.columns,
            values,
            most,
            total: sums.sum(),
        }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }
}

/// A percentage where there is room for one, else a shade.
fn draw_cell(app: &App, amount: f64, of: &Visible, columns: usize, here: bool) -> Row {
    let theme = &app.theme;
    let part = share(amount, of.most);
    let mut style = match part > 0.0 {
        true => theme.heat(part),
        false => theme.style(Role::Dim),
    };
    if here {
        style = theme.style(Role::Selected);
    }
    let text = if columns >= 5 {
        match 100.0 * share(amount, of.total) {
            p if p <= 0.0 => ".".to_owned(),
            p if p < 0.5 => "<1".to_owned(),
            p => format!("{p:.0}"),
        }
    } else {
        let shades = theme.glyphs().shades;
        let last = shades.len() - 1;
        let shade = match part {
            p if p <= 0.0 => 0,
            p => ((p * last as f64).ceil() as usize).clamp(1, last),
        };
        shades[shade].to_string().repeat(columns - 1)
    };
    Row::new().plain(" ").right(style, text, columns)
}

/// Traffic of the selected thread with the data of the selected owner.
fn draw_pair(
    app: &App,
    communication: &Communication,
    total: f64,
    buffer: &mut Buffer,
    area: Rect,
) {
    let theme = &app.theme;
    let columns = usize::from(area.width);
    let (thread, owner) = (app.matrix.row.selected, app.matrix.column.selected);
    let mut pairs = communication.pairs.iter();
    let pair = pairs.find(|p| (p.thread as usize, p.owner as usize) == (thread, owner));
    let flow = pair.map(|pair| pair.flow).unwrap_or_default();
    let whose = match thread == owner {
        true => "its own data".to_owned(),
        false => format!("data of {}", app.words.name(owner as u32)),
    };
    let part = quantity::percent(100.0 * share(app.matrix.amount.of(&flow), total));
    let title = format!("{} with {whose}: {part}", app.words.name(thread as u32));
    let all = communication
        .by_thread
        .get(thread)
        .copied()
        .unwrap_or_default();
    let said = |label: &str, flow: &Flow| {
        let text = format!("{label}{}", words(app, flow));
        Row::new()
            .to(1)
            .plain(theme.short(&text, columns.saturating_sub(1)))
    };
    let rows = [
        heading(theme, &title, columns, false),
        said("", &flow),
        said(&app.words.say("in all, this thread: "), &all).marked(theme.style(Role::Dim)),
        match communication.by_owner.get(owner) {
            Some(flow) => {
                let label = format!("with data of thread {owner}, all threads: ");
                let label = app.words.say(&label);
                said(&label, flow).marked(theme.style(Role::Dim))
            }
            None => Row::new(),
        },
    ];
    draw_rows(buffer, area, rows);
}

/// "1.20 ms in 300 operations, got 4.00 KiB, put 2.00 KiB"
fn words(app: &App, flow: &Flow) -> String {
    if flow.operations == 0 {
        return "no operations".to_owned();
    }
    let theme = &app.theme;
    let mut text = format!(
        "{} in {} operations",
        theme.seconds(flow.seconds),
        quantity::count(flow.operations as f64)
    );
    let amounts = [
        ("got", flow.get_bytes),
        ("put", flow.put_bytes),
        ("copied", flow.either_bytes),
    ];
    for (verb, bytes) in amounts.into_iter().filter(|(_, bytes)| *bytes > 0) {
        text += &format!(", {verb} {}", value(theme, bytes as f64, Unit::Bytes));
    }
    text
}
