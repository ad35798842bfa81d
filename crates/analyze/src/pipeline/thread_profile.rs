//! The profile of one thread, made by the process that has read its stream to the end, when the
//! numbers of the thread's call paths in the common tree are known.

use pgas_earl::walker::{Anomaly, PathTotals};
use pgas_earl::{EventSource, PathId};

use super::reading::Reader;
use crate::model::thread_end::End;
use crate::model::time_class::{Bytes, Class};
use crate::model::wording;
use crate::threads::profile::{Oddity, Summed, ThreadProfile};

/// The profile of a thread whose stream was read to its end. `names` are the common numbers of its
/// paths, of `paths` that there are in all.
pub(crate) fn profile<S: EventSource>(
    reader: &Reader<S>,
    names: &[PathId],
    paths: usize,
) -> ThreadProfile {
    let walker = reader.walker();
    let position = walker.position();
    let mut totals = vec![PathTotals::default(); paths];
    for (number, own) in walker.totals().iter().enumerate() {
        let common = &mut totals[names[number].index()];
        common.ticks += own.ticks;
        common.visits += own.visits;
    }
    if position.span.is_none() {
        totals[PathId::PROGRAM.index()].visits = 0;
    }
    let mut bytes = vec![Bytes::default(); paths];
    let accesses = reader.accesses().result(|path: PathId| names[path.index()]);
    for (path, at) in &accesses.paths {
        bytes[path.index()] = at.bytes(walker.thread());
    }
    let cut = walker.depth() > 0 && !position.program_ended;
    let end = reader.end(names);
    let calls = reader.calls(names, end == End::Left);
    ThreadProfile {
        span: position.span,
        events: position.events,
        totals,
        bytes,
        accesses,
        ends_in: cut.then(|| names[walker.current_path().index()]),
        end,
        program_ended: position.program_ended && end == End::Left,
        is_numbered: reader.is_numbered(),
        rest: reader.rest(),
        pauses: reader.pauses(),
        calls,
        oddities: oddities(walker),
        last_exits: last_exits(reader, names),
        counters: Vec::new(),
        summed: Summed::default(),
    }
}

fn last_exits<S: EventSource>(reader: &Reader<S>, names: &[PathId]) -> Vec<(PathId, u64)> {
    let walker = reader.walker();
    let can_be_throttled = |path: usize| {
        let site = walker.tree().node(PathId(path as u32)).site;
        let operation = site.map(|site| walker.sites().operation(site));
        Class::THROTTLED.contains(&Class::of(operation))
    };
    let mut all: Vec<(PathId, u64)> = reader
        .last_exits()
        .iter()
        .enumerate()
        .filter(|&(path, &time)| time > 0 && can_be_throttled(path))
        .map(|(path, &time)| (names[path], time))
        .collect();
    all.sort_unstable();
    all
}

fn oddities(walker: &pgas_earl::Walker) -> Vec<Oddity> {
    let anomalies = walker.anomalies();
    let kinds: [(&'static str, &Anomaly); 6] = [
        (
            "exits of regions that were not entered, which are ignored",
            &anomalies.unmatched_exits,
        ),
        (
            "regions that were left without an exit, which end with the region around them",
            &anomalies.unwound_regions,
        ),
        (
            "regions in call paths of more than 10,000, which are cut there",
            &anomalies.deep_regions,
        ),
        (
            "calls on more than 65,536 different call paths, which count as called from the \
             program",
            &anomalies.crowded_regions,
        ),
        (
            "upc_wait without a upc_notify before, which are no barriers",
            &anomalies.waits_without_notify,
        ),
        (
            "upc_notify without a upc_wait, which are no barriers",
            &anomalies.notifies_without_wait,
        ),
    ];
    let found = kinds.into_iter().filter_map(|(what, anomaly)| {
        let (first_time, site) = anomaly.first?;
        Some(Oddity {
            what: what.into(),
            count: anomaly.count,
            first_time,
            place: wording::place(walker.sites().site(site)),
        })
    });
    found.collect()
}
