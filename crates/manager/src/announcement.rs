//! The file by which clients find the manager of a run.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::problem::ManagerError;

/// In the directory of an experiment.
const DIRECTORY: &str = "live";
const FILE: &str = "manager.json";

/// A file that is there; dropped, it is removed.
#[derive(Debug)]
pub(crate) struct Announcement {
    file: PathBuf,
    content: String,
    /// It was not there before.
    has_made_directory: bool,
}

impl Announcement {
    /// Writes the file, which only this user can read.
    pub(crate) fn write(
        experiment: &Path,
        address: SocketAddr,
        token: &str,
    ) -> Result<Self, ManagerError> {
        let directory = experiment.join(DIRECTORY);
        let file = directory.join(FILE);
        let content = json!({ "schema": 1, "address": address.to_string(), "token": token });
        let content = format!("{content}\n");
        let write = || -> io::Result<bool> {
            let has_made_directory = match fs::create_dir(&directory) {
                Ok(()) => true,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
                Err(error) => return Err(error),
            };
            pgas_files::replace(&file, |new| {
                new.set_permissions(Permissions::from_mode(0o600))?;
                new.write_all(content.as_bytes())
            })?;
            Ok(has_made_directory)
        };
        match write() {
            Ok(has_made_directory) => Ok(Announcement {
                file,
                content,
                has_made_directory,
            }),
            Err(error) => Err(ManagerError::Announce { file, error }),
        }
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // Another manager may have written its own meanwhile.
        let found = pgas_files::read_to_string(&self.file);
        if found.is_ok_and(|found| found == self.content) {
            // If it stays, clients find nobody at its address.
            let _ = fs::remove_file(&self.file);
        }
        if self.has_made_directory {
            // It stays if there is something else in it.
            let _ = self.file.parent().map(fs::remove_dir);
        }
    }
}
