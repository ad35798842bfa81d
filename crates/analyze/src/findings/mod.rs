//! Findings: what costs time, where, why, and what to try, most expensive first.

mod costs;
mod waits;

use pgas_cube::model::CallPathId;
use pgas_cube::recording::WaitStates;
use pgas_cube::summary::Finding;
use pgas_earl::PathId;
use pgas_trace::model::Operation;

use crate::clock::Times;
use crate::paths::CallPaths;
use crate::recorded::{wait_states, EventCost};
use crate::remarks::all_ticks;
use crate::search::Found;

/// Share of the total time of all threads below which nothing is worth a word.
const LEAST_SHARE: f64 = 0.001;
/// Number of findings.
const AT_MOST: usize = 50;

/// What findings are made from.
struct Evidence<'a> {
    found: &'a Found,
    times: &'a Times,
    /// What the recorders of the threads measured about themselves.
    costs: &'a [Option<EventCost>],
    /// Place in the cube, by path.
    places: &'a [CallPathId],
    /// Ticks of all threads together.
    total: u64,
    /// How far waiting for others was told from the time in operations that wait.
    wait_states: WaitStates,
}

impl Evidence<'_> {
    fn paths(&self) -> &CallPaths {
        self.found.judge.paths()
    }

    fn all_paths(&self) -> impl Iterator<Item = PathId> {
        (0..self.paths().len()).map(|number| PathId(number as u32))
    }

    /// Whether the time of operations that wait for others is without all such waiting; in words.
    fn beyond_waiting(&self) -> &'static str {
        match self.wait_states {
            WaitStates::All => "beyond waiting for others",
            WaitStates::UntilTraceEnds => "beyond waiting for others where there is a trace",
            WaitStates::None => "waiting for others included",
        }
    }

    /// `advice` for time that is no waiting; without a trace, that is not known.
    fn unless_waiting(&self, advice: &str) -> String {
        match self.wait_states {
            WaitStates::None => {
                "Run without --profile to see how much of it is waiting, and for which thread."
            }
            _ => advice,
        }
        .into()
    }

    fn is_notable(&self, ticks: f64) -> bool {
        ticks > 0.0 && ticks >= LEAST_SHARE * self.total as f64
    }

    /// Name of the region at the end of a path; a barrier that is the end of the program is called that.
    fn region(&self, path: PathId) -> String {
        let parent = self.paths().node(path).parent;
        let ends = self.paths().operation(parent) == Some(Operation::CollectiveExit);
        let named = if ends { parent } else { path };
        let site = self.paths().site(named);
        site.map_or_else(|| "program".into(), |site| site.region_name().into())
    }

    /// A finding with everything that follows from its call path and cost (ticks); the rest is left empty.
    fn finding(&self, metric: &str, path: PathId, ticks: f64) -> Finding {
        let site = self.paths().site(path);
        let function = self.paths().function(path);
        Finding {
            metric: metric.into(),
            seconds: self.times.length(ticks),
            percent: 100.0 * ticks / (self.total.max(1) as f64),
            region: self.region(path),
            function: function.map_or_else(String::new, |site| site.region_name().into()),
            file: site.map_or_else(String::new, |site| site.file.clone()),
            line: site.map_or(0, |site| site.line),
            call_path: self.places[path.index()].0,
            culprit_thread: None,
            cause: String::new(),
            advice: String::new(),
            worst: None,
        }
    }
}

/// All findings.
pub fn findings(
    found: &Found,
    times: &Times,
    places: &[CallPathId],
    costs: &[Option<EventCost>],
) -> Vec<Finding> {
    let evidence = Evidence {
        found,
        times,
        costs,
        places,
        total: all_ticks(found),
        wait_states: wait_states(found),
    };
    let mut findings = waits::findings(&evidence);
    findings.extend(costs::findings(&evidence));
    findings.sort_by(|a, b| {
        let by_cost = b.seconds.total_cmp(&a.seconds);
        by_cost.then_with(|| (&a.metric, a.call_path).cmp(&(&b.metric, b.call_path)))
    });
    findings.truncate(AT_MOST);
    findings
}
