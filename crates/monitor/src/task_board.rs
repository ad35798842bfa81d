//! Tasks and channels of a run, from what its processors contribute.

use std::collections::{BTreeMap, HashMap};

use crate::stuck_tasks::stuck;
use crate::task_part::{PortNow, TaskPart};
use crate::tasks::{ChannelNow, ProcessorNow, TaskNow, TasksNow};
use crate::thread::Seen;

/// Tasks that a picture lists, and channels.
const MOST: usize = 1024;

/// Tasks and channels; `None` in programs without them. `is_complete`: all threads are seen.
pub(crate) fn tasks_now(all: &[Seen], is_complete: bool) -> Option<TasksNow> {
    let parts = all.iter().filter_map(|seen| seen.tasks.as_ref());
    let parts: Vec<&TaskPart> = parts.collect();
    if parts.is_empty() {
        return None;
    }
    let mut channels = channels(all);
    let mut tasks: Vec<TaskNow> = parts.iter().flat_map(|part| part.tasks.clone()).collect();
    set_ready(&mut tasks, &channels);
    let more = |of: fn(&TaskPart) -> i64| parts.iter().map(|part| of(part)).sum::<i64>();
    let omitted_tasks = rest(more(|part| part.more_tasks), tasks.len());
    let omitted_channels = rest(more(|part| part.more_channels), channels.len());
    let is_known = is_complete && omitted_tasks == 0;
    let stuck = stuck(&tasks, &channels, is_known);
    let left_out = shorten(&mut tasks, |a, b| {
        let ran = |task: &TaskNow| task.computing + task.communicating;
        ran(b).total_cmp(&ran(a))
    });
    let passed = |channel: &ChannelNow| channel.sends + channel.receives;
    let channels_left_out = shorten(&mut channels, |a, b| passed(b).total_cmp(&passed(a)));
    tasks.sort_by_key(|task| task.task);
    channels.sort_by_key(|channel| channel.channel);
    Some(TasksNow {
        processors: all
            .iter()
            .filter(|seen| seen.now.activity != "ended")
            .map(processor)
            .collect(),
        tasks,
        channels,
        omitted_tasks: omitted_tasks + left_out,
        omitted_channels: omitted_channels + channels_left_out,
        stuck,
    })
}

fn rest(all: i64, shown: usize) -> u64 {
    let shown = i64::try_from(shown).unwrap_or(i64::MAX);
    u64::try_from(all.saturating_sub(shown)).unwrap_or(0)
}

/// Keeps the first ones in this order. Returns the number of those that are left out.
fn shorten<T>(all: &mut Vec<T>, order: impl Fn(&T, &T) -> std::cmp::Ordering) -> u64 {
    let more = all.len().saturating_sub(MOST);
    if more > 0 {
        all.sort_by(order);
        all.truncate(MOST);
    }
    more as u64
}

fn processor(seen: &Seen) -> ProcessorNow {
    let times = seen.now.times.as_ref();
    let share = |seconds: f64, all: f64| (all > 0.0).then(|| (seconds / all).clamp(0.0, 1.0));
    let idle = times.and_then(|times| {
        let idle = times.waiting.get("idle").copied().unwrap_or(0.0);
        share(idle, times.program())
    });
    ProcessorNow {
        thread: seen.now.thread,
        load: idle.map(|idle| 1.0 - idle),
        idle,
        memory: seen.tasks.as_ref().and_then(|part| part.memory),
    }
}

/// A task that waits for a message has become ready when there is one.
fn set_ready(tasks: &mut [TaskNow], channels: &[ChannelNow]) {
    let filled = channels.iter().filter(|channel| channel.queued > 0);
    let filled: HashMap<u64, Option<u64>> = filled
        .map(|channel| (channel.channel, channel.receiver))
        .collect();
    for task in tasks {
        let is_ready = match task.state {
            "receiving" => task
                .channel
                .is_some_and(|channel| filled.contains_key(&channel)),
            "selecting" => filled.values().any(|receiver| *receiver == Some(task.task)),
            _ => false,
        };
        if is_ready {
            (task.state, task.channel) = ("ready", None);
        }
    }
}

fn channels(all: &[Seen]) -> Vec<ChannelNow> {
    let mut channels: BTreeMap<u64, ChannelNow> = BTreeMap::new();
    let parts = all
        .iter()
        .filter_map(|seen| Some((seen.now.thread, seen.tasks.as_ref()?)));
    for (thread, part) in parts.clone() {
        for port in &part.ports {
            let channel = channels.entry(port.channel).or_default();
            channel.channel = port.channel;
            channel.add(port, thread);
        }
    }
    for created in parts.flat_map(|(_, part)| &part.channels) {
        if let Some(channel) = channels.get_mut(&created.channel) {
            channel.capacity = created.capacity;
            channel.place = created.place.clone();
        }
    }
    let mut channels: Vec<ChannelNow> = channels.into_values().collect();
    for channel in &mut channels {
        channel.queued = channel.produced.saturating_sub(channel.consumed);
    }
    channels
}

impl ChannelNow {
    /// Adds a port of a task on a processor.
    fn add(&mut self, port: &PortNow, thread: u32) {
        let other = port.last;
        if port.is_output {
            self.sends += port.calls;
            self.sent_bytes += port.bytes;
            self.send_seconds += port.seconds;
            self.senders.extend(port.is_used.then_some(port.task));
            self.produced = self.produced.max(port.last);
            self.consumed = self.consumed.max(other.saturating_sub(port.queued));
            if self.receiver.is_none() {
                self.thread = thread;
            }
        } else {
            self.receives += port.calls;
            self.received_bytes += port.bytes;
            self.receive_seconds += port.seconds;
            self.consumed = self.consumed.max(port.last);
            self.produced = self.produced.max(other.saturating_add(port.queued));
            if port.is_used {
                (self.receiver, self.thread) = (Some(port.task), thread);
            }
        }
    }
}
