//! Findings on idle processors of programs of tasks: for whom they waited, and the mapping of tasks.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::summary::Finding;
use pgas_trace::model::{Operation, ThreadId};

use super::Evidence;
use super::waits::{Root, doing};
use crate::conclude::tasks::{is_path_followed, task_around};
use crate::detectors::tasks::tally::TaskSums;
use crate::detectors::wait_states::patterns::Pattern;
use crate::detectors::wait_states::severities::Entry;
use crate::model::wording;

/// Share of the waiting from which on one operation, or one task, is to blame.
const MOSTLY: f64 = 0.5;

/// States cause and advice of idle time at a call path.
pub(super) fn describe(
    evidence: &Evidence,
    pattern: &Pattern,
    (path, entry): (PathId, &Entry),
    root: Option<Root>,
    finding: &mut Finding,
) {
    match evidence.paths().operation(path) {
        Some(Operation::Idle) => mapping(evidence, pattern, entry, finding),
        _ => waiting(evidence, pattern, (path, entry), root, finding),
    }
}

/// "task worker (created at a.rs:4)".
pub(super) fn name_of_task(evidence: &Evidence, path: PathId) -> String {
    let paths = evidence.paths();
    let task = task_around(paths, path).and_then(|task| paths.site(task));
    task.map_or_else(
        || "the main program".into(),
        |site| {
            format!(
                "task {} (created at {})",
                site.region_name(),
                wording::line(site)
            )
        },
    )
}

fn waiting(
    evidence: &Evidence,
    pattern: &Pattern,
    (path, entry): (PathId, &Entry),
    root: Option<Root>,
    finding: &mut Finding,
) {
    let total = entry.total().max(1) as f64;
    let culprit = evidence.found.matcher.tasks().culprit(path);
    let Some((other, ticks)) = culprit else {
        finding.advice = pattern.remedy.into();
        return;
    };
    let (own, task) = (name_of_task(evidence, path), name_of_task(evidence, other));
    let site = evidence.paths().site(other);
    let at = site.map_or_else(String::new, |site| format!(" at {}", wording::line(site)));
    let to_send = pattern.id == "slow_consumer";
    let verb = if to_send { "receives" } else { "sends" };
    let what = match site.map(|site| site.operation) {
        Some(Operation::ChannelClose | Operation::InputDelete) => "closes the channel",
        _ => verb,
    };
    let aim = if to_send {
        "has no place for its message"
    } else {
        "waits for a message"
    };
    finding.cause = format!(
        "Its only work, {own}, {aim} here until {task} {what}{at} ({} of the waiting).",
        wording::percent(ticks as f64 / total)
    );
    finding.cause += &root.map_or_else(String::new, |root| meanwhile(evidence, root, total));
    let to_blame = root.filter(|root| root.ticks as f64 >= MOSTLY * total);
    let to_blame = to_blame.map_or(task, |root| name_of_task(evidence, root.path));
    finding.advice = format!("Split {to_blame}, or make it faster. {}", pattern.remedy);
}

/// What was done instead that took so long.
fn meanwhile(evidence: &Evidence, root: Root, total: f64) -> String {
    let share = wording::percent(root.ticks as f64 / total);
    let doing = doing(evidence, root.path);
    match root.is_passed_on {
        false => format!(
            " Meanwhile thread {} was {doing} ({share} of the waiting).",
            root.thread
        ),
        true => format!(
            " It came late because it had waited itself, for thread {} or others that did so, \
             which was {doing} ({share} of the waiting).",
            root.thread
        ),
    }
}

/// Idle time while tasks waited for other processors.
fn mapping(evidence: &Evidence, pattern: &Pattern, entry: &Entry, finding: &mut Finding) {
    let tasks = evidence.found.matcher.tasks().tasks().kept();
    let stuck = tasks.iter().filter(|task| task.stuck > 0);
    let Some(most) = stuck.max_by_key(|task| (task.stuck, Reverse(task.task))) else {
        finding.advice = pattern.remedy.into();
        return;
    };
    let name = numbered(evidence, most);
    let share = most.stuck as f64 / entry.total().max(1) as f64;
    finding.culprit_thread = Some(most.processor);
    finding.cause = format!(
        "Meanwhile tasks that could run waited for other processors, most of all {name} for \
         thread {}: {}, {} of this time.",
        most.processor,
        wording::seconds(evidence.times.length(most.stuck as f64)),
        wording::percent(share.min(1.0))
    );
    finding.advice = format!("Map {name} to a processor of its own. {}", pattern.remedy);
}

/// "task 3 (worker, created at a.rs:4)".
fn numbered(evidence: &Evidence, task: &TaskSums) -> String {
    let path = task.path.or(task.created_at);
    let site = path.and_then(|path| evidence.paths().site(path));
    let what = site.map_or_else(String::new, |site| {
        format!(
            " ({}, created at {})",
            site.region_name(),
            wording::line(site)
        )
    });
    format!("task {}{what}", task.task)
}

/// Share of the critical path from which on a task is worth a finding.
const CRITICAL: f64 = 0.25;

/// The stretches of tasks on one processor that have the largest part of the critical path, and the
/// call path among them with most of it; in ticks.
struct Critical {
    task: PathId,
    thread: ThreadId,
    ticks: u64,
    path: PathId,
    at_path: u64,
}

/// The task with the largest part of the critical path through messages.
pub(super) fn critical_task(evidence: &Evidence) -> Option<Finding> {
    let all: u64 = evidence.found.critical.path.ticks.values().sum();
    let most = most_critical(evidence)?;
    let share = most.ticks as f64 / all.max(1) as f64;
    let is_known = is_path_followed(evidence.found);
    if !is_known || share < CRITICAL || evidence.found.threads.len() < 2 {
        return None;
    }
    let name = name_of_task(evidence, most.task);
    let mut finding = evidence.finding("critical_path", most.path, most.at_path as f64);
    finding.culprit_thread = Some(most.thread);
    // Nothing that is done faster saves more than it has of the path.
    finding.saves_seconds = evidence.saving(Some(most.at_path as f64));
    let tasks = evidence.found.matcher.tasks();
    let alike = tasks.alike((most.task, most.thread));
    let who = match alike {
        0 | 1 => format!("{name} on thread {}", most.thread),
        n => format!("{n} tasks like {name} on thread {}", most.thread),
    };
    finding.cause = format!(
        "The critical path through messages is {} in {who}: {} of it decide how long the run takes.",
        wording::percent(share),
        wording::seconds(evidence.times.length(most.ticks as f64))
    );
    let on_processor = tasks.tasks_by_processor().nth(most.thread as usize);
    let mapping = match on_processor {
        Some(count) if count > 1 => format!(
            " Map it to a processor of its own: thread {} runs {count} tasks.",
            most.thread
        ),
        _ => String::new(),
    };
    finding.advice = format!("Split {name}, so that several processors do its work.{mapping}");
    Some(finding)
}

fn most_critical(evidence: &Evidence) -> Option<Critical> {
    let paths = evidence.paths();
    let mut tasks: BTreeMap<(PathId, ThreadId), Critical> = BTreeMap::new();
    for (&(path, thread), &ticks) in &evidence.found.critical.path.ticks {
        let Some(task) = task_around(paths, path) else {
            continue;
        };
        let own = tasks.entry((task, thread)).or_insert(Critical {
            task,
            thread,
            ticks: 0,
            path,
            at_path: 0,
        });
        own.ticks += ticks;
        if (ticks, Reverse(path)) > (own.at_path, Reverse(own.path)) {
            (own.path, own.at_path) = (path, ticks);
        }
    }
    let by_size = |own: &Critical| (own.ticks, Reverse(evidence.places[own.task.index()]));
    tasks.into_values().max_by_key(by_size)
}
