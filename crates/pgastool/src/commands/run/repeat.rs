//! `pgastool run --repeat`: the same run several times, for a comparison that knows how much times
//! scatter.

use super::{Measurement, new_directory};
use crate::failure::Outcome;
use crate::output;
use crate::process::Ended;
use pgas_trace::Series;
use pgas_trace::experiment::create;
use pgas_trace::metadata::Metadata;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// Runs the program `repeats` times, each into an experiment of its own in the directory of the
/// series. The exit status is that of the first run that failed; further ones follow it unless
/// somebody has ended it by a signal.
pub(super) fn run(measurement: &Measurement<'_>, run: &Metadata, repeats: u32) -> Outcome {
    let ui = measurement.ui;
    let series = Series::new(run, repeats);
    let directory = new_directory(
        measurement.arguments.output.as_deref(),
        |path| series.create(path),
        |parent| series.create_default(parent, run),
    )?;
    measurement.warn_of_local(&directory);
    let mut failed: Option<Ended> = None;
    let mut failures = 0;
    for number in 1..=repeats {
        let place = series.repeat(&directory, number);
        let now = Metadata::new(&run.program, &run.arguments, run.threads);
        let mut metadata = Metadata {
            id: now.id,
            started: now.started,
            started_unix_ns: now.started_unix_ns,
            ..run.clone()
        };
        create(&place, &metadata)?;
        let (ended, received) = match measurement.record(&place, &mut metadata, false) {
            Ok(ended) => ended,
            Err(failure) => {
                if number == 1 {
                    // Nothing ran, so there is nothing to keep.
                    let _ = std::fs::remove_dir_all(&directory);
                }
                return Err(failure);
            }
        };
        if ended.status() != 0 {
            failures += 1;
            failed.get_or_insert(ended);
        }
        if (received.is_some() || is_interruption(ended)) && number < repeats {
            ui.warning(format_args!(
                "interrupted: {number} of {repeats} runs were made"
            ));
            break;
        }
    }
    if failures > 0 {
        ui.warning(format_args!(
            "{failures} of the runs failed; a comparison leaves them out and says so"
        ));
    }
    ui.note(format_args!(
        "next: pgastool analyze {}",
        directory.display()
    ));
    if let Err(failure) = output::deliver(&directory.display().to_string(), None) {
        ui.failure(&failure);
    }
    Ok(failed.map_or(0, Ended::status))
}

/// Whether somebody wants it to end: the program by such a signal, or a launcher or shell that
/// tells of one.
fn is_interruption(ended: Ended) -> bool {
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT].iter().any(|&signal| {
        ended == Ended::Killed(signal) || ended.status() == Ended::Killed(signal).status()
    })
}
