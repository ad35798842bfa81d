//! Blind spots that the events themselves show: what was throttled or only summed up, where
//! recording was off, and where synchronisations of the threads do not match.

use pgas_earl::Matched;
use pgas_result::withheld::{BlindSpot, BlindSpotKind};
use pgas_trace::model::{Operation, ThreadId};

use crate::conclude::extent::wait_states;
use crate::model::time_class::Class;
use crate::model::wording;
use crate::pipeline::search::Found;
use crate::threads::profile::ThreadProfile;
use pgas_result::recording::WaitStates;

/// Blind spots of what was found.
pub fn blind_spots(found: &Found) -> Vec<BlindSpot> {
    let mut spots = Vec::new();
    let mut add = |kind, text: String| spots.push(BlindSpot { kind, text });
    if let Some(operation) = throttled(found, false) {
        let text = format!(
            "calls of {operation} were throttled: counted, but not recorded one by one; record \
             with --throttle off"
        );
        add(BlindSpotKind::Throttled, text);
    }
    if let Some(operation) = throttled(found, true) {
        let text = format!(
            "accesses ({operation}) were counted where they happen, not recorded one by one; \
             compile with --accesses all"
        );
        add(BlindSpotKind::Counted, text);
    }
    let unplaced = threads(found, |thread| thread.summed.unplaced > 0);
    if !unplaced.is_empty() {
        let text = format!(
            "the recorder had no room for all call paths of {}; record with --throttle off",
            wording::threads(&unplaced)
        );
        add(BlindSpotKind::Throttled, text);
    }
    let paused = threads(found, |thread| thread.pauses > 0);
    if !paused.is_empty() {
        let text = format!(
            "recording was switched off by the program for a time on {}; run without that",
            wording::threads(&paused)
        );
        add(BlindSpotKind::Paused, text);
    }
    match wait_states(found) {
        WaitStates::All => {}
        WaitStates::None => add(
            BlindSpotKind::ProfileOnly,
            "the run was recorded as sums alone; run without --profile".to_owned(),
        ),
        WaitStates::UntilTraceEnds => add(
            BlindSpotKind::TraceLimit,
            "the trace ends at the limit of its size; run without --trace-limit, or with a larger \
             one"
            .to_owned(),
        ),
    }
    let unnumbered = threads(found, |thread| !thread.is_numbered);
    if !unnumbered.is_empty() {
        let text = format!("events of {} are missing", wording::threads(&unnumbered));
        add(BlindSpotKind::Lost, text);
    }
    if is_unmatched(found) {
        let text =
            "not all threads recorded the same barriers and collective operations".to_owned();
        add(BlindSpotKind::Unmatched, text);
    }
    spots
}

/// Whether threads wait for each other anywhere but at the end of the program.
pub fn synchronizes(found: &Found) -> bool {
    let paths = found.matcher.paths();
    let mut operations = paths.nodes().iter().enumerate().map(|(number, node)| {
        let path = pgas_earl::PathId(number as u32);
        (paths.operation(path), paths.operation(node.parent))
    });
    operations.any(|(operation, parent)| {
        let class = Class::of(operation);
        let ends = [operation, parent].contains(&Some(Operation::CollectiveExit));
        matches!(class, Class::Barrier | Class::Collective) && !ends
    })
}

/// An operation that was throttled, or counted by the program, and by which threads may depend on
/// each other.
fn throttled(found: &Found, is_counted: bool) -> Option<&str> {
    let paths = found.matcher.paths();
    let throttled = found.threads.iter().flat_map(|t| &t.summed.throttled);
    let throttled = throttled.filter(|calls| calls.is_counted() == is_counted);
    let mut sites = throttled.filter_map(|throttled| paths.site(throttled.path));
    let site = sites.find(|site| {
        let class = Class::of(Some(site.operation));
        let harmless = matches!(site.operation, Operation::Alloc | Operation::Fence);
        !harmless
            && !matches!(
                class,
                Class::Computation | Class::NoCore | Class::Measurement
            )
    })?;
    Some(site.region_name())
}

fn threads(found: &Found, is: impl Fn(&ThreadProfile) -> bool) -> Vec<ThreadId> {
    let threads = found.threads.iter().enumerate();
    let some = threads.filter(|(_, thread)| is(thread));
    some.map(|(thread, _)| thread as ThreadId).collect()
}

fn is_unmatched(found: &Found) -> bool {
    let matcher = &found.matcher;
    let is_unmatched = |kind| {
        let left = matcher.unmatched(kind).into_iter();
        let mut all = left.chain([matcher.partial(kind)]);
        all.any(|unmatched| unmatched.count > 0)
    };
    matcher.detectors().agreement.disagreement().is_some()
        || [Matched::Barrier, Matched::Collective]
            .into_iter()
            .any(is_unmatched)
}
