//! Which experiment a command is about.

use crate::failure::Failure;
use crate::ui::Ui;
use std::path::{Path, PathBuf};

/// The experiment that the user named, else the newest one in the current directory.
///
/// # Errors
/// If none is named and there is none.
pub fn named_or_newest(named: Option<&Path>, ui: &Ui) -> Result<PathBuf, Failure> {
    if let Some(directory) = named {
        return Ok(directory.to_path_buf());
    }
    let here = Path::new(".");
    // Inside of an experiment, that one is meant.
    if here.join(pgas_trace::experiment::METADATA_FILE).is_file() {
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
