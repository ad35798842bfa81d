//! `pgastool time --compare A B`: what became faster and slower between two results.

use super::{Arguments, Format};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::terminal::{Ui, unicode_locale};
use pgas_timing_report::compare::compare_all;
use pgas_timing_report::results::Results;
use pgas_timing_report::text;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Prints the comparison; fails if a limit was exceeded.
///
/// # Errors
/// If a result cannot be read, or there is a limit and nothing to compare.
pub fn compare(before: &OsStr, after: &OsStr, arguments: &Arguments, ui: &Ui) -> Outcome {
    let comparison = compare_all(&read(before)?, &read(after)?);
    if arguments.fail_on.is_some() && comparison.rows.is_empty() {
        return Err(Failure::new(
            "--fail-on cannot be judged: no operation was timed in both results with the same \
             arguments, size and number of threads",
        )
        .help("measure both with the same command"));
    }
    let shown = match arguments.format {
        Format::Text => text::comparison(&comparison, !unicode_locale()),
        Format::Json => serde_json::to_string_pretty(&comparison)?,
    };
    output::deliver(&shown, None)?;
    let Some(percent) = arguments.fail_on else {
        return Ok(0);
    };
    let exceeding = comparison.fail_on(percent);
    for row in &exceeding {
        let bytes = row
            .bytes
            .map_or_else(String::new, |b| format!(" {b} bytes"));
        ui.warning(format_args!(
            "the limit of {percent} % is exceeded: {}{bytes} with {} threads takes {:.2} times as \
             long",
            row.what, row.threads, row.factor
        ));
    }
    Ok(u8::from(!exceeding.is_empty()))
}

/// One side: a file, or several with commas between.
fn read(side: &OsStr) -> Result<Vec<Results>, Failure> {
    let names = side.as_bytes().split(|&byte| byte == b',');
    let paths = names.map(|name| Path::new(OsStr::from_bytes(name)));
    paths
        .map(|path| Results::read(path).map_err(Failure::from))
        .collect()
}
