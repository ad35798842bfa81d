//! Findings on wait states: who was waited for, what it did instead, and what to try about that.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::summary::{Finding, FindingKind};
use pgas_trace::model::{Operation, ThreadId};

use super::Evidence;
use super::savings::DueTo;
use super::tasks;
use crate::conclude::means::Means;
use crate::conclude::result::waiting;
use crate::conclude::spread;
use crate::detectors::wait_states::patterns::{Formula, PATTERNS, Pattern};
use crate::detectors::wait_states::severities::{Blame, Entry};
use crate::model::time_class::Class;
use crate::model::wording;

/// From this share of the waiting on, one thread is to blame for it.
const ONE_THREAD: f64 = 0.6;
/// From this share of the waiting on, a single instance is an outlier, if there are at least
/// [`OUTLIER_OF`].
const OUTLIER: f64 = 0.5;
const OUTLIER_OF: u64 = 4;

/// The call path that most of the waiting at one place is due to.
pub(super) struct Explained {
    path: PathId,
    /// Whether that took the late threads longer than those that waited for them.
    by_imbalance: bool,
}

/// Findings on wait states, and what most of the waiting of each is due to.
pub(super) fn findings(evidence: &Evidence) -> (Vec<Finding>, Vec<Option<Explained>>) {
    let (mut findings, mut explained) = (Vec::new(), Vec::new());
    for (number, pattern) in PATTERNS.iter().enumerate() {
        for (path, entry) in evidence.found.matcher.severities().entries(number) {
            let root = main_root(evidence, entry);
            let main = root.filter(|root| root.ticks as f64 >= MOSTLY * entry.total() as f64);
            let due_to = main.map(|root| DueTo {
                path: root.path,
                is_passed_on: root.is_passed_on,
            });
            let saved = evidence.saved_without(pattern, entry, path, due_to);
            if evidence.is_notable(entry.total() as f64) || evidence.saves_notably(saved) {
                let mut finding = finding(evidence, pattern, path, entry, root);
                let lost = waiting(evidence.found, path);
                let lost = lost.iter().find(|(pattern, _)| *pattern == number);
                let lost: u64 = lost.map_or(0, |(_, ticks)| ticks.iter().sum());
                evidence.costs_ticks(&mut finding, lost as f64);
                finding.saves_seconds = evidence.saving(saved);
                let growth = evidence.growth.sentence(number, path, evidence.times);
                finding.cause.push_str(&growth);
                findings.push(finding);
                explained.push(main.map(|root| Explained {
                    path: root.path,
                    by_imbalance: pattern.late_arrival && !root.is_passed_on,
                }));
            }
        }
    }
    (findings, explained)
}

/// The places (in the cube) at which threads mostly wait for one that computes longer. `explained`
/// has the causes of the `waits`.
pub(super) fn due_to_work(
    evidence: &Evidence,
    waits: &[Finding],
    explained: &[Option<Explained>],
) -> Vec<usize> {
    let is_work = |explained: &Explained| {
        let site = evidence.paths().site(explained.path);
        let class = Class::of(site.map(|site| site.operation));
        explained.by_imbalance && matches!(class, Class::Computation)
    };
    let pairs = waits.iter().zip(explained);
    pairs
        .filter(|(_, explained)| explained.as_ref().is_some_and(is_work))
        .map(|(wait, _)| wait.call_path)
        .collect()
}

/// Says the same thing once: an imbalance that most of the waiting at one place is due to is told
/// there; one that threads wait for at several places stays, and these refer to it. `explained` has
/// the cause of each of the `waits`.
pub(super) fn merge(
    evidence: &Evidence,
    waits: &mut [Finding],
    others: &mut Vec<Finding>,
    explained: &[Option<Explained>],
) {
    others.retain_mut(|imbalance| {
        if imbalance.kind != FindingKind::Imbalance {
            return true;
        }
        let is_due = |explained: &Explained| {
            evidence.places[explained.path.index()].0 == imbalance.call_path
        };
        let told = explained.iter().flatten().any(is_due);
        let balance_helps = |explained: &Option<Explained>| {
            let explained = explained.as_ref();
            explained.is_some_and(|explained| explained.by_imbalance && is_due(explained))
        };
        let mut due: Vec<usize> = (0..explained.len())
            .filter(|&number| balance_helps(&explained[number]))
            .collect();
        due.sort_by(|&a, &b| waits[b].seconds.total_cmp(&waits[a].seconds));
        match due[..] {
            // Where threads wait for what is done there, that says more.
            [] => !told,
            [only] => {
                let wait = &mut waits[only];
                let path = explained[only].as_ref().map(|explained| explained.path);
                // The place that most of the computing goes to is named once.
                let is_named =
                    path.filter(|&path| wait.cause.contains(&evidence.hottest_aside(path)));
                let hottest = is_named.map(|path| evidence.hottest(path));
                let cause = hottest.and_then(|hottest| imbalance.cause.strip_suffix(&*hottest));
                let cause = cause.unwrap_or(&imbalance.cause);
                wait.cause = format!("{} {cause}", wait.cause);
                false
            }
            _ => {
                let all = &due;
                let seconds: f64 = all.iter().map(|&number| waits[number].seconds).sum();
                imbalance.cause += &format!(
                    " At {} places others wait for it, for {} in all.",
                    all.len(),
                    wording::seconds(seconds)
                );
                let what = match (imbalance.function.as_str(), imbalance.file.as_str()) {
                    ("", _) | (_, "") => "the program".to_owned(),
                    (function, file) => format!("{function} ({file}:{})", imbalance.line),
                };
                for &number in all.iter() {
                    waits[number].advice =
                        format!("First fix the load imbalance in {what}, a finding of its own.");
                }
                true
            }
        }
    });
}

/// From this share of the waiting on, a cause is the cause.
const MOSTLY: f64 = 0.5;

/// Main root cause of the waiting at a place.
#[derive(Clone, Copy)]
pub(super) struct Root {
    pub path: PathId,
    /// Ticks of waiting that are due to it.
    pub ticks: u64,
    /// The thread to which most of these are due.
    pub thread: ThreadId,
    /// Whether most were passed on: others, for which threads waited, had waited for it.
    pub is_passed_on: bool,
}

/// In which way instances are alike.
enum Situation {
    /// One instance makes up most of the cost.
    Outlier,
    /// Mostly the same thread is waited for.
    OneThread,
    /// Now one thread is waited for, now another.
    Changing,
}

fn finding(
    evidence: &Evidence,
    pattern: &Pattern,
    path: PathId,
    entry: &Entry,
    root: Option<Root>,
) -> Finding {
    let total = entry.total().max(1) as f64;
    let culprit = (0..entry.caused.len())
        .reduce(|best, next| {
            if entry.caused[next] > entry.caused[best] {
                next
            } else {
                best
            }
        })
        .unwrap_or(0);
    let worst_share = entry
        .worst
        .as_ref()
        .map_or(0.0, |worst| worst.ticks as f64 / total);
    let situation = if entry.instances >= OUTLIER_OF && worst_share >= OUTLIER {
        Situation::Outlier
    } else if entry.caused[culprit] as f64 >= ONE_THREAD * total {
        Situation::OneThread
    } else {
        Situation::Changing
    };
    let mut finding = evidence.finding(pattern.id, path, total);
    finding.kind = FindingKind::Wait;
    finding.culprit_thread = Some(match situation {
        Situation::Outlier => entry.worst.as_ref().and_then(|w| w.culprit).unwrap_or(0),
        _ => culprit as u32,
    });
    let worst = entry.worst.as_ref();
    finding.worst = worst.map(|w| spread::worst(w, evidence.times));
    if let Formula::Any(_) = pattern.formula {
        // Other programs were to blame, or too many threads: which one left last says nothing.
        finding.culprit_thread = None;
        finding.cause = without_a_core(evidence, entry);
        finding.advice = pattern.remedy.into();
        return finding;
    }
    if let Formula::Completion(..) = pattern.formula {
        finding.culprit_thread = None;
        finding.cause = for_transfers(entry, evidence);
        finding.advice = pattern.remedy.into();
        return finding;
    }
    if let Formula::Idle(_) = pattern.formula {
        tasks::describe(evidence, pattern, (path, entry), root, &mut finding);
        finding.cause += &uncertain(evidence, entry);
        return finding;
    }
    let verb = verb(pattern);
    let who = who(evidence, entry, &situation, culprit, verb);
    let what = root.map(|root| {
        let share = wording::percent(root.ticks as f64 / total);
        let (doing, thread) = (doing(evidence, root.path), root.thread);
        match (pattern.formula, root.is_passed_on) {
            (Formula::Lock(_), false) => {
                format!(" While holding it, the owner was mostly {doing} ({share} of the waiting).")
            }
            (Formula::Lock(_), true) => format!(
                " Most of it is due to those before it in the queue, or to what these waited for: \
                 mostly thread {thread}, {doing} ({share} of the waiting)."
            ),
            (_, false) => format!(
                " Meanwhile it was {doing}, which took it longer than the others ({share} of the \
                 waiting)."
            ),
            (_, true) => format!(
                " It came late because it had waited itself, for thread {thread} or others that \
                 did so, which was {doing} ({share} of the waiting)."
            ),
        }
    });
    finding.cause = who + &what.unwrap_or_default() + &uncertain(evidence, entry);
    let to_blame = match root {
        Some(root) if root.is_passed_on => root.thread as usize,
        _ => culprit,
    };
    let cause = root.map(|root| root.path);
    let means = evidence.means(path);
    let remedy = match pattern.formula {
        Formula::Allocation(_) if !evidence.is_repeated(path) => means.allocate_once,
        _ => means.remedy(pattern.id, pattern.remedy),
    };
    let cause = cause.filter(|_| pattern.late_arrival);
    let late = cause.map(|cause| late_advice(evidence, &situation, to_blame, (cause, means)));
    finding.advice = advice(late.unwrap_or_default(), remedy);
    finding
}

/// How often threads that could go on had no core, and for how long at most.
fn without_a_core(evidence: &Evidence, entry: &Entry) -> String {
    let (thread, longest) = entry.worst.as_ref().map_or((0, 0), |worst| worst.longest);
    let times = match entry.instances {
        1 => "Once".to_owned(),
        n => format!("{n} times"),
    };
    format!(
        "{times} threads had no core when what they waited for had come, thread {} for up to {}.",
        thread,
        wording::seconds(evidence.times.length(longest as f64))
    )
}

/// How often threads waited for transfers of their own, and for how long at most.
fn for_transfers(entry: &Entry, evidence: &Evidence) -> String {
    let (thread, longest) = entry.worst.as_ref().map_or((0, 0), |worst| worst.longest);
    let times = match entry.instances {
        1 => "Once a thread".to_owned(),
        n => format!("{n} times threads"),
    };
    format!(
        "{times} waited here until transfers begun before were done, thread {thread} for up to {}.",
        wording::seconds(evidence.times.length(longest as f64))
    )
}

/// The call path that accounts for most of the waiting.
fn main_root(evidence: &Evidence, entry: &Entry) -> Option<Root> {
    let mut by_path: BTreeMap<PathId, Blame> = BTreeMap::new();
    for (&(path, _), &blame) in &entry.causes {
        by_path.entry(path).or_default().add(blame);
    }
    let place = |path: PathId| evidence.places[path.index()];
    let (path, blame) = by_path
        .into_iter()
        .filter(|(_, blame)| blame.total() > 0)
        .max_by_key(|&(path, blame)| (blame.total(), Reverse(place(path))))?;
    let of_path = entry.causes.iter().filter(|((other, _), _)| *other == path);
    let most = of_path.max_by_key(|((_, thread), blame)| (blame.total(), Reverse(*thread)));
    Some(Root {
        path,
        ticks: blame.total(),
        thread: most.map_or(0, |((_, thread), _)| *thread),
        is_passed_on: blame.long_term > blame.short_term,
    })
}

/// Verb for the behaviour of a thread that others wait for.
fn verb(pattern: &Pattern) -> &'static str {
    match (pattern.formula, pattern.late_arrival) {
        (Formula::Lock(_), _) => "held the lock",
        (Formula::Post(Operation::PartnerSync | Operation::GroupCollective, _), _) => "came last",
        (Formula::Post(Operation::EventWait, _), _) => "posted late",
        (Formula::Post(..), _) => "set it late",
        (_, true) => "came last",
        (_, false) => "was the last to leave",
    }
}

fn who(
    evidence: &Evidence,
    entry: &Entry,
    situation: &Situation,
    culprit: usize,
    verb: &str,
) -> String {
    let total = entry.total().max(1) as f64;
    let instances = entry.instances;
    let of = match instances {
        1 => "in the only instance".into(),
        n => format!("in {} of {n} instances", entry.culprits[culprit]),
    };
    match situation {
        Situation::Outlier => {
            let worst = entry.worst.clone().unwrap_or_default();
            format!(
                "One of {instances} instances, {} after the start, makes up {} of it: thread {} \
                 {verb} there.",
                wording::seconds(evidence.times.at(worst.begin)),
                wording::percent(worst.ticks as f64 / total),
                worst.culprit.unwrap_or(0)
            )
        }
        Situation::OneThread => format!(
            "Thread {culprit} {verb} {of} and accounts for {} of the waiting.",
            wording::percent(entry.caused[culprit] as f64 / total)
        ),
        Situation::Changing => format!(
            "The thread that {verb} changes; thread {culprit} did so {of}, with {} of the waiting \
             the largest share.",
            wording::percent(entry.caused[culprit] as f64 / total)
        ),
    }
}

/// How much of the waiting is too short to be distinguished from what the clocks of different nodes
/// are wrong.
fn uncertain(evidence: &Evidence, entry: &Entry) -> String {
    if entry.below_uncertainty == 0 {
        return String::new();
    }
    let share = match entry.below_uncertainty >= entry.total() {
        true => "All of it".to_owned(),
        false => wording::percent(entry.below_uncertainty as f64 / entry.total().max(1) as f64),
    };
    match entry.uncertainty {
        u64::MAX => format!(
            " {share} is between nodes whose clocks were not compared, and may not be waiting at \
             all."
        ),
        ticks => format!(
            " {share} is below the uncertainty of the clocks (±{}).",
            wording::seconds(evidence.times.length(ticks as f64))
        ),
    }
}

/// "computing in f (a.upc:3), called from main", "in upc_memget at a.upc:7, called from f".
pub(super) fn doing(evidence: &Evidence, path: PathId) -> String {
    let paths = evidence.paths();
    let Some(site) = paths.site(path) else {
        return "computing outside of any instrumented function".into();
    };
    let outer = match site.operation.is_user() {
        true => paths.function(paths.node(path).parent),
        false => paths.function(path),
    };
    let caller = outer.map_or_else(String::new, |function| {
        format!(", called from {}", function.region_name())
    });
    match Class::of(Some(site.operation)) {
        Class::Computation => format!(
            "computing in {}{caller}{}{}",
            wording::place(site),
            mostly_throttled(evidence, path),
            evidence.hottest_aside(path)
        ),
        Class::Measurement => "standing still because of the measurement".into(),
        Class::NoCore => {
            let inside = match outer {
                Some(function) => format!(" in {}", wording::place(function)),
                None => String::new(),
            };
            format!("ready to run{inside}, but without a core")
        }
        _ => format!(
            "in {} at {}{caller}",
            site.region_name(),
            wording::line(site)
        ),
    }
}

/// ", mostly in add (a.upc:5)" if a path's time is to a large part that of throttled calls. When
/// one thread waited for another, these were not known one by one: their time was the caller's.
fn mostly_throttled(evidence: &Evidence, path: PathId) -> String {
    let paths = evidence.paths();
    let mut own = 0u64;
    let mut callees: BTreeMap<PathId, u64> = BTreeMap::new();
    for thread in &evidence.found.threads {
        own = own.saturating_add(thread.totals[path.index()].ticks);
        for throttled in &thread.summed.throttled {
            if paths.node(throttled.path).parent == path {
                let ticks = callees.entry(throttled.path).or_insert(0);
                *ticks = ticks.saturating_add(throttled.ticks);
            }
        }
    }
    let all = callees.values().copied().fold(own, u64::saturating_add);
    let most = callees.into_iter().max_by_key(|&(_, ticks)| ticks);
    match most.and_then(|(path, ticks)| Some((paths.site(path)?, ticks))) {
        Some((site, ticks)) if ticks > all / 2 => {
            format!(", mostly in calls of {} from there", wording::place(site))
        }
        _ => String::new(),
    }
}

/// Advice on a late thread, then on the operation itself.
fn advice(sentence: String, remedy: &str) -> String {
    match (sentence.is_empty(), remedy.is_empty()) {
        (false, false) => format!("{sentence} {remedy}"),
        (false, true) => sentence,
        (true, false) => remedy.into(),
        (true, true) => {
            "Let the threads arrive at the same time: divide the work before it evenly.".into()
        }
    }
}

/// Advice on a thread that comes late because of the time that it spends at `cause`; `waiting` are
/// the means of the operation that others wait in.
fn late_advice(
    evidence: &Evidence,
    situation: &Situation,
    culprit: usize,
    (cause, waiting): (PathId, &Means),
) -> String {
    let paths = evidence.paths();
    let site = paths.site(cause);
    let what = site.map_or_else(|| "the program".into(), wording::place);
    let operation = site.map(|site| site.operation);
    match Class::of(operation) {
        Class::Computation => match situation {
            Situation::Outlier => format!(
                "Look at what {what} does then: work that is done once, such as set-up or output, \
                 can be moved, or divided among all threads."
            ),
            Situation::OneThread => format!(
                "Give thread {culprit} less of the work in {what}, so that all threads need the \
                 same time for it."
            ),
            Situation::Changing => format!(
                "The time for {what} varies from thread to thread and from round to round: divide \
                 it more finely, or let {}.",
                waiting.weaker_barrier
            ),
        },
        Class::OneSided => format!(
            "Make the transfers in {what} fewer and larger, or place the data on the thread that \
             needs it."
        ),
        Class::Allocation if !evidence.is_repeated(cause) => {
            format!("Allocate less in {what}, or before the threads part ways.")
        }
        Class::Allocation => {
            format!("Allocate once, before the work begins, instead of in {what}.")
        }
        Class::Lock => {
            format!("Shorten what is done under the lock of {what}, or use several locks.")
        }
        Class::Io => format!("Let the other threads go on with work while {what} runs."),
        Class::NoCore => "Give each thread a core of its own: run fewer threads, or nothing else \
                          on these cores."
            .into(),
        Class::Measurement => "Measure again with larger buffers (PGAS_BUFFER); the program \
                               itself may not wait here."
            .into(),
        Class::Barrier if operation == Some(Operation::Wait) => {
            format!("Move more work between upc_notify and the {what}.")
        }
        Class::Barrier => format!(
            "Threads leave {what} one after the other, and so come late here: give each thread a \
             core of its own, and use fewer barriers."
        ),
        Class::Collective => format!(
            "Some threads leave {what} later than others, and so come late here: {} let them go on \
             earlier.",
            evidence.means(cause).early_exit
        ),
        Class::PointToPoint if operation == Some(Operation::PartnerSync) => {
            format!("Let {what} be reached earlier: put work that nobody waits for after it.")
        }
        Class::PointToPoint => {
            format!("Let {what} be reached earlier: post before work that nobody waits for.")
        }
        Class::Fence | Class::Message | Class::Pgas => {
            format!(
                "{what} takes some threads longer than others: call it less often, or elsewhere."
            )
        }
    }
}
