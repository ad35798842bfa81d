//! Tasks in the lines of a picture.

use pgas_base::models::Words;
use pgas_base::quantity;

use crate::picture::Picture;
use crate::tasks::{StuckTask, TaskNow, TasksNow, channel_name, task_name};

/// "4 tasks: 1 runs, 2 wait to send, 1 waits to receive; 3 of 4 processors idle".
pub(crate) fn states(picture: &Picture, tasks: &TasksNow, words: &Words) -> String {
    let count = |state: &str| {
        tasks
            .tasks
            .iter()
            .filter(|task| task.state == state)
            .count()
    };
    let known = [
        ("running", ["runs", "run"]),
        ("ready", ["is ready", "are ready"]),
        ("sending", ["waits to send", "wait to send"]),
        ("receiving", ["waits to receive", "wait to receive"]),
        ("selecting", ["waits in select", "wait in select"]),
    ];
    let parts = known.map(|(state, verbs)| {
        let number = count(state);
        (number, verbs[usize::from(number != 1)])
    });
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, verb)| format!("{number} {verb}"))
        .collect();
    let all = tasks.tasks.len() as u64 + tasks.omitted_tasks;
    let idle = picture
        .now
        .iter()
        .filter(|now| now.kind == Some("idle"))
        .count();
    let processors = words.count(picture.seen as usize);
    format!(
        "{all} tasks: {}; {idle} of {processors} idle",
        parts.join(", ")
    )
}

/// The line of a task that does not get on.
pub(crate) fn stuck_line(stuck: &StuckTask) -> String {
    let what = match stuck.is_deadlocked {
        true => "deadlock",
        false => "stuck",
    };
    let task = task_name(stuck.task, &stuck.place);
    let wait = wait(stuck.state, stuck.channel, stuck.channel_place.as_ref());
    let seconds = quantity::seconds(stuck.seconds, true);
    let usual = match stuck.usual {
        Some(usual) => format!("usually {}", quantity::seconds(usual, true)),
        None => "for the first time".to_owned(),
    };
    let others = match stuck.others.is_empty() {
        true => String::new(),
        false => format!("; {}", stuck.others.join("; ")),
    };
    format!("{what}: {task} waits {wait} for {seconds} ({usual}){others}")
}

/// "to receive from channel 1 (pipeline.rs:28)".
fn wait(state: &str, channel: Option<u64>, place: Option<&crate::picture::Place>) -> String {
    let place = place.cloned().unwrap_or_default();
    let channel = channel.map(|channel| channel_name(channel, &place));
    match (state, channel) {
        ("receiving", Some(channel)) => format!("to receive from {channel}"),
        ("sending", Some(channel)) => format!("to send to {channel}"),
        _ => "in select".to_owned(),
    }
}

impl TasksNow {
    /// What a task does: "runs for 8.2 ms", "waits to receive from channel 1 (pipeline.rs:28) for
    /// 3.0 s".
    pub fn doing(&self, task: &TaskNow) -> String {
        let seconds = quantity::seconds(task.seconds, true);
        let known = |number: u64| self.channels.iter().find(|one| one.channel == number);
        let place = task.channel.and_then(known).map(|channel| &channel.place);
        match task.state {
            "running" => format!("runs for {seconds}"),
            "ready" => format!("is ready for {seconds}"),
            state => format!("waits {} for {seconds}", wait(state, task.channel, place)),
        }
    }
}
