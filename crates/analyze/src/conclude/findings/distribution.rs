//! Findings on arrays that are distributed otherwise than they are used; they stand for all
//! findings on the accesses concerned, and what threads wait for such accesses refers to them.

use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::accesses::{Accesses, ArrayLayout, DistributionPlace};
use pgas_result::sampling::SampledAccesses;
use pgas_result::summary::{Finding, FindingKind};

use super::Evidence;
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::detectors::wait_states::severities::Entry;
use crate::model::wording;

/// Share of a call path's accesses from which on the arrays' findings are enough for it.
const MOSTLY: f64 = 0.5;
/// Share of waiting from which on it is due to the accesses.
const DUE: f64 = 0.5;

/// Findings on arrays, and the call paths whose accesses these explain.
pub(super) struct Distributions {
    pub findings: Vec<Finding>,
    /// Of the arrays, or where they were allocated.
    names: Vec<String>,
    /// Share of the accesses at a call path that go to such arrays.
    parts: BTreeMap<PathId, f64>,
    /// Seconds of counted accesses to such arrays, by the call path that makes them.
    counted: BTreeMap<PathId, f64>,
}

impl Distributions {
    pub fn new(evidence: &Evidence, accesses: &Accesses) -> Self {
        let mut parts: BTreeMap<PathId, f64> = BTreeMap::new();
        let mut counted: BTreeMap<PathId, f64> = BTreeMap::new();
        for place in accesses.distributions.iter().flat_map(|d| &d.places) {
            let path = evidence.path_of(place.call_path);
            let part = parts.entry(path).or_default();
            *part = (*part + place.percent / 100.0).min(1.0);
            if evidence.is_counted(path) {
                *counted.entry(evidence.maker(path)).or_default() += place.seconds;
            }
        }
        let arrays = accesses.distributions.iter();
        let findings = arrays.filter_map(|array| finding(evidence, array));
        let names = accesses
            .distributions
            .iter()
            .map(|array| match array.name.as_str() {
                "" => format!(
                    "the memory allocated at {}",
                    wording::line_of(&array.file, array.line)
                ),
                name => name.to_owned(),
            });
        Distributions {
            findings: findings.collect(),
            names: names.collect(),
            parts,
            counted,
        }
    }

    /// Upper limit of the saving of fixing them all, in seconds.
    pub fn saving(&self) -> f64 {
        let savings = self.findings.iter().filter_map(|f| f.saves_seconds);
        savings.fold(0.0, f64::max)
    }

    /// Whether nothing is left to say about the counted accesses of a line.
    pub fn explain_line(&self, evidence: &Evidence, at: &SampledAccesses) -> bool {
        let maker = evidence.path_of(at.call_path);
        let of_line = |path: &PathId| {
            let site = evidence.paths().site(*path);
            evidence.maker(*path) == maker
                && site.is_some_and(|site| site.line == at.line && site.file == at.file)
        };
        self.parts
            .keys()
            .any(|path| of_line(path) && self.explain(*path))
    }

    /// Whether nothing is left to say about the accesses of a call path.
    pub fn explain(&self, path: PathId) -> bool {
        self.parts.get(&path).is_some_and(|&part| part >= MOSTLY)
    }

    /// Lets findings on waiting that is due to these accesses refer to them. Returns the places (in
    /// the cube) and metrics of these.
    pub fn refer(&self, evidence: &Evidence, waits: &mut [Finding]) -> Vec<(usize, String)> {
        let arrays = match &self.names[..] {
            [] => return Vec::new(),
            [only] => only.clone(),
            [first, second] => format!("{first} and {second}"),
            [first, second, more @ ..] => format!("{first}, {second} and {} more", more.len()),
        };
        let mut due = Vec::new();
        for (number, pattern) in PATTERNS.iter().enumerate() {
            for (path, entry) in evidence.found.matcher.severities().entries(number) {
                let share = self.share(evidence, entry);
                if share >= DUE {
                    due.push((
                        evidence.places[path.index()].0,
                        pattern.id.to_owned(),
                        share,
                    ));
                }
            }
        }
        let is = |wait: &Finding, place: usize, metric: &str| {
            wait.kind == FindingKind::Wait && wait.call_path == place && wait.metric == metric
        };
        for (place, metric, share) in &due {
            for wait in waits.iter_mut().filter(|wait| is(wait, *place, metric)) {
                wait.advice = format!(
                    "First fix the distribution of {arrays}, a finding of its own: {} of the \
                     waiting here is for threads that access elements of other threads there.",
                    wording::percent(*share)
                );
            }
        }
        due.into_iter()
            .map(|(place, metric, _)| (place, metric))
            .collect()
    }

    /// Share of the waiting that is for such accesses. While calls are throttled, their time was
    /// that of their caller.
    fn share(&self, evidence: &Evidence, entry: &Entry) -> f64 {
        let due = entry.causes.iter().map(|(&(path, _), blame)| {
            let part = self.parts.get(&path).copied();
            blame.total() as f64 * part.unwrap_or_else(|| self.throttled(evidence, path))
        });
        due.sum::<f64>() / entry.total().max(1) as f64
    }

    /// Share of such accesses in the time of a call path and its throttled and counted calls.
    fn throttled(&self, evidence: &Evidence, path: PathId) -> f64 {
        let counted = self.counted.get(&path).copied().unwrap_or(0.0);
        let (mut all, mut due) = (0.0, counted / evidence.times.per_tick);
        for thread in &evidence.found.threads {
            all += thread.totals[path.index()].ticks as f64;
            for throttled in &thread.summed.throttled {
                if evidence.paths().node(throttled.path).parent == path {
                    let part = self.parts.get(&throttled.path).copied();
                    all += throttled.ticks as f64;
                    due += throttled.ticks as f64 * part.unwrap_or(0.0);
                }
            }
        }
        match all > 0.0 {
            true => (due / all).min(1.0),
            false => 0.0,
        }
    }
}

fn finding(evidence: &Evidence, array: &ArrayLayout) -> Option<Finding> {
    let most = |a: &&DistributionPlace, b: &&DistributionPlace| a.seconds.total_cmp(&b.seconds);
    let main = array.places.iter().max_by(most)?;
    let path = evidence.path_of(main.call_path);
    let ticks = |seconds: f64| seconds / evidence.times.per_tick;
    let mut by_thread: BTreeMap<u32, f64> = BTreeMap::new();
    for share in array.places.iter().flat_map(|place| &place.threads) {
        *by_thread.entry(share.thread).or_default() += share.seconds;
    }
    let (&thread, &longest) = by_thread.iter().max_by(|a, b| a.1.total_cmp(b.1))?;
    let all: f64 = array.places.iter().map(|place| place.seconds).sum();
    // The time of counted accesses is computing of the call path that makes them.
    let is_counted = evidence.is_counted(path);
    let (metric, whose) = match is_counted {
        true => ("computation", evidence.maker(path)),
        false => ("one_sided", path),
    };
    let mut finding = evidence.finding(metric, whose, ticks(main.seconds));
    finding.kind = FindingKind::WrongSide;
    if let Some(site) = evidence.paths().site(path) {
        finding.region = site.region_name().into();
        (finding.file, finding.line) = (site.file.clone(), site.line);
    }
    finding.culprit_thread = Some(thread);
    let critical = array.places.iter().map(|place| {
        let path = evidence.path_of(place.call_path);
        if !evidence.is_counted(path) {
            return Some(evidence.saved_at(path)? * place.percent / 100.0);
        }
        let mut by_thread = vec![0.0; evidence.found.threads.len()];
        for share in &place.threads {
            by_thread[share.thread as usize] = share.seconds;
        }
        evidence.saved_in(evidence.maker(path), &by_thread)
    });
    let critical: Option<f64> = critical.sum();
    finding.saves_seconds = match evidence.saving(critical) {
        Some(critical) => Some(longest.min(critical)),
        None => Some(longest),
    };
    let (fault, of) = match (array.loops_follow, array.own_recorded) {
        (true, _) => (
            "deals out neighbours to different threads: loops give each thread its own elements, \
             and it accesses those next to them",
            " to other threads' data",
        ),
        (false, true) => (
            "gives threads other elements than those that they work on",
            "",
        ),
        (false, false) => (
            "gives threads other elements than those that they work on",
            " to other threads' data",
        ),
    };
    finding.cause = format!(
        "{} ({}, {} elements of {} bytes, block size {}) {fault}. Of {} sampled accesses{of}, {} \
         would be local with block size {} (95 % interval: {} to {}).",
        name(array),
        wording::line_of(&array.file, array.line),
        array.elements,
        array.element_bytes,
        array.block,
        array.samples,
        wording::percent(array.local_percent / 100.0),
        array.better_block,
        wording::percent(array.low_percent / 100.0),
        wording::percent(array.high_percent / 100.0),
    );
    if !array.own_recorded && !array.loops_follow {
        finding.cause += " Accesses to a thread's own elements were not recorded.";
    }
    let others = array.places.len() - 1;
    if others > 0 {
        finding.cause += &format!(
            " It is accessed at {} more: all {} accesses together take {}{}.",
            match others {
                1 => "1 place".to_owned(),
                n => format!("{n} places"),
            },
            array
                .places
                .iter()
                .flat_map(|p| &p.threads)
                .map(|t| t.accesses)
                .sum::<u64>(),
            wording::seconds(all),
            match is_counted {
                true => " at most, the time of their lines by samples",
                false => "",
            }
        );
    }
    finding.advice = advice(array);
    Some(finding)
}

fn name(array: &ArrayLayout) -> String {
    match array.name.as_str() {
        "" => "Shared memory allocated here".to_owned(),
        name => format!("Array {name}"),
    }
}

fn advice(array: &ArrayLayout) -> String {
    let block = array.better_block;
    let size = match (array.one_block_each, array.better_block) {
        (true, _) => format!("one block for each thread: shared [*], here [{block}]"),
        (_, 1) => "block size 1: shared without a layout qualifier".to_owned(),
        _ => format!("block size {block}: shared [{block}]"),
    };
    let (which, follow) = match array.loops_follow {
        true => (
            ", and the arrays that the same loops use at the same index,",
            " The loops (upc_forall by an element) then give each thread its block.",
        ),
        false => ("", ""),
    };
    match array.name.as_str() {
        "" => format!(
            "Allocate it{which} in blocks of {} bytes, with pointers of the block size {block}, \
             so that each thread owns what it works on.{follow}",
            block.saturating_mul(array.element_bytes)
        ),
        name => format!(
            "Declare {name}{which} with {size}, so that each thread owns the elements that it \
             works on.{follow}"
        ),
    }
}
