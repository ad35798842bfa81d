//! What one processor contributes to the picture of tasks and channels.

use std::collections::HashMap;

use pgas_live::{Port, Snapshot, Task, TaskState, Tasks};
use serde::{Deserialize, Serialize};

use crate::place::Place;
use crate::tasks::TaskNow;

/// Tasks of a processor and their use of channels.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskPart {
    pub(crate) tasks: Vec<TaskNow>,
    pub(crate) ports: Vec<PortNow>,
    pub(crate) channels: Vec<Created>,
    /// Tasks, channels: that were created here less those that ended here.
    pub(crate) more_tasks: i64,
    pub(crate) more_channels: i64,
    /// Bytes of memory of the process.
    pub(crate) memory: Option<u64>,
}

impl TaskPart {
    /// Calls `add` with number, metric and value of each task.
    pub(crate) fn task_values(&self, add: &mut dyn FnMut(u64, &'static str, f64)) {
        for task in &self.tasks {
            add(task.task, "computing", task.computing);
            add(task.task, "communicating", task.communicating);
            add(task.task, task.state, 1.0);
        }
    }

    /// Calls `add` with number, metric and value of each use of a channel.
    pub(crate) fn port_values(&self, add: &mut dyn FnMut(u64, &'static str, f64)) {
        for port in &self.ports {
            let [calls, bytes, seconds] = match port.is_output {
                true => ["sends", "sent", "send.seconds"],
                false => ["receives", "received", "receive.seconds"],
            };
            add(port.channel, calls, port.calls);
            add(port.channel, bytes, port.bytes);
            add(port.channel, seconds, port.seconds);
        }
    }
}

/// A task's use of a channel in the period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PortNow {
    pub(crate) channel: u64,
    pub(crate) task: u64,
    pub(crate) is_output: bool,
    /// The task has not ended.
    pub(crate) is_used: bool,
    pub(crate) calls: f64,
    pub(crate) bytes: f64,
    pub(crate) seconds: f64,
    /// Messages of all tasks with the last of these, and those in the channel after that.
    pub(crate) last: u64,
    pub(crate) queued: u64,
}

/// A channel that was created here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Created {
    pub(crate) channel: u64,
    pub(crate) capacity: Option<u64>,
    pub(crate) place: Place,
}

/// Channel, task and direction of a port.
type PortKey = (u64, u64, bool);

fn key(port: &Port) -> PortKey {
    (port.channel, port.task, port.is_output)
}

/// Two looks at a processor, of which the first may be missing.
pub(crate) struct Looks<'a> {
    pub(crate) thread: u32,
    pub(crate) now: &'a Snapshot,
    pub(crate) last: Option<&'a Snapshot>,
    /// Seconds of a tick.
    pub(crate) tick: f64,
    /// Places by number.
    pub(crate) place: &'a dyn Fn(u32) -> Option<Place>,
}

impl Looks<'_> {
    /// The part; `None` if the processor has had no task.
    pub(crate) fn part(&self, memory: impl Fn() -> Option<u64>) -> Option<TaskPart> {
        let now = &self.now.tasks;
        if *now == Tasks::default() {
            return None;
        }
        let difference = |more: u64, less: u64| more.wrapping_sub(less) as i64;
        Some(TaskPart {
            tasks: self.tasks(),
            ports: self.ports(),
            channels: now.channels.iter().map(|one| self.created(one)).collect(),
            more_tasks: difference(now.created, now.ended),
            more_channels: difference(now.channels_created, now.channels_closed),
            memory: memory(),
        })
    }

    fn created(&self, channel: &pgas_live::Channel) -> Created {
        Created {
            channel: channel.number,
            capacity: channel.capacity,
            place: (self.place)(channel.site).unwrap_or_default(),
        }
    }

    fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 * self.tick
    }

    fn tasks(&self) -> Vec<TaskNow> {
        let last = self.last.map_or(&[][..], |last| &last.tasks.tasks);
        let last: HashMap<u64, &Task> = last.iter().map(|task| (task.number, task)).collect();
        let ports = self.now.tasks.ports.iter();
        let ports: HashMap<PortKey, &Port> = ports.map(|port| (key(port), port)).collect();
        let tasks = self.now.tasks.tasks.iter();
        let task = |task: &Task| self.task(task, last.get(&task.number).copied(), &ports);
        tasks.map(task).collect()
    }

    fn task(&self, task: &Task, last: Option<&Task>, ports: &HashMap<PortKey, &Port>) -> TaskNow {
        let (ran, talked) = last.map_or((0, 0), |last| (last.running, last.communicating));
        let ran = self.seconds(task.running.saturating_sub(ran));
        let talked = self
            .seconds(task.communicating.saturating_sub(talked))
            .min(ran);
        // What it did before the first look is not of this period.
        let is_known = self.last.is_some();
        let (ran, talked) = if is_known { (ran, talked) } else { (0.0, 0.0) };
        let period = self.period();
        let waited = self.now.time.ticks.saturating_sub(task.since);
        let port = task.channel.and_then(|channel| {
            let is_output = task.state == TaskState::Sends;
            ports.get(&(channel, task.number, is_output)).copied()
        });
        TaskNow {
            task: task.number,
            place: (self.place)(task.site).unwrap_or_default(),
            thread: self.thread,
            state: state(task.state),
            seconds: self.seconds(waited),
            channel: task.channel,
            usual: port.and_then(|port| self.usual(port, waited)),
            computing: ran - talked,
            communicating: talked,
            load: period.map(|period| (ran / period).min(1.0)),
        }
    }

    /// Mean seconds of operations through a port before one that has been waiting for `waited`.
    fn usual(&self, port: &Port, waited: u64) -> Option<f64> {
        let before = self.seconds(port.ticks.saturating_sub(waited));
        (port.calls > 0).then(|| before / port.calls as f64)
    }

    fn period(&self) -> Option<f64> {
        let ticks = self.now.time.ticks.saturating_sub(self.last?.time.ticks);
        Some(self.seconds(ticks)).filter(|&seconds| seconds > 0.0)
    }

    fn ports(&self) -> Vec<PortNow> {
        let last = self.last.map_or(&[][..], |last| &last.tasks.ports);
        let last: HashMap<PortKey, &Port> = last.iter().map(|port| (key(port), port)).collect();
        let tasks = self.now.tasks.tasks.iter();
        let alive: HashMap<u64, ()> = tasks.map(|task| (task.number, ())).collect();
        let port = |port: &Port| {
            let before = last.get(&key(port)).copied();
            let is_used = alive.contains_key(&port.task);
            self.port(port, before, is_used)
        };
        let ports = self.now.tasks.ports.iter().map(port);
        ports
            .filter(|port| port.is_used || port.calls > 0.0)
            .collect()
    }

    fn port(&self, port: &Port, last: Option<&Port>, is_used: bool) -> PortNow {
        let before = match (last, self.last) {
            (Some(last), _) => (last.calls, last.bytes, last.ticks),
            (None, Some(_)) => (0, 0, 0),
            (None, None) => (port.calls, port.bytes, port.ticks),
        };
        PortNow {
            channel: port.channel,
            task: port.task,
            is_output: port.is_output,
            is_used,
            calls: port.calls.saturating_sub(before.0) as f64,
            bytes: port.bytes.saturating_sub(before.1) as f64,
            seconds: self.seconds(port.ticks.saturating_sub(before.2)),
            last: port.last,
            queued: port.queued,
        }
    }
}

fn state(state: TaskState) -> &'static str {
    match state {
        TaskState::Runs => "running",
        TaskState::Receives => "receiving",
        TaskState::Sends => "sending",
        TaskState::Selects => "selecting",
        TaskState::Ready => "ready",
    }
}

/// Bytes of memory that a process of this machine has; `None` if the system does not say.
pub(crate) fn memory_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kilobytes)
}
