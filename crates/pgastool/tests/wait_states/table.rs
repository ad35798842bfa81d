//! The table for people: what each program lost to each pattern, what was found, and by how much
//! that is wrong.

use crate::comparison::{FALSE_POSITIVES, FLOOR, Outcome, Row, TOLERANCE};
use crate::suite::Case;

/// Sums over all runs.
#[derive(Debug, Default)]
pub struct Summary {
    runs: usize,
    failed: usize,
    worst_total: f64,
    worst_thread: f64,
    worst_false_positives: f64,
    truth: f64,
    found: f64,
}

pub fn heading() -> String {
    format!(
        "{:<50} {:>7}  {:<46} {:>9} {:>9} {:>9} {:>9} {:>9}  {:>20}",
        "program",
        "threads",
        "pattern",
        "planned s",
        "true s",
        "found s",
        "error",
        "thread's",
        "false positives"
    )
}

/// The lines of one run.
pub fn lines(case: &Case, threads: u32, outcome: &Outcome) -> String {
    let share = 100.0 * outcome.false_positives / outcome.time;
    let false_positives = format!("{:.6} s {share:6.3} %", outcome.false_positives);
    let mut text = String::new();
    for (number, row) in outcome.rows.iter().enumerate() {
        let (title, threads, false_positives) = match number {
            0 => (case.title(), threads.to_string(), false_positives.as_str()),
            _ => Default::default(),
        };
        let line = format!(
            "{title:<50} {threads:>7}  {:<46} {:>9} {:>9.6} {:>9.6} {:>9} {:>9}  \
             {false_positives:>20}",
            row.what,
            row.planned
                .map_or(String::new(), |planned| format!("{planned:.3}")),
            row.truth,
            row.found,
            error(row),
            percent(row.worst_thread),
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// In percent where there is enough to compare, else in seconds.
fn error(row: &Row) -> String {
    match row.truth > 10.0 * FLOOR {
        true => format!("{:+.2} %", 100.0 * row.error()),
        false => format!("{:+.3} ms", 1e3 * (row.found - row.truth)),
    }
}

fn percent(share: f64) -> String {
    match share {
        0.0 => "-".into(),
        share => format!("{:.2} %", 100.0 * share),
    }
}

impl Summary {
    pub fn add(&mut self, outcome: &Outcome) {
        self.runs += 1;
        self.failed += usize::from(!outcome.deviations.is_empty());
        for row in &outcome.rows {
            if row.truth > 10.0 * FLOOR && row.planned != Some(0.0) {
                self.worst_total = self.worst_total.max(row.error().abs());
                self.worst_thread = self.worst_thread.max(row.worst_thread);
            }
            if row.planned.is_some() {
                self.truth += row.truth;
                self.found += row.found;
            }
        }
        let share = outcome.false_positives / outcome.time;
        self.worst_false_positives = self.worst_false_positives.max(share);
    }

    pub fn text(&self) -> String {
        format!(
            "{} runs, {} of them beyond what is allowed\nlost {:.3} s, found {:.3} s; largest error \
             {:.2} % in total, {:.2} % of a thread (allowed: {:.0} %, or {:.1} ms)\nfalse \
             positives: {:.3} % of the time at most (allowed: {:.1} %)",
            self.runs,
            self.failed,
            self.truth,
            self.found,
            100.0 * self.worst_total,
            100.0 * self.worst_thread,
            100.0 * TOLERANCE,
            1e3 * FLOOR,
            100.0 * self.worst_false_positives,
            100.0 * FALSE_POSITIVES,
        )
    }
}
