//! Findings on idle processors of programs of tasks: for whom they waited, and the mapping of tasks.

use pgas_earl::PathId;
use pgas_result::summary::Finding;
use pgas_trace::model::Operation;

use super::Evidence;
use super::waits::{Root, doing};
use crate::conclude::tasks::task_around;
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
    let Some(most) = stuck.max_by_key(|task| (task.stuck, std::cmp::Reverse(task.task))) else {
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
