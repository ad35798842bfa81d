//! Threads, processes, nodes and the system: where a program runs, and the metrics of these.

use std::collections::HashMap;

use pgas_monitor::{Level, MetricNow, Now, Picture, ProcessorNow, Times};

use crate::forest::Forest;
use crate::metric::{COMMUNICATING, COMPUTING, Columns, Metric, Rule, Values, WAITING};

pub(crate) const EFFICIENCY: usize = 0;
pub(crate) const CALLS: usize = 4;
/// Columns whose history is kept for every thread, beside the program's own metrics.
pub(crate) const MAIN: usize = 5;
/// The four columns of bytes, in the order of [`PARTNERS`].
pub(crate) const BYTES: usize = 5;
/// Columns that there are from the beginning.
pub(crate) const STANDARD: usize = 12;
/// By whose memory bytes are in.
pub(crate) const PARTNERS: [&str; 4] = ["own", "near", "far", "unknown"];
/// Name of the object of the level `system`.
pub(crate) const SYSTEM: &str = "system";
/// Begin of the names of the program's own metrics.
pub(crate) const OWN: &str = "metric.";

/// The standard columns.
pub(crate) fn columns() -> Columns {
    let seconds = |name: &str| Metric::of_period(name, "seconds");
    let efficiency = Metric::of_now("efficiency", "share", Rule::Efficiency);
    let activities = ["computing", "waiting", "communicating"].map(seconds);
    let bytes = PARTNERS.map(|partner| Metric::of_period(format!("bytes.{partner}"), "bytes"));
    let others = ["recording", "paused", "estimated"].map(seconds);
    let calls = Metric::of_period("calls", "count");
    let first = std::iter::once(efficiency).chain(activities);
    Columns::new(first.chain([calls]).chain(bytes).chain(others))
}

/// All locations of a picture.
pub(crate) fn forest(picture: &Picture, columns: &mut Columns) -> Forest {
    let mut forest = Forest::default();
    let system = forest.object(Level::System, SYSTEM, None);
    let processors = processors(picture);
    for now in &picture.now {
        let node = forest.object(Level::Node, &now.node, Some(system));
        let process = forest.object(Level::Process, &now.process_name(), Some(node));
        let name = now.thread.to_string();
        let thread = forest.object(Level::Thread, &name, Some(process));
        *forest.values(thread) = values(now, columns);
        if let Some(processor) = processors.get(&now.thread) {
            add_processor(&mut forest, processor, [thread, process], columns);
        }
    }
    forest.sum_up(columns.metrics());
    forest
}

/// Processors of a program of tasks, by thread.
fn processors(picture: &Picture) -> HashMap<u32, &ProcessorNow> {
    let all = picture.tasks.iter().flat_map(|tasks| &tasks.processors);
    all.map(|processor| (processor.thread, processor)).collect()
}

/// Load of a processor, and memory of its process.
fn add_processor(
    forest: &mut Forest,
    processor: &ProcessorNow,
    [thread, process]: [usize; 2],
    columns: &mut Columns,
) {
    let load = Metric::of_now("load", "share", Rule::Load);
    let memory = Metric::of_now("memory", "bytes", Rule::Sum);
    if let (Some(column), Some(load)) = (columns.number(load), processor.load) {
        forest.values(thread).set(column, load);
    }
    if let (Some(column), Some(memory)) = (columns.number(memory), processor.memory) {
        forest.values(process).set(column, memory as f64);
    }
}

fn values(now: &Now, columns: &mut Columns) -> Values {
    let mut values = Values::default();
    values.set(EFFICIENCY, now.efficiency.unwrap_or(f64::NAN));
    if let Some(times) = &now.times {
        add_times(&mut values, times, columns);
        values.set(CALLS, now.calls);
        let bytes = &now.bytes;
        let bytes = [bytes.own, bytes.near, bytes.far, bytes.unknown];
        for (column, bytes) in (BYTES..).zip(bytes) {
            values.set(column, bytes);
        }
    }
    for metric in &now.metrics {
        add_own(&mut values, metric, columns);
    }
    values
}

fn add_times(values: &mut Values, times: &Times, columns: &mut Columns) {
    let all = [
        (COMPUTING, times.computing),
        (WAITING, times.all_waiting()),
        (COMMUNICATING, times.all_communicating()),
        (STANDARD - 3, times.recording),
        (STANDARD - 2, times.paused),
        (STANDARD - 1, times.estimated),
    ];
    for (column, seconds) in all {
        values.set(column, seconds);
    }
    let waiting = times.waiting.iter().map(|kind| ("waiting", kind));
    let communicating = times.communicating.iter();
    let communicating = communicating.map(|kind| ("communicating", kind));
    for (activity, (kind, seconds)) in waiting.chain(communicating) {
        let metric = Metric::of_period(format!("{activity}.{kind}"), "seconds");
        if let Some(column) = columns.number(metric) {
            values.set(column, *seconds);
        }
    }
}

/// A metric of the program's own: its value, and its change by second.
fn add_own(values: &mut Values, metric: &MetricNow, columns: &mut Columns) {
    let name = metric.object_metric();
    let rate = Metric::of_now(
        format!("{name}.rate"),
        &format!("{}/s", metric.unit),
        Rule::Sum,
    );
    let value = Metric::of_now(name, metric.unit, Rule::Sum);
    if let Some(column) = columns.number(value) {
        values.set(column, metric.value);
    }
    if let (Some(rate), Some(column)) = (metric.rate, columns.number(rate)) {
        values.set(column, rate);
    }
}
