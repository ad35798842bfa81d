//! The score for people, in the manner of Score-P's: groups of regions, then the regions that cost
//! most, then what is proposed.

use super::Verdict;
use crate::terminal::unicode_locale;
use pgas_report::{printable, quantity, share_of_recording};
use pgas_score::{Figures, Kind, Outlook, Region};
use pgas_trace::metadata::{FilterInEffect, FilterStage};
use std::path::Path;

/// Regions below this share of the cost, and of the time, are only counted.
const SHOWN_FROM: f64 = 0.001;
/// Regions that are listed at most, unless more are to be left out.
const MOST_ROWS: usize = 30;

/// A line of the table.
struct Row {
    /// `+` left out by the proposed filter, `-` recorded, `*` some of each.
    mark: char,
    kind: &'static str,
    max_bytes: f64,
    figures: Figures,
    label: String,
}

pub(super) fn render(verdict: &Verdict, written_to: Option<&Path>) -> String {
    let mut text = heading(verdict);
    text.push('\n');
    text += &table(verdict);
    text.push('\n');
    text += &conclusion(verdict, written_to);
    text
}

impl Verdict {
    /// Short name of a kind of regions, in the terms of the program's model.
    fn kind_name(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Pgas if self.is_of_mpi => "MPI",
            kind => kind.name(),
        }
    }
}

fn heading(verdict: &Verdict) -> String {
    let score = &verdict.score;
    let range = |kind: usize| {
        let costs = score.threads.iter().map(|t| t.call_costs[kind] * 1e9);
        let cheapest = costs.clone().fold(f64::INFINITY, f64::min);
        let dearest = costs.fold(0.0, f64::max);
        match format!("{cheapest:.1}") == format!("{dearest:.1}") {
            true => format!("{dearest:.1} ns"),
            false => format!("{cheapest:.1} to {dearest:.1} ns"),
        }
    };
    let (function, operation) = (range(0), range(1));
    let calls = match function == operation {
        true => function,
        false => format!("{function} of a function, {operation} of an operation"),
    };
    let source = match score.cost_is_assumed {
        true => "assumed, since the recorder has not measured it",
        false => "measured when the program started",
    };
    let seconds = score.threads.iter().map(|t| t.seconds).fold(0.0, f64::max);
    let count = verdict.words.count(score.threads.len());
    let mut lines = vec![
        (
            "Experiment",
            format!("{}: {count}, {seconds:.3} s", verdict.directory),
        ),
        ("Recorded", events_and_bytes(verdict, &verdict.now)),
        ("A call costs", format!("{calls} ({source})")),
        (
            "Recording took",
            verdict.words.say(&share_of_recording(&verdict.cost)),
        ),
        ("Of that", unchanged(verdict)),
        ("Overhead", overhead(verdict, &verdict.now)),
    ];
    if score.partly_without_trace {
        lines[1].1 += "; of the time without a trace, what one would have had";
    }
    let total = |calls: fn(&Figures) -> u64| -> u64 {
        let regions = score.regions.iter();
        regions.map(|region| calls(&region.total())).sum()
    };
    let ways = [
        (
            "Counted",
            total(|calls| calls.counted),
            "accesses and calls were counted by the program itself, and not recorded",
        ),
        (
            "Throttled",
            total(|calls| calls.throttled),
            "calls were throttled: counted, but not recorded",
        ),
    ];
    for (name, calls, text) in ways.into_iter().filter(|(_, calls, _)| *calls > 0) {
        lines.insert(2, (name, format!("{} {text}", quantity::exact(calls))));
    }
    let excluded = verdict.filters.iter().map(excluded);
    lines.splice(2..2, excluded.map(|text| ("Excluded", text)));
    entries(lines)
}

/// Functions and operations of which the experiment has nothing, since a filter excluded them.
fn excluded(filter: &FilterInEffect) -> String {
    let file = printable(&filter.file, !unicode_locale());
    let (command, cost) = match filter.stage {
        FilterStage::Compile => ("compile", ""),
        FilterStage::Run => ("run", "; each call of them still cost a look"),
    };
    format!(
        "functions and operations that {file} excludes ({command} --filter): not recorded, not in \
         this table{cost}"
    )
}

fn events_and_bytes(verdict: &Verdict, outlook: &Outlook) -> String {
    format!(
        "{} events, {} bytes ({} on the {} that has most)",
        quantity::exact(outlook.events),
        quantity::exact(outlook.bytes.round() as u64),
        quantity::exact(outlook.max_bytes.round() as u64),
        verdict.words.one
    )
}

/// Recorded events and bytes, cost and overhead, in three lines.
fn outlook_lines(verdict: &Verdict, outlook: &Outlook) -> String {
    entries([
        ("Recorded", events_and_bytes(verdict, outlook)),
        (
            "Recording takes",
            format!(
                "{} of the CPU time",
                quantity::percent(outlook.cost_percent)
            ),
        ),
        ("Overhead", overhead(verdict, outlook)),
    ])
}

fn entries<'a>(lines: impl IntoIterator<Item = (&'a str, String)>) -> String {
    lines
        .into_iter()
        .map(|(name, value)| format!("{name:<16}{value}\n"))
        .collect()
}

fn overhead(verdict: &Verdict, outlook: &Outlook) -> String {
    let Outlook { overhead, .. } = outlook;
    let worst = match verdict.score.threads.len() {
        1 => String::new(),
        _ => format!(
            "; {} on {}",
            quantity::percent(100.0 * overhead.worst),
            verdict.words.name(overhead.worst_thread)
        ),
    };
    let stalls = match outlook.stall_seconds > 0.0 {
        true => format!(
            ", {} of waiting for full buffers in it",
            quantity::seconds(outlook.stall_seconds, !unicode_locale())
        ),
        false => String::new(),
    };
    format!(
        "{} of the time without recording{worst}: what a filter can change{stalls}",
        quantity::percent(100.0 * overhead.mean)
    )
}

/// Cost that no filter changes.
fn unchanged(verdict: &Verdict) -> String {
    let (score, cost) = (&verdict.score, &verdict.cost);
    let calls = score.unchanged_seconds - cost.fixed_seconds;
    let ascii = !unicode_locale();
    let mut text = format!(
        "{} to begin and end recording",
        quantity::seconds(cost.fixed_seconds, ascii)
    );
    if calls > 0.0 {
        text += &format!(
            ", {} for calls left out and own accesses",
            quantity::seconds(calls, ascii)
        );
    }
    text + ": no filter changes it"
}

fn table(verdict: &Verdict) -> String {
    let score = &verdict.score;
    let sum = |wanted: &dyn Fn(&Region) -> bool, label: &str, kind| {
        let parts: Vec<(&Region, bool)> = score
            .regions
            .iter()
            .zip(verdict.kept.iter().copied())
            .filter(|(region, _)| wanted(region))
            .collect();
        let by_thread = |index: usize| {
            parts
                .iter()
                .map(|(r, _)| r.threads[index].bytes)
                .sum::<f64>()
        };
        let kept = parts.iter().filter(|(_, kept)| *kept).count();
        (!parts.is_empty()).then(|| Row {
            mark: match kept {
                0 => '+',
                n if n == parts.len() => '-',
                _ => '*',
            },
            kind,
            max_bytes: (0..score.threads.len()).map(by_thread).fold(0.0, f64::max),
            figures: parts.iter().map(|(region, _)| region.total()).sum(),
            label: label.to_string(),
        })
    };
    let mut rows: Vec<Row> = sum(&|_| true, "", "ALL").into_iter().collect();
    for kind in [
        Kind::User,
        Kind::Communicating,
        Kind::Pgas,
        Kind::Library,
        Kind::Measurement,
    ] {
        let label = match kind {
            Kind::User => "functions without operations in them",
            Kind::Communicating => "functions with operations in them",
            Kind::Pgas if verdict.is_of_mpi => "operations of MPI",
            Kind::Pgas => "operations of the PGAS runtime",
            Kind::Library => "operations of the C library",
            Kind::Measurement => "waiting for full buffers to be written",
        };
        rows.extend(sum(
            &|region| region.kind == kind,
            label,
            verdict.kind_name(kind),
        ));
    }
    let all = match rows.first() {
        Some(all) => all.figures,
        None => return "Nothing was recorded.\n".to_string(),
    };
    let groups = rows.len();
    let mut hidden = 0;
    let mut hidden_cost = 0.0;
    for (region, kept) in score.regions.iter().zip(&verdict.kept) {
        let total = region.total();
        if region.kind == Kind::Measurement {
            continue;
        }
        let counts = total.cost_seconds >= SHOWN_FROM * all.cost_seconds
            || total.seconds >= SHOWN_FROM * all.seconds;
        if *kept && (!counts || rows.len() - groups >= MOST_ROWS) {
            hidden += 1;
            hidden_cost += total.cost_seconds;
            continue;
        }
        rows.push(Row {
            mark: if *kept { '-' } else { '+' },
            kind: verdict.kind_name(region.kind),
            max_bytes: region.max_bytes(),
            figures: total,
            label: label(region),
        });
    }
    let mut text = format!(
        "flt type {:>12} {:>13} {:>9} {:>7} {:>14} {:>9} {:>7}  region\n",
        "max bytes", "visits", "time[s]", "time[%]", "time/visit[us]", "cost[s]", "cost[%]"
    );
    for (index, row) in rows.iter().enumerate() {
        if index == groups {
            text.push('\n');
        }
        text += &line(row, &all);
    }
    if hidden > 0 {
        text += &format!(
            "          and {hidden} more, with {} of the cost (--format json has them all)\n",
            quantity::percent(100.0 * share(hidden_cost, all.cost_seconds))
        );
    }
    text
}

fn line(row: &Row, all: &Figures) -> String {
    let Row { figures, .. } = row;
    let per_visit = match figures.calls {
        0 => 0.0,
        calls => figures.seconds / calls as f64 * 1e6,
    };
    let line = format!(
        " {}  {:<4} {:>12} {:>13} {:>9.3} {:>7.1} {:>14.3} {:>9.4} {:>7.1}  {}",
        row.mark,
        row.kind,
        quantity::exact(row.max_bytes.round() as u64),
        quantity::exact(figures.calls),
        figures.seconds,
        100.0 * share(figures.seconds, all.seconds),
        per_visit,
        figures.cost_seconds,
        100.0 * share(figures.cost_seconds, all.cost_seconds),
        row.label
    );
    format!("{}\n", line.trim_end())
}

fn label(region: &Region) -> String {
    let label = match (region.kind.is_of_program(), region.file.rsplit('/').next()) {
        (true, Some(file)) if !file.is_empty() => {
            format!("{} ({file}:{})", region.name, region.line)
        }
        _ => region.name.clone(),
    };
    printable(&label, !unicode_locale())
}

fn conclusion(verdict: &Verdict, written_to: Option<&Path>) -> String {
    let limit = format!("{} %", verdict.max_overhead_percent);
    let mut text = String::new();
    if let Some(tried) = &verdict.tried {
        text += &format!("With {}:\n", tried.file);
        text += &outlook_lines(verdict, &tried.outlook);
        text.push('\n');
    }
    let names = verdict.proposal.names.len();
    if names == 0 {
        text += &match verdict.proposal.sufficient {
            true => format!("The overhead is below {limit}: nothing needs to be left out.\n"),
            false => format!("No filter can keep the overhead below {limit}.\n"),
        };
        return text + remedy(verdict);
    }
    let more = if verdict.extends_others { " more" } else { "" };
    let what = match names {
        1 => format!("this{more} is"),
        n => format!("these {n}{more} are"),
    };
    text += &match verdict.proposal.sufficient {
        true => {
            format!("To keep the overhead below {limit}, it is proposed that {what} left out:\n")
        }
        false => format!(
            "The overhead cannot be kept below {limit}; it becomes lowest if {what} left out:\n"
        ),
    };
    text.push('\n');
    for line in verdict.filter_file.lines() {
        text += &format!("    {}\n", printable(line, !unicode_locale()));
    }
    text += "\nThen there will be about:\n";
    text += &outlook_lines(verdict, &verdict.proposed);
    text += remedy(verdict);
    if !verdict.hides.is_empty() {
        text += &format!(
            "The filter leaves out {}: reports of such runs do not say which barriers and \
             flags\nare needed, nor whether data lies where it is used.\n",
            verdict.hides.join(", ")
        );
    }
    text.push('\n');
    text += &match written_to {
        Some(file) => format!(
            "Use it: pgastool compile --filter {0} ... (nothing is left of its functions), \
                 or\n        pgastool run --filter {0} ... (as compiled, and a call still costs a \
                 look)\n",
            file.display()
        ),
        None => {
            "Write it with -o FILE, and use it: pgastool compile --filter FILE ...\n".to_string()
        }
    };
    text
}

/// Advice where operations, not functions, cause most of the remaining cost; else none.
fn remedy(verdict: &Verdict) -> &'static str {
    let operations: f64 = verdict
        .score
        .regions
        .iter()
        .zip(&verdict.kept)
        .filter(|(region, kept)| **kept && matches!(region.kind, Kind::Pgas | Kind::Library))
        .map(|(region, _)| region.total().cost_seconds)
        .sum();
    let calls = verdict.proposed.cost_seconds - verdict.score.unchanged_seconds;
    match verdict.proposal.sufficient || operations < 0.5 * calls {
        true => "",
        false => {
            "The remaining cost is mostly that of runtime operations; --operations proposes some \
             of those, too.\n"
        }
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
