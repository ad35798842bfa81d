//! A series: a directory with several experiments of the same program, run one after the other in
//! the same way, so that it is known how much its times scatter. `series.json` says what was to be
//! run; each run is an ordinary experiment beside it, `repeat-01`, `repeat-02`, ...

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::experiment::{create_new, default_names};
use crate::metadata::Metadata;
use crate::names::METADATA_FILE;

/// Name of the description in a series' directory.
pub const SERIES_FILE: &str = "series.json";
/// Version of the layout of `series.json`.
pub const SCHEMA: u32 = 1;

const PREFIX: &str = "repeat-";

/// Content of `series.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// Version of the layout: [`SCHEMA`].
    pub schema: u32,
    /// As in each experiment.
    pub program: String,
    /// Command-line arguments of the program, without its name.
    pub arguments: Vec<String>,
    /// Threads of the program.
    pub threads: u32,
    /// How many runs were asked for; there are fewer if the series was interrupted.
    pub repeats: u32,
    /// Start of the first run, in nanoseconds since 1970-01-01 00:00 UTC.
    pub started_unix_ns: u64,
}

impl Series {
    /// A series of `repeats` runs with the program, arguments and threads of `run`.
    pub fn new(run: &Metadata, repeats: u32) -> Self {
        Series {
            schema: SCHEMA,
            program: run.program.clone(),
            arguments: run.arguments.clone(),
            threads: run.threads,
            repeats,
            started_unix_ns: run.started_unix_ns,
        }
    }

    /// Reads the description of the series in `directory`; `None` if that is none.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Metadata`] if the description is not what it should be.
    pub fn load(directory: &Path) -> Result<Option<Self>, Error> {
        let path = directory.join(SERIES_FILE);
        let text = match pgas_files::read(&path) {
            Ok(text) => text,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(Error::io(path, "read", error)),
        };
        let wrong = |line, column, found, expected| Error::Metadata {
            path: path.clone(),
            line,
            column,
            found,
            expected,
        };
        let series: Series = serde_json::from_slice(&text).map_err(|error| {
            let found = error.to_string();
            wrong(
                error.line(),
                error.column(),
                found,
                "the description of a series of runs",
            )
        })?;
        if series.schema != SCHEMA {
            let found = format!("schema {}", series.schema);
            return Err(wrong(
                1,
                1,
                found,
                "schema 1; use the pgastool that measured",
            ));
        }
        Ok(Some(series))
    }

    /// Creates the series' directory `path`, without runs.
    ///
    /// # Errors
    /// [`Error::AlreadyExists`] if anything of that name is there; [`Error::Io`].
    pub fn create(&self, path: &Path) -> Result<(), Error> {
        create_new(path)?;
        let file = path.join(SERIES_FILE);
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| Error::io(&file, "describe", io::Error::other(error)))?;
        text.push(b'\n');
        pgas_files::replace(&file, |out| out.write_all(&text)).map_err(|error| {
            // It would be in the way of the next attempt.
            let _ = fs::remove_dir(path);
            Error::io(file, "write", error)
        })
    }

    /// Creates it in `parent` under the name that an experiment of this run would have. Returns its
    /// path.
    ///
    /// # Errors
    /// As [`crate::experiment::create_default`].
    pub fn create_default(&self, parent: &Path, run: &Metadata) -> Result<PathBuf, Error> {
        for path in default_names(parent, run) {
            match self.create(&path) {
                Ok(()) => return Ok(path),
                Err(Error::AlreadyExists { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::AlreadyExists {
            path: parent.to_owned(),
        })
    }

    /// Directory of one run of the series in `directory`; the first has number 1.
    pub fn repeat(&self, directory: &Path, number: u32) -> PathBuf {
        let digits = self.repeats.to_string().len().max(2);
        directory.join(format!("{PREFIX}{number:0digits$}"))
    }

    /// Runs that there are, in their order.
    ///
    /// # Errors
    /// [`Error::Io`] if `directory` cannot be listed.
    pub fn experiments(directory: &Path) -> Result<Vec<PathBuf>, Error> {
        let listing =
            fs::read_dir(directory).map_err(|error| Error::io(directory, "list", error))?;
        let mut runs: Vec<(u32, PathBuf)> = Vec::new();
        for entry in listing {
            let entry = entry.map_err(|error| Error::io(directory, "list", error))?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
            let path = entry.path();
            if let Some(number) = number.and_then(|number| number.parse().ok()) {
                if path.join(METADATA_FILE).is_file() {
                    runs.push((number, path));
                }
            }
        }
        runs.sort();
        Ok(runs.into_iter().map(|(_, path)| path).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directory::newest;
    use crate::experiment::create;

    #[test]
    fn a_series_is_found_again_with_its_runs_in_order() {
        let parent = tempfile::tempdir().unwrap();
        let run = Metadata::new("./is", &["-c".to_owned()], 4);
        let series = Series::new(&run, 12);
        let directory = series.create_default(parent.path(), &run).unwrap();
        assert_eq!(Series::load(&directory).unwrap(), Some(series.clone()));
        for number in [10, 2, 1] {
            create(&series.repeat(&directory, number), &run).unwrap();
        }
        fs::create_dir(directory.join("repeat-x")).unwrap();
        fs::create_dir(series.repeat(&directory, 3)).unwrap();
        let names: Vec<_> = Series::experiments(&directory)
            .unwrap()
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["repeat-01", "repeat-02", "repeat-10"]);
        assert_eq!(newest(parent.path()).unwrap(), Some(directory.clone()));
        let again = series.create_default(parent.path(), &run).unwrap();
        assert_ne!(again, directory);
        assert!(matches!(
            series.create(&directory),
            Err(Error::AlreadyExists { .. })
        ));
    }

    #[test]
    fn what_is_no_series_is_told() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(Series::load(directory.path()).unwrap(), None);
        fs::write(directory.path().join(SERIES_FILE), "{\n  \"schema\": 9 }").unwrap();
        let message = Series::load(directory.path()).unwrap_err().to_string();
        assert!(message.contains("series.json: line 2"), "{message}");
    }
}
