//! The runs that a side of a comparison consists of: experiments, series of repeated ones, and CUBE
//! files.

use crate::failure::Failure;
use pgas_cube::{read_cube3, read_cubex};
use pgas_result::AnalysisResult;
use pgas_result::comparison::Run;
use pgas_result::sources::Sources;
use pgas_trace::{Metadata, Series, State};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Reads all runs of a side. Of a series, runs that failed are left out, with a remark; one that
/// was named by itself stays, with a remark.
///
/// # Errors
/// If something cannot be read, was not analysed, or nothing is left.
pub fn read(named: &OsStr, side: &str, remarks: &mut Vec<String>) -> Result<Vec<Run>, Failure> {
    let mut runs = Vec::new();
    for path in parts(named) {
        match Series::load(&path)? {
            Some(series) => read_series(&path, &series, &mut runs, remarks)?,
            None => {
                if let Some(failure) = failure(&path) {
                    remarks.push(format!("{} {failure}", path.display()));
                }
                runs.push(read_run(&path, remarks)?);
            }
        }
    }
    if runs.is_empty() {
        return Err(Failure::new(format!(
            "no run is left to compare {side}: all of {} failed",
            Path::new(named).display()
        ))
        .help("name a run itself, such as DIR/repeat-01, to compare it although it failed"));
    }
    Ok(runs)
}

/// The names between the commas, unless a file or directory has the whole name.
fn parts(named: &OsStr) -> Vec<PathBuf> {
    if Path::new(named).exists() {
        return vec![PathBuf::from(named)];
    }
    let parts = named.as_bytes().split(|&byte| byte == b',');
    let parts = parts.filter(|part| !part.is_empty());
    parts
        .map(|part| PathBuf::from(OsStr::from_bytes(part)))
        .collect()
}

fn read_series(
    directory: &Path,
    series: &Series,
    runs: &mut Vec<Run>,
    remarks: &mut Vec<String>,
) -> Result<(), Failure> {
    let experiments = Series::experiments(directory)?;
    if experiments.len() < series.repeats as usize {
        remarks.push(format!(
            "{} has {} of {} runs",
            directory.display(),
            experiments.len(),
            series.repeats
        ));
    }
    for experiment in experiments {
        match failure(&experiment) {
            Some(failure) => {
                remarks.push(format!("{} {failure}: left out", experiment.display()));
            }
            None => runs.push(read_run(&experiment, remarks).map_err(|failure| {
                failure.help(format!(
                    "`pgastool analyze {}` analyses all of its runs",
                    directory.display()
                ))
            })?),
        }
    }
    Ok(())
}

/// Reason why the run failed; `None` if it did not, or if this is no experiment.
fn failure(experiment: &Path) -> Option<String> {
    let metadata = Metadata::load(experiment).ok()?;
    match (metadata.state, metadata.exit_status, metadata.signal) {
        (State::Finished, Some(0) | None, _) => None,
        (State::Finished, Some(status), _) => Some(format!("ended with exit status {status}")),
        (State::Killed, _, Some(signal)) => Some(format!(
            "was ended by {}",
            crate::process::signal_name(signal)
        )),
        (State::Killed, _, None) => Some("was ended by a signal".to_owned()),
        (State::Running, ..) => Some("has not ended, or nobody noticed how".to_owned()),
    }
}

fn read_run(path: &Path, remarks: &mut Vec<String>) -> Result<Run, Failure> {
    let name = path.display().to_string();
    if path.is_file() {
        let cube = match path
            .extension()
            .is_some_and(|extension| extension == "cubex")
        {
            true => {
                let read = read_cubex(path)?;
                let left_out = read.left_out.iter();
                remarks.extend(left_out.map(|what| format!("{}: {what}", path.display())));
                read.cube
            }
            false => read_cube3(path)?,
        };
        return Ok(Run {
            name,
            cube,
            summary: None,
            sources: None,
        });
    }
    let result = AnalysisResult::load(path)?;
    Ok(Run {
        name,
        cube: result.cube,
        summary: Some(result.summary),
        sources: Sources::load(path)?,
    })
}
