//! Times of all threads in the worst instances that are drawn: that of each finding, and of the
//! wait states that cost most.

use std::collections::HashMap;

use pgas_cube::model::{CallPathId, Cube};
use pgas_result::summary::{InstanceTimes, MemberTime, Summary, WaitTime};

use crate::detectors::wait_states::patterns::PATTERNS;
use crate::detectors::wait_states::severities::Worst;
use crate::model::clock::Times;
use crate::pipeline::search::Found;

/// Wait states that are drawn though no finding names them.
const BESIDES_FINDINGS: usize = 8;
/// Instances at most.
const AT_MOST: usize = 32;

/// A wait state: metric and call path of the cube.
type WaitState<'a> = (&'a str, usize);

/// The instances, those of findings first, in their order. `places` has the call path of the cube
/// of each path.
pub fn worst_instances(
    found: &Found,
    times: &Times,
    places: &[CallPathId],
    (cube, summary): (&Cube, &Summary),
) -> Vec<InstanceTimes> {
    let mut worst: HashMap<WaitState, &Worst> = HashMap::new();
    for (number, pattern) in PATTERNS.iter().enumerate() {
        for (path, entry) in found.matcher.severities().entries(number) {
            if let Some(of_entry) = &entry.worst {
                worst.insert((pattern.id, places[path.index()].0), of_entry);
            }
        }
    }
    let mut chosen: Vec<(WaitState, &Worst)> = Vec::new();
    let mut choose = |metric, path| {
        let Some(&of_entry) = worst.get(&(metric, path)) else {
            return false;
        };
        let is_new = chosen.iter().all(|(known, _)| *known != (metric, path));
        let is_chosen = is_new && chosen.len() < AT_MOST;
        if is_chosen {
            chosen.push(((metric, path), of_entry));
        }
        is_chosen
    };
    for finding in &summary.findings {
        choose(finding.metric.as_str(), finding.call_path);
    }
    let mut by_cost: Vec<(WaitState, f64)> = summary
        .instances
        .iter()
        .map(|statistics| {
            let metric = cube.metric(&statistics.metric);
            let row = metric.and_then(|m| cube.row(m, CallPathId(statistics.call_path)));
            let cost = row.map_or(0.0, |row| row.iter().sum());
            ((statistics.metric.as_str(), statistics.call_path), cost)
        })
        .collect();
    by_cost.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut left = BESIDES_FINDINGS;
    for ((metric, path), _) in by_cost {
        if left > 0 && choose(metric, path) {
            left -= 1;
        }
    }
    chosen
        .into_iter()
        .map(|((metric, call_path), worst)| instance_times(metric, call_path, worst, times))
        .collect()
}

fn instance_times(metric: &str, call_path: usize, worst: &Worst, times: &Times) -> InstanceTimes {
    let members = worst.members.iter().map(|&(thread, span)| MemberTime {
        thread,
        begin_seconds: times.at(span.begin),
        end_seconds: times.at(span.end),
    });
    let waits = worst.waits.iter().map(|wait| {
        let parts = wait.parts.iter();
        WaitTime {
            thread: wait.thread,
            against: wait.against,
            begin_seconds: times.at(wait.span.begin),
            end_seconds: times.at(wait.span.end),
            parts: parts
                .map(|part| (times.at(part.begin), times.at(part.end)))
                .collect(),
        }
    });
    InstanceTimes {
        metric: metric.to_owned(),
        call_path,
        last_thread: worst.culprit.unwrap_or(0),
        members: members.collect(),
        waits: waits.collect(),
    }
}
