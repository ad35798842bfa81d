//! Places in the source.

use serde::{Deserialize, Serialize};

/// A place in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Name of the operation or function.
    pub region: String,
    /// The file; empty if unknown.
    pub file: String,
    /// Line in the file, from 1; 0 if unknown.
    pub line: u32,
}

impl Place {
    /// "upc_barrier at heat.upc:12", with the last part of the path.
    pub fn shown(&self) -> String {
        let file = self.file.rsplit('/').next().unwrap_or_default();
        match (file, self.line) {
            ("", _) => self.region.clone(),
            (file, 0) => format!("{} in {file}", self.region),
            (file, line) => format!("{} at {file}:{line}", self.region),
        }
    }
}
