//! Effect of a run on several nodes on the figures: the accuracy of the comparison of their clocks,
//! and the share of the waiting that is too short to be distinguished from clock errors.

use pgas_result::clocks::{ClockSummary, ClockViolations, NodeClock};
use pgas_trace::model::ThreadId;

use crate::conclude::description::Description;
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::clock::Times;
use crate::model::wording;
use crate::pipeline::search::Found;

/// Share of the waiting from which on what is below the uncertainty is worth a remark.
const NOTABLE: f64 = 0.01;

/// Clocks of the run; `None` if there is only one.
pub fn clocks(found: &Found, times: &Times, description: &Description) -> Option<ClockSummary> {
    let matcher = &found.matcher;
    if matcher.clocks().are_one() {
        return None;
    }
    let nodes = 0..matcher.clocks().nodes().len();
    let entries = || (0..PATTERNS.len()).flat_map(|number| matcher.severities().entries(number));
    let waiting: u64 = entries().map(|(_, entry)| entry.total()).sum();
    let below: u64 = entries().map(|(_, entry)| entry.below_uncertainty).sum();
    let violations = matcher.detectors().clock_violations.found();
    let largest = violations.worst.map_or(0, |(ticks, _)| ticks);
    Some(ClockSummary {
        method: matcher.clocks().method().name().to_owned(),
        nodes: nodes.map(|node| node_clock(found, times, node)).collect(),
        waiting_seconds: times.length(waiting as f64),
        below_uncertainty_seconds: times.length(below as f64),
        held_events: description.held_events,
        violations: ClockViolations {
            barriers: violations.barriers,
            collectives: violations.collectives,
            locks: violations.locks,
            unexplained: violations.unexplained,
            largest_seconds: times.length(largest as f64),
        },
    })
}

fn node_clock(found: &Found, times: &Times, number: usize) -> NodeClock {
    let clocks = found.matcher.clocks();
    let node = &clocks.nodes()[number];
    let threads = || {
        let all = found.threads.iter().enumerate();
        all.filter(|(thread, _)| clocks.node_of(*thread as ThreadId) == number)
    };
    // Between comparisons it lies between what it is at them, before and after it grows: it is
    // largest at an end.
    let ends = threads()
        .filter_map(|(_, thread)| thread.span)
        .flat_map(|span| [span.begin, span.end]);
    let uncertainty = ends.map(|time| node.uncertainty(time)).fold(0.0, f64::max);
    let drift = node.correction().and_then(|correction| correction.drift());
    let exchanges = node.comparisons().iter().map(|c| c.exchanges);
    NodeClock {
        host: node.host().to_owned(),
        threads: threads().count() as u32,
        uncertainty_seconds: uncertainty.is_finite().then(|| times.length(uncertainty)),
        drift_ppm: drift.map(|drift| drift * 1e6),
        exchanges: exchanges.fold(0, u64::saturating_add),
    }
}

/// Remarks about clocks that limit how far the figures can be trusted.
pub fn clock_remarks(clocks: &ClockSummary) -> Vec<String> {
    let mut remarks = Vec::new();
    let share = clocks.share_below_uncertainty();
    if share >= NOTABLE {
        let known = match clocks.uncertainty_seconds() {
            Some(seconds) => format!("which are known to ±{}", wording::seconds(seconds)),
            None => "of which not all were compared".to_owned(),
        };
        remarks.push(format!(
            "{} of the waiting ({}) is shorter each time than the uncertainty of the clocks of \
             the nodes, {known}: it may be more, less or none",
            wording::percent(share),
            wording::seconds(clocks.below_uncertainty_seconds),
        ));
    }
    if clocks.held_events > 0 {
        remarks.push(format!(
            "{} events would have run backwards on their threads when the nodes' clocks were \
             corrected, and were held at the time of the event before: a clock was set while the \
             program ran",
            clocks.held_events
        ));
    }
    // Violations within the uncertainty are to be expected; the summary counts them.
    let violations = &clocks.violations;
    if violations.unexplained > 0 {
        remarks.push(format!(
            "by the clocks of the nodes, {} effects came before their causes ({} exits of \
             barriers and {} of collective operations before the last thread came, {} locks taken \
             before they were given back), the worst by {}, and {} of them by more than the \
             clocks' uncertainty: the clocks did not run evenly, and are worse than stated",
            violations.count(),
            violations.barriers,
            violations.collectives,
            violations.locks,
            wording::seconds(violations.largest_seconds),
            violations.unexplained,
        ));
    }
    remarks
}
