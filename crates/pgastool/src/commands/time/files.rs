//! The files that results go to.

use crate::failure::Failure;
use crate::output::write_file;
use crate::terminal::Ui;
use clap::Args;
use pgas_timing_report::results::Results;
use pgas_timing_report::{csv, json, page, plots};
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
            let above = path.parent().filter(|above| !above.as_os_str().is_empty());
            if above.is_some_and(|above| !above.is_dir()) || path.is_dir() {
                return Err(Failure::new(format!(
                    "cannot write {}: {}",
                    path.display(),
                    if path.is_dir() {
                        "it is a directory"
                    } else {
                        "there is no such directory"
                    }
                )));
            }
        }
        Ok(())
    }

    /// Writes all that were asked for; goes on after one that cannot be written.
    ///
    /// # Errors
    /// The first that could not be written.
    pub fn write(&self, results: &Results, ui: &Ui) -> Result<(), Failure> {
        let mut outcome = Ok(());
        let mut write = |path: &Option<PathBuf>, text: &dyn Fn() -> Result<String, Failure>| {
            let Some(path) = path else { return };
            match text().and_then(|text| one(path, &text)) {
                Ok(()) => ui.note(format_args!("wrote {}", path.display())),
                Err(failure) => {
                    ui.failure(&failure);
                    outcome = Err(failure);
                }
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
                Err(failure) => {
                    ui.failure(&failure);
                    outcome = Err(failure);
                }
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
            let path = directory.join(format!(
                "{}-{timer}.svg",
                picture.name.trim_end_matches('-')
            ));
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
