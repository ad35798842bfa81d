//! Pictures as lines for a terminal and for logs.

use pgas_base::models::{Model, Words};
use pgas_base::quantity;

use crate::picture::{Deadlock, Picture, Stuck, ThreadWords, Wait};
use crate::text_tasks;
use crate::totals::{self, MetricTotal};

/// Groups of stuck threads that have a line each.
const STUCK_LINES: usize = 8;
/// Groups of other threads that such a line names.
const OTHERS: usize = 4;

/// The words of a run for its threads, by the runtime that its pages name.
pub fn words(runtime: &str) -> Words {
    match Model::from_id(runtime) {
        Some(model) => Words::of(&[model]),
        None => Words::of(&[]),
    }
}

/// The same for other programs.
pub(crate) fn thread_words(runtime: &str) -> ThreadWords {
    let words = words(runtime);
    let without_number = |text: String| text.split(' ').skip(1).collect::<Vec<_>>().join(" ");
    ThreadWords {
        one: without_number(words.count(1)),
        many: without_number(words.count(2)),
        first: words.number(0),
    }
}

/// The line of a period: time, efficiency, who waits where, calls.
pub fn line(picture: &Picture, words: &Words) -> String {
    let efficiency = match picture.efficiency {
        Some(share) => format!("efficiency {:3.0} %", 100.0 * share),
        None => "efficiency   ? %".to_owned(),
    };
    let mut line = format!("{:8.1} s  {efficiency}", picture.elapsed);
    line.push_str(&format!("  {}", waits(picture, words)));
    let calls = quantity::count(picture.calls_per_second.round());
    line.push_str(&format!("  {calls} calls/s"));
    if picture.seen < picture.threads {
        let seen = format!("  ({} of {} seen here)", picture.seen, picture.threads);
        line.push_str(&seen);
    }
    line
}

/// The metrics of a period in one line; `None` if there are none.
pub fn metrics(picture: &Picture) -> Option<String> {
    let all = totals::metrics(picture);
    let parts: Vec<String> = all.iter().map(metric).collect();
    (!parts.is_empty()).then(|| format!("metrics: {}", parts.join("; ")))
}

/// "slow 1.20 s, 12 % of the time", "phase 2 to 3", "got 3.40 MiB, 1.20 MiB/s".
fn metric(total: &MetricTotal) -> String {
    let rate = total.rate.unwrap_or(0.0);
    let (value, rate) = match total.unit {
        "seconds" => {
            let share = quantity::percent(100.0 * rate / f64::from(total.threads.max(1)));
            (
                quantity::seconds(total.sum, true),
                format!("{share} of the time"),
            )
        }
        "bytes" => (
            quantity::bytes(total.sum),
            format!("{}/s", quantity::bytes(rate)),
        ),
        _ => {
            let [least, most] = [total.least, total.most].map(quantity::count);
            let range = match least == most {
                true => least,
                false => format!("{least} to {most}"),
            };
            (range, format!("{}/s", quantity::count(rate.round())))
        }
    };
    // A counter that the program sets back has no rate.
    match total.unit == "count" && total.rate.unwrap_or(0.0) <= 0.0 {
        true => format!("{} {value}", total.name),
        false => format!("{} {value}, {rate}", total.name),
    }
}

/// How many threads wait now, and where most of them do; of a program of tasks, what these do.
pub fn waits(picture: &Picture, words: &Words) -> String {
    if let Some(tasks) = &picture.tasks {
        return text_tasks::states(picture, tasks, words);
    }
    match picture.waits.first() {
        None => format!("nobody of {} waits", picture.seen),
        Some(wait) => waiting(picture, wait, words),
    }
}

fn waiting(picture: &Picture, wait: &Wait, words: &Words) -> String {
    let here = match wait.threads.len() {
        n if n as u32 == picture.waiting => String::new(),
        n => format!("{n} of them "),
    };
    format!(
        "{} of {} wait: {here}in {}, {} for {}",
        picture.waiting,
        picture.seen,
        wait.place.shown(),
        words.name(wait.longest_thread),
        quantity::seconds(wait.longest, true),
    )
}

/// What is wrong in a picture, a line for each.
pub fn alarms(picture: &Picture, words: &Words) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(
        picture
            .deadlocks
            .iter()
            .map(|deadlock| circle(deadlock, words)),
    );
    let tasks = picture.tasks.iter().flat_map(|tasks| &tasks.stuck);
    let tasks: Vec<_> = tasks.collect();
    let shown = tasks.iter().take(STUCK_LINES);
    lines.extend(shown.map(|stuck| text_tasks::stuck_line(stuck)));
    if tasks.len() > STUCK_LINES {
        lines.push(format!("stuck: {} more tasks", tasks.len() - STUCK_LINES));
    }
    let groups = same_wait(&picture.stuck);
    let shown = groups.iter().take(STUCK_LINES);
    lines.extend(shown.map(|group| stuck_line(group, words)));
    if groups.len() > STUCK_LINES {
        let rest = groups[STUCK_LINES..].iter().map(Vec::len).sum();
        lines.push(format!("stuck: {} more", words.count(rest)));
    }
    lines
}

/// Threads that are stuck at the same place, and for the same lock; the longest of a group first.
fn same_wait(stuck: &[Stuck]) -> Vec<Vec<&Stuck>> {
    let mut groups: Vec<Vec<&Stuck>> = Vec::new();
    for one in stuck {
        let is_same =
            |group: &Vec<&Stuck>| (&group[0].place, group[0].lock) == (&one.place, one.lock);
        match groups.iter_mut().find(|group| is_same(group)) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    for group in &mut groups {
        group.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    }
    groups
}

fn circle(deadlock: &Deadlock, words: &Words) -> String {
    let waits: Vec<String> = deadlock
        .waits
        .iter()
        .map(|wait| {
            format!(
                "{} waits in {} for lock {:#x}, which {} holds",
                words.name(wait.thread),
                wait.place.shown(),
                wait.lock,
                words.name(wait.holder),
            )
        })
        .collect();
    format!("deadlock: {}", waits.join("; "))
}

/// Of threads that are stuck in the same wait.
fn stuck_line(group: &[&Stuck], words: &Words) -> String {
    let stuck = group[0];
    let usual = match stuck.usual {
        Some(usual) => format!("usually {}", quantity::seconds(usual, true)),
        None => "for the first time".to_owned(),
    };
    let (place, longest) = (stuck.place.shown(), words.name(stuck.thread));
    let time = quantity::seconds(stuck.seconds, true);
    let mut line = match group.len() {
        1 => format!("stuck: {longest} in {place} for {time} ({usual})"),
        many => {
            let all = words.count(many);
            format!("stuck: {all} in {place}, {longest} for {time} ({usual})")
        }
    };
    if let (Some(lock), Some(holder)) = (stuck.lock, stuck.holder) {
        let holder = words.name(holder);
        line.push_str(&format!("; {holder} holds lock {lock:#x}"));
    }
    if !stuck.others.is_empty() {
        let more = match stuck.others.len() > OTHERS {
            true => format!("; {} more", stuck.others.len() - OTHERS),
            false => String::new(),
        };
        let named = stuck.others[..stuck.others.len().min(OTHERS)].join("; ");
        line.push_str(&format!("; others: {named}{more}"));
    }
    line
}

/// By which it is known whether alarms are still the same.
pub fn key(picture: &Picture) -> Vec<(u64, u8)> {
    let stuck = picture.stuck.iter();
    let stuck = stuck.map(|stuck| (u64::from(stuck.thread), 0));
    let tasks = picture.tasks.iter().flat_map(|tasks| &tasks.stuck);
    let circles = picture
        .deadlocks
        .iter()
        .flat_map(|deadlock| &deadlock.waits);
    stuck
        .chain(circles.map(|wait| (u64::from(wait.thread), 1)))
        .chain(tasks.map(|stuck| (stuck.task, 2 + u8::from(stuck.is_deadlocked))))
        .collect()
}
