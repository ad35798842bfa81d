//! Files that appear whole or not at all: written under another name beside their own, then renamed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::interrupt;
use crate::Error;

/// A file that is being made.
pub struct Output {
    target: PathBuf,
    /// Where it is written; the target itself if nothing can or must be renamed.
    aside: PathBuf,
}

impl Output {
    /// Begins to make `target`.
    pub fn new(target: &Path) -> Self {
        // A device is written to, and what a link names is written through the link.
        let is_special = fs::symlink_metadata(target).is_ok_and(|m| !m.is_file() && !m.is_dir());
        let aside = match target.file_name() {
            Some(name) if !is_special => {
                // The extension stays, since it means something to the C compiler.
                let mut fresh = OsString::from(format!(".{}-", std::process::id()));
                fresh.push(name);
                target.with_file_name(fresh)
            }
            _ => return Output::in_place(target),
        };
        // Where nothing new can be made, the file itself may still be written, or the message is about it.
        if fs::File::create(&aside).is_err() {
            return Output::in_place(target);
        }
        let _ = fs::remove_file(&aside);
        interrupt::register(&aside);
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
            interrupt::release(&self.aside);
        }
    }
}
