//! Tasks with their load and state, and channels with their queues.

use pgas_base::quantity;
use pgas_monitor::tasks::{channel_name, number, task_name};
use pgas_monitor::{ChannelNow, Picture, TaskNow, TasksNow};
use pgas_screen::pencil::{Row, bar, draw_rows, heading, highlight};
use pgas_screen::theme::{Role, Theme};
use ratatui::buffer::Buffer;

use super::Areas;
use crate::state::State;

/// Width of the bar of a load, and end column of the load.
const BAR: usize = 10;
const SHARE: usize = 19;
/// End columns of a channel's queue, messages a second, mean time in send and in receive.
const COLUMNS: [usize; 4] = [12, 23, 34, 45];

pub fn draw(state: &State, picture: &Picture, buffer: &mut Buffer, areas: &Areas) {
    let theme = &state.theme;
    let columns = usize::from(areas.list.width);
    let title = "Load of tasks, and what they do";
    draw_rows(
        buffer,
        areas.heading,
        [heading(theme, title, columns, true)],
    );
    let lines = lines(state, picture).into_iter().skip(state.top);
    let rows: Vec<Row> = lines.take(usize::from(areas.list.height)).collect();
    draw_rows(buffer, areas.list, rows);
    let selected = state.selected.saturating_sub(state.top);
    highlight(buffer, areas.list, selected, theme.style(Role::Marked));
}

/// The lines of the list.
pub fn lines(state: &State, picture: &Picture) -> Vec<Row> {
    let Some(tasks) = &picture.tasks else {
        return Vec::new();
    };
    let columns = usize::from(state.area.width);
    let mut rows: Vec<Row> = Vec::new();
    rows.extend(tasks.tasks.iter().map(|task| task_row(state, tasks, task)));
    rows.extend(more(&state.theme, tasks.omitted_tasks));
    rows.push(Row::new());
    rows.push(channel_heads(&state.theme, columns));
    let channels = tasks.channels.iter();
    rows.extend(channels.map(|channel| channel_row(state, picture, channel)));
    rows.extend(more(&state.theme, tasks.omitted_channels));
    rows
}

fn more(theme: &Theme, omitted: u64) -> Option<Row> {
    let text = format!("{omitted} more");
    (omitted > 0).then(|| Row::new().to(1).add(theme.style(Role::Dim), text))
}

fn task_row(state: &State, tasks: &TasksNow, task: &TaskNow) -> Row {
    let theme = &state.theme;
    let load = task.load.unwrap_or(0.0);
    let share = task.load.map(|load| quantity::percent(100.0 * load));
    let row = Row::new()
        .to(1)
        .add(theme.style(Role::Computation), bar(theme, load, BAR))
        .right(theme.style(Role::Plain), share.unwrap_or_default(), SHARE)
        .plain("  ");
    let name = task_name(task.task, &task.place);
    let processor = state.words.name(task.thread);
    let text = format!("{name} {}, {processor}", tasks.doing(task));
    let role = match task.waits() {
        true => Role::Waiting,
        false => Role::Plain,
    };
    let room = usize::from(state.area.width).saturating_sub(row.width() + 1);
    row.add(theme.style(role), theme.beginning(&text, room))
}

fn channel_heads(theme: &Theme, columns: usize) -> Row {
    let style = theme.style(Role::Heading);
    let names = ["queue", "messages/s", "mean send", "receive"];
    let heads = names.iter().zip(COLUMNS);
    let heads = heads.fold(Row::new(), |row, (name, column)| {
        row.right(style, (*name).to_owned(), column)
    });
    let heads = heads.plain("  ");
    let room = columns.saturating_sub(heads.width());
    heads.append(heading(theme, "channel", room, true))
}

fn channel_row(state: &State, picture: &Picture, channel: &ChannelNow) -> Row {
    let theme = &state.theme;
    let plain = theme.style(Role::Plain);
    let queue = match channel.capacity {
        Some(capacity) => format!("{} of {capacity}", channel.queued),
        None => channel.queued.to_string(),
    };
    let messages = channel.sends / picture.period.max(f64::MIN_POSITIVE);
    let time = |mean: Option<f64>| mean.map_or_else(String::new, |mean| theme.seconds(mean));
    let cells = [
        queue,
        quantity::count(messages.round()),
        time(channel.mean_send()),
        time(channel.mean_receive()),
    ];
    let cells = cells.into_iter().zip(COLUMNS);
    let row = cells.fold(Row::new(), |row, (text, column)| {
        row.right(plain, text, column)
    });
    let row = row.plain("  ");
    let text = format!(
        "{}: {}",
        channel_name(channel.channel, &channel.place),
        ends(channel)
    );
    let room = usize::from(state.area.width).saturating_sub(row.width() + 1);
    row.add(plain, theme.beginning(&text, room))
}

/// "from task 1 to 2".
fn ends(channel: &ChannelNow) -> String {
    let from = match channel.senders[..] {
        [] => "nobody".to_owned(),
        [one] => format!("task {}", number(one)),
        _ => format!("{} tasks", channel.senders.len()),
    };
    let to = channel.receiver.map_or_else(
        || "nobody".to_owned(),
        |task| format!("task {}", number(task)),
    );
    format!("from {from} to {to}")
}
