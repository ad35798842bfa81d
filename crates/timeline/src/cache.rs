//! `analysis/timelines.json`: the timelines of an experiment, kept beside the result that they
//! belong to.

use std::path::Path;

use pgas_result::timeline::Timeline;
use pgas_result::{AnalysisResult, read_timelines, write_timelines};
use pgas_trace::Experiment;

use crate::error::Error;
use crate::timelines;

/// The timelines of the result of the experiment in `directory`: as they were kept if they are of
/// this result, else made anew and kept. Where the directory cannot be written they are not kept.
/// `progress` as for [`timelines`].
///
/// # Errors
/// As for [`timelines`].
pub fn load_or_make(
    directory: &Path,
    result: &AnalysisResult,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Vec<Timeline>, Error> {
    let path = AnalysisResult::timelines_path(directory);
    let summary = AnalysisResult::summary_path(directory);
    let bytes = pgas_files::read(&summary).map_err(|source| Error::Io {
        action: "read",
        path: summary,
        source,
    })?;
    let of = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes));
    if let Some(kept) = read_timelines(&path, &of, &result.cube) {
        return Ok(kept);
    }
    let experiment = Experiment::open(directory).map_err(pgas_earl::access::AccessError::from)?;
    let made = timelines(&experiment, result, progress)?;
    // The next time they are made again.
    let _ = write_timelines(&made, &of, &path);
    Ok(made)
}
