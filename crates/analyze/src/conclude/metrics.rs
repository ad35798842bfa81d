//! The metric tree. The ids are a contract with everything that reads results; a metric that was
//! not computed is not in the tree.

use pgas_cube::model::{Metric, MetricId, Unit};

use crate::detectors::wait_states::patterns::PATTERNS;

/// A metric that is not a pattern.
struct Definition {
    id: &'static str,
    display_name: &'static str,
    parent: Option<&'static str>,
    unit: Unit,
    description: &'static str,
}

const fn define(
    id: &'static str,
    display_name: &'static str,
    parent: Option<&'static str>,
    unit: Unit,
    description: &'static str,
) -> Definition {
    Definition {
        id,
        display_name,
        parent,
        unit,
        description,
    }
}

use Unit::{Bytes, Occurrences, Seconds};

/// A parent stands before its children.
#[rustfmt::skip]
const DEFINITIONS: &[Definition] = &[
    define("time", "Time", None, Seconds, "Total time, from a thread's first event to its last."),
    define("computation", "Computation", Some("time"), Seconds, "Time outside of the PGAS runtime: useful work."),
    define("pgas", "PGAS", Some("time"), Seconds, "Time in operations of the PGAS runtime."),
    define("one_sided", "One-sided", Some("pgas"), Seconds,
        "Time in puts, gets and block transfers of shared memory, which need no partner."),
    define("collective", "Collective", Some("pgas"), Seconds, "Time in collective operations that move or reduce data."),
    define("early_gather", "Early gather", Some("collective"), Seconds,
        "Waiting in a gather or reduce, by the root for the senders and by senders for the root."),
    define("synchronization", "Synchronization", Some("pgas"), Seconds, "Time in barriers, locks, waits for flags and fences."),
    define("barrier", "Barrier", Some("synchronization"), Seconds,
        "Time in barriers, also split into notify and wait, and in the end of the program, which is one."),
    define("lock", "Lock", Some("synchronization"), Seconds, "Time taking locks, trying to, and giving them back."),
    define("point_to_point", "Point to point", Some("synchronization"), Seconds,
        "Time waiting for flags, semaphores, events or some of the other threads, and announcing to them."),
    define("message", "Messages", Some("pgas"), Seconds,
        "Time sending and receiving messages that both sides have calls for; waiting for the other side is part of it."),
    define("fence", "Fence", Some("synchronization"), Seconds, "Time in fences."),
    define("allocation", "Allocation", Some("pgas"), Seconds, "Time allocating and freeing shared memory and locks."),
    define("io", "Input and output", Some("pgas"), Seconds, "Time in the runtime's own input and output."),
    define("no_core", "No core", Some("time"), Seconds,
        "Time in which a thread could have run but had no core: other threads or programs had it."),
    define("measurement", "Measurement", Some("time"), Seconds,
        "Time in which the program stood still because the measurement had to write a full buffer."),
    define("visits", "Visits", None, Occurrences, "How often a call path was entered."),
    define("bytes_put", "Bytes put", None, Bytes, "Bytes written to shared memory by one-sided operations."),
    define("bytes_put_local", "Bytes put, local", Some("bytes_put"), Bytes,
        "Bytes written to shared memory that has affinity to the writing thread."),
    define("bytes_put_remote", "Bytes put, remote", Some("bytes_put"), Bytes,
        "Bytes written to shared memory that has affinity to another thread."),
    define("bytes_get", "Bytes got", None, Bytes,
        "Bytes read from shared memory by one-sided operations; a upc_memcpy reads and writes."),
    define("bytes_get_local", "Bytes got, local", Some("bytes_get"), Bytes,
        "Bytes read from shared memory that has affinity to the reading thread."),
    define("bytes_get_remote", "Bytes got, remote", Some("bytes_get"), Bytes,
        "Bytes read from shared memory that has affinity to another thread."),
    define("imbalance", "Load imbalance", None, Seconds,
        "Longest minus mean computation time of a call path over threads: what a perfect balance would save. Charged to \
         the thread that has the longest (L. DeRose, B. Homer, D. Johnson, Detecting Application Load Imbalance on High \
         End Massively Parallel Systems, Euro-Par 2007)."),
    define("critical_path", "Critical path", None, Seconds,
        "Time on the chain of activities that decided how long the run took: from its end backwards, and wherever a thread \
         had waited for another, on with that one. Waiting is not on it. Only what is on it can shorten the run (D. Boehme \
         et al., Scalable Critical-Path Based Performance Analysis, IPDPS 2012)."),
    define("critical_path_imbalance", "Critical-path imbalance", Some("critical_path"), Seconds,
        "Time of a call path on the critical path beyond the mean of its time (without waiting) over threads: what a \
         perfect balance there could save."),
    define("delay", "Delay", None, Seconds,
        "Waiting of other threads by its root causes: charged to the thread that was late and to what it did longer than \
         those that waited for it (D. Boehme et al., Identifying the Root Causes of Wait States in Large-Scale Parallel \
         Applications, ICPP 2010)."),
    define("delay_short_term", "Delay, short-term", Some("delay"), Seconds,
        "Waiting for the thread itself."),
    define("delay_long_term", "Delay, long-term", Some("delay"), Seconds,
        "Waiting for other threads, which came late since they had waited for this one."),
];

/// Metrics that follow from wait states, or only group them.
const OF_WAIT_STATES: [&str; 6] = [
    "early_gather",
    "critical_path",
    "critical_path_imbalance",
    "delay",
    "delay_short_term",
    "delay_long_term",
];

/// All metrics that the analysis computes, patterns behind the others; a parent stands before its
/// children. Without events there are no wait states.
pub fn metrics(with_wait_states: bool) -> Vec<Metric> {
    let mut metrics: Vec<Metric> = Vec::with_capacity(DEFINITIONS.len() + PATTERNS.len());
    let basic = DEFINITIONS
        .iter()
        .filter(|d| with_wait_states || !OF_WAIT_STATES.contains(&d.id));
    let basic = basic.map(|d| {
        let names = (d.id, d.display_name, d.description);
        (names, d.parent, d.unit)
    });
    let patterns = PATTERNS.iter().filter(|_| with_wait_states);
    let patterns = patterns.map(|p| {
        let names = (p.id, p.display_name, p.description);
        (names, Some(p.parent), Unit::Seconds)
    });
    for ((id, display_name, description), parent, unit) in basic.chain(patterns) {
        let parent = parent.and_then(|parent| find(&metrics, parent));
        metrics.push(Metric {
            display_name: display_name.into(),
            unique_name: id.into(),
            unit,
            url: format!("@mirror@patterns.html#{id}"),
            description: description.into(),
            parent,
        });
    }
    metrics
}

/// Counters that count nanoseconds.
const CLOCKS: [&str; 2] = ["task-clock", "cpu-clock"];

/// Adds a metric for the counter of that name and returns its id, which is the name unless that is
/// taken.
pub fn add_counter(metrics: &mut Vec<Metric>, name: &str) -> String {
    let mut id = match name.trim() {
        "" => "counter".to_owned(),
        name => name.to_owned(),
    };
    while find(metrics, &id).is_some() {
        id = format!("counter-{id}");
    }
    metrics.push(Metric {
        display_name: id.clone(),
        unique_name: id.clone(),
        unit: if is_clock(name) { Seconds } else { Occurrences },
        url: String::new(),
        description: format!("Counter {name}, as the kernel counted it for this thread alone."),
        parent: None,
    });
    id
}

/// Value of one count of the counter of that name, in the unit of its metric.
pub fn counter_scale(name: &str) -> f64 {
    if is_clock(name) { 1e-9 } else { 1.0 }
}

/// A name may end with what is counted: ":u" of the program itself, ":k" of the kernel for it.
fn is_clock(name: &str) -> bool {
    let plain = name.split(':').next().unwrap_or(name);
    CLOCKS.contains(&plain)
}

/// The metric of that id.
pub fn find(metrics: &[Metric], id: &str) -> Option<MetricId> {
    let index = metrics.iter().position(|metric| metric.unique_name == id);
    index.map(MetricId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_parents_come_first() {
        let metrics = metrics(true);
        for (index, metric) in metrics.iter().enumerate() {
            assert_eq!(find(&metrics, &metric.unique_name), Some(MetricId(index)));
            assert!(metric.parent.is_none_or(|parent| parent.0 < index));
        }
        let roots: Vec<_> = metrics.iter().filter(|m| m.parent.is_none()).collect();
        let ids: Vec<_> = roots.iter().map(|m| m.unique_name.as_str()).collect();
        assert_eq!(
            ids,
            [
                "time",
                "visits",
                "bytes_put",
                "bytes_get",
                "imbalance",
                "critical_path",
                "delay"
            ]
        );
    }

    #[test]
    fn without_events_there_is_no_metric_of_waiting() {
        let ids: Vec<String> = metrics(false).into_iter().map(|m| m.unique_name).collect();
        assert!(ids.iter().any(|id| id == "barrier"));
        let patterns = PATTERNS.iter().map(|pattern| pattern.id);
        for of_waiting in patterns.chain(OF_WAIT_STATES) {
            assert!(!ids.iter().any(|id| id == of_waiting));
        }
    }

    #[test]
    fn counters_have_ids_of_their_own() {
        let mut metrics = metrics(true);
        for (name, id) in [
            ("cycles", "cycles"),
            ("time", "counter-time"),
            ("", "counter"),
            (" ", "counter-counter"),
        ] {
            assert_eq!(add_counter(&mut metrics, name), id);
        }
        assert_eq!(counter_scale("task-clock:u") * 2e9, 2.0);
    }
}
