//! Two groups of runs compared: how long they took, where, and what was found, with what repeated
//! runs say about noise.
//!
//! A side is one run or several of the same program. All are brought onto common trees
//! ([`crate::matching`]); then every quantity is a [`Change`], and its [`Verdict`] says whether
//! that is no accident.

mod change;
mod findings;
mod gate;
mod grouping;
mod recording;
mod runs;

use serde::Serialize;

pub use change::{Change, Verdict};
pub use findings::{ComparedFinding, FindingStatus};
pub use gate::{Gate, GateResult, Limit, WALL_TIME};
pub use grouping::{By, Place};
pub use runs::Run;

use change::{Relevance, judge};
use grouping::EarlierLines;
use runs::{Aligned, Placed};

use pgas_base::models::{Model, Words};
use pgas_cube::model::{Aggregation, Cube, MetricId, Unit};

use crate::model::summary::Efficiency;

/// Intervals are of this confidence, and false alarms are kept below the rest.
const CONFIDENCE: f64 = 0.95;
/// Less than this share of the time of all threads is not judged, and no growth.
const NEGLIGIBLE_SHARE: f64 = 0.001;
/// A change by less than this share of the time of all threads does not matter.
const RELEVANT_SHARE: f64 = 0.01;

/// Parameters of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Unique name of the metric that is compared place by place.
    pub metric: String,
    /// Kind of place that a row stands for.
    pub by: By,
    /// Limits to check, independent of `metric`.
    pub limits: Vec<Limit>,
}

/// Why there is no comparison.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComparisonError {
    /// A side has no runs.
    #[error("there is no run to compare on one side")]
    NoRuns,
    /// No run has a metric of that name.
    #[error("no run has a metric {name:?}; did you mean {}?", likely.join(", "))]
    UnknownMetric {
        /// The name that was asked for.
        name: String,
        /// Names that look like it.
        likely: Vec<String>,
    },
}

/// Program, threads and runs of one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Participants {
    /// The program's name as its summary or file says; empty if neither does.
    pub program: String,
    /// Of the run with most.
    pub threads: usize,
    /// Programming models, as in [`crate::summary::Summary::models`], of the first run that says
    /// them.
    pub models: Vec<String>,
    /// Names of the runs, as the user knows them.
    pub runs: Vec<String>,
}

impl Comparison {
    /// The words for threads of both sides; those of UPC if the sides have different ones.
    pub fn words(&self) -> Words {
        let sides = self.before.models.iter().chain(&self.after.models);
        let models: Vec<Model> = sides.filter_map(|id| Model::from_id(id)).collect();
        Words::of(&models)
    }
}

/// One metric of all threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedMetric {
    /// Unique name.
    pub metric: String,
    /// For people.
    pub name: String,
    /// Unit of `change`.
    #[serde(skip)]
    pub unit: Unit,
    /// Depth in the tree of metrics.
    pub depth: usize,
    /// Values of both sides, in `unit`.
    pub change: Change,
}

/// One place and the chosen metric there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedPlace {
    /// Region, line, call path or thread.
    #[serde(flatten)]
    pub place: Place,
    /// Values of the metric there on both sides, in the metric's unit.
    pub change: Change,
}

/// The efficiency factors, each 0 to 1; absent if a run does not tell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedEfficiency {
    /// Change of mean(computation) / runtime.
    pub parallel_efficiency: Change,
    /// Change of mean(computation) / max(computation).
    pub load_balance: Change,
    /// Change of max(computation) / runtime.
    pub communication_efficiency: Change,
}

/// All that a comparison says.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Runs of the earlier side.
    pub before: Participants,
    /// Runs of the later side.
    pub after: Participants,
    /// Seconds.
    pub wall: Change,
    /// Efficiency factors; absent if a run has no summary.
    pub efficiency: Option<ComparedEfficiency>,
    /// All metrics that any run has values of, in the order of the tree. Sums over threads, or
    /// means over threads if both sides have different numbers of them.
    pub metrics: Vec<ComparedMetric>,
    /// Values of `metrics` are means over threads.
    pub per_thread: bool,
    /// Unique name of the metric of `places`.
    pub metric: String,
    /// For people.
    pub metric_name: String,
    /// Unit of `metric`.
    pub unit: Unit,
    /// Kind of place that each of `places` stands for.
    pub by: By,
    /// The largest change first. As `metrics`, sums over threads or means; by thread, only those
    /// that all runs have.
    pub places: Vec<ComparedPlace>,
    /// Findings of both sides, most expensive first.
    pub findings: Vec<ComparedFinding>,
    /// Limits and whether they were kept, in the order of the question.
    pub gates: Vec<Gate>,
    /// Matches between parts of the program that changed, and further remarks for the reader.
    pub notes: Vec<String>,
}

impl Comparison {
    /// Both sides have repeated runs, so that noise is known.
    pub fn noise_is_known(&self) -> bool {
        self.wall.interval.is_some()
    }

    /// Name of a finding, as in the reports of both sides.
    pub fn finding_name<'a>(&'a self, finding: &'a ComparedFinding) -> &'a str {
        let mut metrics = self.metrics.iter();
        let metric = metrics.find(|metric| metric.metric == finding.metric);
        let metric = metric.map_or(finding.metric.as_str(), |metric| &metric.name);
        finding.kind.name_with(metric)
    }

    /// A limit was exceeded.
    pub fn is_regression(&self) -> bool {
        self.gates
            .iter()
            .any(|gate| gate.result == GateResult::Exceeded)
    }
}

/// Compares two groups of runs.
///
/// # Errors
/// [`ComparisonError`].
pub fn compare(
    before: &[Run],
    after: &[Run],
    question: &Question,
) -> Result<Comparison, ComparisonError> {
    let aligned = runs::align(before, after).ok_or(ComparisonError::NoRuns)?;
    let common = &aligned.after.first().ok_or(ComparisonError::NoRuns)?.cube;
    let metric = known_metric(common, &question.metric)?;
    for limit in &question.limits {
        if limit.metric != WALL_TIME {
            known_metric(common, &limit.metric)?;
        }
    }
    let threads = |placed: &[Placed]| placed.iter().map(|p| p.threads).max().unwrap_or(0);
    let per_thread = threads(&aligned.before) != threads(&aligned.after);
    // A minimum or maximum over threads has no mean.
    let scale = |placed: &Placed, metric: MetricId| {
        let is_sum = placed.cube.aggregation(metric) == Aggregation::Sum;
        match per_thread && is_sum {
            true => 1.0 / placed.threads.max(1) as f64,
            false => 1.0,
        }
    };
    let total = |metric: MetricId| {
        let of = |runs: &[Placed]| -> Vec<f64> {
            let sums = runs
                .iter()
                .map(|run| run.cube.total(metric) * scale(run, metric));
            sums.collect()
        };
        Change::new(of(&aligned.before), of(&aligned.after))
    };
    // The total that shares refer to.
    let whole = common.metric("time").map_or(0.0, |time| total(time).size());
    let relevance = |unit: Unit, whole: f64| Relevance {
        negligible: NEGLIGIBLE_SHARE * whole,
        absolute: RELEVANT_SHARE * whole,
        is_time: unit == Unit::Seconds,
    };

    let mut wall = {
        let of = |runs: &[Run]| runs.iter().map(Run::wall_seconds).collect();
        Change::new(of(before), of(after))
    };
    judge([&mut wall], relevance(Unit::Seconds, 0.0));

    let mut metrics: Vec<ComparedMetric> = depth_first(common)
        .into_iter()
        .map(|index| ComparedMetric {
            metric: common.metrics[index].unique_name.clone(),
            name: common.metrics[index].display_name.clone(),
            unit: common.metrics[index].unit,
            depth: depth(common, MetricId(index)),
            change: total(MetricId(index)),
        })
        .filter(|metric| metric.change.size() > 0.0)
        .collect();
    judge_metrics(&mut metrics, |unit| match unit {
        Unit::Seconds => relevance(unit, whole),
        _ => relevance(unit, 0.0),
    });

    let unit = common.metrics[metric.0].unit;
    let lines = EarlierLines::new(before, &aligned.before, aligned.later);
    let (earlier, later) = (&aligned.before, &aligned.after);
    let mut places: Vec<ComparedPlace> =
        grouping::rows(earlier, later, &lines, metric, question.by)
            .into_iter()
            .map(|mut row| {
                if question.by != By::Thread {
                    for (values, runs) in [
                        (&mut row.before, &aligned.before),
                        (&mut row.after, &aligned.after),
                    ] {
                        for (value, run) in values.iter_mut().zip(runs) {
                            *value *= scale(run, metric);
                        }
                    }
                }
                ComparedPlace {
                    place: row.place,
                    change: Change::new(row.before, row.after),
                }
            })
            .collect();
    let of_metric = match unit {
        Unit::Seconds => whole,
        _ => total(metric).size(),
    };
    let of_metric = match question.by {
        By::Thread => of_metric / threads(&aligned.after).max(1) as f64,
        _ => of_metric,
    };
    let changes = places.iter_mut().map(|place| &mut place.change);
    judge(changes, relevance(unit, of_metric));
    places.sort_by(|a, b| {
        let size = b.change.change.abs().total_cmp(&a.change.change.abs());
        size.then_with(|| a.place.cmp(&b.place))
    });

    let gates = question.limits.iter().map(|limit| {
        let (unit, change, floor) = match common.metric(&limit.metric) {
            Some(id) if limit.metric != WALL_TIME => {
                let unit = common.metrics[id.0].unit;
                let floor = match unit {
                    Unit::Seconds => NEGLIGIBLE_SHARE * whole,
                    _ => 0.0,
                };
                (unit, total(id), floor)
            }
            _ => (Unit::Seconds, wall.clone(), NEGLIGIBLE_SHARE * wall.before),
        };
        gate::check(limit, unit, &change.before_runs, &change.after_runs, floor)
    });
    let mut comparison = Comparison {
        before: participants(before),
        after: participants(after),
        efficiency: efficiency(before, after),
        per_thread,
        metric: common.metrics[metric.0].unique_name.clone(),
        metric_name: common.metrics[metric.0].display_name.clone(),
        unit,
        by: question.by,
        findings: findings::compare(
            (before, &aligned.before),
            (after, &aligned.after),
            relevance(
                Unit::Seconds,
                whole
                    * if per_thread {
                        threads(&aligned.after) as f64
                    } else {
                        1.0
                    },
            ),
        ),
        gates: gates.collect(),
        notes: notes(before, after, &aligned),
        metrics,
        places,
        wall,
    };
    let of_places = recording::of_places(
        (before, earlier),
        (after, later),
        &lines,
        metric,
        question.by,
    );
    recording::withhold(&mut comparison, before, after, &of_places);
    Ok(comparison)
}

/// Metrics of time are judged together, and each other unit by itself: whoever looks for lost time
/// does not look at numbers of bytes.
fn judge_metrics(metrics: &mut [ComparedMetric], relevance: impl Fn(Unit) -> Relevance) {
    for unit in [Unit::Seconds, Unit::Occurrences, Unit::Bytes] {
        let of_unit = metrics.iter_mut().filter(|metric| metric.unit == unit);
        judge(of_unit.map(|metric| &mut metric.change), relevance(unit));
    }
}

fn known_metric(cube: &Cube, name: &str) -> Result<MetricId, ComparisonError> {
    cube.metric(name)
        .ok_or_else(|| ComparisonError::UnknownMetric {
            name: name.to_owned(),
            likely: likely_names(cube, name),
        })
}

/// The most similar names, most similar first.
fn likely_names(cube: &Cube, name: &str) -> Vec<String> {
    const SHOWN: usize = 5;
    let name = name.to_lowercase();
    let names = cube
        .metrics
        .iter()
        .map(|metric| metric.unique_name.as_str());
    let mut names: Vec<(f32, &str)> = names
        .chain([WALL_TIME])
        .map(|known| {
            let contained = f32::from(u8::from(known.contains(&name) || name.contains(known)));
            let likeness = similar::TextDiff::from_chars(known, name.as_str()).ratio();
            (likeness + contained, known)
        })
        .collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let likely = names.into_iter().take(SHOWN);
    likely.map(|(_, name)| name.to_owned()).collect()
}

/// Metrics with each one's children right behind it.
fn depth_first(cube: &Cube) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); cube.metrics.len()];
    let mut open = Vec::new();
    for (index, metric) in cube.metrics.iter().enumerate().rev() {
        match metric.parent {
            Some(parent) => children[parent.0].push(index),
            None => open.push(index),
        }
    }
    let mut order = Vec::with_capacity(cube.metrics.len());
    while let Some(index) = open.pop() {
        order.push(index);
        open.append(&mut children[index]);
    }
    order
}

fn depth(cube: &Cube, metric: MetricId) -> usize {
    let parent = |id: &MetricId| cube.metrics[id.0].parent;
    std::iter::successors(parent(&metric), parent).count()
}

fn participants(runs: &[Run]) -> Participants {
    let program = runs.iter().find_map(|run| {
        let summary = run.summary.as_ref().map(|summary| &summary.program);
        summary.or_else(|| run.cube.attributes.get("program"))
    });
    let threads = runs.iter().map(|run| run.cube.threads.len()).max();
    let mut models = runs
        .iter()
        .filter_map(|run| Some(run.summary.as_ref()?.models.clone()));
    Participants {
        models: models.find(|models| !models.is_empty()).unwrap_or_default(),
        program: program.cloned().unwrap_or_default(),
        threads: threads.unwrap_or(0),
        runs: runs.iter().map(|run| run.name.clone()).collect(),
    }
}

fn efficiency(before: &[Run], after: &[Run]) -> Option<ComparedEfficiency> {
    let of = |runs: &[Run]| -> Option<Vec<Efficiency>> {
        let summaries = runs
            .iter()
            .map(|run| Some(run.summary.as_ref()?.efficiency));
        summaries.collect()
    };
    let (before, after) = (of(before)?, of(after)?);
    let factor = |get: fn(&Efficiency) -> f64| {
        let values = |of: &[Efficiency]| of.iter().map(get).collect();
        Change::new(values(&before), values(&after))
    };
    let mut factors = [
        factor(|e| e.parallel_efficiency),
        factor(|e| e.load_balance),
        factor(|e| e.communication_efficiency),
    ];
    let relevance = Relevance {
        negligible: 0.0,
        absolute: RELEVANT_SHARE,
        is_time: false,
    };
    judge(&mut factors, relevance);
    for factor in &mut factors {
        // More is better here.
        factor.verdict = match factor.verdict {
            Verdict::More => Verdict::Better,
            Verdict::Less => Verdict::Worse,
            other => other,
        };
    }
    let [parallel_efficiency, load_balance, communication_efficiency] = factors;
    Some(ComparedEfficiency {
        parallel_efficiency,
        load_balance,
        communication_efficiency,
    })
}

/// Reasons why the comparison may be unfair, and the notes of the matching.
fn notes(before: &[Run], after: &[Run], aligned: &Aligned) -> Vec<String> {
    let mut notes = Vec::new();
    let of_side = |runs: &[Run], get: &dyn Fn(&Run) -> Option<String>| -> Vec<String> {
        let mut values: Vec<String> = runs.iter().filter_map(get).collect();
        values.sort();
        values.dedup();
        values
    };
    type Property<'p> = (&'p str, &'p dyn Fn(&Run) -> Option<String>);
    let arguments = |run: &Run| Some(run.summary.as_ref()?.arguments.join(" "));
    let machine = |run: &Run| Some(run.cube.machine.clone());
    let properties: [Property<'_>; 2] = [("arguments", &arguments), ("machines", &machine)];
    for (what, get) in properties {
        let (b, a) = (of_side(before, get), of_side(after, get));
        if !b.is_empty() && !a.is_empty() && b != a {
            notes.push(format!(
                "different {what}: {:?} before, {:?} after",
                b.join(" | "),
                a.join(" | ")
            ));
        }
    }
    for (runs, side) in [(before, "before"), (after, "after")] {
        let mut threads: Vec<usize> = runs.iter().map(|run| run.cube.threads.len()).collect();
        threads.sort_unstable();
        threads.dedup();
        if threads.len() > 1 {
            notes.push(format!("the runs {side} have different numbers of threads"));
        }
    }
    notes.extend(aligned.notes.iter().cloned());
    notes
}
