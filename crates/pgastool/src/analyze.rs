//! `pgastool analyze`: searches the trace of an experiment and leaves the result in it.

use crate::cli;
use crate::experiment;
use crate::failure::Outcome;
use crate::output;
use crate::ui::Ui;
use pgas_cube::AnalysisResult;
use pgas_trace::Experiment;
use std::time::Instant;

pub fn analyze(arguments: &cli::Analyze, ui: &Ui) -> Outcome {
    let directory = experiment::named_or_newest(arguments.experiment.as_deref(), ui)?;
    let started = Instant::now();
    let experiment = Experiment::open(&directory)?;
    let result = {
        let progress = ui.progress("analysing");
        let analysis = pgas_analyze::analyze(&experiment, &|fraction| progress.set(fraction))?;
        AnalysisResult {
            cube: analysis.cube,
            summary: analysis.summary,
        }
    };
    result.save(&directory)?;

    for remark in &result.summary.remarks {
        ui.warning(remark);
    }
    let findings = match result.summary.findings.len() {
        0 => "nothing found that costs much".to_string(),
        1 => "1 finding".to_string(),
        n => format!("{n} findings"),
    };
    ui.note(format_args!(
        "analysed {} threads in {:.2} s: {findings}; see `pgastool report {}`",
        result.summary.threads,
        started.elapsed().as_secs_f64(),
        directory.display()
    ));
    output::deliver(&directory.display().to_string(), None)?;
    Ok(0)
}
