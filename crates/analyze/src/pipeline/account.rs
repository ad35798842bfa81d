//! Puts sums and events of the threads together: what sums say about throttled calls is moved to
//! them from their callers, to whom the events gave it; what they say about time without events is
//! added. Everything is in whole ticks, a thread's time stays what it is from beginning to end, and
//! no call path gets more than its caller has: the rest of an estimate that is too high is dropped,
//! and noted.

use std::collections::BTreeMap;

use pgas_earl::walker::PathTotals;
use pgas_earl::{PathId, Span};
use pgas_trace::model::{ProfileScope, ThreadId};

use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::paths::CallPaths;
use crate::model::thread_end::End;
use crate::model::time_class::Bytes;
use crate::model::wording;
use crate::pipeline::search::Found;
use crate::pipeline::sums::{PathSums, SumsByPath, ThreadSums, number_of};
use crate::threads::profile::{ThreadProfile, ThrottledCalls};

impl Found {
    /// Adds what is known from sums; at most one for each thread. Call paths that no thread's
    /// events have are added in the order of threads.
    pub fn add_sums(&mut self, sums: &[ThreadSums]) {
        let mut named = Vec::new();
        for (thread, sums) in sums.iter().enumerate().take(self.threads.len()) {
            let paths = self.matcher.paths_mut();
            named.push(sums.name_paths(|caller, site| paths.child(thread, caller, site)));
            for name in sums.counters() {
                number_of(&mut self.counters, name);
            }
        }
        let length = self.matcher.paths().len();
        for profile in &mut self.threads {
            profile.totals.resize(length, PathTotals::default());
            profile.bytes.resize(length, Bytes::default());
            profile.counters = vec![vec![0; length]; self.counters.len()];
        }
        for (thread, (sums, names)) in sums.iter().zip(&named).enumerate() {
            if sums.is_empty() {
                continue;
            }
            let within = sums.by_path(ProfileScope::Within, names);
            let beyond = sums.by_path(ProfileScope::Beyond, names);
            let counted = sums.by_path(ProfileScope::Counters, names);
            let severities = self.matcher.severities();
            let waited = |path: PathId| -> u64 {
                let entries = (0..PATTERNS.len()).filter_map(|p| severities.entry(p, path));
                entries.map(|entry| entry.ticks[thread]).sum()
            };
            let paths = self.matcher.paths();
            let profile = &mut self.threads[thread];
            profile.summed.unplaced = sums.unplaced();
            let deepest = sums.deepest();
            profile.summed.deepest = deepest.map(|(calls, site)| (calls, wording::place(site)));
            let accessed: BTreeMap<PathId, u64> = profile.accesses.ticks_by_path().collect();
            add_within(profile, paths, &within, |path| {
                waited(path).max(accessed.get(&path).copied().unwrap_or(0))
            });
            if let Some(span) = sums.beyond() {
                add_beyond(profile, paths, &beyond, span);
            }
            add_accesses(profile, thread as ThreadId, sums, names);
            for (number, name) in sums.counters().iter().enumerate() {
                let Some(place) = self.counters.iter().position(|known| known == name) else {
                    continue;
                };
                let in_full = [&beyond, &counted];
                profile.counters[place] = exclusive_counts(number, paths, in_full, &within);
            }
        }
    }

    /// Whether wait states could be searched for at all: not without events.
    pub fn has_events(&self) -> bool {
        self.threads.iter().any(|profile| profile.events > 0)
    }
}

/// Throttled calls. `reserved` are the ticks of a call path that wait states and recorded accesses
/// have: its callees get none of them.
fn add_within(
    profile: &mut ThreadProfile,
    paths: &CallPaths,
    sums: &SumsByPath,
    reserved: impl Fn(PathId) -> u64,
) {
    let wanted = at_least_callees(paths, sums, |sums| sums.calls > 0 && sums.timed_calls == 0);
    let mut own: Vec<u64> = profile.totals.iter().map(|totals| totals.ticks).collect();
    let moved = move_down(&mut own, paths, sums, &wanted, reserved);
    profile.summed.dropped = profile.summed.dropped.saturating_add(moved.dropped);
    for (totals, own) in profile.totals.iter_mut().zip(own) {
        totals.ticks = own;
    }
    for ((path, sums), ticks) in sums.iter().zip(moved.kept) {
        let totals = &mut profile.totals[path.index()];
        totals.visits = totals.visits.saturating_add(sums.calls);
        profile.bytes[path.index()].add(&sums.bytes);
        // More than all there are only of sums that no program can have.
        let others = sums.calls.saturating_sub(sums.counted_calls);
        let throttled = others.max(sums.timed_calls);
        let by_kind = [
            (throttled, sums.timed_calls, ticks),
            (sums.counted_calls, 0, 0),
        ];
        for (calls, timed_calls, ticks) in by_kind {
            if calls > 0 {
                profile.summed.throttled.push(ThrottledCalls {
                    path: *path,
                    calls,
                    timed_calls,
                    ticks,
                });
            }
        }
    }
}

/// Time of which there are no events: of a run without trace, or after the trace's end.
fn add_beyond(profile: &mut ThreadProfile, paths: &CallPaths, sums: &SumsByPath, span: Span) {
    let traced = profile.span;
    let whole = match traced {
        Some(traced) => Span::new(traced.begin.min(span.begin), traced.end.max(span.end)),
        None => span,
    };
    let new_time = whole.length() - traced.map_or(0, |traced| traced.length());
    // Time between the last event and the first sum belongs to the region that was open.
    let between = traced.map_or(0, |traced| span.begin.saturating_sub(traced.end));
    let innermost = profile.ends_in.unwrap_or(PathId::PROGRAM);
    profile.totals[innermost.index()].ticks += between;

    let wanted = at_least_callees(paths, sums, PathSums::is_way);
    let mut own = vec![0; paths.len()];
    own[PathId::PROGRAM.index()] = new_time - between;
    let moved = move_down(&mut own, paths, sums, &wanted, |_| 0);
    for (totals, own) in profile.totals.iter_mut().zip(own) {
        totals.ticks += own;
    }
    let summed = &mut profile.summed;
    summed.dropped = summed.dropped.saturating_add(moved.dropped);
    for (path, sums) in sums {
        let totals = &mut profile.totals[path.index()];
        totals.visits = totals.visits.saturating_add(sums.calls);
        profile.bytes[path.index()].add(&sums.bytes);
        summed.calls_beyond = summed.calls_beyond.saturating_add(sums.calls);
    }
    profile.totals[PathId::PROGRAM.index()].visits = 1;
    summed.beyond = Some(span);
    summed.events_end = traced.map(|traced| traced.end);
    profile.span = Some(whole);
    if summed.events_end.is_some() {
        // The figures go on where the events end.
        profile.ends_in = None;
        profile.end = End::Left;
    }
}

/// Accesses of which there are sums, which take no longer than their call paths do beside the
/// accesses of events: estimates that come to more are scaled down, as those of the paths were.
fn add_accesses(
    profile: &mut ThreadProfile,
    thread: ThreadId,
    sums: &ThreadSums,
    names: &[PathId],
) {
    let mut estimated: BTreeMap<PathId, u64> = BTreeMap::new();
    for (path, _, _, totals) in sums.accesses(names) {
        let sum = estimated.entry(path).or_insert(0);
        *sum = sum.saturating_add(totals.ticks);
    }
    let available: BTreeMap<PathId, u64> = estimated
        .keys()
        .map(|&path| {
            let known = profile.accesses.paths.get(&path);
            let known = known.map_or(0, |accesses| accesses.all().ticks);
            let whole = profile.totals[path.index()].ticks;
            (path, whole.saturating_sub(known))
        })
        .collect();
    for (path, operation, owner, mut totals) in sums.accesses(names) {
        let (asked, available) = (estimated[&path], available[&path]);
        if asked > available {
            let part = u128::from(totals.ticks) * u128::from(available) / u128::from(asked);
            totals.ticks = part as u64;
        }
        let accesses = &mut profile.accesses;
        accesses.add_sums(thread, path, operation, owner, &totals);
    }
}

/// Counts of one counter by path, without those of callees. `in_full` holds what calls counted with
/// all that they called; what `within` counted is in there, too, and is moved from the callers as
/// time is.
fn exclusive_counts(
    counter: usize,
    paths: &CallPaths,
    in_full: [&SumsByPath; 2],
    within: &SumsByPath,
) -> Vec<u64> {
    let count = |sums: &PathSums| sums.counters.get(counter).copied().unwrap_or(0);
    let mut inclusive = vec![0u64; paths.len()];
    for (path, sums) in in_full.into_iter().flatten() {
        let sum = &mut inclusive[path.index()];
        *sum = sum.saturating_add(count(sums));
    }
    let mut own = inclusive.clone();
    for (number, &count) in inclusive.iter().enumerate().skip(1) {
        let caller = paths.node(PathId(number as u32)).parent;
        own[caller.index()] = own[caller.index()].saturating_sub(count);
    }
    let wanted: Vec<u64> = within.iter().map(|(_, sums)| count(sums)).collect();
    move_down(&mut own, paths, within, &wanted, |_| 0);
    own
}

/// The time that each path is to get: what its sums say, or, for those of which `unknown` is true,
/// at least what its callees are to get.
fn at_least_callees(
    paths: &CallPaths,
    sums: &SumsByPath,
    unknown: impl Fn(&PathSums) -> bool,
) -> Vec<u64> {
    let mut wanted: Vec<u64> = sums.iter().map(|(_, sums)| sums.ticks).collect();
    let mut callees: BTreeMap<PathId, u64> = BTreeMap::new();
    // Callees have larger numbers than their callers.
    for (index, (path, sums)) in sums.iter().enumerate().rev() {
        let inside = callees.get(path).copied().unwrap_or(0);
        if unknown(sums) {
            wanted[index] = wanted[index].max(inside);
        }
        let sum = callees.entry(paths.node(*path).parent).or_insert(0);
        *sum = sum.saturating_add(wanted[index]);
    }
    wanted
}

#[derive(Debug)]
struct Moved {
    /// For each of the sums: the amount that the path has received and not passed on.
    kept: Vec<u64>,
    /// Amount that was wanted but not available.
    dropped: u64,
}

/// Moves the amounts that callees want (`wanted`, for each of the sums) from their caller's own
/// part in `own` (by path) to theirs. If the callees want more than the caller has beyond
/// `reserved`, all of them get less, in proportion.
fn move_down(
    own: &mut [u64],
    paths: &CallPaths,
    sums: &SumsByPath,
    wanted: &[u64],
    reserved: impl Fn(PathId) -> u64,
) -> Moved {
    let mut callees: BTreeMap<PathId, Vec<usize>> = BTreeMap::new();
    for (index, (path, _)) in sums.iter().enumerate() {
        let caller = paths.node(*path).parent;
        callees.entry(caller).or_default().push(index);
    }
    let mut moved = Moved {
        kept: vec![0; sums.len()],
        dropped: 0,
    };
    // Callers have smaller numbers than callees, so each has got its part before it is passed on.
    for (caller, callees) in &callees {
        let asked: u128 = callees.iter().map(|&index| u128::from(wanted[index])).sum();
        let available = own[caller.index()].saturating_sub(reserved(*caller));
        let mut given = 0;
        for &index in callees {
            let wish = u128::from(wanted[index]);
            let part = match asked > u128::from(available) {
                // Less than what is available, since the wish is no more than all that was asked.
                true => (wish * u128::from(available) / asked) as u64,
                false => wanted[index],
            };
            own[sums[index].0.index()] += part;
            moved.kept[index] += part;
            moved.dropped = moved.dropped.saturating_add(wanted[index] - part);
            given += part;
        }
        own[caller.index()] -= given;
        if let Ok(index) = sums.binary_search_by_key(caller, |&(path, _)| path) {
            moved.kept[index] = moved.kept[index].saturating_sub(given);
        }
    }
    moved
}
