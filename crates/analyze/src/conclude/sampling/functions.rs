//! Functions of the program that are no events: what they cost, by samples, and how often they were
//! called, if they were counted.

use std::collections::BTreeMap;

use pgas_result::sampling::SampledFunction;
use pgas_trace::model::Operation;

use super::collect::Collected;
use super::times::{PathTimes, most};
use crate::pipeline::search::Found;

/// Functions with their time and calls.
pub(super) fn search(
    found: &Found,
    collected: &Collected,
    times: &PathTimes,
    total: f64,
) -> Vec<SampledFunction> {
    let calls = calls(found);
    let mut exclusive = times.over_paths(&collected.exclusive);
    let inclusive = times.over_paths(&collected.inclusive).into_iter();
    let entries = inclusive.map(|(key, inclusive)| {
        let counted = calls.get(&(key.0.as_str(), key.1.as_str()));
        let seen = collected.first_lines.get(&key).copied();
        SampledFunction {
            calls: counted.map(|(calls, _)| *calls),
            line: counted.map(|(_, line)| *line).or(seen).unwrap_or(0),
            inclusive,
            exclusive: exclusive.remove(&key).unwrap_or_else(|| times.time([])),
            function: key.0,
            file: key.1,
        }
    });
    most(entries, |entry| entry.inclusive.seconds(), total)
}

/// By name and file of functions that were counted: calls and line.
fn calls(found: &Found) -> BTreeMap<(&str, &str), (u64, u32)> {
    let paths = found.matcher.paths();
    let mut calls: BTreeMap<(&str, &str), (u64, u32)> = BTreeMap::new();
    let all = found
        .threads
        .iter()
        .flat_map(|thread| &thread.summed.throttled);
    for counted in all.filter(|calls| calls.is_counted()) {
        let site = paths.site(counted.path);
        let Some(site) = site.filter(|site| site.operation == Operation::Function) else {
            continue;
        };
        let entry = calls.entry((site.region_name(), site.file.as_str()));
        let sum = entry.or_insert((0, site.line));
        sum.0 = sum.0.saturating_add(counted.calls);
    }
    calls
}
