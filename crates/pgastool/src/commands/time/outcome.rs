//! The end of a measurement: results from what drivers reported, files, and the exit status.

use super::Arguments;
use super::driver::Driver;
use super::measuring::{Plan, Run};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::{Ui, unicode_locale, width};
use pgas_timing::record::Record;
use pgas_timing_report::results::{self, Results, SCHEMA};
use pgas_timing_report::text;
use pgas_timing_report::text::Table;
use std::path::Path;

/// Reason in results of a run that was ended before all was timed.
const INTERRUPTED: &str = "interrupted before all was timed";
/// Exit status after Ctrl-C, as shells have it.
pub const AFTER_INTERRUPT: u8 = 130;

/// The table for this terminal.
pub fn table(per_thread: bool) -> Table {
    Table::new(width(), !unicode_locale(), per_thread)
}

/// Writes the results into the files that were asked for. `shown`: rows were written as they came.
///
/// # Errors
/// If rows or files could not be written.
pub fn deliver(
    plan: &Plan,
    driver: &Driver,
    runs: Vec<Run>,
    arguments: &Arguments,
    ui: &Ui,
    shown: Result<(), Failure>,
) -> Outcome {
    let results = of_runs(plan, driver, runs);
    let written = arguments.files.write(&results, ui);
    shown?;
    let closing = text::closing(&results, !unicode_locale());
    if !closing.is_empty() {
        output::deliver(&closing, None)?;
    }
    written?;
    Ok(status(&results, ui))
}

/// Shows an earlier result.
///
/// # Errors
/// If it cannot be read, or a file not be written.
pub fn show(file: &Path, arguments: &Arguments, ui: &Ui) -> Outcome {
    let results = Results::read(file)?;
    let shown = text::results(&results, width(), !unicode_locale(), arguments.per_thread);
    output::deliver(&shown, None)?;
    arguments.files.write(&results, ui)?;
    Ok(0)
}

/// Results of what drivers reported.
pub fn of_runs(plan: &Plan, driver: &Driver, runs: Vec<Run>) -> Results {
    Results {
        schema: SCHEMA,
        written_by: concat!("pgastool ", env!("CARGO_PKG_VERSION")).to_string(),
        compiler: driver.compiler.version().to_string(),
        settings: plan.settings.clone(),
        runs: runs.into_iter().map(|run| of_run(plan, run)).collect(),
    }
}

fn of_run(plan: &Plan, run: Run) -> results::Run {
    let case = |index: usize| plan.cases.get(index).cloned();
    let mut result = results::Run {
        threads: run.threads,
        nodes: run.nodes,
        launcher: run.launcher,
        start: None,
        timer: None,
        clocks: Vec::new(),
        timings: Vec::new(),
        failures: Vec::new(),
        interrupted: run.interrupted.is_some(),
    };
    for record in run.records {
        match record {
            Record::Start(start) => result.start = Some(start),
            Record::Timer(check) => result.timer = Some(check),
            Record::Clocks(clocks) => result.clocks.push(clocks),
            Record::Timing(timing) => result.timings.push(timing),
            Record::Failed {
                case: index,
                reason,
            } => result.failures.push(results::Failure {
                case: case(index),
                reason,
            }),
            Record::Progress { .. } | Record::End => {}
        }
    }
    let interrupted = run.interrupted.map(|_| (None, INTERRUPTED.to_string()));
    let failures = run
        .failures
        .into_iter()
        .chain(interrupted)
        .map(|(at, reason)| results::Failure {
            case: at.and_then(case),
            reason,
        });
    result.failures.extend(failures);
    result
}

fn status(results: &Results, ui: &Ui) -> u8 {
    if results.runs.iter().any(|run| run.interrupted) {
        ui.warning("interrupted; what was measured until then is kept");
        return AFTER_INTERRUPT;
    }
    u8::from(results.runs.iter().any(|run| !run.failures.is_empty()))
}
