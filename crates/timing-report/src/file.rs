//! Reads and writes result files.

use crate::results::{ReadError, Results, SCHEMA};
use crate::{check, json};
use serde::Deserialize;
use std::path::Path;

impl Results {
    /// Reads a file that [`Results::write`] has written.
    ///
    /// # Errors
    /// If it cannot be read or is something else.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let text = pgas_files::read_to_string(path).map_err(|error| ReadError::Unreadable {
            name: name.clone(),
            error,
        })?;
        Self::parse(&text, &name)
    }

    /// Parses the text of such a file; `name` is for messages.
    ///
    /// # Errors
    /// If it is something else.
    pub fn parse(text: &str, name: &str) -> Result<Self, ReadError> {
        #[derive(Deserialize)]
        struct Version {
            schema: u32,
        }
        let wrong = |problem: String| ReadError::Wrong {
            name: name.to_string(),
            problem,
        };
        let syntax = |error: serde_json::Error| wrong(error.to_string());
        let Version { schema } = serde_json::from_str(text).map_err(syntax)?;
        if schema != SCHEMA {
            return Err(ReadError::OtherVersion {
                name: name.to_string(),
                found: schema,
            });
        }
        let results: Results = serde_json::from_str(text).map_err(syntax)?;
        check::results(&results).map_err(|problem| wrong(problem.to_string()))?;
        Ok(results)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        pgas_files::replace_or_overwrite(path, json::write(self).as_bytes())
    }
}
