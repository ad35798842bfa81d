//! Tasks and channels: their metrics, and those of the processors, processes and nodes that they
//! belong to. A channel belongs to the processor of the task that receives from it.

use std::collections::HashMap;

use pgas_monitor::tasks::number;
use pgas_monitor::{ChannelNow, Level, Now, Picture, TaskNow, TasksNow};

use crate::forest::Forest;
use crate::metric::{Columns, Metric, Rule, Values};

/// Name of the object above all tasks, and of that above all channels.
const ALL: &str = "all";

/// Columns of tasks.
pub(crate) const COMPUTING: usize = 0;
/// See [`COMPUTING`].
pub(crate) const COMMUNICATING: usize = 1;
/// See [`COMPUTING`].
pub(crate) const LOAD: usize = 2;
/// Begin of the columns of states, in this order.
const STATE: usize = 3;
/// States of tasks.
pub(crate) const STATES: [&str; 5] = ["running", "receiving", "sending", "selecting", "ready"];

/// The columns of tasks.
pub(crate) fn task_columns() -> Columns {
    let seconds = ["computing", "communicating"].map(|name| Metric::of_period(name, "seconds"));
    let load = Metric::of_now("load", "share", Rule::None);
    let states = STATES.map(|state| Metric::of_now(state, "count", Rule::Sum));
    let longest = Metric::of_now("longest", "seconds", Rule::Max);
    Columns::new(
        seconds
            .into_iter()
            .chain([load])
            .chain(states)
            .chain([longest]),
    )
}

/// Columns of channels.
pub(crate) const SENDS: usize = 0;
/// See [`SENDS`].
pub(crate) const RECEIVES: usize = 1;
/// See [`SENDS`].
pub(crate) const BYTES_SENT: usize = 2;
/// See [`SENDS`].
pub(crate) const BYTES_RECEIVED: usize = 3;
/// See [`SENDS`].
pub(crate) const SEND_SECONDS: usize = 4;
/// See [`SENDS`].
pub(crate) const RECEIVE_SECONDS: usize = 5;
/// See [`SENDS`].
pub(crate) const QUEUED: usize = 6;
const SEND_MEAN: usize = 7;
const RECEIVE_MEAN: usize = 8;

/// The columns of channels.
pub(crate) fn channel_columns() -> Columns {
    let mean = |name: &str, sum, count| Metric::of_now(name, "seconds", Rule::Mean(sum, count));
    Columns::new([
        Metric::of_period("sends", "count"),
        Metric::of_period("receives", "count"),
        Metric::of_period("sent", "bytes"),
        Metric::of_period("received", "bytes"),
        Metric::of_period("send.seconds", "seconds"),
        Metric::of_period("receive.seconds", "seconds"),
        Metric::of_now("queued", "count", Rule::Sum),
        mean("send.mean", SEND_SECONDS, SENDS),
        mean("receive.mean", RECEIVE_SECONDS, RECEIVES),
    ])
}

/// Levels of tasks, and of channels, from the outermost.
const TASK_LEVELS: [Level; 5] = [
    Level::AllTasks,
    Level::NodeTasks,
    Level::ProcessTasks,
    Level::ThreadTasks,
    Level::Task,
];
const CHANNEL_LEVELS: [Level; 5] = [
    Level::AllChannels,
    Level::NodeChannels,
    Level::ProcessChannels,
    Level::ThreadChannels,
    Level::Channel,
];

/// All tasks of a picture.
pub(crate) fn task_forest(picture: &Picture, columns: &Columns) -> Forest {
    let values = |tasks: &TasksNow| {
        let all = tasks.tasks.iter();
        all.map(|task| (task.task, task.thread, task_values(task)))
            .collect()
    };
    forest(picture, columns, TASK_LEVELS, values)
}

/// All channels of a picture.
pub(crate) fn channel_forest(picture: &Picture, columns: &Columns) -> Forest {
    let values = |tasks: &TasksNow| {
        let all = tasks.channels.iter();
        all.map(|one| (one.channel, one.thread, channel_values(one)))
            .collect()
    };
    forest(picture, columns, CHANNEL_LEVELS, values)
}

/// Number, processor and values of an object.
type Object = (u64, u32, Values);

fn forest(
    picture: &Picture,
    columns: &Columns,
    levels: [Level; 5],
    objects: impl Fn(&TasksNow) -> Vec<Object>,
) -> Forest {
    let mut forest = Forest::default();
    let objects = picture.tasks.as_ref().map_or_else(Vec::new, objects);
    let threads = picture.now.iter().map(|now| (now.thread, now));
    let threads: HashMap<u32, &Now> = threads.collect();
    for (object, thread, values) in objects {
        let Some(now) = threads.get(&thread) else {
            continue;
        };
        let all = forest.object(levels[0], ALL, None);
        let node = forest.object(levels[1], &now.node, Some(all));
        let process = forest.object(levels[2], &now.process_name(), Some(node));
        let thread = forest.object(levels[3], &thread.to_string(), Some(process));
        let leaf = forest.object(levels[4], &number(object), Some(thread));
        *forest.values(leaf) = values;
    }
    forest.sum_up(columns.metrics());
    forest
}

fn task_values(task: &TaskNow) -> Values {
    let mut values = Values::default();
    values.set(COMPUTING, task.computing);
    values.set(COMMUNICATING, task.communicating);
    values.set(LOAD, task.load.unwrap_or(f64::NAN));
    for (column, state) in (STATE..).zip(STATES) {
        values.set(column, f64::from(u8::from(task.state == state)));
    }
    values.set(STATE + STATES.len(), task.seconds);
    values
}

fn channel_values(channel: &ChannelNow) -> Values {
    let mut values = Values::default();
    for (column, value) in [
        (SENDS, channel.sends),
        (RECEIVES, channel.receives),
        (BYTES_SENT, channel.sent_bytes),
        (BYTES_RECEIVED, channel.received_bytes),
        (SEND_SECONDS, channel.send_seconds),
        (RECEIVE_SECONDS, channel.receive_seconds),
        (QUEUED, channel.queued as f64),
        (SEND_MEAN, channel.mean_send().unwrap_or(f64::NAN)),
        (RECEIVE_MEAN, channel.mean_receive().unwrap_or(f64::NAN)),
    ] {
        values.set(column, value);
    }
    values
}
