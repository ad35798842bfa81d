//! The description of a run, `experiment.json`: what was started, how it was recorded, and how it
//! ended.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::Path;

use jiff::ZonedDateTime;
use serde::{Deserialize, Serialize};

use crate::buffers::Identity;
use crate::error::Error;
use crate::names::METADATA_FILE;

/// Version of the layout of `experiment.json`.
pub const SCHEMA: u32 = 1;

/// How far a run got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The program runs, or whoever watched it died before it ended.
    Running,
    /// The program ended by itself.
    Finished,
    /// A signal ended the program.
    Killed,
}

/// A filter file, and where it was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterInEffect {
    /// Stage at which the filter left regions out.
    pub stage: FilterStage,
    /// Name of the file as it was given.
    pub file: String,
    /// Its text.
    pub rules: String,
}

/// When a filter leaves something out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FilterStage {
    /// Excluded regions are not instrumented in the parts of the program that were compiled with
    /// the filter.
    Compile,
    /// Excluded regions are not recorded.
    Run,
}

/// Content of `experiment.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Version of the layout: [`SCHEMA`].
    pub schema: u32,
    /// The program as it was named on the command line.
    pub program: String,
    /// Command-line arguments of the program, without its name.
    pub arguments: Vec<String>,
    /// The working directory in which it was started, which names of source files may be relative
    /// to. Absent if it is not known, as in experiments of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Digests of the files that the program was compiled from, SHA-256 in hexadecimal digits, as
    /// far as the compiler says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Threads of the program.
    pub threads: u32,
    /// Name of the node on which the run was started.
    pub host: String,
    /// Processor cores that the run could use on that node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Launcher of the program, with its options as they were asked for, if the program was not
    /// started directly: `srun --mpi=pmix`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launcher: Option<String>,
    /// Nodes that were asked for, if the user or the batch job said how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Settings of the recorder that were chosen, by the names of the options of `pgastool run`,
    /// with values as the recorder gets them; those that are not here had their defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub recording: BTreeMap<String, String>,
    /// The filters that left functions or operations out, in the order in which they had their
    /// effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<FilterInEffect>,
    /// A random text by which streams and results of this run are told from those of others.
    /// Absent in experiments of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Local date and time of the start, RFC 3339.
    pub started: String,
    /// The same in nanoseconds since 1970-01-01 00:00 UTC.
    pub started_unix_ns: u64,
    /// Version of pgastool that measured.
    pub tool_version: String,
    /// Progress of the run.
    pub state: State,
    /// Exit status of the program, when it ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_status: Option<i32>,
    /// The signal that ended the program, when one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Time from start to end of the program, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_seconds: Option<f64>,
    /// Local date and time of the end, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// CPU time that the program took, all its processes and the recorder's helpers, in seconds.
    /// Absent where a launcher started it, and if the system does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Runs of the same program without instrumentation, to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// Facts that a reader must know about this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The process that waits for the program's end, on `host`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Identity>,
}

/// A build of the program without instrumentation, and its CPU time with the same arguments and
/// threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// As the user named it.
    pub program: String,
    /// Of each run, in seconds: user and system time of all its processes.
    pub cpu_seconds: Vec<f64>,
}

impl Baseline {
    /// The median of the runs; `None` if there is none.
    pub fn median(&self) -> Option<f64> {
        let mut runs = self.cpu_seconds.clone();
        runs.sort_by(f64::total_cmp);
        let upper = *runs.get(runs.len() / 2)?;
        let lower = *runs.get((runs.len() - 1) / 2)?;
        Some((lower + upper) / 2.0)
    }
}

impl Metadata {
    /// The description of a run that starts now on this machine.
    pub fn new(program: &str, arguments: &[String], threads: u32) -> Self {
        let now = ZonedDateTime::now();
        Metadata {
            schema: SCHEMA,
            program: program.to_owned(),
            arguments: arguments.to_vec(),
            directory: None,
            sources: Vec::new(),
            threads,
            host: host_name(),
            cores: std::thread::available_parallelism()
                .ok()
                .and_then(|cores| u32::try_from(cores.get()).ok()),
            launcher: None,
            nodes: None,
            recording: BTreeMap::new(),
            filters: Vec::new(),
            id: Some(random_id()),
            started: rfc3339(&now),
            started_unix_ns: u64::try_from(now.timestamp().as_nanosecond()).unwrap_or(0),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            state: State::Running,
            exit_status: None,
            signal: None,
            wall_seconds: None,
            ended: None,
            cpu_seconds: None,
            baseline: None,
            remarks: Vec::new(),
            run: None,
        }
    }

    /// Reads the description of the experiment in `directory`.
    ///
    /// # Errors
    /// [`Error::NotAnExperiment`] if there is none; [`Error::Metadata`] if it is not what it should
    /// be.
    pub fn load(directory: &Path) -> Result<Self, Error> {
        let path = directory.join(METADATA_FILE);
        let text = match pgas_files::read(&path) {
            Ok(text) => text,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Err(Error::NotAnExperiment {
                    path: directory.to_owned(),
                });
            }
            Err(error) => return Err(Error::io(path, "read", error)),
        };
        let metadata: Metadata =
            serde_json::from_slice(&text).map_err(|error| Error::Metadata {
                path: path.clone(),
                line: error.line(),
                column: error.column(),
                found: error.to_string(),
                expected: "the description of an experiment",
            })?;
        if metadata.schema != SCHEMA {
            return Err(Error::Metadata {
                path,
                line: 1,
                column: 1,
                found: format!("schema {}", metadata.schema),
                expected: "schema 1; use the pgastool that measured",
            });
        }
        Ok(metadata)
    }

    /// Writes the description into `directory`, whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn save(&self, directory: &Path) -> Result<(), Error> {
        let path = directory.join(METADATA_FILE);
        let text = self.text(&path)?;
        pgas_files::replace(&path, |file| file.write_all(&text))
            .map_err(|error| Error::io(path, "write", error))
    }

    /// Writes the description of a run that has ended over the one from its beginning, if the
    /// recording has filled the disk: else it would say for ever that the run goes on.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn save_the_end(&self, directory: &Path) -> Result<(), Error> {
        let path = directory.join(METADATA_FILE);
        let text = self.text(&path)?;
        pgas_files::replace_or_overwrite(&path, &text)
            .map_err(|error| Error::io(path, "write", error))
    }

    fn text(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| Error::io(path, "describe", io::Error::other(error)))?;
        text.push(b'\n');
        Ok(text)
    }

    /// Notes that the program ended just now: `Ok` with its exit status, or `Err` with the signal
    /// that ended it.
    pub fn end(&mut self, outcome: Result<i32, i32>, wall_seconds: f64) {
        match outcome {
            Ok(status) => {
                self.state = State::Finished;
                self.exit_status = Some(status);
            }
            Err(signal) => {
                self.state = State::Killed;
                self.signal = Some(signal);
            }
        }
        self.wall_seconds = Some(wall_seconds);
        self.ended = Some(rfc3339(&ZonedDateTime::now()));
    }
}

/// Remark of a run whose `pgastool run` was ended before the program.
const LOST_RUN: &str = "pgastool run was killed before the program ended, and the program with \
                        it: how the program would have ended is not known";

/// Notes in the description of the experiment that the process that should have noted the program's
/// end is gone, if that is so. Returns whether it is.
///
/// # Errors
/// As [`Metadata::load`] and [`Metadata::save`].
pub fn note_lost_run(directory: &Path) -> Result<bool, Error> {
    let mut metadata = Metadata::load(directory)?;
    let is_gone = metadata.state == State::Running
        && metadata.host == host_name()
        && metadata.run.is_some_and(|run| !run.is_alive());
    if is_gone {
        metadata.state = State::Killed;
        metadata.remarks.push(LOST_RUN.to_owned());
        metadata.save(directory)?;
    }
    Ok(is_gone)
}

/// 32 digits that no other run has.
fn random_id() -> String {
    // Keys of hash tables come from the system's source of random numbers; they differ by one from
    // call to call, which the hash makes unrecognisable.
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// `2026-11-21T14:30:00+01:00`: date and time of a clock on the wall, with its distance from UTC.
fn rfc3339(time: &ZonedDateTime) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn host_name() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname")
        .map(|name| name.trim().to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::create;

    #[test]
    fn the_end_is_kept() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("x");
        let mut metadata = Metadata::new("x", &[], 1);
        create(&path, &metadata).unwrap();
        metadata.end(Err(9), 1.5);
        metadata.save(&path).unwrap();
        let loaded = Metadata::load(&path).unwrap();
        assert_eq!((loaded.state, loaded.signal), (State::Killed, Some(9)));
        assert_eq!(loaded.wall_seconds, Some(1.5));
    }

    #[test]
    fn times_of_day_have_their_distance_from_utc() {
        let time = "2026-01-02T03:04:05-03:30[-03:30]".parse().unwrap();
        assert_eq!(rfc3339(&time), "2026-01-02T03:04:05-03:30");
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let parent = tempfile::tempdir().unwrap();
        assert!(matches!(
            Metadata::load(parent.path()),
            Err(Error::NotAnExperiment { .. })
        ));
        fs::write(parent.path().join(METADATA_FILE), "{\n \"schema\": x }").unwrap();
        let message = Metadata::load(parent.path()).unwrap_err().to_string();
        assert!(message.contains("experiment.json: line 2"), "{message}");
        let text = serde_json::to_string(&Metadata {
            schema: 7,
            ..Metadata::new("x", &[], 1)
        });
        fs::write(parent.path().join(METADATA_FILE), text.unwrap()).unwrap();
        let message = Metadata::load(parent.path()).unwrap_err().to_string();
        assert!(message.contains("schema 7"), "{message}");
    }
}
