//! Objects that have been seen: their totals since the manager began, and their history.

use pgas_monitor::{Kind, Level};
use std::collections::BTreeMap;

use crate::bounds::most_objects;
use crate::forest::{Forest, Node};
use crate::history::{Axis, Point, Step, Track};
use crate::locations::{MAIN, OWN};
use crate::metric::{Metric, Values};
use crate::{locks, operations, paths, tasks};

/// Tracks that there may be; metrics of objects beyond those have no history. A track takes up to
/// 8 KiB.
pub(crate) const MOST_TRACKS: usize = 16_384;
/// Periods without a value after which a track is forgotten, if others need its place.
const FORGOTTEN: u32 = 600;

/// In order of precedence: the history of which metrics is kept.
const KEPT: [(Level, Kept); 17] = [
    (Level::System, Kept::All),
    (Level::Node, Kept::All),
    (Level::Activity, Kept::All),
    (Level::Kind, Kept::All),
    (Level::AllLocks, Kept::Main),
    (Level::AllTasks, Kept::All),
    (Level::AllChannels, Kept::All),
    (Level::ThreadTasks, Kept::Main),
    (Level::ThreadChannels, Kept::Main),
    (Level::Process, Kept::Main),
    (Level::Operation, Kept::Main),
    (Level::Thread, Kept::Main),
    (Level::Lock, Kept::Main),
    (Level::Task, Kept::Main),
    (Level::Channel, Kept::Main),
    (Level::Path, Kept::Main),
    (Level::Process, Kept::All),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    All,
    Main,
}

impl Kept {
    fn has(self, level: Level, column: usize, metric: &Metric) -> bool {
        let is_rate = metric.name.ends_with(".rate");
        let is_own = metric.name.starts_with(OWN) && !is_rate;
        match (self, level) {
            (Kept::All, _) => true,
            (_, Level::Operation) => column == operations::SECONDS,
            (_, Level::Path) => column == paths::THREADS,
            (_, level) if level.kind() == Kind::Task => column <= tasks::LOAD,
            (_, level) if level.kind() == Kind::Channel => column <= tasks::QUEUED,
            (_, Level::Lock | Level::AllLocks) => {
                [locks::WAITING, locks::LONGEST].contains(&column)
            }
            _ => column < MAIN || is_own,
        }
    }
}

/// An object.
#[derive(Debug, Default)]
pub(crate) struct Object {
    /// The object above.
    pub(crate) above: Option<String>,
    /// The last values.
    pub(crate) values: Values,
    /// Sums of values since the manager began.
    pub(crate) totals: Values,
    /// By column.
    tracks: BTreeMap<usize, Track>,
}

/// All objects, by level and name.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    levels: BTreeMap<Level, BTreeMap<String, Object>>,
    tracks: usize,
}

impl Objects {
    /// The objects of a level, by name.
    pub(crate) fn of_level(&self, level: Level) -> impl Iterator<Item = (&String, &Object)> {
        self.levels.get(&level).into_iter().flatten()
    }

    /// One object.
    pub(crate) fn get(&self, level: Level, name: &str) -> Option<&Object> {
        self.levels.get(&level)?.get(name)
    }

    /// Adds the objects of a period, whose values are of these metrics.
    pub(crate) fn add(&mut self, forest: &Forest, metrics: &[Metric]) {
        for node in forest.nodes() {
            let level = self.levels.entry(node.level).or_default();
            if level.len() >= most_objects(node.level) && !level.contains_key(&node.name) {
                continue;
            }
            let object = level.entry(node.name.clone()).or_default();
            object.above = node.above.map(|above| forest.nodes()[above].name.clone());
            object.add(node, metrics);
        }
    }

    /// Forgets the values of the last period; totals and history stay.
    pub(crate) fn begin(&mut self) {
        for object in self.levels.values_mut().flat_map(BTreeMap::values_mut) {
            object.values = Values::default();
        }
    }

    /// Adds the values of a period to the history. `metrics` has those of a level.
    pub(crate) fn keep<'a>(&mut self, step: &Step, metrics: impl Fn(Level) -> &'a [Metric]) {
        if self.tracks >= MOST_TRACKS {
            self.forget();
        }
        for (level, kept) in KEPT {
            for (column, metric) in metrics(level).iter().enumerate() {
                if kept.has(level, column, metric) {
                    self.begin_tracks(level, column);
                }
            }
        }
        for (level, objects) in &mut self.levels {
            let metrics = metrics(*level);
            for object in objects.values_mut() {
                object.keep(step, metrics);
            }
        }
    }

    /// Gives a track to each object of a level that has a value in this column.
    fn begin_tracks(&mut self, level: Level, column: usize) {
        for object in self
            .levels
            .get_mut(&level)
            .into_iter()
            .flat_map(BTreeMap::values_mut)
        {
            if self.tracks >= MOST_TRACKS {
                return;
            }
            let has_value = !object.values.get(column).is_nan();
            if has_value && !object.tracks.contains_key(&column) {
                object.tracks.insert(column, Track::default());
                self.tracks += 1;
            }
        }
    }

    fn forget(&mut self) {
        for object in self.levels.values_mut().flat_map(BTreeMap::values_mut) {
            let before = object.tracks.len();
            object.tracks.retain(|_, track| track.silent < FORGOTTEN);
            self.tracks -= before - object.tracks.len();
        }
    }
}

impl Object {
    fn add(&mut self, node: &Node, metrics: &[Metric]) {
        self.values = node.values.clone();
        for (column, metric) in metrics.iter().enumerate() {
            if metric.accumulates {
                self.totals.add(column, node.values.get(column));
            }
        }
    }

    fn keep(&mut self, step: &Step, metrics: &[Metric]) {
        for (&column, track) in &mut self.tracks {
            let value = self.values.get(column);
            let by_second = metrics[column].accumulates;
            track.add(
                if by_second {
                    value / step.period()
                } else {
                    value
                },
                step,
            );
        }
    }

    /// Columns that have a history.
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> {
        self.tracks.keys().copied()
    }

    /// The history in a column; empty if none is kept.
    pub(crate) fn points(&self, column: usize, axis: &Axis) -> Vec<Point> {
        let track = self.tracks.get(&column);
        track.map_or_else(Vec::new, |track| track.points(axis))
    }
}
