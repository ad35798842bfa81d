//! The comparison of two groups of runs as JSON, for scripts: a contract, described in
//! `docs/comparing.md` and `docs/schema/diff-1.json`. Fields may be added in schema 1, never
//! changed or taken away.

use pgas_result::comparison::{
    By, Change, ComparedEfficiency, ComparedFinding, ComparedMetric, ComparedPlace, Comparison,
    Gate, Participants,
};
use serde::Serialize;

use crate::json::pretty;

/// Version of the layout.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
pub(crate) struct Diff<'a> {
    schema: u32,
    before: &'a Participants,
    after: &'a Participants,
    noise_is_known: bool,
    wall_seconds: &'a Change,
    efficiency: Option<&'a ComparedEfficiency>,
    per_thread: bool,
    metrics: Vec<WithUnit<&'a ComparedMetric>>,
    metric: &'a str,
    unit: &'static str,
    by: By,
    places: &'a [ComparedPlace],
    places_in_all: usize,
    findings: Vec<NamedFinding<'a>>,
    limits: Vec<WithUnit<&'a Gate>>,
    regression: bool,
    notes: &'a [String],
}

#[derive(Serialize)]
struct NamedFinding<'a> {
    name: &'a str,
    #[serde(flatten)]
    finding: &'a ComparedFinding,
}

#[derive(Serialize)]
struct WithUnit<T> {
    #[serde(flatten)]
    value: T,
    unit: &'static str,
}

/// One JSON object, with a line for each field and a line end; with at most `top` places, if that
/// is given.
pub fn comparison_json(comparison: &Comparison, top: Option<usize>) -> String {
    pretty(&Diff::of(comparison, top))
}

impl<'a> Diff<'a> {
    /// With at most `top` places, if that is given.
    pub(crate) fn of(comparison: &'a Comparison, top: Option<usize>) -> Self {
        let all = comparison.places.len();
        let shown = top.unwrap_or(all).min(all);
        Diff {
            schema: SCHEMA,
            before: &comparison.before,
            after: &comparison.after,
            noise_is_known: comparison.noise_is_known(),
            wall_seconds: &comparison.wall,
            efficiency: comparison.efficiency.as_ref(),
            per_thread: comparison.per_thread,
            metrics: comparison
                .metrics
                .iter()
                .map(|metric| WithUnit {
                    value: metric,
                    unit: metric.unit.symbol(),
                })
                .collect(),
            metric: &comparison.metric,
            unit: comparison.unit.symbol(),
            by: comparison.by,
            places: &comparison.places[..shown],
            places_in_all: all,
            findings: comparison
                .findings
                .iter()
                .map(|finding| NamedFinding {
                    name: comparison.finding_name(finding),
                    finding,
                })
                .collect(),
            limits: comparison
                .gates
                .iter()
                .map(|gate| WithUnit {
                    value: gate,
                    unit: gate.unit.symbol(),
                })
                .collect(),
            regression: comparison.is_regression(),
            notes: &comparison.notes,
        }
    }
}
