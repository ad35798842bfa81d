//! CUBE 4 files (`.cubex`): a tar archive with the three trees as XML (`anchor.xml`) and, per
//! metric, an index of the call paths that have values (`N.index`) and these values (`N.data`).
//!
//! Values are 64-bit binary numbers, so that a file read back gives the same values bit for bit.
//! Text is escaped as in CUBE 3: control characters become visible pictures of themselves.

mod archive;
mod data;
mod positions;
mod read;
mod write;

pub use data::ByteOrder;
pub(crate) use read::read_anchor;
pub use read::{Cubex, parse_cubex, read_cubex};
pub use write::{CubexOptions, to_bytes, write_cubex};

pub use crate::xml::Limits;

/// Name of the archive's member with the trees.
const ANCHOR: &str = "anchor.xml";

/// Name, module, paradigm and role of the region of a root that was added so that all call paths
/// have one in common; they distinguish it from the program's own regions.
const ADDED_ROOT: [&str; 4] = ["PROGRAM", "pgastool", "unknown", "artificial"];
