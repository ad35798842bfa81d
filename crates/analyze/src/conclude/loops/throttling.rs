//! Finds from when on calls are missing in the events, since they were throttled, and which
//! quantities of iterations lack their time from then on.
//!
//! A thread throttles an operation after a call of it that is recorded; the next one is not. So the
//! end of the latest recorded call from the same line is when calls begin to be missing there, in
//! traces of any version. In the events the time of what is missing is its caller's: its own class
//! lacks it, and computation has it.

use pgas_earl::PathId;
use pgas_earl::SourceSite;
use rustc_hash::FxHashMap;

use crate::detectors::iterations::quantities::{self, IMBALANCE};
use crate::model::time_class::Class;
use crate::pipeline::search::Found;
use crate::threads::profile::ThreadProfile;

/// Throttled calls that take less than this share of what a quantity sums up in the run do not
/// change its course.
const NEGLIGIBLE: f64 = 0.01;

/// An operation at a line of the source whose calls are missing from some time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Missing {
    /// One of its call paths.
    pub path: PathId,
    pub class: Class,
    /// On the first thread on which they are, in ticks.
    pub since: u64,
    /// Estimated ticks of the missing calls of all threads.
    pub ticks: u64,
}

/// Operations with missing calls, the earliest first.
pub(crate) fn missing(found: &Found) -> Vec<Missing> {
    let paths = found.matcher.paths();
    let mut by_site: FxHashMap<SourceSite, Missing> = FxHashMap::default();
    for thread in &found.threads {
        for throttled in &thread.summed.throttled {
            let class = Class::of(paths.operation(throttled.path));
            let site = paths.node(throttled.path).site;
            let Some(site) = site.filter(|_| Class::THROTTLED.contains(&class)) else {
                continue;
            };
            let since = latest_call(thread, |path| paths.node(path).site == Some(site));
            let missing = by_site.entry(site).or_insert(Missing {
                path: throttled.path,
                class,
                since: u64::MAX,
                ticks: 0,
            });
            missing.since = missing.since.min(since);
            missing.path = missing.path.min(throttled.path);
            missing.ticks = missing.ticks.saturating_add(throttled.ticks);
        }
    }
    let mut all: Vec<Missing> = by_site.into_values().collect();
    all.sort_by_key(|missing| (missing.since, missing.path));
    all
}

/// When the latest call at one of these paths ended that is in the events; the thread's begin if
/// there is none.
fn latest_call(thread: &ThreadProfile, is_one: impl Fn(PathId) -> bool) -> u64 {
    let calls = thread.last_exits.iter().filter(|(path, _)| is_one(*path));
    let latest = calls.map(|&(_, time)| time).max();
    latest.unwrap_or_else(|| thread.span.map_or(0, |span| span.begin))
}

/// When a quantity stops being recorded in full, and since when what is missing.
#[derive(Debug)]
pub(crate) struct Ends {
    /// By quantity: the first operation whose absence counts.
    by_quantity: Vec<Option<Missing>>,
}

impl Ends {
    pub fn of(found: &Found) -> Self {
        let missing = missing(found);
        let mut ends = Ends {
            by_quantity: vec![None; quantities::count()],
        };
        if missing.is_empty() {
            return ends;
        }
        for class in Class::THROTTLED {
            let own = missing.iter().filter(|m| m.class == class).copied();
            ends.by_quantity[quantities::of_class(class)] =
                first_of(own.collect(), total(found, class));
        }
        let computation = first_of(missing, total(found, Class::Computation));
        ends.by_quantity[quantities::of_class(Class::Computation)] = computation;
        ends.by_quantity[IMBALANCE] = computation;
        ends
    }

    /// The operation without which a quantity is not known from some time on; `None` if it is known
    /// throughout.
    pub fn of_quantity(&self, quantity: usize) -> Option<Missing> {
        self.by_quantity[quantity]
    }
}

/// The earliest of those that are not negligible, neither alone nor together with others that take
/// less.
fn first_of(mut missing: Vec<Missing>, whole: u64) -> Option<Missing> {
    missing.sort_by_key(|missing| missing.ticks);
    let limit = NEGLIGIBLE * whole as f64;
    let mut sum = 0.0;
    missing.retain(|missing| {
        sum += missing.ticks as f64;
        sum > limit
    });
    missing.into_iter().min_by_key(|m| (m.since, m.path))
}

/// Ticks of all threads in a class, throttled calls included.
fn total(found: &Found, class: Class) -> u64 {
    let paths = found.matcher.paths();
    let ticks = |thread: &ThreadProfile| -> u64 {
        let own = thread.totals.iter().enumerate();
        own.filter(|(path, _)| Class::of(paths.operation(PathId(*path as u32))) == class)
            .fold(0, |sum, (_, totals)| sum.saturating_add(totals.ticks))
    };
    found.threads.iter().map(ticks).fold(0, u64::saturating_add)
}
