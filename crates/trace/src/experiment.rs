//! Creates experiment directories, under a name of the user's or the usual one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::ZonedDateTime;

use crate::error::Error;
use crate::metadata::Metadata;
use crate::names::STREAMS;

/// Creates the experiment directory `path` with its description and an empty directory of streams,
/// or nothing.
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
        // A directory without a description would be in the way of the next attempt. Other files
        // that are in it by now stay.
        let _ = fs::remove_dir(&streams);
        let _ = fs::remove_dir(path);
    }
    filled
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

/// Creates an experiment directory in `parent` under the usual name,
/// `pgas_<program>_<threads>_<date>-<time>` in local time, with `-2`, `-3`, ... appended if that is
/// taken. Returns its path.
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
    let base = default_name(metadata, &ZonedDateTime::now());
    let first = parent.join(&base);
    let parent = parent.to_owned();
    std::iter::once(first).chain((2..10_000).map(move |n| parent.join(format!("{base}-{n}"))))
}

fn default_name(metadata: &Metadata, time: &ZonedDateTime) -> String {
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
    let time = time.strftime("%Y%m%d-%H%M%S");
    format!("pgas_{safe}_{}_{time}", metadata.threads)
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
}
