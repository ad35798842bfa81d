//! Checks that the figures of a result agree with each other: those of the summary with those of
//! the cube, parts with their whole, percentages with seconds.
//!
//! The cube is the reference. Its values are inclusive over metrics and exclusive over call paths;
//! so a finding at a call path is about time that was spent there, not in callees, by all threads
//! together.

mod findings;
mod locality;
mod references;
mod summary;
mod tasks;
mod trees;

use std::cell::RefCell;

use pgas_cube::model::{CallPathId, Cube, MetricId};

use crate::model::summary::Summary;

pub(crate) use references::{problem_of_summary, problem_of_timeline};

/// Relative difference of two figures below which they are the same: they were added up in
/// different orders, and those of files have a limited number of digits.
const ROUNDING: f64 = 1e-9;

/// Everything about a result that cannot be: one sentence each, in a fixed order.
///
/// | figure | must be |
/// |---|---|
/// | cost of a finding | no more than its metric, children included, at its call path |
/// | costs of findings that do not overlap | no more than their metric, children included, at their call path and in all |
/// | saving of a finding | between 0 and the length of the run |
/// | worst instance | no more than all instances |
/// | share in percent | that of the time of all threads |
/// | children of a metric | no more than their parent; those of `time` all of it |
/// | critical path | on each thread no more than its time; the metric of that name by call path |
/// | root causes | the metric `delay`; their effects no more than the waiting at that place |
/// | accesses | no more than the time in one-sided operations at their call path |
/// | operations by distance and by node | together those by thread whose owner is known |
/// | iterations | within the run; minimum, mean and maximum in that order |
/// | parts of a processor's time | together its run time |
/// | times of a task on its processor | no more than those of the processor |
/// | index, id of a metric | of something that exists |
pub fn violations(cube: &Cube, summary: &Summary) -> Vec<String> {
    let check = Check::new(cube, summary);
    if let Some(problem) = problem_of_summary(summary, cube) {
        check.note(problem);
    }
    check.trees();
    check.findings();
    check.instances();
    check.worst_instances();
    check.causes();
    check.accesses();
    check.locality();
    check.synchronization();
    check.recording();
    check.phases();
    check.tasks();
    check.problems.into_inner()
}

/// A check under way.
struct Check<'a> {
    cube: &'a Cube,
    summary: &'a Summary,
    /// Seconds of all threads.
    time: f64,
    /// Seconds by which figures may differ.
    slack: f64,
    problems: RefCell<Vec<String>>,
}

impl<'a> Check<'a> {
    fn new(cube: &'a Cube, summary: &'a Summary) -> Self {
        let time = cube.metric("time").map_or(0.0, |time| cube.total(time));
        Check {
            cube,
            summary,
            time,
            slack: ROUNDING * time.max(summary.wall_seconds),
            problems: RefCell::default(),
        }
    }

    fn note(&self, problem: String) {
        self.problems.borrow_mut().push(problem);
    }

    /// `part` is no more than `whole`; `what` says which figures these are.
    fn at_most(&self, part: f64, whole: f64, what: impl FnOnce() -> String) {
        // Also false for what is no number.
        if !(part <= whole + self.slack && part >= -self.slack) {
            self.note(format!("{}: {part} of {whole}", what()));
        }
    }

    fn equal(&self, a: f64, b: f64, what: impl FnOnce() -> String) {
        let is_equal = (a - b).abs() <= self.slack.max(ROUNDING * a.abs().max(b.abs()));
        if !is_equal {
            self.note(format!("{}: {a} and {b}", what()));
        }
    }

    fn must(&self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.note(what());
        }
    }

    /// Value at a call path, of all threads.
    fn at(&self, metric: MetricId, call_path: usize) -> f64 {
        let row = self.cube.row(metric, CallPathId(call_path));
        row.map_or(0.0, |row| row.iter().sum())
    }

    /// The same by id; 0 for a metric that is not there.
    fn at_id(&self, metric: &str, call_path: usize) -> f64 {
        self.cube
            .metric(metric)
            .map_or(0.0, |metric| self.at(metric, call_path))
    }

    /// Value of one thread at a call path.
    fn of_thread(&self, metric: &str, call_path: usize, thread: u32) -> f64 {
        let metric = self.cube.metric(metric);
        let row = metric.and_then(|metric| self.cube.row(metric, CallPathId(call_path)));
        row.and_then(|row| row.get(thread as usize).copied())
            .unwrap_or(0.0)
    }

    /// Share of the time of all threads, in percent.
    fn percent(&self, seconds: f64) -> f64 {
        match self.time > 0.0 {
            true => 100.0 * seconds / self.time,
            false => 0.0,
        }
    }

    /// Name of a call path's region, for messages.
    fn name(&self, call_path: usize) -> &'a str {
        let path = self.cube.call_paths.get(call_path);
        let region = path.and_then(|path| self.cube.regions.get(path.region.0));
        region.map_or("?", |region| &region.name)
    }
}
