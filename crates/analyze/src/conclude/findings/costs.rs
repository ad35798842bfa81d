//! Findings on what costs time without being a wait for another thread: many small transfers,
//! allocation in loops, work that is unevenly divided, operations that are slow by themselves.

use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::recording::WaitStates;
use pgas_result::summary::{Finding, FindingKind};
use pgas_trace::model::Operation;

use super::Evidence;
use crate::conclude::means::Means;
use crate::conclude::result::Imbalance;
use crate::conclude::tasks::task_around;
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::thread_end::End;
use crate::model::time_class::{Bytes, Class};
use crate::model::wording;
use crate::threads::one_sided::sampled::Use;

/// Bytes below which a transfer costs about the same whatever its size.
const SMALL: f64 = 1024.0;
/// Calls per thread from which on an operation is taken to be in a loop.
pub(super) const LOOP: f64 = 4.0;

/// Seconds of computing for each call below which a collective operation is called so often that
/// several could be one: no more than such an operation takes between nodes.
const FREQUENT: f64 = 10e-6;

/// Share of a call path's time from which on findings on its accesses are enough.
const EXPLAINED: f64 = 0.5;

/// One call path, summed over threads.
struct Cost {
    path: PathId,
    operation: Operation,
    /// Ticks that no pattern explains.
    ticks: u64,
    calls: u64,
    calls_per_thread: f64,
    bytes: Bytes,
    /// The thread that spends most of these ticks.
    most: u32,
}

/// `accesses` are findings on single accesses, which say more about a call path than its costs do.
pub(super) fn findings(
    evidence: &Evidence,
    accesses: &BTreeMap<PathId, Vec<Finding>>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in evidence.all_paths() {
        let operation = evidence.paths().operation(path);
        // A task runs on one processor: that is the mapping, and what it needs is its own.
        if task_around(evidence.paths(), path).is_some() || operation == Some(Operation::Idle) {
            continue;
        }
        if Class::of(operation) == Class::Computation {
            findings.extend(imbalance(evidence, path));
            continue;
        }
        let Some(cost) = operation.map(|operation| cost(evidence, path, operation)) else {
            continue;
        };
        let explained = accesses.get(&path).into_iter().flatten();
        let explained: f64 = explained.map(|finding| finding.seconds).sum();
        let is_explained = explained >= EXPLAINED * evidence.times.length(cost.ticks as f64);
        let is_notable = evidence.is_notable(cost.ticks as f64)
            || evidence.saves_notably(saved(evidence, &cost));
        if is_notable && !(explained > 0.0 && is_explained) {
            findings.extend(operation_cost(evidence, &cost));
        }
    }
    findings
}

fn cost(evidence: &Evidence, path: PathId, operation: Operation) -> Cost {
    let severities = evidence.found.matcher.severities();
    let losses: Vec<_> = (0..PATTERNS.len())
        .filter_map(|pattern| severities.entry(pattern, path))
        .collect();
    let (mut ticks, mut calls, mut callers) = (0, 0, 0u32);
    let mut bytes = Bytes::default();
    let mut most = (0, 0);
    for (thread, profile) in evidence.found.threads.iter().enumerate() {
        let totals = profile.totals[path.index()];
        let lost: u64 = losses.iter().map(|entry| entry.ticks[thread]).sum();
        // The last, unfinished call of a thread is no cost of the operation: the thread waited for
        // threads that did not come.
        let (standing, unfinished) = match (profile.end, profile.span) {
            (End::Stands(stand), Some(span)) if stand.path == path => {
                (span.end.saturating_sub(stand.since), 1)
            }
            _ => (0, 0),
        };
        let own = totals.ticks.saturating_sub(lost).saturating_sub(standing);
        ticks = u64::saturating_add(ticks, own);
        calls = u64::saturating_add(calls, totals.visits.saturating_sub(unfinished));
        callers += u32::from(totals.visits > 0);
        bytes.add(&profile.bytes[path.index()]);
        if own > most.1 {
            most = (thread as u32, own);
        }
    }
    Cost {
        path,
        operation,
        ticks,
        calls,
        calls_per_thread: calls as f64 / f64::from(callers.max(1)),
        bytes,
        most: most.0,
    }
}

fn operation_cost(evidence: &Evidence, cost: &Cost) -> Option<Finding> {
    let class = Class::of(Some(cost.operation));
    let mut finding = evidence.finding(class.metric(), cost.path, cost.ticks as f64);
    finding.saves_seconds = evidence.saving(saved(evidence, cost));
    let each = wording::seconds(
        evidence
            .times
            .length(cost.ticks as f64 / cost.calls.max(1) as f64),
    );
    let calls = match cost.calls {
        1 => "1 call".into(),
        n => format!("{n} calls"),
    };
    finding.culprit_thread = Some(cost.most);
    let beyond_waiting = evidence.beyond_waiting();
    let means = evidence.means(cost.path);
    match class {
        Class::OneSided => {
            let site = evidence.paths().site(cost.path);
            let pattern = site
                .map(|site| evidence.sampled.use_at(site))
                .unwrap_or_default();
            one_sided((cost, means), &pattern, &calls, &each, &mut finding);
            if is_single_access(cost.operation) {
                finding.cause += &evidence.far_part(std::iter::once(cost.path));
            }
        }
        Class::Allocation if frees(cost.operation) => {
            finding.cause = format!("{calls} with {each} each.");
            finding.advice = "Keep memory that is needed again instead of freeing it, and free \
                              the rest when nobody waits."
                .into();
        }
        Class::Allocation if cost.calls_per_thread >= LOOP => {
            finding.cause = format!(
                "{calls}, {:.0} per thread, with {each} each, {beyond_waiting}: the allocation is \
                 repeated.",
                cost.calls_per_thread
            );
            finding.advice = "If it is for the same purpose each time, allocate once, before the \
                              loop, and use the memory again."
                .into();
        }
        Class::Allocation => {
            finding.cause = format!("{calls} with {each} each, {beyond_waiting}.");
            finding.advice = "Allocate less, or together in one piece; the first use of memory \
                              costs time too."
                .into();
        }
        Class::Barrier => {
            finding.cause = format!("{calls} with {each} each, {beyond_waiting}.");
            finding.advice = evidence.unless_waiting(means.barrier);
        }
        Class::Collective => {
            let between = computing(evidence) / cost.calls.max(1) as f64;
            let is_frequent = cost.calls_per_thread >= LOOP && between < FREQUENT;
            finding.cause = format!("{calls} with {each} each, {beyond_waiting}.");
            if is_frequent {
                finding.cause += &format!(
                    " All threads compute no more than {} for each call.",
                    wording::seconds(between)
                );
            }
            finding.advice = evidence.unless_waiting(match is_frequent {
                true => means.frequent_collective,
                false => means.collective,
            });
        }
        Class::Lock => {
            finding.cause = match evidence.wait_states {
                WaitStates::All => {
                    format!(
                        "{calls} with {each} each, without the time for which another thread held \
                         the lock."
                    )
                }
                _ => format!("{calls} with {each} each, {beyond_waiting}."),
            };
            finding.advice = evidence.unless_waiting(
                "Take the lock less often: collect several updates, or use atomic operations.",
            );
        }
        Class::PointToPoint => {
            finding.cause = format!("{calls} with {each} each, {beyond_waiting}.");
            finding.advice = evidence.unless_waiting(match cost.operation {
                Operation::PartnerSync => {
                    "Let one of them serve several transfers, or synchronise with fewer partners."
                }
                _ => {
                    "Wait for several things at once rather than for each, and post them together."
                }
            });
        }
        Class::Message => {
            finding.cause =
                format!("{calls} with {each} each, waiting for the other side included.");
            finding.advice = "Send fewer and larger messages, and start receptions before the \
                              work that can be done meanwhile."
                .into();
        }
        Class::Fence => {
            finding.cause = format!("{calls} with {each} each.");
            finding.advice = means.fence.into();
        }
        Class::Io => {
            finding.cause = format!("{calls} with {each} each.");
            finding.advice = "Write and read larger pieces less often.".into();
        }
        // A stall is not the program's doing: it has a remark.
        Class::Measurement | Class::NoCore | Class::Pgas | Class::Computation => return None,
    }
    Some(finding)
}

/// Seconds that all threads compute.
fn computing(evidence: &Evidence) -> f64 {
    let computes =
        |path: &PathId| Class::of(evidence.paths().operation(*path)) == Class::Computation;
    let paths: Vec<PathId> = evidence.all_paths().filter(computes).collect();
    let threads = evidence.found.threads.iter();
    let ticks =
        threads.flat_map(|thread| paths.iter().map(|path| thread.totals[path.index()].ticks));
    evidence.times.length(ticks.map(|ticks| ticks as f64).sum())
}

/// Ticks that would be saved at most if the operation cost nothing: what there is of it on the
/// critical path, but not what patterns explain of that.
fn saved(evidence: &Evidence, cost: &Cost) -> Option<f64> {
    let most = evidence.saved_at(cost.path);
    most.map(|ticks| ticks.min(cost.ticks as f64))
}

fn frees(operation: Operation) -> bool {
    use Operation::{AllFree, AllLockFree, Free, LockFree, MallocFree};
    matches!(
        operation,
        Free | AllFree | LockFree | AllLockFree | MallocFree
    )
}

fn one_sided(
    (cost, means): (&Cost, &Means),
    pattern: &Use,
    calls: &str,
    each: &str,
    finding: &mut Finding,
) {
    let bytes = &cost.bytes;
    let local = bytes.put_local as f64 + bytes.get_local as f64;
    let moved = bytes.all();
    if cost.operation == Operation::NonBlockingSync {
        finding.cause = format!("{calls} wait for transfers to complete, {each} each.");
        finding.advice = "Start the transfers earlier, or do more between start and wait.".into();
        return;
    }
    let mean = moved / cost.calls.max(1) as f64;
    let is_single = cost.calls == 1;
    finding.cause = match is_single {
        true => format!("{calls} moves {} and takes {each}.", wording::bytes(moved)),
        false => format!(
            "{calls} move {} in all, {} each on average, and take {each} each.",
            wording::bytes(moved),
            wording::bytes(mean)
        ),
    };
    let reads = matches!(
        cost.operation,
        Operation::Get | Operation::RemoteGet | Operation::NonBlockingGet | Operation::Memget
    );
    finding.advice = if moved > 0.0 && local >= 0.5 * moved {
        finding.cause += &format!(
            " {} of the bytes have affinity to the thread itself.",
            wording::percent(local / moved)
        );
        means.own_access
    } else if is_single_access(cost.operation) && !is_single {
        finding.advice = scattered(means, pattern, reads, finding);
        return;
    } else if mean < SMALL && cost.calls_per_thread >= LOOP {
        "Transfer more at a time: what goes to or comes from one thread, in one call."
    } else {
        means.overlap[usize::from(!reads)]
    }
    .into();
}

fn is_single_access(operation: Operation) -> bool {
    use Operation::*;
    matches!(
        operation,
        Get | Put | RemoteGet | RemotePut | NonBlockingGet | NonBlockingPut
    )
}

/// Advice on single accesses that form no runs as far as is known.
pub(super) fn scattered(
    means: &Means,
    pattern: &Use,
    reads: bool,
    finding: &mut Finding,
) -> String {
    let Means {
        get, put, private, ..
    } = means;
    if pattern.is_update() {
        finding.cause += " They belong to updates under a lock.";
        return format!(
            "Update the data with {} in place of the lock, or collect several updates in \
             {private} and make them together: each time the lock is taken, or once at the end \
             ({}).",
            means.atomic, means.reduction
        );
    }
    if pattern.is_repeated() {
        finding.cause += " They go to the same few elements again and again.";
        return match reads {
            true => "Keep a private copy of what stays the same for several of them.",
            false => "Work on a private copy, and write the result once.",
        }
        .into();
    }
    let distance = pattern.stride().map(|stride| wording::bytes(stride as f64));
    if let Some(distance) = distance {
        finding.cause += &format!(" Most are {distance} from the one before.");
        return match reads {
            true => format!(
                "Exchange the two loops, so that elements side by side are read one after the \
                 other, and fetch these with {get} for each row or tile."
            ),
            false => {
                format!("Collect a tile in {private}, and send each of its rows with {put}.")
            }
        };
    }
    match (pattern.is_block(), reads) {
        (Some(true), true) => format!(
            "Most lie side by side: fetch them as one block with {get} into {private}, and read \
             them there."
        ),
        (Some(true), false) => format!(
            "Most lie side by side: collect what goes to a thread in {private}, and send it with \
             {put}."
        ),
        (Some(false), true) => "The elements are scattered: let their owners do this part of the \
                                work, or ask each owner once for all that is needed from it."
            .to_owned(),
        (Some(false), false) => format!(
            "The elements are scattered: collect what goes to each thread in {private}, send it \
             with {put}, and let the owner distribute it."
        ),
        (None, true) => format!(
            "Fetch what lies side by side as one block with {get} into {private} and read it \
             there."
        ),
        (None, false) => format!(
            "Collect what lies side by side in {private} and send it as one block with {put}."
        ),
    }
}

/// How many ticks of a path's time on a thread may be wrong at most, since calls there, or those
/// that it made, were throttled: one reading of the clock for each.
fn uncertainty(evidence: &Evidence, path: PathId) -> f64 {
    let threads = evidence.found.threads.iter().zip(evidence.costs);
    let of_threads = threads.map(|(thread, cost)| {
        let throttled = thread.summed.throttled.iter().filter(|throttled| {
            throttled.path == path || evidence.paths().node(throttled.path).parent == path
        });
        let calls: f64 = throttled.map(|throttled| throttled.calls as f64).sum();
        let clock = cost.map_or(0.0, |cost| cost.clock as f64 * 1e-12);
        calls * clock / evidence.times.per_tick
    });
    of_threads.fold(0.0, f64::max)
}

fn imbalance(evidence: &Evidence, path: PathId) -> Option<Finding> {
    let imbalance = Imbalance::of(evidence.found, path);
    let excess = imbalance.excess();
    let saved = evidence.saved_by_balance(path, excess);
    let is_notable = evidence.is_notable(excess) || evidence.saves_notably(saved);
    if !is_notable || excess <= uncertainty(evidence, path) {
        return None;
    }
    let threads = evidence.found.threads.len() as f64;
    let longest = imbalance.longest as f64;
    let share = excess / longest * threads / (threads - 1.0);
    let mut finding = evidence.finding("imbalance", path, excess);
    finding.kind = FindingKind::Imbalance;
    finding.saves_seconds = evidence.saving(saved);
    let seconds = |ticks| wording::seconds(evidence.times.length(ticks));
    finding.culprit_thread = Some(imbalance.thread as u32);
    finding.cause = format!(
        "Thread {} computes {} here, the mean over threads is {}: an imbalance of {}, where 100 % \
         would be one thread working alone.",
        imbalance.thread,
        seconds(longest),
        seconds(imbalance.mean),
        wording::percent(share)
    );
    finding.cause += &evidence.hottest(path);
    finding.advice = match imbalance.mean * threads <= longest * 1.01 {
        true => {
            "Only this thread works here: divide the work among all, or let the others do \
             something else."
        }
        false => "Divide the work so that every thread needs the same time for it.",
    }
    .into();
    Some(finding)
}
