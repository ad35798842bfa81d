//! Findings of both sides: which are new, which are gone, and how those of both have changed.

use std::collections::BTreeMap;

use serde::Serialize;

use super::change::{Change, Relevance, judge};
use super::runs::{Placed, Run};
use crate::model::summary::{Finding, FindingKind};

/// On which sides a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingStatus {
    /// In no run before.
    New,
    /// In no run after.
    Gone,
    /// On both sides.
    Stays,
}

/// A finding and what became of it. Texts are of the later side where it has the finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedFinding {
    /// Sides that have the finding.
    pub status: FindingStatus,
    /// Kind of finding; findings of both sides match only within one kind.
    pub kind: FindingKind,
    /// Metric id, e.g. "wait_at_barrier".
    pub metric: String,
    /// The operation or function, e.g. "upc_barrier".
    pub region: String,
    /// The user function that it is called from; empty if none.
    pub function: String,
    /// Source file: of the call for an operation, of the definition for a function. Empty if
    /// unknown.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// Number in the common tree.
    pub call_path: usize,
    /// One or two sentences on the reason for the lost time.
    pub cause: String,
    /// One sentence: a change to try.
    pub advice: String,
    /// Lost time, summed over threads, in seconds. A run without the finding has 0.
    pub change: Change,
    /// Runs with the finding.
    pub in_before: usize,
    /// Runs with the finding.
    pub in_after: usize,
}

#[derive(Default)]
struct Collected<'a> {
    latest: Option<&'a Finding>,
    before: Vec<f64>,
    after: Vec<f64>,
    in_before: usize,
    in_after: usize,
}

/// The most expensive first, on whichever side they are.
pub(super) fn compare(
    before: (&[Run], &[Placed]),
    after: (&[Run], &[Placed]),
    relevance: Relevance,
) -> Vec<ComparedFinding> {
    let counts = (before.0.len(), after.0.len());
    let mut found: BTreeMap<(u8, &str, usize), Collected<'_>> = BTreeMap::new();
    for (is_after, (runs, placed)) in [(false, before), (true, after)] {
        for (number, (run, placed)) in runs.iter().zip(placed).enumerate() {
            for finding in run.summary.iter().flat_map(|summary| &summary.findings) {
                let Some(path) = placed.call_paths.get(finding.call_path) else {
                    continue;
                };
                let key = (finding.kind as u8, finding.metric.as_str(), path.0);
                let collected = found.entry(key).or_default();
                collected.latest = Some(finding);
                let (side, count, present) = match is_after {
                    true => (&mut collected.after, counts.1, &mut collected.in_after),
                    false => (&mut collected.before, counts.0, &mut collected.in_before),
                };
                side.resize(count, 0.0);
                // A call path may have several of a kind.
                if side[number] == 0.0 {
                    *present += 1;
                }
                side[number] += finding.seconds;
            }
        }
    }
    let mut compared: Vec<ComparedFinding> = Vec::with_capacity(found.len());
    for ((_, _, call_path), mut collected) in found {
        let Some(finding) = collected.latest else {
            continue;
        };
        collected.before.resize(counts.0, 0.0);
        collected.after.resize(counts.1, 0.0);
        compared.push(ComparedFinding {
            status: match (collected.in_before, collected.in_after) {
                (0, _) => FindingStatus::New,
                (_, 0) => FindingStatus::Gone,
                _ => FindingStatus::Stays,
            },
            kind: finding.kind,
            metric: finding.metric.clone(),
            region: finding.region.clone(),
            function: finding.function.clone(),
            file: finding.file.clone(),
            line: finding.line,
            call_path,
            cause: finding.cause.clone(),
            advice: finding.advice.clone(),
            change: Change::new(collected.before, collected.after),
            in_before: collected.in_before,
            in_after: collected.in_after,
        });
    }
    judge(
        compared.iter_mut().map(|found| &mut found.change),
        relevance,
    );
    compared.sort_by(|a, b| {
        let sizes = b.change.size().total_cmp(&a.change.size());
        sizes.then(a.call_path.cmp(&b.call_path))
    });
    compared
}
