//! Turns what the search found, in ticks, into the result that is kept, in seconds.

mod accesses;
mod clocks;
pub(crate) mod cores;
pub mod coverage;
pub(crate) mod description;
mod disagreement;
mod efficiency;
mod extent;
mod findings;
mod loops;
mod machine;
mod means;
mod message_cost;
pub(crate) mod metrics;
pub(crate) mod missing_samples;
mod overhead;
pub(crate) mod recorded;
mod remarks;
pub(crate) mod repetition;
mod result;
mod root_causes;
mod sampling;
mod seconds;
pub(crate) mod single_accesses;
mod slow;
mod spread;
pub(crate) mod tasks;
mod unneeded;
mod worst_instances;

use pgas_cube::model::{CallPathId, Cube};
use pgas_result::consistency;
use pgas_result::summary::{InstanceStatistics, Summary};
use pgas_trace::models::Words;

use self::accesses::advice;
use self::accesses::matrix::communication;
use self::clocks::{clock_remarks, clocks};
use self::coverage::Gate;
use self::description::Description;
use self::disagreement::Writer;
use self::efficiency::efficiency;
use self::findings::{findings, synchronization};
use self::loops::loops;
use self::recorded::recording;
use self::remarks::{all_ticks, remarks};
use self::result::build;
use self::root_causes::causes;
use self::seconds::Seconds;
use self::unneeded::advice as claims;
use self::worst_instances::worst_instances;
use crate::detectors::wait_states::patterns::PATTERNS;
use crate::model::clock::Times;
use crate::model::time_class::Class;
use crate::pipeline::search::Found;

/// Version of the layout of the summary.
const SCHEMA: u32 = 1;

/// The result of an analysis.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Severities by metric, call path and thread.
    pub cube: Cube,
    /// Findings and remarks beside the severities.
    pub summary: Summary,
}

/// Concludes an analysis; `per_tick` is the seconds of one tick. Remarks that the experiment itself
/// has come first.
pub fn conclude(
    found: &Found,
    per_tick: f64,
    mut description: Description,
    known_remarks: Vec<String>,
) -> Analysis {
    let spans = || found.threads.iter().filter_map(|thread| thread.span);
    let start = spans().map(|span| span.begin).min().unwrap_or(0);
    let end = spans().map(|span| span.end).max().unwrap_or(0);
    let total = all_ticks(found);
    let times = Times { per_tick, start };
    let seconds = Seconds::new(per_tick, total);
    description.wall_seconds = times.length((end - start) as f64);
    let models = description.models(found.matcher.paths());
    let (cube, places) = build(found, &seconds, &description, &models);
    let useful: Vec<u64> = found.threads.iter().map(|t| useful(found, t)).collect();
    let length = |ticks: u64| times.length(ticks as f64);
    let recording = recording(found, &times, total, &description, &cube, &places);
    let clocks = clocks(found, &times, &description);
    let at = |ticks| times.at(ticks);
    // First of all what may make the figures mean something else.
    let mut all_remarks = Writer { found, at: &at }.remarks();
    all_remarks.extend(known_remarks);
    all_remarks.extend(description.missing_samples.remark());
    all_remarks.extend(remarks(found, &|ticks| times.at(ticks), &length));
    all_remarks.extend(tasks::remark(found));
    all_remarks.extend(clocks.iter().flat_map(clock_remarks));
    let mut gate = Gate::new(found, &description.blind_spots, description.again.as_ref());
    let sampling = sampling::sampling(
        found,
        &times,
        &places,
        &description.symbols,
        &description.missing_samples,
    );
    let nodes = description.nodes();
    let known_nodes = nodes.clone().unwrap_or_default();
    let mut accesses = advice(
        found,
        &times,
        &places,
        &description.costs,
        (
            &known_nodes,
            description.runtime,
            description.operation_costs.as_ref(),
        ),
        (&description.sampled, sampling.as_ref()),
    );
    gate.keep_accesses(&mut accesses);
    let mut claims = claims(found, &times);
    claims.retain(|advice| {
        advice
            .claim
            .is_possible(found, advice.path, description.runtime)
    });
    gate.keep_claims(&mut claims);
    let machine = machine::used(found, &times, &places, &description);
    let cost = recording.cost.as_ref().filter(|cost| cost.is_inflating());
    let inflated = cost.map_or(0.0, |cost| cost.percent / 100.0);
    let mut summary = Summary {
        schema: SCHEMA,
        program: description.program.clone(),
        arguments: description.arguments.clone(),
        threads: found.threads.len() as u32,
        models: models.iter().map(|model| model.id().to_owned()).collect(),
        wall_seconds: description.wall_seconds,
        efficiency: efficiency(&useful, end - start),
        findings: findings(
            found,
            &times,
            &places,
            (&description.costs, &known_nodes, description.runtime),
            (&accesses, &description.sampled, sampling.as_ref()),
            &claims,
            inflated,
        ),
        instances: instances(found, &times, &places),
        remarks: all_remarks,
        recording,
        clocks,
        causes: causes(found, &times, &places),
        synchronization: synchronization(found, &times, &places, &claims),
        communication: communication(found, &times, nodes.as_ref(), description.own_recorded()),
        accesses,
        phases: loops(found, &times, &places),
        withheld: gate.withheld(),
        sampling,
        worst_instances: Vec::new(),
        machine,
        tasks: tasks::tasks(found, &times, &seconds),
        live_findings: Vec::new(),
    };
    slow::tell(&mut summary);
    summary.worst_instances = worst_instances(found, &times, &places, (&cube, &summary));
    let contradictions = consistency::violations(&cube, &summary);
    if let Some(first) = contradictions.first() {
        let text = format!(
            "internal error: {} of this result contradict each other ({first}); please report it \
             with the experiment",
            match contradictions.len() {
                1 => "two figures".to_owned(),
                n => format!("figures in {n} places"),
            }
        );
        summary.remarks.insert(0, text);
    }
    speak(&mut summary, &Words::of(&models));
    Analysis { cube, summary }
}

/// Says all sentences in the words of the program.
fn speak(summary: &mut Summary, words: &Words) {
    let findings = summary.findings.iter_mut();
    let of_findings = findings.flat_map(|finding| [&mut finding.cause, &mut finding.advice]);
    let withheld = summary.withheld.iter_mut();
    let reasons = withheld.flat_map(|withheld| &mut withheld.reasons);
    let of_reasons = reasons.map(|reason| &mut reason.text);
    let synchronization = summary.synchronization.iter_mut();
    let notes = synchronization.flat_map(|synchronization| &mut synchronization.note);
    let texts = of_findings
        .chain(of_reasons)
        .chain(notes)
        .chain(&mut summary.remarks);
    for text in texts {
        *text = words.say(text);
    }
}

/// Ticks of computation.
fn useful(found: &Found, thread: &crate::threads::profile::ThreadProfile) -> u64 {
    let paths = found.matcher.paths();
    let totals = thread.totals.iter().enumerate();
    totals
        .filter(|(path, _)| {
            Class::of(paths.operation(pgas_earl::PathId(*path as u32))) == Class::Computation
        })
        .map(|(_, totals)| totals.ticks)
        .sum()
}

fn instances(found: &Found, times: &Times, places: &[CallPathId]) -> Vec<InstanceStatistics> {
    let mut all = Vec::new();
    for (number, pattern) in PATTERNS.iter().enumerate() {
        let mut of_pattern: Vec<_> = found.matcher.severities().entries(number).collect();
        of_pattern.sort_by_key(|(path, _)| places[path.index()]);
        all.extend(
            of_pattern
                .into_iter()
                .map(|(path, entry)| InstanceStatistics {
                    metric: pattern.id.into(),
                    call_path: places[path.index()].0,
                    instances: entry.instances,
                    worst: entry.worst.as_ref().map(|w| spread::worst(w, times)),
                    last_counts: entry.culprits.clone(),
                    spread: spread::spread(entry, times),
                }),
        );
    }
    all
}
