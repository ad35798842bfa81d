//! The result of an analysis as it lies in an experiment directory: `analysis/profile.cube` with
//! the severities and `analysis/summary.json` with what was concluded from them.

use std::fs;
use std::path::{Path, PathBuf};

use pgas_cube::cube3::{self, InvalidCube, Writable, parse_cube3};
use pgas_cube::model::Cube;

use super::seal::{Hashing, Seal, digest};
use super::summary::{read_sealed, write_sealed};
use crate::Error;
use crate::consistency::problem_of_summary;
use crate::model::summary::Summary;

const FOLDER: &str = "analysis";
const PROFILE: &str = "profile.cube";
const SUMMARY: &str = "summary.json";
const TIMELINES: &str = "timelines.json";

/// Both halves of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalysisResult {
    /// Severities, by metric, call path and thread.
    pub cube: Cube,
    /// Conclusions that were drawn from the severities.
    pub summary: Summary,
}

impl AnalysisResult {
    /// Where the severities of the experiment in `directory` lie.
    pub fn profile_path(directory: impl AsRef<Path>) -> PathBuf {
        directory.as_ref().join(FOLDER).join(PROFILE)
    }

    /// Where the conclusions lie.
    pub fn summary_path(directory: impl AsRef<Path>) -> PathBuf {
        directory.as_ref().join(FOLDER).join(SUMMARY)
    }

    /// Where timelines of the worst instances are kept once they were made.
    pub fn timelines_path(directory: impl AsRef<Path>) -> PathBuf {
        directory.as_ref().join(FOLDER).join(TIMELINES)
    }

    /// Reads the result of the experiment in `directory`.
    ///
    /// # Errors
    /// [`Error::NoExperiment`], [`Error::NotAnalysed`], [`Error::Changed`], [`Error::Inconsistent`]
    /// if the two files are not of the same analysis or not of this run, and the errors of
    /// reading each.
    pub fn load(directory: impl AsRef<Path>) -> Result<Self, Error> {
        let directory = directory.as_ref();
        if !directory.is_dir() {
            return Err(Error::NoExperiment(directory.to_owned()));
        }
        let summary_path = Self::summary_path(directory);
        let profile_path = Self::profile_path(directory);
        for missing in [&profile_path, &summary_path] {
            if !missing.exists() {
                return Err(Error::NotAnalysed {
                    experiment: directory.to_owned(),
                    missing: missing.clone(),
                });
            }
        }
        let (summary, seal) = read_sealed(&summary_path)?;
        let bytes = cube3::read_file(&profile_path)?;
        let cube = parse_cube3(&bytes, &profile_path, &cube3::Limits::default())?;
        let contradiction = problem_of_summary(&summary, &cube);
        match contradiction.or_else(|| seal.contradiction(directory)) {
            None if seal.profile.is_none_or(|sealed| sealed == digest(&bytes)) => {
                Ok(AnalysisResult { cube, summary })
            }
            None => Err(Error::Changed { path: profile_path }),
            Some(problem) => Err(Error::Inconsistent {
                path: summary_path,
                experiment: directory.to_owned(),
                problem,
            }),
        }
    }

    /// Writes the result into the experiment in `directory`, replacing that of an earlier analysis.
    /// The summary is taken away first and written last: an interrupted save leaves an
    /// experiment that counts as not analysed.
    ///
    /// # Errors
    /// [`pgas_cube::Error::Unwritable`] for a result that contradicts itself or its formats,
    /// [`pgas_cube::Error::Io`].
    pub fn save(&self, directory: impl AsRef<Path>) -> Result<(), Error> {
        let directory = directory.as_ref();
        let summary_path = Self::summary_path(directory);
        if let Some(problem) = problem_of_summary(&self.summary, &self.cube) {
            return Err(Error::unwritable(&summary_path, problem));
        }
        let folder = directory.join(FOLDER);
        fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
        match fs::remove_file(&summary_path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io("replace", &summary_path)(e));
            }
            _ => {}
        }
        let seal = Seal {
            profile: Some(write_profile(&self.cube, &Self::profile_path(directory))?),
            ..Seal::of_run(directory)
        };
        write_sealed(&self.summary, &summary_path, &seal)
    }

    /// Whether the files of the result in `directory` have checksums, as those of earlier versions
    /// do not.
    pub fn has_checksums(directory: impl AsRef<Path>) -> bool {
        let seal = read_sealed(&Self::summary_path(directory)).map(|(_, seal)| seal);
        seal.is_ok_and(|seal| seal.checksum.is_some() && seal.profile.is_some())
    }
}

/// Writes the severities as CUBE 3; returns the digest of the file.
fn write_profile(cube: &Cube, path: &Path) -> Result<String, Error> {
    let writable =
        Writable::new(cube).map_err(|InvalidCube(rule)| Error::unwritable(path, rule))?;
    let mut digest = String::new();
    let written = pgas_files::replace_buffered(path, |out| {
        let mut out = Hashing::new(out);
        writable.write(&mut out)?;
        digest = out.digest();
        Ok(())
    });
    written.map_err(Error::io("write", path))?;
    Ok(digest)
}

/// The CUBE file that `path` means: the severities of an experiment, or the file itself.
///
/// # Errors
/// [`Error::NotAnalysed`] for an experiment without a result.
pub fn cube_file(path: &Path) -> Result<PathBuf, Error> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let profile = AnalysisResult::profile_path(path);
    match profile.exists() {
        true => Ok(profile),
        false => Err(Error::NotAnalysed {
            experiment: path.to_owned(),
            missing: profile,
        }),
    }
}
