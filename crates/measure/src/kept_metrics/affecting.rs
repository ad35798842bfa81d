//! Metrics whose changes can start or stop the timer of a definition: conditions are evaluated only
//! when one of these changes.

use std::sync::atomic::Ordering;

use pgas_live::Metric;
use pgas_live::metric::TIMER;
use pgas_metrics::{Definition, Measure};

/// See the module. Of one thread.
#[derive(Default)]
pub(super) struct Affecting {
    /// Metrics that conditions of times compare.
    names: Vec<String>,
    /// One of them changes without the program, as timers and metrics of definitions do: then each
    /// change of any metric is an occasion to look at it.
    changes_by_itself: bool,
    /// Sets of metrics, as bits by their number: those that were looked for in `names`, and those
    /// that were found.
    known: u64,
    compared: u64,
}

impl Affecting {
    /// For these definitions, on a thread that has these `metrics`.
    pub(super) fn new(definitions: &[Definition], metrics: &[Metric]) -> Self {
        let timed = definitions
            .iter()
            .filter(|one| matches!(one.measure, Measure::Time(_)));
        let conditions = timed.filter_map(|one| one.condition.as_ref());
        let names: Vec<String> = conditions
            .flat_map(|condition| condition.metrics())
            .map(str::to_owned)
            .collect();
        let is_kept = |name: &String| definitions.iter().any(|one| one.name == *name);
        let is_timer = |name: &String| {
            let mut timers = metrics.iter().filter(|metric| is_timer(metric));
            timers.any(|metric| metric.is_named(name))
        };
        Affecting {
            changes_by_itself: names.iter().any(|name| is_kept(name) || is_timer(name)),
            names,
            ..Affecting::default()
        }
    }

    /// Whether the change of this metric, which has this `number`, affects a definition.
    pub(super) fn affects(&mut self, number: usize, metric: &Metric) -> bool {
        if self.changes_by_itself || self.names.is_empty() {
            return self.changes_by_itself;
        }
        let bit = 1 << (number as u64 % u64::from(u64::BITS));
        if self.known & bit == 0 {
            self.look_up(bit, metric);
        }
        let is_compared = self.compared & bit != 0;
        // A counter may have become a timer just now.
        self.changes_by_itself = is_compared && is_timer(metric);
        is_compared
    }

    #[cold]
    fn look_up(&mut self, bit: u64, metric: &Metric) {
        self.known |= bit;
        if self.names.iter().any(|name| metric.is_named(name)) {
            self.compared |= bit;
        }
    }
}

fn is_timer(metric: &Metric) -> bool {
    metric.kind.load(Ordering::Relaxed) == TIMER
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_live::metric::COUNTER;
    use pgas_metrics::Definitions;
    use std::sync::atomic::{AtomicI64, AtomicU64};

    fn metric(kind: u64, name: &str) -> Metric {
        let metric = Metric {
            kind: AtomicU64::new(kind),
            value: AtomicU64::new(0),
            time: AtomicI64::new(0),
            name: Default::default(),
        };
        metric.begin(kind, name);
        metric
    }

    /// For these definitions, whether each of the changes affects one, in order. The thread has
    /// `metrics` before.
    fn affects(definitions: &[&str], metrics: &[Metric], changes: &[(usize, Metric)]) -> Vec<bool> {
        let mut all = Definitions::default();
        for text in definitions {
            all.add(text).unwrap();
        }
        let mut affecting = Affecting::new(&all.all, metrics);
        let changes = changes.iter();
        changes
            .map(|(number, metric)| affecting.affects(*number, metric))
            .collect()
    }

    fn counters() -> [(usize, Metric); 3] {
        [
            (0, metric(COUNTER, "phase")),
            (1, metric(COUNTER, "residual")),
            (0, metric(COUNTER, "phase")),
        ]
    }

    #[test]
    fn counters_affect_the_times_whose_conditions_compare_them() {
        let slow = "slow = time() if inside(solve) and not phase == 2";
        assert_eq!(affects(&[slow], &[], &counters()), [true, false, true]);
        // Calls are counted where they begin.
        let calls = "calls = count(upc_memget) if phase == 2";
        assert_eq!(affects(&[calls], &[], &counters()), [false; 3]);
        let inside = "t = time(solve) if inside(step)";
        assert_eq!(affects(&[inside], &[], &counters()), [false; 3]);
    }

    #[test]
    fn any_change_is_an_occasion_to_look_at_what_changes_by_itself() {
        let late = "late = time() if solving > 1s";
        let solving = [metric(TIMER, "solving")];
        assert_eq!(affects(&[late], &solving, &counters()), [true; 3]);
        let gets = ["gets = count(upc_memget)", "many = time() if gets > 100"];
        assert_eq!(affects(&gets, &[], &counters()), [true; 3]);
        // A timer that is new, and a counter to which one was attached.
        for (before, number) in [(COUNTER, 5), (TIMER, 7)] {
            let changes = [
                (1, metric(COUNTER, "residual")),
                (5, metric(before, "solving")),
                (number, metric(TIMER, "solving")),
                (1, metric(COUNTER, "residual")),
            ];
            assert_eq!(affects(&[late], &[], &changes), [false, true, true, true]);
        }
    }
}
