//! Remarks about the trace that limit how far the figures can be trusted: instances that were not
//! judged, events that contradict each other, a measurement that disturbed the program. Threads
//! that disagree have a file of their own.

use std::collections::BTreeMap;

use pgas_earl::{Matched, PathId, Unmatched};
use pgas_result::recording::WaitStates;
use pgas_trace::model::{Operation, ThreadId};

use crate::conclude::extent::{trace_end, wait_states};
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::paths::CallPaths;
use crate::model::time_class::Class;
use crate::model::wording;
use crate::pipeline::search::Found;
use crate::threads::profile::ThreadProfile;

/// Remarks of one kind at most, where there may be one for each thread.
const THREADS_AT_MOST: usize = 8;
/// Share of the total time from which on stalls of the measurement are worth a word.
const NOTABLE: f64 = 0.001;

/// Remarks on what was found. `at` gives seconds since the start of the run, `length` the seconds
/// of a duration.
pub fn remarks(found: &Found, at: &dyn Fn(u64) -> f64, length: &dyn Fn(u64) -> f64) -> Vec<String> {
    let mut remarks = Vec::new();
    sums(found, at, length, &mut remarks);
    unreached(found, &mut remarks);
    partial(found, &mut remarks);
    oddities(found, at, &mut remarks);
    stalls(found, length, &mut remarks);
    remarks.extend(contradictory_clocks(found));
    remarks.extend(unmatched_groups(found));
    remarks.extend(throttled_completions(found));
    remarks
}

/// Calls that wait for own transfers and have no events.
fn throttled_completions(found: &Found) -> Option<String> {
    let paths = found.matcher.paths();
    let waits = |path| {
        let operation = paths.operation(path);
        matches!(
            operation,
            Some(Operation::NonBlockingSync | Operation::Fence)
        )
    };
    let all = found
        .threads
        .iter()
        .flat_map(|thread| &thread.summed.throttled);
    let mut by_path: BTreeMap<PathId, u64> = BTreeMap::new();
    for calls in all.filter(|calls| !calls.is_counted() && waits(calls.path)) {
        let sum = by_path.entry(calls.path).or_default();
        *sum = sum.saturating_add(calls.calls);
    }
    let most = by_path.iter().max_by_key(|(_, calls)| **calls)?;
    let sum: u64 = by_path
        .values()
        .fold(0, |sum, &calls| sum.saturating_add(calls));
    let most_of_them = match by_path.len() {
        1 => "",
        _ => "most of them ",
    };
    Some(format!(
        "{sum} calls that complete or order transfers were throttled, {most_of_them}{}: waiting for \
         own transfers is not found in them; run with --throttle off to record each",
        place(paths, *most.0)
    ))
}

/// Collective operations of groups whose members recorded different ones.
fn unmatched_groups(found: &Found) -> Option<String> {
    let waits = found.matcher.unmatched_in_groups();
    (waits > 0).then(|| {
        format!(
            "in {waits} calls of collective operations of groups the last member is not known, so \
             waiting there was not found: some members recorded fewer of the group's operations, \
             because recording was off, a call failed, or the trace lacks them"
        )
    })
}

/// Where by the clocks of the nodes threads waited for each other in a circle.
fn contradictory_clocks(found: &Found) -> Option<String> {
    let forced = found.matcher.detectors().delay.forced_steps();
    // With one clock, it is streams that end early; these have remarks of their own.
    if forced == 0 || found.matcher.clocks().are_one() {
        return None;
    }
    let times = match forced {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    };
    Some(format!(
        "by the clocks of the nodes, threads waited for each other in a circle; {times} one was \
         taken not to have waited, so root causes and the critical path are less exact there"
    ))
}

/// Consequences of figures that come from sums, in part or in full.
fn sums(
    found: &Found,
    at: &dyn Fn(u64) -> f64,
    length: &dyn Fn(u64) -> f64,
    remarks: &mut Vec<String>,
) {
    match wait_states(found) {
        WaitStates::All => {}
        WaitStates::None => remarks.push(
            "recorded with --profile, as sums by call path: waiting inside barriers, locks and \
             collective operations cannot be distinguished from the rest of the time in them; run \
             without it for wait states"
                .to_owned(),
        ),
        WaitStates::UntilTraceEnds => {
            let ends = found.threads.iter().filter_map(|thread| thread.span);
            let end = ends.map(|span| span.end).max().unwrap_or(0);
            remarks.push(format!(
                "the trace ends at {} of {}, at the limit of its size (--trace-limit): times, \
                 calls and bytes are those of the whole run, wait states are those up to there",
                wording::seconds(at(trace_end(found).unwrap_or(end))),
                wording::seconds(at(end)),
            ));
        }
    }
    let all = |part: fn(&ThreadProfile) -> u64| -> u64 {
        found.threads.iter().map(part).fold(0, u64::saturating_add)
    };
    let unplaced = all(|thread| thread.summed.unplaced);
    if unplaced > 0 {
        remarks.push(format!(
            "{unplaced} calls are missing in the figures, since the recorder's call tree of {} \
             had no room for more call paths: their time is their callers'",
            match found
                .threads
                .iter()
                .filter(|t| t.summed.unplaced > 0)
                .count()
            {
                1 => "one thread".to_owned(),
                n => format!("{n} threads"),
            }
        ));
    }
    let deepest = numbered(found).filter_map(|(thread, profile)| {
        let (calls, place) = profile.summed.deepest.as_ref()?;
        Some(format!(
            "thread {thread}: {calls} calls that are in sums only are in call paths of 10,000 \
             regions, where longer ones are cut; one of them is at {place}"
        ))
    });
    limited(remarks, deepest, "more threads have such calls");
    let dropped = all(|thread| thread.summed.dropped);
    let total = all_ticks(found);
    if total > 0 && dropped as f64 > NOTABLE * total as f64 {
        remarks.push(format!(
            "the estimated times of calls that were not timed one by one exceed those of their \
             callers by {} in all, which was left out",
            wording::seconds(length(dropped))
        ));
    }
}

/// Appends one remark for each of the first items, and how many more there are.
fn limited(remarks: &mut Vec<String>, items: impl Iterator<Item = String>, more: &str) {
    let mut items = items.peekable();
    remarks.extend(items.by_ref().take(THREADS_AT_MOST));
    if items.peek().is_some() {
        remarks.push(format!("{} {more}", items.count()));
    }
}

fn place(paths: &CallPaths, path: PathId) -> String {
    paths
        .site(path)
        .map_or_else(|| "the program".into(), wording::place)
}

fn numbered(found: &Found) -> impl Iterator<Item = (ThreadId, &ThreadProfile)> {
    let threads = found.threads.iter().enumerate();
    threads.map(|(thread, profile)| (thread as ThreadId, profile))
}

fn unreached(found: &Found, remarks: &mut Vec<String>) {
    // Traces that reach their limits do so at different times: that has a remark of its own.
    if wait_states(found) != WaitStates::All {
        return;
    }
    let (matcher, paths) = (&found.matcher, found.matcher.paths());
    let mut describe = |what, kind| {
        let threads = matcher.unmatched(kind);
        describe_unreached(what, matcher.completed(kind), &threads, paths, remarks);
    };
    describe("barrier", Matched::Barrier);
    // Operations after a disagreement are not missing on any thread.
    if matcher.detectors().agreement.disagreement().is_none() {
        describe("collective operation", Matched::Collective);
    }
}

fn partial(found: &Found, remarks: &mut Vec<String>) {
    let matcher = &found.matcher;
    for (what, partial) in [
        ("barriers", matcher.partial(Matched::Barrier)),
        (
            "collective operations",
            matcher.partial(Matched::Collective),
        ),
    ] {
        if let Some(first) = partial.first {
            remarks.push(format!(
                "recording was switched off by some threads during {} {what} that \
                 others recorded, first {}; these are not searched for wait states",
                partial.count,
                place(matcher.paths(), first),
            ));
        }
    }
}

/// `threads`: by thread, the instances that it left and others did not reach.
fn describe_unreached(
    what: &str,
    number: u64,
    threads: &[Unmatched],
    paths: &CallPaths,
    remarks: &mut Vec<String>,
) {
    let first = |path: fn(&Unmatched) -> bool| -> Vec<ThreadId> {
        let threads = threads.iter().enumerate();
        let some = threads.filter(|(_, unmatched)| path(unmatched));
        some.map(|(thread, _)| thread as ThreadId).collect()
    };
    let Some(path) = threads.iter().find_map(|unmatched| unmatched.first) else {
        return;
    };
    let (left, missing) = (
        first(|unmatched| unmatched.first.is_some()),
        first(|unmatched| unmatched.count == 0),
    );
    let counts = threads.iter().map(|unmatched| unmatched.count);
    remarks.push(format!(
        "{what} {number} (counted from 0) was left by {} in {}, but in this trace not by {}; it \
         and what came after ({} in all) are not searched for wait states",
        wording::threads(&left),
        place(paths, path),
        wording::threads(&missing),
        counts.max().unwrap_or(0),
    ));
}

fn oddities(found: &Found, at: &dyn Fn(u64) -> f64, remarks: &mut Vec<String>) {
    let all = numbered(found).flat_map(|(thread, profile)| {
        profile.oddities.iter().map(move |oddity| {
            format!(
                "thread {thread}: {} {}; the first {} after the start at {}",
                oddity.count,
                oddity.what,
                wording::seconds(at(oddity.first_time)),
                oddity.place
            )
        })
    });
    limited(remarks, all, "more remarks of this kind on other threads");
}

fn stalls(found: &Found, length: &dyn Fn(u64) -> f64, remarks: &mut Vec<String>) {
    let paths = found.matcher.paths();
    let stalls: Vec<PathId> = (0..paths.len())
        .map(|number| PathId(number as u32))
        .filter(|&path| Class::of(paths.operation(path)) == Class::Measurement)
        .collect();
    let lost = |profile: &ThreadProfile| -> u64 {
        let ticks = stalls.iter().map(|path| profile.totals[path.index()].ticks);
        ticks.sum()
    };
    let total = all_ticks(found);
    let stalled: u64 = found.threads.iter().map(lost).sum();
    if total == 0 || stalled as f64 <= NOTABLE * total as f64 {
        return;
    }
    let comparing = match found.matcher.clocks().are_one() {
        true => "",
        false => {
            "compare the clocks of its nodes, for some milliseconds when it begins and ends, or "
        }
    };
    remarks.push(format!(
        "the program stood still for {} in all ({} of its time) because the measurement had to \
         {comparing}write full buffers; larger ones (PGAS_BUFFER) or fewer events disturb it less",
        wording::seconds(length(stalled)),
        wording::percent(stalled as f64 / total as f64)
    ));
    let mut delays = Vec::new();
    for (number, pattern) in PATTERNS.iter().enumerate() {
        for (path, entry) in found.matcher.severities().entries(number) {
            let caused = entry.causes.iter().filter(|((cause, _), _)| {
                paths.operation(*cause) == Some(Operation::MeasurementStall)
            });
            let caused: u64 = caused.map(|(_, blame)| blame.total()).sum();
            if caused as f64 > NOTABLE * total as f64 {
                let name = pattern.display_name;
                delays.push((caused, name, place(paths, path)));
            }
        }
    }
    delays.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (a.1, &a.2).cmp(&(b.1, &b.2))));
    let delays = delays.into_iter().map(|(caused, name, place)| {
        format!(
            "{} of \"{name}\" at {place} is waiting for a thread that stood still because of the \
             measurement; it does not happen without it",
            wording::seconds(length(caused)),
        )
    });
    limited(
        remarks,
        delays,
        "more places where threads waited because of the measurement",
    );
}

/// From a thread's first event to its last, or to the end of what there are sums of.
pub fn total_ticks(profile: &ThreadProfile) -> u64 {
    profile.span.map_or(0, |span| span.length())
}

/// Of all threads together.
pub fn all_ticks(found: &Found) -> u64 {
    let ticks = found.threads.iter().map(total_ticks);
    ticks.fold(0, u64::saturating_add)
}
