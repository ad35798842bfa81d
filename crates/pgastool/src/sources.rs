//! The source text of a measured program, collected when it is analysed, while it is probably still as it was.

use crate::ui::Ui;
use pgas_cube::model::Cube;
use pgas_cube::sources::gather::Gathering;
use pgas_cube::sources::{SourceContent, Sources};
use pgas_cube::AnalysisResult;
use pgas_trace::experiment::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The texts of the files that call paths of `cube` name. `named`: directories that the user wants searched first.
pub fn gather(directory: &Path, metadata: &Metadata, cube: &Cube, named: &[PathBuf]) -> Sources {
    // What cannot be read is about to be replaced.
    let earlier = Sources::load(directory).ok().flatten();
    let gathering = Gathering {
        named: named.to_vec(),
        relative_to: places(directory, Some(metadata)),
        started: started(metadata),
        earlier: earlier.as_ref(),
    };
    gathering.gather(cube)
}

/// The texts that were kept with the result of the experiment in `directory`; if none were, as by an earlier version,
/// those that are found now, where an analysis would look for them.
pub fn kept_or_found(directory: &Path, result: &AnalysisResult) -> Sources {
    if let Ok(Some(kept)) = Sources::load(directory) {
        return kept;
    }
    let metadata = Metadata::load(directory).ok();
    let gathering = Gathering {
        relative_to: places(directory, metadata.as_ref()),
        started: metadata.as_ref().and_then(started),
        ..Gathering::default()
    };
    gathering.gather(&result.cube)
}

fn started(metadata: &Metadata) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::from_nanos(metadata.started_unix_ns))
}

/// What relative names of sources may be relative to: where the program ran, where the experiment is, where the program is,
/// where we are.
fn places(directory: &Path, metadata: Option<&Metadata>) -> Vec<PathBuf> {
    let ran = metadata.and_then(|metadata| metadata.directory.as_ref());
    let ran = ran.map(PathBuf::from);
    let experiment = std::path::absolute(directory).ok();
    let beside = experiment.as_deref().and_then(Path::parent);
    let here = std::env::current_dir().ok();
    let mut places: Vec<PathBuf> = ran.iter().cloned().collect();
    places.extend(beside.map(Path::to_path_buf));
    for from in [ran.as_deref(), here.as_deref()].into_iter().flatten() {
        let program = metadata.map(|metadata| from.join(&metadata.program));
        places.extend(
            program
                .as_deref()
                .and_then(Path::parent)
                .map(Path::to_path_buf),
        );
    }
    places.extend(here);
    places
}

/// The texts that were kept with the result of the experiment in `directory`, without which a report is complete, too.
pub fn kept(directory: &Path, ui: &Ui) -> Sources {
    let kept = Sources::load(directory).unwrap_or_else(|error| {
        ui.warning(error);
        None
    });
    kept.unwrap_or_default()
}

/// Tells which files were not found, if there are some: reports then show no source.
pub fn tell_missing(sources: &Sources, ui: &Ui) {
    let not_found = |content: &SourceContent| matches!(content, SourceContent::Missing(why) if why.starts_with("not found"));
    let mut missing = sources.files.iter().filter(|file| not_found(&file.content));
    let Some(first) = missing.next() else {
        return;
    };
    let others = match missing.count() {
        0 => String::new(),
        1 => " and another file".to_owned(),
        n => format!(" and {n} other files"),
    };
    ui.note(format_args!(
        "the source text of {}{others} was not found; `--source-dir DIR` says where it is",
        pgas_report::names::printable(&first.name, false)
    ));
}
