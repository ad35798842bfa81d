//! Tells from owner and mode of files and directories that only trusted users can have written
//! them.

use rustix::process::geteuid;
use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Write permission of the group and of all others.
const OTHERS_WRITE: u32 = 0o022;
/// In a directory with this bit, users can rename and remove only what is theirs.
const STICKY: u32 = 0o1000;

/// Why a directory or file is not used.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Somebody else may have written it.
    #[error("{} {found}, and what is in it would become part of your programs: {remedy}", path.display())]
    Unsafe {
        /// The directory or file.
        path: PathBuf,
        /// Its state.
        found: String,
        /// The next step.
        remedy: String,
    },
    /// The operating system's answer.
    #[error("{}: {error}", path.display())]
    System {
        /// The directory or file.
        path: PathBuf,
        /// The answer.
        error: io::Error,
    },
}

/// The users whose files are used: the user who runs this, root, and the owner of the installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    owners: Vec<u32>,
}

impl Trust {
    /// This user and root.
    pub fn own() -> Self {
        Self {
            owners: vec![geteuid().as_raw(), 0],
        }
    }

    /// As well as the owner of `program`, which is run or linked in any case.
    #[must_use]
    pub fn and_owner_of(mut self, program: &Path) -> Self {
        self.owners.extend(fs::metadata(program).map(|m| m.uid()));
        self
    }

    /// Makes the directory, for this user only, unless it is there, and returns it without symbolic
    /// links.
    ///
    /// # Errors
    /// If it cannot be made; if others can write to it, or it belongs to somebody else.
    pub fn make_directory(&self, path: &Path) -> Result<PathBuf, Refusal> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|error| system(path, error))?;
        self.place(path)
    }

    /// A directory where files are kept, without symbolic links.
    ///
    /// # Errors
    /// If it is not there; if others can write to it or replace it, or it belongs to somebody else.
    pub fn place(&self, path: &Path) -> Result<PathBuf, Refusal> {
        let link = fs::symlink_metadata(path).map_err(|error| system(path, error))?;
        self.owned(path, &link)?;
        let real = fs::canonicalize(path).map_err(|error| system(path, error))?;
        self.directory(&real)?;
        for above in real.ancestors().skip(1) {
            let state = fs::metadata(above).map_err(|error| system(above, error))?;
            if state.mode() & 0o002 != 0 && state.mode() & STICKY == 0 {
                return Err(writable(above, &state));
            }
        }
        Ok(real)
    }

    /// Checks a directory itself.
    fn directory(&self, path: &Path) -> Result<(), Refusal> {
        let state = fs::symlink_metadata(path).map_err(|error| system(path, error))?;
        if !state.is_dir() {
            return Err(other_kind(path, "directory"));
        }
        self.written_by_trusted(path, &state)
    }

    /// The content of a file, which is no symbolic link.
    ///
    /// # Errors
    /// If it cannot be read; if others can write to it, or it belongs to somebody else.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, Refusal> {
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(flags.bits() as i32)
            .open(path);
        let mut file = opened.map_err(|error| system(path, error))?;
        let state = file.metadata().map_err(|error| system(path, error))?;
        if !state.is_file() {
            return Err(other_kind(path, "regular file"));
        }
        self.written_by_trusted(path, &state)?;
        let mut content = Vec::new();
        file.read_to_end(&mut content)
            .map_err(|error| system(path, error))?;
        Ok(content)
    }

    /// The names of all that is below a directory and is no directory, relative to it.
    ///
    /// # Errors
    /// If a directory cannot be read; if others can write to it, or it belongs to somebody else.
    pub fn names_below(&self, directory: &Path) -> Result<BTreeSet<PathBuf>, Refusal> {
        let mut names = BTreeSet::new();
        let mut left = vec![PathBuf::new()];
        while let Some(below) = left.pop() {
            let path = directory.join(&below);
            self.directory(&path)?;
            let told = |error| system(&path, error);
            for entry in fs::read_dir(&path).map_err(told)? {
                let entry = entry.map_err(told)?;
                let name = below.join(entry.file_name());
                if entry.file_type().map_err(told)?.is_dir() {
                    left.push(name);
                } else {
                    names.insert(name);
                }
            }
        }
        Ok(names)
    }

    fn written_by_trusted(&self, path: &Path, state: &Metadata) -> Result<(), Refusal> {
        self.owned(path, state)?;
        if state.mode() & OTHERS_WRITE != 0 {
            return Err(writable(path, state));
        }
        Ok(())
    }

    fn owned(&self, path: &Path, state: &Metadata) -> Result<(), Refusal> {
        if self.owners.contains(&state.uid()) {
            return Ok(());
        }
        Err(Refusal::Unsafe {
            path: path.to_path_buf(),
            found: format!("belongs to user {}", state.uid()),
            remedy: "name a directory of your own in PGAS_CACHE_DIR".to_owned(),
        })
    }
}

fn writable(path: &Path, state: &Metadata) -> Refusal {
    Refusal::Unsafe {
        path: path.to_path_buf(),
        found: format!(
            "can be written to by others (mode {:04o})",
            state.permissions().mode() & 0o7777
        ),
        remedy: "take that permission away (`chmod go-w`), or name a directory of your own in \
                 PGAS_CACHE_DIR"
            .to_owned(),
    }
}

fn other_kind(path: &Path, expected: &str) -> Refusal {
    Refusal::Unsafe {
        path: path.to_path_buf(),
        found: format!("is no {expected}"),
        remedy: "remove it, or name another directory in PGAS_CACHE_DIR".to_owned(),
    }
}

fn system(path: &Path, error: io::Error) -> Refusal {
    Refusal::System {
        path: path.to_path_buf(),
        error,
    }
}
