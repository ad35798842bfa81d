//! The cost of recording, and the functions that were throttled because they would have cost more.

use pgas_result::AnalysisResult;
use pgas_result::recording::{Counted, RecordingCost, Throttled};

use super::canvas::{Canvas, Line, Style};
use crate::figures::place;
use crate::inflated;
use crate::names::width;
use crate::quantity::{count, percent, seconds};

/// Throttled functions that have a line.
const SHOWN: usize = 10;
/// Columns at which the figures end, as for call paths.
const SECONDS: usize = 11;
const SHARE: usize = 19;
const WORDS: usize = 21;
/// Column at which numbers of calls end.
const CALLS: usize = 41;

/// From this share of the time on, in percent, less should be recorded.
const TOO_MUCH: f64 = 3.0;

/// Whether recording cost so much that something should be done about it.
pub(super) fn is_expensive(result: &AnalysisResult) -> bool {
    let cost = &result.summary.recording.cost;
    cost.as_ref().is_some_and(|cost| cost.percent >= TOO_MUCH)
}

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let recording = &result.summary.recording;
    let counted = &recording.counted;
    if recording.cost.is_none() && recording.throttled.is_empty() && counted.is_empty() {
        return;
    }
    let measured = recording.cost.as_ref().and_then(|c| c.measured_against());
    let aside = match measured {
        Some(_) => "measured against a plain build",
        None => "an estimate",
    };
    let aside = Line::new().add(Style::Dim, aside);
    canvas.heading("WHAT RECORDING COST", aside);
    match &recording.cost {
        Some(cost) => {
            write_cost(canvas, cost);
            // Older recorders did not measure whole calls.
            if cost.interval.is_some() || cost.baseline.is_some() {
                let text = canvas.words.say(&inflated::sentences(cost));
                canvas.prose((Style::Plain, ""), 2, Style::Dim, &text);
            }
        }
        None => {
            let text = "The recorder has not measured what an event costs.";
            canvas.prose((Style::Plain, ""), 2, Style::Dim, text);
        }
    }
    if !counted.is_empty() {
        write_counted(canvas, counted);
    }
    if recording.throttled.is_empty() {
        return;
    }
    canvas.blank();
    let text = "Throttled: called so often, and for so short a time, that from some call on calls \
                were only counted, and a sample of them timed. They are in all figures above.";
    canvas.prose((Style::Plain, ""), 2, Style::Dim, text);
    for throttled in recording.throttled.iter().take(SHOWN) {
        write_throttled(canvas, throttled);
    }
    let more = recording.throttled.len().saturating_sub(SHOWN);
    if more > 0 {
        let line = Line::new()
            .to(WORDS)
            .add(Style::Dim, format!("and {more} more"));
        canvas.line(line);
    }
}

fn write_counted(canvas: &mut Canvas, counted: &[Counted]) {
    let accesses = counted.iter().filter(|site| !site.is_function).collect();
    let text = "Counted: single accesses that the program counts where they happen. Numbers and \
                bytes are exact; their time is in that of the functions that make them.";
    write_counted_sites(canvas, text, "accesses", accesses);
    let functions = counted.iter().filter(|site| site.is_function).collect();
    let text = "Functions not recorded call by call: small ones that do nothing else that is \
                recorded. Numbers of calls are exact; their time is in that of their callers.";
    write_counted_sites(canvas, text, "calls", functions);
}

fn write_counted_sites(canvas: &mut Canvas, text: &str, what: &str, counted: Vec<&Counted>) {
    if counted.is_empty() {
        return;
    }
    canvas.blank();
    canvas.prose((Style::Plain, ""), 2, Style::Dim, text);
    for site in counted.iter().take(SHOWN) {
        let room = canvas.width - CALLS - 2;
        let place = canvas.short(&place(&site.file, site.line), room / 2);
        let calls = format!("{} {what}", count(site.calls as f64));
        let line = Line::new()
            .right(Style::Plain, calls, CALLS)
            .to(CALLS + 2)
            .add(Style::Plain, site.region.clone())
            .right(Style::Dim, place, canvas.width);
        canvas.line(line);
    }
    let more = counted.len().saturating_sub(SHOWN);
    if more > 0 {
        let line = Line::new()
            .to(WORDS)
            .add(Style::Dim, format!("and {more} more"));
        canvas.line(line);
    }
}

fn write_cost(canvas: &mut Canvas, cost: &RecordingCost) {
    let amounts: Vec<String> = [
        (cost.events, "events"),
        (cost.summed_calls, "calls summed up"),
        (cost.throttled_calls, "throttled calls"),
        (cost.counted_accesses, "counted accesses"),
        (cost.left_out_calls, "calls left out"),
        (cost.own_accesses, "own accesses"),
    ]
    .into_iter()
    .filter(|&(amount, _)| amount > 0)
    .map(|(amount, what)| format!("{} {what}", count(amount as f64)))
    .collect();
    let style = match cost.percent {
        p if p >= TOO_MUCH => Style::Fair,
        _ => Style::Plain,
    };
    let words = canvas.short(&amounts.join(canvas.glyphs.separator), canvas.width - WORDS);
    let line = Line::new()
        .right(style, seconds(cost.seconds, canvas.ascii), SECONDS)
        .right(style, percent(cost.percent), SHARE)
        .to(WORDS)
        .add(Style::Plain, words);
    canvas.line(line);
}

fn write_throttled(canvas: &mut Canvas, throttled: &Throttled) {
    let room = canvas.width - CALLS - 2;
    let place = canvas.short(&place(&throttled.file, throttled.line), room / 2);
    let name = canvas.short(&throttled.region, room.saturating_sub(width(&place) + 2));
    let calls = format!("{} calls", count(throttled.calls as f64));
    let name = match throttled.since_seconds {
        Some(since) => canvas.short(
            &format!("{name}, from {} on", seconds(since, canvas.ascii)),
            room.saturating_sub(width(&place) + 2),
        ),
        None => name,
    };
    let line = Line::new()
        .right(
            Style::Plain,
            seconds(throttled.seconds, canvas.ascii),
            SECONDS,
        )
        .right(Style::Plain, percent(throttled.percent), SHARE)
        .right(Style::Plain, calls, CALLS)
        .to(CALLS + 2)
        .add(Style::Plain, name)
        .right(Style::Dim, place, canvas.width);
    canvas.line(line);
}
