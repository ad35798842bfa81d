//! Reading and writing `analysis/sources.json`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{SourceFile, Sources};
use crate::seal::Seal;
use crate::{atomic, Error};

/// Version of the layout that this program writes and reads.
const SCHEMA: u32 = 1;
/// Texts are bounded when they are gathered; in JSON a byte can take six.
const MAX_BYTES: u64 = 1 << 30;
const ADVICE: &str = "run `pgastool analyze` again";

#[derive(Serialize)]
struct Written<'a> {
    schema: u32,
    files: &'a [SourceFile],
}

#[derive(Deserialize)]
struct Version {
    schema: u32,
}

impl Sources {
    /// Where the texts of the experiment in `directory` lie.
    pub fn path(directory: impl AsRef<Path>) -> PathBuf {
        directory.as_ref().join("analysis").join("sources.json")
    }

    /// Reads the texts of the experiment in `directory`; `None` if none were kept, as by earlier versions.
    ///
    /// # Errors
    /// [`Error::Malformed`] with line and byte for anything that is not such a file, [`Error::Changed`], [`Error::Inconsistent`] if
    /// it is of another run, [`Error::Limit`], [`Error::Io`].
    pub fn load(directory: impl AsRef<Path>) -> Result<Option<Sources>, Error> {
        let directory = directory.as_ref();
        let path = Self::path(directory);
        let size = match fs::metadata(&path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", &path)(error)),
        };
        if size > MAX_BYTES {
            return Err(Error::Limit {
                path,
                what: format!("{size} bytes"),
                limit: MAX_BYTES,
                advice: ADVICE,
            });
        }
        let bytes = pgas_files::read(&path).map_err(Error::io("read", &path))?;
        let malformed = |line: usize, column: usize, found: String| Error::Malformed {
            path: path.clone(),
            line: line as u64,
            offset: crate::summary_file::offset(&bytes, line, column),
            found,
            expected: format!("source texts of schema {SCHEMA}"),
            advice: ADVICE,
        };
        let of_json = |e: serde_json::Error| malformed(e.line(), e.column(), e.to_string());
        let Version { schema } = serde_json::from_slice(&bytes).map_err(of_json)?;
        if schema != SCHEMA {
            return Err(malformed(1, 1, format!("schema {schema}")));
        }
        let mut sources: Sources = serde_json::from_slice(&bytes).map_err(of_json)?;
        let seal = Seal::open(&bytes).ok_or_else(|| Error::Changed { path: path.clone() })?;
        if let Some(problem) = seal.contradiction(directory) {
            return Err(Error::Inconsistent {
                path,
                experiment: directory.to_owned(),
                problem,
            });
        }
        // Files are found by bisection.
        sources.files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Some(sources))
    }

    /// Writes the texts into the experiment in `directory`, replacing earlier ones.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn save(&self, directory: impl AsRef<Path>) -> Result<(), Error> {
        let directory = directory.as_ref();
        let path = Self::path(directory);
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let written = Written {
            schema: SCHEMA,
            files: &self.files,
        };
        let text = serde_json::to_string_pretty(&written).map_err(|e| Error::Unwritable {
            path: path.clone(),
            problem: e.to_string(),
        })?;
        let sealed = Seal::of_run(directory).close(&text);
        atomic::write(&path, |out| out.write_all(sealed.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SourceContent, SourceNote};
    use super::*;

    #[test]
    fn texts_survive_with_their_names_and_notes() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(Sources::load(&directory).unwrap(), None);
        let mut sources = Sources {
            files: vec![
                SourceFile::text("<script>\u{202e}\n", "</script>\0\r\n\"ä\u{1F600}"),
                SourceFile::text("a/../b.upc", ""),
            ],
        };
        sources.files[0].notes = vec![SourceNote::Changed, SourceNote::NotUtf8];
        sources.files[1].content = SourceContent::Missing("it is gone".into());
        sources.save(&directory).unwrap();
        assert_eq!(Sources::load(&directory).unwrap(), Some(sources));
    }

    #[test]
    fn another_file_is_refused_with_its_place() {
        let directory = tempfile::tempdir().unwrap();
        let path = Sources::path(&directory);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for (text, expected) in [
            ("{\"schema\": 2, \"files\": []}", "schema 2"),
            ("{\"schema\": 1,\n \"files\": 7}", ":2 "),
            ("", "EOF"),
        ] {
            fs::write(&path, text).unwrap();
            let told = Sources::load(&directory).unwrap_err().to_string();
            for part in ["sources.json", expected, "run `pgastool analyze` again"] {
                assert!(told.contains(part), "{told}");
            }
        }
    }

    #[test]
    fn what_a_later_version_adds_is_read_over() {
        let directory = tempfile::tempdir().unwrap();
        let path = Sources::path(&directory);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = r#"{"schema": 1, "new": 1, "files": [
            {"name": "b", "content": {"text": "x"}, "notes": ["folded"], "more": 1},
            {"name": "a", "content": {"missing": "gone"}}]}"#;
        fs::write(&path, text).unwrap();
        let sources = Sources::load(&directory).unwrap().unwrap();
        assert_eq!(sources.text("b"), Some("x"));
        assert_eq!(sources.file("b").unwrap().notes, [SourceNote::Other]);
        assert_eq!(sources.text("a"), None);
    }
}
