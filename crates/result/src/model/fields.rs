//! Meaning of every field of a summary and of a timeline, so that one walk finds all numbers, and
//! all references to the cube.
//!
//! The tables at the end name each field of each struct: one that is missing there does not
//! compile.

use std::fmt::{self, Display};

use super::accesses::{
    Accesses, ArrayLayout, BlockTransfer, CostSource, DistributionPlace, FineGrained,
    LayoutMismatch, LayoutUse, Misplaced, MisplacedThread, OwnAffinity, Placement, ThreadOwn,
    ThreadRuns, ThreadShare, WrongSide,
};
use super::causes::{Causes, CriticalCallPath, CriticalPath, Effect, RootCause};
use super::clocks::{ClockSummary, ClockViolations, NodeClock};
use super::communication::{Communication, Flow, Pair};
use super::distribution::{Distribution, Spread};
use super::live::{LiveFinding, LivePlace};
use super::locality::{ByDistance, Locality, NodePair, Reach};
use super::machine::{MachineUse, OperationLength};
use super::phases::{
    Boundary, Loop, Mark, MarkReason, MetricSeries, Outlier, Recurring, Shape, Slowest, WarmUp,
};
use super::recording::{
    Baseline, Counted, PathCost, Recording, RecordingCost, Throttled, WaitStates,
};
use super::sampling::{
    CodePlace, Estimate, LibraryTime, OtherLines, PlaceTime, SampledAccesses, SampledFunction,
    SampledLine, SampledModule, SampledPath, SampledStack, SampledTime, Sampling, SamplingClock,
    ThreadAccesses, ThreadPart,
};
use super::summary::{
    Efficiency, Finding, FindingKind, InstanceStatistics, InstanceTimes, MemberTime, Summary,
    WaitTime, WorstInstance,
};
use super::synchronization::{Synchronization, SynchronizationAdvice};
use super::tasks::{ChannelLoad, MessageCost, ProcessorLoad, SendersCost, TaskLoad, Tasks};
use super::timeline::{Activity, Arrow, Bar, Place, Row, Timeline};
use super::withheld::{BlindSpot, Withheld};
use super::{synchronization, withheld};

/// A field that a reader relies on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'a> {
    /// Any figure that is not counted.
    Number(f64),
    /// Index of a call path in the cube.
    CallPath(usize),
    /// Index of a node in the cube.
    Node(usize),
    /// Number of a thread.
    Thread(u32),
    /// Distance from a thread to another one.
    Shift(u32),
    /// Number of threads, or of entries of a list with one for each thread.
    Threads(usize),
    /// Length of a list by thread that may end with the last thread that counts.
    FirstThreads(usize),
    /// Id of a metric of the cube.
    Metric(&'a str),
    /// Id of a metric of the cube, or "duration".
    Series(&'a str),
    /// Index of a finding of the same summary.
    Finding(usize),
    /// Index of a place of the same timeline.
    Place(usize),
    /// Number of a thread with a row in the same timeline.
    Row(u32),
}

/// The first field in which `judge` finds a problem, and that problem: "findings[0].call_path" and
/// what `judge` says of it.
pub(crate) fn first_problem<'a>(
    root: &'a dyn Fields,
    mut judge: impl FnMut(Value<'a>) -> Option<String>,
) -> Option<String> {
    let mut walk = Walk {
        judge: &mut judge,
        steps: Vec::new(),
        problem: None,
    };
    root.walk(&mut walk);
    walk.problem
}

/// A walk over all fields, and where it is.
pub(crate) struct Walk<'j, 'a> {
    judge: &'j mut dyn FnMut(Value<'a>) -> Option<String>,
    steps: Vec<Step>,
    problem: Option<String>,
}

#[derive(Clone, Copy)]
enum Step {
    Field(&'static str),
    Index(usize),
}

impl Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Field(name) => write!(out, ".{name}"),
            Step::Index(index) => write!(out, "[{index}]"),
        }
    }
}

impl<'a> Walk<'_, 'a> {
    fn at(&mut self, step: Step, go_on: impl FnOnce(&mut Self)) {
        self.steps.push(step);
        go_on(self);
        self.steps.pop();
    }

    fn see(&mut self, value: Value<'a>) {
        if self.problem.is_none() {
            if let Some(problem) = (self.judge)(value) {
                let place: String = self.steps.iter().map(Step::to_string).collect();
                self.problem = Some(format!("{} {problem}", place.trim_start_matches('.')));
            }
        }
    }

    fn see_all<T: 'a>(&mut self, values: &'a impl Each<T>, make: impl Fn(&'a T) -> Value<'a>) {
        values.each(|index, value| match index {
            None => self.see(make(value)),
            Some(index) => self.at(Step::Index(index), |walk| walk.see(make(value))),
        });
    }
}

/// One value, one that may be missing, or a list.
trait Each<T> {
    fn each<'a>(&'a self, see: impl FnMut(Option<usize>, &'a T))
    where
        T: 'a;
}

impl<T> Each<T> for T {
    fn each<'a>(&'a self, mut see: impl FnMut(Option<usize>, &'a T)) {
        see(None, self);
    }
}

impl<T> Each<T> for Option<T> {
    fn each<'a>(&'a self, mut see: impl FnMut(Option<usize>, &'a T)) {
        self.iter().for_each(|value| see(None, value));
    }
}

impl<T> Each<T> for Vec<T> {
    fn each<'a>(&'a self, mut see: impl FnMut(Option<usize>, &'a T)) {
        let values = self.iter().enumerate();
        values.for_each(|(index, value)| see(Some(index), value));
    }
}

/// A struct all of whose fields are walked over.
pub(crate) trait Fields {
    fn walk<'a>(&'a self, walk: &mut Walk<'_, 'a>);
}

impl<T: Fields> Fields for Option<T> {
    fn walk<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        self.iter().for_each(|inner| inner.walk(walk));
    }
}

impl<T: Fields> Fields for Vec<T> {
    fn walk<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
        for (index, inner) in self.iter().enumerate() {
            walk.at(Step::Index(index), |walk| inner.walk(walk));
        }
    }
}

/// A type of fields that can be right in themselves. `f64` and `usize` are none: figures must be
/// numbers, and an index leads somewhere.
trait Free {}

impl<T: Free> Free for Option<T> {}
impl<T: Free> Free for Vec<T> {}

macro_rules! free {
    ($($type:ty),+ $(,)?) => { $(impl Free for $type {})+ };
}

#[rustfmt::skip]
free!(
    bool, u16, u32, u64, String, Activity, Boundary, CostSource, FindingKind, LayoutUse, MarkReason, Shape, WaitStates,
    CodePlace, SampledModule, SamplingClock,
    synchronization::AdviceKind, withheld::AdviceKind, withheld::BlindSpotKind,
);

/// Action of a walk on a field of each kind; the tables refer to kinds by these names.
mod kinds {
    use super::{Each, Fields, Free, Value, Walk};

    /// A text, a choice, a count or a line: right in itself.
    pub(super) fn free<'a, T: Free>(_: &mut Walk<'_, 'a>, _: &'a T) {}

    pub(super) fn inner<'a>(walk: &mut Walk<'_, 'a>, field: &'a impl Fields) {
        field.walk(walk);
    }

    pub(super) fn number<'a>(walk: &mut Walk<'_, 'a>, field: &'a impl Each<f64>) {
        walk.see_all(field, |&number| Value::Number(number));
    }

    pub(super) fn interval<'a>(walk: &mut Walk<'_, 'a>, field: &'a Option<(f64, f64)>) {
        let numbers = field.iter().flat_map(|&(low, high)| [low, high]);
        numbers.for_each(|number| walk.see(Value::Number(number)));
    }

    /// Begin and end of several times.
    pub(super) fn spans<'a>(walk: &mut Walk<'_, 'a>, field: &'a [(f64, f64)]) {
        let numbers = field.iter().flat_map(|&(begin, end)| [begin, end]);
        numbers.for_each(|number| walk.see(Value::Number(number)));
    }

    pub(super) fn call_path<'a>(walk: &mut Walk<'_, 'a>, field: &'a impl Each<usize>) {
        walk.see_all(field, |&index| Value::CallPath(index));
    }

    pub(super) fn node<'a>(walk: &mut Walk<'_, 'a>, field: &'a usize) {
        walk.see(Value::Node(*field));
    }

    pub(super) fn finding<'a>(walk: &mut Walk<'_, 'a>, field: &'a impl Each<usize>) {
        walk.see_all(field, |&index| Value::Finding(index));
    }

    pub(super) fn place<'a>(walk: &mut Walk<'_, 'a>, field: &'a usize) {
        walk.see(Value::Place(*field));
    }

    pub(super) fn thread<'a>(walk: &mut Walk<'_, 'a>, field: &'a impl Each<u32>) {
        walk.see_all(field, |&thread| Value::Thread(thread));
    }

    pub(super) fn row<'a>(walk: &mut Walk<'_, 'a>, field: &'a u32) {
        walk.see(Value::Row(*field));
    }

    pub(super) fn shift<'a>(walk: &mut Walk<'_, 'a>, field: &'a impl Each<u32>) {
        walk.see_all(field, |&distance| Value::Shift(distance));
    }

    pub(super) fn threads<'a>(walk: &mut Walk<'_, 'a>, field: &'a u32) {
        walk.see(Value::Threads(*field as usize));
    }

    /// One entry for each thread.
    pub(super) fn by_thread<'a, T: Fields>(walk: &mut Walk<'_, 'a>, field: &'a Vec<T>) {
        walk.see(Value::Threads(field.len()));
        field.walk(walk);
    }

    /// Entries for threads up to the last one that counts.
    pub(super) fn by_first_threads<'a, T>(walk: &mut Walk<'_, 'a>, field: &'a [T]) {
        walk.see(Value::FirstThreads(field.len()));
    }

    pub(super) fn seconds_by_thread<'a>(walk: &mut Walk<'_, 'a>, field: &'a Vec<f64>) {
        walk.see(Value::Threads(field.len()));
        number(walk, field);
    }

    pub(super) fn metric<'a>(walk: &mut Walk<'_, 'a>, field: &'a impl Each<String>) {
        walk.see_all(field, |id| Value::Metric(id));
    }

    pub(super) fn series<'a>(walk: &mut Walk<'_, 'a>, field: &'a str) {
        walk.see(Value::Series(field));
    }
}

/// A table: for each struct, the kinds and names of its fields.
macro_rules! fields {
    ($($type:ident { $($kind:ident: $($field:ident),+;)* })*) => {$(
        impl Fields for $type {
            fn walk<'a>(&'a self, walk: &mut Walk<'_, 'a>) {
                // Without `..`, so that no field is forgotten.
                let Self { $($($field),+),* } = self;
                $($(walk.at(Step::Field(stringify!($field)), |walk| kinds::$kind(walk, $field));)+)*
            }
        }
    )*};
}

fields! {
    Summary {
        free: schema, program, arguments, models, remarks;
        threads: threads;
        number: wall_seconds;
        inner: efficiency, findings, instances, recording, clocks, causes, synchronization, communication, accesses, phases,
            withheld, worst_instances, sampling, machine, tasks, live_findings;
    }
    LiveFinding {
        free: key, text, kind, task, pattern, evidence, meanwhile;
        thread: thread;
        number: share, known_after_seconds, gone_after_seconds;
        inner: place;
    }
    LivePlace { free: region, file, line; }
    Efficiency { number: load_balance, communication_efficiency, parallel_efficiency; }
    Finding {
        free: kind, region, function, file, line, cause, advice;
        metric: metric;
        call_path: call_path;
        thread: culprit_thread;
        number: seconds, percent, saves_seconds;
        inner: worst;
        finding: overlaps;
    }
    InstanceStatistics {
        free: instances;
        metric: metric;
        call_path: call_path;
        by_first_threads: last_counts;
        inner: worst, spread;
    }
    WorstInstance {
        free: number;
        thread: last_thread, longest_thread;
        number: at_seconds, seconds, longest_seconds;
    }
    InstanceTimes {
        metric: metric;
        call_path: call_path;
        thread: last_thread;
        inner: members, waits;
    }
    MemberTime { thread: thread; number: begin_seconds, end_seconds; }
    WaitTime { thread: thread, against; number: begin_seconds, end_seconds; spans: parts; }
    Spread { inner: instances, threads, until_last_exit; }
    Distribution {
        free: count;
        number: minimum, lower_quartile, median, upper_quartile, percentile_95, maximum, mean;
    }

    Sampling {
        free: clock, samples, lost, within_recorder, elsewhere, modules;
        number: period_seconds, missing_seconds;
        inner: call_paths, lines, other_lines, places, libraries, accesses, functions, stacks;
    }
    SampledPath { free: samples; call_path: call_path; number: seconds, sampled_seconds, missing_seconds; }
    SampledTime { free: samples; inner: estimate; }
    Estimate { number: seconds, low_seconds, high_seconds; }
    SampledLine { free: place, module, called_at; call_path: call_path; inner: time; }
    OtherLines { free: lines, samples; number: seconds; }
    PlaceTime { free: file, line; inner: time; }
    LibraryTime { free: function, module, called_at; call_path: call_path; inner: time; }
    SampledAccesses {
        free: file, line, accesses, reads, bytes, remote_accesses, remote_bytes;
        call_path: call_path;
        by_thread: by_thread;
        inner: time;
    }
    ThreadAccesses { free: accesses, remote_accesses; number: seconds; }
    SampledStack { free: frames; call_path: call_path; inner: threads; }
    ThreadPart { thread: thread; number: seconds; }
    SampledFunction { free: function, file, line, calls; inner: inclusive, exclusive; }

    MachineUse { free: measured, host, is_of_run; inner: operations; }
    OperationLength {
        free: calls, is_slow, is_of_one_thread;
        call_path: call_path;
        number: median_seconds, expected_seconds;
    }

    Causes { inner: critical_path, root_causes; }
    CriticalPath {
        free: changes;
        number: seconds;
        seconds_by_thread: by_thread;
        inner: call_paths;
    }
    CriticalCallPath { call_path: call_path; number: seconds, imbalance_seconds; }
    RootCause {
        call_path: call_path;
        thread: thread;
        number: short_term_seconds, long_term_seconds;
        inner: effects;
    }
    Effect { metric: metric; call_path: call_path; number: seconds; }

    Tasks {
        free: omitted_tasks, omitted_channels;
        number: efficiency, speedup, one_processor_seconds;
        by_thread: processors;
        inner: tasks, channels, message_cost;
    }
    ProcessorLoad {
        free: tasks;
        thread: thread;
        number: computing, communicating, idle, rest, run_time;
    }
    TaskLoad {
        free: task, name, file, line, parent;
        thread: processor;
        number: computing, communicating, waiting_input, blocked_in_send, waiting_processor, begin, end, critical;
    }
    ChannelLoad {
        free: channel, file, line, capacity, senders, receiver, messages, bytes, max_queued;
        number: mean_queued, send_wait, receive_wait;
    }
    MessageCost { number: ts, tw; interval: ts_interval, tw_interval; inner: by_senders; }
    SendersCost { free: senders, messages; number: send_seconds, receive_seconds; }

    Synchronization { free: note; inner: advice; }
    SynchronizationAdvice {
        free: kind, instances, flag, enough;
        call_path: call_path, barrier;
        number: seconds, saves_seconds;
    }
    Withheld { free: advice, command; inner: reasons; }
    BlindSpot { free: kind, text; }

    Communication { free: complete; inner: pairs, unknown, locality; by_thread: by_thread, by_owner; }
    Pair { thread: thread, owner; inner: flow; }
    Flow {
        free: operations, gets, get_bytes, puts, put_bytes, either_bytes;
        number: seconds;
    }

    Locality { free: complete, own_recorded; inner: all, node_pairs; by_thread: by_thread; }
    ByDistance { inner: own, same_node, other_node; }
    Reach { free: operations, timed_operations, bytes; number: seconds; }
    NodePair { node: node, owner_node; inner: reach; }

    Accesses { inner: fine_grained, own_affinity, wrong_side, layout, distributions, placement; }
    Placement { call_path: call_path; inner: threads; }
    MisplacedThread {
        free: bytes;
        thread: thread, swap_with;
        node: node, partner_node;
        number: percent, seconds;
    }
    FineGrained {
        free: longest, assumed, stride;
        call_path: call_path;
        inner: threads, block;
    }
    BlockTransfer { free: source; number: latency_seconds, bytes_per_second; }
    ThreadRuns {
        free: runs, accesses, bytes;
        thread: thread;
        number: seconds, saves_seconds;
    }
    OwnAffinity { call_path: call_path; inner: threads; }
    ThreadOwn {
        free: accesses, bytes;
        thread: thread;
        number: seconds, saves_seconds;
    }
    WrongSide {
        free: own_recorded;
        call_path: call_path;
        shift: shift;
        inner: data;
    }
    Misplaced {
        free: accesses, bytes;
        thread: owner, thread;
        number: percent, seconds;
    }
    LayoutMismatch { free: used; call_path: call_path; inner: threads; }
    ThreadShare { free: accesses; thread: thread; number: seconds; }
    ArrayLayout {
        free: name, file, line, elements, element_bytes, block, better_block, one_block_each, samples, own_recorded,
            loops_follow;
        number: local_percent, low_percent, high_percent;
        inner: places;
    }
    DistributionPlace { call_path: call_path; number: percent, seconds; inner: threads; }

    Loop {
        free: boundary, region, file, line, function, body, iterations, iterations_per_value;
        call_path: call_path;
        number: begin_seconds, end_seconds, coverage, mean_seconds, median_seconds, min_seconds, max_seconds;
        inner: warm_up, recurring, outliers, slowest, series, marks;
    }
    WarmUp { free: iterations; number: seconds, others_seconds; }
    Recurring { free: every, first; number: seconds, others_seconds; }
    Outlier { free: iteration; number: at_seconds, seconds; }
    Slowest {
        free: region;
        thread: thread;
        call_path: call_path;
        number: first_share, last_share;
    }
    MetricSeries {
        free: shape, recorded_iterations;
        series: metric;
        number: values, mean, first_quarter, last_quarter, change_percent, slope, probability;
    }
    Mark {
        free: reason, after_iteration, region, file, line;
        metric: metrics;
        number: at_seconds, until_seconds;
    }

    Recording {
        free: wait_states;
        metric: counters;
        number: trace_ends_seconds;
        inner: throttled, counted, cost;
    }
    Throttled {
        free: region, file, line, calls, timed_calls;
        number: seconds, percent, since_seconds;
    }
    Counted { free: region, is_function, file, line, calls; }
    RecordingCost {
        free: events, summed_calls, throttled_calls, counted_accesses, left_out_calls,
            own_accesses;
        number: seconds, fixed_seconds, percent, cpu_seconds;
        interval: interval;
        inner: baseline, call_paths;
    }
    Baseline { free: program, runs, differ_too_much; number: cpu_seconds; }
    PathCost { call_path: call_path; number: seconds; }

    ClockSummary {
        free: method, held_events;
        number: waiting_seconds, below_uncertainty_seconds;
        inner: nodes, violations;
    }
    NodeClock { free: host, threads, exchanges; number: uncertainty_seconds, drift_ppm; }
    ClockViolations {
        free: barriers, collectives, locks, unexplained;
        number: largest_seconds;
    }

    Timeline {
        free: omitted_threads;
        metric: metric;
        call_path: call_path;
        number: begin_seconds, end_seconds, instance_begin_seconds, instance_end_seconds;
        inner: places, rows, arrows;
    }
    Place { free: region, file, line; }
    Row { thread: thread; inner: bars; }
    Bar {
        free: depth, activity, merged, of_instance;
        place: place;
        metric: metric;
        number: begin_seconds, end_seconds;
    }
    Arrow {
        row: from_thread, to_thread;
        metric: metric;
        number: from_seconds, to_seconds;
    }
}
