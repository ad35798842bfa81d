//! Directories of made files in a cache that many processes on many machines may use at once. A set
//! of files is made aside and appears by one rename, complete, and nobody ever changes one.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};
use std::{io, thread};
use tempfile::TempDir;

/// End of the names of directories in which something is made.
const UNFINISHED: &str = ".pgas-tmp";
/// Age above which an unfinished set is that of a process that was killed.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);
/// How often a set that somebody else seems to have put there is looked for: a client of a network
/// file system may take a moment to see it.
const ATTEMPTS: u32 = 6;

/// An empty directory on `shelf` to make a set in; it vanishes unless it is [`put`] in its place.
///
/// # Errors
/// If the shelf cannot be written to.
pub fn aside(shelf: &Path) -> io::Result<TempDir> {
    sweep(shelf);
    let made = tempfile::Builder::new()
        .prefix("making-")
        .suffix(UNFINISHED)
        .tempdir_in(shelf)?;
    // Others may use what an operator makes, and nobody but the operator writes to it.
    let mode = fs::metadata(shelf)?.permissions().mode() & 0o755;
    fs::set_permissions(made.path(), Permissions::from_mode(mode))?;
    Ok(made)
}

/// Moves a set that was made [`aside`] into its place. If another process was faster, its set stays
/// if it `is_good`, and is replaced otherwise.
///
/// # Errors
/// If something else is in the way.
pub fn put(made: TempDir, set: &Path, is_good: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    for attempt in 0..ATTEMPTS {
        let error = match fs::rename(made.path(), set) {
            Ok(()) => {
                // It is no temporary directory any more.
                let _ = made.keep();
                return Ok(());
            }
            Err(_) if is_good(set) => return Ok(()),
            Err(error) => error,
        };
        if attempt + 1 == ATTEMPTS {
            return Err(error);
        }
        if attempt == ATTEMPTS / 2 {
            // Somebody has removed or changed files of it; away with the rest, which nobody can
            // use.
            let away = made.path().with_extension("away.pgas-tmp");
            if fs::rename(set, &away).is_ok() {
                let _ = fs::remove_dir_all(&away).or_else(|_| fs::remove_file(&away));
            }
        } else {
            thread::sleep(Duration::from_millis(20 << attempt));
        }
    }
    Ok(())
}

/// Removes what killed processes have left.
fn sweep(shelf: &Path) {
    for entry in fs::read_dir(shelf).into_iter().flatten().flatten() {
        let unfinished = entry.path().extension() == Some(OsStr::new(&UNFINISHED[1..]));
        let age = entry
            .metadata()
            .and_then(|found| found.modified())
            .ok()
            .and_then(|time| SystemTime::now().duration_since(time).ok());
        if unfinished && age.is_some_and(|age| age > ABANDONED) {
            // Another process may be doing the same.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(shelf: &Path) -> TempDir {
        let made = aside(shelf).unwrap();
        fs::write(made.path().join("a"), "1").unwrap();
        fs::write(made.path().join("b"), "2").unwrap();
        made
    }

    fn is_good(set: &Path) -> bool {
        ["a", "b"].iter().all(|name| {
            fs::metadata(set.join(name)).is_ok_and(|found| found.is_file() && found.len() > 0)
        })
    }

    #[test]
    fn many_at_once_put_one_set() {
        let shelf = tempfile::tempdir().unwrap();
        let set = shelf.path().join("set");
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| put(make(shelf.path()), &set, &is_good).unwrap());
            }
        });
        assert_eq!(fs::read_dir(shelf.path()).unwrap().count(), 1);
        assert!(is_good(&set));
    }

    #[test]
    fn what_is_no_good_set_is_replaced() {
        let shelf = tempfile::tempdir().unwrap();
        let set = shelf.path().join("set");
        put(make(shelf.path()), &set, &is_good).unwrap();
        fs::remove_file(set.join("a")).unwrap();
        fs::write(set.join("b"), "").unwrap();
        put(make(shelf.path()), &set, &is_good).unwrap();
        assert_eq!(fs::read(set.join("a")).unwrap(), b"1");
        fs::remove_dir_all(&set).unwrap();
        fs::write(&set, "").unwrap();
        put(make(shelf.path()), &set, &is_good).unwrap();
        assert!(is_good(&set));
        assert_eq!(fs::read_dir(shelf.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_was_abandoned_is_removed_and_what_is_being_made_stays() {
        let shelf = tempfile::tempdir().unwrap();
        let old = shelf.path().join("making-x.pgas-tmp");
        fs::create_dir(&old).unwrap();
        let long_ago = SystemTime::now() - 2 * ABANDONED;
        fs::File::open(&old)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
        let young = make(shelf.path());
        let _another = make(shelf.path());
        assert!(!old.exists() && young.path().exists());
    }
}
