//! Findings on synchronisation that the run did not need, and the same for the summary. They are
//! conjectures: what they rest on, and what the programmer must look at, is part of their words.

use pgas_earl::PathId;
use pgas_result::summary::{Finding, FindingKind};
use pgas_result::synchronization::{AdviceKind, Synchronization, SynchronizationAdvice};
use pgas_trace::model::SyncMode;

use super::Evidence;
use crate::conclude::unneeded::{Advice, Claim};
use crate::model::wording;

/// A finding, and how sure it is.
pub(super) struct Unneeded {
    pub finding: Finding,
    /// Whether it may well be wrong although the run agrees: it rests on what was not seen between
    /// two barriers, or on addresses. That all threads touched their own data alone is another
    /// matter.
    pub is_conjecture: bool,
}

pub(super) fn findings(evidence: &Evidence, claims: &[Advice]) -> Vec<Unneeded> {
    claims
        .iter()
        .filter(|advice| evidence.is_notable(advice.ticks as f64))
        .map(|advice| Unneeded {
            finding: finding(evidence, advice),
            is_conjecture: matches!(advice.claim, Claim::Repeated | Claim::Unrelated),
        })
        .collect()
}

/// All advice, notable or not.
pub(super) fn summary(evidence: &Evidence, claims: &[Advice]) -> Option<Synchronization> {
    let mut advice: Vec<SynchronizationAdvice> = claims
        .iter()
        .map(|advice| entry(evidence, advice))
        .collect();
    // Stable: equal ones stay in the order of call paths.
    advice.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let summary = Synchronization { advice, note: None };
    (!summary.is_empty()).then_some(summary)
}

fn entry(evidence: &Evidence, advice: &Advice) -> SynchronizationAdvice {
    let (flag, enough) = flags(advice.claim).unzip();
    SynchronizationAdvice {
        kind: match advice.claim {
            Claim::Entry(..) => AdviceKind::WeakerEntry,
            Claim::Exit(..) => AdviceKind::WeakerExit,
            Claim::Repeated => AdviceKind::RepeatedBarrier,
            Claim::OwnData => AdviceKind::OwnDataBarrier,
            Claim::Unrelated => AdviceKind::UnrelatedBarrier,
        },
        call_path: evidence.places[advice.path.index()].0,
        instances: advice.instances,
        flag,
        enough,
        barrier: advice.barrier.map(|path| evidence.places[path.index()].0),
        seconds: evidence.times.length(advice.ticks as f64),
        saves_seconds: saves(evidence, advice),
    }
}

/// By how much the run would be shorter in a replay without the synchronisation. It cannot be more
/// than what the thread that lost most lost in each instance.
fn saves(evidence: &Evidence, advice: &Advice) -> f64 {
    let saved = evidence.saved_without_synchronization(advice.path, advice.longest);
    let saved = saved.unwrap_or(advice.longest as f64);
    evidence.times.length(saved.min(evidence.wall() as f64))
}

/// The flag that the operation is called with, and the one that is enough.
fn flags(claim: Claim) -> Option<(String, String)> {
    let pair = |side: &str, from: SyncMode, to: SyncMode| {
        let flag = |mode: SyncMode| format!("UPC_{side}_{}", mode.name());
        Some((flag(from), flag(to)))
    };
    match claim {
        Claim::Entry(from, to) => pair("IN", from, to),
        Claim::Exit(from, to) => pair("OUT", from, to),
        Claim::Repeated | Claim::OwnData | Claim::Unrelated => None,
    }
}

fn finding(evidence: &Evidence, advice: &Advice) -> Finding {
    let mut finding = evidence.finding(advice.metric, advice.path, advice.ticks as f64);
    finding.kind = match advice.claim {
        Claim::Entry(..) | Claim::Exit(..) => FindingKind::Mode,
        Claim::Repeated | Claim::OwnData | Claim::Unrelated => FindingKind::RemovableBarrier,
    };
    finding.saves_seconds = Some(saves(evidence, advice));
    let instances = match advice.instances {
        1 => "In the only instance".to_owned(),
        n => format!("In all {n} instances"),
    };
    let (cause, try_this) = words_for(evidence, advice);
    finding.cause = format!("{instances}{cause}");
    finding.advice = try_this;
    finding
}

/// Why, and what to try.
fn words_for(evidence: &Evidence, advice: &Advice) -> (String, String) {
    let barrier = advice.barrier.map(|path| line(evidence, path));
    let barrier = barrier.unwrap_or_else(|| "unknown line".into());
    let apart = wording::seconds(evidence.times.length(advice.apart as f64));
    let (flag, enough) = flags(advice.claim).unwrap_or_default();
    match advice.claim {
        Claim::Entry(from, SyncMode::None) => (
            format!(
                " it follows the barrier at {barrier} with nothing recorded between (mostly \
                 {apart}): all threads are together already, and {flag} makes them wait again."
            ),
            format!(
                "Use {enough}{}: in this run no thread touched shared data between the two.",
                or_no_barrier(from)
            ),
        ),
        Claim::Exit(from, SyncMode::None) => (
            format!(
                " the barrier at {barrier} follows it with nothing recorded between (mostly \
                 {apart}): all threads wait for each other there, and need not do so for {flag} \
                 before."
            ),
            format!(
                "Use {enough}{}: in this run no thread touched shared data between the two.",
                or_no_barrier(from)
            ),
        ),
        Claim::Entry(..) | Claim::Exit(..) => (
            match advice.claim {
                Claim::Entry(..) => {
                    " each thread touched only its own data since all threads had last waited for \
                     each other: its arrival says that its data is ready."
                }
                _ => {
                    " each thread touched only its own data until all threads waited for each \
                     other again: it has to wait for nothing but what others do with that."
                }
            }
            .to_owned(),
            format!(
                "Use {enough} in place of {flag}: threads then wait only for those whose data \
                 they need. It holds in this run."
            ),
        ),
        Claim::Repeated => (
            format!(
                " it follows the barrier at {barrier} with nothing recorded between (mostly \
                 {apart})."
            ),
            "Leave one of the two out: in this run no thread touched shared data between them. \
             The waiting for the last thread stays with the other one."
                .to_owned(),
        ),
        Claim::Unrelated => (
            " no thread touched after this barrier what another one had written before it, nor \
             wrote what another one had touched, by the addresses of all accesses that were \
             recorded; each of them from the synchronization before to the one after."
                .to_owned(),
            "With all other barriers in place: try to leave this one out, if it keeps neither \
             output nor time measurements in order, and if other runs take the same ways. Waiting \
             may only move to the next barrier."
                .to_owned(),
        ),
        Claim::OwnData => (
            " each thread touched only its own shared data from the synchronization before this \
             barrier to the one after it: in this run, no thread depended on another one here."
                .to_owned(),
            "Try to leave it out, unless it keeps output or time measurements in order, or other \
             runs take other ways. Waiting may only move to the next barrier."
                .to_owned(),
        ),
    }
}

/// A barrier next to an operation that synchronises all threads by itself may go in its place.
fn or_no_barrier(mode: SyncMode) -> &'static str {
    match mode {
        SyncMode::All => ", or leave out the barrier",
        _ => "",
    }
}

fn line(evidence: &Evidence, path: PathId) -> String {
    let site = evidence.paths().site(path);
    site.map_or_else(|| "unknown line".into(), wording::line)
}
