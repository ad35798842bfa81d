//! Reading and writing `summary.json`.

use std::io::Write;
use std::path::Path;

use super::json::Layout;
use super::seal::Seal;
use crate::Error;
use crate::model::summary::Summary;
use crate::model::{Value, first_problem};

const LAYOUT: Layout = Layout {
    content: "a summary",
    schema: 1,
    most_bytes: 1 << 30,
};

/// Writes `summary` under a temporary name that is then renamed to `path`.
///
/// # Errors
/// [`pgas_cube::Error::Unwritable`] for another schema version than 1 and for numbers that are not
/// finite, which JSON cannot hold; [`pgas_cube::Error::Io`].
pub fn write_summary(summary: &Summary, path: impl AsRef<Path>) -> Result<(), Error> {
    write_sealed(summary, path.as_ref(), &Seal::default())
}

/// The same, with the run and the digest of the profile.
pub(super) fn write_sealed(summary: &Summary, path: &Path, seal: &Seal) -> Result<(), Error> {
    let unwritable = |problem: String| Error::unwritable(path, problem);
    if summary.schema != LAYOUT.schema {
        return Err(unwritable(format!(
            "the summary has schema {}, this program writes {}",
            summary.schema, LAYOUT.schema
        )));
    }
    let not_finite = first_problem(summary, |value| match value {
        Value::Number(number) if !number.is_finite() => Some("is not a finite number".to_owned()),
        _ => None,
    });
    if let Some(problem) = not_finite {
        return Err(unwritable(problem));
    }
    let text = serde_json::to_string_pretty(summary).map_err(|e| unwritable(e.to_string()))?;
    let written = pgas_files::replace(path, |out| out.write_all(seal.close(&text).as_bytes()));
    written.map_err(Error::io("write", path))
}

/// Reads what [`write_summary`] wrote. Fields that this version does not know are ignored.
///
/// # Errors
/// [`pgas_cube::Error::Malformed`] with line and byte for anything that is not a summary of this
/// schema; [`Error::Changed`]; [`pgas_cube::Error::Io`].
pub fn read_summary(path: impl AsRef<Path>) -> Result<Summary, Error> {
    read_sealed(path.as_ref()).map(|(summary, _)| summary)
}

/// The same, with the run and the profile to which it belongs.
pub(super) fn read_sealed(path: &Path) -> Result<(Summary, Seal), Error> {
    LAYOUT.read(path)
}

/// The same from memory; `name` is the file's name in errors.
///
/// # Errors
/// As [`read_summary`].
pub fn parse_summary(bytes: &[u8], name: &Path) -> Result<Summary, Error> {
    LAYOUT.parse(bytes, name)
}
