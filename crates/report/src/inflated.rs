//! Sentences and marks about recording that cost so much that it inflates the times of a report.

use std::collections::BTreeMap;

use pgas_cube::model::{CallPathId, MetricId, Unit};
use pgas_result::recording::{INFLATED, RecordingCost};
use pgas_result::summary::Finding;
use pgas_result::{AnalysisResult, Inflation};
use serde::Serialize;

use crate::quantity::percent;

/// The share of the CPU time that recording took, and how it is known: "about 94 % (85 to 97 %) of
/// the CPU time, an estimate".
pub fn share(cost: &RecordingCost) -> String {
    let of = format!("of the {}", basis(cost));
    let range = cost.interval.map_or_else(String::new, |(low, high)| {
        format!(" ({} to {})", percent(low), percent(high))
    });
    let share = percent(cost.percent);
    match &cost.baseline {
        Some(baseline) if baseline.differ_too_much => {
            format!(
                "about {share}{range} {of}, an estimate; runs of {} differ by more",
                baseline.program
            )
        }
        Some(baseline) => {
            let runs = match baseline.runs {
                0 | 1 => String::new(),
                runs => format!(", median of {runs} runs"),
            };
            format!(
                "{share}{range} {of}, measured against {}{runs}",
                baseline.program
            )
        }
        None => format!("about {share}{range} {of}, an estimate"),
    }
}

/// The time that the share is of.
pub(crate) fn basis(cost: &RecordingCost) -> &'static str {
    match cost.cpu_seconds {
        Some(_) => "CPU time",
        None => "time of all threads",
    }
}

/// Part of the cost that no filter changes, as a sentence after another one; empty where that is
/// little.
fn fixed(cost: &RecordingCost) -> String {
    const WORTH_A_SENTENCE: f64 = 0.1;
    match cost.fixed_seconds > WORTH_A_SENTENCE * cost.seconds && cost.seconds > 0.0 {
        true => format!(
            " {} of it is the recorder's own work at the beginning and end of the run, whatever \
             is recorded.",
            percent(100.0 * cost.fixed_seconds / cost.seconds)
        ),
        false => String::new(),
    }
}

/// The share and what of it no filter changes: "about 94 % (85 to 97 %) of the CPU time, an
/// estimate."
pub(crate) fn sentences(cost: &RecordingCost) -> String {
    // Older recorders did not measure whole calls.
    match cost.interval.is_some() || cost.baseline.is_some() {
        true => format!("{}.{}", share(cost), fixed(cost)),
        false => format!("{}.", share(cost)),
    }
}

/// The first thing to know about an inflated result; `None` where recording cost little.
pub(crate) fn warning(result: &AnalysisResult) -> Option<String> {
    let cost = result.summary.recording.cost.as_ref()?;
    if !cost.is_inflating() {
        return None;
    }
    let measure = match cost.baseline {
        Some(_) => "",
        None => " `pgastool run --baseline PLAIN_PROGRAM` measures it;",
    };
    Some(format!(
        "Recording took {}. Times below are inflated by it, those of call paths as marked, and \
         waiting for threads that it slowed down;{measure} `pgastool score` proposes a filter.",
        share(cost)
    ))
}

/// A share of the recording that is worth a mark.
fn notable(share: f64) -> Option<String> {
    (100.0 * share > INFLATED).then(|| percent(100.0 * share))
}

/// Of the time of a call path itself.
pub(crate) fn of_call_path(inflation: Option<&Inflation>, path: CallPathId) -> Option<String> {
    notable(inflation?.own(path))
}

/// Of the time of a metric.
pub(crate) fn of_metric(
    inflation: Option<&Inflation>,
    result: &AnalysisResult,
    metric: MetricId,
) -> Option<String> {
    notable(inflation?.of_metric(&result.cube, metric, None))
}

/// The marks of a result for reports that people walk through: shares of what recording took, as
/// the text report has them. Indices are those of the cube and of the summary's findings. All are
/// empty where recording cost little.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct InflationMarks {
    /// Of all call paths together: "55 %".
    pub metrics: BTreeMap<usize, String>,
    /// Of the time of the call path itself: "55 %".
    pub call_paths: BTreeMap<usize, String>,
    /// Sentences without a full stop.
    pub findings: BTreeMap<usize, String>,
}

impl InflationMarks {
    /// The marks of all metrics, call paths and findings of a result.
    pub fn of(result: &AnalysisResult) -> Self {
        let inflation = Inflation::of(result);
        let Some(inflation) = inflation.as_ref() else {
            return Self::default();
        };
        let cube = &result.cube;
        let findings = result.summary.findings.iter().enumerate();
        let metrics =
            (0..cube.metrics.len()).filter(|&metric| cube.metrics[metric].unit == Unit::Seconds);
        let paths = 0..cube.call_paths.len();
        InflationMarks {
            metrics: metrics
                .filter_map(|m| Some((m, of_metric(Some(inflation), result, MetricId(m))?)))
                .collect(),
            call_paths: paths
                .filter_map(|p| Some((p, of_call_path(Some(inflation), CallPathId(p))?)))
                .collect(),
            findings: findings
                .filter_map(|(index, finding)| Some((index, of_finding(result, finding)?)))
                .collect(),
        }
    }
}

/// How far the seconds of a finding, and what it would save, can be taken at their word.
pub(crate) fn of_finding(result: &AnalysisResult, finding: &Finding) -> Option<String> {
    let inflation = Inflation::of(result)?;
    let cost = result.summary.recording.cost.as_ref()?;
    let place = CallPathId(finding.call_path);
    let metric = result.cube.metric(&finding.metric);
    let share = metric.map_or_else(
        || inflation.own(place),
        |metric| {
            let of_metric = inflation.of_metric(&result.cube, metric, Some(place));
            of_metric.max(inflation.own(place))
        },
    );
    let whole = percent(cost.percent);
    Some(match notable(share) {
        Some(share) => format!("about {share} of these seconds are what recording cost"),
        None => result.summary.words().say(&format!(
            "recording took {whole} of the {}: threads waited for may have been slow because of it",
            basis(cost)
        )),
    })
}

#[cfg(test)]
mod tests {
    use pgas_result::recording::Baseline;

    use super::*;

    fn cost(runs: u32, differ_too_much: bool) -> RecordingCost {
        RecordingCost {
            events: 1,
            summed_calls: 0,
            throttled_calls: 0,
            counted_accesses: 0,
            left_out_calls: 0,
            own_accesses: 0,
            seconds: 0.03,
            fixed_seconds: 0.0,
            percent: 3.0,
            interval: (runs != 1).then_some((2.0, 4.0)),
            cpu_seconds: Some(1.0),
            baseline: (runs > 0).then(|| Baseline {
                program: "./plain".into(),
                runs,
                cpu_seconds: 0.97,
                differ_too_much,
            }),
            call_paths: Vec::new(),
        }
    }

    #[test]
    fn an_estimate_is_called_one_and_a_measurement_names_its_baseline() {
        for (runs, differ, expected) in [
            (
                0,
                false,
                "about 3.0 % (2.0 % to 4.0 %) of the CPU time, an estimate",
            ),
            (1, false, "3.0 % of the CPU time, measured against ./plain"),
            (
                3,
                false,
                "3.0 % (2.0 % to 4.0 %) of the CPU time, measured against ./plain, median of 3 \
                 runs",
            ),
            (
                3,
                true,
                "about 3.0 % (2.0 % to 4.0 %) of the CPU time, an estimate; runs of ./plain \
                 differ by more",
            ),
        ] {
            assert_eq!(share(&cost(runs, differ)), expected);
        }
    }
}
