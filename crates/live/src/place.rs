//! Where live files are, and which of them are whose.
//!
//! They lie in memory (`/dev/shm`), also where the experiment is on a disk: pages of a file on a
//! disk are written back from time to time, and the next store would wait for that; on a shared
//! file system each node would see its own version of them.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

/// The directory of live files.
pub const PLACE: &str = "/dev/shm";
/// Beginning of their names.
const PREFIX: &str = "pgas-live-";

/// What names the files of a run: its identifier, or a number made of the experiment's path if it
/// has none.
pub fn key(run: Option<&str>, experiment: &[u8]) -> String {
    match run {
        Some(run) => run.to_owned(),
        None => format!("x{:016x}", xxh3_64(experiment)),
    }
}

/// The file of a thread of a run in a directory.
pub fn file(place: &Path, key: &str, thread: u32) -> PathBuf {
    place.join(format!("{PREFIX}{key}-{thread}"))
}

/// The file with definitions of metrics that those who watch a run give to its threads.
pub fn metrics_file(place: &Path, key: &str) -> PathBuf {
    place.join(format!("{PREFIX}{key}-metrics"))
}

/// The file that the agent of a node has locked.
pub fn agent_file(place: &Path, key: &str) -> PathBuf {
    place.join(format!("{PREFIX}{key}-agent"))
}

/// Removes the file of metrics and the one beside it, if they are there.
pub fn remove_metrics(place: &Path, key: &str) {
    let path = metrics_file(place, key);
    let beside = path.with_extension("functions");
    for path in [path, beside] {
        let _ = fs::remove_file(path);
    }
}

/// The contents of a file of this user and the time of its last change. Links are not followed.
///
/// # Errors
/// The system's, if there is none, it belongs to another user, or has more than `most` bytes.
pub fn read_own(path: &Path, most: u64) -> io::Result<(Vec<u8>, SystemTime)> {
    let file = fs::OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)?;
    let status = file.metadata()?;
    if status.uid() != own_user() || !status.is_file() || status.len() > most {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok((bytes, status.modified()?))
}

/// A live file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// What its run is named by.
    pub key: String,
    /// Number of the thread.
    pub thread: u32,
    /// The file.
    pub path: PathBuf,
    /// Number of the user whose file it is.
    pub user: u32,
}

/// The live files in a directory, of all users, by run and thread. Directories, links and other
/// kinds of files with such names are left out.
///
/// # Errors
/// If the directory cannot be read.
pub fn all(place: &Path) -> io::Result<Vec<Found>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let Some((key, thread)) = parts(entry.file_name()) else {
            continue;
        };
        // It may have ended since.
        let Ok(status) = entry.metadata() else {
            continue;
        };
        if status.is_file() {
            all.push(Found {
                key,
                thread,
                path: entry.path(),
                user: status.uid(),
            });
        }
    }
    all.sort();
    Ok(all)
}

fn parts(name: OsString) -> Option<(String, u32)> {
    let name = name.into_string().ok()?;
    let (key, thread) = name.strip_prefix(PREFIX)?.rsplit_once('-')?;
    let thread = thread.parse().ok()?;
    (!key.is_empty()).then(|| (key.to_owned(), thread))
}

/// The number of the user that this process works for.
pub fn own_user() -> u32 {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::geteuid() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_names() {
        let place = tempfile::tempdir().unwrap();
        for (key, thread) in [("b", 0), ("a", 10), ("a", 2)] {
            fs::write(file(place.path(), key, thread), "").unwrap();
        }
        for other in ["pgas-live-", "pgas-live-a", "pgas-live--1", "pgas-live-a-x"] {
            fs::write(place.path().join(other), "").unwrap();
        }
        fs::create_dir(place.path().join("pgas-live-c-1")).unwrap();
        let found = all(place.path()).unwrap();
        let names: Vec<_> = found.iter().map(|f| (f.key.as_str(), f.thread)).collect();
        assert_eq!(names, [("a", 2), ("a", 10), ("b", 0)]);
        assert!(found.iter().all(|f| f.user == own_user()));
    }

    #[test]
    fn a_run_without_identifier_is_named_by_its_experiment() {
        assert_eq!(key(Some("17"), b"/e"), "17");
        assert_ne!(key(None, b"/e"), key(None, b"/f"));
    }
}
