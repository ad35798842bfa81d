//! Tables of tasks and of channels, one below the other, of a program of tasks.

use pgas_cube::model::Unit;
use pgas_report::quantity;
use pgas_result::tasks::{ChannelLoad, TaskLoad, Tasks};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::numbers::{VALUE, value};
use crate::state::App;
use pgas_screen::pencil::{Row, draw_rows, heading, highlight};
use pgas_screen::theme::Role;

/// Columns of the names of tasks, and of places of channels.
const NAME: usize = 26;
/// Lines that are not of a task or a channel: titles, names of columns, one between the tables.
const OTHERS: usize = 5;
const OF_TASKS: [&str; 6] = [
    "task",
    "computing",
    "commun.",
    "input",
    "blocked",
    "runnable",
];
const OF_CHANNELS: [&str; 6] = [
    "channel", "messages", "bytes", "capacity", "queue", "longest",
];

/// Lines of both tables.
pub fn lines(tasks: &Tasks) -> usize {
    tasks.tasks.len() + tasks.channels.len() + OTHERS
}

pub(super) fn draw(app: &App, tasks: &Tasks, buffer: &mut Buffer, area: Rect) {
    let columns = usize::from(area.width);
    let cursor = app.matrix.row;
    let all = rows(app, tasks, columns);
    let visible = all.into_iter().skip(cursor.top);
    let visible: Vec<Row> = visible.take(usize::from(area.height)).collect();
    draw_rows(buffer, area, visible);
    let line = cursor.selected - cursor.top;
    highlight(buffer, area, line, app.theme.style(Role::Selected));
}

fn rows(app: &App, tasks: &Tasks, columns: usize) -> Vec<Row> {
    let theme = &app.theme;
    let title = |what: &str, omitted: u64| match omitted {
        0 => what.to_owned(),
        more => format!("{what} ({} more)", quantity::count(more as f64)),
    };
    let efficiency = quantity::percent(100.0 * tasks.efficiency);
    let of_tasks = format!(
        "{}: time by state; efficiency {efficiency}, speedup {:.2}",
        title("Tasks", tasks.omitted_tasks),
        tasks.speedup
    );
    let of_channels = title("Channels", tasks.omitted_channels);
    let mut rows = vec![heading(theme, &of_tasks, columns, true)];
    rows.push(names_of_columns(app, &OF_TASKS));
    rows.extend(tasks.tasks.iter().map(|task| task_row(app, task)));
    rows.push(Row::new());
    rows.push(heading(theme, &of_channels, columns, true));
    rows.push(names_of_columns(app, &OF_CHANNELS));
    rows.extend(
        tasks
            .channels
            .iter()
            .map(|channel| channel_row(app, channel)),
    );
    rows
}

fn names_of_columns(app: &App, names: &[&str; 6]) -> Row {
    let dim = app.theme.style(Role::Dim);
    let row = Row::new().to(1).add(dim, names[0]);
    figures(
        app,
        row,
        Role::Dim,
        names[1..].iter().map(|name| (*name).to_owned()),
    )
}

/// "12 worker" and the times of its states.
fn task_row(app: &App, task: &TaskLoad) -> Row {
    let theme = &app.theme;
    let name = format!("{} {}", number(task.task), task.name);
    let row = Row::new().to(1).plain(theme.short(&name, NAME));
    let times = [
        task.computing,
        task.communicating,
        task.waiting_input,
        task.blocked_in_send,
        task.waiting_processor,
    ];
    let times = times.map(|time| value(theme, time, Unit::Seconds));
    figures(app, row, Role::Plain, times)
}

/// "7 farm.rs:20", its messages and its queue.
fn channel_row(app: &App, channel: &ChannelLoad) -> Row {
    let theme = &app.theme;
    let place = match channel.file.rsplit('/').next() {
        Some(file) if !file.is_empty() => format!(" {file}:{}", channel.line),
        _ => String::new(),
    };
    let name = format!("{}{place}", number(channel.channel));
    let row = Row::new().to(1).plain(theme.short(&name, NAME));
    let count = |count: u64| value(theme, count as f64, Unit::Occurrences);
    let all = [
        count(channel.messages),
        value(theme, channel.bytes as f64, Unit::Bytes),
        channel.capacity.map_or("no limit".to_owned(), count),
        format!("{:.1}", channel.mean_queued),
        count(channel.max_queued),
    ];
    figures(app, row, Role::Plain, all)
}

/// Adds figures, one below the other in the lines of a table.
fn figures(app: &App, row: Row, role: Role, all: impl IntoIterator<Item = String>) -> Row {
    let style = app.theme.style(role);
    let columns = (1..).map(|column| 1 + NAME + column * (VALUE + 1));
    let all = all.into_iter().zip(columns);
    all.fold(row, |row, (text, end)| row.right(style, text, end))
}

/// The number of a task or a channel, with the process where that is not the first.
fn number(in_run: u64) -> String {
    match in_run >> 32 {
        0 => in_run.to_string(),
        process => format!("{process}:{}", in_run & u64::from(u32::MAX)),
    }
}
