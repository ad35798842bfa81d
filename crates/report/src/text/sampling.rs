//! Computing time by source line, from samples: lines, what libraries take, and functions that are
//! not recorded call by call.

use pgas_result::AnalysisResult;
use pgas_result::sampling::{
    CodePlace, Estimate, SampledAccesses, SampledFunction, SampledLine, SampledTime, Sampling,
    SamplingClock,
};

use super::canvas::{Canvas, Line, Style};
use crate::figures::place;
use crate::names::width;
use crate::quantity::{count, percent, seconds};

/// Lines, and functions, that are shown.
const SHOWN: usize = 10;
/// Columns at which the figures end, as for call paths.
const SECONDS: usize = 11;
const SHARE: usize = 19;
/// Column at which the bounds of the interval end.
const INTERVAL: usize = 37;
/// Column at which numbers of calls end.
const CALLS: usize = 58;
/// Column at which numbers of accesses end, which are longer words.
const COUNTS: usize = 60;

pub(super) fn write(canvas: &mut Canvas, result: &AnalysisResult) {
    let Some(sampling) = &result.summary.sampling else {
        return;
    };
    let sampled: f64 = sampling.call_paths.iter().map(|path| path.seconds).sum();
    if sampled <= 0.0 {
        return;
    }
    // What nobody sampled may be anything of the program's, so that shares are of it, too.
    let total = sampled + sampling.missing_seconds;
    let clock = match sampling.clock {
        SamplingClock::UserTime | SamplingClock::TickTime => "CPU time",
        SamplingClock::WallTime => "wall-clock time",
    };
    let aside = format!(
        "from {} samples, one in {} of {clock}; in brackets: interval of 95 %",
        count(sampling.samples as f64),
        seconds(sampling.period_seconds, canvas.ascii)
    );
    canvas.heading("COMPUTING TIME BY LINE", Line::new().add(Style::Dim, aside));
    let lines = sampling.lines.iter();
    let known: Vec<&SampledLine> = lines.filter(|line| line.time.estimate.is_some()).collect();
    if known.is_empty() {
        let text = "Not enough samples for any line.";
        canvas.prose((Style::Plain, ""), 2, Style::Dim, text);
    }
    for line in known.iter().take(SHOWN) {
        write_line(canvas, line, total);
    }
    let shown: f64 = known.iter().take(SHOWN).map(|l| l.time.seconds()).sum();
    let (more, rest) = (known.len().saturating_sub(SHOWN), sampled - shown);
    if more > 0 || sampling.other_lines.lines > 0 {
        let text = format!(
            "and {} more with {} in all",
            count((more as u64 + sampling.other_lines.lines) as f64),
            seconds(rest.max(0.0), canvas.ascii)
        );
        canvas.line(Line::new().to(INTERVAL + 2).add(Style::Dim, text));
    }
    if sampling.missing_seconds > 0.0 {
        let line = Line::new()
            .right(
                Style::Plain,
                seconds(sampling.missing_seconds, canvas.ascii),
                SECONDS,
            )
            .right(
                Style::Plain,
                percent(100.0 * sampling.missing_seconds / total),
                SHARE,
            )
            .to(INTERVAL + 2)
            .add(Style::Plain, "samples are missing: see the remark");
        canvas.line(line);
    }
    write_unknown(canvas, sampling);
    write_accesses(canvas, &sampling.accesses, total);
    write_functions(canvas, &sampling.functions, total);
}

fn write_line(canvas: &mut Canvas, entry: &SampledLine, total: f64) {
    let place = words(&entry.place, &entry.module);
    let function = match (entry.place.line, entry.called_at.line) {
        (0, 0) => String::new(),
        (0, _) => format!("called at {}", words(&entry.called_at, "")),
        _ => entry.place.function.clone(),
    };
    let (first, second) = (place, function);
    let room = canvas.width - INTERVAL - 2;
    let first = canvas.short(&first, room / 2);
    let second = canvas.short(&second, room.saturating_sub(width(&first) + 2));
    let line = figures(canvas, &entry.time, total)
        .to(INTERVAL + 2)
        .add(Style::Plain, first)
        .right(Style::Dim, second, canvas.width);
    canvas.line(line);
}

/// "ssort.upc:81", "qsort (libc.so.6)", "libc.so.6".
fn words(of: &CodePlace, module: &str) -> String {
    let name = match (of.line, of.function.as_str()) {
        (0, "") => String::new(),
        (0, function) => function.to_owned(),
        (line, _) => place(&of.file, line),
    };
    match (name.as_str(), module) {
        ("", "") => "unknown code".to_owned(),
        ("", module) => module.to_owned(),
        (name, "") => name.to_owned(),
        (name, module) => format!("{name} ({module})"),
    }
}

/// "   1.23 s   12.0 %   [11.0 % to 13.1 %]"
fn figures(canvas: &Canvas, time: &SampledTime, total: f64) -> Line {
    let share = |part: f64| percent(100.0 * part / total);
    match time.estimate {
        Some(Estimate {
            seconds: value,
            low_seconds,
            high_seconds,
        }) => Line::new()
            .right(Style::Plain, seconds(value, canvas.ascii), SECONDS)
            .right(Style::Plain, share(value), SHARE)
            .right(
                Style::Dim,
                format!(
                    "[{} to {}]",
                    number(low_seconds, total),
                    share(high_seconds)
                ),
                INTERVAL,
            ),
        None => Line::new().right(Style::Dim, "not enough samples", INTERVAL),
    }
}

/// A share in percent without its sign.
fn number(part: f64, total: f64) -> String {
    let text = percent(100.0 * part / total);
    text.trim_end_matches('%').trim_end().to_owned()
}

/// Modules of which less is known than lines.
fn write_unknown(canvas: &mut Canvas, sampling: &Sampling) {
    let all: u64 = sampling.modules.iter().map(|module| module.samples).sum();
    let notable = sampling.modules.iter().filter(|module| {
        // A library without debug information is the rule; a program without is worth a word.
        let notable = module.samples * 100 >= all.max(1);
        notable && (module.detail == "nothing" || !is_library(&module.path))
    });
    for module in notable {
        let Some(note) = &module.note else { continue };
        let text = format!("{}: {note}.", module.path);
        canvas.prose((Style::Plain, ""), 2, Style::Dim, &text);
    }
}

fn is_library(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with(".so") || name.contains(".so.")
}

fn write_accesses(canvas: &mut Canvas, accesses: &[SampledAccesses], total: f64) {
    let text = "Lines with counted accesses to shared data; numbers are exact, the time is that of \
                the line without counting, which they take at most:";
    let known = accesses.iter().filter(|at| at.time.estimate.is_some());
    write_list(canvas, text, COUNTS, known, |canvas, at| {
        let number = format!("{} accesses", count(at.accesses as f64));
        let remote = 100.0 * at.remote_accesses as f64 / at.accesses.max(1) as f64;
        let remote = format!("{} remote", percent(remote));
        let room = canvas.width - COUNTS - 2;
        let place = canvas.short(&place(&at.file, at.line), room.saturating_sub(15));
        figures(canvas, &at.time, total)
            .right(Style::Plain, number, COUNTS)
            .to(COUNTS + 2)
            .add(Style::Plain, remote)
            .right(Style::Dim, place, canvas.width)
    });
}

fn write_functions(canvas: &mut Canvas, functions: &[SampledFunction], total: f64) {
    let text = "Functions that are not recorded call by call, with what they call; their time is \
                that of the recorded functions above them:";
    let known = functions.iter().filter(|f| f.inclusive.estimate.is_some());
    write_list(canvas, text, CALLS, known, |canvas, function| {
        let calls = function.calls.map_or_else(String::new, |calls| {
            format!("{} calls", count(calls as f64))
        });
        let room = canvas.width - CALLS - 2;
        let place = canvas.short(&place(&function.file, function.line), room / 2);
        let name = canvas.short(&function.function, room.saturating_sub(width(&place) + 2));
        figures(canvas, &function.inclusive, total)
            .right(Style::Plain, calls, CALLS)
            .to(CALLS + 2)
            .add(Style::Plain, name)
            .right(Style::Dim, place, canvas.width)
    });
}

/// Writes a line for each of the first entries, and how many more there are; nothing if there are
/// none. Figures end at `column`.
fn write_list<'a, T: 'a>(
    canvas: &mut Canvas,
    title: &str,
    column: usize,
    entries: impl Iterator<Item = &'a T>,
    line: impl Fn(&Canvas, &T) -> Line,
) {
    let mut entries = entries.peekable();
    if entries.peek().is_none() {
        return;
    }
    canvas.blank();
    canvas.prose((Style::Plain, ""), 2, Style::Dim, title);
    for entry in entries.by_ref().take(SHOWN) {
        canvas.line(line(canvas, entry));
    }
    let more = entries.count();
    if more > 0 {
        let text = format!("and {more} more");
        canvas.line(Line::new().to(column + 2).add(Style::Dim, text));
    }
}
