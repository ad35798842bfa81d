//! Which experiment a command is about: the one that was named, or the newest; of repeated runs the one whose time is
//! the median.

use crate::failure::Failure;
use crate::ui::Ui;
use pgas_trace::experiment::{Metadata, METADATA_FILE};
use pgas_trace::series::{Series, SERIES_FILE};
use std::path::{Path, PathBuf};

/// The experiment that the user named, else the newest one in the current directory. If that is a series of repeated
/// runs, the one of them whose time is the median, which the user is told.
///
/// # Errors
/// If none is named and there is none, or if the series has no runs.
pub fn named_or_newest(named: Option<&Path>, ui: &Ui) -> Result<PathBuf, Failure> {
    let directory = named_or_newest_directory(named, ui)?;
    if Series::load(&directory)?.is_none() {
        return Ok(directory);
    }
    let runs = repeats(&directory)?;
    let seconds = |run: &PathBuf| Metadata::load(run).ok()?.wall_seconds;
    let mut timed: Vec<(f64, &PathBuf)> = runs
        .iter()
        .filter_map(|run| Some((seconds(run)?, run)))
        .collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let chosen = timed
        .get(timed.len().saturating_sub(1) / 2)
        .map_or(&runs[0], |(_, run)| run);
    ui.note(format_args!(
        "{} has {} runs; the one whose time is the median is {}",
        directory.display(),
        runs.len(),
        chosen.display()
    ));
    Ok(chosen.clone())
}

/// All experiments that are meant: the one that was named, or is the newest, or all runs if that is a series; and the
/// directory that was meant.
///
/// # Errors
/// As [`named_or_newest`].
pub fn all_named_or_newest(
    named: Option<&Path>,
    ui: &Ui,
) -> Result<(PathBuf, Vec<PathBuf>), Failure> {
    let directory = named_or_newest_directory(named, ui)?;
    let runs = match Series::load(&directory)? {
        Some(_) => repeats(&directory)?,
        None => vec![directory.clone()],
    };
    Ok((directory, runs))
}

/// Runs of a series, at least one.
fn repeats(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let runs = Series::experiments(directory)?;
    if runs.is_empty() {
        return Err(Failure::new(format!(
            "the series of runs {} has none",
            directory.display()
        ))
        .help("`pgastool run --repeat 5 -n 4 ./program` makes one"));
    }
    Ok(runs)
}

fn named_or_newest_directory(named: Option<&Path>, ui: &Ui) -> Result<PathBuf, Failure> {
    if let Some(directory) = named {
        return Ok(directory.to_path_buf());
    }
    let here = Path::new(".");
    // Inside of an experiment, that one is meant.
    let descriptions = [METADATA_FILE, SERIES_FILE];
    if descriptions.iter().any(|file| here.join(file).is_file()) {
        return Ok(here.to_path_buf());
    }
    let newest = pgas_trace::experiment::newest(here)?.ok_or_else(|| {
        Failure::new("there is no experiment in the current directory")
            .help("measure a program with `pgastool run -n 4 ./program`, or name an experiment's directory")
    })?;
    let newest = newest
        .strip_prefix(here)
        .map(Path::to_path_buf)
        .unwrap_or(newest);
    ui.note(format_args!(
        "the newest experiment here is {}",
        newest.display()
    ));
    Ok(newest)
}
