//! The experiment directory: its name, its description `experiment.json`, and finding the newest one.

use std::collections::hash_map::RandomState;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::buffers::Identity;
use crate::error::Error;
use crate::localtime::LocalTime;
use crate::series::{Series, SERIES_FILE};

/// Name of the description in an experiment directory.
pub const METADATA_FILE: &str = "experiment.json";
/// Name of the directory of streams in an experiment directory.
pub const STREAMS: &str = "streams";
/// Key of the property of a stream that says of which run it is: [`Metadata::id`].
pub const RUN: &str = "run";
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
    /// What it excludes is not instrumented in the parts of the program that were compiled with it.
    Compile,
    /// What it excludes is not recorded.
    Run,
}

/// What `experiment.json` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Version of the layout: [`SCHEMA`].
    pub schema: u32,
    /// The program as it was named on the command line.
    pub program: String,
    pub arguments: Vec<String>,
    /// The working directory in which it was started, which names of source files may be relative to. Absent if it is not
    /// known, as in experiments of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Digests of the files that the program was compiled from, SHA-256 in hexadecimal digits, as far as the compiler says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Threads of the program.
    pub threads: u32,
    /// Name of the node on which the run was started.
    pub host: String,
    /// Processor cores that the run could use on that node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// What started the program, with its options as they were asked for, if it was not started directly: `srun --mpi=pmix`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launcher: Option<String>,
    /// Nodes that were asked for, if the user or the batch job said how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Settings of the recorder that were chosen, by the names of the options of `pgastool run`, with values as the
    /// recorder gets them; those that are not here had their defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub recording: BTreeMap<String, String>,
    /// The filters that left functions or operations out, in the order in which they had their effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<FilterInEffect>,
    /// A random text by which streams and results of this run are told from those of others. Absent in experiments of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Local date and time of the start, RFC 3339.
    pub started: String,
    /// The same in nanoseconds since 1970-01-01 00:00 UTC.
    pub started_unix_ns: u64,
    /// Version of pgastool that measured.
    pub tool_version: String,
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
    /// CPU time that the program took, all its processes and the recorder's helpers, in seconds. Absent where a launcher started it, and if
    /// the system does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Runs of the same program without instrumentation, to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// What a reader must know about this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The process that waits for the program's end, on `host`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Identity>,
}

/// A build of the program without instrumentation, and its CPU time with the same arguments and threads.
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
        let now = SystemTime::now();
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
            started: LocalTime::of(now).rfc3339(),
            started_unix_ns: nanoseconds_since_epoch(now),
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
    /// [`Error::NotAnExperiment`] if there is none; [`Error::Metadata`] if it is not what it should be.
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
                })
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
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| Error::io(&path, "describe", io::Error::other(error)))?;
        text.push(b'\n');
        pgas_files::replace(&path, |file| file.write_all(&text))
            .map_err(|error| Error::io(path, "write", error))
    }

    /// Notes that the program ended just now: `Ok` with its exit status, or `Err` with the signal that ended it.
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
        self.ended = Some(LocalTime::of(SystemTime::now()).rfc3339());
    }
}

/// Remark of a run whose `pgastool run` was ended before the program.
const LOST_RUN: &str = "pgastool run was killed before the program ended, and the program with it: how the program would have \
                        ended is not known";

/// Notes in the description of the experiment that the process that should have noted the program's end is gone, if that is
/// so. Returns whether it is.
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

/// Creates the experiment directory `path` with its description and an empty directory of streams, or nothing.
///
/// # Errors
/// [`Error::AlreadyExists`] if anything of that name is there; [`Error::Io`].
pub fn create(path: &Path, metadata: &Metadata) -> Result<(), Error> {
    create_new(path)?;
    let streams = path.join(STREAMS);
    let filled = fs::create_dir(&streams)
        .map_err(|error| Error::io(&streams, "create", error))
        .and_then(|()| metadata.save(path));
    if filled.is_err() {
        // A directory without a description would be in the way of the next attempt. Whatever else is in it by now stays.
        let _ = fs::remove_dir(&streams);
        let _ = fs::remove_dir(path);
    }
    filled
}

/// 32 digits that no other run has.
fn random_id() -> String {
    // Keys of hash tables come from the system's source of random numbers; they differ by one from call to call, which
    // the hash makes unrecognisable.
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// Creates a directory that must not be there.
pub(crate) fn create_new(path: &Path) -> Result<(), Error> {
    fs::create_dir(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Error::AlreadyExists {
            path: path.to_owned(),
        },
        _ => Error::io(path, "create", error),
    })
}

/// Creates an experiment directory in `parent` under the usual name, `pgas_<program>_<threads>_<date>-<time>` in local
/// time, with `-2`, `-3`, ... appended if that is taken. Returns its path.
///
/// # Errors
/// [`Error::Io`]; [`Error::AlreadyExists`] if ten thousand names are taken.
pub fn create_default(parent: &Path, metadata: &Metadata) -> Result<PathBuf, Error> {
    for path in default_names(parent, metadata) {
        match create(&path, metadata) {
            Ok(()) => return Ok(path),
            Err(Error::AlreadyExists { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::AlreadyExists {
        path: parent.to_owned(),
    })
}

/// The usual names of a new experiment, in the order in which they are tried.
pub(crate) fn default_names(parent: &Path, metadata: &Metadata) -> impl Iterator<Item = PathBuf> {
    let base = default_name(metadata, &LocalTime::of(SystemTime::now()));
    let first = parent.join(&base);
    let parent = parent.to_owned();
    std::iter::once(first).chain((2..10_000).map(move |n| parent.join(format!("{base}-{n}"))))
}

/// The experiment or series of experiments in `directory` that was started last; `None` if there is none. Directories
/// with an unreadable description count as older than any other.
///
/// # Errors
/// [`Error::Io`] if `directory` cannot be listed.
pub fn newest(directory: &Path) -> Result<Option<PathBuf>, Error> {
    let listing = fs::read_dir(directory).map_err(|error| Error::io(directory, "list", error))?;
    let mut newest: Option<(u64, PathBuf)> = None;
    for entry in listing {
        let path = entry
            .map_err(|error| Error::io(directory, "list", error))?
            .path();
        let started = if path.join(METADATA_FILE).is_file() {
            Metadata::load(&path).map_or(0, |metadata| metadata.started_unix_ns)
        } else if path.join(SERIES_FILE).is_file() {
            let series = Series::load(&path).ok().flatten();
            series.map_or(0, |series| series.started_unix_ns)
        } else {
            continue;
        };
        let candidate = (started, path);
        if newest.as_ref().is_none_or(|best| *best < candidate) {
            newest = Some(candidate);
        }
    }
    Ok(newest.map(|(_, path)| path))
}

fn default_name(metadata: &Metadata, time: &LocalTime) -> String {
    let program = Path::new(&metadata.program)
        .file_stem()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let safe: String = program
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_.+".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(64)
        .collect();
    let safe = if safe.is_empty() {
        "program".to_owned()
    } else {
        safe
    };
    format!("pgas_{safe}_{}_{}", metadata.threads, time.compact())
}

fn nanoseconds_since_epoch(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| u64::try_from(since.as_nanos()).ok())
        .unwrap_or(0)
}

fn host_name() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname")
        .map(|name| name.trim().to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_existing_directory_is_left_alone() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("mine");
        let first = Metadata::new("./is", &["-q".to_owned()], 4);
        create(&path, &first).unwrap();
        let error = create(&path, &Metadata::new("other", &[], 2)).unwrap_err();
        assert!(matches!(error, Error::AlreadyExists { .. }));
        assert_eq!(Metadata::load(&path).unwrap(), first);
    }

    #[test]
    fn default_names_do_not_collide() {
        let parent = tempfile::tempdir().unwrap();
        let metadata = Metadata::new("dir/my prog.x", &[], 4);
        let mut names = std::collections::BTreeSet::new();
        for _ in 0..5 {
            names.insert(create_default(parent.path(), &metadata).unwrap());
        }
        assert_eq!(names.len(), 5);
        for path in names {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert!(name.starts_with("pgas_my_prog_4_2"), "{name}");
        }
    }

    #[test]
    fn newest_goes_by_start_not_by_name() {
        let parent = tempfile::tempdir().unwrap();
        assert_eq!(newest(parent.path()).unwrap(), None);
        let mut metadata = Metadata::new("a", &[], 1);
        for (name, started) in [("b", 200), ("a", 300), ("c", 100)] {
            metadata.started_unix_ns = started;
            create(&parent.path().join(name), &metadata).unwrap();
        }
        fs::create_dir(parent.path().join("zzz")).unwrap();
        assert_eq!(
            newest(parent.path()).unwrap(),
            Some(parent.path().join("a"))
        );
    }

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
