//! The files that results go to.

use crate::failure::Failure;
use crate::output::write_file;
use crate::terminal::Ui;
use clap::Args;
use pgas_timing_report::results::Results;
use pgas_timing_report::{csv, json, page, plots};
use std::fmt::Display;
use std::path::{Path, PathBuf};

const HEADING: &str = "Results";

/// Options that name files for results.
#[derive(Debug, Clone, Default, Args)]
pub struct FileOptions {
    /// Write all results into this file, as JSON; --from and --compare read it
    #[arg(short = 'o', value_name = "FILE", help_heading = HEADING)]
    pub output: Option<PathBuf>,
    /// Write the rows as CSV
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub csv: Option<PathBuf>,
    /// Write a page with tables and plots
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub html: Option<PathBuf>,
    /// Write the plots into this directory, as SVG
    #[arg(long, value_name = "DIR", help_heading = HEADING)]
    pub svg: Option<PathBuf>,
}

impl FileOptions {
    /// Whether something is kept beyond the rows.
    pub fn want_pictures(&self) -> bool {
        self.output.is_some() || self.html.is_some() || self.svg.is_some()
    }

    /// Whether any file was asked for.
    pub fn want_any(&self) -> bool {
        self.want_pictures() || self.csv.is_some()
    }

    /// Checks before anything is measured that files can be written where they are to be.
    ///
    /// # Errors
    /// If a directory is not there.
    pub fn check(&self) -> Result<(), Failure> {
        let files = [&self.output, &self.csv, &self.html];
        for path in files.into_iter().flatten() {
            if path.is_dir() {
                return Err(cannot_write(path, "it is a directory"));
            }
            // A device or a pipe is written itself.
            if path.is_file() || !path.exists() {
                check_directory(path, parent(path))?;
            }
        }
        let Some(plots) = &self.svg else {
            return Ok(());
        };
        let there = plots.ancestors().find(|above| above.is_dir());
        check_directory(plots, there.unwrap_or(Path::new(".")))
    }

    /// Writes all that were asked for; goes on after one that cannot be written.
    ///
    /// # Errors
    /// The last that could not be written; those before it were reported.
    pub fn write(&self, results: &Results, ui: &Ui) -> Result<(), Failure> {
        let mut outcome = Ok(());
        let mut fail = |failure| {
            if let Err(before) = std::mem::replace(&mut outcome, Err(failure)) {
                ui.failure(&before);
            }
        };
        let mut write = |path: &Option<PathBuf>, text: &dyn Fn() -> Result<String, Failure>| {
            let Some(path) = path else { return };
            match text().and_then(|text| one(path, &text)) {
                Ok(()) => ui.note(format_args!("wrote {}", path.display())),
                Err(failure) => fail(failure),
            }
        };
        write(&self.output, &|| Ok(json::write(results)));
        write(&self.csv, &|| Ok(csv::write(results)));
        write(&self.html, &|| Ok(page::write(results)?));
        if let Some(directory) = &self.svg {
            match plots(directory, results) {
                Ok(number) => ui.note(format_args!(
                    "wrote {number} plots into {}",
                    directory.display()
                )),
                Err(failure) => fail(failure),
            }
        }
        outcome
    }
}

impl FileOptions {
    /// Writes the plots of a timer's check, if plots were asked for.
    ///
    /// # Errors
    /// If they could not be drawn or written.
    pub fn write_timer(&self, timer: &str, results: &Results) -> Result<(), Failure> {
        let Some(directory) = &self.svg else {
            return Ok(());
        };
        make(directory)?;
        for picture in plots::all(results)? {
            let path = directory.join(format!("{}-{timer}.svg", picture.name));
            one(&path, &picture.svg)?;
        }
        Ok(())
    }

    /// Refuses files that the check of timers does not write.
    ///
    /// # Errors
    /// If one was asked for.
    pub fn check_timers(&self) -> Result<(), Failure> {
        let asked = [
            ("-o", &self.output),
            ("--csv", &self.csv),
            ("--html", &self.html),
        ];
        match asked.into_iter().find(|(_, path)| path.is_some()) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::new(format!(
                "{option} is for times of operations; `time timers` prints a table"
            ))
            .help("--svg DIR writes its plots")),
        }
    }
}

fn cannot_write(path: &Path, why: impl Display) -> Failure {
    Failure::new(format!("cannot write {}: {why}", path.display()))
}

fn parent(path: &Path) -> &Path {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    above.unwrap_or(Path::new("."))
}

/// A measurement may take long, so that a place that takes no files is found before it.
fn check_directory(path: &Path, directory: &Path) -> Result<(), Failure> {
    if !directory.is_dir() {
        return Err(cannot_write(path, "there is no such directory"));
    }
    match tempfile::tempfile_in(directory) {
        Ok(_) => Ok(()),
        Err(error) => Err(cannot_write(path, error)),
    }
}

fn make(directory: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(directory)
        .map_err(|error| Failure::new(format!("cannot make {}: {error}", directory.display())))
}

/// Writes all plots into a directory, which is made if it is not there; returns how many.
fn plots(directory: &Path, results: &Results) -> Result<usize, Failure> {
    make(directory)?;
    let pictures = plots::all(results)?;
    for picture in &pictures {
        let path = directory.join(format!("{}.svg", picture.name));
        one(&path, &picture.svg)?;
    }
    Ok(pictures.len())
}

fn one(path: &Path, text: &str) -> Result<(), Failure> {
    write_file(path, text.as_bytes())
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}
