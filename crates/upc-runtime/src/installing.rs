//! Sets of files in a cache directory. A set has its content's hash in its name and appears by one
//! rename, so that it is complete when it is there, and nobody ever has to update one; its content
//! is compared each time.

use pgas_cache::{Refusal, Trust};
use std::collections::BTreeSet;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Makes sure that `dir/name` has these files and no others, and returns its path.
pub(crate) fn install(dir: &Path, name: &str, files: &[(&str, &[u8])]) -> Result<PathBuf, Refusal> {
    let dir = Trust::own().make_directory(dir)?;
    let target = dir.join(name);
    if !is_complete(&target, files) {
        write(&dir, &target, files).map_err(|error| Refusal::System {
            path: target.clone(),
            error,
        })?;
    }
    Ok(target)
}

fn is_complete(target: &Path, files: &[(&str, &[u8])]) -> bool {
    let trust = Trust::own();
    let expected: BTreeSet<PathBuf> = files.iter().map(|(name, _)| name.into()).collect();
    trust
        .names_below(target)
        .is_ok_and(|names| names == expected)
        && files.iter().all(|(name, content)| {
            let found = trust.read(&target.join(name));
            found.is_ok_and(|found| found == *content)
        })
}

/// Writes the files aside and gives them their place.
fn write(dir: &Path, target: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    let made = pgas_cache::aside(dir)?;
    for (name, content) in files {
        let path = made.path().join(name);
        if let Some(parent) = path.parent() {
            // Others must not write to this directory, even where the user's umask allows it.
            DirBuilder::new()
                .recursive(true)
                .mode(0o755)
                .create(parent)?;
        }
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o644)
            .open(path)?
            .write_all(content)?;
    }
    pgas_cache::put(made, target, &|set| is_complete(set, files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

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
    fn what_was_changed_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let elsewhere = dir.path().join("elsewhere");
        fs::write(&elsewhere, b"1").unwrap();
        let cache = dir.path().join("cache");
        let set = install(&cache, "set", FILES).unwrap();
        let one = set.join("a/one");
        let changes: [(&str, &dyn Fn()); 5] = [
            ("same length", &|| fs::write(&one, b"x").unwrap()),
            ("symbolic link", &|| {
                fs::remove_file(&one).unwrap();
                symlink(&elsewhere, &one).unwrap();
            }),
            ("others may write", &|| {
                fs::set_permissions(&one, fs::Permissions::from_mode(0o664)).unwrap()
            }),
            ("others may add", &|| {
                fs::set_permissions(set.join("a"), fs::Permissions::from_mode(0o777)).unwrap()
            }),
            ("another file", &|| {
                fs::write(set.join("a/more"), b"").unwrap()
            }),
        ];
        for (name, change) in changes {
            change();
            assert!(!is_complete(&set, FILES), "{name}");
            assert_eq!(install(&cache, "set", FILES).unwrap(), set, "{name}");
            assert!(is_complete(&set, FILES), "{name}");
            assert_eq!(fs::read_dir(&cache).unwrap().count(), 1, "{name}");
        }
    }

    #[test]
    fn a_directory_that_others_can_write_to_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().join("cache");
        install(&cache, "set", FILES).unwrap();
        let mode = fs::metadata(&cache).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o700);
        for mode in [0o770, 0o707, 0o1777] {
            fs::set_permissions(&cache, fs::Permissions::from_mode(mode)).unwrap();
            let refusal = install(&cache, "set", FILES).unwrap_err().to_string();
            assert!(refusal.contains(&format!("(mode {mode:04o})")), "{refusal}");
            assert!(refusal.contains("`chmod go-w`"), "{refusal}");
        }
        // Its name could be given to another directory.
        fs::set_permissions(&cache, fs::Permissions::from_mode(0o700)).unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
        assert!(install(&cache, "set", FILES).is_err());
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
