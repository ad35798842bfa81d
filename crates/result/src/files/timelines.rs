//! Reading and writing `timelines.json`.

use std::fs;
use std::io::Write;
use std::path::Path;

use pgas_cube::model::Cube;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::consistency::problem_of_timeline;
use crate::model::timeline::Timeline;

/// Version of the layout that this program writes and reads.
const SCHEMA: u32 = 1;

/// More than is ever written: a bound for a file that is something else.
const MAX_BYTES: u64 = 1 << 28;

/// The file `timelines.json`.
#[derive(Serialize)]
struct Written<'t> {
    schema: u32,
    /// Identifier of the result that the timelines belong to.
    of: &'t str,
    timelines: &'t [Timeline],
}

#[derive(Deserialize)]
struct Read {
    schema: u32,
    of: String,
    timelines: Vec<Timeline>,
}

/// Writes timelines under a temporary name that is then renamed to `path`. `of` tells the result
/// that they belong to from any other.
///
/// # Errors
/// [`pgas_cube::Error::Unwritable`] for numbers that JSON cannot hold, [`pgas_cube::Error::Io`].
pub fn write_timelines(timelines: &[Timeline], of: &str, path: &Path) -> Result<(), Error> {
    let written = Written {
        schema: SCHEMA,
        of,
        timelines,
    };
    let text = serde_json::to_string(&written)
        .map_err(|problem| Error::unwritable(path, problem.to_string()))?;
    let written = pgas_files::replace(path, |out| writeln!(out, "{text}"));
    written.map_err(Error::io("write", path))
}

/// Reads what [`write_timelines`] wrote for the same result, whose severities are `cube`; `None` if
/// there is nothing that can be used, since it can be made again at any time.
pub fn read_timelines(path: &Path, of: &str, cube: &Cube) -> Option<Vec<Timeline>> {
    if fs::metadata(path).ok()?.len() > MAX_BYTES {
        return None;
    }
    let read: Read = serde_json::from_slice(&pgas_files::read(path).ok()?).ok()?;
    let mut timelines = read.timelines.iter();
    let is_sound = timelines.all(|timeline| problem_of_timeline(timeline, cube).is_none());
    (read.schema == SCHEMA && read.of == of && is_sound).then_some(read.timelines)
}
