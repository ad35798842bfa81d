//! The file of an experiment with what was certain while the program ran, written by whoever watches
//! it and read by the analysis.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::live::LiveFinding;

/// Name of the file in an experiment.
pub const WATCHED_FILE: &str = "watched.json";
/// Its version.
const SCHEMA: u32 = 1;
/// Findings that are kept, those that were known first.
const MOST: usize = 1000;

/// Why the file cannot be used.
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
    /// It is not what `pgastool watch` writes.
    #[error(
        "{}: found {found}, expected what `pgastool watch` writes (version {SCHEMA}); remove it",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        found: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Watched {
    schema: u32,
    findings: Vec<LiveFinding>,
}

/// The findings in an experiment; none if nobody has watched the program.
///
/// # Errors
/// If the file cannot be read, or is not what was written.
pub fn load(experiment: &Path) -> Result<Vec<LiveFinding>, WatchedError> {
    let path = experiment.join(WATCHED_FILE);
    let bytes = match pgas_files::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(WatchedError::Io { path, error }),
    };
    let damaged = |found: String| WatchedError::Damaged {
        path: path.clone(),
        found,
    };
    let watched: Watched =
        serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
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

/// Writes them, in place of what is there.
///
/// # Errors
/// If the file cannot be written.
pub fn save(experiment: &Path, findings: &[LiveFinding]) -> Result<(), WatchedError> {
    let path = experiment.join(WATCHED_FILE);
    let watched = Watched {
        schema: SCHEMA,
        findings: findings.iter().take(MOST).cloned().collect(),
    };
    let written = serde_json::to_vec_pretty(&watched).map_err(io::Error::other);
    let written = written.and_then(|text| pgas_files::replace_or_overwrite(&path, &text));
    written.map_err(|error| WatchedError::Io { path, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        assert_eq!(load(directory).unwrap(), []);
        let finding = LiveFinding {
            text: "thread 2 comes late".into(),
            known_after_seconds: 8.5,
            gone_after_seconds: None,
        };
        save(directory, std::slice::from_ref(&finding)).unwrap();
        assert_eq!(load(directory).unwrap(), [finding]);
        let path = directory.join(WATCHED_FILE);
        for (text, found) in [
            ("{", "EOF"),
            ("{\"schema\": 7, \"findings\": []}", "version 7"),
            (
                "{\"schema\": 1, \"findings\": [{\"text\": \"\", \"known_after_seconds\": -2}]}",
                "a time of -2 s",
            ),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = load(directory).unwrap_err().to_string();
            assert!(
                error.contains(found) && error.contains(WATCHED_FILE),
                "{error}"
            );
        }
    }
}
