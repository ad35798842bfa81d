//! `pgastool cube check`: whether the tools of CubeLib can read a file.

use std::path::PathBuf;

use clap::Args;
use pgas_cube::check_file;
use pgas_report::printable;

use crate::failure::Outcome;
use crate::output;
use crate::ui::Ui;

/// Whether the tools of CubeLib can read CUBE files: identifiers without gaps, and what `cube_sanity` looks at
///
/// Exit status 1 if one of the files would be refused, or would make such a tool crash.
#[derive(Debug, Args)]
pub struct Check {
    /// Experiments or CUBE files
    #[arg(required = true)]
    results: Vec<PathBuf>,
}

pub fn check(arguments: &Check, ui: &Ui) -> Outcome {
    let mut is_refused = false;
    for path in &arguments.results {
        let name = path.display().to_string();
        let name = printable(&name, false);
        let violations = check_file(path)?;
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
