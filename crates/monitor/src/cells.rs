//! Values of the metrics of objects, each over the threads that belong to the object: what a node
//! answers if it is not asked for everything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::level::{Kind, Level};
use crate::picture::{MetricNow, Now, Times};
use crate::tasks;
use crate::thread::Seen;
use crate::wanted::Wanted;

/// Level, object and metric.
type Key = (Level, String, String);

/// Values that were asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    /// Seconds that values are of, at most: since the last picture.
    pub period: f64,
    all: BTreeMap<Key, Sum>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Sum {
    threads: u32,
    sum: f64,
    max: f64,
}

/// The value of a metric of an object.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell<'a> {
    /// The level of the object.
    pub level: Level,
    /// The object.
    pub object: &'a str,
    /// The metric.
    pub metric: &'a str,
    /// Threads that contribute.
    pub threads: u32,
    /// Sum over these.
    pub sum: f64,
    /// Mean over these.
    pub mean: f64,
    /// Largest value of one of them.
    pub max: f64,
}

impl Cells {
    /// Adds what threads contribute.
    pub fn add(&mut self, seen: Vec<Seen>, wanted: &Wanted) {
        for seen in seen.into_iter().map(Seen::complete) {
            let seconds = seen.period.as_ref().map_or(0.0, |period| period.seconds);
            self.add_thread(seen.now(), seconds, wanted);
        }
    }

    /// Adds the values of a thread, sampled over `seconds`.
    pub fn add_thread(&mut self, now: &Now, seconds: f64, wanted: &Wanted) {
        self.period = self.period.max(seconds);
        for level in wanted.levels() {
            contribute(now, level, &mut |object, metric, value| {
                if wanted.has_object(object) && wanted.has_metric(metric) {
                    self.add_value(level, object, metric, value);
                }
            });
        }
    }

    /// All values, by level, object and metric.
    pub fn iter(&self) -> impl Iterator<Item = Cell<'_>> {
        self.all.iter().map(|((level, object, metric), sum)| Cell {
            level: *level,
            object,
            metric,
            threads: sum.threads,
            sum: sum.sum,
            mean: sum.sum / f64::from(sum.threads),
            max: sum.max,
        })
    }

    fn add_value(&mut self, level: Level, object: &str, metric: &str, value: f64) {
        let key = (level, object.to_owned(), metric.to_owned());
        let nothing = Sum {
            threads: 0,
            sum: 0.0,
            max: f64::NEG_INFINITY,
        };
        let sum = self.all.entry(key).or_insert(nothing);
        sum.threads = sum.threads.saturating_add(1);
        sum.sum += value;
        sum.max = sum.max.max(value);
    }
}

/// Calls `add` with object, metric and value for everything that a thread contributes to a level.
fn contribute(now: &Now, level: Level, add: &mut dyn FnMut(&str, &str, f64)) {
    match level {
        Level::System => values(now, "system", add),
        Level::Node => values(now, &now.node, add),
        Level::Process => values(now, &now.process_name(), add),
        Level::Thread => values(now, &now.thread.to_string(), add),
        Level::Activity | Level::Kind | Level::Operation => operations(now, level, add),
        Level::Path => paths(now, add),
        Level::AllLocks | Level::Lock => locks(now, level, add),
        Level::AllTasks | Level::AllChannels => of_part(now, level, |_| "all".to_owned(), add),
        Level::NodeTasks | Level::NodeChannels => of_part(now, level, |_| now.node.clone(), add),
        Level::ProcessTasks | Level::ProcessChannels => {
            of_part(now, level, |_| now.process_name(), add);
        }
        Level::ThreadTasks | Level::ThreadChannels => {
            of_part(now, level, |_| now.thread.to_string(), add);
        }
        Level::Task | Level::Channel => of_part(now, level, tasks::number, add),
    }
}

fn values(now: &Now, object: &str, add: &mut dyn FnMut(&str, &str, f64)) {
    if let Some(times) = &now.times {
        add_times(times, &mut |metric, seconds| add(object, metric, seconds));
        add(object, "calls", now.calls);
        let bytes = &now.bytes;
        add(object, "bytes.own", bytes.own);
        add(object, "bytes.near", bytes.near);
        add(object, "bytes.far", bytes.far);
        add(object, "bytes.unknown", bytes.unknown);
    }
    for metric in &now.metrics {
        let name = metric.object_metric();
        add(object, &name, metric.value);
        if let Some(rate) = metric.rate {
            add(object, &format!("{name}.rate"), rate);
        }
    }
}

fn add_times(times: &Times, add: &mut dyn FnMut(&str, f64)) {
    add("computing", times.computing);
    for (activity, kinds) in [
        ("waiting", &times.waiting),
        ("communicating", &times.communicating),
    ] {
        add(activity, kinds.values().sum());
        for (kind, seconds) in kinds {
            add(&format!("{activity}.{kind}"), *seconds);
        }
    }
    add("recording", times.recording);
    add("paused", times.paused);
    add("estimated", times.estimated);
}

fn operations(now: &Now, level: Level, add: &mut dyn FnMut(&str, &str, f64)) {
    if level == Level::Activity {
        if let Some(times) = &now.times {
            add("computing", "seconds", times.computing);
        }
    }
    let mut objects: BTreeMap<String, [f64; 3]> = BTreeMap::new();
    for one in &now.operations {
        let object = match level {
            Level::Activity => one.activity.to_owned(),
            Level::Kind => one.kind_name(),
            _ => one.name(),
        };
        let sums = objects.entry(object).or_default();
        sums[0] += one.seconds;
        sums[1] += one.calls;
        sums[2] += one.bytes;
    }
    for (object, sums) in &objects {
        for (metric, sum) in ["seconds", "calls", "bytes"].into_iter().zip(sums) {
            add(object, metric, *sum);
        }
    }
}

fn paths(now: &Now, add: &mut dyn FnMut(&str, &str, f64)) {
    if now.activity == "ended" {
        return;
    }
    let waits = f64::from(u8::from(now.activity == "waiting"));
    for path in now.path_names() {
        add(&path, "threads", 1.0);
        add(&path, "waiting", waits);
    }
}

fn locks(now: &Now, level: Level, add: &mut dyn FnMut(&str, &str, f64)) {
    let name = |lock: u64| match level {
        Level::AllLocks => "all".to_owned(),
        _ => format!("{lock:#x}"),
    };
    if level == Level::Lock {
        for &held in &now.held {
            add(&name(held), "holder", f64::from(now.thread));
        }
    }
    if let Some(wanted) = now.wanted {
        add(&name(wanted), "waiting", 1.0);
        add(&name(wanted), "longest", now.seconds);
    }
}

/// Tasks or channels of a processor, each added to the object that `name` makes of its number.
fn of_part(
    now: &Now,
    level: Level,
    name: impl Fn(u64) -> String,
    add: &mut dyn FnMut(&str, &str, f64),
) {
    let Some(part) = &now.tasks else {
        return;
    };
    let mut sums: BTreeMap<(String, &'static str), f64> = BTreeMap::new();
    let mut sum = |number: u64, metric, value: f64| {
        *sums.entry((name(number), metric)).or_default() += value;
    };
    match level.kind() {
        Kind::Task => part.task_values(&mut sum),
        _ => part.port_values(&mut sum),
    }
    for ((object, metric), value) in sums {
        add(&object, metric, value);
    }
}

impl MetricNow {
    /// Its name among the metrics of objects.
    pub fn object_metric(&self) -> String {
        format!("metric.{}", self.name)
    }
}
