//! Finds the newest experiment or series in a directory.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::metadata::Metadata;
use crate::names::METADATA_FILE;
use crate::series::{SERIES_FILE, Series};

/// The experiment or series of experiments in `directory` that was started last; `None` if there is
/// none. Directories with an unreadable description count as older than any other.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::create;

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
}
