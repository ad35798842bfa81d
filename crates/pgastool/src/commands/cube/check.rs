//! `pgastool cube check`: whether the tools of CubeLib can read a file.

use std::path::{Path, PathBuf};

use clap::Args;
use pgas_cube::check_file;
use pgas_report::printable;
use pgas_result::sources::Sources;
use pgas_result::{AnalysisResult, cube_file};

use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::Ui;

/// Check that the tools of CubeLib can read CUBE files: identifiers without gaps, and the checks of
/// `cube_sanity`
///
/// Exit status 1 if one of the files would be refused, or would make such a tool crash.
#[derive(Debug, Args)]
pub struct Check {
    /// Experiments or CUBE files
    #[arg(required = true)]
    results: Vec<PathBuf>,
}

/// Whether the files of an experiment's result are those that an analysis of it has written.
fn check_result(directory: &Path, name: &str, ui: &Ui) -> Result<(), Failure> {
    AnalysisResult::load(directory)?;
    Sources::load(directory)?;
    if !AnalysisResult::has_checksums(directory) {
        ui.note(format_args!(
            "{name}: an earlier version wrote this result without checksums, so that a changed \
             number would not be noticed; `pgastool analyze` writes them"
        ));
    }
    Ok(())
}

pub fn check(arguments: &Check, ui: &Ui) -> Outcome {
    let mut is_refused = false;
    for path in &arguments.results {
        let name = path.display().to_string();
        let name = printable(&name, false);
        if path.is_dir() {
            check_result(path, &name, ui)?;
        }
        let violations = check_file(&cube_file(path)?)?;
        for violation in &violations {
            let line = format!("{name}: {}", printable(&violation.rule, false));
            match violation.is_fatal {
                true => output::deliver(&line, None)?,
                false => ui.warning(format_args!("{line}")),
            }
        }
        let is_fatal = violations.iter().any(|violation| violation.is_fatal);
        if !is_fatal {
            output::deliver(&format!("{name}: well-formed"), None)?;
        }
        is_refused |= is_fatal;
    }
    Ok(u8::from(is_refused))
}
