//! Overhead of instrumentation and recording, as part of the program's CPU time: the number of
//! calls of each kind times the cost of such a call that the recorder measured, plus the recorder's
//! own work, whose CPU time is known. If a plain build was run for comparison, the overhead is the
//! difference in CPU time, and that estimate determines its distribution over call paths.

use pgas_cost::{Calls, Kind, Recorder, Total};
use pgas_cube::model::CallPathId;
use pgas_earl::PathId;
use pgas_result::recording::{Baseline, PathCost, RecordingCost};
use pgas_trace::model::Operation;

use crate::conclude::description::Description;
use crate::model::clock::Times;
use crate::pipeline::search::Found;

/// `total` is the time of all threads in seconds. `None` if some recorder has measured nothing.
pub(crate) fn cost(
    found: &Found,
    times: &Times,
    total: f64,
    description: &Description,
    places: &[CallPathId],
) -> Option<RecordingCost> {
    let paths = found.matcher.paths();
    // The root is no call.
    let kinds: Vec<Option<Kind>> = (0..paths.len())
        .map(|path| match path {
            0 => None,
            path => {
                let operation = paths.operation(PathId(path as u32));
                Kind::of(operation.unwrap_or(Operation::Function))
            }
        })
        .collect();
    let is_free = |path: PathId| {
        let accesses = paths
            .site(path)
            .filter(|site| site.operation != Operation::Function);
        accesses.is_some_and(|site| description.sampled.is_counted_at_end(&site.file, site.line))
    };
    let mut by_path = vec![0.0; paths.len()];
    let mut all = Total::default();
    let (mut events, mut summed_calls, mut throttled_calls) = (0u64, 0u64, 0u64);
    let (mut counted_accesses, mut left_out_calls, mut own_accesses) = (0u64, 0u64, 0u64);
    for (number, thread) in found.threads.iter().enumerate() {
        let summed = &thread.summed;
        let sum = |is_counted: bool| {
            let all = summed.throttled.iter();
            let some = all.filter(|calls| calls.is_counted() == is_counted);
            some.map(|calls| calls.calls).fold(0, u64::saturating_add)
        };
        let (throttled, counted) = (sum(false), sum(true));
        if thread.events == 0 && summed.calls_beyond == 0 && throttled == 0 && counted == 0 {
            continue;
        }
        let recorder = match description.recorders.get(number).copied().flatten() {
            Some(recorder) => recorder,
            None => {
                let cost = description.costs.get(number).copied().flatten()?;
                Recorder::of_events(cost.event as f64, cost.throttled as f64)
            }
        };
        events += thread.events;
        summed_calls = summed_calls.saturating_add(summed.calls_beyond);
        throttled_calls = throttled_calls.saturating_add(throttled);
        let accesses = summed.throttled.iter().filter(|calls| {
            let operation = paths.operation(calls.path);
            calls.is_counted() && operation != Some(Operation::Function)
        });
        let accesses = accesses.map(|calls| calls.calls);
        counted_accesses = accesses.fold(counted_accesses, u64::saturating_add);
        left_out_calls = left_out_calls.saturating_add(recorder.left_out_calls());
        own_accesses = own_accesses.saturating_add(recorder.own_accesses());

        let mut calls: Vec<(Option<Kind>, Calls)> =
            kinds.iter().map(|kind| (*kind, Calls::default())).collect();
        for ((_, calls), totals) in calls.iter_mut().zip(&thread.totals) {
            calls.recorded = totals.visits as f64;
        }
        for throttled in &summed.throttled {
            if let Some((_, calls)) = calls.get_mut(throttled.path.index()) {
                match throttled.is_counted() {
                    true if is_free(throttled.path) => {}
                    true => calls.counted += throttled.calls as f64,
                    false => calls.throttled += throttled.calls as f64,
                }
                calls.timed += throttled.timed_calls as f64;
                calls.recorded = (calls.recorded - throttled.calls as f64).max(0.0);
            }
        }
        let priced = recorder.price(&calls);
        for (sum, cost) in by_path.iter_mut().zip(&priced.places) {
            *sum += cost;
        }
        all.add(&priced);
    }
    let plain = description.baseline.as_ref();
    let cost = all.conclude(total, description.cpu_seconds, plain);
    let baseline = plain.zip(cost.baseline);
    for of_path in &mut by_path {
        *of_path *= cost.scale;
    }
    Some(RecordingCost {
        events,
        summed_calls,
        throttled_calls,
        counted_accesses,
        left_out_calls,
        own_accesses,
        seconds: cost.seconds,
        fixed_seconds: cost.fixed_seconds,
        percent: cost.percent,
        interval: cost.interval,
        cpu_seconds: cost.cpu_seconds,
        baseline: baseline.map(|(plain, runs)| Baseline {
            program: plain.program.clone(),
            runs: runs.runs,
            cpu_seconds: runs.cpu_seconds,
            differ_too_much: runs.differ_too_much,
        }),
        call_paths: by_call_path(found, times, &by_path, places),
    })
}

/// Overhead in the exclusive time of each call path, in seconds of all threads, and never more than
/// that time: the part that exceeds the time of a path lies in its caller's time, and the part that
/// exceeds the caller's in that of its callees.
fn by_call_path(
    found: &Found,
    times: &Times,
    by_path: &[f64],
    places: &[CallPathId],
) -> Vec<PathCost> {
    let nodes = found.matcher.paths().nodes();
    let caller = |path: usize| nodes[path].parent.index();
    let time = |path: usize| {
        let ticks = found.threads.iter().filter_map(|t| t.totals.get(path));
        times.length(ticks.map(|totals| totals.ticks).sum::<u64>() as f64)
    };
    let time: Vec<f64> = (0..by_path.len()).map(time).collect();
    let mut own = vec![0.0; by_path.len()];
    for (path, &cost) in by_path.iter().enumerate().skip(1) {
        // A call's time is from one reading of the clock to another, halfway through what it costs;
        // that of throttled calls is estimated from such times.
        let inside = (cost / 2.0).min(time[path]);
        own[path] += inside;
        own[caller(path)] += cost - inside;
    }
    let mut room = vec![0.0; by_path.len()];
    for path in 1..by_path.len() {
        room[caller(path)] += (time[path] - own[path]).max(0.0);
    }
    let before = own.clone();
    for path in 1..by_path.len() {
        let caller = caller(path);
        let excess = before[caller] - time[caller];
        if excess > 0.0 && room[caller] > 0.0 {
            let own_room = (time[path] - before[path]).max(0.0);
            own[path] += own_room * (excess / room[caller]).min(1.0);
        }
    }
    let mut all: Vec<PathCost> = own
        .iter()
        .enumerate()
        .filter_map(|(path, &cost)| {
            let seconds = cost.min(time[path]);
            let call_path = places.get(path)?.0;
            (seconds > 0.0).then_some(PathCost { call_path, seconds })
        })
        .collect();
    all.sort_by_key(|cost| cost.call_path);
    all
}
