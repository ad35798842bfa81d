//! Output of a study: a page and charts. Nothing is written before all of it is there.

use crate::Error;
use pgas_files::NewFile;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Files by name, with their text.
#[derive(Debug, Default)]
pub struct Output {
    files: Vec<(String, String)>,
}

impl Output {
    pub fn add(&mut self, name: impl Into<String>, text: String) {
        self.files.push((name.into(), text));
    }

    /// Writes all files, each under a temporary name first.
    pub fn store(&self, directory: &Path) -> Result<Vec<PathBuf>, Error> {
        std::fs::create_dir_all(directory).map_err(|e| Error::file(directory, e))?;
        let mut staged = Vec::new();
        for (name, text) in &self.files {
            let path = directory.join(name);
            let failed = |error| Error::file(&path, error);
            let mut file = NewFile::beside(&path).map_err(failed)?;
            file.file().write_all(text.as_bytes()).map_err(failed)?;
            staged.push((file, path));
        }
        let mut written = Vec::new();
        for (file, path) in staged {
            file.finish().map_err(|e| Error::file(&path, e))?;
            written.push(path);
        }
        Ok(written)
    }
}

#[test]
fn files_are_there_under_their_names_alone() {
    let directory = tempfile::tempdir().unwrap();
    let mut output = Output::default();
    output.add("a.md", "text".into());
    output.add("a-b.svg", "<svg/>".into());
    let written = output.store(directory.path()).unwrap();
    assert_eq!(written.len(), 2);
    assert_eq!(std::fs::read_to_string(&written[0]).unwrap(), "text");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2);
}
