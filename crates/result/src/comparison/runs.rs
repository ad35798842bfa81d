//! The runs of both sides on common trees: repeated runs of one side exactly, then both sides as
//! far as an edited program can be recognised.

use pgas_cube::model::{CallPathId, Cube};

use crate::matching::{Side, Tolerance, matched, matched_with, place};
use crate::model::summary::Summary;
use crate::sources::Sources;

/// A run that takes part in a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Name that the user knows it by, e.g. its directory.
    pub name: String,
    /// Severities of the run.
    pub cube: Cube,
    /// A file of severities alone has none.
    pub summary: Option<Summary>,
    /// Source text of the program, by which shifted lines are matched; absent if it was not kept.
    pub sources: Option<Sources>,
}

impl Run {
    /// Wall time in seconds: from the summary, else from the attribute that our files carry, else
    /// the longest time of a thread.
    pub fn wall_seconds(&self) -> f64 {
        let attribute = || {
            let text = self.cube.attributes.get("wall_seconds")?;
            text.parse().ok().filter(|s: &f64| s.is_finite())
        };
        let known = self.summary.as_ref().map(|s| s.wall_seconds);
        known.or_else(attribute).unwrap_or_else(|| {
            let time = self.cube.metric("time");
            let threads = time.map_or_else(Vec::new, |time| self.cube.per_thread(time));
            threads.into_iter().fold(0.0, f64::max)
        })
    }
}

/// A run's values on the common trees.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub cube: Cube,
    /// By call path of the run as it came: its place in the common tree.
    pub call_paths: Vec<CallPathId>,
    /// That the run has, which may be fewer than the common tree has.
    pub threads: usize,
}

/// All runs on the same trees.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Aligned {
    pub before: Vec<Placed>,
    pub after: Vec<Placed>,
    /// Call paths that the later runs have; they come first in the common tree.
    pub later: usize,
    pub notes: Vec<String>,
}

/// The common trees of one side's runs, and the place of each run's call paths in them.
struct United {
    cube: Cube,
    call_paths: Vec<Vec<CallPathId>>,
}

fn unite(runs: &[Run]) -> Option<United> {
    let (first, others) = runs.split_first()?;
    let mut united = United {
        cube: first.cube.clone(),
        call_paths: vec![(0..first.cube.call_paths.len()).map(CallPathId).collect()],
    };
    for run in others {
        let matched = matched_with(&run.cube, &united.cube, Tolerance::Exact);
        united.cube = matched.after;
        united.call_paths.push(matched.before_call_paths);
    }
    Some(united)
}

/// `None` if a side has no runs.
pub(super) fn align(before: &[Run], after: &[Run]) -> Option<Aligned> {
    let (earlier, later) = (unite(before)?, unite(after)?);
    let sources = |runs: &'_ [Run]| runs.iter().find_map(|run| run.sources.clone());
    let (before_sources, after_sources) = (sources(before), sources(after));
    let matched = matched(
        Side {
            cube: &earlier.cube,
            sources: before_sources.as_ref(),
        },
        Side {
            cube: &later.cube,
            sources: after_sources.as_ref(),
        },
    );
    let common = &matched.after;
    let placed = |run: &Run, call_paths: Vec<CallPathId>| Placed {
        cube: place(&run.cube, common, &call_paths),
        call_paths,
        threads: run.cube.threads.len(),
    };
    let of_before = before.iter().zip(earlier.call_paths).map(|(run, paths)| {
        let paths = paths.iter().map(|path| matched.before_call_paths[path.0]);
        placed(run, paths.collect())
    });
    let of_after = after.iter().zip(later.call_paths);
    Some(Aligned {
        before: of_before.collect(),
        after: of_after.map(|(run, paths)| placed(run, paths)).collect(),
        later: later.cube.call_paths.len(),
        notes: matched.notes,
    })
}
