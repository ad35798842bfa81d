//! Tables for a terminal: a row for each timing, as they come; models; timers; comparisons.

use crate::compare::{Comparison, Row};
use crate::models::{self, Models};
use crate::names::arguments;
use crate::remarks;
use crate::results::Results;
use pgas_base::quantity::{bytes, percent, seconds};
use pgas_timing::job::Case;
use pgas_timing::record::{Overlap, Summary, TimerCheck, Timing};

/// Columns and their widths. Narrow tables leave out those of [`LEAST`].
const COLUMNS: [(&str, usize); 12] = [
    ("threads", 7),
    ("size", 10),
    ("launches", 8),
    ("correct", 7),
    ("kept", 4),
    ("mean", 7),
    ("SE", 7),
    ("min", 7),
    ("max", 7),
    ("E", 7),
    ("from", 7),
    ("to", 7),
];
/// Columns in the order in which narrow tables leave them out.
const LEAST: [&str; 8] = [
    "kept", "min", "max", "SE", "launches", "correct", "to", "from",
];

/// A table that grows row by row.
#[derive(Debug, Clone)]
pub struct Table {
    ascii: bool,
    per_thread: bool,
    columns: Vec<(&'static str, usize)>,
    /// Operation and arguments of the rows above.
    group: Option<String>,
}

impl Table {
    /// A table for a terminal of `width` columns; `ascii` spells the micro sign "u".
    pub fn new(width: usize, ascii: bool, per_thread: bool) -> Self {
        let mut columns = COLUMNS.to_vec();
        let needed = |columns: &[(&str, usize)]| -> usize {
            let widths = columns.iter().map(|(_, width)| width + 1);
            widths.sum::<usize>() - 1
        };
        for least in LEAST {
            if needed(&columns) > width {
                columns.retain(|(name, _)| *name != least);
            }
        }
        Table {
            ascii,
            per_thread,
            columns,
            group: None,
        }
    }

    /// The lines for a timing: its row, and before it a header if another operation begins.
    pub fn row(&mut self, timing: &Timing) -> String {
        let arguments = arguments(&timing.what);
        let group = format!("{} {arguments}", timing.what.operation);
        let mut text = String::new();
        if self.group.as_ref() != Some(&group) {
            let gap = if self.group.is_some() { "\n" } else { "" };
            let names = self.columns.iter().map(|(name, _)| (*name).to_string());
            text += &format!("{gap}{}\n", group.trim_end());
            text += &self.line(names);
            self.group = Some(group);
        }
        let threads = timing.threads.to_string();
        text += &self.values(threads, &timing.what, Some(timing), &timing.summary);
        if self.per_thread {
            for (thread, summary) in timing.per_thread.iter().enumerate() {
                text += &self.values(format!("#{thread}"), &timing.what, None, summary);
            }
        }
        if let Some(overlap) = &timing.overlap {
            text += &format!("        {}\n", hidden(overlap, self.ascii));
        }
        text
    }

    fn values(
        &self,
        threads: String,
        case: &Case,
        timing: Option<&Timing>,
        summary: &Summary,
    ) -> String {
        let time = |value| seconds(value, self.ascii);
        let value = |name: &str| match name {
            "threads" => threads.clone(),
            "size" => size(case.bytes),
            "launches" => timing.map_or_else(String::new, |t| t.launches.to_string()),
            "correct" => summary.correct.to_string(),
            "kept" => summary.kept.to_string(),
            "mean" => time(summary.mean),
            "SE" => time(summary.standard_error),
            "min" => time(summary.minimum),
            "max" => time(summary.maximum),
            "E" => time(summary.error),
            "from" => time(summary.interval.0),
            _ => time(summary.interval.1),
        };
        self.line(self.columns.iter().map(|(name, _)| value(name)))
    }

    fn line(&self, values: impl Iterator<Item = String>) -> String {
        let pairs = self.columns.iter().zip(values);
        let aligned = pairs.map(|((_, width), value)| format!("{value:>width$}"));
        aligned.collect::<Vec<_>>().join(" ") + "\n"
    }
}

/// The final form: all rows, what failed, and the models.
pub fn results(results: &Results, width: usize, ascii: bool, per_thread: bool) -> String {
    let mut table = Table::new(width, ascii, per_thread);
    let mut text: String = results.timings().map(|timing| table.row(timing)).collect();
    for (run, failure) in results
        .runs
        .iter()
        .flat_map(|run| run.failures.iter().map(move |failure| (run, failure)))
    {
        text += &format!("failed: {}\n", failed(run.threads, failure));
    }
    text + &closing(results, ascii)
}

/// Models and remarks, which follow the rows; empty if there are none.
pub fn closing(results: &Results, ascii: bool) -> String {
    let remarks = results
        .runs
        .iter()
        .flat_map(|run| remarks::of_run(run, ascii));
    let remarks: String = remarks.map(|remark| remark + "\n").collect();
    let models = models(&models::models(results), ascii);
    let parts = [models, remarks]
        .into_iter()
        .filter(|part| !part.is_empty());
    parts.map(|part| format!("\n{part}")).collect()
}

/// Cases that failed, with the reasons.
pub(crate) fn failed(threads: u32, failure: &crate::results::Failure) -> String {
    let case = failure.case.as_ref().map_or(String::new(), |case| {
        let bytes = case
            .bytes
            .map_or(String::new(), |bytes| format!(" {bytes} bytes"));
        format!("{} {}{bytes}, ", case.operation, arguments(case))
    });
    format!("{case}{threads} threads: {}", failure.reason)
}

/// Models as lines; empty if there are none.
fn models(models: &Models, ascii: bool) -> String {
    let mut text = String::new();
    for model in &models.over_size {
        let [alpha, beta] = model.intervals(models.confidence, ascii);
        text += &format!(
            "{}, {} threads: {} ({}; {alpha}, {beta})\n",
            model.what,
            model.threads,
            model.formula(ascii),
            models::error(model.error),
        );
    }
    for model in &models.over_threads {
        let bytes = model
            .bytes
            .map_or(String::new(), |bytes| format!(", {bytes} bytes"));
        text += &format!(
            "{}{bytes}, n threads: {} ({}; {})\n",
            model.what,
            model.formula(ascii),
            model.quality(),
            model.intervals(models.confidence, ascii).join(", "),
        );
    }
    text
}

/// How much of an operation computation hides.
pub(crate) fn hidden(overlap: &Overlap, ascii: bool) -> String {
    let (low, high) = overlap.interval;
    format!(
        "{} hidden behind {} of computation ({} to {})",
        percent(100.0 * overlap.hidden),
        seconds(overlap.computation, ascii),
        percent(100.0 * low),
        percent(100.0 * high),
    )
}

fn size(of: Option<u64>) -> String {
    of.map_or_else(|| "-".to_string(), |of| bytes(of as f64))
}

/// How a timer passed its check, as rows.
pub fn timer(name: &str, check: &TimerCheck, ascii: bool) -> String {
    let time = |value| seconds(value, ascii);
    let rows = check.rows.iter().map(|row| {
        format!(
            "{name:<13} {:<7} {:>7} {:>9} {:>9} {:>9} {:>9}\n",
            row.pattern,
            row.threads,
            time(row.expected),
            time(row.summary.mean),
            time(row.summary.error),
            time(row.tolerance),
        )
    });
    rows.collect()
}

/// The header above [`timer`].
pub fn timer_header() -> String {
    format!(
        "{:<13} {:<7} {:>7} {:>9} {:>9} {:>9} {:>9}\n",
        "timer", "pattern", "threads", "expected", "mean", "E", "allowed"
    )
}

/// A comparison, row by row.
pub fn comparison(comparison: &Comparison, ascii: bool) -> String {
    let mut text = String::new();
    for remark in &comparison.remarks {
        text += &format!("{remark}\n");
    }
    text += &format!("{:>7} {:>10}", "threads", "size");
    for name in ["before", "after", "factor", "from", "to"] {
        text += &format!(" {name:>8}");
    }
    text += "\n";
    let mut group = "";
    for row in &comparison.rows {
        if row.what != group {
            text += &format!("{}\n", row.what);
            group = &row.what;
        }
        text += &compared(row, ascii);
    }
    for (side, rows) in [
        ("before", &comparison.only_before),
        ("after", &comparison.only_after),
    ] {
        for row in rows {
            text += &format!("only {side}: {row}\n");
        }
    }
    text + &total(comparison)
}

/// The last line of a comparison.
fn total(comparison: &Comparison) -> String {
    if comparison.rows.is_empty() {
        return "0 rows compared: nothing was timed in both results\n".to_string();
    }
    let certain = || comparison.rows.iter().filter(|row| row.certain);
    let slower = certain().filter(|row| row.factor > 1.0).count();
    format!(
        "{} rows compared, {slower} certainly slower, {} certainly faster; {} that any of these is chance\n",
        comparison.rows.len(),
        certain().count() - slower,
        percent(100.0 * (1.0 - comparison.confidence)),
    )
}

/// In a word or two.
pub(crate) fn verdict(row: &Row) -> &'static str {
    match (row.certain, row.factor > 1.0) {
        (true, true) => "slower",
        (true, false) => "faster",
        (false, _) => "not certain",
    }
}

fn compared(row: &Row, ascii: bool) -> String {
    let bound = |value: Option<f64>| value.map_or_else(|| "?".to_string(), |v| format!("{v:.3}"));
    format!(
        "{:>7} {:>10} {:>8} {:>8} {:>8.3} {:>8} {:>8} {}\n",
        row.threads,
        size(row.bytes),
        seconds(row.before, ascii),
        seconds(row.after, ascii),
        row.factor,
        bound(row.interval.map(|(low, _)| low)),
        bound(row.interval.map(|(_, high)| high)),
        verdict(row),
    )
}
