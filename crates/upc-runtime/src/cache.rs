//! Sets of files in a cache directory. A set has its content's hash in its name and appears by one rename, so that it
//! is complete when it is there, and nobody ever has to update one.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Directories for cached files, in the order of preference: `$PGAS_CACHE_DIR`, `$XDG_CACHE_HOME/pgastool`,
/// `~/.cache/pgastool`, and one for this user among the temporary files.
pub fn cache_dirs() -> Vec<PathBuf> {
    let set = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let mut dirs = Vec::new();
    dirs.extend(set("PGAS_CACHE_DIR"));
    dirs.extend(
        set("XDG_CACHE_HOME")
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join("pgastool")),
    );
    dirs.extend(set("HOME").map(|home| home.join(".cache/pgastool")));
    dirs.push(std::env::temp_dir().join(match own_uid() {
        Some(uid) => format!("pgastool-{uid}"),
        None => "pgastool".to_string(),
    }));
    dirs
}

fn own_uid() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|m| m.uid())
}

/// Makes sure that `dir/name` has these files, and returns its path.
pub(crate) fn install(dir: &Path, name: &str, files: &[(&str, &[u8])]) -> io::Result<PathBuf> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    let dir = fs::canonicalize(dir)?;
    // Where anybody can create directories, somebody else may have made this one, and could exchange the files.
    let owner = fs::metadata(&dir)?.uid();
    if let Some(uid) = own_uid() {
        if owner != uid && owner != 0 {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!("it belongs to user {owner}"),
            ));
        }
    }
    let target = dir.join(name);
    // A second round is for a set that somebody removed files from.
    for _ in 0..2 {
        if is_complete(&target, files) {
            return Ok(target);
        }
        let fresh = write_aside(&dir, name, files)?;
        if fs::rename(&fresh, &target).is_err() {
            if !is_complete(&target, files) {
                fs::remove_dir_all(&target).ok();
                fs::rename(&fresh, &target).ok();
            }
            fs::remove_dir_all(&fresh).ok();
        }
    }
    if is_complete(&target, files) {
        Ok(target)
    } else {
        Err(io::Error::other(format!(
            "{} cannot be completed",
            target.display()
        )))
    }
}

fn is_complete(target: &Path, files: &[(&str, &[u8])]) -> bool {
    files.iter().all(|(name, content)| {
        fs::metadata(target.join(name)).is_ok_and(|m| m.len() == content.len() as u64)
    })
}

/// Writes the files into a directory of a name that nobody else uses.
fn write_aside(dir: &Path, name: &str, files: &[(&str, &[u8])]) -> io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let fresh = dir.join(format!(".{name}.{}.{number}", std::process::id()));
    fs::remove_dir_all(&fresh).ok();
    let written = files.iter().try_for_each(|(file, content)| {
        let path = fresh.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content)
    });
    match written {
        Ok(()) => Ok(fresh),
        Err(e) => {
            fs::remove_dir_all(&fresh).ok();
            Err(e)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[(&str, &[u8])] = &[("a/one", b"1"), ("b/two", b"22")];

    #[test]
    fn a_set_is_complete_and_restored_when_it_was_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let set = install(&dir.path().join("deep/er"), "set", FILES).unwrap();
        assert_eq!(fs::read(set.join("b/two")).unwrap(), b"22");
        fs::remove_file(set.join("a/one")).unwrap();
        fs::write(set.join("b/two"), b"").unwrap();
        assert_eq!(
            install(&dir.path().join("deep/er"), "set", FILES).unwrap(),
            set
        );
        assert_eq!(fs::read(set.join("a/one")).unwrap(), b"1");
        assert_eq!(fs::read(set.join("b/two")).unwrap(), b"22");
        // Nothing is left beside it.
        assert_eq!(fs::read_dir(dir.path().join("deep/er")).unwrap().count(), 1);
    }

    #[test]
    fn many_at_once_agree() {
        let dir = tempfile::tempdir().unwrap();
        let sets: Vec<PathBuf> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| install(dir.path(), "set", FILES).unwrap()))
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(sets.iter().all(|set| *set == sets[0]));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_in_the_way_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), b"").unwrap();
        assert!(install(&dir.path().join("file"), "set", FILES).is_err());
    }
}
