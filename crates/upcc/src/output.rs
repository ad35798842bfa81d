//! Files that appear whole or not at all: written under another name beside their own, then renamed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// A file that is being made.
pub struct Output {
    target: PathBuf,
    /// Where it is written; the target itself if that is a device.
    aside: PathBuf,
}

impl Output {
    /// Begins to make `target`.
    pub fn new(target: &Path) -> Self {
        let is_special = fs::metadata(target).is_ok_and(|m| !m.is_file() && !m.is_dir());
        let aside = match target.file_name() {
            Some(name) if !is_special => {
                // The extension stays, since it means something to the C compiler.
                let mut fresh = std::ffi::OsString::from(format!(".{}-", std::process::id()));
                fresh.push(name);
                target.with_file_name(fresh)
            }
            _ => target.to_path_buf(),
        };
        Output {
            target: target.to_path_buf(),
            aside,
        }
    }

    /// A file that is written in place.
    pub fn in_place(target: &Path) -> Self {
        Output {
            target: target.to_path_buf(),
            aside: target.to_path_buf(),
        }
    }

    /// The file to write to.
    pub fn path(&self) -> &Path {
        &self.aside
    }

    /// Gives it its name.
    pub fn finish(self) -> Result<(), Error> {
        if self.aside != self.target {
            fs::rename(&self.aside, &self.target)
                .map_err(|e| Error::io("write", &self.target, e))?;
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.aside != self.target {
            // There is nothing after `finish`, and maybe nothing before.
            let _ = fs::remove_file(&self.aside);
        }
    }
}
