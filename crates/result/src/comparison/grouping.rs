//! Rows of a comparison: time by region, source line, call path or thread.

use std::collections::BTreeMap;

use serde::Serialize;

use pgas_cube::model::{CallPathId, Cube, MetricId};

use super::runs::{Placed, Run};

/// Kind of place that a row of the comparison stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A function or operation, wherever it is called.
    Region,
    /// A line of the source: what is called there, or the function that begins there.
    Line,
    /// A function or operation by the way that leads to it.
    CallPath,
    /// A thread, by its number.
    Thread,
}

/// Place that a row is about. Fields that do not apply are empty, 0 or absent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Default)]
pub struct Place {
    /// Function or operation; of a line those that have values there.
    pub region: String,
    /// Of the later run where it has this place.
    pub file: String,
    /// Line in `file`, from 1; 0 if unknown.
    pub line: u32,
    /// Regions from the root to this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Number in the common tree: that of the later run where it has the call path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_path: Option<usize>,
    /// Number of the thread; only of rows by thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
    /// File and line are those of the earlier run: the later one has nothing there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

/// Values of one place, by run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub place: Place,
    pub before: Vec<f64>,
    pub after: Vec<f64>,
}

/// Sums of a metric over threads, exclusive over call paths; by thread, over call paths. Rows of
/// zeros are left out.
pub(super) fn rows(
    before: &[Placed],
    after: &[Placed],
    lines: &EarlierLines,
    metric: MetricId,
    by: By,
) -> Vec<Row> {
    let Some(common) = after.first().map(|placed| &placed.cube) else {
        return Vec::new();
    };
    if by == By::Thread {
        return by_thread(before, after, metric, common);
    }
    let aggregation = common.aggregation(metric);
    // By number of the row: its places, and sums by run.
    let mut numbers: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    let mut rows: Vec<Row> = Vec::new();
    let number_of: Vec<usize> = (0..common.call_paths.len())
        .map(|index| {
            let next = numbers.len();
            let number = *numbers
                .entry(Key::of(common, lines, index, by))
                .or_insert(next);
            if number == rows.len() {
                rows.push(Row {
                    place: place(common, lines, index, by),
                    before: vec![0.0; before.len()],
                    after: vec![0.0; after.len()],
                });
            }
            number
        })
        .collect();
    let mut called_there: Vec<Vec<&str>> = vec![Vec::new(); rows.len()];
    for (index, &number) in number_of.iter().enumerate() {
        let sum = |placed: &Placed| -> f64 {
            let row = placed.cube.row(metric, CallPathId(index));
            let values = row.unwrap_or_default().iter();
            values.fold(0.0, |a, &b| aggregation.combine(a, b))
        };
        let mut any = false;
        let row = &mut rows[number];
        for (totals, runs) in [(&mut row.before, before), (&mut row.after, after)] {
            for (total, placed) in totals.iter_mut().zip(runs) {
                let sum = sum(placed);
                any |= sum != 0.0;
                *total = aggregation.combine(*total, sum);
            }
        }
        let region = common.regions[common.call_paths[index].region.0]
            .name
            .as_str();
        if any && by == By::Line && !called_there[number].contains(&region) {
            called_there[number].push(region);
        }
    }
    if by == By::Line {
        for (row, regions) in rows.iter_mut().zip(called_there) {
            row.place.region = regions.join(", ");
        }
    }
    rows.retain(|row| {
        row.before
            .iter()
            .chain(&row.after)
            .any(|&value| value != 0.0)
    });
    rows
}

/// Only threads that all runs have.
fn by_thread(before: &[Placed], after: &[Placed], metric: MetricId, common: &Cube) -> Vec<Row> {
    let values = |placed: &[Placed]| -> Vec<Vec<f64>> {
        let cubes = placed.iter().map(|placed| &placed.cube);
        cubes.map(|cube| cube.per_thread(metric)).collect()
    };
    let all = before.iter().chain(after).map(|placed| placed.threads);
    let (before, after) = (values(before), values(after));
    let threads = all.min().unwrap_or(0).min(common.threads.len());
    let of_thread = |runs: &[Vec<f64>], thread: usize| runs.iter().map(|r| r[thread]).collect();
    (0..threads)
        .map(|thread| Row {
            place: Place {
                thread: Some(thread),
                ..Place::default()
            },
            before: of_thread(&before, thread),
            after: of_thread(&after, thread),
        })
        .collect()
}

/// Where lines of the earlier runs are in the later ones. The same number of a line means another
/// line in a text that was edited, so what only the earlier runs have must not be put together with
/// what now stands at that number.
#[derive(Debug, Default)]
pub(super) struct EarlierLines {
    /// Call paths of the common tree from this one on are of the earlier runs alone.
    later: usize,
    /// By file and line of an earlier run: those of the later runs.
    moved: BTreeMap<(String, u32), (String, u32)>,
}

impl EarlierLines {
    /// `later` is the number of call paths that later runs have; they come first in the common
    /// tree.
    pub fn new(runs: &[Run], before: &[Placed], later: usize) -> Self {
        let mut moved = BTreeMap::new();
        for (run, placed) in runs.iter().zip(before) {
            for (path, place) in run.cube.call_paths.iter().zip(&placed.call_paths) {
                let now = &placed.cube.call_paths[place.0];
                if place.0 < later && path.line > 0 && now.line > 0 {
                    moved
                        .entry((path.file.clone(), path.line))
                        .or_insert_with(|| (now.file.clone(), now.line));
                }
            }
        }
        EarlierLines { later, moved }
    }

    /// File and line of a call path, and whether the later runs have no such line.
    fn place<'a>(&'a self, cube: &'a Cube, index: usize) -> (&'a str, u32, bool) {
        let path = &cube.call_paths[index];
        if index < self.later || path.line == 0 {
            return (&path.file, path.line, false);
        }
        match self.moved.get(&(path.file.clone(), path.line)) {
            Some((file, line)) => (file, *line, false),
            None => (&path.file, path.line, true),
        }
    }
}

/// Key that the call paths of one row have in common.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    Region(usize),
    /// File, line, whether that is in the earlier run's text only, and the region if the line is
    /// unknown.
    Line(&'a str, u32, bool, Option<usize>),
    CallPath(usize),
}

impl<'a> Key<'a> {
    fn of(cube: &'a Cube, lines: &'a EarlierLines, index: usize, by: By) -> Self {
        let path = &cube.call_paths[index];
        let (file, line, gone) = lines.place(cube, index);
        match by {
            By::Region | By::Thread => Key::Region(path.region.0),
            // Regions without a place in the source are distinguished by name.
            By::Line => {
                let region = (line == 0).then_some(path.region.0);
                Key::Line(file, line, gone, region)
            }
            By::CallPath => Key::CallPath(index),
        }
    }
}

fn place(cube: &Cube, lines: &EarlierLines, index: usize, by: By) -> Place {
    let path = &cube.call_paths[index];
    let region = &cube.regions[path.region.0];
    let of_path = by == By::CallPath;
    let (file, line, gone) = match by {
        By::Region => (region.module.as_str(), region.begin_line, false),
        _ => lines.place(cube, index),
    };
    Place {
        region: region.name.clone(),
        file: file.to_owned(),
        line,
        path: if of_path {
            names(cube, index)
        } else {
            Vec::new()
        },
        call_path: of_path.then_some(index),
        thread: None,
        gone,
    }
}

fn names(cube: &Cube, index: usize) -> Vec<String> {
    let parent = |id: &CallPathId| cube.call_paths[id.0].parent;
    let steps = std::iter::successors(Some(CallPathId(index)), parent);
    let region = |id: CallPathId| cube.regions[cube.call_paths[id.0].region.0].name.clone();
    let mut names: Vec<String> = steps.map(region).collect();
    names.reverse();
    names
}
