//! Files that appear whole or not at all: written under a temporary name beside their place, then renamed. The name cannot
//! be guessed, so that in a directory of several users nobody puts a link there that is written through.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Names that are tried before a directory counts as unusable.
const ATTEMPTS: u32 = 8;

/// Creates or replaces `path` with what `write` writes. On failure the old file is untouched and no temporary file is left.
///
/// # Errors
/// The first one of the operating system or of `write`.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let (mut file, temporary) = create_beside(path)?;
    let written = write(&mut file).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // The longest name that file systems take has 255 bytes.
    let name: String = name.chars().take(40).collect();
    let mut attempt = 0;
    loop {
        let temporary = path.with_file_name(format!(".{name}.{:016x}.pgas-tmp", random()));
        let created = OpenOptions::new()
            .write(true)
            // Fails if anything of that name is there, also a link that leads nowhere.
            .create_new(true)
            .custom_flags(libc::O_NOFOLLOW)
            .open(&temporary);
        attempt += 1;
        match created {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => {}
            created => return created.map(|file| (file, temporary)),
        }
    }
}

/// A number that differs at each call and cannot be guessed by other processes.
pub fn random() -> u64 {
    // Keys of hash tables come from the system's source of random numbers; they differ by one from call to call, which
    // the hash makes unrecognisable.
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::{symlink, PermissionsExt};

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("file");
        replace(&path, |file| file.write_all(b"one")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        let failed = replace(&path, |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), 1);
        assert_ne!(fs::metadata(&path).unwrap().permissions().mode() & 0o600, 0);
        let long = here.path().join("x".repeat(255));
        replace(&long, |file| file.write_all(b"two")).unwrap();
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let here = tempfile::tempdir().unwrap();
        let precious = here.path().join("precious");
        fs::write(&precious, "mine").unwrap();
        let path = here.path().join("file");
        symlink(&precious, &path).unwrap();
        replace(&path, |file| file.write_all(b"one")).unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"mine");
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }

    #[test]
    fn temporary_names_cannot_be_foreseen() {
        let numbers: std::collections::HashSet<u64> = (0..1000).map(|_| random()).collect();
        assert_eq!(numbers.len(), 1000);
    }
}
