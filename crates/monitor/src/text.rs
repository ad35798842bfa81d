//! Pictures as lines for a terminal and for logs.

use pgas_base::models::{Model, Words};
use pgas_base::quantity;

use crate::picture::{Deadlock, Picture, Stuck, Wait};

/// Stuck threads that have a line each.
const STUCK_LINES: usize = 8;
/// Other threads that such a line names.
const OTHERS: usize = 4;

/// The words of a run for its threads, by the runtime that its pages name.
pub fn words(runtime: &str) -> Words {
    match Model::from_id(runtime) {
        Some(model) => Words::of(&[model]),
        None => Words::of(&[]),
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

/// How many threads wait now, and where most of them do.
pub fn waits(picture: &Picture, words: &Words) -> String {
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
    let stuck = picture.stuck.iter().take(STUCK_LINES);
    lines.extend(stuck.map(|stuck| stuck_line(stuck, words)));
    if picture.stuck.len() > STUCK_LINES {
        let more = picture.stuck.len() - STUCK_LINES;
        lines.push(format!("stuck: {} more", words.count(more)));
    }
    lines
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

fn stuck_line(stuck: &Stuck, words: &Words) -> String {
    let usual = match stuck.usual {
        Some(usual) => format!("usually {}", quantity::seconds(usual, true)),
        None => "for the first time".to_owned(),
    };
    let mut line = format!(
        "stuck: {} in {} for {} ({usual})",
        words.name(stuck.thread),
        stuck.place.shown(),
        quantity::seconds(stuck.seconds, true),
    );
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
pub fn key(picture: &Picture) -> Vec<(u32, bool)> {
    let stuck = picture.stuck.iter().map(|stuck| (stuck.thread, false));
    let circles = picture
        .deadlocks
        .iter()
        .flat_map(|deadlock| &deadlock.waits);
    stuck
        .chain(circles.map(|wait| (wait.thread, true)))
        .collect()
}
