//! The result of an analysis as it lies in an experiment directory: `analysis/profile.cube` with the severities and
//! `analysis/summary.json` with what was concluded from them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cube3::{read_and_digest, write_and_digest};
use crate::model::Cube;
use crate::seal::Seal;
use crate::summary::{Summary, WorstInstance};
use crate::summary_file::{read_sealed, write_sealed};
use crate::Error;

const FOLDER: &str = "analysis";
const PROFILE: &str = "profile.cube";
const SUMMARY: &str = "summary.json";
const TIMELINES: &str = "timelines.json";

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

    /// Where timelines of the worst instances are kept once they were made.
    pub fn timelines_path(directory: impl AsRef<Path>) -> PathBuf {
        directory.as_ref().join(FOLDER).join(TIMELINES)
    }

    /// Reads the result of the experiment in `directory`.
    ///
    /// # Errors
    /// [`Error::NoExperiment`], [`Error::NotAnalysed`], [`Error::Changed`], [`Error::Inconsistent`] if the two files are not of
    /// the same analysis or not of this run, and the errors of reading each.
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
        let (cube, digest) = read_and_digest(&profile_path, seal.profile.is_some())?;
        let result = AnalysisResult { cube, summary };
        let contradiction = contradiction(&result).or_else(|| seal.contradiction(directory));
        match contradiction {
            None if digest == seal.profile => Ok(result),
            None => Err(Error::Changed { path: profile_path }),
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
        let seal = Seal {
            profile: Some(write_and_digest(
                &self.cube,
                &Self::profile_path(directory),
            )?),
            ..Seal::of_run(directory)
        };
        write_sealed(&self.summary, &summary_path, &seal)
    }

    /// Whether the files of the result in `directory` have checksums, as those of earlier versions do not.
    pub fn has_checksums(directory: impl AsRef<Path>) -> bool {
        let seal = read_sealed(&Self::summary_path(directory)).map(|(_, seal)| seal);
        seal.is_ok_and(|seal| seal.checksum.is_some() && seal.profile.is_some())
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
    let worst_exists =
        |w: &WorstInstance| is_thread(w.last_thread) && w.longest_thread.is_none_or(is_thread);
    for (index, finding) in summary.findings.iter().enumerate() {
        let threads_exist =
            finding.culprit_thread.is_none_or(is_thread) && finding.worst.iter().all(worst_exists);
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
        let threads_exist =
            statistics.last_counts.len() <= threads && statistics.worst.iter().all(worst_exists);
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
    if let Some(causes) = &summary.causes {
        let by_thread = causes.critical_path.by_thread.len();
        let threads_exist = causes
            .root_causes
            .iter()
            .all(|cause| is_thread(cause.thread));
        let mut paths = causes.named_call_paths();
        if by_thread != threads || !threads_exist || paths.any(|path| path >= cube.call_paths.len())
        {
            return Some(
                "the critical path or the root causes name a thread or a call path that does not exist".to_owned(),
            );
        }
    }
    if let Some(problem) = unknown_in_accesses(result) {
        return Some(problem);
    }
    let unknown = summary
        .recording
        .counters
        .iter()
        .find(|id| cube.metric(id).is_none());
    unknown.map(|id| format!("the summary names counter {id:?}, which is no metric of the profile"))
}

/// What the communication matrix and the advice on accesses name that the cube does not know.
fn unknown_in_accesses(result: &AnalysisResult) -> Option<String> {
    let AnalysisResult { cube, summary } = result;
    let threads = cube.threads.len();
    if let Some(communication) = &summary.communication {
        let sums = [&communication.by_thread, &communication.by_owner];
        if sums.iter().any(|sums| sums.len() != threads) {
            return Some(format!(
                "the communication matrix is not of {threads} threads"
            ));
        }
    }
    let pairs = summary.communication.iter().flat_map(|c| &c.pairs);
    let accesses = &summary.accesses;
    let of_pairs = pairs.flat_map(|pair| [pair.thread, pair.owner]);
    let of_runs = accesses.fine_grained.iter().flat_map(|f| &f.threads);
    let of_own = accesses.own_affinity.iter().flat_map(|own| &own.threads);
    let of_layout = accesses.layout.iter().flat_map(|layout| &layout.threads);
    let of_data = accesses.wrong_side.iter().flat_map(|side| &side.data);
    let of_arrays = || {
        accesses
            .distributions
            .iter()
            .flat_map(|array| &array.places)
    };
    let shares = of_arrays().flat_map(|place| &place.threads);
    let mut named = of_pairs
        .chain(of_runs.map(|runs| runs.thread))
        .chain(of_own.map(|own| own.thread))
        .chain(of_layout.map(|share| share.thread))
        .chain(shares.map(|share| share.thread))
        .chain(of_data.flat_map(|data| [data.thread, data.owner]));
    if let Some(thread) = named.find(|&thread| thread as usize >= threads) {
        return Some(format!(
            "what is said about accesses names thread {thread}, which does not exist"
        ));
    }
    let fine_grained = accesses.fine_grained.iter().map(|f| f.call_path);
    let own = accesses.own_affinity.iter().map(|own| own.call_path);
    let data = accesses.wrong_side.iter().map(|side| side.call_path);
    let layout = accesses.layout.iter().map(|layout| layout.call_path);
    let arrays = of_arrays().map(|place| place.call_path);
    let mut paths = fine_grained
        .chain(own)
        .chain(data)
        .chain(layout)
        .chain(arrays);
    let unknown = paths.find(|&path| path >= cube.call_paths.len());
    unknown.map(|path| {
        format!("what is said about accesses names call path {path}, which does not exist")
    })
}
