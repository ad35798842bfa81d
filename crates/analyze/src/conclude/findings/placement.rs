//! The finding on threads that run on another node than those they exchange most data with.

use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::accesses::{Accesses, MisplacedThread, Placement};
use pgas_result::summary::{Finding, FindingKind};

use super::Evidence;
use super::accesses::{most, ticks};
use crate::model::wording;

/// Groups of threads that are named.
const NAMED: usize = 3;

/// At the call path where such threads spend most; how they are placed is one thing to change.
pub(super) fn finding(evidence: &Evidence, accesses: &Accesses) -> Option<Finding> {
    let main = accesses.placement.first()?;
    let place = evidence.places.iter().position(|p| p.0 == main.call_path)?;
    let path = PathId(place as u32);
    let here = seconds(main);
    let mut finding = evidence.finding("one_sided", path, ticks(evidence, here));
    finding.kind = FindingKind::Placement;
    let (thread, longest) = most(main.threads.iter().map(|t| (t.thread, t.seconds)));
    let at_most = evidence.saving(evidence.saved_at(path));
    finding.saves_seconds = Some(at_most.map_or(longest, |most| most.min(longest)));
    finding.culprit_thread = Some(thread);
    finding.cause = cause(evidence, main);
    finding.advice = advice(
        main,
        thread,
        here,
        accesses.placement.iter().map(seconds).sum(),
    );
    Some(finding)
}

fn seconds(placement: &Placement) -> f64 {
    placement.threads.iter().map(|thread| thread.seconds).sum()
}

fn cause(evidence: &Evidence, main: &Placement) -> String {
    let mut groups: BTreeMap<(usize, usize), Vec<&MisplacedThread>> = BTreeMap::new();
    for thread in &main.threads {
        let group = groups.entry((thread.node, thread.partner_node));
        group.or_default().push(thread);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    let spent = |group: &[&MisplacedThread]| group.iter().map(|t| t.seconds).sum::<f64>();
    groups.sort_by(|a, b| spent(&b.1).total_cmp(&spent(&a.1)).then(a.0.cmp(&b.0)));
    let named = groups.iter().take(NAMED);
    let mut sentences: Vec<String> = named
        .map(|(nodes, group)| sentence(evidence, *nodes, group))
        .collect();
    let more: usize = groups.iter().skip(NAMED).map(|group| group.1.len()).sum();
    if more > 0 {
        sentences.push(format!("It is like that for {more} more threads."));
    }
    sentences.join(" ")
}

/// "Of all bytes between thread 5 (on node1) and other threads, 80 % are to or from threads on
/// node2."
fn sentence(
    evidence: &Evidence,
    (node, partner_node): (usize, usize),
    group: &[&MisplacedThread],
) -> String {
    let threads: Vec<u32> = group.iter().map(|thread| thread.thread).collect();
    let with_partner: f64 = group.iter().map(|thread| thread.bytes as f64).sum();
    let with_all: f64 = group
        .iter()
        .map(|thread| 100.0 * thread.bytes as f64 / thread.percent)
        .sum();
    let names = evidence.nodes.names();
    format!(
        "Of all bytes between {} (on {}) and other threads, {} are to or from threads on {}.",
        wording::threads(&threads),
        names[node],
        wording::percent(with_partner / with_all),
        names[partner_node],
    )
}

fn advice(main: &Placement, thread: u32, here: f64, all: f64) -> String {
    let longest = main.threads.iter().find(|t| t.thread == thread);
    let example = longest.map_or_else(String::new, |longest| {
        format!(
            ": if thread {thread} and thread {} swap places, for example, less of that goes \
             between nodes",
            longest.swap_with
        )
    });
    let elsewhere = match all > here * (1.0 + 1e-9) {
        true => format!(", and {} at all call paths", wording::seconds(all)),
        false => String::new(),
    };
    format!(
        "Place threads that exchange most on one node (the launcher decides which threads share \
         one){example}. Such transfers take {} here{elsewhere}, which is saved at most: on one node \
         they are loads and stores.",
        wording::seconds(here)
    )
}
