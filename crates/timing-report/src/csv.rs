//! Results as rows for a spreadsheet, one for each timing. Times in seconds.

use crate::results::Results;
use crate::text::arguments;
use pgas_timing::job::Method;
use pgas_timing::record::Timing;

const HEADER: [&str; 19] = [
    "operation",
    "arguments",
    "bytes",
    "threads",
    "nodes",
    "repetition",
    "method",
    "launches",
    "correct",
    "kept",
    "mean",
    "standard_error",
    "minimum",
    "maximum",
    "error",
    "interval_begin",
    "interval_end",
    "verified",
    "hidden",
];

/// The text of a file.
pub fn write(results: &Results) -> String {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    // Writing into memory does not fail, and all rows have as many fields.
    let _ = writer.write_record(HEADER);
    for run in &results.runs {
        let nodes = run.start.as_ref().map(|start| start.hosts.len());
        for timing in &run.timings {
            let _ = writer.write_record(row(timing, nodes));
        }
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

fn row(timing: &Timing, nodes: Option<usize>) -> Vec<String> {
    let summary = &timing.summary;
    let mut fields = vec![
        timing.what.operation.clone(),
        arguments(&timing.what),
        or_empty(timing.what.bytes),
        timing.threads.to_string(),
        or_empty(nodes),
        timing.repetition.to_string(),
        method(timing.method).to_string(),
        timing.launches.to_string(),
        summary.correct.to_string(),
        summary.kept.to_string(),
    ];
    let times = [
        summary.mean,
        summary.standard_error,
        summary.minimum,
        summary.maximum,
        summary.error,
        summary.interval.0,
        summary.interval.1,
    ];
    fields.extend(times.map(|time| format!("{time:e}")));
    fields.push(or_empty(timing.verified));
    fields.push(or_empty(timing.overlap.map(|overlap| overlap.hidden)));
    fields
}

/// As in JSON and on the command line.
pub(crate) fn method(method: Method) -> &'static str {
    match method {
        Method::Window => "window",
        Method::Barrier => "barrier",
        Method::Loop => "loop",
    }
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
