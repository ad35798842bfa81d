//! Reading and writing `analysis/sources.json`.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{SourceFile, Sources};
use crate::Error;
use crate::files::{Layout, Seal};

/// Texts are bounded when they are gathered; in JSON a byte can take six.
const LAYOUT: Layout = Layout {
    content: "source texts",
    schema: 1,
    most_bytes: 1 << 30,
};

#[derive(Serialize)]
struct Written<'a> {
    schema: u32,
    files: &'a [SourceFile],
}

impl Sources {
    /// Where the texts of the experiment in `directory` lie.
    pub fn path(directory: impl AsRef<Path>) -> PathBuf {
        directory.as_ref().join("analysis").join("sources.json")
    }

    /// Reads the texts of the experiment in `directory`; `None` if none were kept, as by earlier
    /// versions.
    ///
    /// # Errors
    /// [`pgas_cube::Error::Malformed`] with line and byte for anything that is not such a file,
    /// [`Error::Changed`], [`Error::Inconsistent`] if it is of another run,
    /// [`pgas_cube::Error::Limit`], [`pgas_cube::Error::Io`].
    pub fn load(directory: impl AsRef<Path>) -> Result<Option<Sources>, Error> {
        let directory = directory.as_ref();
        let path = Self::path(directory);
        let (mut sources, seal): (Sources, Seal) = match LAYOUT.read(&path) {
            Err(Error::File(pgas_cube::Error::Io { source, .. }))
                if source.kind() == ErrorKind::NotFound =>
            {
                return Ok(None);
            }
            read => read?,
        };
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
    /// [`pgas_cube::Error::Io`].
    pub fn save(&self, directory: impl AsRef<Path>) -> Result<(), Error> {
        let directory = directory.as_ref();
        let path = Self::path(directory);
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let written = Written {
            schema: LAYOUT.schema,
            files: &self.files,
        };
        let text = serde_json::to_string_pretty(&written)
            .map_err(|problem| Error::unwritable(&path, problem.to_string()))?;
        let sealed = Seal::of_run(directory).close(&text);
        let written = pgas_files::replace(&path, |out| out.write_all(sealed.as_bytes()));
        written.map_err(Error::io("write", &path))
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
