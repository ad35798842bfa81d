//! Processors, tasks and channels of a program of tasks: who computed, communicated and waited.

use pgas_result::AnalysisResult;
use pgas_result::tasks::{ChannelLoad, MessageCost, ProcessorLoad, TaskLoad, Tasks};

use super::canvas::{Canvas, Line, Style};
use crate::quantity::{bytes, count, percent, seconds};

/// Rows of each table.
const SHOWN: usize = 10;
/// Columns of names.
const NAME: usize = 30;
/// Columns of a figure.
const CELL: usize = 11;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let Some(tasks) = &result.summary.tasks else {
        return;
    };
    let aside = format!(
        "efficiency {}, speedup {:.2} on {}",
        percent(100.0 * tasks.efficiency),
        tasks.speedup,
        canvas.words.count(tasks.processors.len())
    );
    canvas.heading("TASKS AND CHANNELS", Line::new().add(Style::Dim, aside));
    write_processors(canvas, tasks);
    write_tasks(canvas, tasks);
    write_channels(canvas, tasks);
    if let Some(cost) = &tasks.message_cost {
        write_cost(canvas, cost);
    }
}

/// A line of a table: the name, and figures that end at fixed columns.
fn row(canvas: &mut Canvas, style: Style, name: &str, cells: &[String]) {
    let name = canvas.short(name, NAME);
    let mut line = Line::new().add(style, format!("  {name}"));
    for (number, cell) in cells.iter().enumerate() {
        let column = 2 + NAME + CELL * (number + 1);
        if column <= canvas.width {
            line = line.right(style, cell, column);
        }
    }
    canvas.line(line);
}

fn head(canvas: &mut Canvas, name: &str, names: &[&str]) {
    let cells: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    row(canvas, Style::Dim, name, &cells);
}

fn write_processors(canvas: &mut Canvas, tasks: &Tasks) {
    let mut busiest: Vec<&ProcessorLoad> = tasks.processors.iter().collect();
    let is_short = busiest.len() > SHOWN;
    if is_short {
        busiest.sort_by(|a, b| b.computing.total_cmp(&a.computing));
    }
    head(
        canvas,
        "processor",
        &["computing", "communic.", "idle", "rest", "tasks"],
    );
    for load in busiest.iter().take(SHOWN) {
        let name = canvas.words.name(load.thread);
        let times = [load.computing, load.communicating, load.idle, load.rest];
        let mut cells: Vec<String> = times.map(|time| seconds(time, canvas.ascii)).into();
        cells.push(count(load.tasks as f64));
        row(canvas, Style::Plain, &name, &cells);
    }
    left_out(
        canvas,
        busiest.len().saturating_sub(SHOWN) as u64,
        "processors",
    );
    canvas.blank();
}

fn write_tasks(canvas: &mut Canvas, tasks: &Tasks) {
    let heads = [
        "processor",
        "computing",
        "communic.",
        "for input",
        "for place",
        "for proc.",
    ];
    head(canvas, "task", &heads);
    for load in tasks.tasks.iter().take(SHOWN) {
        let cells = task_cells(canvas, load);
        row(canvas, Style::Plain, &task_name(load), &cells);
    }
    let more = tasks.tasks.len().saturating_sub(SHOWN) as u64 + tasks.omitted_tasks;
    left_out(canvas, more, "tasks");
    canvas.blank();
}

fn task_cells(canvas: &Canvas, load: &TaskLoad) -> Vec<String> {
    let times = [
        load.computing,
        load.communicating,
        load.waiting_input,
        load.blocked_in_send,
        load.waiting_processor,
    ];
    let processor = canvas.words.number(load.processor).to_string();
    let times = times.map(|time| seconds(time, canvas.ascii));
    std::iter::once(processor).chain(times).collect()
}

/// "3 worker a.rs:4".
fn task_name(load: &TaskLoad) -> String {
    format!(
        "{} {} {}:{}",
        number(load.task),
        load.name,
        load.file,
        load.line
    )
}

/// The number in its process, and the process if it is not the first one.
fn number(number: u64) -> String {
    match number >> 32 {
        0 => number.to_string(),
        process => format!("{}@{process}", number & u64::from(u32::MAX)),
    }
}

fn write_channels(canvas: &mut Canvas, tasks: &Tasks) {
    if tasks.channels.is_empty() {
        return;
    }
    let heads = [
        "capacity",
        "messages",
        "bytes",
        "mean queue",
        "send waits",
        "rec. waits",
    ];
    head(canvas, "channel", &heads);
    for load in tasks.channels.iter().take(SHOWN) {
        let cells = channel_cells(canvas, load);
        row(canvas, Style::Plain, &channel_name(load), &cells);
    }
    let more = tasks.channels.len().saturating_sub(SHOWN) as u64 + tasks.omitted_channels;
    left_out(canvas, more, "channels");
}

fn channel_cells(canvas: &Canvas, load: &ChannelLoad) -> Vec<String> {
    let capacity = load.capacity.map(|capacity| count(capacity as f64));
    vec![
        capacity.unwrap_or_else(|| canvas.glyphs.dash.to_owned()),
        count(load.messages as f64),
        bytes(load.bytes as f64),
        format!("{:.1}", load.mean_queued),
        seconds(load.send_wait, canvas.ascii),
        seconds(load.receive_wait, canvas.ascii),
    ]
}

/// "2 a.rs:7, 0 to 3": tasks that send, and the one that receives.
fn channel_name(load: &ChannelLoad) -> String {
    let senders: Vec<String> = load.senders.iter().map(|&task| number(task)).collect();
    let senders = match senders.len() {
        0 => "?".to_owned(),
        1..=3 => senders.join(","),
        n => format!("{n} tasks"),
    };
    let receiver = load.receiver.map_or_else(|| "?".to_owned(), number);
    let place = match load.file.as_str() {
        "" => String::new(),
        file => format!(" {file}:{}", load.line),
    };
    format!("{}{place}, {senders} to {receiver}", number(load.channel))
}

fn left_out(canvas: &mut Canvas, more: u64, what: &str) {
    if more > 0 {
        let text = format!("({} {what} more)", count(more as f64));
        canvas.prose((Style::Plain, ""), 2, Style::Dim, &text);
    }
}

fn write_cost(canvas: &mut Canvas, cost: &MessageCost) {
    canvas.blank();
    let text = format!(
        "A message costs {} and {} for each 1000 bytes, sending and receiving together.",
        seconds(cost.ts, canvas.ascii),
        seconds(1000.0 * cost.tw, canvas.ascii)
    );
    canvas.prose((Style::Plain, ""), 2, Style::Plain, &text);
}
