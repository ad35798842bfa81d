//! The families of metrics: of the run, its threads, operations and locks.

use super::writer::{Family, Type, Writer};
use crate::locations::{self, BYTES, PARTNERS, SYSTEM};
use crate::metric::Metric;
use crate::objects::Object;
use crate::store::Store;
use crate::tasks as columns;
use crate::{locks, operations};
use pgas_monitor::tasks::number;
use pgas_monitor::{Level, TasksNow};

/// Defines families, each as `CONSTANT: type, name, unit, help`.
macro_rules! families {
    ($($constant:ident: $kind:ident, $name:literal, $unit:literal, $help:literal;)*) => {
        $(const $constant: Family = Family {
            name: $name,
            kind: Type::$kind,
            unit: $unit,
            help: $help,
        };)*
    };
}

families! {
    RUN: Info, "pgas_run", "", "The run.";
    PICTURES: Counter, "pgas_pictures", "", "Periods that were observed.";
    ELAPSED: Gauge, "pgas_elapsed_seconds", "seconds", "Time since the first thread began.";
    THREADS: Gauge, "pgas_threads", "", "Threads of the program.";
    SEEN: Gauge, "pgas_threads_seen", "", "Threads that are observed.";
    WAITING: Gauge, "pgas_threads_waiting", "", "Threads that wait now.";
    FINDINGS: Gauge, "pgas_findings", "", "Confirmed findings of the search.";
    RUN_EFFICIENCY: Gauge, "pgas_efficiency_ratio", "ratio",
        "Share of computing in the time of all threads in the last period.";
    EFFICIENCY: Gauge, "pgas_thread_efficiency_ratio", "ratio",
        "Share of computing in the thread's time in the last period.";
    SECONDS: Counter, "pgas_thread_seconds", "seconds",
        "Time of a thread by kind of activity, since observation began.";
    CALLS: Counter, "pgas_thread_calls", "", "Calls of operations by a thread.";
    MOVED: Counter, "pgas_thread_bytes", "bytes",
        "Bytes moved by a thread, by whose memory the data is in.";
    OWN_VALUE: Gauge, "pgas_program_metric", "", "A counter of the program's own.";
    OWN_TIME: Counter, "pgas_program_seconds", "seconds", "A timer of the program's own.";
    OPERATION_SECONDS: Counter, "pgas_operation_seconds", "seconds",
        "Time of all threads in an operation at a place, since observation began.";
    OPERATION_CALLS: Counter, "pgas_operation_calls", "", "Calls of an operation at a place.";
    OPERATION_BYTES: Counter, "pgas_operation_bytes", "bytes",
        "Bytes moved by an operation at a place.";
    LOCK_WAITING: Gauge, "pgas_lock_waiting", "", "Threads that wait for a lock now.";
    PROCESS_MEMORY: Gauge, "pgas_process_memory_bytes", "bytes",
        "Memory of a process of a program of tasks.";
    LOAD: Gauge, "pgas_processor_load_ratio", "ratio",
        "Share of the last period in which a processor ran tasks.";
    TASK_SECONDS: Counter, "pgas_task_seconds", "seconds",
        "Time of a task by kind of activity, since observation began.";
    TASK_LOAD: Gauge, "pgas_task_load_ratio", "ratio",
        "Share of the last period in which a task ran.";
    CHANNEL_MESSAGES: Counter, "pgas_channel_messages", "", "Messages that were sent or received.";
    CHANNEL_BYTES: Counter, "pgas_channel_bytes", "bytes", "Bytes that were sent or received.";
    CHANNEL_SECONDS: Counter, "pgas_channel_seconds", "seconds",
        "Time in sends or receives, waits included.";
    CHANNEL_QUEUED: Gauge, "pgas_channel_queued", "", "Messages in a channel now.";
    LOCK_LONGEST: Gauge, "pgas_lock_longest_seconds", "seconds",
        "Time for which the first of the threads has been waiting for a lock.";
}

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
    let metrics = store.metrics(Level::Thread).iter().enumerate();
    let times: Vec<Column> = metrics
        .filter_map(|(column, metric)| time(column, metric))
        .collect();
    let partners = (BYTES..).zip(PARTNERS);
    let bytes: Vec<Column> = partners
        .map(|(column, partner)| (column, vec![("partner", partner)]))
        .collect();
    let now = |object: &Object, column| object.values.get(column);
    let total = |object: &Object, column| object.totals.get(column);
    let efficiency = [(locations::EFFICIENCY, Vec::new())];
    of_threads(writer, &threads, &EFFICIENCY, &efficiency, now);
    of_threads(writer, &threads, &SECONDS, &times, total);
    of_threads(
        writer,
        &threads,
        &CALLS,
        &[(locations::CALLS, Vec::new())],
        total,
    );
    of_threads(writer, &threads, &MOVED, &bytes, total);
}

/// A column of a matrix, and labels of its samples beside those of the object.
type Column<'a> = (usize, Vec<(&'a str, &'a str)>);

/// A family with a sample for each thread and column.
fn of_threads(
    writer: &mut Writer,
    threads: &[Thread],
    family: &Family,
    columns: &[Column],
    value: fn(&Object, usize) -> f64,
) {
    writer.family(family);
    for thread in threads {
        for (column, labels) in columns {
            thread.sample(writer, family, labels, value(thread.object, *column));
        }
    }
}

/// Column, activity and kind of a time; of times that contain each other, only the parts.
fn time(column: usize, metric: &Metric) -> Option<Column<'_>> {
    let (activity, kind) = match (&*metric.name, metric.name.split_once('.')) {
        ("computing" | "recording" | "paused", _) => (&*metric.name, ""),
        (_, Some((activity @ ("waiting" | "communicating"), kind))) => (activity, kind),
        _ => return None,
    };
    Some((column, vec![("activity", activity), ("kind", kind)]))
}

/// Counters and timers of the program's own.
pub(super) fn own(writer: &mut Writer, store: &Store) {
    let threads = all_threads(store);
    let metrics = store.metrics(Level::Thread).iter().enumerate();
    let own = metrics.filter_map(|(column, metric)| {
        let name = metric.name.strip_prefix(locations::OWN)?;
        Some((column, vec![("name", name), ("unit", &*metric.unit)]))
    });
    // Not the rates, which Prometheus has from the values.
    let own = own.filter(|(_, labels)| !labels[1].1.ends_with("/s"));
    let (times, others): (Vec<Column>, Vec<Column>) =
        own.partition(|(_, labels)| labels[1].1 == "seconds");
    for (family, columns) in [(&OWN_VALUE, others), (&OWN_TIME, times)] {
        of_threads(writer, &threads, family, &columns, |object, column| {
            object.values.get(column)
        });
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

/// Tasks, channels, and the processors of a program of tasks.
pub(super) fn tasks(writer: &mut Writer, store: &Store) {
    let picture = store.latest.as_ref().map(|latest| &latest.picture);
    let Some(tasks) = picture.and_then(|picture| picture.tasks.as_ref()) else {
        return;
    };
    processors(writer, store, tasks);
    of_tasks(writer, store, tasks);
    of_channels(writer, store, tasks);
}

fn processors(writer: &mut Writer, store: &Store, tasks: &TasksNow) {
    writer.family(&LOAD);
    for one in &tasks.processors {
        let labels = [("thread", &*one.thread.to_string())];
        writer.sample(&LOAD, &labels, one.load.unwrap_or(f64::NAN));
    }
    let metrics = store.metrics(Level::Process);
    let memory = metrics.iter().position(|metric| metric.name == "memory");
    writer.family(&PROCESS_MEMORY);
    for (name, object) in store.objects.of_level(Level::Process) {
        let (node, process) = name.rsplit_once('/').unwrap_or((name, ""));
        let value = memory.map_or(f64::NAN, |column| object.values.get(column));
        let labels = [("process", process), ("node", node)];
        writer.sample(&PROCESS_MEMORY, &labels, value);
    }
}

fn of_tasks(writer: &mut Writer, store: &Store, tasks: &TasksNow) {
    writer.family(&TASK_LOAD);
    for task in &tasks.tasks {
        let labels = [
            ("task", &*number(task.task)),
            ("function", &task.place.region),
        ];
        writer.sample(&TASK_LOAD, &labels, task.load.unwrap_or(f64::NAN));
    }
    writer.family(&TASK_SECONDS);
    for task in &tasks.tasks {
        let number = number(task.task);
        let object = store.objects.get(Level::Task, &number);
        for (activity, column) in [
            ("computing", columns::COMPUTING),
            ("communicating", columns::COMMUNICATING),
        ] {
            let labels = [
                ("task", &*number),
                ("function", &task.place.region),
                ("activity", activity),
            ];
            let total = object.map_or(f64::NAN, |object| object.totals.get(column));
            writer.sample(&TASK_SECONDS, &labels, total);
        }
    }
}

fn of_channels(writer: &mut Writer, store: &Store, tasks: &TasksNow) {
    writer.family(&CHANNEL_QUEUED);
    for channel in &tasks.channels {
        let place = channel.place.shown();
        let labels = [("channel", &*number(channel.channel)), ("place", &place)];
        writer.sample(&CHANNEL_QUEUED, &labels, channel.queued as f64);
    }
    for (family, sent, received) in [
        (&CHANNEL_MESSAGES, columns::SENDS, columns::RECEIVES),
        (&CHANNEL_BYTES, columns::BYTES_SENT, columns::BYTES_RECEIVED),
        (
            &CHANNEL_SECONDS,
            columns::SEND_SECONDS,
            columns::RECEIVE_SECONDS,
        ),
    ] {
        writer.family(family);
        for channel in &tasks.channels {
            let number = number(channel.channel);
            let object = store.objects.get(Level::Channel, &number);
            let place = channel.place.shown();
            for (direction, column) in [("send", sent), ("receive", received)] {
                let labels = [
                    ("channel", &*number),
                    ("place", &place),
                    ("direction", direction),
                ];
                let total = object.map_or(f64::NAN, |object| object.totals.get(column));
                writer.sample(family, &labels, total);
            }
        }
    }
}
