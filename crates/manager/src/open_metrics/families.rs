//! The families of metrics: of the run, its threads, operations and locks.

use super::writer::{Family, Type, Writer};
use crate::locations::{self, BYTES, PARTNERS, SYSTEM};
use crate::metric::Metric;
use crate::objects::Object;
use crate::store::Store;
use crate::{locks, operations};
use pgas_monitor::Level;

const fn gauge(name: &'static str, unit: &'static str, help: &'static str) -> Family {
    Family {
        name,
        kind: Type::Gauge,
        unit,
        help,
    }
}

const fn counter(name: &'static str, unit: &'static str, help: &'static str) -> Family {
    Family {
        kind: Type::Counter,
        ..gauge(name, unit, help)
    }
}

const RUN: Family = Family {
    kind: Type::Info,
    ..gauge("pgas_run", "", "The run.")
};
const PICTURES: Family = counter("pgas_pictures", "", "Periods that were observed.");
const ELAPSED: Family = gauge(
    "pgas_elapsed_seconds",
    "seconds",
    "Time since the first thread began.",
);
const THREADS: Family = gauge("pgas_threads", "", "Threads of the program.");
const SEEN: Family = gauge("pgas_threads_seen", "", "Threads that are observed.");
const WAITING: Family = gauge("pgas_threads_waiting", "", "Threads that wait now.");
const FINDINGS: Family = gauge("pgas_findings", "", "Confirmed findings of the search.");
const RUN_EFFICIENCY: Family = gauge(
    "pgas_efficiency_ratio",
    "ratio",
    "Share of computing in the time of all threads in the last period.",
);
const EFFICIENCY: Family = gauge(
    "pgas_thread_efficiency_ratio",
    "ratio",
    "Share of computing in the thread's time in the last period.",
);
const SECONDS: Family = counter(
    "pgas_thread_seconds",
    "seconds",
    "Time of a thread by kind of activity, since observation began.",
);
const CALLS: Family = counter("pgas_thread_calls", "", "Calls of operations by a thread.");
const MOVED: Family = counter(
    "pgas_thread_bytes",
    "bytes",
    "Bytes moved by a thread, by whose memory the data is in.",
);
const OWN_VALUE: Family = gauge("pgas_program_metric", "", "A counter of the program's own.");
const OWN_TIME: Family = counter(
    "pgas_program_seconds",
    "seconds",
    "A timer of the program's own.",
);
const OPERATION_SECONDS: Family = counter(
    "pgas_operation_seconds",
    "seconds",
    "Time of all threads in an operation at a place, since observation began.",
);
const OPERATION_CALLS: Family = counter(
    "pgas_operation_calls",
    "",
    "Calls of an operation at a place.",
);
const OPERATION_BYTES: Family = counter(
    "pgas_operation_bytes",
    "bytes",
    "Bytes moved by an operation at a place.",
);
const LOCK_WAITING: Family = gauge("pgas_lock_waiting", "", "Threads that wait for a lock now.");
const LOCK_LONGEST: Family = gauge(
    "pgas_lock_longest_seconds",
    "seconds",
    "Time for which the first of the threads has been waiting for a lock.",
);

/// The run as a whole.
pub(super) fn run(writer: &mut Writer, store: &Store) {
    writer.single(&PICTURES, &[], store.pictures as f64);
    let Some(latest) = &store.latest else {
        return;
    };
    let picture = &latest.picture;
    let labels = [("run", &*picture.run), ("experiment", &picture.experiment)];
    writer.single(&RUN, &labels, 1.0);
    let system = store.objects.get(Level::System, SYSTEM);
    let efficiency = system.map(|system| system.values.get(locations::EFFICIENCY));
    for (family, value) in [
        (&ELAPSED, picture.elapsed),
        (&THREADS, f64::from(picture.threads)),
        (&SEEN, f64::from(picture.seen)),
        (&WAITING, f64::from(picture.waiting)),
        (&FINDINGS, latest.findings as f64),
        (&RUN_EFFICIENCY, efficiency.unwrap_or(f64::NAN)),
    ] {
        writer.single(family, &[], value);
    }
}

/// A thread with the labels that say which it is.
struct Thread<'a> {
    object: &'a Object,
    labels: [(&'a str, &'a str); 3],
}

impl Thread<'_> {
    fn sample(&self, writer: &mut Writer, family: &Family, more: &[(&str, &str)], value: f64) {
        let labels: Vec<_> = self.labels.iter().chain(more).copied().collect();
        writer.sample(family, &labels, value);
    }
}

fn all_threads(store: &Store) -> Vec<Thread<'_>> {
    let all = store.objects.of_level(Level::Thread);
    all.map(|(name, object)| {
        let process = object.above.as_deref().unwrap_or_default();
        let (node, process) = process.rsplit_once('/').unwrap_or((process, ""));
        Thread {
            object,
            labels: [("thread", name), ("process", process), ("node", node)],
        }
    })
    .collect()
}

/// What each thread did.
pub(super) fn threads(writer: &mut Writer, store: &Store) {
    let threads = all_threads(store);
    writer.family(&EFFICIENCY);
    for thread in &threads {
        let value = thread.object.values.get(locations::EFFICIENCY);
        thread.sample(writer, &EFFICIENCY, &[], value);
    }
    writer.family(&SECONDS);
    let metrics = store.metrics(Level::Thread).iter().enumerate();
    let times: Vec<_> = metrics
        .filter_map(|(column, metric)| time(column, metric))
        .collect();
    for thread in &threads {
        for &(column, activity, kind) in &times {
            let labels = [("activity", activity), ("kind", kind)];
            let seconds = thread.object.totals.get(column);
            thread.sample(writer, &SECONDS, &labels, seconds);
        }
    }
    writer.family(&CALLS);
    for thread in &threads {
        let calls = thread.object.totals.get(locations::CALLS);
        thread.sample(writer, &CALLS, &[], calls);
    }
    writer.family(&MOVED);
    for thread in &threads {
        for (column, partner) in (BYTES..).zip(PARTNERS) {
            let bytes = thread.object.totals.get(column);
            thread.sample(writer, &MOVED, &[("partner", partner)], bytes);
        }
    }
}

/// Column, activity and kind of times that do not contain each other.
fn time(column: usize, metric: &Metric) -> Option<(usize, &str, &str)> {
    match (&*metric.name, metric.name.split_once('.')) {
        ("computing" | "recording" | "paused", _) => Some((column, &metric.name, "")),
        (_, Some((activity @ ("waiting" | "communicating"), kind))) => {
            Some((column, activity, kind))
        }
        _ => None,
    }
}

/// Counters and timers of the program's own.
pub(super) fn own(writer: &mut Writer, store: &Store) {
    let threads = all_threads(store);
    for (family, is_time) in [(&OWN_VALUE, false), (&OWN_TIME, true)] {
        writer.family(family);
        for (column, metric) in store.metrics(Level::Thread).iter().enumerate() {
            let Some(name) = metric.name.strip_prefix(locations::OWN) else {
                continue;
            };
            if metric.unit.ends_with("/s") || (metric.unit == "seconds") != is_time {
                continue;
            }
            let labels = [("name", name), ("unit", &*metric.unit)];
            for thread in &threads {
                let value = thread.object.values.get(column);
                thread.sample(writer, family, &labels, value);
            }
        }
    }
}

/// What operations took.
pub(super) fn operations(writer: &mut Writer, store: &Store) {
    for (family, column) in [
        (&OPERATION_SECONDS, operations::SECONDS),
        (&OPERATION_CALLS, operations::CALLS),
        (&OPERATION_BYTES, operations::BYTES),
    ] {
        writer.family(family);
        for (name, object) in store.objects.of_level(Level::Operation) {
            let (activity, kind, place) = operations::parts(name).unwrap_or(("", "", name));
            let labels = [("activity", activity), ("kind", kind), ("place", place)];
            writer.sample(family, &labels, object.totals.get(column));
        }
    }
}

/// Locks that are held or wanted now.
pub(super) fn locks(writer: &mut Writer, store: &Store) {
    for (family, column) in [
        (&LOCK_WAITING, locks::WAITING),
        (&LOCK_LONGEST, locks::LONGEST),
    ] {
        writer.family(family);
        for (name, object) in store.objects.of_level(Level::Lock) {
            writer.sample(family, &[("lock", name)], object.values.get(column));
        }
    }
}
