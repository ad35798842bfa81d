//! The score as JSON, described in `docs/json.md`. Fields may be added, but none changes its
//! meaning or goes away as long as `schema` is 1.

use super::Verdict;
use crate::failure::Failure;
use pgas_score::Outlook;
use serde_json::{Value, json};

pub(super) fn render(verdict: &Verdict) -> Result<String, Failure> {
    let score = &verdict.score;
    let threads: Vec<Value> = score
        .threads
        .iter()
        .map(|thread| {
            json!({
                "thread": thread.thread,
                "seconds": thread.seconds,
                "event_cost_seconds": thread.event_cost,
            })
        })
        .collect();
    let regions: Vec<Value> = score
        .regions
        .iter()
        .zip(&verdict.kept)
        .map(|(region, kept)| {
            let total = region.total();
            json!({
                "name": region.name,
                "file": region.file,
                "line": region.line,
                "type": region.kind.name(),
                "events": total.events,
                "bytes": total.bytes.round(),
                "max_bytes": region.max_bytes().round(),
                "calls": total.calls,
                "throttled_calls": total.throttled,
                "counted_calls": total.counted,
                "seconds": total.seconds,
                "inclusive_seconds": total.inclusive_seconds,
                "cost_seconds": total.cost_seconds,
                "recorded": kept,
            })
        })
        .collect();
    let filter = verdict.tried.as_ref().map(|tried| {
        let mut value = outlook(&tried.outlook);
        value["file"] = json!(tried.file);
        value
    });
    let filters: Vec<Value> = verdict
        .filters
        .iter()
        .map(|filter| json!({ "stage": filter.stage, "file": filter.file }))
        .collect();
    let mut proposal = outlook(&verdict.proposed);
    proposal["exclude"] = json!(verdict.proposal.names);
    proposal["hides"] = json!(verdict.hides);
    let whole = json!({
        "schema": 1,
        "experiment": verdict.directory,
        "threads": threads,
        "cost_is_assumed": score.cost_is_assumed,
        "partly_without_trace": score.partly_without_trace,
        "cost": {
            "seconds": verdict.cost.seconds,
            "fixed_seconds": verdict.cost.fixed_seconds,
            "unchanged_seconds": score.unchanged_seconds,
            "percent": verdict.cost.percent,
            "interval": verdict.cost.interval,
            "cpu_seconds": verdict.cost.cpu_seconds,
            "baseline": verdict.cost.baseline,
        },
        "now": outlook(&verdict.now),
        "filters": filters,
        "filter": filter,
        "max_overhead_percent": verdict.max_overhead_percent,
        "sufficient": verdict.proposal.sufficient,
        "proposal": proposal,
        "regions": regions,
    });
    Ok(serde_json::to_string_pretty(&whole)?)
}

fn outlook(outlook: &Outlook) -> Value {
    json!({
        "events": outlook.events,
        "bytes": outlook.bytes.round(),
        "max_bytes": outlook.max_bytes.round(),
        "cost_seconds": outlook.cost_seconds,
        "cost_percent": outlook.cost_percent,
        "stall_seconds": outlook.stall_seconds,
        "overhead_percent": outlook.overhead.mean * 100.0,
        "worst_overhead_percent": outlook.overhead.worst * 100.0,
        "worst_thread": outlook.overhead.worst_thread,
    })
}
