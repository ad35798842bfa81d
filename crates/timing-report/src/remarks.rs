//! Remarks on a run that a reader of its figures must know.

use crate::results::Run;
use pgas_base::quantity::seconds;
use pgas_timing::record::Timing;

/// Sentences, each by itself. `ascii` spells the micro sign "u".
pub fn of_run(run: &Run, ascii: bool) -> Vec<String> {
    let all = [cores(run), starts(run, ascii), uncertain(run)];
    all.into_iter().flatten().collect()
}

fn cores(run: &Run) -> Option<String> {
    let start = run.start.as_ref().filter(|start| !start.have_cores)?;
    let threads = start.nodes.len();
    Some(format!(
        "{threads} threads share cores: their times include waiting for a core."
    ))
}

/// Times of which hardly more is known than their order of magnitude.
fn uncertain(run: &Run) -> Option<String> {
    let is_uncertain = |timing: &&Timing| timing.summary.error > 0.5 * timing.summary.mean;
    let uncertain = run.timings.iter().filter(is_uncertain).count();
    (uncertain > 0).then(|| {
        format!(
            "{} threads: of {} times, {uncertain} may be wrong by more than half (E): few launches \
             were correct, or they differ widely. Measure again while nothing else runs, or with a \
             higher --most.",
            run.threads,
            run.timings.len()
        )
    })
}

/// The bound of clocks, where intervals have their errors instead.
fn starts(run: &Run, ascii: bool) -> Option<String> {
    let (mut bound, mut error): (f64, f64) = (0.0, 0.0);
    for timing in &run.timings {
        let repeats = timing.repeats as f64;
        bound = bound.max(repeats * timing.clock_uncertainty);
        error = error.max(repeats * timing.start_error);
    }
    (error < bound).then(|| {
        format!(
            "{} threads: clocks are off by up to {} between threads, as loops of comparisons show; \
             intervals contain that. Should all messages to a node take longer than those from it, \
             which no comparison shows, it may be up to {}.",
            run.threads,
            seconds(error, ascii),
            seconds(bound, ascii)
        )
    })
}
