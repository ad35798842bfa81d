//! The result of an analysis as it lies in an experiment directory: `analysis/profile.cube` with the severities and
//! `analysis/summary.json` with what was concluded from them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cube3::{read_cube3, write_cube3};
use crate::model::Cube;
use crate::summary::Summary;
use crate::summary_file::{read_summary, write_summary};
use crate::Error;

const FOLDER: &str = "analysis";
const PROFILE: &str = "profile.cube";
const SUMMARY: &str = "summary.json";

/// Both halves of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalysisResult {
    pub cube: Cube,
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

    /// Reads the result of the experiment in `directory`.
    ///
    /// # Errors
    /// [`Error::NoExperiment`], [`Error::NotAnalysed`], [`Error::Inconsistent`] if the two files are not of the same
    /// analysis, and the errors of reading each.
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
        let result = AnalysisResult {
            summary: read_summary(&summary_path)?,
            cube: read_cube3(&profile_path)?,
        };
        match contradiction(&result) {
            None => Ok(result),
            Some(problem) => Err(Error::Inconsistent {
                path: summary_path,
                experiment: directory.to_owned(),
                problem,
            }),
        }
    }

    /// Writes the result into the experiment in `directory`, replacing that of an earlier analysis. The summary is
    /// taken away first and written last: an interrupted save leaves an experiment that counts as not analysed.
    ///
    /// # Errors
    /// [`Error::Unwritable`] for a result that contradicts itself or its formats, [`Error::Io`].
    pub fn save(&self, directory: impl AsRef<Path>) -> Result<(), Error> {
        let directory = directory.as_ref();
        let summary_path = Self::summary_path(directory);
        if let Some(problem) = contradiction(self) {
            return Err(Error::Unwritable {
                path: summary_path,
                problem,
            });
        }
        let folder = directory.join(FOLDER);
        fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
        match fs::remove_file(&summary_path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io("replace", &summary_path)(e));
            }
            _ => {}
        }
        write_cube3(&self.cube, Self::profile_path(directory))?;
        write_summary(&self.summary, &summary_path)
    }
}

/// What the summary says that the cube does not know.
fn contradiction(result: &AnalysisResult) -> Option<String> {
    let AnalysisResult { cube, summary } = result;
    let threads = cube.threads.len();
    if summary.threads as usize != threads {
        return Some(format!(
            "the summary is of {} threads, the profile of {threads}",
            summary.threads
        ));
    }
    let is_thread = |thread: u32| (thread as usize) < threads;
    for (index, finding) in summary.findings.iter().enumerate() {
        let threads_exist = finding.culprit_thread.is_none_or(is_thread)
            && finding.worst.iter().all(|w| is_thread(w.last_thread));
        if !threads_exist {
            return Some(format!(
                "finding {index} names a thread that does not exist"
            ));
        }
        if finding.call_path >= cube.call_paths.len() {
            let id = finding.call_path;
            return Some(format!(
                "finding {index} names call path {id}, which does not exist"
            ));
        }
    }
    for (index, statistics) in summary.instances.iter().enumerate() {
        let threads_exist = statistics.last_counts.len() <= threads
            && statistics.worst.iter().all(|w| is_thread(w.last_thread));
        if !threads_exist {
            return Some(format!(
                "the statistics of instances {index} name a thread that does not exist"
            ));
        }
        if statistics.call_path >= cube.call_paths.len() {
            return Some(format!(
                "the statistics of instances {index} name a call path that does not exist"
            ));
        }
    }
    let unknown = summary
        .recording
        .counters
        .iter()
        .find(|id| cube.metric(id).is_none());
    unknown.map(|id| format!("the summary names counter {id:?}, which is no metric of the profile"))
}
