//! Checks what a file claims beyond its form: figures that no measurement has.

use crate::results::{Results, Run};
use pgas_timing::job::Settings;
use pgas_timing::record::{Overlap, Start, Summary, TimerRow, Timing};

/// A field with a value that it cannot have.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{field}: found {found}, expected {expected}")]
pub(crate) struct Problem {
    field: String,
    found: String,
    expected: String,
}

type Checked = Result<(), Problem>;

pub(crate) fn results(results: &Results) -> Checked {
    settings(&results.settings)?;
    for (index, one) in results.runs.iter().enumerate() {
        run(&format!("runs[{index}]"), one)?;
    }
    Ok(())
}

fn settings(settings: &Settings) -> Checked {
    let confidence = settings.confidence;
    let inside = confidence > 0.0 && confidence < 1.0;
    demand(
        inside,
        "settings.confidence",
        confidence,
        "above 0 and below 1",
    )?;
    let share = settings.trimmed_share;
    let inside = (0.0..0.5).contains(&share);
    demand(inside, "settings.trimmed_share", share, "0 to below 0.5")
}

fn run(field: &str, run: &Run) -> Checked {
    demand(
        run.threads > 0,
        &format!("{field}.threads"),
        run.threads,
        "1 or more",
    )?;
    if let Some(began) = &run.start {
        start(&format!("{field}.start"), began)?;
    }
    for (index, row) in run.timer.iter().flat_map(|timer| &timer.rows).enumerate() {
        timer_row(&format!("{field}.timer.rows[{index}]"), row)?;
    }
    for (index, one) in run.timings.iter().enumerate() {
        timing(&format!("{field}.timings[{index}]"), one)?;
    }
    Ok(())
}

fn start(field: &str, start: &Start) -> Checked {
    let hosts = start.hosts.len();
    match start.nodes.iter().find(|node| **node >= hosts) {
        Some(node) => demand(
            false,
            &format!("{field}.nodes"),
            node,
            &format!("below {hosts}, the number of hosts"),
        ),
        None => Ok(()),
    }
}

fn timer_row(field: &str, row: &TimerRow) -> Checked {
    time(&format!("{field}.expected"), row.expected)?;
    time(&format!("{field}.tolerance"), row.tolerance)?;
    summary(&format!("{field}.summary"), &row.summary)
}

fn timing(field: &str, timing: &Timing) -> Checked {
    let threads = timing.threads;
    demand(
        threads > 0,
        &format!("{field}.threads"),
        threads,
        "1 or more",
    )?;
    summary(&format!("{field}.summary"), &timing.summary)?;
    time(
        &format!("{field}.clock_uncertainty"),
        timing.clock_uncertainty,
    )?;
    time(&format!("{field}.start_error"), timing.start_error)?;
    let bound = timing.clock_uncertainty;
    demand(
        timing.start_error <= bound,
        &format!("{field}.start_error"),
        timing.start_error,
        &format!("at most the bound of starts, {bound}"),
    )?;
    let of_threads = timing.per_thread.len();
    let complete = of_threads == 0 || of_threads == threads;
    let expected = format!("none or one of each of {threads} threads");
    demand(
        complete,
        &format!("{field}.per_thread"),
        of_threads,
        &expected,
    )?;
    for (index, one) in timing.per_thread.iter().enumerate() {
        summary(&format!("{field}.per_thread[{index}]"), one)?;
    }
    for (index, launch) in timing.picture.iter().enumerate() {
        let (starts, ends) = (launch.starts.len(), launch.ends.len());
        let each = starts == threads && ends == threads;
        let found = format!("{starts} starts, {ends} ends");
        let expected = format!("{threads} of each");
        demand(each, &format!("{field}.picture[{index}]"), found, &expected)?;
    }
    timing.overlap.as_ref().map_or(Ok(()), |hidden| {
        overlap(&format!("{field}.overlap"), hidden)
    })
}

fn overlap(field: &str, overlap: &Overlap) -> Checked {
    time(&format!("{field}.computation"), overlap.computation)?;
    let hidden = overlap.hidden;
    demand(
        (0.0..=1.0).contains(&hidden),
        &format!("{field}.hidden"),
        hidden,
        "0 to 1",
    )?;
    summary(&format!("{field}.together"), &overlap.together)
}

fn summary(field: &str, summary: &Summary) -> Checked {
    let (kept, correct) = (summary.kept, summary.correct);
    let expected = format!("at most {correct}, the number of correct launches");
    demand(kept <= correct, &format!("{field}.kept"), kept, &expected)?;
    for (name, value) in [
        ("mean", summary.mean),
        ("standard_error", summary.standard_error),
        ("minimum", summary.minimum),
        ("maximum", summary.maximum),
        ("error", summary.error),
        ("interval[0]", summary.interval.0),
        ("interval[1]", summary.interval.1),
    ] {
        time(&format!("{field}.{name}"), value)?;
    }
    let (low, high) = summary.interval;
    let ordered = low <= summary.mean && summary.mean <= high;
    let expected = format!("an interval around the mean, {}", summary.mean);
    demand(
        ordered,
        &format!("{field}.interval"),
        format!("{low} to {high}"),
        &expected,
    )
}

/// Longer than any measurement, and short enough to calculate with.
const LONGEST: f64 = 1e12;

fn time(field: &str, value: f64) -> Checked {
    let is_time = (0.0..=LONGEST).contains(&value);
    demand(is_time, field, value, "a number of seconds, 0 or more")
}

fn demand(holds: bool, field: &str, found: impl ToString, expected: &str) -> Checked {
    match holds {
        true => Ok(()),
        false => Err(Problem {
            field: field.to_string(),
            found: found.to_string(),
            expected: expected.to_string(),
        }),
    }
}
