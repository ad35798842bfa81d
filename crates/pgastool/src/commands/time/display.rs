//! What the user sees while operations are timed: rows of the table as they come, what failed, and
//! how far it is.

use super::measuring::{Plan, Watcher};
use crate::failure::Failure;
use crate::output;
use crate::terminal::{Progress, Ui, visible};
use owo_colors::OwoColorize;
use pgas_base::models::Words;
use pgas_timing::job::Case;
use pgas_timing::record::{Start, TimerCheck, Timing};
use pgas_timing_report::text::Table;

/// Rows, failures and progress of a plan.
pub struct Display<'a> {
    ui: &'a Ui,
    cases: &'a [Case],
    table: Table,
    progress: Progress,
    /// Repetitions of all cases with all numbers of threads.
    all: f64,
    /// Those that are done.
    done: f64,
    repetitions: f64,
    most_launches: f64,
    threads: u32,
    /// Rows that could not be written.
    lost: Option<Failure>,
}

impl<'a> Display<'a> {
    /// Of a plan that begins.
    pub fn new(plan: &Plan<'a>, table: Table, ui: &'a Ui) -> Self {
        let repetitions = f64::from(plan.settings.repetitions);
        Display {
            ui,
            cases: plan.cases,
            table,
            progress: ui.progress("timing", None),
            all: (plan.cases.len() * plan.threads.len()) as f64 * repetitions,
            done: 0.0,
            repetitions,
            most_launches: f64::from(plan.settings.most_launches),
            threads: 0,
            lost: None,
        }
    }

    /// Ends the display.
    ///
    /// # Errors
    /// If rows could not be written.
    pub fn finish(self) -> Result<(), Failure> {
        self.lost.map_or(Ok(()), Err)
    }

    fn print(&mut self, text: &str) {
        if text.is_empty() || self.lost.is_some() {
            return;
        }
        let written = self.progress.aside(|| output::deliver(text, None));
        self.lost = written.err();
    }

    fn shown(&self, case: usize) -> String {
        self.cases.get(case).map_or_else(String::new, name)
    }

    fn advance(&mut self, repetitions: f64) {
        self.done += repetitions;
        self.progress.set(self.done / self.all);
    }
}

impl Watcher for Display<'_> {
    fn begins(&mut self, threads: u32) {
        self.threads = threads;
    }

    fn starts(&mut self, start: &Start) {
        if !start.have_cores {
            let ui = self.ui;
            let threads = self.threads;
            self.progress.aside(|| {
                ui.warning(format_args!(
                    "{threads} threads share cores: their times include waiting for a core"
                ));
            });
        }
    }

    fn checked(&mut self, check: &TimerCheck) {
        let ui = self.ui;
        for reason in check.undecided.iter().filter(|_| check.judged) {
            self.progress.aside(|| {
                ui.warning(format_args!(
                    "the timer is not judged by each pattern: {reason}"
                ));
            });
        }
    }

    fn timed(&mut self, timing: &Timing) {
        let row = self.table.row(timing);
        self.print(&row);
        self.advance(1.0);
    }

    fn failed(&mut self, case: Option<usize>, reason: &str) {
        let what = match case {
            Some(case) => format!("{} with {}", self.shown(case), counted(self.threads)),
            None => counted(self.threads),
        };
        let failure = Failure::new(format!("{what}: {reason}"));
        self.progress.aside(|| self.ui.failure(&failure));
        if case.is_some() {
            self.advance(self.repetitions);
        }
    }

    fn launched(&mut self, case: usize, launches: u32) {
        let part = (f64::from(launches) / self.most_launches).min(1.0);
        self.progress.set((self.done + part) / self.all);
        let (threads, shown) = (self.threads, self.shown(case));
        let now = format!("{shown}, {}, {launches} launches", counted(threads));
        self.progress.say(&now);
    }

    fn printed(&mut self, line: &str) {
        let line = visible(line);
        self.progress.aside(|| self.ui.line(line.dimmed()));
    }
}

/// "1 thread", "4 threads".
fn counted(threads: u32) -> String {
    Words::default().count(threads as usize)
}

/// A case in a few words.
pub fn name(case: &Case) -> String {
    let bytes = case.bytes.map(|bytes| format!("{bytes} bytes"));
    let arguments = case
        .arguments
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let words = [case.operation.clone()].into_iter().chain(bytes);
    words.chain(arguments).collect::<Vec<_>>().join(" ")
}
