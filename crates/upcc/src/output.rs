//! Files that the C compiler writes: they appear whole or not at all where that is possible.

use std::fs;
use std::path::{Path, PathBuf};

use pgas_files::NewFile;

use crate::Error;
use crate::interrupt;

/// A file that is being made.
pub struct Output {
    target: PathBuf,
    /// Where it is written; `None` is the target itself, if nothing can or must be renamed.
    new: Option<NewFile>,
}

impl Output {
    /// Begins to make `target`.
    pub fn new(target: &Path) -> Self {
        // A device is written to, and what a link names is written through the link.
        let is_special = fs::symlink_metadata(target).is_ok_and(|m| !m.is_file() && !m.is_dir());
        if is_special || target.file_name().is_none() {
            return Output::in_place(target);
        }
        // Where nothing new can be made, the file itself may still be written, or the message is
        // about it.
        let new = NewFile::beside(target).ok();
        if let Some(new) = &new {
            interrupt::register(&new.path());
        }
        Output {
            target: target.to_path_buf(),
            new,
        }
    }

    /// A file that is written in place.
    pub fn in_place(target: &Path) -> Self {
        Output {
            target: target.to_path_buf(),
            new: None,
        }
    }

    /// The file to write to.
    pub fn path(&self) -> PathBuf {
        let new = self.new.as_ref();
        new.map_or_else(|| self.target.clone(), NewFile::path)
    }

    /// Whether nothing was written to it.
    pub fn is_empty(&self) -> bool {
        fs::metadata(self.path()).map_or(true, |found| found.len() == 0)
    }

    /// Gives it its name. As with any compiler, the disk is not waited for: it can be made again.
    pub fn finish(mut self) -> Result<(), Error> {
        let Some(new) = self.new.take() else {
            return Ok(());
        };
        let path = new.path();
        let finished = new.finish_unsynced();
        interrupt::release(&path);
        finished.map_err(|e| Error::io("write", &self.target, e))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(new) = self.new.take() {
            let path = new.path();
            drop(new);
            interrupt::release(&path);
        }
    }
}
