//! Two results on the same trees, so that they can be compared value by value.
//!
//! Items with the same name in the same place are the same. Beyond that, a program that changed
//! between two runs keeps most of its call tree: lines shift (`sites`), files move and functions
//! get other names (`functions`, `renames`). Items that fit in two ways stay unmatched and are
//! reported in a note, since a wrong partner is worse than none.

mod call_paths;
mod files;
mod functions;
mod metrics;
mod pairs;
mod renames;
mod sites;
mod union;

pub(crate) use union::place;

use pgas_cube::model::{CallPathId, Cube};

use crate::sources::Sources;

/// Two cubes with the same metrics, regions, call paths and threads, in the same order: first those
/// of the later run in its own order, so that its indices stay valid, then what only the earlier
/// one has.
#[derive(Debug, Clone, PartialEq)]
pub struct Matched {
    /// The earlier run on the common trees.
    pub before: Cube,
    /// The later run on the common trees.
    pub after: Cube,
    /// By call path of the earlier run, as it came: its place in the common tree.
    pub before_call_paths: Vec<CallPathId>,
    /// Items that were matched although they changed, e.g. a renamed function, and items that have
    /// no partner; for a person.
    pub notes: Vec<String>,
}

/// A result to be matched, and its program's source text if that is known.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Severities of the run.
    pub cube: &'a Cube,
    /// Source text of the program, by which shifted lines are matched.
    pub sources: Option<&'a Sources>,
}

impl<'a> From<&'a Cube> for Side<'a> {
    fn from(cube: &'a Cube) -> Self {
        Side {
            cube,
            sources: None,
        }
    }
}

/// Differences that the matching permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tolerance {
    /// Nothing: repeated runs of one executable.
    Exact,
    /// Changes that come with work on a program.
    Edited,
}

/// Brings the results of a program before and after it was changed onto the same trees. Threads are
/// matched by their numbers; one that a run does not have has zeros there.
pub fn matched<'a>(before: impl Into<Side<'a>>, after: impl Into<Side<'a>>) -> Matched {
    matched_with(before, after, Tolerance::Edited)
}

/// The same, with a choice of what may differ.
pub fn matched_with<'a>(
    before: impl Into<Side<'a>>,
    after: impl Into<Side<'a>>,
    tolerance: Tolerance,
) -> Matched {
    let (before, after) = (before.into(), after.into());
    let mut notes = Vec::new();
    let partners = call_paths::partners(before, after, tolerance, &mut notes);
    let metrics = metrics::MetricUnion::of(before.cube, after.cube, &mut notes);
    union::unite(before.cube, after.cube, &partners, &metrics, notes)
}
