//! Remarks on a run that a reader of its figures must know.

use crate::results::Run;
use pgas_base::quantity::seconds;

/// Sentences, each by itself. `ascii` spells the micro sign "u".
pub fn of_run(run: &Run, ascii: bool) -> Vec<String> {
    let all = [cores(run), starts(run, ascii)];
    all.into_iter().flatten().collect()
}

fn cores(run: &Run) -> Option<String> {
    let start = run.start.as_ref().filter(|start| !start.have_cores)?;
    let threads = start.nodes.len();
    Some(format!(
        "{threads} threads share cores: their times include waiting for a core."
    ))
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
