//! `pgastool run --baseline`: CPU time of a build of the program without instrumentation, with
//! which the analysis says what recording cost instead of estimating it.

use super::Measurement;
use crate::failure::Failure;
use crate::launch::Start;
use crate::launch::target::Target;
use crate::process::{Ended, signal_name};
use crate::terminal::Ui;
use pgas_measure::usage;
use pgas_trace::metadata::Baseline;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// The plain build `program` with the arguments of the program that is `measured`.
///
/// # Errors
/// If its CPU time would not compare with that of the other.
pub(super) fn target(
    program: &Path,
    measured: &Target,
    start: &Start,
    threads: u32,
) -> Result<Target, Failure> {
    let name = program.display();
    if !start.is_direct() {
        let launcher = start.launched_by().unwrap_or_default();
        return Err(Failure::new(format!(
            "--baseline cannot be used with `{launcher}`: the CPU time of processes that a \
             launcher starts is not known here"
        ))
        .help("measure on one node without launcher, or read the estimate in the report"));
    }
    let mut command: Vec<OsString> = measured.before.clone();
    command.push(program.into());
    command.extend(measured.arguments.iter().cloned());
    let plain = Target::of(&command, None, false)?;
    let how = "compile the same sources with `pgastool compile --no-instrument`";
    match &plain.info {
        None => Err(Failure::new(format!(
            "`{name}` is no baseline: it was not compiled by `pgastool compile`"
        ))
        .help(how)),
        Some(info) if info.instrumented => Err(Failure::new(format!(
            "`{name}` is no baseline: it is itself instrumented"
        ))
        .help(how)),
        Some(info) if info.threads.is_some_and(|compiled| compiled != threads) => {
            Err(Failure::new(format!(
                "`{name}` is no baseline for {threads} threads: it was compiled for {}",
                info.threads.unwrap_or_default()
            )))
        }
        Some(_) => Ok(plain),
    }
}

/// Runs the plain build `runs` times.
///
/// # Errors
/// If it cannot be started or fails.
pub(super) fn measure(plain: &Measurement<'_>, runs: u32, ui: &Ui) -> Result<Baseline, Failure> {
    let program = plain.target.named.to_string_lossy().into_owned();
    let mut cpu_seconds = Vec::new();
    for run in 1..=runs {
        match runs {
            1 => ui.note(format_args!("running {program} to compare")),
            _ => ui.note(format_args!(
                "running {program} to compare, {run} of {runs}"
            )),
        }
        let clock = CpuClock::start();
        let (ended, _) = plain.start(None, Vec::new(), true)?;
        let failed = match ended {
            Ended::Exited(0) => None,
            Ended::Exited(status) => Some(format!("ended with exit status {status}")),
            Ended::Killed(signal) => Some(format!("was ended by {}", signal_name(signal))),
        };
        if let Some(how) = failed {
            return Err(
                Failure::new(format!("`{program}` is no baseline: it {how}")).help(
                    "it gets the same arguments as the measured program, and no standard input",
                ),
            );
        }
        let seconds = clock.seconds().ok_or_else(|| {
            Failure::new("the system does not say how much CPU time a program took")
        })?;
        cpu_seconds.push(seconds);
    }
    Ok(Baseline {
        program,
        cpu_seconds,
    })
}

/// CPU time of programs that this process starts and waits for, one after the other.
pub(super) struct CpuClock(Option<Duration>);

impl CpuClock {
    pub(super) fn start() -> Self {
        CpuClock(usage::of_children())
    }

    /// Since the start; `None` if the system does not say.
    pub(super) fn seconds(&self) -> Option<f64> {
        let since = usage::of_children()?.checked_sub(self.0?)?;
        Some(since.as_secs_f64())
    }
}
