//! Findings from samples: counted accesses whose time is that of the samples within them, and where
//! the computing of a call path goes.

use pgas_earl::PathId;
use pgas_result::sampling::{LibraryTime, SampledAccesses, SampledLine, SampledTime};
use pgas_result::summary::{Finding, FindingKind};
use pgas_trace::model::{Operation, Site};

use super::Evidence;
use super::costs::scattered;
use crate::model::wording;

/// Share of a call path's computing from which on a place is named.
const NOTABLE: f64 = 0.3;
/// Share of the accesses to other threads' data below which accesses count as those to own data.
const REMOTE: f64 = 0.05;

/// Time that an access to data of the same node takes at most, in seconds.
const LONGEST_ACCESS: f64 = 1e-6;

/// Findings on single accesses that are counted, of which another finding does not tell already.
pub(super) fn findings(
    evidence: &Evidence,
    is_told: impl Fn(&SampledAccesses) -> bool,
) -> Vec<Finding> {
    let accesses = evidence.sampling.into_iter().flat_map(|s| &s.accesses);
    let untold = accesses.filter(|at| !is_told(at));
    untold.filter_map(|at| finding(evidence, at)).collect()
}

fn finding(evidence: &Evidence, at: &SampledAccesses) -> Option<Finding> {
    let estimate = at.time.estimate?;
    let ticks = estimate.seconds / evidence.times.per_tick;
    let path = evidence.path_of(at.call_path);
    let far = evidence.far_part(evidence.accesses_at(path, &at.file, at.line));
    let most = match far.is_empty() {
        true => LONGEST_ACCESS * at.accesses as f64 / evidence.times.per_tick,
        false => ticks,
    };
    if !evidence.is_notable(ticks.min(most)) {
        return None;
    }
    let reads = 2 * at.reads >= at.accesses;
    let operation = match reads {
        true => Operation::Get,
        false => Operation::Put,
    };
    let site = Site::operation(operation, &at.file, at.line);
    let remote = at.remote_accesses as f64 / at.accesses.max(1) as f64;
    let own = remote < REMOTE;
    if own && evidence.sampled.is_direct(&at.file, at.line) {
        return None;
    }
    let mut finding = evidence.finding("computation", path, ticks);
    finding.kind = match own {
        true => FindingKind::OwnAffinity,
        false => FindingKind::FineGrained,
    };
    finding.region = site.region_name().into();
    (finding.file, finding.line) = (at.file.clone(), at.line);
    let (thread, longest) = (0u32..)
        .zip(at.by_thread.iter().map(|thread| thread.seconds))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    finding.culprit_thread = Some(thread);
    let by_thread: Vec<f64> = at.by_thread.iter().map(|thread| thread.seconds).collect();
    let most = evidence.saving(evidence.saved_in(path, &by_thread));
    finding.saves_seconds = Some(most.map_or(longest, |most| longest.min(most)));
    let writes = at.accesses - at.reads;
    let what: Vec<String> = [(at.reads, "read", "reads"), (writes, "write", "writes")]
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| match number {
            1 => format!("1 {one}"),
            _ => format!("{number} {many}"),
        })
        .collect();
    finding.cause = format!(
        "{} of {} each, one at a time, {} of them to data of other threads. By samples the line takes \
         {} without counting them, {} for each, and the accesses between {} and {}.",
        what.join(" and "),
        wording::bytes(at.bytes as f64 / at.accesses.max(1) as f64),
        wording::percent(remote),
        wording::seconds(estimate.seconds),
        wording::seconds(estimate.seconds / at.accesses.max(1) as f64),
        wording::seconds(estimate.low_seconds),
        wording::seconds(estimate.high_seconds),
    );
    finding.cause += &far;
    let means = evidence.means(path);
    finding.advice = match own {
        true => means.own_access.into(),
        false => {
            let pattern = evidence.sampled.use_at(&site);
            scattered(means, &pattern, reads, &mut finding)
        }
    };
    Some(finding)
}

impl Evidence<'_> {
    /// " Of it, 88 % (85 % to 91 %) is in qsort called at ssort.upc:81." if one place has much of the
    /// computing at a call path; empty otherwise.
    pub(super) fn hottest(&self, path: PathId) -> String {
        let hottest = self.hottest_place(path);
        hottest.map_or_else(String::new, |words| format!(" Of its computing, {words}."))
    }

    /// The same within a sentence: " (of it, 88 % ...)".
    pub(super) fn hottest_aside(&self, path: PathId) -> String {
        let hottest = self.hottest_place(path);
        hottest.map_or_else(String::new, |words| format!(" (of it, {words})"))
    }

    fn hottest_place(&self, path: PathId) -> Option<String> {
        let sampling = self.sampling?;
        let place = self.places[path.index()].0;
        let mut paths = sampling.call_paths.iter();
        let path = paths.find(|own| own.call_path == place)?;
        let whole = path.seconds + path.missing_seconds;
        let library = sampling.libraries.iter();
        let library = library.filter(|own| own.call_path == place);
        let line = sampling.lines.iter().filter(|own| own.call_path == place);
        let candidates = [
            library.map(|own| (own.time, in_library(own))).next(),
            line.map(|own| (own.time, in_line(own))).next(),
        ];
        candidates.into_iter().flatten().find_map(|(time, words)| {
            let share = shares(&time, whole)?;
            Some(format!("{share} {words}"))
        })
    }
}

/// "88 % (85 % to 91 %)", if that is much.
fn shares(time: &SampledTime, whole: f64) -> Option<String> {
    let estimate = time.estimate?;
    let share = |seconds: f64| wording::percent((seconds / whole).min(1.0));
    (estimate.seconds >= NOTABLE * whole && whole > 0.0).then(|| {
        format!(
            "{} ({} to {})",
            share(estimate.seconds),
            share(estimate.low_seconds),
            share(estimate.high_seconds)
        )
    })
}

fn in_library(at: &LibraryTime) -> String {
    let name = match (at.function.as_str(), at.module.as_str()) {
        ("", "") => "code without a name",
        ("", module) => module,
        (function, _) => function,
    };
    let line = wording::line_of(&at.called_at.file, at.called_at.line);
    format!("in {name} called at {line}")
}

fn in_line(at: &SampledLine) -> String {
    match at.place.line {
        0 => format!("in {}", at.place.function),
        line => format!("at {}", wording::line_of(&at.place.file, line)),
    }
}
