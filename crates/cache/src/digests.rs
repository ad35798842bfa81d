//! Digests of all files of a set, in a file beside them: what was changed since it was made, by a
//! failing disk or by somebody, is not used.

use crate::trust::{Refusal, Trust};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Has a line for each other file, as `sha256sum` writes them.
const DIGESTS: &str = "digests.sha256";

/// Writes the digests of all files below `set`, and takes from others the permission to write.
///
/// # Errors
/// If a file cannot be read, or has a name that is not in UTF-8; if the digests cannot be written.
pub fn seal(set: &Path) -> io::Result<()> {
    let mut lines = String::new();
    seal_below(set, Path::new(""), &mut lines)?;
    let path = set.join(DIGESTS);
    fs::write(&path, lines)?;
    fs::set_permissions(path, Permissions::from_mode(0o644))
}

fn seal_below(set: &Path, below: &Path, lines: &mut String) -> io::Result<()> {
    let mut entries = fs::read_dir(set.join(below))?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::set_permissions(entry.path(), Permissions::from_mode(0o755))?;
            seal_below(set, &name, lines)?;
        } else {
            // Programs stay executable.
            let executable = entry.metadata()?.permissions().mode() & 0o111 != 0;
            let mode = if executable { 0o755 } else { 0o644 };
            fs::set_permissions(entry.path(), Permissions::from_mode(mode))?;
            let text = name.to_str().ok_or(io::ErrorKind::InvalidInput)?;
            *lines += &format!("{}  {text}\n", digest(&fs::read(entry.path())?));
        }
    }
    Ok(())
}

/// Checks that a set has these files, with something in them, and that owner, mode and content of
/// all that is in it are those of a set that [`seal`] has closed.
///
/// # Errors
/// The first difference.
pub fn check(trust: &Trust, set: &Path, files: &[&str]) -> Result<(), Refusal> {
    let mut names = trust.names_below(set)?;
    names.remove(Path::new(DIGESTS));
    let listed = listed(&trust.read(&set.join(DIGESTS))?);
    if let Some(odd) = names
        .iter()
        .find(|name| !listed.contains_key(name.as_path()))
    {
        return Err(changed(
            &set.join(odd),
            "is not among the files that were made",
        ));
    }
    for (name, expected) in &listed {
        let path = set.join(name);
        let content = trust.read(&path)?;
        if digest(&content) != *expected {
            return Err(changed(&path, "was changed since it was made"));
        }
        if content.is_empty() && files.iter().any(|file| Path::new(file) == name) {
            return Err(changed(&path, "is empty"));
        }
    }
    let missing = files
        .iter()
        .find(|file| !listed.contains_key(Path::new(file)));
    match missing {
        Some(file) => Err(changed(&set.join(file), "is not there")),
        None => Ok(()),
    }
}

/// A file whose line cannot be parsed is not listed.
fn listed(digests: &[u8]) -> BTreeMap<PathBuf, String> {
    let text = String::from_utf8_lossy(digests);
    text.lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(digest, name)| (PathBuf::from(name), digest.to_owned()))
        .collect()
}

fn digest(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn changed(path: &Path, found: &str) -> Refusal {
    Refusal::Unsafe {
        path: path.to_path_buf(),
        found: found.to_owned(),
        remedy: "remove its directory, and it is made again".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_a_set_stay_executable() {
        let set = tempfile::tempdir().unwrap();
        for (name, mode) in [("program", 0o775), ("text", 0o666)] {
            let path = set.path().join(name);
            fs::write(&path, name).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        }
        seal(set.path()).unwrap();
        let mode = |name| {
            fs::metadata(set.path().join(name))
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode("program") & 0o777, 0o755);
        assert_eq!(mode("text") & 0o777, 0o644);
        fs::set_permissions(set.path(), Permissions::from_mode(0o755)).unwrap();
        check(&Trust::own(), set.path(), &["program", "text"]).unwrap();
    }
}
