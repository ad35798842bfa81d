//! The source text of a measured program, collected when it is analysed, while it is probably still
//! as it was.

use crate::terminal::Ui;
use pgas_cube::model::Cube;
use pgas_instrument::program::inspect;
use pgas_result::AnalysisResult;
use pgas_result::sources::gather::Gathering;
use pgas_result::sources::{SourceContent, SourceFile, Sources};
use pgas_symbols::Symbols;
use pgas_trace::metadata::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The texts of the files that call paths of `cube` name. `named`: directories that the user wants
/// searched first.
pub fn gather(directory: &Path, metadata: &Metadata, cube: &Cube, named: &[PathBuf]) -> Sources {
    // Texts of an earlier analysis that cannot be read are about to be replaced.
    let earlier = Sources::load(directory).ok().flatten();
    let gathering = Gathering {
        named: named.to_vec(),
        relative_to: places(directory, Some(metadata)),
        own: own(Some(metadata)),
        compiled: &metadata.sources,
        started: started(metadata),
        earlier: earlier.as_ref(),
        any_file: false,
    };
    gathering.gather(cube)
}

/// The texts that were kept with the result of the experiment in `directory`; if none were, as by
/// an earlier version, those that are found now, where an analysis would look for them. Only to be
/// shown to this user: they may be any files that this user can read.
pub fn kept_or_found(directory: &Path, result: &AnalysisResult) -> Sources {
    if let Ok(Some(kept)) = Sources::load(directory) {
        return kept;
    }
    let metadata = Metadata::load(directory).ok();
    let gathering = Gathering {
        relative_to: places(directory, metadata.as_ref()),
        started: metadata.as_ref().and_then(started),
        any_file: true,
        ..Gathering::default()
    };
    gathering.gather(&result.cube)
}

fn started(metadata: &Metadata) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::from_nanos(metadata.started_unix_ns))
}

/// Directories that relative names of sources may be relative to: those where the program ran,
/// where the experiment is, where the program is, where it was compiled, and the current one.
fn places(directory: &Path, metadata: Option<&Metadata>) -> Vec<PathBuf> {
    let ran = metadata.and_then(|metadata| metadata.directory.as_ref());
    let ran = ran.map(PathBuf::from);
    let experiment = std::path::absolute(directory).ok();
    let beside = experiment.as_deref().and_then(Path::parent);
    let mut places: Vec<PathBuf> = ran.into_iter().collect();
    places.extend(beside.map(Path::to_path_buf));
    let programs = programs(metadata);
    let beside_programs = programs.iter().filter_map(|program| program.parent());
    places.extend(beside_programs.map(Path::to_path_buf));
    if let Ok(Some(symbols)) = Symbols::load(directory) {
        places.extend(symbols.directories().into_iter().map(PathBuf::from));
    }
    places.extend(std::env::current_dir());
    places
}

/// Where the program may be: below the directory where it ran, or, if all was moved, below the
/// current one.
fn programs(metadata: Option<&Metadata>) -> Vec<PathBuf> {
    let Some(metadata) = metadata else {
        return Vec::new();
    };
    let ran = metadata.directory.as_ref().map(PathBuf::from);
    let from = ran.into_iter().chain(std::env::current_dir());
    from.map(|from| from.join(&metadata.program)).collect()
}

/// Directories of the program: those where one of its name is that a tool can measure. An
/// experiment can name any program, and would make every file beside it a source.
fn own(metadata: Option<&Metadata>) -> Vec<PathBuf> {
    const OF_THE_SYSTEM: [&str; 3] = ["/etc", "/usr", "/opt"];
    const OF_ALL: [&str; 5] = ["/", "/home", "/root", "/var", "/srv"];
    let is_ours = |program: &PathBuf| {
        inspect(program).is_ok_and(|info| info.is_some_and(|info| info.instrumented))
    };
    programs(metadata)
        .into_iter()
        .filter(is_ours)
        .filter_map(|program| program.canonicalize().ok()?.parent().map(Path::to_path_buf))
        .filter(|directory| {
            !OF_THE_SYSTEM
                .iter()
                .any(|place| directory.starts_with(place))
                && !OF_ALL.iter().any(|place| directory == Path::new(place))
                && !is_home(directory)
                && !is_for_all(directory)
        })
        .collect()
}

/// A program that lies there does not make all of a user's files its sources.
fn is_home(directory: &Path) -> bool {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    home.and_then(|home| home.canonicalize().ok())
        .is_some_and(|home| directory == home)
}

/// Whether everybody can put files there, as into that for temporary ones.
fn is_for_all(directory: &Path) -> bool {
    const OTHERS_WRITE: u32 = 0o002;
    let state = std::fs::metadata(directory);
    state.is_ok_and(|state| state.permissions().mode() & OTHERS_WRITE != 0)
}

/// Remarks on files that were found and are not in the result, one for each reason.
pub fn left_out(sources: &Sources) -> Vec<String> {
    let reasons = sources.files.iter().filter_map(SourceFile::left_out);
    let reasons: Vec<String> = reasons
        .map(|why| pgas_report::names::printable(why, false).to_string())
        .collect();
    let Some((first, others)) = reasons.split_first() else {
        return Vec::new();
    };
    let others = match others.len() {
        0 => String::new(),
        n => format!(" (and {n} more: {})", others.join("; ")),
    };
    vec![format!(
        "source text is left out of the result: {first}{others}; `pgastool analyze --source-dir \
         DIR` includes what is below DIR"
    )]
}

/// The texts that were kept with the result of the experiment in `directory`, without which a
/// report is complete, too.
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
