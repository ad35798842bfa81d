//! Lines that another process appends to a file, as they come.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file of which everything up to some place has been read.
#[derive(Debug)]
pub struct Growing {
    path: PathBuf,
    file: Option<File>,
    /// The beginning of a line whose end was not there yet.
    begun: Vec<u8>,
}

impl Growing {
    /// The file at `path`, which may not be there yet.
    pub fn new(path: &Path) -> Self {
        Growing {
            path: path.to_path_buf(),
            file: None,
            begun: Vec::new(),
        }
    }

    /// All lines that are complete now and were not before.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn lines(&mut self) -> io::Result<Vec<String>> {
        if self.file.is_none() {
            match File::open(&self.path) {
                Ok(file) => self.file = Some(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
                Err(error) => return Err(error),
            }
        }
        if let Some(file) = &mut self.file {
            file.read_to_end(&mut self.begun)?;
        }
        let complete = self.begun.iter().rposition(|&byte| byte == b'\n');
        let complete: Vec<u8> = match complete {
            Some(end) => self.begun.drain(..=end).collect(),
            None => return Ok(Vec::new()),
        };
        let text = String::from_utf8_lossy(&complete);
        Ok(text.lines().map(String::from).collect())
    }

    /// The last line, if its end never came.
    pub fn unfinished(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.begun);
        (!text.is_empty()).then(|| text.into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn lines_come_when_they_are_complete() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("records");
        let mut growing = Growing::new(&path);
        assert!(growing.lines().unwrap().is_empty());
        let mut file = File::create(&path).unwrap();
        file.write_all(b"one\ntw").unwrap();
        assert_eq!(growing.lines().unwrap(), ["one"]);
        assert!(growing.lines().unwrap().is_empty());
        file.write_all(b"o\nthree\nf").unwrap();
        assert_eq!(growing.lines().unwrap(), ["two", "three"]);
        assert_eq!(growing.unfinished().as_deref(), Some("f"));
    }
}
