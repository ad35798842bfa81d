//! `watched.json` of an experiment: bottlenecks that were confirmed while the program ran. The online
//! search writes it, the analysis reads it.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::live::LiveFinding;

/// Name of the file in an experiment.
pub const WATCHED_FILE: &str = "watched.json";
const SCHEMA: u32 = 1;
/// Max number of findings in the file.
const MOST: usize = 1000;

/// Failure to read or write the file.
#[derive(Debug, thiserror::Error)]
pub enum WatchedError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// Its content is not valid.
    #[error(
        "{}: found {found}, expected what the online search writes (version {SCHEMA}); remove it",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The invalid part.
        found: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Watched {
    schema: u32,
    findings: Vec<LiveFinding>,
}

/// Reads the findings of an experiment; none if there is no file.
///
/// # Errors
/// [`WatchedError`].
pub fn load(experiment: &Path) -> Result<Vec<LiveFinding>, WatchedError> {
    let path = experiment.join(WATCHED_FILE);
    let bytes = match pgas_files::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(WatchedError::Io { path, error }),
    };
    parse(&bytes, &path)
}

/// Reads the findings in the bytes of a file.
///
/// # Errors
/// [`WatchedError::Damaged`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<Vec<LiveFinding>, WatchedError> {
    let damaged = |found: String| WatchedError::Damaged {
        path: path.to_owned(),
        found,
    };
    let watched: Watched =
        serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
    if watched.schema != SCHEMA {
        return Err(damaged(format!("version {}", watched.schema)));
    }
    let times = watched.findings.iter().flat_map(|finding| {
        std::iter::once(finding.known_after_seconds).chain(finding.gone_after_seconds)
    });
    match times.into_iter().find(|time| *time < 0.0) {
        Some(time) => Err(damaged(format!("a time of {time} s"))),
        None => Ok(watched.findings),
    }
}

/// As [`load`], for a run with `threads` threads; a finding about any other thread is an error.
///
/// # Errors
/// [`WatchedError`].
pub fn load_for(experiment: &Path, threads: u32) -> Result<Vec<LiveFinding>, WatchedError> {
    let findings = load(experiment)?;
    let named = findings.iter().filter_map(|finding| finding.thread);
    match named.into_iter().find(|thread| *thread >= threads) {
        Some(thread) => Err(WatchedError::Damaged {
            path: experiment.join(WATCHED_FILE),
            found: format!("thread {thread} of a run of {threads} threads"),
        }),
        None => Ok(findings),
    }
}

/// Adds newly confirmed findings, and the time of rejection to those of these keys. Findings of
/// earlier watches of the same run stay; one that is still confirmed keeps its first time, and gets
/// its wait state once that is known.
///
/// # Errors
/// [`WatchedError`]; the file is unchanged.
pub fn update(
    experiment: &Path,
    confirmed: &[LiveFinding],
    rejected: &[String],
    elapsed_seconds: f64,
) -> Result<(), WatchedError> {
    let mut all = load(experiment)?;
    for key in rejected {
        if let Some(open) = open_of(&mut all, key) {
            open.gone_after_seconds = Some(elapsed_seconds);
        }
    }
    for finding in confirmed {
        let has_room = all.len() < MOST;
        match open_of(&mut all, &finding.key) {
            Some(open) if finding.pattern.is_some() => {
                open.text.clone_from(&finding.text);
                open.pattern.clone_from(&finding.pattern);
            }
            Some(_) => {}
            None if has_room => all.push(finding.clone()),
            None => {}
        }
    }
    save(experiment, all)
}

/// The finding with this key that was not rejected.
fn open_of<'a>(all: &'a mut [LiveFinding], key: &str) -> Option<&'a mut LiveFinding> {
    let mut open = all.iter_mut();
    open.find(|finding| finding.key == key && finding.gone_after_seconds.is_none())
}

fn save(experiment: &Path, findings: Vec<LiveFinding>) -> Result<(), WatchedError> {
    let path = experiment.join(WATCHED_FILE);
    let watched = Watched {
        schema: SCHEMA,
        findings,
    };
    let written = serde_json::to_vec_pretty(&watched).map_err(io::Error::other);
    let written = written.and_then(|text| pgas_files::replace_or_overwrite(&path, &text));
    written.map_err(|error| WatchedError::Io { path, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(key: &str, known_after_seconds: f64) -> LiveFinding {
        LiveFinding {
            key: key.into(),
            text: format!("{key} comes late"),
            known_after_seconds,
            ..LiveFinding::default()
        }
    }

    /// Two watches of the same run, one after the other.
    #[test]
    fn a_later_watch_adds_to_an_earlier_one() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        assert_eq!(load(directory).unwrap(), []);
        let [one, two] = [finding("thread 1", 8.5), finding("thread 2", 9.0)];
        update(directory, &[one.clone(), two.clone()], &[], 9.0).unwrap();
        update(directory, &[], &["thread 2".into()], 20.0).unwrap();
        update(
            directory,
            &[finding("thread 1", 60.0), finding("thread 2", 70.0)],
            &[],
            70.0,
        )
        .unwrap();
        let gone = LiveFinding {
            gone_after_seconds: Some(20.0),
            ..two
        };
        assert_eq!(
            load(directory).unwrap(),
            [one, gone, finding("thread 2", 70.0)]
        );
    }

    #[test]
    fn a_finding_about_a_thread_that_the_run_does_not_have_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let late = LiveFinding {
            thread: Some(3),
            ..finding("thread 3", 1.0)
        };
        update(directory.path(), std::slice::from_ref(&late), &[], 1.0).unwrap();
        assert_eq!(load_for(directory.path(), 4).unwrap(), [late]);
        let error = load_for(directory.path(), 3).unwrap_err().to_string();
        assert!(
            error.contains("thread 3 of a run of 3 threads") && error.contains(WATCHED_FILE),
            "{error}"
        );
    }

    #[test]
    fn a_damaged_file_is_refused_and_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(WATCHED_FILE);
        for (text, found) in [
            ("{", "EOF"),
            ("{\"schema\": 7, \"findings\": []}", "version 7"),
            (
                "{\"schema\": 1, \"findings\": [{\"key\": \"\", \"text\": \"\", \"known_after_seconds\": -2}]}",
                "a time of -2 s",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = update(directory.path(), &[finding("a", 1.0)], &[], 1.0);
            let error = error.unwrap_err().to_string();
            assert!(
                error.contains(found) && error.contains(WATCHED_FILE),
                "{error}"
            );
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
