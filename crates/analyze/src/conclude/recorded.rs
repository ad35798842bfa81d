//! How the run was recorded, for the summary: what was throttled, up to when there is a trace, and
//! what recording cost.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use pgas_cube::model::{CallPathId, Cube};
use pgas_result::recording::{Counted, Recording, Throttled};
use pgas_trace::model::Operation;

use crate::conclude::description::Description;
use crate::conclude::extent::{trace_end, wait_states};
use crate::conclude::loops::throttling;
use crate::conclude::overhead;
use crate::model::clock::Times;
use crate::pipeline::search::Found;

/// `total` are the ticks of all threads, `cube` has the counters as its last metrics.
pub fn recording(
    found: &Found,
    times: &Times,
    total: u64,
    description: &Description,
    cube: &Cube,
    places: &[CallPathId],
) -> Recording {
    let total = times.length(total as f64);
    let first_counter = cube.metrics.len() - found.counters.len();
    let counters = cube.metrics[first_counter..].iter();
    Recording {
        wait_states: wait_states(found),
        trace_ends_seconds: trace_end(found).map(|ticks| times.at(ticks)),
        throttled: throttled(found, times, total),
        counted: counted(found),
        cost: overhead::cost(found, times, total, description, places),
        counters: counters.map(|metric| metric.unique_name.clone()).collect(),
    }
}

/// `total` is the time of all threads, in seconds.
fn throttled(found: &Found, times: &Times, total: f64) -> Vec<Throttled> {
    let paths = found.matcher.paths();
    let since: BTreeMap<(&str, &str, u32), u64> = throttling::missing(found)
        .iter()
        .filter_map(|missing| {
            let site = paths.site(missing.path)?;
            let key = (site.region_name(), site.file.as_str(), site.line);
            Some((key, missing.since))
        })
        .collect();
    let mut by_site: BTreeMap<(String, String, u32), (u64, u64, u64)> = BTreeMap::new();
    let all = found.threads.iter().flat_map(|t| &t.summed.throttled);
    for throttled in all.filter(|calls| !calls.is_counted()) {
        let Some(site) = paths.site(throttled.path) else {
            continue;
        };
        let key = (site.region_name().to_owned(), site.file.clone(), site.line);
        let (calls, timed, ticks) = by_site.entry(key).or_default();
        *calls = calls.saturating_add(throttled.calls);
        *timed = timed.saturating_add(throttled.timed_calls);
        *ticks = ticks.saturating_add(throttled.ticks);
    }
    let mut all: Vec<Throttled> = by_site
        .into_iter()
        .map(|((region, file, line), (calls, timed_calls, ticks))| {
            let seconds = times.length(ticks as f64);
            let since = since.get(&(region.as_str(), file.as_str(), line));
            Throttled {
                since_seconds: since.map(|&ticks| times.at(ticks)),
                region,
                file,
                line,
                calls,
                timed_calls,
                seconds,
                percent: percent(seconds, total),
            }
        })
        .collect();
    all.sort_by_key(|throttled| Reverse(throttled.calls));
    all
}

fn counted(found: &Found) -> Vec<Counted> {
    let paths = found.matcher.paths();
    let mut by_site: BTreeMap<(bool, &str, &str, u32), u64> = BTreeMap::new();
    let all = found.threads.iter().flat_map(|t| &t.summed.throttled);
    for counted in all.filter(|calls| calls.is_counted()) {
        if let Some(site) = paths.site(counted.path) {
            let is_function = site.operation == Operation::Function;
            let key = (
                is_function,
                site.region_name(),
                site.file.as_str(),
                site.line,
            );
            let calls = by_site.entry(key).or_default();
            *calls = calls.saturating_add(counted.calls);
        }
    }
    let all = by_site.into_iter();
    let mut all: Vec<Counted> = all
        .map(|((is_function, region, file, line), calls)| Counted {
            region: region.to_owned(),
            is_function,
            file: file.to_owned(),
            line,
            calls,
        })
        .collect();
    all.sort_by_key(|counted| Reverse(counted.calls));
    all
}

pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        100.0 * part / whole
    } else {
        0.0
    }
}
