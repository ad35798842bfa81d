//! Findings: what costs time, where, why, and what to try; first what may make the run shortest.

mod accesses;
mod costs;
mod distribution;
mod far;
mod modes;
mod overlaps;
mod placement;
mod sampled;
mod savings;
mod tasks;
mod waits;

use std::collections::BTreeMap;

use pgas_cube::model::CallPathId;
use pgas_earl::PathId;
use pgas_result::accesses::Accesses;
use pgas_result::recording::WaitStates;
use pgas_result::sampling::Sampling;
use pgas_result::summary::{Finding, FindingKind};
use pgas_result::synchronization::Synchronization;
use pgas_trace::model::Operation;
use pgas_trace::models::Model;

use crate::conclude::description::EventCost;
use crate::conclude::extent::wait_states;
use crate::conclude::loops::Growth;
use crate::conclude::means::Means;
use crate::conclude::remarks::all_ticks;
use crate::conclude::unneeded::Advice;
use crate::model::clock::Times;
use crate::model::nodes::Nodes;
use crate::model::paths::CallPaths;
use crate::pipeline::search::Found;
use crate::threads::one_sided::sampled::Sampled;
use distribution::Distributions;

/// Share of the total time of all threads below which nothing is worth a word.
const LEAST_SHARE: f64 = 0.001;
/// Number of findings.
const AT_MOST: usize = 50;

/// Input of the findings.
struct Evidence<'a> {
    found: &'a Found,
    times: &'a Times,
    /// Costs of an event that the recorders measured, by thread.
    costs: &'a [Option<EventCost>],
    /// Nodes that threads ran on; none if they are not known.
    nodes: &'a Nodes,
    /// Place in the cube, by path.
    places: &'a [CallPathId],
    /// The model of the runtime, if it is known.
    runtime: Option<Model>,
    /// Ticks of all threads together.
    total: u64,
    /// How far waiting for others was distinguished from the rest of the time in operations that
    /// wait.
    wait_states: WaitStates,
    /// Samples of accesses with their addresses.
    sampled: &'a Sampled,
    /// Where threads computed, if there are samples of it.
    sampling: Option<&'a Sampling>,
    /// How waiting develops over the iterations of the program.
    growth: Growth<'a>,
}

impl<'a> Evidence<'a> {
    fn new(
        found: &'a Found,
        times: &'a Times,
        places: &'a [CallPathId],
        (costs, nodes, runtime): (&'a [Option<EventCost>], &'a Nodes, Option<Model>),
        sampled: &'a Sampled,
    ) -> Self {
        Evidence {
            found,
            times,
            costs,
            nodes,
            places,
            runtime,
            total: all_ticks(found),
            wait_states: wait_states(found),
            sampled,
            sampling: None,
            growth: Growth::new(found),
        }
    }

    /// Ticks from the first event of all threads to the last.
    fn wall(&self) -> u64 {
        let spans = || self.found.threads.iter().filter_map(|thread| thread.span);
        let start = spans().map(|span| span.begin).min().unwrap_or(0);
        let end = spans().map(|span| span.end).max().unwrap_or(0);
        end - start
    }

    /// The call path at a place in the cube.
    fn path_of(&self, place: usize) -> PathId {
        let number = self.places.iter().position(|known| known.0 == place);
        PathId(number.unwrap_or(0) as u32)
    }

    fn paths(&self) -> &CallPaths {
        self.found.matcher.paths()
    }

    /// The means of the model of the operation at a path.
    fn means(&self, path: PathId) -> &'static Means {
        Means::at(self.paths(), path, self.runtime)
    }

    /// Whether accesses at a path are counted, not recorded one by one.
    fn is_counted(&self, path: PathId) -> bool {
        let mut calls = self.found.threads.iter().flat_map(|t| &t.summed.throttled);
        calls.any(|calls| calls.path == path && calls.is_counted())
    }

    /// The call path that makes the accesses at a path.
    fn maker(&self, path: PathId) -> PathId {
        self.paths().node(path).parent
    }

    fn all_paths(&self) -> impl Iterator<Item = PathId> {
        (0..self.paths().len()).map(|number| PathId(number as u32))
    }

    /// Whether the time of operations that wait for others is without all such waiting; in words.
    fn beyond_waiting(&self) -> &'static str {
        match self.wait_states {
            WaitStates::All => "beyond waiting for others",
            WaitStates::UntilTraceEnds => "beyond waiting for others where there is a trace",
            WaitStates::None => "waiting for others included",
        }
    }

    /// `advice` for time that is no waiting; without a trace, that is not known.
    fn unless_waiting(&self, advice: &str) -> String {
        match self.wait_states {
            WaitStates::None => {
                "Run without --profile to see how much of it is waiting, and for which thread."
            }
            _ => advice,
        }
        .into()
    }

    /// Whether some thread calls a path so often that it is taken to be in a loop.
    fn is_repeated(&self, path: PathId) -> bool {
        let mut threads = self.found.threads.iter();
        threads.any(|thread| thread.totals[path.index()].visits as f64 >= costs::LOOP)
    }

    fn is_notable(&self, ticks: f64) -> bool {
        ticks > 0.0 && ticks >= LEAST_SHARE * self.total as f64
    }

    /// Name of the region at the end of a path; a barrier that is the end of the program is called
    /// that.
    fn region(&self, path: PathId) -> String {
        let parent = self.paths().node(path).parent;
        let ends = self.paths().operation(parent) == Some(Operation::CollectiveExit);
        let named = if ends { parent } else { path };
        let site = self.paths().site(named);
        site.map_or_else(|| "program".into(), |site| site.region_name().into())
    }

    /// States what a finding costs.
    fn costs_ticks(&self, finding: &mut Finding, ticks: f64) {
        finding.seconds = self.times.length(ticks);
        finding.percent = 100.0 * ticks / (self.total.max(1) as f64);
    }

    /// A finding with everything that follows from its call path and cost (ticks); the rest is left
    /// empty. Its kind is that of a cost.
    fn finding(&self, metric: &str, path: PathId, ticks: f64) -> Finding {
        let site = self.paths().site(path);
        let function = self.paths().function(path);
        Finding {
            kind: FindingKind::Cost,
            saves_seconds: None,
            metric: metric.into(),
            seconds: self.times.length(ticks),
            percent: 100.0 * ticks / (self.total.max(1) as f64),
            region: self.region(path),
            function: function.map_or_else(String::new, |site| site.region_name().into()),
            file: site.map_or_else(String::new, |site| site.file.clone()),
            line: site.map_or(0, |site| site.line),
            call_path: self.places[path.index()].0,
            culprit_thread: None,
            cause: String::new(),
            advice: String::new(),
            worst: None,
            overlaps: Vec::new(),
        }
    }
}

/// Metrics of which the time in a barrier consists.
const OF_BARRIERS: [&str; 4] = [
    "wait_at_barrier",
    "split_phase_wait",
    "barrier_completion",
    "barrier",
];

/// How many times as much waiting counts as the rest of the time in a barrier, when it is decided
/// which is told: it has somebody who causes it and a remedy of its own.
const FOR_WAITING: f64 = 2.0;

/// Leaves of the waiting in a barrier, the time to leave it, and that of the operation itself what
/// saves most: they are costs of one line, the metrics say how large each is, and as findings of
/// their own they would only push down what else is wrong with the program.
fn one_for_each_barrier(findings: &mut Vec<Finding>) {
    let is_part = |finding: &Finding| {
        matches!(finding.kind, FindingKind::Wait | FindingKind::Cost)
            && OF_BARRIERS.contains(&finding.metric.as_str())
    };
    let weight = |finding: &Finding| {
        let saved = finding.saves_seconds.unwrap_or(finding.seconds);
        match OF_BARRIERS[..2].contains(&finding.metric.as_str()) {
            true => FOR_WAITING * saved,
            false => saved,
        }
    };
    let mut most: BTreeMap<usize, (f64, String)> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| is_part(finding)) {
        let best = most.entry(finding.call_path).or_default();
        if best.1.is_empty() || weight(finding) > best.0 {
            *best = (weight(finding), finding.metric.clone());
        }
    }
    findings.retain(|finding| {
        let best = most.get(&finding.call_path);
        !is_part(finding) || best.is_some_and(|(_, metric)| *metric == finding.metric)
    });
}

/// All findings. `inflated` is the share of the CPU time that recording took, from 0 to 1; 0 where
/// times are not called inflated.
pub fn findings(
    found: &Found,
    times: &Times,
    places: &[CallPathId],
    costs: (&[Option<EventCost>], &Nodes, Option<Model>),
    (accesses, sampled, sampling): (&Accesses, &Sampled, Option<&Sampling>),
    claims: &[Advice],
    inflated: f64,
) -> Vec<Finding> {
    let mut evidence = Evidence::new(found, times, places, costs, sampled);
    evidence.sampling = sampling;
    let evidence = evidence;
    let (mut findings, explained) = waits::findings(&evidence);
    let unneeded = modes::findings(&evidence, claims);
    // Waiting for a thread that has more work only moves to the next barrier if this one goes.
    let of_work = waits::due_to_work(&evidence, &findings, &explained);
    let sure = |unneeded: &&modes::Unneeded| {
        !unneeded.is_conjecture && !of_work.contains(&unneeded.finding.call_path)
    };
    let sure: Vec<usize> = unneeded
        .iter()
        .filter(sure)
        .map(|unneeded| unneeded.finding.call_path)
        .collect();
    findings.extend(unneeded.into_iter().map(|unneeded| unneeded.finding));
    let of_arrays = Distributions::new(&evidence, accesses);
    let mut of_accesses = accesses::findings(&evidence, accesses);
    of_accesses.retain(|&path, _| !of_arrays.explain(path));
    let mut costs = costs::findings(&evidence, &of_accesses);
    costs.retain(|cost| {
        cost.kind != FindingKind::Cost || !of_arrays.explain(evidence.path_of(cost.call_path))
    });
    waits::merge(&evidence, &mut findings, &mut costs, &explained);
    findings.extend(costs);
    let due = of_arrays.refer(&evidence, &mut findings);
    // Waiting that is due to the distribution of arrays goes with it.
    let cause = of_arrays.saving();
    findings.extend(sampled::findings(&evidence, |at| {
        of_arrays.explain_line(&evidence, at)
    }));
    findings.extend(of_arrays.findings);
    findings.extend(placement::finding(&evidence, accesses));
    findings.extend(tasks::critical_task(&evidence));
    for (path, mut of_path) in of_accesses {
        let most = evidence.saving(evidence.saved_at(path));
        for finding in &mut of_path {
            finding.saves_seconds = match (finding.saves_seconds, most) {
                (Some(own), Some(most)) => Some(own.min(most)),
                (own, _) => own,
            };
        }
        findings.extend(of_path);
    }
    // The cost of a barrier itself is reported by the finding that it can be removed, if there is
    // one.
    let can_go = |finding: &Finding| {
        finding.kind == FindingKind::RemovableBarrier && sure.contains(&finding.call_path)
    };
    let told: Vec<usize> = findings
        .iter()
        .filter(|finding| can_go(finding))
        .map(|finding| finding.call_path)
        .collect();
    findings.retain(|finding| {
        finding.metric != "barrier_completion"
            || finding.kind == FindingKind::RemovableBarrier
            || !told.contains(&finding.call_path)
    });
    one_for_each_barrier(&mut findings);
    // Where the saving is not known, the finding's time divided by the number of threads stands for
    // it. The cost of a removable barrier counts half if its removal is a conjecture, or if most of
    // it would be lost elsewhere.
    let threads = found.threads.len().max(1) as f64;
    let worth = |finding: &Finding| {
        let is_due = |(place, metric): &(usize, String)| {
            *place == finding.call_path && *metric == finding.metric
        };
        if finding.kind == FindingKind::Wait && due.iter().any(is_due) {
            let saved = finding.saves_seconds.unwrap_or(0.0) * (1.0 - inflated);
            return saved.min(0.999 * cause);
        }
        let saved = finding.saves_seconds.unwrap_or(finding.seconds / threads);
        // The time of throttled calls is known without that of recording them.
        let saved = match evidence.is_throttled(evidence.path_of(finding.call_path)) {
            true => saved,
            false => saved * (1.0 - inflated),
        };
        match finding.kind {
            FindingKind::RemovableBarrier if !sure.contains(&finding.call_path) => saved / 2.0,
            _ => saved,
        }
    };
    findings.sort_by(|a, b| {
        let by_worth = worth(b).total_cmp(&worth(a));
        let by_cost = by_worth.then_with(|| b.seconds.total_cmp(&a.seconds));
        by_cost.then_with(|| (&a.metric, a.call_path).cmp(&(&b.metric, b.call_path)))
    });
    findings.truncate(AT_MOST);
    overlaps::mark(&mut findings, |place| {
        let path = evidence.path_of(place).index();
        let ticks = found.threads.iter().map(|t| t.totals[path].ticks as f64);
        times.length(ticks.sum())
    });
    findings
}

/// Synchronisation that the run did not need; `None` if there is nothing to say.
pub fn synchronization(
    found: &Found,
    times: &Times,
    places: &[CallPathId],
    claims: &[Advice],
) -> Option<Synchronization> {
    let (sampled, nodes) = (Sampled::default(), Nodes::default());
    let evidence = Evidence::new(found, times, places, (&[], &nodes, None), &sampled);
    modes::summary(&evidence, claims)
}
