//! From numbers of samples to seconds with their intervals.

use std::collections::BTreeMap;

use pgas_cube::model::CallPathId;
use pgas_earl::PathId;
use pgas_result::sampling::{
    CodePlace, Estimate, LibraryTime, OtherLines, PlaceTime, SampledLine, SampledPath,
    SampledStack, SampledTime, ThreadPart,
};

use super::collect::{Collected, Innermost, Part, Parts};
use super::{AT_MOST, LEAST_SHARE};
use crate::conclude::accesses::interval;
use crate::model::clock::Times;
use crate::pipeline::search::Found;

/// Samples from which on there is an estimate.
pub(super) const ENOUGH: u64 = 5;
/// Share of a call path's time that the samples must come to, for all of it to be distributed. What
/// is missing otherwise was no computing: the thread had no core, or was in the kernel.
const COVERED: f64 = 0.9;

/// The time of each call path that is distributed to its samples.
pub(super) struct PathTimes {
    paths: BTreeMap<PathId, PathTime>,
    /// Seconds that samples are missing for.
    missing: f64,
}

struct PathTime {
    part: Part,
    seconds: f64,
    /// Seconds of it that are not distributed.
    rest: f64,
}

impl PathTimes {
    pub fn new(found: &Found, times: &Times, collected: &Collected, missing: f64) -> Self {
        let time = |(&path, &part): (&PathId, &Part)| {
            let threads = found.threads.iter();
            let ticks = threads.map(|thread| thread.totals[path.index()].ticks as f64);
            let exact = times.length(ticks.sum());
            let sampled = part.nanoseconds * 1e-9;
            // Where samples are missing, what is not covered may well have been computing.
            let seconds = if missing == 0.0 && sampled >= COVERED * exact {
                exact
            } else {
                sampled.min(exact)
            };
            let rest = (exact - seconds).max(0.0);
            (
                path,
                PathTime {
                    part,
                    seconds,
                    rest,
                },
            )
        };
        PathTimes {
            paths: collected.paths.iter().map(time).collect(),
            missing,
        }
    }

    /// Seconds of all call paths.
    pub fn total(&self) -> f64 {
        self.paths.values().map(|time| time.seconds).sum()
    }

    pub fn summary(&self, places: &[CallPathId]) -> Vec<SampledPath> {
        let entries = self.paths.iter().map(|(path, time)| SampledPath {
            call_path: places[path.index()].0,
            samples: time.part.samples,
            seconds: time.seconds,
            sampled_seconds: time.part.nanoseconds * 1e-9,
            missing_seconds: time.rest.min(self.missing),
        });
        let mut entries: Vec<SampledPath> = entries.collect();
        entries.sort_by(|a, b| {
            b.seconds
                .total_cmp(&a.seconds)
                .then(a.call_path.cmp(&b.call_path))
        });
        entries
    }

    /// The time of some samples of a call path, however few.
    pub fn seconds(&self, path: PathId, part: Part) -> f64 {
        let time = &self.paths[&path];
        time.seconds * part.nanoseconds / time.part.nanoseconds.max(1.0)
    }

    /// Time of some samples of a call path, however few, with its interval.
    pub fn bounds(&self, path: PathId, part: Part) -> Estimate {
        let time = &self.paths[&path];
        let share = (part.nanoseconds / time.part.nanoseconds.max(1.0)).min(1.0);
        let (low, high) = interval(share, time.part.samples.max(1) as f64);
        Estimate {
            seconds: share * time.seconds,
            low_seconds: low * time.seconds,
            high_seconds: high * time.seconds,
        }
    }

    /// The time of samples of several call paths. Each has its own share and interval; the
    /// distances of bounds from estimates, which are independent of each other, are added as
    /// variances are. Of missing samples, all may be of these call paths.
    pub fn time(&self, parts: impl IntoIterator<Item = (PathId, Part)>) -> SampledTime {
        let mut samples = 0;
        let mut sum = Estimate {
            seconds: 0.0,
            low_seconds: 0.0,
            high_seconds: 0.0,
        };
        let (mut below, mut above, mut rest) = (0.0, 0.0, 0.0);
        for (path, part) in parts {
            rest += self.paths[&path].rest;
            samples += part.samples;
            let one = self.bounds(path, part);
            sum.seconds += one.seconds;
            below += (one.seconds - one.low_seconds).powi(2);
            above += (one.high_seconds - one.seconds).powi(2);
        }
        sum.low_seconds = (sum.seconds - f64::sqrt(below)).max(0.0);
        sum.high_seconds = sum.seconds + f64::sqrt(above) + rest.min(self.missing);
        SampledTime {
            samples,
            estimate: (samples >= ENOUGH).then_some(sum),
        }
    }

    /// Sums over call paths by the other part of the key.
    pub fn over_paths<K: Ord + Clone>(&self, parts: &Parts<K>) -> BTreeMap<K, SampledTime> {
        let mut by_key: BTreeMap<&K, Vec<(PathId, Part)>> = BTreeMap::new();
        for ((path, key), part) in parts {
            by_key.entry(key).or_default().push((*path, *part));
        }
        let times = by_key.into_iter();
        times
            .map(|(key, parts)| (key.clone(), self.time(parts)))
            .collect()
    }
}

/// Lines by call path, and the sum of those that are left out.
pub(super) fn lines(
    collected: &Collected,
    times: &PathTimes,
    places: &[CallPathId],
    total: f64,
) -> (Vec<SampledLine>, OtherLines) {
    let entries = collected.lines.iter().map(|((path, innermost), part)| {
        let (place, module, called_at) = match innermost {
            Innermost::Line { place, module } => (place.clone(), module, CodePlace::default()),
            Innermost::Library(library) => {
                let place = CodePlace {
                    function: library.function.clone(),
                    ..CodePlace::default()
                };
                (place, &library.module, library.called_at.clone())
            }
        };
        let line = SampledLine {
            call_path: places[path.index()].0,
            place,
            module: module.clone(),
            called_at,
            time: times.time([(*path, *part)]),
        };
        (times.seconds(*path, *part), line)
    });
    let mut entries: Vec<(f64, SampledLine)> = entries.collect();
    entries.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut others = OtherLines::default();
    let mut lines = Vec::new();
    for (seconds, line) in entries {
        if lines.len() < AT_MOST && seconds >= LEAST_SHARE * total {
            lines.push(line);
        } else {
            others.lines += 1;
            others.samples += line.time.samples;
            others.seconds += seconds;
        }
    }
    (lines, others)
}

/// Lines over all call paths.
pub(super) fn places(collected: &Collected, times: &PathTimes, total: f64) -> Vec<PlaceTime> {
    let all = times.over_paths(&collected.places).into_iter();
    let entries = all.map(|((file, line), time)| PlaceTime { file, line, time });
    most(entries, |entry| entry.time.seconds(), total)
}

pub(super) fn libraries(
    collected: &Collected,
    times: &PathTimes,
    places: &[CallPathId],
    total: f64,
) -> Vec<LibraryTime> {
    let entries = collected.libraries.iter();
    let entries = entries.map(|((path, library), part)| LibraryTime {
        call_path: places[path.index()].0,
        function: library.function.clone(),
        module: library.module.clone(),
        called_at: library.called_at.clone(),
        time: times.time([(*path, *part)]),
    });
    most(entries, |entry| entry.time.seconds(), total)
}

/// Parts of stacks by thread, at most.
const MOST_PARTS: usize = 10_000;

/// Stacks with most time.
pub(super) fn stacks(
    collected: &Collected,
    times: &PathTimes,
    places: &[CallPathId],
) -> Vec<SampledStack> {
    let mut stacks: BTreeMap<(PathId, &Vec<CodePlace>), Vec<ThreadPart>> = BTreeMap::new();
    for ((path, (frames, thread)), part) in &collected.stacks {
        let parts = stacks.entry((*path, frames)).or_default();
        parts.push(ThreadPart {
            thread: *thread as u32,
            seconds: times.seconds(*path, *part),
        });
    }
    let entries = stacks
        .into_iter()
        .map(|((path, frames), threads)| SampledStack {
            call_path: places[path.index()].0,
            frames: frames.clone(),
            threads,
        });
    let mut entries: Vec<SampledStack> = entries.collect();
    let seconds = |stack: &SampledStack| -> f64 { stack.threads.iter().map(|t| t.seconds).sum() };
    entries.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
    let mut parts = 0;
    entries.retain(|stack| {
        parts += stack.threads.len();
        parts <= MOST_PARTS
    });
    entries
}

/// Entries that are worth their place, most time first.
pub(super) fn most<T>(
    entries: impl Iterator<Item = T>,
    seconds: impl Fn(&T) -> f64,
    total: f64,
) -> Vec<T> {
    let is_notable = |entry: &T| seconds(entry) > 0.0 && seconds(entry) >= LEAST_SHARE * total;
    let mut entries: Vec<T> = entries.filter(is_notable).collect();
    entries.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
    entries.truncate(AT_MOST);
    entries
}
