//! Time of counted accesses: their numbers are exact, the time is an estimate from samples, at most
//! that of the lines that make them.
//!
//! Which instructions are those of an access is known of some: the compiler moves the arithmetic of
//! addresses into that of the loop, and an instruction that waits for data counts as the one that
//! needs it. So the time is somewhere from that of the samples within the code of accesses to that of
//! all samples at the line, without what the line calls.

use std::collections::BTreeMap;

use pgas_cube::model::CallPathId;
use pgas_earl::PathId;
use pgas_result::sampling::{SampledAccesses, ThreadAccesses};
use pgas_trace::model::ThreadId;

use super::collect::{Collected, Part, Parts};
use super::times::PathTimes;
use crate::pipeline::search::Found;
use crate::threads::one_sided::direction;
use crate::threads::one_sided::traffic::Direction;

/// Call path that makes the accesses, file and line.
type Place<'a> = (PathId, &'a str, u32);

/// Counted accesses by line.
pub(super) fn search(
    found: &Found,
    collected: &Collected,
    times: &PathTimes,
    places: &[CallPathId],
) -> Vec<SampledAccesses> {
    let paths = found.matcher.paths();
    let threads = found.threads.len();
    let mut counted: BTreeMap<Place, SampledAccesses> = BTreeMap::new();
    for (thread, profile) in found.threads.iter().enumerate() {
        for calls in profile.summed.throttled.iter().filter(|c| c.is_counted()) {
            let (Some(site), Some(at)) = (
                paths.site(calls.path),
                profile.accesses.paths.get(&calls.path),
            ) else {
                continue;
            };
            let caller = paths.node(calls.path).parent;
            let place = (caller, site.file.as_str(), site.line);
            let entry = counted.entry(place).or_insert_with(|| SampledAccesses {
                call_path: places[caller.index()].0,
                file: site.file.clone(),
                line: site.line,
                accesses: 0,
                reads: 0,
                bytes: 0,
                remote_accesses: 0,
                remote_bytes: 0,
                time: times.time([]),
                by_thread: vec![ThreadAccesses::default(); threads],
            });
            let (all, remote) = (at.all(), at.remote(thread as ThreadId));
            entry.accesses = entry.accesses.saturating_add(all.accesses);
            if direction(site.operation) == Direction::Get {
                entry.reads = entry.reads.saturating_add(all.accesses);
            }
            entry.bytes = entry.bytes.saturating_add(all.bytes);
            entry.remote_accesses = entry.remote_accesses.saturating_add(remote.accesses);
            entry.remote_bytes = entry.remote_bytes.saturating_add(remote.bytes);
            let own = &mut entry.by_thread[thread];
            own.accesses = own.accesses.saturating_add(all.accesses);
            own.remote_accesses = own.remote_accesses.saturating_add(remote.accesses);
        }
    }
    let within = by_place(&collected.accesses);
    let at_line = by_place(&collected.at_lines);
    let mut all: Vec<SampledAccesses> = Vec::with_capacity(counted.len());
    for (place, mut entry) in counted {
        let parts = at_line.get(&place).map_or(&[][..], |parts| parts);
        for (thread, part) in parts {
            entry.by_thread[*thread].seconds = times.seconds(place.0, *part);
        }
        let least = within
            .get(&place)
            .map_or(0.0, |parts| times.bounds(place.0, sum(parts)).low_seconds);
        if !parts.is_empty() {
            entry.time = times.time([(place.0, sum(parts))]);
        }
        if let Some(of_line) = &mut entry.time.estimate {
            of_line.low_seconds = least.min(of_line.low_seconds);
        }
        all.push(entry);
    }
    all.sort_by(|a, b| {
        let by_time = b.time.seconds().total_cmp(&a.time.seconds());
        by_time.then(b.accesses.cmp(&a.accesses))
    });
    all.truncate(super::AT_MOST);
    all
}

fn by_place(parts: &Parts<(String, u32, usize)>) -> BTreeMap<Place<'_>, Vec<(usize, Part)>> {
    let mut by_place: BTreeMap<Place, Vec<(usize, Part)>> = BTreeMap::new();
    for ((path, (file, line, thread)), part) in parts {
        let of_place = by_place.entry((*path, file.as_str(), *line)).or_default();
        of_place.push((*thread, *part));
    }
    by_place
}

fn sum(parts: &[(usize, Part)]) -> Part {
    parts.iter().fold(Part::default(), |sum, (_, part)| Part {
        samples: sum.samples + part.samples,
        nanoseconds: sum.nanoseconds + part.nanoseconds,
    })
}
