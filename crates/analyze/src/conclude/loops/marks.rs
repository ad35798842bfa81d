//! Where the recording of a loop changes: calls that are throttled from some time on, time in which
//! recording was off, and the end of the trace.

use pgas_result::phases::{Boundary, Mark, MarkReason};

use crate::conclude::extent::trace_end;
use crate::conclude::loops::throttling::{Ends, Missing};
use crate::detectors::iterations::choice::Chosen;
use crate::detectors::iterations::quantities::{self, DURATION, TIME};
use crate::model::clock::Times;
use crate::pipeline::search::Found;

/// A trace that ends this many of the longest iterations after the last known one ends in the loop.
const LATE: u64 = 2;

/// Gaps in the recording of a loop, in order of time: throttled operations, pauses and the end of
/// the trace.
pub(super) fn marks(found: &Found, times: &Times, chosen: &Chosen, ends: &Ends) -> Vec<Mark> {
    let mut marks = throttled(found, times, chosen, ends);
    let plain = |reason, after_iteration, at: u64, until: Option<u64>| Mark {
        reason,
        after_iteration,
        at_seconds: times.at(at),
        until_seconds: until.map(|until| times.at(until)),
        metrics: Vec::new(),
        region: String::new(),
        file: String::new(),
        line: 0,
    };
    let pauses = chosen.gaps.iter();
    marks.extend(pauses.map(|gap| {
        let until = Some(gap.end);
        plain(MarkReason::Paused, gap.after, gap.begin, until)
    }));
    let (_, end) = chosen.span;
    let late = LATE.saturating_mul(chosen.durations.most());
    let trace_end = trace_end(found).filter(|&at| at <= end.saturating_add(late));
    if let Some(at) = trace_end {
        let reason = MarkReason::TraceEnds;
        marks.push(plain(reason, chosen.iterations, at.max(end), None));
    } else if chosen.boundary == Boundary::Call && chosen.paused {
        marks.push(plain(MarkReason::Paused, chosen.iterations, end, None));
    }
    marks.sort_by(|a, b| a.at_seconds.total_cmp(&b.at_seconds));
    marks
}

/// One mark for each operation that ends some series.
fn throttled(found: &Found, times: &Times, chosen: &Chosen, ends: &Ends) -> Vec<Mark> {
    let mut causes: Vec<(Missing, Vec<String>)> = Vec::new();
    for quantity in (0..quantities::count()).filter(|q| ![DURATION, TIME].contains(q)) {
        let Some(missing) = ends.of_quantity(quantity) else {
            continue;
        };
        if missing.since >= chosen.span.1 {
            continue;
        }
        let metric = quantities::name(quantity).to_owned();
        match causes.iter_mut().find(|(known, _)| *known == missing) {
            Some((_, metrics)) => metrics.push(metric),
            None => causes.push((missing, vec![metric])),
        }
    }
    let width = chosen.series.width();
    let mark = |(missing, metrics): (Missing, Vec<String>)| {
        let site = found.matcher.paths().site(missing.path);
        let whole = chosen.series.bins_before(missing.since) as u64 * width;
        Mark {
            reason: MarkReason::Throttled,
            after_iteration: whole.min(chosen.iterations),
            at_seconds: times.at(missing.since),
            until_seconds: None,
            metrics,
            region: site.map_or_else(String::new, |site| site.region_name().into()),
            file: site.map_or_else(String::new, |site| site.file.clone()),
            line: site.map_or(0, |site| site.line),
        }
    };
    causes.into_iter().map(mark).collect()
}
