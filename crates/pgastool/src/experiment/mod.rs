//! Which experiment a command is about: the one that was named, or the newest; of repeated runs the
//! one whose time is the median.

pub mod page;
pub mod runs;
pub mod sources;
pub mod times;

use crate::failure::Failure;
use crate::terminal::Ui;
use pgas_live::place;
use pgas_trace::Experiment;
use pgas_trace::buffers;
use pgas_trace::metadata::Metadata;
use pgas_trace::names::METADATA_FILE;
use pgas_trace::series::{SERIES_FILE, Series};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Opens an experiment. Data that killed processes have left in memory is added to their streams
/// first.
///
/// # Errors
/// As [`Experiment::open`].
pub fn open(directory: &Path, ui: &Ui) -> Result<Experiment, Failure> {
    collect(directory, Duration::ZERO, ui);
    Ok(Experiment::open(directory)?)
}

/// Adds what ended processes have left in memory to their streams; those that are just ending get
/// so much time for that.
pub fn collect(directory: &Path, patience: Duration, ui: &Ui) {
    let begin = Instant::now();
    let mut found = buffers::collect(directory);
    while found.alive > 0 && begin.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(10));
        let more = buffers::collect(directory);
        found.threads += more.threads;
        found.events += more.events;
        found.alive = more.alive;
        found.problems = more.problems;
    }
    for problem in found.problems {
        ui.warning(problem);
    }
    if found.events > 0 {
        ui.note(format_args!(
            "added {} events of {} threads, which were in memory when these ended",
            found.events, found.threads
        ));
    }
    if found.alive > 0 {
        ui.warning(format_args!(
            "{} threads of {} are still running: their last events are not there yet",
            found.alive,
            directory.display()
        ));
    }
    match pgas_trace::metadata::note_lost_run(directory) {
        Ok(_) => {}
        Err(error) => ui.warning(error),
    }
}

/// What names the live pages of an experiment's run.
///
/// # Errors
/// If there is no current directory, and the path is relative.
pub fn live_key(metadata: &Metadata, directory: &Path) -> io::Result<String> {
    let absolute = std::path::absolute(directory)?;
    let path = absolute.as_os_str().as_encoded_bytes();
    Ok(place::key(metadata.id.as_deref(), path))
}

/// The experiment that the user named, else the newest one in the current directory. If that is a
/// series of repeated runs, the one of them whose time is the median; a message names it.
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

/// All experiments that are meant: the one that was named, or is the newest, or all runs if that is
/// a series; and the directory that was meant.
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

/// Refuses what cannot be an experiment, with what was probably meant.
fn check_named(named: &Path) -> Result<(), Failure> {
    let shown = named.display();
    let metadata = match named.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let failure = Failure::new(format!("there is no experiment {shown}"));
            return Err(match pgas_trace::directory::newest(Path::new(".")) {
                Ok(Some(newest)) => failure.help(format!(
                    "the newest experiment here is {}",
                    newest.strip_prefix(".").unwrap_or(&newest).display()
                )),
                _ => failure.help("`pgastool run` prints the directory that it makes"),
            });
        }
        Err(error) => return Err(Failure::new(format!("cannot read {shown}: {error}"))),
    };
    if !metadata.is_dir() {
        let failure = Failure::new(format!("{shown} is not the directory of an experiment"));
        let above = named
            .ancestors()
            .skip(1)
            .find(|directory| is_described(directory));
        let ending = named.extension().and_then(|ending| ending.to_str());
        return Err(match (above, ending) {
            (Some(experiment), _) => failure.help(format!(
                "it is a file of the experiment {}",
                experiment.display()
            )),
            (None, Some("cube" | "cubex")) => {
                failure.help(format!("`pgastool cube info {shown}` shows a CUBE file"))
            }
            (None, Some("elg")) => failure.help(format!(
                "`pgastool convert {shown} --from epilog` makes an experiment of an EPILOG file"
            )),
            _ => failure.help("`pgastool run` prints the directory that it makes"),
        });
    }
    // A directory around experiments, such as that of the demo.
    let is_result = named.join("analysis").is_dir();
    if !is_described(named) && !is_result {
        if let Ok(Some(newest)) = pgas_trace::directory::newest(named) {
            return Err(
                Failure::new(format!("{shown} is not an experiment")).help(format!(
                    "the newest experiment in it is {}",
                    newest.display()
                )),
            );
        }
    }
    Ok(())
}

/// Whether a directory is an experiment or a series of them.
fn is_described(directory: &Path) -> bool {
    let descriptions = [METADATA_FILE, SERIES_FILE];
    descriptions
        .iter()
        .any(|file| directory.join(file).is_file())
}

fn named_or_newest_directory(named: Option<&Path>, ui: &Ui) -> Result<PathBuf, Failure> {
    if let Some(directory) = named {
        check_named(directory)?;
        return Ok(directory.to_path_buf());
    }
    let here = Path::new(".");
    // Inside of an experiment, that one is meant.
    if is_described(here) {
        return Ok(here.to_path_buf());
    }
    let newest = pgas_trace::directory::newest(here)?.ok_or_else(|| {
        Failure::new("there is no experiment in the current directory").help(
            "measure a program with `pgastool run -n 4 ./program`, or name an experiment's \
             directory",
        )
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
