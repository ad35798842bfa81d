//! Places in the source.

use serde::Deserialize;

/// A place in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Place {
    /// Name of the operation or function.
    pub region: String,
    /// The file; empty if unknown.
    pub file: String,
    /// Line in the file, from 1; 0 if unknown.
    pub line: u32,
}
